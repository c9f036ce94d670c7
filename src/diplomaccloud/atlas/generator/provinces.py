"""Stage 4: divide land and water into provinces of similar size."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.sparse.csgraph import dijkstra

from diplomaccloud.atlas.generator.border_repair import repair_borders
from diplomaccloud.atlas.generator.land_and_sea import (
    LandAndSea,
    build_cell_graph,
    find_connected_areas,
)
from diplomaccloud.atlas.generator.mesh import Bools, Floats, Ints, Mesh
from diplomaccloud.atlas.generator.partition import CellWeights, DivisionError, partition_cells
from diplomaccloud.atlas.generator.random_streams import random_stream

_DEEP = 60
"""Distance from land, in map units, at which water costs half as much to cross."""

_MOUNTAIN_COST = 1.6
"""How much more a ridge costs to cross than a plain."""

_LONE_ISLAND_SIZE = 1.5
"""An island smaller than this many mean land provinces has room for only one province."""

_VARIETY, _MAX_VARIED_LANDS = 0.40, 80
"""By how much the largest land province should exceed the smallest, and up to how many of them.

With more provinces the variety is smaller, because the smallest of many would be too small.
"""


@dataclass(frozen=True)
class Division:
    """The province of each cell.

    `owner`: a province number for each cell; the `lands` land provinces come first, then the
    `seas`. `islets`: pieces of land inside one sea, whose cells belong to that sea.
    """

    owner: Ints
    lands: int
    seas: int
    islets: tuple[tuple[int, ...], ...]


def weigh_cells(mesh: Mesh, ground: LandAndSea, mountains: Floats) -> CellWeights:
    """Return weights that make borders follow the `mountains` and keep coastal seas small."""
    water = ~ground.land
    depth = _measure_depth(mesh, water)
    return CellWeights(
        np.where(water, 1 / (1 + depth / _DEEP), 1 + _MOUNTAIN_COST * mountains),
        mesh.areas / (1 + depth / (2.2 * mesh.spacing * 6.6)),
    )


def divide_provinces(
    mesh: Mesh, ground: LandAndSea, fields: CellWeights, seed: str, counts: tuple[int, int]
) -> Division:
    """Return `ground` divided into `counts` land provinces and seas.

    An island of one province that no army can leave becomes scenery. Raises `DivisionError`.
    """
    lands, seas = counts
    sea_of = partition_cells(mesh, ~ground.land, fields, (seas, 0.0), random_stream(seed, "seas"))
    land, islets = _drop_lone_islands(mesh, ground, sea_of, lands)
    variety = _VARIETY * min(1.0, _MAX_VARIED_LANDS / lands)
    land_of = partition_cells(mesh, land, fields, (lands, variety), random_stream(seed, "lands"))
    owner = np.where(land, land_of, lands + sea_of)
    if int(owner.min()) < 0:
        raise DivisionError("a cell belongs to no province")
    return _repair_division(mesh, Division(owner, lands, seas, islets))


def redivide_provinces(
    mesh: Mesh,
    division: Division,
    fields: CellWeights,
    faults: tuple[Collection[int], int],
    rng: np.random.Generator,
) -> Division:
    """Return `division` with some provinces and those around them divided again.

    `faults`: the provinces, and how many steps away their surroundings extend. Land stays land and
    water stays water.
    """
    (faulty, steps), owner = faults, division.owner.copy()
    for province in sorted(faulty):
        group = np.array([province])
        for _ in range(steps):
            group = _with_neighbors(mesh, owner, division.lands, group)
        chosen = np.isin(owner, group)
        parts = partition_cells(mesh, chosen, fields, (len(group), 0.0), rng)
        owner[chosen] = group[parts[chosen]]
    return _repair_division(mesh, replace(division, owner=owner))


def _with_neighbors(mesh: Mesh, owner: Ints, lands: int, group: Ints) -> Ints:
    """Return the provinces of `group` and those of the same kind that touch them.

    All of `group` must be land, or all water.
    """
    pairs = owner[mesh.cells[mesh.inner]]
    neighbors = pairs[np.isin(pairs, group).any(axis=1)]
    return np.unique(neighbors[(neighbors < lands) == (group[0] < lands)])


def _repair_division(mesh: Mesh, division: Division) -> Division:
    """Return `division` with short borders repaired and islets that touch two seas removed."""
    owner, lands = division.owner, division.lands
    islets = tuple(islet for islet in division.islets if _is_inside_one_sea(mesh, owner, islet))
    owner = repair_borders(mesh, owner, lands, _find_shores(mesh, islets))
    return replace(division, owner=owner, islets=islets)


def _find_shores(mesh: Mesh, islets: Sequence[tuple[int, ...]]) -> frozenset[int]:
    """Return the cells of `islets` and the cells around them."""
    fixed = {neighbors for islet in islets for cell in islet for neighbors in mesh.neighbors(cell)}
    return frozenset(fixed.union(*islets))


def _measure_depth(mesh: Mesh, water: Bools) -> Floats:
    """Return the distance of each water cell from the nearest land, in map units."""
    graph = build_cell_graph(mesh, np.ones(len(water), dtype=bool))
    far = dijkstra(graph, indices=np.flatnonzero(~water), min_only=True)
    return np.asarray(far) * mesh.spacing


def _drop_lone_islands(
    mesh: Mesh, ground: LandAndSea, sea_of: Ints, lands: int
) -> tuple[Bools, tuple[tuple[int, ...], ...]]:
    """Return the land to divide, and the islets including islands that no army can leave.

    Such an island has room for only one province, and no sea beside it touches other land, or only
    one sea touches it.
    """
    land, islets = ground.land.copy(), list(ground.islets)
    size = float(mesh.areas[land].sum()) / lands
    bodies = find_connected_areas(mesh, land)
    seas = [_find_seas_beside(mesh, sea_of, body) for body in bodies]
    for body, touched in zip(bodies, seas, strict=True):
        is_alone = len(touched) < 2 or sum(not touched.isdisjoint(other) for other in seas) == 1
        if is_alone and float(mesh.areas[body].sum()) < _LONE_ISLAND_SIZE * size:
            land[body] = False
            sea_of[body] = min(touched)
            islets.append(tuple(body.tolist()))
    return land, tuple(islets)


def _find_seas_beside(mesh: Mesh, sea_of: Ints, body: Ints) -> set[int]:
    """Return the seas that touch the land `body`."""
    neighbors = {near for cell in body.tolist() for near in mesh.neighbors(cell)}
    return set(sea_of[sorted(neighbors)].tolist()) - {-1}


def _is_inside_one_sea(mesh: Mesh, owner: Ints, islet: tuple[int, ...]) -> bool:
    around = {neighbors for cell in islet for neighbors in mesh.rim(cell)}
    return -1 not in around and len({int(owner[cell]) for cell in around | set(islet)}) == 1
