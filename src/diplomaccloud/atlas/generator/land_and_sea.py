"""Stage 3: decide which cells are land and which are water."""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components, dijkstra

from diplomaccloud.atlas.generator.mesh import Bools, Floats, Ints, Mesh, round_to_grid

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
    """Land and water by cell; all water is connected.

    `heights`: height of each cell above sea level, negative below it. `islets`: pieces of land too
    small for a province, a few cells each and surrounded by water; `land` does not include them.
    """

    land: Bools
    heights: Floats
    islets: tuple[tuple[int, ...], ...]


def build_cell_graph(mesh: Mesh, chosen: Bools, costs: Floats | None = None) -> csr_array:
    """Return the graph of neighboring `chosen` cells.

    The weight of an edge is the distance between the two sites times the mean of their `costs`, or
    1 without costs. Weights are rounded to the grid, so their sums are exact.
    """
    pairs = mesh.cells[mesh.inner]
    used = chosen[pairs[:, 0]] & chosen[pairs[:, 1]]
    pairs = pairs[used]
    if costs is None:
        weights = np.ones(len(pairs))
    else:
        means = (costs[pairs[:, 0]] + costs[pairs[:, 1]]) / 2
        weights = round_to_grid(mesh.gaps[used] * means + 0.001)
    count = len(mesh.sites)
    rows = np.concatenate([pairs[:, 0], pairs[:, 1]])
    columns = np.concatenate([pairs[:, 1], pairs[:, 0]])
    return csr_array((np.concatenate([weights, weights]), (rows, columns)), shape=(count, count))


def find_connected_areas(mesh: Mesh, chosen: Bools) -> list[Ints]:
    """Return the connected areas of `chosen` cells, the largest first."""
    _, labels = connected_components(build_cell_graph(mesh, chosen), directed=False)
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
            if len(islets) < _MAX_ISLETS and _is_surrounded(mesh, area):
                islets.append(tuple(area.tolist()))
    return LandAndSea(land, above, tuple(islets))


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
    far, before, _ = dijkstra(
        build_cell_graph(mesh, everywhere, costs),
        indices=lake,
        min_only=True,
        return_predecessors=True,
    )
    cell = int(sea[int(np.argmin(far[sea]))])
    path = {cell}
    while (previous := int(before[cell])) >= 0:
        shared = set(mesh.neighbors(cell)) & set(mesh.neighbors(previous))
        path |= {previous} | shared
        cell = previous
    return np.array(sorted(path))


def _is_surrounded(mesh: Mesh, area: Ints) -> bool:
    """Return whether no cell of `area` touches the frame."""
    return all(neighbor >= 0 for cell in area.tolist() for neighbor in mesh.rim(cell))
