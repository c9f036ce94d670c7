"""Stage 1: a mesh of small cells that fills the map exactly."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import Delaunay

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Small = NDArray[np.int16]
Units = NDArray[np.uint8]
"""Sets of a power's units at the start, a bit for each."""

CELLS_PER_PROVINCE = 44
_LEAST_EDGE = 1.0
_GRID = 4096.0
_EVENING = 0.4
"""How far each point moves towards the middle of those around it."""


@dataclass(frozen=True)
class Fans:
    """The edges around each cell in turn, cell after cell.

    The fan of cell `c` is the rows `first[c]` to `first[c + 1]`. Each row has the cell
    (`cells`), its neighbor (`beside`, -1 beyond the frame), the edge between (`edges`) and the
    row next in turn (`after`).
    """

    first: Ints
    cells: Ints
    beside: Ints
    edges: Ints
    after: Ints


@dataclass(frozen=True)
class Mesh:
    """Voronoi cells of jittered points, clipped at the frame `(0, 0)`–`size`.

    `sites`: n×2, map units, y down. `vertices`: m×2, the corners of the cells. `cells`: k×2,
    the two cells beside each edge, the second -1 beyond the frame. `ends`: k×2, the two
    corners of each edge. `spacing`: the side of a square as large as the mean cell.
    """

    size: tuple[float, float]
    spacing: float
    sites: Floats
    vertices: Floats
    cells: Ints
    ends: Ints

    @cached_property
    def inner(self) -> Ints:
        """The edges between two cells, by index."""
        return np.flatnonzero(self.cells[:, 1] >= 0)

    @cached_property
    def gaps(self) -> Floats:
        """The distance of the two sites beside each inner edge, in the order of `inner`."""
        pairs = self.cells[self.inner]
        return distances(self.sites[pairs[:, 0]], self.sites[pairs[:, 1]])

    @cached_property
    def lengths(self) -> Floats:
        """The length of each edge."""
        return distances(self.vertices[self.ends[:, 0]], self.vertices[self.ends[:, 1]])

    @cached_property
    def areas(self) -> Floats:
        """The area of each cell."""
        areas, _ = _areas_and_centroids(self.sites, self.vertices, self.cells, self.ends)
        return areas

    @cached_property
    def fans(self) -> Fans:
        """The edges around every cell."""
        count = len(self.cells)
        cell, beside = self.cells.T.ravel(), self.cells[:, ::-1].T.ravel()
        edge = np.tile(np.arange(count), 2)
        real = cell >= 0
        cell, beside, edge = cell[real], beside[real], edge[real]
        middles = (self.vertices[self.ends[:, 0]] + self.vertices[self.ends[:, 1]]) / 2
        order = np.lexsort((_turns(middles[edge] - self.sites[cell]), cell))
        cell = cell[order]
        first = np.searchsorted(cell, np.arange(len(self.sites) + 1))
        after = np.arange(1, len(cell) + 1)
        after[first[1:] - 1] = first[:-1]
        return Fans(first, cell, beside[order], edge[order], after)

    @cached_property
    def _turned(self) -> tuple[list[int], list[int]]:
        return self.fans.first.tolist(), self.fans.beside.tolist()

    def rim(self, cell: int) -> list[int]:
        """Return the neighbors of `cell` in turn around it, -1 beyond the frame."""
        first, beside = self._turned
        return beside[first[cell] : first[cell + 1]]

    def neighbors(self, cell: int) -> list[int]:
        """Return the cells around `cell` in turn, the frame left out."""
        return [beside for beside in self.rim(cell) if beside >= 0]

    @cached_property
    def triangles(self) -> Ints:
        """The rows of the fans whose cell, neighbor and next neighbor all touch."""
        fans, count = self.fans, len(self.sites)
        after = fans.beside[fans.after]
        rows = np.flatnonzero((fans.beside >= 0) & (after >= 0))
        keys = np.sort(fans.cells * count + fans.beside)
        wanted = fans.beside[rows] * count + after[rows]
        place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        return np.asarray(rows[keys[place] == wanted])


def on_grid(values: Floats) -> Floats:
    """Return `values` rounded to a grid so fine that nobody sees it.

    Stages hand on what is on the grid: what machines compute differently in the last bit
    is the same again.
    """
    return np.asarray(np.rint(values * _GRID) / _GRID + 0.0)


def distances(here: Floats, there: Floats) -> Floats:
    """Return the distance of each point of `here` (n×2) from that of `there`."""
    apart = here - there
    return np.asarray(np.sqrt(apart[:, 0] ** 2 + apart[:, 1] ** 2))


def _turns(way: Floats) -> Floats:
    # Numbers that grow with the angle, without the trigonometry that differs by machine.
    x, y = way[:, 0], way[:, 1]
    share = x / (np.abs(x) + np.abs(y))
    return np.asarray(np.where(y >= 0, 1 - share, 3 + share))


def make_mesh(rng: np.random.Generator, size: tuple[float, float], cells: int) -> Mesh:
    """Return a mesh of about `cells` cells over a map of `size`: jitter, then evening out."""
    spacing = float(np.sqrt(size[0] * size[1] / cells))
    sites = on_grid(_jittered(rng, size, spacing))
    return Mesh(size, spacing, sites, *_voronoi(sites, size, spacing))


def _jittered(rng: np.random.Generator, size: tuple[float, float], spacing: float) -> Floats:
    """Return points near a grid of hexagons, each drawn to the middle of the six about it.

    As good as a step of Lloyd's, which would need the cells of the points as they were.
    """
    width, height = size
    columns, rows = max(round(width / spacing), 4), max(round(height / spacing), 4)
    step = np.array([width / columns, height / rows])
    row, column = np.divmod(np.arange(columns * rows), columns)
    # Every second row is shifted, so that most cells are hexagons.
    grid = np.stack([column + 0.25 + 0.5 * (row % 2), row + 0.5], axis=1)
    jitter = rng.random((columns * rows, 2)) * 0.9 - 0.45
    low = spacing * 0.08
    points = np.clip((grid + jitter) * step, low, np.array(size) - low)
    around = _around(points.reshape(rows, columns, 2), size)
    return np.asarray(points + _EVENING * (around.reshape(-1, 2) - points))


def _around(points: Floats, size: tuple[float, float]) -> Floats:
    """Return the mean of the six points around each of `points` (rows×columns×2).

    Beyond the frame lie the mirror images of those within.
    """
    wide = np.concatenate([points[:, :1], points, points[:, -1:]], axis=1)
    wide[:, 0, 0], wide[:, -1, 0] = -wide[:, 0, 0], 2 * size[0] - wide[:, -1, 0]
    whole = np.concatenate([wide[:1], wide, wide[-1:]])
    whole[0, :, 1], whole[-1, :, 1] = -whole[0, :, 1], 2 * size[1] - whole[-1, :, 1]
    beside = whole[1:-1, :-2] + whole[1:-1, 2:]
    rows = [whole[row - 1] + whole[row + 1] for row in range(1, len(whole) - 1)]
    # The rows above and below are shifted to the right of an even row, to the left of an odd one.
    across = [
        pair[1:-1] + (pair[:-2] if row % 2 == 0 else pair[2:]) for row, pair in enumerate(rows)
    ]
    return np.asarray((beside + np.stack(across)) / 6)


def _voronoi(sites: Floats, size: tuple[float, float], spacing: float) -> tuple[Floats, Ints, Ints]:
    """Return vertices, cells and ends as `Mesh` has them.

    The points near each side are mirrored in it, so that the frame is made of cell edges.
    """
    count, band = len(sites), 4 * spacing
    mirrored, origin = [sites], [np.arange(count)]
    for axis in (0, 1):
        for wall in (0.0, size[axis]):
            near = np.flatnonzero(np.abs(sites[:, axis] - wall) < band)
            copy = sites[near].copy()
            copy[:, axis] = 2 * wall - copy[:, axis]
            mirrored.append(copy)
            origin.append(near)
    points, source = np.concatenate(mirrored), np.concatenate(origin)
    corners, cells, ends = _dual(points)
    # Kept: edges between two real cells, and between a cell and its own mirror image.
    real = cells[:, 1] < count
    walls = (cells[:, 0] < count) & ~real & (cells[:, 0] == source[cells[:, 1]])
    cells[walls, 1] = -1
    return _tidy(corners, cells[real | walls], ends[real | walls], size)


def _dual(points: Floats) -> tuple[Floats, Ints, Ints]:
    """Return the corners of the Voronoi cells of `points`, the cells and ends of their edges.

    Only who neighbors whom is asked of the library; the corners are computed here, by
    operations that every machine rounds alike.
    """
    found = Delaunay(points)
    triangles = np.asarray(found.simplices, dtype=np.int64)
    across = np.asarray(found.neighbors, dtype=np.int64)
    cells, ends = [], []
    for corner in range(3):
        other = across[:, corner]
        one = np.flatnonzero(other > np.arange(len(other)))
        cells.append(triangles[one][:, [corner - 1, corner - 2]])
        ends.append(np.stack([one, other[one]], axis=1))
    return (
        _circumcentres(points[np.sort(triangles, axis=1)]),
        np.sort(np.concatenate(cells), axis=1),
        np.concatenate(ends),
    )


def _circumcentres(triangles: Floats) -> Floats:
    """Return the centre of the circle through the corners of each of `triangles` (n×3×2)."""
    hub = triangles[:, 0]
    a, b = triangles[:, 1] - hub, triangles[:, 2] - hub
    twice = 2 * (a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0])
    # Flat triangles are found at the outer rim only, where no cell is kept.
    twice = np.where(twice == 0, 1.0, twice)
    far_a, far_b = a[:, 0] ** 2 + a[:, 1] ** 2, b[:, 0] ** 2 + b[:, 1] ** 2
    x = (b[:, 1] * far_a - a[:, 1] * far_b) / twice
    y = (a[:, 0] * far_b - b[:, 0] * far_a) / twice
    return hub + np.stack([x, y], axis=1)


def _tidy(
    vertices: Floats, cells: Ints, ends: Ints, size: tuple[float, float]
) -> tuple[Floats, Ints, Ints]:
    """Merge corners that coincide, drop edges without length, put the edges in order."""
    snapped = on_grid(np.clip(vertices[ends.ravel()], 0.0, np.array(size)))
    rows = np.lexsort((snapped[:, 1], snapped[:, 0]))
    fresh = np.ones(len(rows), dtype=bool)
    fresh[1:] = (np.diff(snapped[rows], axis=0) != 0).any(axis=1)
    index = np.empty(len(rows), dtype=np.int64)
    index[rows] = np.cumsum(fresh) - 1
    corners, ends = snapped[rows[fresh]], index.reshape(-1, 2)
    real = ends[:, 0] != ends[:, 1]
    cells, ends = cells[real], np.sort(ends[real], axis=1)
    order = np.lexsort((ends[:, 1], ends[:, 0], cells[:, 1], cells[:, 0]))
    cells, ends = cells[order], ends[order]
    return on_grid(_parted(corners, ends, size)), cells, ends


def _parted(corners: Floats, ends: Ints, size: tuple[float, float]) -> Floats:
    """Return the corners with those pushed apart that rounding would put on one another.

    Corners on the frame stay, unless the edge between runs along it.
    """
    apart = corners[ends[:, 1]] - corners[ends[:, 0]]
    length = distances(corners[ends[:, 1]], corners[ends[:, 0]])
    close = np.flatnonzero(length < _LEAST_EDGE)
    on_frame = ((corners == 0.0) | (corners == np.array(size))).any(axis=1)
    moved = corners.copy()
    for edge in close.tolist():
        one, other = ends[edge].tolist()
        push = apart[edge] / length[edge] * (_LEAST_EDGE - length[edge]) / 2
        along = bool(on_frame[one]) and bool(on_frame[other])
        if along or not on_frame[one]:
            moved[one] -= push
        if along or not on_frame[other]:
            moved[other] += push
    return np.asarray(np.clip(moved, 0.0, np.array(size)))


def _areas_and_centroids(
    sites: Floats, vertices: Floats, cells: Ints, ends: Ints
) -> tuple[Floats, Floats]:
    count = len(sites)
    areas, moments = np.zeros(count), np.zeros((count, 2))
    for side in (0, 1):
        used = cells[:, side] >= 0
        cell = cells[used, side]
        hub, one, other = sites[cell], vertices[ends[used, 0]], vertices[ends[used, 1]]
        a, b = one - hub, other - hub
        area = np.abs(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]) / 2
        areas += np.bincount(cell, weights=area, minlength=count)
        for axis in (0, 1):
            weights = area * (hub[:, axis] + one[:, axis] + other[:, axis]) / 3
            moments[:, axis] += np.bincount(cell, weights=weights, minlength=count)
    return areas, moments / areas[:, None]
