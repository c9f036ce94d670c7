"""Stage 3: which cells are land and which are water."""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components, dijkstra

from diplomaccloud.atlas.generator.mesh import Bools, Floats, Ints, Mesh, round_to_grid

_MOST_ISLETS = 7
_LEAST_FRAME = 1.25
"""The least length of frame, in cells, along one stretch of land or water."""

_THREAD = 0.6
"""The least side, in cells, by which a single cell hangs on the others."""


@dataclass(frozen=True)
class Ground:
    """Land and water by cell, every water connected.

    `heights` are above the sea (negative: below). `islets` are specks of land too small for
    a province, each a few cells in the midst of water; `land` leaves them out.
    """

    land: Bools
    heights: Floats
    islets: tuple[tuple[int, ...], ...]


def link(mesh: Mesh, chosen: Bools, costs: Floats | None = None) -> csr_array:
    """Return the graph of neighboring `chosen` cells.

    An edge weighs the way between the two sites times the mean of their `costs`, or 1 without
    costs. Weights are on the grid, so that sums of them are exact.
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


def masses(mesh: Mesh, chosen: Bools) -> list[Ints]:
    """Return the connected masses of `chosen` cells, the largest first."""
    _, labels = connected_components(link(mesh, chosen), directed=False)
    cells = np.flatnonzero(chosen)
    order = np.argsort(labels[cells], kind="stable")
    cuts = np.flatnonzero(np.diff(labels[cells][order])) + 1
    found = [cells[part] for part in np.split(order, cuts)] if len(cells) else []
    return sorted(found, key=lambda mass: (-float(mesh.areas[mass].sum()), int(mass[0])))


def make_ground(mesh: Mesh, heights: Floats, share: float, least: float) -> Ground:
    """Return land over about `share` of the map.

    A lake smaller than `least` (an area) is filled, a larger one is joined to the sea by a
    strait; land smaller than `least` sinks or stays as an islet.
    """
    order = np.argsort(-heights, kind="stable")
    filled = np.cumsum(mesh.areas[order])
    level = heights[order[int(np.searchsorted(filled, share * filled[-1]))]]
    above = heights - level
    land = _smoothed(mesh, above > 0)
    for _ in range(3):
        land = _framed(mesh, _thickened(mesh, _joined(mesh, land, above, least)))
    land = _joined(mesh, land, above, least)
    islets: list[tuple[int, ...]] = []
    for mass in masses(mesh, land):
        if float(mesh.areas[mass].sum()) < least:
            land[mass] = False
            if len(islets) < _MOST_ISLETS and _stands_alone(mesh, mass):
                islets.append(tuple(mass.tolist()))
    return Ground(land, above, tuple(islets))


def _smoothed(mesh: Mesh, land: Bools) -> Bools:
    """Flip the cells that stand against nearly all their neighbors, twice."""
    fans, count = mesh.fans, len(land)
    inner = fans.beside >= 0
    cell, beside = fans.cells[inner], fans.beside[inner]
    around = np.bincount(cell, minlength=count)
    for _ in range(2):
        same = np.bincount(cell[land[cell] == land[beside]], minlength=count)
        land = np.where(10 * same < 3 * around, ~land, land)
    return land


def _thickened(mesh: Mesh, land: Bools) -> Bools:
    """Flip the cells that hang on a thread: in no triangle of their kind, and by a short side."""
    fans, rows = mesh.fans, mesh.triangles
    cell, one, other = fans.cells[rows], fans.beside[rows], fans.beside[fans.after[rows]]
    alike = (land[cell] == land[one]) & (land[one] == land[other])
    thick = np.bincount(cell[alike], minlength=len(land)) > 0
    inner = fans.beside >= 0
    cell, beside, side = fans.cells[inner], fans.beside[inner], mesh.lengths[fans.edges[inner]]
    same = land[cell] == land[beside]
    short = np.bincount(cell[same & (side < _THREAD * mesh.spacing)], minlength=len(land)) > 0
    alone = np.bincount(cell[same], minlength=len(land)) == 0
    return np.where(thick | ~(short | alone), land, ~land)


def _framed(mesh: Mesh, land: Bools) -> Bools:
    """Flip the cells along the frame where land or water meets too little of it."""
    (wide, high), edges = mesh.size, np.flatnonzero(mesh.cells[:, 1] < 0)
    x, y = (mesh.vertices[mesh.ends[edges, 0]] + mesh.vertices[mesh.ends[edges, 1]]).T / 2
    # In turn around the map: along the upper and the right side, and back along the others.
    ahead = (y == 0) | (x == wide)
    around = np.where(ahead, x + y, 2 * (wide + high) - x - y)
    edges = edges[np.argsort(around, kind="stable")]
    cells = mesh.cells[edges, 0]
    turns = land[cells] != land[np.roll(cells, 1)]
    stretch = np.cumsum(turns) % max(int(turns.sum()), 1)
    short = np.bincount(stretch, weights=mesh.lengths[edges]) < _LEAST_FRAME * mesh.spacing
    return np.where(np.isin(np.arange(len(land)), cells[short[stretch]]), ~land, land)


def _joined(mesh: Mesh, land: Bools, above: Floats, least: float) -> Bools:
    """Fill the small lakes and open the large ones to the sea."""
    land = land.copy()
    waters = masses(mesh, ~land)
    for lake in waters[1:]:
        if float(mesh.areas[lake].sum()) < least:
            land[lake] = True
    for lake in waters[1:]:
        if not land[lake[0]]:
            sea = masses(mesh, ~land)[0]
            if int(lake[0]) not in set(sea.tolist()):
                land[_strait(mesh, lake, sea, land, above)] = False
    return land


def _strait(mesh: Mesh, lake: Ints, sea: Ints, land: Bools, above: Floats) -> Ints:
    """Return the cells of a way from `lake` to `sea` over the lowest land, two cells wide."""
    costs = np.where(land, 1.0 + 6.0 * np.clip(above, 0.0, None), 0.05)
    everywhere = np.ones(len(land), dtype=bool)
    far, before, _ = dijkstra(
        link(mesh, everywhere, costs), indices=lake, min_only=True, return_predecessors=True
    )
    cell = int(sea[int(np.argmin(far[sea]))])
    way = {cell}
    while (previous := int(before[cell])) >= 0:
        shared = set(mesh.neighbors(cell)) & set(mesh.neighbors(previous))
        way |= {previous} | shared
        cell = previous
    return np.array(sorted(way))


def _stands_alone(mesh: Mesh, mass: Ints) -> bool:
    return all(beside >= 0 for cell in mass.tolist() for beside in mesh.rim(cell))
