"""List every possible start of a power: three home centers, and which of them hold fleets."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from diplomaccloud.atlas.generator.board_layout import UNREACHABLE, Layout
from diplomaccloud.atlas.generator.mesh import Bools, Int16s, Ints, UnitSets

HOMES = 3
"""Home centers per power."""

_FLEET_CHOICES = ((0,), (1,), (2,), (0, 1), (0, 2), (1, 2))
"""Which of three homes may hold fleets: one or two of them."""


class PlacementError(ValueError):
    """The centers do not fit on the board."""


@dataclass(frozen=True)
class PossibleStarts:
    """Every possible start of one power, by number; provinces as `Layout` numbers them.

    `homes`: c×3, land provinces that touch one another. `has_fleet`: c×3, which homes hold fleets.
    `fleet_counts`: c, how many do. `moves`: c×lands, the moves that the nearest of the three units
    needs. `first_year_units`: c×lands, which units can arrive in the first year, one bit for each.
    `steps`: c×provinces, the steps by land or sea from the nearest home. `touches`: c×lands, the
    homes and the provinces that touch them. `border_counts`: c, how many provinces touch the homes
    from outside. `starts_with`: for each land, the starts that include it as a home.
    """

    homes: Ints
    has_fleet: Bools
    fleet_counts: Ints
    moves: Int16s
    first_year_units: UnitSets
    steps: Int16s
    touches: Bools
    border_counts: Ints
    starts_with: tuple[Ints, ...]

    def find_clashes(self, options: Ints, others: Ints) -> Bools:
        """Return which of `options` share or touch a home of one of `others`."""
        homes = self.homes[others].ravel()
        return np.asarray(self.touches[options[:, None], homes].any(axis=1))

    def fleet_homes(self, start: int) -> frozenset[int]:
        """Return the homes of `start` that hold fleets."""
        return frozenset(self.homes[start][self.has_fleet[start]].tolist())


def find_possible_starts(layout: Layout) -> PossibleStarts:
    """Return the starts that `layout` allows; raises `PlacementError` if there are none.

    A fleet starts only in a province with a single coast, so that its coast needs no choice.
    """
    triples = _find_home_triples(layout)
    is_harbor = np.array([len(runs) == 1 for runs in layout.coasts])
    rows, fleets = [], []
    for homes in _FLEET_CHOICES:
        fitting = np.flatnonzero(is_harbor[triples][:, homes].all(axis=1))
        has_fleet = np.zeros((len(fitting), HOMES), dtype=bool)
        has_fleet[:, homes] = True
        rows.append(fitting)
        fleets.append(has_fleet)
    order = np.argsort(np.concatenate(rows), kind="stable")
    triple, has_fleet = np.concatenate(rows)[order], np.concatenate(fleets)[order]
    if not len(triple):
        raise PlacementError("no three provinces that touch have a harbor")
    return _measure_starts(layout, triples, triple, has_fleet)


def _find_home_triples(layout: Layout) -> Ints:
    """Return all sets of three land provinces in which one touches the other two."""
    neighbors: list[list[int]] = [[] for _ in range(layout.lands)]
    for first, second in layout.army_borders:
        neighbors[first].append(second)
        neighbors[second].append(first)
    triples = {
        tuple(sorted((land, *pair)))
        for land in range(layout.lands)
        for pair in combinations(sorted(neighbors[land]), HOMES - 1)
    }
    return np.array(sorted(triples), dtype=np.int64).reshape(-1, HOMES)


def _measure_starts(
    layout: Layout, triples: Ints, triple: Ints, has_fleet: Bools
) -> PossibleStarts:
    """Return the measurements of each start.

    `triple`: for each start, its row of homes in `triples`. `has_fleet`: which of them hold fleets.
    """
    lands = layout.lands
    homes = triples[triple]
    fleet_moves = layout.fleet_moves[:lands, :lands]
    army_and_fleet_moves = np.stack([layout.army_moves, fleet_moves]).astype(np.int16)
    moves = [
        army_and_fleet_moves[has_fleet[:, home].astype(np.int64), homes[:, home]]
        for home in range(HOMES)
    ]
    nearest = np.minimum(np.minimum(moves[0], moves[1]), moves[2])
    first_year_units = sum(
        (count <= 2).astype(np.uint8) << home for home, count in enumerate(moves)
    )
    around: Bools = np.less_equal(layout.steps[triples], 1).max(axis=1)
    border_counts = around.sum(axis=1) - HOMES
    steps = layout.steps.astype(np.int16)[triples].min(axis=1)
    return PossibleStarts(
        homes,
        has_fleet,
        has_fleet.sum(axis=1),
        nearest,
        np.asarray(first_year_units, dtype=np.uint8),
        steps[triple],
        around[triple][:, :lands],
        border_counts[triple],
        _group_by_home(homes, lands),
    )


def _group_by_home(homes: Ints, lands: int) -> tuple[Ints, ...]:
    """Return, for each land, the starts that include it."""
    order = np.argsort(homes.ravel(), kind="stable")
    cuts = np.searchsorted(homes.ravel()[order], np.arange(1, lands))
    return tuple(np.split(order // HOMES, cuts))


def find_least_moves(possible: PossibleStarts, start: int, others: Sequence[int]) -> int:
    """Return the fewest moves from `start` to a home of one of `others`."""
    homes = possible.homes[list(others)].ravel()
    return int(possible.moves[start][homes].min(initial=UNREACHABLE))
