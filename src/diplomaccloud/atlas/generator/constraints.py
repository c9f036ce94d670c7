"""Stage 7: the hard constraints that every published map keeps."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from math import fsum
from typing import TypeVar

import numpy as np

from diplomaccloud.atlas.chart import Chart
from diplomaccloud.atlas.generator.balance import (
    CONTESTED,
    FLEET_SHARE,
    NEUTRALS,
    preys_wanted,
    rivals_wanted,
)
from diplomaccloud.atlas.generator.board_layout import FAR, Layout
from diplomaccloud.atlas.generator.borders import OUTSIDE
from diplomaccloud.atlas.generator.drawing_constraints import (
    LEAST_LAND,
    LEAST_SEA,
    Fault,
    drawing_faults,
)
from diplomaccloud.atlas.generator.mesh import Floats, Ints
from diplomaccloud.atlas.generator.possible_starts import HOMES
from diplomaccloud.judge.board import (
    Board,
    Location,
    Power,
    ProvinceCode,
    Terrain,
    UnitKind,
    province_of,
)
from diplomaccloud.judge.geography import count_steps, geography

FEWEST = 34
DEGREES = (2, 12)
MOST_COASTS = 2
_MOST_SPLIT = 6
_USUAL = 107
"""Provinces of the largest map of the usual proportions, that for ten powers."""
SEA_SHARE = (0.17, 0.32)
SPACES = (2.0, 2.7)

_T = TypeVar("_T")


def faults(chart: Chart) -> tuple[Fault, ...]:
    """Return every breach of the hard constraints by `chart`; none for a map to publish.

    Constraints are numbered as in the specification of maps. Two of them contradict each
    other for two powers: ten centers (five for each power) on no fewer than 34 provinces are
    3.4 spaces per center, not at most 2.7. The spaces yield: fewer provinces make no game, and
    more centers would be another game than that of the other numbers of powers. Also, a map
    larger than those of the usual proportions may have more split coasts than six.
    """
    board = chart.board
    return (
        *_disconnected(board),
        *_bad_convoys(board),
        *_bad_homes(board),
        *_bad_fleets(board),
        *_bad_degrees(board),
        *_bad_chances(board),
        *_bad_names(board),
        *_bad_numbers(board),
        *drawing_faults(chart),
    )


def unsound(layout: Layout, areas: Floats, borders: Floats, sides: Ints) -> set[int]:
    """Return the provinces for which a board cannot become a map; none if it can.

    Known before anything is placed on it: `areas` of the provinces, in any unit; lengths of the
    `borders` in mesh cells, and the provinces on the `sides` of each.
    """
    seas = range(layout.lands, layout.count)
    split = [land for land, runs in enumerate(layout.coasts) if len(runs) > 1]
    # Of too many, those are at fault that come nearest to having one coast.
    split.sort(key=lambda land: _least_coast(layout, borders, land))
    most = most_split(layout.count)
    faulty = {
        *sides[borders < 1].ravel().tolist(),
        *dwarfs(areas, layout.lands),
        *(one for one, near in enumerate(layout.touching) if not _is_degree(len(near))),
        *(land for land in split if len(layout.coasts[land]) > MOST_COASTS),
        *split[: max(len(split) - most, 0)],
        *(sea for sea in seas if layout.voyages[seas[0], sea] == FAR),
        *(sea for land in range(layout.lands) for sea in _without_crossing(layout, land)),
    }
    return faulty - {OUTSIDE}


def dwarfs(areas: Floats, lands: int) -> tuple[int, ...]:
    """Return the provinces that are too small for the median of their kind, by their `areas`."""
    least = np.repeat(
        [LEAST_LAND * np.median(areas[:lands]), LEAST_SEA * np.median(areas[lands:])],
        [lands, len(areas) - lands],
    )
    return tuple(np.flatnonzero(areas < least).tolist())


def _least_coast(layout: Layout, borders: Floats, land: int) -> float:
    """Return the length of the shortest coast of `land`."""
    return min(fsum(borders[sorted(run)].tolist()) for run in layout.coasts[land])


def _without_crossing(layout: Layout, land: int) -> list[int]:
    """Return the seas beside `land` if none of them touches another land."""
    seas = [sea for sea in layout.touching[land] if sea >= layout.lands]
    shores = {to for sea in seas for to in layout.touching[sea] if to < layout.lands}
    return seas if shores == {land} else []


def most_split(provinces: int) -> int:
    """Return how many provinces may have a split coast: six, in proportion on larger maps."""
    return max(_MOST_SPLIT, _MOST_SPLIT * provinces // _USUAL)


def _is_degree(touched: int) -> bool:
    return DEGREES[0] <= touched <= DEGREES[1]


def _is_whole(places: Iterable[_T], ways: Mapping[_T, Collection[_T]]) -> bool:
    """Return whether `places` hang together without leaving them."""
    inside = set(places)
    inner = {place: [to for to in ways[place] if to in inside] for place in inside}
    return not inside or len(count_steps(inner, [min(inside, key=str)])) == len(inside)


def _disconnected(board: Board) -> Iterator[Fault]:
    touching = geography(board).around
    if not _is_whole(touching, touching):
        yield Fault(1, board.name, "some provinces cannot be reached")
    seas = [Location(p.code) for p in board.provinces if p.terrain is Terrain.SEA]
    if not _is_whole(seas, board.fleet_neighbors):
        yield Fault(1, board.name, "the waters are apart")
    for code, province in board.by_code.items():
        if province.terrain is Terrain.SEA:
            continue
        mass = count_steps(board.army_neighbors, [code])
        if all(board.by_code[land].terrain is Terrain.INLAND for land in mass):
            yield Fault(1, code, "the land around it has no coast")


def _bad_convoys(board: Board) -> Iterator[Fault]:
    """Yield the coasts from which no army can be convoyed to another."""
    touching = geography(board).around
    for code, province in board.by_code.items():
        if province.terrain is Terrain.COASTAL:
            seas = [to for to in touching[code] if board.by_code[to].terrain is Terrain.SEA]
            shores = {to for sea in seas for to in touching[sea] if to not in seas}
            if all(board.by_code[to].terrain is Terrain.SEA for to in shores - {code}):
                yield Fault(1, code, "no army can be convoyed from it")


def _bad_homes(board: Board) -> Iterator[Fault]:
    touching = geography(board).around
    for power, homes in board.home_centers.items():
        if len(homes) != HOMES:
            yield Fault(10, power, f"{len(homes)} home centers")
        if not _is_whole(homes, board.army_neighbors):
            yield Fault(2, power, "the homes are apart")
        if all(board.by_code[home].terrain is Terrain.INLAND for home in homes):
            yield Fault(2, power, "no home on the coast")
    countries = [(p.code, p.home) for p in board.provinces if p.home is not None]
    for (one, here), (other, there) in combinations(countries, 2):
        if here != there and other in touching[one]:
            yield Fault(2, f"{one}-{other}", "homes of two powers touch")


def _bad_fleets(board: Board) -> Iterator[Fault]:
    fleets = sum(start.kind is UnitKind.FLEET for start in board.starts)
    share = fleets / max(len(board.starts), 1)
    if not FLEET_SHARE[0] <= share <= FLEET_SHARE[1]:
        yield Fault(3, board.name, f"{share:.0%} of the units are fleets")


def _bad_degrees(board: Board) -> Iterator[Fault]:
    for code, touched in geography(board).around.items():
        if not _is_degree(len(touched)):
            yield Fault(6, code, f"touches {len(touched)} provinces")
    split = [p for p in board.provinces if p.coasts]
    for province in split:
        if len(province.coasts) > MOST_COASTS:
            yield Fault(6, province.code, f"{len(province.coasts)} coasts")
    if len(split) > most_split(len(board.provinces)):
        yield Fault(6, board.name, f"{len(split)} split coasts")


def _bad_chances(board: Board) -> Iterator[Fault]:
    journeys = {info.power: _journeys_of(board, info.power) for info in board.powers}
    reach = {power: _soonest(found) for power, found in journeys.items()}
    neutrals = [p.code for p in board.provinces if p.center and p.home is None]
    claims = {
        code: [power for power in reach if reach[power].get(code, FAR) <= 2] for code in neutrals
    }
    for code, powers in claims.items():
        if not powers:
            yield Fault(7, code, "a neutral center farther than two moves from every power")
    contested = sum(len(powers) > 1 for powers in claims.values()) / max(len(neutrals), 1)
    if not CONTESTED[0] <= contested <= CONTESTED[1]:
        yield Fault(7, board.name, f"{contested:.0%} of the neutral centers are contested")
    for power, found in journeys.items():
        takes = [[code for code in neutrals if moves.get(code, FAR) <= 2] for moves in found]
        if not _take_two(takes):
            yield Fault(8, power, "two units cannot take two neutral centers in the first year")
    yield from _bad_rivals(board, reach)


def _take_two(takes: Sequence[Sequence[ProvinceCode]]) -> bool:
    """Return whether two units can take two different centers; `takes`: those of each unit."""
    return any(
        one != other for ones, others in combinations(takes, 2) for one in ones for other in others
    )


def _bad_rivals(board: Board, reach: Mapping[Power, Mapping[ProvinceCode, int]]) -> Iterator[Fault]:
    """Yield the powers with too few or too many rivals, whatever makes one.

    A rival is who can come here or whom one can go to; but one's own units alone have enough to
    go to, and even by steps on any ground no more are near.
    """

    def soon(power: Power, other: Power) -> bool:
        return any(reach[power].get(home, FAR) <= 3 for home in board.home_centers[other])

    low, high = rivals_wanted(len(reach))
    around = geography(board).around
    for power in reach:
        others = [other for other in reach if other != power]
        preys = [other for other in others if soon(power, other)]
        rivals = [other for other in others if other in preys or soon(other, power)]
        steps = count_steps(around, board.home_centers[power])
        near = sum(
            any(steps.get(home, FAR) <= 3 for home in board.home_centers[other]) for other in others
        )
        if not low <= len(rivals) <= high:
            yield Fault(8, power, f"{len(rivals)} rivals within three moves")
        if len(preys) < preys_wanted(len(reach)):
            yield Fault(8, power, f"its own units reach {len(preys)} rivals within three moves")
        if near > high:
            yield Fault(8, power, f"{near} powers within three steps")


def _journeys_of(board: Board, power: Power) -> list[Mapping[ProvinceCode, int]]:
    """Return the moves that each unit of `power` needs to every province it can come to."""
    found: list[Mapping[ProvinceCode, int]] = []
    for start in board.starts:
        if start.power != power:
            continue
        if start.kind is UnitKind.ARMY:
            found.append(count_steps(board.army_neighbors, [ProvinceCode(start.location)]))
            continue
        moves: dict[ProvinceCode, int] = {}
        for place, count in count_steps(board.fleet_neighbors, [start.location]).items():
            code = province_of(place)
            moves[code] = min(count, moves.get(code, FAR))
        found.append(moves)
    return found


def _soonest(journeys: Iterable[Mapping[ProvinceCode, int]]) -> Mapping[ProvinceCode, int]:
    """Return the moves that the nearest of several units needs to every province."""
    moves: dict[ProvinceCode, int] = {}
    for found in journeys:
        for code, count in found.items():
            moves[code] = min(count, moves.get(code, FAR))
    return moves


def _bad_names(board: Board) -> Iterator[Fault]:
    names = [p.name.casefold() for p in board.provinces]
    for province in board.provinces:
        if names.count(province.name.casefold()) > 1:
            yield Fault(9, province.code, f"two provinces are called {province.name}")


def _bad_numbers(board: Board) -> Iterator[Fault]:
    players, count = len(board.powers), len(board.provinces)
    centers = len(board.centers)
    if centers != (HOMES + NEUTRALS) * players:
        yield Fault(10, board.name, f"{centers} centers for {players} powers")
    if board.victory_centers != centers // 2 + 1:
        yield Fault(10, board.name, f"victory with {board.victory_centers} of {centers} centers")
    seas = sum(p.terrain is Terrain.SEA for p in board.provinces) / count
    if not SEA_SHARE[0] <= seas <= SEA_SHARE[1]:
        yield Fault(10, board.name, f"{seas:.0%} seas")
    spaces = count / max(centers, 1)
    most = max(SPACES[1], FEWEST / max(centers, 1))
    if count < FEWEST or not SPACES[0] <= spaces <= most:
        yield Fault(10, board.name, f"{count} provinces for {centers} centers")
