"""Stage 1: a mesh of small cells that fills the map exactly."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import Voronoi

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

CELLS_PER_PROVINCE = 44
_LEAST_EDGE = 1.0


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
    def lengths(self) -> Floats:
        """The length of each edge."""
        return distances(self.vertices[self.ends[:, 0]], self.vertices[self.ends[:, 1]])

    @cached_property
    def areas(self) -> Floats:
        """The area of each cell."""
        areas, _ = _areas_and_centroids(self.sites, self.vertices, self.cells, self.ends)
        return areas

    @cached_property
    def rims(self) -> tuple[tuple[tuple[int, float], ...], ...]:
        """For each cell, its neighbors in turn around it with the length of the edge between.

        The frame is neighbor -1.
        """
        found: list[list[tuple[float, int, float]]] = [[] for _ in self.sites]
        middles = (self.vertices[self.ends[:, 0]] + self.vertices[self.ends[:, 1]]) / 2
        for (one, other), middle, length in zip(
            self.cells.tolist(), middles, self.lengths.tolist(), strict=True
        ):
            for cell, beside in ((one, other), (other, one)):
                if cell >= 0:
                    turn = _turn(*(middle - self.sites[cell]).tolist())
                    found[cell].append((turn, beside, length))
        return tuple(
            tuple((beside, length) for _, beside, length in sorted(around)) for around in found
        )

    @cached_property
    def neighbors(self) -> tuple[tuple[int, ...], ...]:
        """For each cell, the cells around it in turn, the frame left out."""
        return tuple(tuple(cell for cell, _ in rim if cell >= 0) for rim in self.rims)


def distances(here: Floats, there: Floats) -> Floats:
    """Return the distance of each point of `here` (n×2) from that of `there`."""
    apart = here - there
    return np.asarray(np.sqrt(apart[:, 0] ** 2 + apart[:, 1] ** 2))


def _turn(x: float, y: float) -> float:
    # A number that grows with the angle, without the trigonometry that differs by machine.
    share = x / (abs(x) + abs(y))
    return 1 - share if y >= 0 else 3 + share


def make_mesh(rng: np.random.Generator, size: tuple[float, float], cells: int) -> Mesh:
    """Return a mesh of about `cells` cells over a map of `size`: jitter, then one Lloyd step."""
    spacing = float(np.sqrt(size[0] * size[1] / cells))
    sites = _jittered(rng, size, spacing)
    vertices, beside, ends = _voronoi(sites, size, spacing)
    _, centroids = _areas_and_centroids(sites, vertices, beside, ends)
    vertices, beside, ends = _voronoi(centroids, size, spacing)
    return Mesh(size, spacing, centroids, vertices, beside, ends)


def _jittered(rng: np.random.Generator, size: tuple[float, float], spacing: float) -> Floats:
    width, height = size
    columns, rows = max(round(width / spacing), 4), max(round(height / spacing), 4)
    step = np.array([width / columns, height / rows])
    row, column = np.divmod(np.arange(columns * rows), columns)
    # Every second row is shifted, so that most cells are hexagons.
    grid = np.stack([column + 0.25 + 0.5 * (row % 2), row + 0.5], axis=1)
    jitter = rng.random((columns * rows, 2)) * 0.8 - 0.4
    low = spacing * 0.08
    return np.asarray(np.clip((grid + jitter) * step, low, np.array(size) - low))


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
    diagram = Voronoi(np.concatenate(mirrored))
    cells = np.asarray(diagram.ridge_points, dtype=np.int64)
    ends = np.asarray(diagram.ridge_vertices, dtype=np.int64)
    cells.sort(axis=1)
    source = np.concatenate(origin)
    # Kept: edges between two real cells, and between a cell and its own mirror image.
    real = cells[:, 1] < count
    walls = (cells[:, 0] < count) & ~real & (cells[:, 0] == source[cells[:, 1]])
    cells[walls, 1] = -1
    return _tidy(np.asarray(diagram.vertices), cells[real | walls], ends[real | walls], size)


def _tidy(
    vertices: Floats, cells: Ints, ends: Ints, size: tuple[float, float]
) -> tuple[Floats, Ints, Ints]:
    """Merge corners that coincide, drop edges without length, put the edges in order."""
    snapped = np.clip(np.round(vertices[ends.ravel()], 4), 0.0, np.array(size)) + 0.0
    corners, index = np.unique(snapped, axis=0, return_inverse=True)
    ends = np.asarray(index, dtype=np.int64).reshape(-1, 2)
    real = ends[:, 0] != ends[:, 1]
    cells, ends = cells[real], np.sort(ends[real], axis=1)
    corners = _parted(corners, ends, size)
    order = np.lexsort((ends[:, 1], ends[:, 0], cells[:, 1], cells[:, 0]))
    return corners, cells[order], ends[order]


def _parted(corners: Floats, ends: Ints, size: tuple[float, float]) -> Floats:
    """Return the corners with those pushed apart that rounding would put on one another.

    Corners on the frame stay, unless the edge between runs along it.
    """
    apart = corners[ends[:, 1]] - corners[ends[:, 0]]
    length = np.sqrt((apart**2).sum(axis=1))
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
    return moved


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
        np.add.at(areas, cell, area)
        np.add.at(moments, cell, area[:, None] * (hub + one + other) / 3)
    return areas, moments / areas[:, None]
