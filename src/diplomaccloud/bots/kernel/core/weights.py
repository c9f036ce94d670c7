"""The numbers of the policy, and what they give on a board. Never compiled: the sets are large."""

from collections.abc import Sequence

from diplomaccloud.judge.kernel.table import Table

ATTACK, DEFENSE = (700, 700, 600, 600, 700), (300, 300, 400, 400, 300)
"""By phase: what a foreign center is worth per size of its owner, and an own one per size of an
enemy beside it. These numbers and the next are DumbBot's."""

_DISTANT = (30, 10, 6, 5, 4, 3, 2, 1)
WEIGHTS = ((100, 1000, *_DISTANT), (1000, 100, *_DISTANT))
"""In Spring, and in Fall and Winter: the weight of what a place is worth after each step."""


def group_coasts(sails: Sequence[int], table: Table) -> tuple[list[list[int]], list[list[int]]]:
    """Return the neighbors of a fleet at each place of `sails`, and the split coasts among them.

    Neighbors in one province are one, with the number of places + that of the split coast.
    """
    sides: list[list[int]] = []
    steps = []
    for place in sails:
        groups: dict[int, list[int]] = {}
        for to in table.near[table.places + place]:
            groups.setdefault(table.province_of[to], []).append(to)
        row = []
        for group in groups.values():
            if len(group) > 1 and group not in sides:
                sides.append(group)
            row.append(group[0] if len(group) == 1 else table.places + sides.index(group))
        steps.append(row)
    return steps, sides


INFLUENCE = (1.0, 0.5, 0.2, 0.08, 0.03, 0.01)
"""What a unit at each distance counts for a center."""


def find_influence(table: Table) -> list[float]:
    """Return the influence of a unit, by its row of `near` and the number of the center."""
    number = {center: k for k, center in enumerate(table.centers)}
    found = []
    for row in range(2 * table.places):
        first = row - row % table.places
        influence = [0.0] * len(number)
        seen = wave = {row}
        for weight in INFLUENCE:
            for near in wave:
                center = number.get(table.province_of[near - first])
                if center is not None and influence[center] == 0.0:
                    influence[center] = weight
            wave = {first + to for near in wave for to in table.near[near]} - seen
            seen = seen | wave
        found += influence
    return found
