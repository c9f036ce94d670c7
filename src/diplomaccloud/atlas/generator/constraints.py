"""The hard constraints that every published map must meet, checked on the finished map."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import TypeVar

from diplomaccloud.atlas.chart import Chart
from diplomaccloud.atlas.generator.balance import (
    CONTESTED,
    FLEET_SHARE,
    NEAR,
    NEUTRALS,
    min_reachable_rivals,
    rival_limits,
)
from diplomaccloud.atlas.generator.board_layout import UNREACHABLE
from diplomaccloud.atlas.generator.drawing_constraints import Fault, find_drawing_faults
from diplomaccloud.atlas.generator.layout_constraints import (
    MAX_COASTS,
    is_usual_degree,
    max_split_coasts,
)
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

MIN_PROVINCES = 34
"""The fewest provinces of a map."""

SEA_SHARE = (0.17, 0.32)
"""The least and greatest share of seas among the provinces."""

SPACES_PER_CENTER = (2.0, 2.7)
"""The least and greatest number of provinces per supply center."""

_FIRST_YEAR_MOVES = 2

_T = TypeVar("_T")


def find_faults(chart: Chart) -> tuple[Fault, ...]:
    """Return all violations of the hard constraints by `chart`. A publishable map has none.

    Constraints are numbered as in the specification of maps. For two powers, two of them contradict
    each other: ten centers (five per power) on at least 34 provinces make 3.4 spaces per center,
    but at most 2.7 are allowed. The limit on spaces is waived: a map with fewer provinces would be
    too small, and more centers would change the game. Also, a map larger than usual may have more
    than six split coasts.
    """
    board = chart.board
    return (
        *_check_connections(board),
        *_check_convoys(board),
        *_check_homes(board),
        *_check_fleets(board),
        *_check_degrees(board),
        *_check_chances(board),
        *_check_names(board),
        *_check_numbers(board),
        *find_drawing_faults(chart),
    )


def _is_connected(places: Iterable[_T], neighbors: Mapping[_T, Collection[_T]]) -> bool:
    """Return whether `places` are connected without leaving them."""
    inside = set(places)
    inner = {
        place: [neighbor for neighbor in neighbors[place] if neighbor in inside] for place in inside
    }
    return not inside or len(count_steps(inner, [min(inside, key=str)])) == len(inside)


def _check_connections(board: Board) -> Iterator[Fault]:
    touching = geography(board).around
    if not _is_connected(touching, touching):
        yield Fault(1, board.name, "some provinces cannot be reached")
    seas = [Location(p.code) for p in board.provinces if p.terrain is Terrain.SEA]
    if not _is_connected(seas, board.fleet_neighbors):
        yield Fault(1, board.name, "the seas are not connected")
    for code, province in board.by_code.items():
        if province.terrain is Terrain.SEA:
            continue
        connected = count_steps(board.army_neighbors, [code])
        if all(board.by_code[land].terrain is Terrain.INLAND for land in connected):
            yield Fault(1, code, "the land around it has no coast")


def _check_convoys(board: Board) -> Iterator[Fault]:
    """Yield the coasts from which no army can be convoyed to another coast."""
    touching = geography(board).around
    for code, province in board.by_code.items():
        if province.terrain is Terrain.COASTAL:
            seas = [
                neighbor
                for neighbor in touching[code]
                if board.by_code[neighbor].terrain is Terrain.SEA
            ]
            shores = {
                neighbor for sea in seas for neighbor in touching[sea] if neighbor not in seas
            }
            if all(board.by_code[neighbor].terrain is Terrain.SEA for neighbor in shores - {code}):
                yield Fault(1, code, "no army can be convoyed from it")


def _check_homes(board: Board) -> Iterator[Fault]:
    touching = geography(board).around
    for power, homes in board.home_centers.items():
        if len(homes) != HOMES:
            yield Fault(10, power, f"{len(homes)} home centers")
        if not _is_connected(homes, board.army_neighbors):
            yield Fault(2, power, "the home centers are not connected")
        if all(board.by_code[home].terrain is Terrain.INLAND for home in homes):
            yield Fault(2, power, "no home center is on the coast")
    countries = [(p.code, p.home) for p in board.provinces if p.home is not None]
    for (first, first_power), (second, second_power) in combinations(countries, 2):
        if first_power != second_power and second in touching[first]:
            yield Fault(2, f"{first}-{second}", "homes of two powers touch")


def _check_fleets(board: Board) -> Iterator[Fault]:
    fleets = sum(start.kind is UnitKind.FLEET for start in board.starts)
    share = fleets / max(len(board.starts), 1)
    if not FLEET_SHARE[0] <= share <= FLEET_SHARE[1]:
        yield Fault(3, board.name, f"{share:.0%} of the units are fleets")


def _check_degrees(board: Board) -> Iterator[Fault]:
    for code, touched in geography(board).around.items():
        if not is_usual_degree(len(touched)):
            yield Fault(6, code, f"touches {len(touched)} provinces")
    split = [p for p in board.provinces if p.coasts]
    for province in split:
        if len(province.coasts) > MAX_COASTS:
            yield Fault(6, province.code, f"{len(province.coasts)} coasts")
    if len(split) > max_split_coasts(len(board.provinces)):
        yield Fault(6, board.name, f"{len(split)} split coasts")


def _check_chances(board: Board) -> Iterator[Fault]:
    moves_by_unit = {info.power: _count_moves(board, info.power) for info in board.powers}
    reach = {power: _take_fewest(unit_moves) for power, unit_moves in moves_by_unit.items()}
    neutrals = [p.code for p in board.provinces if p.center and p.home is None]
    claims = {
        code: [power for power in reach if reach[power].get(code, UNREACHABLE) <= _FIRST_YEAR_MOVES]
        for code in neutrals
    }
    for code, powers in claims.items():
        if not powers:
            yield Fault(7, code, "a neutral center farther than two moves from every power")
    contested = sum(len(powers) > 1 for powers in claims.values()) / max(len(neutrals), 1)
    if not CONTESTED[0] <= contested <= CONTESTED[1]:
        yield Fault(7, board.name, f"{contested:.0%} of the neutral centers are contested")
    for power, unit_moves in moves_by_unit.items():
        reachable = [
            [code for code in neutrals if moves.get(code, UNREACHABLE) <= _FIRST_YEAR_MOVES]
            for moves in unit_moves
        ]
        if not _can_take_two(reachable):
            yield Fault(8, power, "two units cannot take two neutral centers in the first year")
    yield from _check_rivals(board, reach)


def _can_take_two(reachable: Sequence[Sequence[ProvinceCode]]) -> bool:
    """Return whether two units can take two different centers.

    `reachable`: the centers that each unit can reach.
    """
    return any(
        first != second
        for first_centers, second_centers in combinations(reachable, 2)
        for first in first_centers
        for second in second_centers
    )


def _check_rivals(
    board: Board, reach: Mapping[Power, Mapping[ProvinceCode, int]]
) -> Iterator[Fault]:
    """Yield the powers with too few or too many rivals, counted in three ways.

    A rival is a power that can come near, or that this power can come near to. In addition, the
    power's own units must reach enough rivals, and not too many powers may be near, counting steps
    by any unit.
    """

    def is_near(power: Power, other: Power) -> bool:
        return any(
            reach[power].get(home, UNREACHABLE) <= NEAR for home in board.home_centers[other]
        )

    low, high = rival_limits(len(reach))
    around = geography(board).around
    for power in reach:
        others = [other for other in reach if other != power]
        targets = [other for other in others if is_near(power, other)]
        rivals = [other for other in others if other in targets or is_near(other, power)]
        steps = count_steps(around, board.home_centers[power])
        near = sum(
            any(steps.get(home, UNREACHABLE) <= NEAR for home in board.home_centers[other])
            for other in others
        )
        if not low <= len(rivals) <= high:
            yield Fault(8, power, f"{len(rivals)} rivals within three moves")
        if len(targets) < min_reachable_rivals(len(reach)):
            yield Fault(8, power, f"its own units reach {len(targets)} rivals within three moves")
        if near > high:
            yield Fault(8, power, f"{near} powers within three steps")


def _count_moves(board: Board, power: Power) -> list[Mapping[ProvinceCode, int]]:
    """Return, for each unit of `power`, the moves it needs to every province it can reach."""
    moves_by_unit: list[Mapping[ProvinceCode, int]] = []
    for start in board.starts:
        if start.power != power:
            continue
        if start.kind is UnitKind.ARMY:
            moves_by_unit.append(count_steps(board.army_neighbors, [ProvinceCode(start.location)]))
            continue
        moves: dict[ProvinceCode, int] = {}
        for location, moves_needed in count_steps(board.fleet_neighbors, [start.location]).items():
            province = province_of(location)
            moves[province] = min(moves_needed, moves.get(province, UNREACHABLE))
        moves_by_unit.append(moves)
    return moves_by_unit


def _take_fewest(moves_by_unit: Iterable[Mapping[ProvinceCode, int]]) -> Mapping[ProvinceCode, int]:
    """Return the moves that the nearest of several units needs to every province."""
    moves: dict[ProvinceCode, int] = {}
    for unit_moves in moves_by_unit:
        for code, count in unit_moves.items():
            moves[code] = min(count, moves.get(code, UNREACHABLE))
    return moves


def _check_names(board: Board) -> Iterator[Fault]:
    names = [p.name.casefold() for p in board.provinces]
    for province in board.provinces:
        if names.count(province.name.casefold()) > 1:
            yield Fault(9, province.code, f"two provinces are called {province.name}")


def _check_numbers(board: Board) -> Iterator[Fault]:
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
    max_spaces = max(SPACES_PER_CENTER[1], MIN_PROVINCES / max(centers, 1))
    if count < MIN_PROVINCES or not SPACES_PER_CENTER[0] <= spaces <= max_spaces:
        yield Fault(10, board.name, f"{count} provinces for {centers} centers")
