"""The value of each node to a power: the worth of supply centers, diffused over the board.

The idea comes from David Norman's DumbBot: a center attracts units according to the size of
its owner, and its pull fades with distance. The *strength* of a power in a province is how many of
its units could be there next; its *competition* is the highest such number of any other power.
States are the kernel's rows; see `judge.kernel.layout`.

`manyvalues` computes the same numbers, bit for bit, for many states at once. Sums must therefore be
added in a fixed order.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from diplomaccloud.bots.net import NODE_BITS, Net
from diplomaccloud.judge.kernel.layout import ADJUSTMENTS, HEAD, PHASE, POWER_SHIFT


@dataclass(frozen=True, slots=True)
class Weights:
    """A season's weights: for attack, for defense, and for centers at each distance in moves."""

    attack: int
    defense: int
    steps: tuple[int, ...]


_DISTANT = (30, 10, 6, 5, 4, 3, 2, 1)
_SPRING = Weights(attack=700, defense=300, steps=(100, 1000, *_DISTANT))
_FALL = Weights(attack=600, defense=400, steps=(1000, 100, *_DISTANT))
_WINTER = Weights(attack=700, defense=300, steps=(1000, 100, *_DISTANT))
WEIGHTS = (_SPRING, _SPRING, _FALL, _FALL, _WINTER)
"""Indexed by the number of the phase in a state."""

SIZE_FACTOR, SIZE_BASE = 4, 16
"""DumbBot's coefficients for the size of a power: centers² + 4 × centers + 16."""

SPREAD = 5
"""How many nodes share a value in one step: a node and its four neighbors, as in DumbBot."""

STRENGTH = 1000
"""The weight of each unit more or less than the competition."""


@dataclass(frozen=True, slots=True)
class Values:
    """The worth of every node to one power, and its competition in every province."""

    worth: Sequence[float]
    competition: Sequence[int]


def size_of(centers: int) -> int:
    """Return the weight of a power with `centers` centers; neutral centers count as one power."""
    return centers * centers + SIZE_FACTOR * centers + SIZE_BASE


def values_of(net: Net, state: Sequence[int], power: int) -> Values:
    """Return the worth of every node to `power` in the phase of `state`."""
    provinces = net.table.provinces
    weights = WEIGHTS[state[PHASE]]
    reach = _count_reach(net, state)
    owners = state[HEAD + 4 * provinces : HEAD + 5 * provinces]
    sizes = [size_of(owners.count(each)) for each in range(len(net.table.powers))]
    competition = [0] * provinces
    threat = [0] * provinces
    for rival, counts in enumerate(reach):
        if rival != power:
            for province, count in enumerate(counts):
                if count:
                    competition[province] = max(competition[province], count)
                    threat[province] = max(threat[province], sizes[rival])
    base = [0.0] * provinces
    defense = [0] * provinces
    free = size_of(sum(owners[center] < 0 for center in net.table.centers))
    for center in net.table.centers:
        owner = owners[center]
        if owner == power:
            defense[center] = threat[center]
            base[center] = float(weights.defense * threat[center])
        else:
            base[center] = float(weights.attack * (free if owner < 0 else sizes[owner]))
    strength = reach[power]
    own = (
        defense
        if state[PHASE] == ADJUSTMENTS
        else [mine - others for mine, others in zip(strength, competition, strict=True)]
    )
    worth = _diffuse(net, base, weights.steps)
    for node, province in enumerate(net.province):
        worth[node] += STRENGTH * own[province]
    return Values(worth, competition)


def _count_reach(net: Net, state: Sequence[int]) -> list[list[int]]:
    """Return how many of a power's units could be next in a province, by power and province."""
    provinces = net.table.provinces
    counts = [[0] * provinces for _ in net.table.powers]
    for province, code in enumerate(state[HEAD : HEAD + provinces]):
        if code >= 0:
            row = counts[code >> POWER_SHIFT]
            row[province] += 1
            for to in net.reach[net.node_of[code & NODE_BITS]]:
                row[to] += 1
    return counts


def _diffuse(net: Net, base: Sequence[float], steps: tuple[int, ...]) -> list[float]:
    """Return the weighted sum of wider and wider averages; only the best split coast counts."""
    level = [base[province] for province in net.province]
    total = [steps[0] * value for value in level]
    for weight in steps[1:]:
        wider = []
        for node, groups in enumerate(net.groups):
            around = 0.0
            for group in groups:
                around += level[group[0]] if len(group) == 1 else max([level[i] for i in group])
            wider.append((level[node] + around) / SPREAD)
        level = wider
        total = [so_far + weight * value for so_far, value in zip(total, level, strict=True)]
    return total
