"""Add features that are only drawn: rivers, lakes, the signs of a climate, and names.

They are placed on a finished map, in the space that names, units and stars leave free, on a coarse
grid. `Board` knows nothing of them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from scipy.ndimage import distance_transform_cdt, gaussian_filter, label
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from diplomaccloud.atlas.generator.anchors import BADGE, STAR, Size, measure_label
from diplomaccloud.atlas.generator.assembly import ChartParts
from diplomaccloud.atlas.generator.borders import PIXEL, Layout
from diplomaccloud.atlas.generator.drawn_map import DrawnMap
from diplomaccloud.atlas.generator.mesh import Bools, Floats, Ints, round_to_grid
from diplomaccloud.atlas.generator.names import Feature as Kind
from diplomaccloud.atlas.generator.names import MapNames, name_features
from diplomaccloud.atlas.generator.random_streams import Noise
from diplomaccloud.atlas.landforms import Landform, landform_of
from diplomaccloud.judge.drawing.chart import Anchors, Chart, Feature, FeatureKind, Point
from diplomaccloud.judge.drawing.features import NAME_SIZE
from diplomaccloud.judge.drawing.labels import list_names
from diplomaccloud.judge.drawing.room import STAR_HEIGHT, STAR_WIDTH
from diplomaccloud.judge.drawing.scene import frame_scale
from diplomaccloud.judge.drawing.sizes import (
    Box,
    badge_box,
    badge_scale,
    box_around,
    place_badges,
)

_STEP = 3
"""The side of a grid cell, in pixels."""

_CELL = _STEP * PIXEL

_MARGIN, _PRINTED_MARGIN = 2.0, 1.0
"""The space around names, units and stars that stays free of signs and of names, in map units."""


@dataclass(frozen=True)
class _Grid:
    """The map on the coarse grid (rows×columns).

    `owners`: the province in the middle of each cell, -1 for islets. `land`: cells of provinces on
    land. `solid`: cells of impassable land. `lakes`: cells of lakes that are seas. `border`: cells
    beside another province. `walls` and `banks`: those along ridges and along rivers that fleets
    follow. `busy`: cells under a name, a unit or a star; `printed`: the same as they are drawn, and
    without dislodged units, which are rare. `heights`: 0 on plains to 1 on the highest ground.
    """

    owners: Ints
    land: Bools
    solid: Bools
    lakes: Bools
    border: Bools
    walls: Bools
    banks: Bools
    busy: Bools
    printed: Bools
    heights: Floats

    def to_points(self, cells: Ints) -> Floats:
        """Return the middles (n×2) of cells, by their number in the flat grid."""
        rows, columns = np.divmod(cells, self.land.shape[1])
        return np.stack([columns + 0.5, rows + 0.5], axis=1) * _CELL


def add_features(
    chart: Chart, parts: ChartParts, names: MapNames, rng: np.random.Generator
) -> tuple[Feature, ...]:
    """Return the features of `chart`, which is put together from `parts` and has `names`."""
    grid = _make_grid(chart, parts.land.drawn, parts.land.layout)
    warp, wet = Noise.from_random(rng), Noise.from_random(rng)
    lakes, lake_cells = _dig_lakes(grid, rng)
    rivers, river_cells = _draw_rivers(grid, warp, lake_cells, rng)
    lines = [
        *_list_named_lines(parts),
        *_list_named_features(rivers, lakes),
        *_list_islands(chart),
    ]
    middles = np.array([np.mean(line.points, axis=0) for line in lines]).reshape(-1, 1, 2)
    nations = ((middles - parts.capitals[None]) ** 2).sum(axis=2).argmin(axis=1).tolist()
    kinds = [(nation, line.kind) for nation, line in zip(nations, lines, strict=True)]
    named = name_features(names, kinds, rng)
    room = (grid.land | grid.solid) & ~(grid.printed | lake_cells)
    dry = grid.land | grid.solid | grid.lakes
    open_sea = ~dry & (grid.owners >= 0) & ~(grid.busy | grid.printed)
    size = NAME_SIZE * frame_scale(chart)
    solids = [*_name_solids(grid, names, room, size)]
    labels = [
        _place_name(grid, open_sea if line.is_island else room, line, name, size)
        for line, name in zip(lines, named, strict=True)
    ]
    covers = [*solids, *_cover_solids(chart, grid, room, rng)]
    taken = lake_cells | river_cells | (grid.land & ~room)
    signs = _place_signs(grid, chart, taken, (warp, wet), rng)
    alone = [
        Feature(FeatureKind.NAME, label, name)
        for line, name, label in zip(lines, named, labels, strict=True)
        if label and line.feature is None
    ]
    drawn = {
        id(line.feature): replace(line.feature, name=name, label=label)
        for line, name, label in zip(lines, named, labels, strict=True)
        if line.feature is not None
    }
    features = (*(drawn.get(id(one), one) for one in (*rivers, *lakes)), *alone, *covers, *signs)
    return tuple(_keep_on_map(feature, chart.size) for feature in features)


def _keep_on_map(feature: Feature, size: Size) -> Feature:
    """Return `feature` with all points on the map: the last cells reach a little beyond it."""

    def clip(point: Point) -> Point:
        return min(max(point[0], 0.0), size[0]), min(max(point[1], 0.0), size[1])

    label = feature.label
    return replace(
        feature,
        points=tuple(map(clip, feature.points)),
        label=None if label is None else (clip(label[0]), clip(label[1])),
    )


def _make_grid(chart: Chart, drawn: DrawnMap, layout: Layout) -> _Grid:
    lands = layout.lands
    owners = drawn.clear[_STEP // 2 :: _STEP, _STEP // 2 :: _STEP]
    # Impassable land has numbers, too, and -1 is a place without a province.
    base = layout.count + layout.solids + 1
    closed = set(layout.closed)
    banks = {(start[0], end[0]) for start, end in layout.rivers}
    beside = [np.zeros(owners.shape, dtype=bool) for _ in range(3)]
    keys = [np.array([low * base + high for low, high in sorted(pairs)], dtype=np.int64)
            for pairs in (closed, banks)]  # fmt: skip
    for axis in (0, 1):
        first, second = (
            np.take(owners, range(s, owners.shape[axis] - 1 + s), axis) for s in (0, 1)
        )
        pairs = np.minimum(first, second) * base + np.maximum(first, second)
        found = [first != second, *(np.isin(pairs, key) & (first != second) for key in keys)]
        pad = [(0, 0), (0, 0)]
        for pad[axis] in ((0, 1), (1, 0)):
            beside = [cells | np.pad(here, pad) for cells, here in zip(beside, found, strict=True)]
    border, walls, shores = beside
    relief = chart.relief
    heights = np.zeros(owners.shape)
    if relief is not None:
        values = np.frombuffer(relief.values, dtype=np.uint8).reshape(relief.height, relief.width)
        rows = (np.arange(owners.shape[0]) + 0.5) * relief.height / owners.shape[0]
        columns = (np.arange(owners.shape[1]) + 0.5) * relief.width / owners.shape[1]
        fine = values[rows.astype(np.int64)[:, None], columns.astype(np.int64)[None]]
        heights = round_to_grid(gaussian_filter(fine / 255.0, 2.0, truncate=2.0))
    busy, printed = (np.zeros(owners.shape, dtype=bool) for _ in range(2))
    for shape in chart.shapes:
        for (x, y), (wide, high) in _list_things(shape.anchors):
            _cover(busy, box_around((x, y), wide / 2, high / 2), _MARGIN)
    for box in _list_printed(chart):
        _cover(printed, box, _PRINTED_MARGIN)
    lakes = np.isin(owners, sorted(layout.lakes))
    land, solid = (owners >= 0) & (owners < lands), owners >= layout.count
    return _Grid(owners, land, solid, lakes, border, walls, shores, busy, printed, heights)


def _cover(cells: Bools, box: Box, margin: float) -> None:
    """Set the cells at most `margin` from `box`."""
    left, top = ((edge - margin) / _CELL for edge in (box.left, box.top))
    right, bottom = ((edge + margin) / _CELL for edge in (box.right, box.bottom))
    cells[max(int(top), 0) : int(bottom) + 1, max(int(left), 0) : int(right) + 1] = True


def _list_things(anchors: Anchors) -> Iterator[tuple[Point, Size]]:
    """Yield the middle and the size of what is printed in a province."""
    yield anchors.label, measure_label(anchors.label_lines, anchors.label_size)
    for unit in (*anchors.units.values(), anchors.dislodged, *anchors.dislodged_coasts.values()):
        yield unit, BADGE
    if anchors.star is not None:
        yield anchors.star, STAR


def _list_printed(chart: Chart) -> Iterator[Box]:
    """Yield the boxes of names, badges, and stars or flags as they are drawn."""
    unit = badge_scale(chart)
    for text in list_names(chart).values():
        yield from text.boxes
    for at in place_badges(chart).values():
        yield badge_box(at, unit)
    for shape in chart.shapes:
        if shape.anchors.star is not None:
            yield box_around(shape.anchors.star, STAR_WIDTH * unit, STAR_HEIGHT * unit)


# Lakes: in flat hollows between names and borders.

_LANDS_PER_LAKE = 16
_LAKE_ROOM = 3
"""The least distance of the middle of a lake from anything else, in cells."""

_MAX_LAKE = 5.5
_LAKE_CORNERS = (
    (1.0, 0.0), (0.866, 0.5), (0.5, 0.866), (0.0, 1.0), (-0.5, 0.866), (-0.866, 0.5),
    (-1.0, 0.0), (-0.866, -0.5), (-0.5, -0.866), (0.0, -1.0), (0.5, -0.866), (0.866, -0.5),
)  # fmt: skip


def _dig_lakes(grid: _Grid, rng: np.random.Generator) -> tuple[list[Feature], Bools]:
    """Return lakes, and the cells that they cover with their shores."""
    covered = np.zeros(grid.land.shape, dtype=bool)
    free = grid.land & ~grid.busy & ~_widen(grid.walls | grid.banks, 2) & ~grid.border
    room = distance_transform_cdt(np.pad(free, 1), "chessboard")[1:-1, 1:-1].astype(np.float64)
    count = round(len(np.unique(grid.owners[grid.land])) / _LANDS_PER_LAKE)
    merit = np.where(room >= _LAKE_ROOM, np.minimum(room, _MAX_LAKE) - 6 * grid.heights, -np.inf)
    merit += 2 * rng.random(merit.shape)
    lakes = []
    for _ in range(count):
        middle = int(np.argmax(merit))
        if not merit.flat[middle] > 0:
            break
        row, column = divmod(middle, merit.shape[1])
        radius = min(float(room[row, column]) - 0.6, _MAX_LAKE * (0.6 + 0.4 * float(rng.random())))
        flat = 0.55 + 0.3 * float(rng.random())
        swell = 0.72 + 0.28 * rng.random(len(_LAKE_CORNERS))
        corners = [
            (
                (column + 0.5 + x * radius * out) * _CELL,
                (row + 0.5 + y * radius * out * flat) * _CELL,
            )
            for (x, y), out in zip(_LAKE_CORNERS, swell.tolist(), strict=True)
        ]
        outline = _cut_corners([*corners, corners[0]])[:-1]
        lakes.append(Feature(FeatureKind.LAKE, _round_all(outline)))
        down, across = int(radius * flat) + 1, int(radius) + 1
        covered[row - down : row + down + 1, column - across : column + across + 1] = True
        far = 4 * across + 14
        merit[max(row - far, 0) : row + far + 1, max(column - far, 0) : column + far + 1] = -np.inf
    return lakes, covered


def _cut_corners(points: Sequence[Point]) -> list[Point]:
    """Return a line with its corners cut twice; the ends stay."""
    line = list(points)
    for _ in range(2):
        cut = [line[0]]
        for (x, y), (to_x, to_y) in pairwise(line):
            cut.append((0.75 * x + 0.25 * to_x, 0.75 * y + 0.25 * to_y))
            cut.append((0.25 * x + 0.75 * to_x, 0.25 * y + 0.75 * to_y))
        line = [*cut, line[-1]]
    return line


def _round_all(points: Sequence[Point]) -> tuple[Point, ...]:
    return tuple((round(x, 1), round(y, 1)) for x, y in points)


# Rivers: the cheapest ways from high ground to the sea.

_MIN_MASS = 8
"""The land provinces of the smallest land mass that must have a river."""

_LANDS_PER_RIVER = 9
_BORDER_COST, _CLIMB_COST, _BEND_COST = 3.0, 3.0, 9.0
"""What a cell costs more beside a border, on the highest ground, and where noise says."""

_BEND_BREADTH = 3.0
"""Over how many cells a river bends."""

_MIN_RIVER = 9
"""The fewest cells of a river."""

_EVERY = 2
"""A river is drawn through every second cell, and rounded."""


def _draw_rivers(
    grid: _Grid, bends: Noise, lakes: Bools, rng: np.random.Generator
) -> tuple[list[Feature], Bools]:
    """Return rivers from high ground to the sea, and the cells beside them."""
    # A river ends at the sea or at a larger river, and crosses no ridge.
    banks = grid.banks & ~grid.walls
    passable = grid.land & ~(grid.busy | lakes | grid.walls | _widen(grid.banks, 1) & ~banks)
    count = grid.land.size
    places = grid.to_points(np.arange(count)) / (_BEND_BREADTH * _CELL)
    noise = np.clip(0.5 + bends.at(places), 0.0, 1.0).reshape(grid.land.shape)
    costs = round_to_grid(
        1 + _BORDER_COST * grid.border + _CLIMB_COST * grid.heights + _BEND_COST * noise * noise
    )
    water = ~(grid.land | grid.solid | grid.lakes)
    mouths = np.flatnonzero((water & (grid.owners >= 0) | banks).ravel())
    far, before = _find_ways(passable | water, costs, mouths)
    far = np.where(passable.ravel() & np.isfinite(far), far, 0.0)
    masses, number = label(grid.land)
    cells = np.zeros(grid.land.shape, dtype=bool)
    rivers: list[Feature] = []
    for mass in range(1, number + 1):
        inside = masses == mass
        size = len(np.unique(grid.owners[inside]))
        wanted = round(size / _LANDS_PER_RIVER) if size >= _MIN_MASS else 0
        merit = np.where(inside.ravel(), far * (0.35 + grid.heights.ravel()), 0.0)
        merit *= 0.75 + 0.25 * rng.random(count)
        for _ in range(max(wanted, size >= _MIN_MASS)):
            source = int(np.argmax(merit))
            way = _follow_way(source, before, cells.ravel())
            if merit[source] <= 0 or len(way) < _MIN_RIVER:
                break
            spots = grid.to_points(np.array(way))
            spots[1:-1] += _CELL * 0.5 * (rng.random((len(way) - 2, 2)) - 0.5)
            points = spots.tolist()
            line = _cut_corners([tuple(p) for p in (*points[:-1:_EVERY], points[-1])])
            rivers.append(Feature(FeatureKind.RIVER, _round_all(line)))
            cells.ravel()[way] = True
            # The next source is on other ground.
            rows, columns = np.divmod(np.array(way), grid.land.shape[1])
            mask = merit.reshape(grid.land.shape)
            for row, column in zip(rows.tolist()[::3], columns.tolist()[::3], strict=True):
                mask[max(row - 14, 0) : row + 15, max(column - 14, 0) : column + 15] = 0.0
    return rivers, _widen(cells, 1)


def _find_ways(open_cells: Bools, costs: Floats, goals: Ints) -> tuple[Floats, Ints]:
    """Return the cost of the way from each cell to a goal, and the next cell on it."""
    high, wide = costs.shape
    numbers = np.arange(high * wide).reshape(high, wide)
    starts, ends, weights = [], [], []
    for down, across, length in ((0, 1, 1.0), (1, 0, 1.0), (1, 1, 1.4142), (1, -1, 1.4142)):
        first = np.s_[: high - down, max(-across, 0) : wide - max(across, 0)]
        second = np.s_[down:, max(across, 0) : wide + min(across, 0)]
        both = open_cells[first] & open_cells[second]
        starts.append(numbers[first][both])
        ends.append(numbers[second][both])
        weights.append(((costs[first] + costs[second])[both]) * (length / 2))
    data = round_to_grid(np.concatenate(weights))
    graph = csr_array(
        (data, (np.concatenate(starts), np.concatenate(ends))), shape=(high * wide, high * wide)
    )
    far, before, _ = dijkstra(
        graph, directed=False, indices=goals, min_only=True, return_predecessors=True
    )
    return np.asarray(far), np.asarray(before, dtype=np.int64)


def _follow_way(source: int, before: Ints, rivers: Bools) -> list[int]:
    """Return the cells from `source` to the sea, or to a river on the way."""
    way = [source]
    while before[way[-1]] >= 0 and not rivers[way[-1]]:
        way.append(int(before[way[-1]]))
    return way


def _widen(cells: Bools, reach: int) -> Bools:
    """Return `cells` with those at most `reach` away."""
    wide = cells.copy()
    for axis in (0, 1):
        for shift in range(1, reach + 1):
            for way in (shift, -shift):
                moved = np.roll(cells if axis == 0 else wide, way, axis)
                wide |= moved
    return wide


# Names along rivers, ranges, passes, lakes and islets, where there is room.

_MIN_NAMED_RIVER = 90.0
"""The length of the shortest drawn river with a name, in map units."""

_STEEPEST = 1.2
"""The steepest line of a name: its rise for each unit across."""

_NAME_GAP = 3.0
"""The space between a line and the name along it, in map units."""

_EXTRA_GAPS = (0.0, 3.0, 6.0)
"""What may be added to that gap where there is no room nearer to the line."""

_LEVEL_STEP, _LEVEL_COST, _LAKE_GAP = 6.0, 20.0, 4.0
"""The distance between the points of a line beside which a level name may stand, what it costs not
to follow the line, and the gap beside a lake."""

_CROSSED_BORDERS = (0.4, 0.7)
"""How much of a name may be beside borders: of a name inside a province, and of one along them."""

_SHORE_GAP = 9.0
"""The same for the shore of a lake."""

_ISLAND_GAP = 4.0
"""The same for the coast of an islet."""

_ISLAND_REACH = 30.0
"""Half the length of the line along which the name of an islet stands, in map units."""

_RIDGE_GAP = 12.0
"""The same for a ridge, which is drawn with peaks."""


@dataclass(frozen=True)
class _Named:
    """A line to name, the gap to its name, and the drawn feature if it is one."""

    kind: Kind
    points: tuple[Point, ...]
    gap: float
    feature: Feature | None = None

    @property
    def is_island(self) -> bool:
        """Whether the name stands at sea."""
        return self.kind in {Kind.ISLAND, Kind.ISLANDS}

    @property
    def follows_border(self) -> bool:
        """Whether the line is a border of the board."""
        return self.feature is None and not self.is_island


def _list_named_lines(parts: ChartParts) -> Iterator[_Named]:
    """Yield the rivers that fleets follow, the ranges and the passes."""
    terrain, points = parts.land.terrain, parts.land.drawn.points
    for river in terrain.rivers:
        yield _Named(Kind.RIVER, _join([points[line] for line in river]), _NAME_GAP + 3)
    for one in terrain.ranges:
        ridge = _join([points[line] for line in one.ridges if len(one.ridges) > 1])
        if ridge:
            yield _Named(Kind.RANGE, ridge, _RIDGE_GAP)
        for line in one.passes:
            yield _Named(Kind.PASS, points[line], _NAME_GAP)


def _list_named_features(rivers: Sequence[Feature], lakes: Sequence[Feature]) -> Iterator[_Named]:
    for river in rivers:
        steps = np.diff(np.array(river.points), axis=0)
        if float(np.sqrt((steps * steps).sum(axis=1)).sum()) >= _MIN_NAMED_RIVER:
            yield _Named(Kind.RIVER, river.points, _NAME_GAP, river)
    for lake in lakes:
        # Names stand along the upper and the lower shore.
        (left, top), (right, bottom) = (
            edge(np.array(lake.points), axis=0) for edge in (np.min, np.max)
        )
        middle = (top + bottom) / 2
        wide = 40.0
        line = ((float(left) - wide, float(middle)), (float(right) + wide, float(middle)))
        yield _Named(Kind.LAKE, line, float(bottom - top) / 2 + _SHORE_GAP, lake)


def _list_islands(chart: Chart) -> Iterator[_Named]:
    """Yield the nameless islets; their names stand above or below them."""
    for code, rings in chart.scenery:
        if not code:
            points = np.array([point for ring in rings for point in chart.outline(ring)])
            (left, top), (right, bottom) = points.min(axis=0).tolist(), points.max(axis=0).tolist()
            x, y = (left + right) / 2, (top + bottom) / 2
            line = (x - _ISLAND_REACH, y), (x + _ISLAND_REACH, y)
            kind = Kind.ISLANDS if len(rings) > 1 else Kind.ISLAND
            yield _Named(kind, line, (bottom - top) / 2 + _ISLAND_GAP)


def _join(lines: Sequence[Sequence[Point]]) -> tuple[Point, ...]:
    """Return lines that meet as one line; those that do not meet follow after a gap."""
    if not lines:
        return ()
    joined = list(lines[0])
    for number, line in enumerate(lines[1:]):
        if number == 0 and joined[0] in (line[0], line[-1]):
            joined.reverse()
        joined += line[1:] if line[0] == joined[-1] else line[::-1][1:]
    return tuple(joined)


def _place_name(
    grid: _Grid, room: Bools, line: _Named, name: str, size: float
) -> tuple[Point, Point] | None:
    """Return the line under `name` where it fits best, or `None`; it then has that `room`."""
    crossed = _CROSSED_BORDERS[line.follows_border]
    wide = measure_label((name,), size)[0] if len(name) * size > 90 else size * 0.52 * len(name)
    bases, ways, costs = map(np.array, zip(*_list_places(line, wide, size), strict=True))
    along = np.linspace(-wide / 2 - 1, wide / 2 + 1, int(wide / 4) + 2)
    up = np.linspace(-0.85 * size, 0.35 * size, 4)
    # Look at the ends and the middle first. The outermost cells of the map are beside the frame.
    rows, columns = _list_cells(bases, ways, along[[0, len(along) // 2, -1]], up[[0, -1]])
    fits = np.ones(len(rows), dtype=bool)
    for axis, extent in zip((rows, columns), room.shape, strict=True):
        fits &= (axis.min(axis=1) >= 1) & (axis.max(axis=1) <= extent - 2)
    fitting = np.flatnonzero(fits)
    fitting = fitting[room[rows[fitting], columns[fitting]].all(axis=1)]
    rows, columns = _list_cells(bases[fitting], ways[fitting], along, up)
    beside = grid.border[rows, columns].mean(axis=1)
    clear = np.flatnonzero(
        room[rows, columns].all(axis=1)
        & (beside <= crossed)
        & ~grid.walls[rows, columns].any(axis=1)
    )
    if not len(clear):
        return None
    totals = [
        round(cost + 30 * share, 6)
        for cost, share in zip(costs[fitting[clear]].tolist(), beside[clear].tolist(), strict=True)
    ]
    number = int(clear[totals.index(min(totals))])
    room[rows[number], columns[number]] = False
    best = int(fitting[number])
    (x, y), (across, down), half = bases[best].tolist(), ways[best].tolist(), wide / 2
    return (
        (round(x - across * half, 1), round(y - down * half, 1)),
        (round(x + across * half, 1), round(y + down * half, 1)),
    )


def _list_places(line: _Named, wide: float, size: float) -> Iterator[tuple[Point, Point, float]]:
    """Yield where a name may stand: the middle of its baseline, its direction, and what it costs.

    It stands above or below a piece of the line that is about straight, or level beside a point.
    """
    points = np.array(line.points)
    steps = np.sqrt((np.diff(points, axis=0) ** 2).sum(axis=1))
    along = np.append(0.0, np.cumsum(steps))
    whole = float(along[-1])

    def find_points(at: Floats) -> list[Point]:
        xs, ys = (np.interp(at, along, points[:, axis]).tolist() for axis in (0, 1))
        return list(zip(xs, ys, strict=True))

    starts = np.arange(0.0, max(whole - 0.6 * wide, 1.0), 5.0)
    pieces = zip(
        starts.tolist(),
        find_points(starts),
        find_points(np.minimum(starts + wide, whole)),
        strict=True,
    )
    for start, *ends in pieces:
        (x, y), (to_x, to_y) = sorted(ends)
        across, down = to_x - x, to_y - y
        length = (across * across + down * down) ** 0.5
        if length < 0.5 * min(wide, whole) or abs(down) > _STEEPEST * across:
            continue
        across, down = across / length, down / length
        inside = (along >= start) & (along <= start + wide)
        bend = np.abs((points[inside] - (x, y)) @ np.array([-down, across]))
        cost = float(bend.max(initial=0.0)) + 12 * abs(down)
        for extra in _EXTRA_GAPS:
            # The baseline: above the line, or below it by the height of the letters.
            for off in (-line.gap - 1 - extra, line.gap + 0.75 * size + extra):
                middle = (x + to_x) / 2 - down * off, (y + to_y) / 2 + across * off
                yield middle, (across, down), cost + 2 * extra
    gap, spots = line.gap, find_points(np.arange(0.0, whole + 1, _LEVEL_STEP))
    if line.kind is Kind.LAKE and line.feature is not None:
        gap, spots = _LAKE_GAP, list(line.feature.points)
    for number, (x, y) in enumerate(spots):
        cost = _LEVEL_COST + 10 * abs(number / len(spots) - 0.5)
        for extra in _EXTRA_GAPS:
            for side in (-1, 1):
                middle = x + side * (wide / 2 + gap + extra), y + 0.3 * size
                yield middle, (1.0, 0.0), cost + 2 * extra


def _list_cells(bases: Floats, ways: Floats, along: Floats, up: Floats) -> tuple[Ints, Ints]:
    """Return the cells under a name in each place (rows), by their rows and their columns.

    `bases` and `ways` (n×2): the middle and the direction of each baseline. `along` and `up`: how
    far the points are from the middle, along the baseline and above it.
    """
    along, up = along[:, None], up[None, :]
    across, down = ways[:, 0, None, None], ways[:, 1, None, None]
    x = bases[:, 0, None, None] + along * across - up * down
    y = bases[:, 1, None, None] + along * down + up * across
    rows, columns = (
        np.floor(axis / _CELL).astype(np.int64).reshape(len(bases), along.size * up.size)
        for axis in (y, x)
    )
    return rows, columns


# Impassable land: covered with mountains or ice, and named along its greatest length.

_PEAK_STEP, _CRACK_STEP = (24.0, 15.0), (24.0, 13.0)
"""From one sign to the next, across and down, in map units."""

_PEAK_GAP, _CRACK_GAP = 9.0, 12.0
"""The least distance of a sign from the edge, in map units."""

_SLOPES = (0.0, 0.25, -0.25, 0.5, -0.5, 0.8, -0.8, 1.1, -1.1)
_OFFSETS = (0.0, 1.0, -1.0, 2.0, -2.0, 3.5, -3.5)
"""The slopes of the lines along which a piece of impassable land may have its name, and how far
they are from its middle, in font sizes."""


def _name_solids(grid: _Grid, names: MapNames, room: Bools, size: float) -> Iterator[Feature]:
    """Yield the name of each piece of impassable land that has `room`, which it then takes."""
    numbers = np.unique(grid.owners[grid.solid]).tolist()
    for number, name in zip(numbers, names.solids, strict=True):
        label = _place_inside(grid, grid.owners == number, room, name, size)
        if label is not None:
            yield Feature(FeatureKind.NAME, label, name)


def _cover_solids(
    chart: Chart, grid: _Grid, room: Bools, rng: np.random.Generator
) -> Iterator[Feature]:
    """Yield the signs on each piece of impassable land, where it has `room`."""
    frozen = _is_frozen(chart)
    kind = FeatureKind.GLACIER if frozen else FeatureKind.MOUNTAIN
    scale = frame_scale(chart)
    (across, down), gap = (_CRACK_STEP, _CRACK_GAP) if frozen else (_PEAK_STEP, _PEAK_GAP)
    named = _widen(grid.solid & ~room, 1)
    for number in np.unique(grid.owners[grid.solid]).tolist():
        inside = grid.owners == number
        deep = distance_transform_cdt(inside, "chessboard") * _CELL > gap * scale
        spots = _list_spots(deep & ~named, (across * scale, down * scale), rng)
        if spots:
            yield Feature(kind, spots)


def _is_frozen(chart: Chart) -> bool:
    """Return whether impassable land is ice."""
    return landform_of(chart.maker) is Landform.POLAR


def _list_spots(free: Bools, step: Point, rng: np.random.Generator) -> tuple[Point, ...]:
    """Return uneven places of signs on the `free` cells; every second row is shifted."""
    rows, columns = np.nonzero(free)
    if not len(rows):
        return ()
    spots = []
    top, left = float(rows.min() + 0.5) * _CELL, float(columns.min() + 0.5) * _CELL
    for down in range(int((rows.max() - rows.min()) * _CELL / step[1]) + 1):
        for across in range(int((columns.max() - columns.min()) * _CELL / step[0]) + 2):
            uneven, lower = (rng.random(2) - 0.5).tolist()
            x = left + (across - 0.5 * (down % 2) + 0.5 * uneven) * step[0]
            y = top + (down + 0.6 * lower) * step[1]
            row, column = int(y / _CELL), int(x / _CELL)
            if 0 <= row < free.shape[0] and 0 <= column < free.shape[1] and free[row, column]:
                spots.append((round(x, 1), round(y, 1)))
    return tuple(spots)


def _place_inside(
    grid: _Grid, inside: Bools, room: Bools, name: str, size: float
) -> tuple[Point, Point] | None:
    """Return the line under `name`, as far inside as possible; it then has that `room`."""
    points = grid.to_points(np.flatnonzero(inside))
    middle = points.mean(axis=0)
    reach = float(np.ptp(points, axis=0).max())
    half = 0.26 * size * len(name)
    chords = []
    for slope in _SLOPES:
        way = np.array([1.0, slope]) / (1 + slope * slope) ** 0.5
        for off in _OFFSETS:
            spot = middle + off * size * np.array([-way[1], way[0]])
            along = spot + np.linspace(-reach, reach, 81)[:, None] * way
            rows, columns = (np.floor(along[:, axis] / _CELL).astype(np.int64) for axis in (1, 0))
            rows, columns = (
                np.clip(cells, 0, extent - 1)
                for cells, extent in zip((rows, columns), inside.shape, strict=True)
            )
            within = along[inside[rows, columns]]
            if len(within) > 1:
                first, last = within[0], within[-1]
                shorter = 2 * half - min(float((last - first) @ way), 2 * half)
                cost = round(shorter + 25 * abs(slope) + 0.5 * size * abs(off), 6)
                center = (first + last) / 2
                ends = *(center - half * way).tolist(), *(center + half * way).tolist()
                chords.append((cost, ends))
    # The letters stand on the line, not beside it.
    gap = -0.3 * size - 1
    for _, (x, y, to_x, to_y) in sorted(chords):
        line = _Named(Kind.RANGE, ((x, y), (to_x, to_y)), gap)
        label = _place_name(grid, room, line, name, size)
        if label is not None:
            return label
    return None


# Signs of a simple climate: cold toward one side or both, dry far from the sea.

_SIGN_STEP = 11.5
"""The distance between signs, in map units."""

_SIGN_ROOM = 1
"""The free cells around the cell of a sign."""

_DRY_REACH = 130.0
"""How far from the sea the land is dry, in map units."""

_CLIMATE_BREADTH = 130.0
_SHARE_OF_FOREST = 0.8

_COLD_REACH = 0.36
"""How far from an ice cap the land is hot, in heights of the map."""


def _place_signs(
    grid: _Grid,
    chart: Chart,
    taken: Bools,
    noises: tuple[Noise, Noise],
    rng: np.random.Generator,
) -> list[Feature]:
    """Return the signs, one feature for each kind."""
    width, height = chart.size
    free = grid.land & ~_widen(grid.busy | grid.border | taken, _SIGN_ROOM)
    columns, rows = int(width / _SIGN_STEP), int(height / _SIGN_STEP)
    across, down = np.meshgrid(np.arange(columns), np.arange(rows))
    jitter = rng.random((rows * columns, 2)) - 0.5
    # Every second row is shifted, as trees in a forest.
    spots = np.stack([(across + 0.5 + 0.5 * (down % 2)).ravel(), (down + 0.5).ravel()], axis=1)
    spots = (spots + 0.45 * jitter) * _SIGN_STEP
    row = np.minimum((spots[:, 1] / _CELL).astype(np.int64), grid.land.shape[0] - 1)
    column = np.minimum((spots[:, 0] / _CELL).astype(np.int64), grid.land.shape[1] - 1)
    is_free = free[row, column]
    spots, row, column = spots[is_free], row[is_free], column[is_free]
    sea_gap = distance_transform_cdt(grid.land, "chessboard")[row, column] * _CELL
    high = grid.heights[row, column]
    north, both = rng.random(2) < 0.5
    latitude = spots[:, 1] / height
    # From 0, cold, to 1, hot.
    latitude = 1 - 2 * np.abs(latitude - 0.5) if both else latitude if north else 1 - latitude
    if _is_frozen(chart):
        # The cold comes from the ice cap, wherever it is.
        gaps = distance_transform_cdt(~grid.solid, "chessboard")[row, column] * _CELL
        latitude = np.minimum(gaps / (_COLD_REACH * height), 1.0)
    uneven = [noise.sum_octaves(spots / _CLIMATE_BREADTH, 2) for noise in noises]
    warmth = round_to_grid(latitude + 0.2 * uneven[0] - 0.5 * high)
    water = round_to_grid(0.75 - sea_gap / _DRY_REACH * 0.5 + 0.6 * uneven[1])
    kinds = (
        (FeatureKind.ICE, warmth < 0.13),
        (FeatureKind.DESERT, (warmth > 0.62) & (water < 0.42)),
        (FeatureKind.MARSH, (high < 0.02) & (water > 0.95) & (warmth > 0.25)),
        (
            FeatureKind.FOREST,
            (water > 0.5)
            & (high < 0.5)
            & (warmth > 0.22)
            & (rng.random(len(spots)) < _SHARE_OF_FOREST),
        ),
    )
    signs, remaining = [], np.ones(len(spots), dtype=bool)
    for kind, found in kinds:
        chosen = spots[found & remaining]
        remaining &= ~found
        if len(chosen):
            whole = [(float(round(x)), float(round(y))) for x, y in chosen.tolist()]
            signs.append(Feature(kind, tuple(whole)))
    return signs
