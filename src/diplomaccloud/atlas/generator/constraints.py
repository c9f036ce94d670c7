"""The hard constraints that every published map must meet, on its layout and when finished."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, pairwise, product
from math import fsum
from typing import TypeVar

import numpy as np
from shapely import LineString, Polygon, box, prepare
from shapely import Point as Spot
from shapely.geometry.base import BaseGeometry

from diplomaccloud.atlas.generator.anchors import BADGE, LETTER_SPACING, STAR, Size, measure_label
from diplomaccloud.atlas.generator.balance import (
    CONTESTED,
    FAR,
    HOMES,
    MAX_FAR_SHARE,
    NEAR,
    max_near_powers,
    min_reachable_rivals,
    rival_limits,
)
from diplomaccloud.atlas.generator.borders import OUTSIDE, UNREACHABLE, Layout
from diplomaccloud.atlas.generator.landform_bounds import LandformBounds, bounds_of
from diplomaccloud.atlas.generator.mesh import CELLS_PER_PROVINCE, Floats, Ints
from diplomaccloud.atlas.landforms import MAX_LAKE, landform_of
from diplomaccloud.judge.board import (
    Board,
    BorderKind,
    Location,
    Power,
    ProvinceCode,
    Terrain,
    UnitKind,
    province_of,
)
from diplomaccloud.judge.drawing.chart import Anchors, ArcKind, Chart, Point, Shape
from diplomaccloud.judge.geography import count_steps, geography

MIN_LAND_AREA = 0.6
"""The least area of a land province, as a share of the median."""

MIN_SEA_AREA = 0.4
"""The least area of a sea, as a share of the median."""


@dataclass(frozen=True)
class Fault:
    """A hard constraint that a chart breaks: its number in the specification, and where."""

    rule: int
    place: str
    message: str

    def __str__(self) -> str:
        return f"rule {self.rule}, {self.place}: {self.message}"


def find_drawing_faults(chart: Chart) -> Iterator[Fault]:
    """Yield every violation of constraints 4, 5 and 9 in the drawing of `chart`."""
    bodies: dict[ProvinceCode, BaseGeometry] = {}
    for shape in chart.shapes:
        outer, *holes = map(chart.outline, shape.polygons[0])
        bodies[shape.province] = Polygon(outer, holes)
    yield from _check_areas(chart, bodies)
    yield from _check_borders(chart)
    for shape in chart.shapes:
        at_sea = chart.board.by_code[shape.province].terrain is Terrain.SEA
        yield from _check_overlaps(shape, bodies[shape.province], LETTER_SPACING if at_sea else 0.0)
        yield from _check_fleet_shores(chart, shape)


def mean_cell_side(chart: Chart) -> float:
    """Return the side of a cell of the generator's mesh on a map like `chart`."""
    cells = len(chart.board.provinces) * CELLS_PER_PROVINCE
    return float((chart.size[0] * chart.size[1] / cells) ** 0.5)


def _check_areas(chart: Chart, bodies: Mapping[ProvinceCode, BaseGeometry]) -> Iterator[Fault]:
    for sea, min_share in ((False, MIN_LAND_AREA), (True, MIN_SEA_AREA)):
        areas = {
            p.code: bodies[p.code].area
            for p in chart.board.provinces
            if (p.terrain is Terrain.SEA) is sea
        }
        median = float(np.median(list(areas.values())))
        for code, area in areas.items():
            if area < min_share * median:
                yield Fault(4, code, f"{area / median:.2f} of the median area")
    for province, body in bodies.items():
        if not body.is_valid:
            yield Fault(4, province, "the outline crosses itself")


def _check_borders(chart: Chart) -> Iterator[Fault]:
    """Yield borders that are too short, and the points where more than three borders meet.

    Each is between two junctions; those along the frame count, too.
    """
    cell = mean_cell_side(chart)
    for arc in chart.arcs:
        length = sum(
            ((x - to_x) ** 2 + (y - to_y) ** 2) ** 0.5
            for (x, y), (to_x, to_y) in pairwise(arc.points)
        )
        if length < cell:
            yield Fault(5, f"{arc.left}-{arc.right}", f"a border {length:.1f} long")
    ends = Counter(end for arc in chart.arcs for end in (arc.points[0], arc.points[-1]))
    for point, count in ends.items():
        if count > 3:
            yield Fault(5, f"{point}", f"{count} borders meet")


def _check_overlaps(shape: Shape, body: BaseGeometry, spacing: float) -> Iterator[Fault]:
    """Yield the things of `shape` that are not inside `body` or that overlap."""
    prepare(body)
    anchors: Anchors = shape.anchors
    label_size = measure_label(anchors.label_lines, anchors.label_size, spacing)
    printed = {"label": _box_around(anchors.label, label_size)}
    if anchors.star is not None:
        printed["star"] = _box_around(anchors.star, STAR)
    units = {str(place): _box_around(spot, BADGE) for place, spot in anchors.units.items()}
    dislodged = {
        f"unit dislodged from {place}": _box_around(anchors.dislodged_at(place), BADGE)
        for place in anchors.units
    }
    boxes = {**printed, **units, **dislodged}
    for thing, outline in boxes.items():
        if not body.contains(outline):
            yield Fault(9, shape.province, f"the {thing} is not inside")
    # A province holds at most one unit and one dislodged unit, but fleets on different coasts must
    # still be distinguishable.
    at_once = [
        *combinations(printed, 2),
        *product(printed, (*units, *dislodged)),
        *product(units, dislodged),
        *combinations([place for place in units if "/" in place], 2),
    ]
    for first, second in at_once:
        if boxes[first].intersects(boxes[second]):
            yield Fault(9, shape.province, f"{first} and {second} overlap")


def _check_fleet_shores(chart: Chart, shape: Shape) -> Iterator[Fault]:
    """Yield the fleets of `shape` on split coasts that stand nearest to a foreign shore."""
    fleets = [(place, at) for place, at in shape.anchors.units.items() if "/" in place]
    if not fleets:
        return
    banks = {rule.pair for rule in chart.board.border_rules if rule.kind is BorderKind.RIVER}
    shores = [
        (arc.left if arc.right == shape.province else arc.right, LineString(arc.points))
        for arc in chart.arcs
        if shape.province in (arc.left, arc.right)
        and (arc.kind is ArcKind.COAST or {arc.left, arc.right} in banks)
    ]
    for place, at in fleets:
        beyond, _ = min(shores, key=lambda shore: shore[1].distance(Spot(at)))
        if beyond not in set(map(province_of, chart.board.fleet_neighbors[place])):
            yield Fault(9, shape.province, f"{place} is nearer to the shore of {beyond}")


def _box_around(center: Point, size: Size) -> BaseGeometry:
    (x, y), half_wide, half_high = center, size[0] / 2, size[1] / 2
    return box(x - half_wide, y - half_high, x + half_wide, y + half_high)


# Stage 7: find the provinces that make a layout unusable as a map.
#
# These constraints can be checked before anything is placed on the map.

DEGREE_LIMITS = (2, 12)
"""The fewest and the most neighbors of a province."""

MAX_COASTS = 2
"""The most coasts of a province."""

_USUAL_PROVINCES = 107
"""Provinces of the largest map of usual proportions, which is for ten powers."""

_PROVINCES_PER_SPLITS = 75
"""Each of this many provinces of a larger map allow as many split coasts as a usual map has."""


def find_unsound_provinces(
    layout: Layout, areas: Floats, borders: Floats, sides: Ints, *, usual_splits: int
) -> set[int]:
    """Return the provinces that make a board unusable as a map; empty if it is usable.

    `areas`: of the provinces, in any unit. `borders`: lengths in mesh cells. `sides`: the two
    provinces beside each border. `usual_splits`: the most split coasts on a map of usual size.
    """
    seas = [sea for sea in range(layout.lands, layout.count) if sea not in layout.lakes]
    split = [land for land, runs in enumerate(layout.coasts) if len(runs) > 1]

    def measure_shortest_coast(land: int) -> float:
        return min(fsum(borders[sorted(run)].tolist()) for run in layout.coasts[land])

    # Of too many split provinces, those closest to having a single coast are faulty.
    split.sort(key=measure_shortest_coast)
    max_split = max_split_coasts(layout.count, usual_splits)
    faulty = {
        *sides[borders < 1].ravel().tolist(),
        *find_small_provinces(areas, layout.lands),
        *(
            province
            for province, neighbors in enumerate(layout.neighbors)
            if not is_usual_degree(len(neighbors))
        ),
        *(land for land in split if len(layout.coasts[land]) > MAX_COASTS),
        *split[: max(len(split) - max_split, 0)],
        *(sea for sea in seas if layout.fleet_moves[seas[0], sea] == UNREACHABLE),
        *(sea for land in range(layout.lands) for sea in _find_dead_ends(layout, land)),
    }
    return faulty.difference([OUTSIDE], range(layout.count, layout.count + layout.solids))


def find_open_seas(layout: Layout) -> tuple[int, ...]:
    """Return the seas that touch no land."""
    return tuple(
        sea
        for sea in range(layout.lands, layout.count)
        if all(neighbor >= layout.lands for neighbor in layout.neighbors[sea])
    )


def find_small_provinces(areas: Floats, lands: int) -> tuple[int, ...]:
    """Return the provinces that are too small compared with the median of their kind.

    `areas`: of all provinces, in any unit.
    """
    min_areas = np.repeat(
        [MIN_LAND_AREA * np.median(areas[:lands]), MIN_SEA_AREA * np.median(areas[lands:])],
        [lands, len(areas) - lands],
    )
    return tuple(np.flatnonzero(areas < min_areas).tolist())


def max_split_coasts(provinces: int, usual: int) -> int:
    """Return how many provinces may have a split coast: `usual`, or more on larger maps."""
    if provinces <= _USUAL_PROVINCES:
        return usual
    return usual * provinces // _PROVINCES_PER_SPLITS


def is_usual_degree(touched: int) -> bool:
    """Return whether a province may have this number of neighbors."""
    return DEGREE_LIMITS[0] <= touched <= DEGREE_LIMITS[1]


def _find_dead_ends(layout: Layout, land: int) -> list[int]:
    """Return the seas beside `land` if none of them touches other land."""
    seas = [sea for sea in layout.neighbors[land] if sea >= layout.lands]
    shores = {
        neighbor for sea in seas for neighbor in layout.neighbors[sea] if neighbor < layout.lands
    }
    return seas if shores == {land} else []


# The hard constraints that every published map must meet, checked on the finished map.

MIN_PROVINCES = 34
"""The fewest provinces of a map."""

SPACES_PER_CENTER = (2.0, 2.7)
"""The least and greatest number of provinces per supply center."""

_FIRST_YEAR_MOVES = 2

_T = TypeVar("_T")


def find_faults(chart: Chart) -> tuple[Fault, ...]:
    """Return all violations of the hard constraints by `chart`. A publishable map has none.

    Constraints are numbered as in the specification of maps. A map larger than usual may have more
    than six split coasts.
    """
    board, bounds = chart.board, bounds_of(landform_of(chart.maker))
    return (
        *_check_connections(chart),
        *_check_convoys(board),
        *_check_homes(board, bounds),
        *_check_degrees(board, bounds),
        *_check_open_seas(board, bounds),
        *_check_chances(board),
        *_check_names(board),
        *_check_numbers(board, bounds),
        *find_drawing_faults(chart),
    )


def _is_connected(places: Iterable[_T], neighbors: Mapping[_T, Collection[_T]]) -> bool:
    """Return whether `places` are connected without leaving them."""
    inside = set(places)
    inner = {place: inside.intersection(neighbors[place]) for place in inside}
    return not inside or len(count_steps(inner, [min(inside, key=str)])) == len(inside)


def _check_connections(chart: Chart) -> Iterator[Fault]:
    board = chart.board
    touching = geography(board).around
    if not _is_connected(touching, touching):
        yield Fault(1, board.name, "some provinces cannot be reached")
    lakes = _find_lakes(chart)
    seas = [
        Location(p.code)
        for p in board.provinces
        if p.terrain is Terrain.SEA and p.code not in lakes
    ]
    if not _is_connected(seas, board.fleet_neighbors):
        yield Fault(1, board.name, "the seas are not connected")
    for code, province in board.by_code.items():
        if province.terrain is Terrain.SEA:
            continue
        connected = count_steps(board.army_neighbors, [code])
        if all(board.by_code[land].terrain is Terrain.INLAND for land in connected):
            yield Fault(1, code, "the land around it has no coast")


def _find_lakes(chart: Chart) -> frozenset[ProvinceCode]:
    """Return the seas in small waters off the frame, which fleets need not be able to leave."""
    at_frame = {
        side for arc in chart.arcs if arc.kind is ArcKind.FRAME for side in (arc.left, arc.right)
    }
    touching = geography(chart.board).around
    seas = {p.code for p in chart.board.provinces if p.terrain is Terrain.SEA}
    inner = {sea: seas.intersection(touching[sea]) for sea in seas}
    waters = (frozenset(count_steps(inner, [sea])) for sea in seas)
    return frozenset[ProvinceCode]().union(
        *(water for water in waters if len(water) <= MAX_LAKE and water.isdisjoint(at_frame))
    )


def _check_convoys(board: Board) -> Iterator[Fault]:
    """Yield the coasts from which no army can be convoyed to another coast."""
    touching = geography(board).around
    for code, province in board.by_code.items():
        if province.terrain is Terrain.COASTAL:
            seas = [near for near in touching[code] if board.by_code[near].terrain is Terrain.SEA]
            shores = {near for sea in seas for near in touching[sea]} - {*seas, code}
            # On the banks of a river far from the sea, no army expects a convoy.
            if seas and all(board.by_code[near].terrain is Terrain.SEA for near in shores):
                yield Fault(1, code, "no army can be convoyed from it")


def _check_homes(board: Board, bounds: LandformBounds) -> Iterator[Fault]:
    touching = geography(board).around
    for power, homes in board.home_centers.items():
        if len(homes) not in HOMES:
            yield Fault(10, power, f"{len(homes)} home centers")
        if not _is_connected(homes, board.army_neighbors):
            yield Fault(2, power, "the home centers are not connected")
        if all(board.by_code[home].terrain is Terrain.INLAND for home in homes):
            yield Fault(2, power, "no home center is on the coast")
    countries = [(p.code, p.home) for p in board.provinces if p.home is not None]
    for (first, first_power), (second, second_power) in combinations(countries, 2):
        if first_power != second_power and second in touching[first]:
            yield Fault(2, f"{first}-{second}", "homes of two powers touch")
    fleets = sum(start.kind is UnitKind.FLEET for start in board.starts)
    share = fleets / max(len(board.starts), 1)
    if not bounds.fleets[0] <= share <= bounds.fleets[1]:
        yield Fault(3, board.name, f"{share:.0%} of the units are fleets")


def _check_degrees(board: Board, bounds: LandformBounds) -> Iterator[Fault]:
    for code, touched in geography(board).around.items():
        if not is_usual_degree(len(touched)):
            yield Fault(6, code, f"touches {len(touched)} provinces")
    split = [p for p in board.provinces if p.coasts]
    for province in split:
        if len(province.coasts) > MAX_COASTS:
            yield Fault(6, province.code, f"{len(province.coasts)} coasts")
    if len(split) > max_split_coasts(len(board.provinces), bounds.split_coasts):
        yield Fault(6, board.name, f"{len(split)} split coasts")


def _check_open_seas(board: Board, bounds: LandformBounds) -> Iterator[Fault]:
    touching = geography(board).around
    seas = {p.code for p in board.provinces if p.terrain is Terrain.SEA}
    dead = sum(seas.issuperset(touching[sea]) for sea in seas)
    if dead > bounds.open_seas * len(seas):
        yield Fault(11, board.name, f"{dead} of {len(seas)} seas touch no land")


def _check_chances(board: Board) -> Iterator[Fault]:
    moves_by_unit = {info.power: _count_moves(board, info.power) for info in board.powers}
    reach: dict[Power, dict[ProvinceCode, int]] = {power: {} for power in moves_by_unit}
    for power, unit_moves in moves_by_unit.items():
        for moves in unit_moves:
            for code, count in moves.items():
                reach[power][code] = min(count, reach[power].get(code, UNREACHABLE))
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
            {code for code in neutrals if moves.get(code, UNREACHABLE) <= _FIRST_YEAR_MOVES}
            for moves in unit_moves
        ]
        # Two units can take two centers unless one has none or both have the same one.
        pairs = combinations(reachable, 2)
        if not any(first and second and len(first | second) > 1 for first, second in pairs):
            yield Fault(8, power, "two units cannot take two neutral centers in the first year")
    yield from _check_rivals(board, reach)


def _check_rivals(
    board: Board, reach: Mapping[Power, Mapping[ProvinceCode, int]]
) -> Iterator[Fault]:
    """Yield the powers with too few or too many rivals, counted in three ways.

    A rival is a power that can come near, or that this power can come near to. In addition, the
    power's own units must reach enough rivals, and not too many powers may be near, counting steps
    by any unit.
    """

    def is_near(power: Power, target: Power) -> bool:
        return any(
            reach[power].get(home, UNREACHABLE) <= NEAR for home in board.home_centers[target]
        )

    low, high = rival_limits(len(reach))
    around = geography(board).around
    for power in reach:
        others = [enemy for enemy in reach if enemy != power]
        targets = [enemy for enemy in others if is_near(power, enemy)]
        rivals = [enemy for enemy in others if enemy in targets or is_near(enemy, power)]
        steps = count_steps(around, board.home_centers[power])
        near = sum(
            any(steps.get(home, UNREACHABLE) <= NEAR for home in board.home_centers[enemy])
            for enemy in others
        )
        if not low <= len(rivals) <= high:
            yield Fault(8, power, f"{len(rivals)} rivals within three moves")
        if len(targets) < min_reachable_rivals(len(reach)):
            yield Fault(8, power, f"its own units reach {len(targets)} rivals within three moves")
        if near > max_near_powers(len(reach)):
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


def _check_names(board: Board) -> Iterator[Fault]:
    names = [p.name.casefold() for p in board.provinces]
    for province in board.provinces:
        if names.count(province.name.casefold()) > 1:
            yield Fault(9, province.code, f"two provinces are called {province.name}")


def _check_numbers(board: Board, bounds: LandformBounds) -> Iterator[Fault]:
    count, centers = len(board.provinces), len(board.centers)
    if board.victory_centers != centers // 2 + 1:
        yield Fault(10, board.name, f"victory with {board.victory_centers} of {centers} centers")
    seas = sum(p.terrain is Terrain.SEA for p in board.provinces) / count
    if not bounds.sea[0] <= seas <= bounds.sea[1]:
        yield Fault(10, board.name, f"{seas:.0%} seas")
    steps = count_steps(
        geography(board).around, [c for h in board.home_centers.values() for c in h]
    )
    far = sum(steps.get(p.code, UNREACHABLE) > FAR for p in board.provinces)
    if far > MAX_FAR_SHARE * count:
        yield Fault(10, board.name, f"{far} provinces are more than {FAR} steps from every home")
    spaces = count / max(centers, 1)
    if count < MIN_PROVINCES or not SPACES_PER_CENTER[0] <= spaces <= SPACES_PER_CENTER[1]:
        yield Fault(10, board.name, f"{count} provinces for {centers} centers")
