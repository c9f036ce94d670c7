"""Stage 1: cover the map with a mesh of small cells."""

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import Delaunay

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Int16s = NDArray[np.int16]
UnitSets = NDArray[np.uint8]
"""Sets of a power's starting units, one bit for each unit."""

CELLS_PER_PROVINCE = 44

_MIN_EDGE = 1.0
"""The shortest edge of a cell, in map units."""

_JITTER = 0.9
"""The range of the random shift of each point, in steps of the grid of points."""

_MIN_FRAME_GAP = 0.08
"""The least distance of a point from the frame, in spacings."""

_MIRROR_BAND = 4
"""Points within this many spacings of a side are mirrored across it."""

_GRID_STEPS = 4096.0
"""Steps of the rounding grid per map unit."""

_SMOOTHING = 0.4
"""How far each point moves toward the mean of its neighbors, as a share of the distance."""


@dataclass(frozen=True)
class Fans:
    """The edges around each cell in order, cell after cell.

    The fan of cell `c` is rows `first[c]` to `first[c + 1]`. Each row has the cell (`cells`), its
    neighbor (`beside`, -1 beyond the frame), the edge between them (`edges`) and the next row
    around the cell (`after`).
    """

    first: Ints
    cells: Ints
    beside: Ints
    edges: Ints
    after: Ints


@dataclass(frozen=True)
class MeshLists:
    """A mesh as flat lists; lists of lists would take several times as long to build.

    `cells` and `ends`: the two of each edge, one after the other. The edges at corner `v` are
    `vertex_edges` from `first_vertex_edge[v]` to `first_vertex_edge[v + 1]`; the edges around a
    cell are in the same way in `fans`. `near_edges`: a store of the edges that touch a cell.
    """

    cells: list[int]
    ends: list[int]
    lengths: list[float]
    vertex_edges: list[int]
    first_vertex_edge: list[int]
    fans: list[int]
    first_fan_row: list[int]
    near_edges: dict[int, tuple[int, ...]]


@dataclass(frozen=True)
class Mesh:
    """Voronoi cells of jittered points, clipped to the frame `(0, 0)` to `size`.

    `sites`: n×2, the points, in map units with y down. `vertices`: m×2, the corners of the cells.
    `cells`: k×2, the two cells beside each edge; the second is -1 where the edge runs along the
    frame. `ends`: k×2, the two corners of each edge. `spacing`: the side of a square with the area
    of the average cell.
    """

    size: tuple[float, float]
    spacing: float
    sites: Floats
    vertices: Floats
    cells: Ints
    ends: Ints

    @cached_property
    def inner(self) -> Ints:
        """The indices of the edges between two cells."""
        return np.flatnonzero(self.cells[:, 1] >= 0)

    @cached_property
    def pairs(self) -> Ints:
        """The two cells beside each inner edge (n×2), in the order of `inner`."""
        return self.cells[self.inner]

    @cached_property
    def gaps(self) -> Floats:
        """The distance between the two sites beside each inner edge, in the order of `inner`."""
        return distances(self.sites[self.pairs[:, 0]], self.sites[self.pairs[:, 1]])

    @cached_property
    def lengths(self) -> Floats:
        """The length of each edge."""
        return distances(self.vertices[self.ends[:, 0]], self.vertices[self.ends[:, 1]])

    @cached_property
    def areas(self) -> Floats:
        """The area of each cell."""
        areas = np.zeros(len(self.sites))
        for side in (0, 1):
            used = self.cells[:, side] >= 0
            cell = self.cells[used, side]
            hub = self.sites[cell]
            a = self.vertices[self.ends[used, 0]] - hub
            b = self.vertices[self.ends[used, 1]] - hub
            triangles = np.abs(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]) / 2
            areas += np.bincount(cell, weights=triangles, minlength=len(areas))
        return areas

    @cached_property
    def fans(self) -> Fans:
        """The edges around each cell."""
        count = len(self.cells)
        cell, beside = self.cells.T.ravel(), self.cells[:, ::-1].T.ravel()
        edge = np.tile(np.arange(count), 2)
        real = cell >= 0
        cell, beside, edge = cell[real], beside[real], edge[real]
        middles = (self.vertices[self.ends[:, 0]] + self.vertices[self.ends[:, 1]]) / 2
        # A key that grows with the angle: trigonometric functions would give different last bits on
        # different machines.
        x, y = (middles[edge] - self.sites[cell]).T
        share = x / (np.abs(x) + np.abs(y))
        order = np.lexsort((np.where(y >= 0, 1 - share, 3 + share), cell))
        cell = cell[order]
        first = np.searchsorted(cell, np.arange(len(self.sites) + 1))
        after = np.arange(1, len(cell) + 1)
        after[first[1:] - 1] = first[:-1]
        return Fans(first, cell, beside[order], edge[order], after)

    @cached_property
    def lists(self) -> MeshLists:
        """The cells, edges and corners as lists, for code that moves one cell at a time."""
        ends, fans = self.ends.ravel(), self.fans
        counts = np.bincount(ends, minlength=len(self.vertices))
        return MeshLists(
            cells=self.cells.ravel().tolist(),
            ends=ends.tolist(),
            lengths=self.lengths.tolist(),
            vertex_edges=(np.argsort(ends, kind="stable") // 2).tolist(),
            first_vertex_edge=np.concatenate([[0], np.cumsum(counts)]).tolist(),
            fans=fans.edges.tolist(),
            first_fan_row=fans.first.tolist(),
            near_edges={},
        )

    @cached_property
    def _rims(self) -> list[list[int]]:
        first, beside = self.fans.first.tolist(), self.fans.beside.tolist()
        return [beside[start:end] for start, end in pairwise(first)]

    def rim(self, cell: int) -> list[int]:
        """Return the neighbors of `cell` in order around it, with -1 for the frame."""
        return self._rims[cell]

    def neighbors(self, cell: int) -> list[int]:
        """Return the neighbors of `cell` in order around it, without the frame."""
        return [beside for beside in self.rim(cell) if beside >= 0]

    @cached_property
    def triangles(self) -> Ints:
        """The fan rows whose cell, neighbor and next neighbor all touch one another."""
        fans, count = self.fans, len(self.sites)
        after = fans.beside[fans.after]
        rows = np.flatnonzero((fans.beside >= 0) & (after >= 0))
        keys = np.sort(fans.cells * count + fans.beside)
        edge_keys = fans.beside[rows] * count + after[rows]
        place = np.minimum(np.searchsorted(keys, edge_keys), len(keys) - 1)
        return np.asarray(rows[keys[place] == edge_keys])


def round_to_grid(values: Floats) -> Floats:
    """Return `values` rounded to a grid too fine to see.

    Machines can differ in the last bit of a result. Each stage passes on rounded values, so the
    next stage starts from the same numbers everywhere.
    """
    return np.asarray(np.rint(values * _GRID_STEPS) / _GRID_STEPS + 0.0)


def distances(points: Floats, others: Floats) -> Floats:
    """Return the distance from each of `points` (n×2) to the matching point of `others`."""
    offsets = points - others
    return np.asarray(np.sqrt(offsets[:, 0] ** 2 + offsets[:, 1] ** 2))


def find_middles(mesh: Mesh, owner: Ints) -> Floats:
    """Return the middle (n×2) of the cells of each owner; `owner` is that of each cell."""
    total = np.bincount(owner, weights=mesh.areas)
    sums = [np.bincount(owner, weights=mesh.areas * mesh.sites[:, axis]) for axis in (0, 1)]
    return np.asarray(np.stack(sums, axis=1) / total[:, None])


def make_mesh(rng: np.random.Generator, size: tuple[float, float], cells: int) -> Mesh:
    """Return a mesh of about `cells` cells for a map of `size`."""
    spacing = float(np.sqrt(size[0] * size[1] / cells))
    sites = round_to_grid(_place_sites(rng, size, spacing))
    return Mesh(size, spacing, sites, *_build_cells(sites, size, spacing))


def _place_sites(rng: np.random.Generator, size: tuple[float, float], spacing: float) -> Floats:
    """Return points on a hexagonal grid, jittered, then moved toward the mean of their neighbors.

    This works as well as one step of Lloyd's algorithm, without needing cells for the first points.
    """
    width, height = size
    columns, rows = max(round(width / spacing), 4), max(round(height / spacing), 4)
    step = np.array([width / columns, height / rows])
    row, column = np.divmod(np.arange(columns * rows), columns)
    # Every second row is shifted, so that most cells are hexagons.
    grid = np.stack([column + 0.25 + 0.5 * (row % 2), row + 0.5], axis=1)
    jitter = rng.random((columns * rows, 2)) * _JITTER - _JITTER / 2
    low = spacing * _MIN_FRAME_GAP
    points = np.clip((grid + jitter) * step, low, np.array(size) - low)
    around = _average_neighbors(points.reshape(rows, columns, 2), size)
    return np.asarray(points + _SMOOTHING * (around.reshape(-1, 2) - points))


def _average_neighbors(points: Floats, size: tuple[float, float]) -> Floats:
    """Return the mean of the six points around each of `points` (rows×columns×2).

    Beyond the frame, the mirror images of the points inside count as neighbors.
    """
    wide = np.concatenate([points[:, :1], points, points[:, -1:]], axis=1)
    wide[:, 0, 0], wide[:, -1, 0] = -wide[:, 0, 0], 2 * size[0] - wide[:, -1, 0]
    whole = np.concatenate([wide[:1], wide, wide[-1:]])
    whole[0, :, 1], whole[-1, :, 1] = -whole[0, :, 1], 2 * size[1] - whole[-1, :, 1]
    beside = whole[1:-1, :-2] + whole[1:-1, 2:]
    rows = [whole[row - 1] + whole[row + 1] for row in range(1, len(whole) - 1)]
    # The rows above and below are shifted right of an even row and left of an odd one.
    across = [
        pair[1:-1] + (pair[:-2] if row % 2 == 0 else pair[2:]) for row, pair in enumerate(rows)
    ]
    return np.asarray((beside + np.stack(across)) / 6)


def _build_cells(
    sites: Floats, size: tuple[float, float], spacing: float
) -> tuple[Floats, Ints, Ints]:
    """Return `vertices`, `cells` and `ends` as `Mesh` stores them.

    Points near a side of the map are mirrored across it, so that cell edges form the frame.
    """
    count, band = len(sites), _MIRROR_BAND * spacing
    mirrored, origin = [sites], [np.arange(count)]
    for axis in (0, 1):
        for wall in (0.0, size[axis]):
            near = np.flatnonzero(np.abs(sites[:, axis] - wall) < band)
            copy = sites[near].copy()
            copy[:, axis] = 2 * wall - copy[:, axis]
            mirrored.append(copy)
            origin.append(near)
    points, source = np.concatenate(mirrored), np.concatenate(origin)
    corners, cells, ends = _find_voronoi_edges(points)
    # Keep edges between two real cells, and between a cell and its own mirror image.
    real = cells[:, 1] < count
    walls = (cells[:, 0] < count) & ~real & (cells[:, 0] == source[cells[:, 1]])
    cells[walls, 1] = -1
    return _clean_edges(corners, cells[real | walls], ends[real | walls], size)


def _find_voronoi_edges(points: Floats) -> tuple[Floats, Ints, Ints]:
    """Return the corners of the Voronoi cells of `points`, and the cells and ends of their edges.

    The library only finds which points are neighbors. The corners are computed here, with
    operations that every machine rounds the same way.
    """
    triangulation = Delaunay(points)
    triangles = np.asarray(triangulation.simplices, dtype=np.int64)
    across = np.asarray(triangulation.neighbors, dtype=np.int64)
    cells, ends = [], []
    for corner in range(3):
        second = across[:, corner]
        first = np.flatnonzero(second > np.arange(len(second)))
        cells.append(triangles[first][:, [corner - 1, corner - 2]])
        ends.append(np.stack([first, second[first]], axis=1))
    corners = _find_circumcenters(points[np.sort(triangles, axis=1)])
    return corners, np.sort(np.concatenate(cells), axis=1), np.concatenate(ends)


def _find_circumcenters(triangles: Floats) -> Floats:
    """Return the center of the circle through the corners of each triangle (n×3×2)."""
    hub = triangles[:, 0]
    a, b = triangles[:, 1] - hub, triangles[:, 2] - hub
    twice = 2 * (a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0])
    # Flat triangles occur only at the outer rim, where no cell is kept.
    twice = np.where(twice == 0, 1.0, twice)
    far_a, far_b = a[:, 0] ** 2 + a[:, 1] ** 2, b[:, 0] ** 2 + b[:, 1] ** 2
    x = (b[:, 1] * far_a - a[:, 1] * far_b) / twice
    y = (a[:, 0] * far_b - b[:, 0] * far_a) / twice
    return hub + np.stack([x, y], axis=1)


def _clean_edges(
    vertices: Floats, cells: Ints, ends: Ints, size: tuple[float, float]
) -> tuple[Floats, Ints, Ints]:
    """Merge corners that coincide, drop edges without length and sort the edges."""
    snapped = round_to_grid(np.clip(vertices[ends.ravel()], 0.0, np.array(size)))
    rows = np.lexsort((snapped[:, 1], snapped[:, 0]))
    is_first = np.ones(len(rows), dtype=bool)
    is_first[1:] = (np.diff(snapped[rows], axis=0) != 0).any(axis=1)
    index = np.empty(len(rows), dtype=np.int64)
    index[rows] = np.cumsum(is_first) - 1
    corners, ends = snapped[rows[is_first]], index.reshape(-1, 2)
    real = ends[:, 0] != ends[:, 1]
    cells, ends = cells[real], np.sort(ends[real], axis=1)
    order = np.lexsort((ends[:, 1], ends[:, 0], cells[:, 1], cells[:, 0]))
    cells, ends = cells[order], ends[order]
    return round_to_grid(_push_apart(corners, ends, size)), cells, ends


def _push_apart(corners: Floats, ends: Ints, size: tuple[float, float]) -> Floats:
    """Return `corners` with any two pushed apart that rounding could merge.

    Corners on the frame stay where they are, unless the edge runs along the frame.
    """
    offsets = corners[ends[:, 1]] - corners[ends[:, 0]]
    length = distances(corners[ends[:, 1]], corners[ends[:, 0]])
    close = np.flatnonzero(length < _MIN_EDGE)
    on_frame = ((corners == 0.0) | (corners == np.array(size))).any(axis=1)
    moved = corners.copy()
    for edge in close.tolist():
        start, end = ends[edge].tolist()
        push = offsets[edge] / length[edge] * (_MIN_EDGE - length[edge]) / 2
        along = bool(on_frame[start]) and bool(on_frame[end])
        if along or not on_frame[start]:
            moved[start] -= push
        if along or not on_frame[end]:
            moved[end] += push
    return np.asarray(np.clip(moved, 0.0, np.array(size)))
