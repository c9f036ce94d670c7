"""What each place is worth to a power: supply centers, diffused over the board.

The idea is David Norman's DumbBot: a center draws units by the size of whoever owns it, and
its pull fades with distance. Terms used here: a *node* is a unit kind at a location; the
*strength* of a province for a power is how many of its units could be there next; its
*competition* is the largest such count of any other power.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from diplomaccloud.judge.board import (
    Board,
    Location,
    Power,
    ProvinceCode,
    UnitKind,
    province_of,
)
from diplomaccloud.judge.phases import Season
from diplomaccloud.judge.position import Position

Node: TypeAlias = tuple[UnitKind, Location]


@dataclass(frozen=True, slots=True)
class Weights:
    """How much a season cares for taking, for keeping, and for things so many moves away."""

    attack: int
    defence: int
    steps: tuple[int, ...]


_FAR = (30, 10, 6, 5, 4, 3, 2, 1)
_SPRING = Weights(attack=700, defence=300, steps=(100, 1000, *_FAR))
_FALL = Weights(attack=600, defence=400, steps=(1000, 100, *_FAR))
_WINTER = Weights(attack=700, defence=300, steps=(1000, 100, *_FAR))
_WEIGHTS = {Season.SPRING: _SPRING, Season.FALL: _FALL, Season.WINTER: _WINTER}

_STRENGTH = 1000
_NEUTRAL = Power("")


@dataclass(frozen=True, slots=True)
class Values:
    """One power's view: the worth of every node, and who could be where."""

    nodes: Mapping[Node, float]
    strength: Mapping[ProvinceCode, int]
    competition: Mapping[ProvinceCode, int]


@dataclass(frozen=True, slots=True)
class _Net:
    """The nodes of a board; for each, its neighbours as indices grouped by province."""

    nodes: tuple[Node, ...]
    provinces: tuple[ProvinceCode, ...]
    neighbors: tuple[tuple[tuple[int, ...], ...], ...]


@lru_cache(maxsize=64)
def _net(board: Board) -> _Net:
    nodes: list[Node] = [(kind, place) for kind in UnitKind for place in board.locations(kind)]
    index = {node: number for number, node in enumerate(nodes)}
    neighbors = []
    for kind, place in nodes:
        groups: dict[ProvinceCode, list[int]] = defaultdict(list)
        for to in sorted(board.destinations(kind, place)):
            groups[province_of(to)].append(index[kind, to])
        neighbors.append(tuple(tuple(group) for group in groups.values()))
    return _Net(tuple(nodes), tuple(province_of(at) for _, at in nodes), tuple(neighbors))


def value_map(board: Board, position: Position, power: Power) -> Values:
    """Return the worth of every node to `power` in this season."""
    net = _net(board)
    season = position.phase.season
    weights = _WEIGHTS[season]
    reach = _reach(board, position)
    strength = Counter(reach.get(power, ()))
    competition: dict[ProvinceCode, int] = {}
    for rival, places in reach.items():
        if rival != power:
            for place, count in Counter(places).items():
                competition[place] = max(competition.get(place, 0), count)
    base, defence = _base(board, position, power, weights, reach)
    worth = _diffuse(net, [base.get(province, 0.0) for province in net.provinces], weights.steps)
    for number, province in enumerate(net.provinces):
        if season is Season.WINTER:
            worth[number] += _STRENGTH * defence.get(province, 0)
        else:
            worth[number] += _STRENGTH * (strength.get(province, 0) - competition.get(province, 0))
    return Values(dict(zip(net.nodes, worth, strict=True)), strength, competition)


def _reach(board: Board, position: Position) -> dict[Power, list[ProvinceCode]]:
    """Return for every power the provinces its units could be in next, once per unit."""
    found: dict[Power, list[ProvinceCode]] = defaultdict(list)
    for unit in position.units:
        found[unit.power].append(unit.province)
        found[unit.power].extend(board.reach(unit.kind, unit.location))
    return found


def _sizes(board: Board, position: Position) -> dict[Power, int]:
    counts = Counter(position.centers.get(code, _NEUTRAL) for code in board.centers)
    return {owner: count * count + 4 * count + 16 for owner, count in counts.items()}


def _base(
    board: Board,
    position: Position,
    power: Power,
    weights: Weights,
    reach: Mapping[Power, Iterable[ProvinceCode]],
) -> tuple[dict[ProvinceCode, float], dict[ProvinceCode, int]]:
    """Return the worth of each center by itself, and the size of the worst threat to own ones."""
    sizes = _sizes(board, position)
    threat: dict[ProvinceCode, int] = {}
    for rival, places in reach.items():
        if rival != power:
            for place in places:
                threat[place] = max(threat.get(place, 0), sizes.get(rival, 16))
    base: dict[ProvinceCode, float] = {}
    defence: dict[ProvinceCode, int] = {}
    for center in board.centers:
        owner = position.centers.get(center, _NEUTRAL)
        if owner == power:
            defence[center] = threat.get(center, 0)
            base[center] = weights.defence * defence[center]
        else:
            base[center] = weights.attack * sizes[owner]
    return base, defence


def _diffuse(net: _Net, start: list[float], steps: tuple[int, ...]) -> list[float]:
    """Return the weighted sum of ever wider averages; a split coast counts once, at its best."""
    level = start
    total = [steps[0] * value for value in level]
    for weight in steps[1:]:
        level = [
            (
                level[number]
                + sum(
                    level[group[0]] if len(group) == 1 else max(level[one] for one in group)
                    for group in groups
                )
            )
            / 5
            for number, groups in enumerate(net.neighbors)
        ]
        total = [sofar + weight * value for sofar, value in zip(total, level, strict=True)]
    return total
