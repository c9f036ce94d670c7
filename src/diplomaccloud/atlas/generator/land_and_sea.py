"""Stages 2 and 3: the height of the ground, and which cells are land and which are water."""

from dataclasses import dataclass, replace
from math import fsum

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components, dijkstra

from diplomaccloud.atlas.generator.borders import PIXEL
from diplomaccloud.atlas.generator.land_plans import LandPlan, Stroke, measure_gaps
from diplomaccloud.atlas.generator.mesh import Bools, Floats, Ints, Mesh, distances, round_to_grid
from diplomaccloud.atlas.generator.random_streams import Noise
from diplomaccloud.judge.drawing.chart import Relief

_RANGE_BREADTH = 0.7
"""Distance over which mountain ranges come and go, in units of `Elevation.scale`."""

_CALM_DETAIL, _ROUGH_DETAIL = 0.06, 0.2
"""Strength of fine detail everywhere, and what rough regions add."""

_SPUR_SPACING, _SPUR_WIDTH, _SPUR_LIFT = 0.45, 0.26, 0.5
"""Headlands and inlets: their spacing in units of `scale`, their width and their height."""

_WARP_BREADTH, _WARP_REACH = 0.8, 0.32
"""Over what distance, and how far, all forms are bent, in units of `scale`."""

_EDGE_BAND = 0.22
"""Distance from each side over which the ground falls off to the sea, in heights of the map."""

_HILL_SHARE, _CREST_RISE = 0.45, 1.6
"""How high other hills stay where a plan has ranges, and how steeply those rise."""

_ROUGH_SHIFT, _DETAIL_SHIFT, _RANGE_SHIFT, _SPUR_SHIFT = 91.3, 51.9, 41.7, 23.1


@dataclass(frozen=True)
class Elevation:
    """The height of the ground as a function of position.

    `plan`: where land and water lie, before noise bends them. `scale`: the width of the broadest
    forms, in map units.
    """

    size: tuple[float, float]
    scale: float
    plan: LandPlan
    warp: tuple[Noise, Noise]
    broad: Noise
    ridge: Noise
    spur: Noise

    def height(self, points: Floats) -> Floats:
        """Return the height at `points` (n×2). It has no unit; the sea level is chosen later."""
        shifts = self.shifts(points)
        places = points + shifts
        rough = np.clip(0.5 + 1.5 * self.spur.at(places / self.scale + _ROUGH_SHIFT), 0.0, 1.0)
        height = self.plan.hills * self.broad.sum_octaves(places / self.scale, 3, 0.55)
        detail = self.broad.sum_octaves(8 * places / self.scale + _DETAIL_SHIFT, 2, 0.55)
        height += (_CALM_DETAIL + _ROUGH_DETAIL * rough) * detail + rough * self._spurs(places)
        height += self.plan.height(self._bend(points, shifts))
        for axis, extent in enumerate(self.size):
            for side, gap in ((0, points[:, axis]), (1, extent - points[:, axis])):
                near = np.clip(1 - gap / (_EDGE_BAND * self.size[1]), 0.0, 1.0)
                height -= self.plan.sides[2 * axis + side] * near * near
        return np.asarray(height)

    def find_regions(self, points: Floats) -> Ints:
        """Return the number of the plan's region at each of `points`; 0 outside all regions."""
        if not self.plan.regions:
            return np.zeros(len(points), dtype=np.int64)
        return self.plan.find_regions(self._bend(points, self.shifts(points)))

    def find_massifs(self, points: Floats) -> Bools:
        """Return which of `points` the plan makes impassable."""
        if not self.plan.massifs:
            return np.zeros(len(points), dtype=bool)
        return self.plan.find_massifs(self._bend(points, self.shifts(points)))

    def _bend(self, points: Floats, shifts: Floats) -> Floats:
        """Return the places on the plan that noise moves to `points`."""
        return np.asarray((points + self.plan.warp * shifts) / self.size[1])

    def mountains(self, points: Floats) -> Floats:
        """Return how mountainous the land is at `points`, from 0 on plains to 1 on ridges."""
        places = (points + self.shifts(points)) / (0.42 * self.scale)
        folds = 1 - np.abs(self.ridge.sum_octaves(places, 4, 0.55))
        hills = np.clip(folds * folds * (0.25 + self.ranges(points)), 0.0, 1.0)
        return np.asarray(np.maximum(hills, self._find_crests(points)))

    def ranges(self, points: Floats) -> Floats:
        """Return 0 on the plains, 1 inside a mountain range, with smooth transitions."""
        places = (points + self.shifts(points)) / (_RANGE_BREADTH * self.scale)
        share = np.clip(0.42 + 1.15 * self.broad.sum_octaves(places + _RANGE_SHIFT, 2), 0.0, 1.0)
        if self.plan.crests:
            share = np.clip(_HILL_SHARE * share + _CREST_RISE * self._find_crests(points), 0.0, 1.0)
        return np.asarray(share * share * (3 - 2 * share))

    def _find_crests(self, points: Floats) -> Floats:
        """Return how near `points` are to the crest of a range of the plan, from 0 to 1."""
        if not self.plan.crests:
            return np.zeros(len(points))
        return self.plan.find_crests(self._bend(points, self.shifts(points)))

    def shifts(self, points: Floats) -> Floats:
        """Return how far the terrain is shifted at each point (n×2)."""
        scaled = points / (_WARP_BREADTH * self.scale)
        across, down = (noise.sum_octaves(scaled, 3) for noise in self.warp)
        return _WARP_REACH * self.scale * np.stack([across, down], axis=1)

    def _spurs(self, places: Floats) -> Floats:
        """Return the lift of narrow headlands; below zero, the depth of inlets."""
        along = places / (_SPUR_SPACING * self.scale)
        crease = np.clip(1 - np.abs(self.spur.at(along)) / _SPUR_WIDTH, 0.0, 1.0)
        side = np.clip(4 * self.spur.at(0.45 * along + _SPUR_SHIFT), -1.0, 1.0)
        return np.asarray(_SPUR_LIFT * crease * side)


def make_elevation(
    rng: np.random.Generator, size: tuple[float, float], plan: LandPlan, breadth: float
) -> Elevation:
    """Return the ground of `plan`; `breadth` is the width of a province in map units."""
    warp = (Noise.from_random(rng), Noise.from_random(rng))
    broad, ridge = Noise.from_random(rng), Noise.from_random(rng)
    scale = (2.4 + rng.random()) * breadth
    return Elevation(size, scale, plan, warp, broad, ridge, Noise.from_random(rng))


# Build the relief grid of a chart: folded mountain ranges with flat plains between them.

_MAX_STEP = 3.3
"""The largest distance between grid points, in map units."""

_MIN_COLUMNS = 320
"""Points across a small map, because it is shown as large as any other."""

_COARSENESS = 4
"""Ranges change slowly, so they are computed for one point in this many, each way."""

_FOLD_WIDTH = 64.0
"""From one crest to the next, in map units."""

_BEND_SHARE = 0.3
"""How much of the bends of the ground the folds follow; more would stretch them."""
_ROTATION = np.array([[0.8, 0.6], [-0.6, 0.8]])


def make_relief(elevation: Elevation, land: Bools) -> Relief:
    """Return the elevation on a grid of about `_MAX_STEP` map units at most; 0 is water.

    `land`: a grid of pixels. Ranges end where the coast cuts them; the plains between them are
    level.
    """
    step = _COARSENESS * min(_MAX_STEP, elevation.size[0] / _MIN_COLUMNS)
    columns, rows = (round(extent / step) for extent in elevation.size)
    coarse = _grid_points(elevation, columns, rows)
    shape = rows * _COARSENESS, columns * _COARSENESS
    ranges = _refine(elevation.ranges(coarse), (rows, columns))
    points = _grid_points(elevation, shape[1], shape[0])
    column = np.minimum((points[:, 0] / PIXEL).astype(np.int64), land.shape[1] - 1)
    row = np.minimum((points[:, 1] / PIXEL).astype(np.int64), land.shape[0] - 1)
    dry = land[row, column]
    heights = np.where(dry, ranges, 0.0)
    high = np.flatnonzero(heights > 1 / 255)
    bent = [_refine(shift, (rows, columns)) for shift in (_BEND_SHARE * elevation.shifts(coarse)).T]
    places = points[high] + np.stack([shift[high] for shift in bent], axis=1)
    heights[high] *= elevation.ridge.raise_folds(places @ _ROTATION / _FOLD_WIDTH)
    values = np.where(dry, np.clip(1 + 254 * heights, 1, 255), 0)
    return Relief(shape[1], shape[0], values.astype(np.uint8).tobytes())


def _grid_points(elevation: Elevation, columns: int, rows: int) -> Floats:
    """Return the centers (n×2) of a grid of cells over the map, row by row."""
    across = (np.arange(columns) + 0.5) * elevation.size[0] / columns
    down = (np.arange(rows) + 0.5) * elevation.size[1] / rows
    return np.stack([np.tile(across, rows), np.repeat(down, columns)], axis=1)


def _refine(values: Floats, shape: tuple[int, int]) -> Floats:
    """Return the values of a grid `_COARSENESS` times as fine, row by row."""
    return _double_grid(_double_grid(values.reshape(shape))).ravel()


def _double_grid(grid: Floats) -> Floats:
    """Return `grid` twice as fine, interpolated smoothly."""
    for axis in (0, 1):
        before, after = (np.roll(grid, shift, axis) for shift in (1, -1))
        first, last = (np.take(grid, [place], axis) for place in (0, -1))
        if axis == 0:
            before[:1], after[-1:] = first, last
        else:
            before[:, :1], after[:, -1:] = first, last
        halves = (0.75 * grid + 0.25 * before, 0.75 * grid + 0.25 * after)
        shape = [size * (1 + (side == axis)) for side, size in enumerate(grid.shape)]
        grid = np.stack(halves, axis=axis + 1).reshape(shape)
    return grid


# Stage 3: decide which cells are land and which are water.


_MAX_ISLETS = 7
_REPAIR_ROUNDS = 3
"""How often lakes, thin spots and the frame are repaired in turn, as each repair affects others."""

_MIN_ALIKE_TENTHS = 3
"""A cell flips if fewer than this many tenths of its neighbors are of its kind."""

_CLIMB_COST, _WATER_COST = 6.0, 0.05
"""The cost of a strait through land per unit of height, and of crossing water."""

_MIN_FRAME_LENGTH = 1.25
"""The least length of frame, in cells, that a stretch of land or water must have."""

_MIN_CONTACT = 0.6
"""The least length of contact, in cells, for a cell that touches only one other of its kind."""


@dataclass(frozen=True)
class LandAndSea:
    """Land and water by cell; all water but the lakes of a plan is connected.

    `heights`: height of each cell above sea level, negative below it. `islets`: pieces of land too
    small for a province, a few cells each and surrounded by water; `land` does not include them.
    `solid`: the number of the piece of impassable land that each cell of land is part of, or -1.
    """

    land: Bools
    heights: Floats
    islets: tuple[tuple[int, ...], ...]
    solid: Ints


def build_cell_graph(
    mesh: Mesh, chosen: Bools, costs: Floats | None = None, regions: Ints | None = None
) -> csr_array:
    """Return the graph of neighboring `chosen` cells, with no edge between two `regions`.

    The weight of an edge is the distance between the two sites times the mean of their `costs`, or
    1 without costs. Weights are rounded to the grid, so their sums are exact.
    """
    used = _find_links(mesh, chosen, regions)
    pairs = mesh.pairs[used]
    if costs is None:
        weights = np.ones(len(pairs))
    else:
        means = (costs[pairs[:, 0]] + costs[pairs[:, 1]]) / 2
        weights = round_to_grid(mesh.gaps[used] * means + 0.001)
    count = len(mesh.sites)
    rows = np.concatenate([pairs[:, 0], pairs[:, 1]])
    columns = np.concatenate([pairs[:, 1], pairs[:, 0]])
    return csr_array((np.concatenate([weights, weights]), (rows, columns)), shape=(count, count))


def _find_links(mesh: Mesh, chosen: Bools, regions: Ints | None) -> Bools:
    """Return which inner edges are between two `chosen` cells of one of the `regions`."""
    first, second = mesh.pairs[:, 0], mesh.pairs[:, 1]
    used = chosen[first] & chosen[second]
    if regions is not None:
        used &= regions[first] == regions[second]
    return np.asarray(used)


def find_connected_areas(mesh: Mesh, chosen: Bools, regions: Ints | None = None) -> list[Ints]:
    """Return the connected areas of `chosen` cells within their `regions`, the largest first."""
    pairs, count = mesh.pairs[_find_links(mesh, chosen, regions)], len(mesh.sites)
    # The pairs are sorted, and one direction of each is enough.
    starts = np.concatenate([[0], np.cumsum(np.bincount(pairs[:, 0], minlength=count))])
    graph = csr_array((np.ones(len(pairs)), pairs[:, 1].copy(), starts), shape=(count, count))
    _, labels = connected_components(graph, directed=False)
    cells = np.flatnonzero(chosen)
    order = np.argsort(labels[cells], kind="stable")
    cuts = np.flatnonzero(np.diff(labels[cells][order])) + 1
    areas = [cells[rows] for rows in np.split(order, cuts)] if len(cells) else []
    return sorted(areas, key=lambda area: (-float(mesh.areas[area].sum()), int(area[0])))


def divide_land_and_sea(mesh: Mesh, heights: Floats, share: float, min_area: float) -> LandAndSea:
    """Return land and water, with land over about `share` of the map.

    Lakes smaller than `min_area` are filled; larger ones are joined to the sea by a strait. Land
    smaller than `min_area` is flooded or becomes an islet.
    """
    by_height = np.argsort(-heights, kind="stable")
    total_area = np.cumsum(mesh.areas[by_height])
    level = heights[by_height[int(np.searchsorted(total_area, share * total_area[-1]))]]
    above = heights - level
    land = _smooth_coast(mesh, above > 0)
    for _ in range(_REPAIR_ROUNDS):
        land = _smooth_frame(mesh, _widen_threads(mesh, _join_lakes(mesh, land, above, min_area)))
    land = _join_lakes(mesh, land, above, min_area)
    islets: list[tuple[int, ...]] = []
    for area in find_connected_areas(mesh, land):
        if float(mesh.areas[area].sum()) < min_area:
            land[area] = False
            # An islet does not touch the frame.
            if len(islets) < _MAX_ISLETS and all(-1 not in mesh.rim(cell) for cell in area):
                islets.append(tuple(area.tolist()))
    return LandAndSea(land, above, tuple(islets), np.full(len(land), -1))


# Impassable land, and lakes that are provinces.

_SOLID_GAP = 5
"""The fewest cells between impassable land and water, the frame, or other impassable land."""

_LAKE_GAP = 4
"""The same for a lake."""

_LAKE_SHORES = 13, 9, _LAKE_GAP
"""The same between a lake and other water, the best first: with less than the breadth of a
province, most provinces beside a lake would have a second coast."""

_MIN_SOLID = 0.6
"""The least size of a piece of impassable land, in those of the smallest island."""


def add_barriers(
    mesh: Mesh, ground: LandAndSea, plan: LandPlan, massifs: Bools, min_area: float
) -> LandAndSea:
    """Return `ground` with the impassable land and the lakes of `plan`.

    `massifs`: the cells that should be impassable. Small pieces are left out, and so are lakes
    without room. `min_area`: the size of the smallest island.
    """
    if not (plan.massifs or plan.lakes):
        return ground
    land, edge = ground.land.copy(), np.unique(mesh.cells[mesh.cells[:, 1] < 0, 0])
    far = _count_cells_from(mesh, np.union1d(np.flatnonzero(~land), edge))
    wanted = _smooth_coast(mesh, massifs & (far > _SOLID_GAP)) & (far > _SOLID_GAP)
    solid, count = np.full(len(land), -1), 0
    for piece in find_connected_areas(mesh, wanted):
        rest = piece
        if count:
            near = _count_cells_from(mesh, np.flatnonzero(solid >= 0))
            inside = np.zeros(len(land), dtype=bool)
            inside[piece[near[piece] > _SOLID_GAP]] = True
            rest = next(iter(find_connected_areas(mesh, inside)), piece[:0])
        if float(mesh.areas[rest].sum()) >= _MIN_SOLID * min_area:
            solid[rest] = count
            count += 1
    for basin in find_connected_areas(mesh, land & (solid < 0)):
        # Land that a piece surrounds is part of it.
        if float(mesh.areas[basin].sum()) < min_area:
            near = solid[sorted(set[int]().union(*map(mesh.neighbors, basin.tolist())))]
            solid[basin] = near.max()
    for lake in plan.lakes:
        barred = np.flatnonzero(~land | (solid >= 0))
        far = _count_cells_from(mesh, np.union1d(barred, edge))
        wet = _count_cells_from(mesh, np.flatnonzero(~land))
        cells = _find_basin(mesh, lake, far, wet)
        land[cells] = False
    return replace(ground, land=land, solid=solid)


def _count_cells_from(mesh: Mesh, cells: Ints) -> Floats:
    """Return how many steps each cell is from the nearest of `cells`."""
    graph = build_cell_graph(mesh, np.ones(len(mesh.sites), dtype=bool))
    return np.asarray(dijkstra(graph, indices=cells, min_only=True))


def _find_basin(mesh: Mesh, lake: Stroke, far: Floats, wet: Floats) -> Ints:
    """Return the cells of a lake; none without room.

    `far`: the steps to what bars each cell; `wet`: those to other water.
    """
    scale = mesh.size[1]
    area = np.pi * (lake.radius * scale) ** 2
    breadth = (area / np.pi) ** 0.5 / mesh.spacing
    spot = np.array(lake.start) * scale
    # Away from the sea if possible. Where there is little room, a lake is long.
    wanted = *((1.0, gap) for gap in _LAKE_SHORES), (0.75, _LAKE_GAP)
    for share, shore in wanted:
        fits = (far > share * breadth + _LAKE_GAP) & (wet > share * breadth + shore)
        if fits.any():
            break
    else:
        return np.zeros(0, dtype=np.int64)
    roomy = np.flatnonzero(fits)
    gaps = distances(mesh.sites[roomy], spot[None, :])
    middle = mesh.sites[roomy[int(np.argmin(gaps))]] / scale
    half = (np.array(lake.end) - np.array(lake.start)) / 2
    start, end = (middle + side * half for side in (-1, 1))
    axis = replace(
        lake, start=(float(start[0]), float(start[1])), end=(float(end[0]), float(end[1]))
    )
    apart = np.where(far > _LAKE_GAP, round_to_grid(measure_gaps(axis, mesh.sites / scale)), np.inf)
    nearest = np.argsort(apart, kind="stable")
    nearest = nearest[np.isfinite(apart[nearest])]
    return nearest[: int(np.searchsorted(np.cumsum(mesh.areas[nearest]), area)) + 1]


def has_planned_land(mesh: Mesh, ground: LandAndSea, plan: LandPlan, regions: Ints) -> bool:
    """Return whether `ground` is what `plan` needs; `regions` are those of the cells."""
    land = ground.land

    def measure_parts(chosen: Bools) -> list[float]:
        return [
            float(mesh.areas[area].sum()) / whole for area in find_connected_areas(mesh, chosen)
        ]

    whole = float(mesh.areas[land].sum())
    low, high = plan.mass
    at_frame = mesh.cells[mesh.cells[:, 1] < 0, 0]
    if not low <= measure_parts(land)[0] <= high or (plan.off_frame and land[at_frame].any()):
        return False
    low, high = plan.solid
    solid = float(mesh.areas[ground.solid >= 0].sum()) / whole
    if not low <= solid <= high or int(ground.solid.max()) + 1 < plan.min_solids:
        return False
    # One of the waters is the ocean.
    if plan.lakes and len(find_connected_areas(mesh, ~land)) <= len(plan.lakes):
        return False
    if not plan.regions:
        return True
    low, high = plan.region_sizes
    in_regions = [measure_parts(land & (regions == n + 1)) for n in range(len(plan.regions))]
    others = measure_parts(land & (regions == 0))
    return (
        all(parts and low <= parts[0] <= high and fsum(parts[1:]) < low / 4 for parts in in_regions)
        and len(others) >= len(plan.min_parts)
        and all(part >= least for part, least in zip(others, plan.min_parts, strict=False))
    )


def _smooth_coast(mesh: Mesh, land: Bools) -> Bools:
    """Flip the cells that differ from nearly all their neighbors; do this twice."""
    fans, count = mesh.fans, len(land)
    inner = fans.beside >= 0
    cell, neighbor = fans.cells[inner], fans.beside[inner]
    around = np.bincount(cell, minlength=count)
    for _ in range(2):
        same = np.bincount(cell[land[cell] == land[neighbor]], minlength=count)
        land = np.where(10 * same < _MIN_ALIKE_TENTHS * around, ~land, land)
    return land


def _widen_threads(mesh: Mesh, land: Bools) -> Bools:
    """Flip the cells that touch others of their kind only by one short side.

    A cell stays if it is part of a triangle of three cells of its kind.
    """
    fans, rows = mesh.fans, mesh.triangles
    cell, second, third = fans.cells[rows], fans.beside[rows], fans.beside[fans.after[rows]]
    alike = (land[cell] == land[second]) & (land[second] == land[third])
    thick = np.bincount(cell[alike], minlength=len(land)) > 0
    inner = fans.beside >= 0
    cell, neighbor, side = fans.cells[inner], fans.beside[inner], mesh.lengths[fans.edges[inner]]
    same = land[cell] == land[neighbor]
    short = np.bincount(cell[same & (side < _MIN_CONTACT * mesh.spacing)], minlength=len(land)) > 0
    alone = np.bincount(cell[same], minlength=len(land)) == 0
    return np.where(thick | ~(short | alone), land, ~land)


def _smooth_frame(mesh: Mesh, land: Bools) -> Bools:
    """Flip the cells along the frame that make too short a stretch of land or water."""
    (wide, high), edges = mesh.size, np.flatnonzero(mesh.cells[:, 1] < 0)
    x, y = (mesh.vertices[mesh.ends[edges, 0]] + mesh.vertices[mesh.ends[edges, 1]]).T / 2
    # Sort the edges around the map: along the upper and right sides, then back along the others.
    ahead = (y == 0) | (x == wide)
    around = np.where(ahead, x + y, 2 * (wide + high) - x - y)
    edges = edges[np.argsort(around, kind="stable")]
    cells = mesh.cells[edges, 0]
    turns = land[cells] != land[np.roll(cells, 1)]
    stretch = np.cumsum(turns) % max(int(turns.sum()), 1)
    short = np.bincount(stretch, weights=mesh.lengths[edges]) < _MIN_FRAME_LENGTH * mesh.spacing
    return np.where(np.isin(np.arange(len(land)), cells[short[stretch]]), ~land, land)


def _join_lakes(mesh: Mesh, land: Bools, above: Floats, min_area: float) -> Bools:
    """Fill the small lakes and open the large ones to the sea."""
    land = land.copy()
    waters = find_connected_areas(mesh, ~land)
    for lake in waters[1:]:
        if float(mesh.areas[lake].sum()) < min_area:
            land[lake] = True
    for lake in waters[1:]:
        if not land[lake[0]]:
            sea = find_connected_areas(mesh, ~land)[0]
            if int(lake[0]) not in set(sea.tolist()):
                land[_find_strait(mesh, lake, sea, land, above)] = False
    return land


def _find_strait(mesh: Mesh, lake: Ints, sea: Ints, land: Bools, above: Floats) -> Ints:
    """Return the cells of a path from `lake` to `sea` over the lowest land, two cells wide."""
    costs = np.where(land, 1.0 + _CLIMB_COST * np.clip(above, 0.0, None), _WATER_COST)
    everywhere = np.ones(len(land), dtype=bool)
    graph = build_cell_graph(mesh, everywhere, costs)
    far, before, _ = dijkstra(graph, indices=lake, min_only=True, return_predecessors=True)
    cell = int(sea[int(np.argmin(far[sea]))])
    path = {cell}
    while (previous := int(before[cell])) >= 0:
        shared = set(mesh.neighbors(cell)) & set(mesh.neighbors(previous))
        path |= {previous} | shared
        cell = previous
    return np.array(sorted(path))
