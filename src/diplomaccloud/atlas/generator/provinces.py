"""Stage 4: land and water divided into provinces of like size."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.sparse.csgraph import dijkstra

from diplomaccloud.atlas.generator.border_repair import mended
from diplomaccloud.atlas.generator.land_and_sea import Ground, link, masses
from diplomaccloud.atlas.generator.mesh import Bools, Floats, Ints, Mesh
from diplomaccloud.atlas.generator.partition import DivisionError, Fields, parted
from diplomaccloud.atlas.generator.random_streams import random_stream

_VARIETY, _VARIED = 0.40, 80
"""How much larger the largest land province is meant to be than the smallest.

With more than so many of them the variety is less: the smallest of many must not be too small.
"""


@dataclass(frozen=True)
class Division:
    """Which province each cell belongs to.

    `owner`: a number per cell; the land provinces come first, `lands` of them, then the
    `seas`. `islets` are specks of land inside one sea, which counts them as its own cells.
    """

    owner: Ints
    lands: int
    seas: int
    islets: tuple[tuple[int, ...], ...]


def make_fields(mesh: Mesh, ground: Ground, mountains: Floats) -> Fields:
    """Return what makes borders of land follow the `mountains`, and seas small near the coast."""
    water = ~ground.land
    depth = _depth(mesh, water)
    return Fields(
        np.where(water, 1 / (1 + depth / 60), 1 + 1.6 * mountains),
        mesh.areas / (1 + depth / (2.2 * mesh.spacing * 6.6)),
    )


def divide(
    mesh: Mesh, ground: Ground, fields: Fields, seed: str, counts: tuple[int, int]
) -> Division:
    """Return `counts` land provinces and seas over `ground`.

    An island of one province that no army can leave becomes scenery. Raises `DivisionError`.
    """
    lands, seas = counts
    sea_of = parted(mesh, ~ground.land, fields, (seas, 0.0), random_stream(seed, "seas"))
    land, islets = _without_lone_islands(mesh, ground, sea_of, lands)
    variety = _VARIETY * min(1.0, _VARIED / lands)
    land_of = parted(mesh, land, fields, (lands, variety), random_stream(seed, "lands"))
    owner = np.where(land, land_of, lands + sea_of)
    if int(owner.min()) < 0:
        raise DivisionError("a cell belongs to no province")
    return _mended(mesh, Division(owner, lands, seas, islets))


def redivided(
    mesh: Mesh,
    division: Division,
    fields: Fields,
    where: tuple[Collection[int], int],
    rng: np.random.Generator,
) -> Division:
    """Return `division` with some provinces and those about each of them divided anew.

    `where`: the provinces, and how many steps away what is about them may be. Land stays land
    and water water.
    """
    (faulty, steps), owner = where, division.owner.copy()
    for province in sorted(faulty):
        group = np.array([province])
        for _ in range(steps):
            group = _with_neighbors(mesh, owner, division.lands, group)
        chosen = np.isin(owner, group)
        part = parted(mesh, chosen, fields, (len(group), 0.0), rng)
        owner[chosen] = group[part[chosen]]
    return _mended(mesh, replace(division, owner=owner))


def _with_neighbors(mesh: Mesh, owner: Ints, lands: int, group: Ints) -> Ints:
    """Return the provinces of `group`, which are of one kind, and those of it that touch them."""
    pairs = owner[mesh.cells[mesh.inner]]
    beside = pairs[np.isin(pairs, group).any(axis=1)]
    return np.unique(beside[(beside < lands) == (group[0] < lands)])


def _mended(mesh: Mesh, division: Division) -> Division:
    """Return `division` with short borders mended, and the islets that are in one sea."""
    owner, lands = division.owner, division.lands
    islets = tuple(one for one in division.islets if _inside_one_sea(mesh, owner, one))
    owner = mended(mesh, owner, lands, _shores(mesh, islets))
    return replace(division, owner=owner, islets=islets)


def _shores(mesh: Mesh, islets: Sequence[tuple[int, ...]]) -> frozenset[int]:
    """Return the cells of `islets` and those around them."""
    fixed = {beside for islet in islets for cell in islet for beside in mesh.neighbors(cell)}
    return frozenset(fixed.union(*islets))


def _depth(mesh: Mesh, water: Bools) -> Floats:
    """Return the way to the nearest land for every cell of water, in map units."""
    graph = link(mesh, np.ones(len(water), dtype=bool))
    far = dijkstra(graph, indices=np.flatnonzero(~water), min_only=True)
    return np.asarray(far) * mesh.spacing


def _without_lone_islands(
    mesh: Mesh, ground: Ground, sea_of: Ints, lands: int
) -> tuple[Bools, tuple[tuple[int, ...], ...]]:
    """Return the land to divide, and the islets with the islands that are none for an army.

    Those are of one province, and only one sea touches them, or no sea that touches other land.
    """
    land, islets = ground.land.copy(), list(ground.islets)
    size = float(mesh.areas[land].sum()) / lands
    bodies = masses(mesh, land)
    seas = [_seas_beside(mesh, sea_of, body) for body in bodies]
    for body, touched in zip(bodies, seas, strict=True):
        alone = len(touched) < 2 or sum(not touched.isdisjoint(other) for other in seas) == 1
        if alone and float(mesh.areas[body].sum()) < 1.5 * size:
            land[body] = False
            sea_of[body] = min(touched)
            islets.append(tuple(body.tolist()))
    return land, tuple(islets)


def _seas_beside(mesh: Mesh, sea_of: Ints, body: Ints) -> set[int]:
    beside = {near for cell in body.tolist() for near in mesh.neighbors(cell)}
    return set(sea_of[sorted(beside)].tolist()) - {-1}


def _inside_one_sea(mesh: Mesh, owner: Ints, islet: tuple[int, ...]) -> bool:
    around = {beside for cell in islet for beside in mesh.rim(cell)}
    return -1 not in around and len({int(owner[cell]) for cell in around | set(islet)}) == 1
