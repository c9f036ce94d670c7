"""Stage 4: land and water divided into provinces of like size."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from diplomaccloud.atlas.generator.landsea import Ground, link, masses
from diplomaccloud.atlas.generator.mending import mended
from diplomaccloud.atlas.generator.mesh import Bools, Floats, Ints, Mesh, distances, on_grid
from diplomaccloud.atlas.generator.streams import stream

_ROUNDS = 30
_MOVES = 20
_RESTARTS = (5, 11, 17)
_DWARF = 0.55
_EVEN = (0.85, 1.25)
"""Parts between these shares of the sizes wanted are as good as any."""

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


class DivisionError(ValueError):
    """The ground cannot be divided as asked; the message says why."""


def divide(
    mesh: Mesh, ground: Ground, mountains: Floats, seed: str, counts: tuple[int, int]
) -> Division:
    """Return `counts` land provinces and seas over `ground`.

    Borders of land follow the mountains; seas are small along the coast and wide far from it.
    An island of one province in one sea becomes scenery. Raises `DivisionError`.
    """
    lands, seas = counts
    water = ~ground.land
    depth = _depth(mesh, water)
    sea_size = mesh.areas / (1 + depth / (2.2 * mesh.spacing * 6.6))
    sea_of = _parts(mesh, (water, seas, 0.0), 1 / (1 + depth / 60), sea_size, stream(seed, "seas"))
    land, islets = _without_lone_islands(mesh, ground, sea_of, lands)
    costs = 1 + 1.6 * mountains
    variety = _VARIETY * min(1.0, _VARIED / lands)
    land_of = _parts(mesh, (land, lands, variety), costs, mesh.areas, stream(seed, "lands"))
    owner = np.where(land, land_of, lands + sea_of)
    if int(owner.min()) < 0:
        raise DivisionError("a cell belongs to no province")
    islets = tuple(islet for islet in islets if _inside_one_sea(mesh, owner, islet))
    owner = mended(mesh, owner, lands, _shores(mesh, islets))
    return Division(owner, lands, seas, islets)


def widened(mesh: Mesh, division: Division, narrow: Collection[int]) -> Division:
    """Return `division` with the provinces that are too `narrow` wider where they are widest."""
    fixed = _shores(mesh, division.islets)
    owner = mended(mesh, division.owner, division.lands, fixed, narrow)
    return replace(division, owner=owner)


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
    """Return the land to divide, and the islets with the islands that only one sea touches."""
    land, islets = ground.land.copy(), list(ground.islets)
    size = float(mesh.areas[land].sum()) / lands
    for mass in masses(mesh, land):
        touched = {
            int(sea_of[beside])
            for cell in mass.tolist()
            for beside in mesh.neighbors(cell)
            if not ground.land[beside]
        }
        if len(touched) < 2 and float(mesh.areas[mass].sum()) < 1.5 * size:
            land[mass] = False
            sea_of[mass] = touched.pop()
            islets.append(tuple(mass.tolist()))
    return land, tuple(islets)


def _inside_one_sea(mesh: Mesh, owner: Ints, islet: tuple[int, ...]) -> bool:
    around = {beside for cell in islet for beside in mesh.rim(cell)}
    return -1 not in around and len({int(owner[cell]) for cell in around | set(islet)}) == 1


def _parts(
    mesh: Mesh,
    task: tuple[Bools, int, float],
    costs: Floats,
    sizes: Floats,
    rng: np.random.Generator,
) -> Ints:
    """Return the part of each cell when the cells chosen are divided into so many; else -1.

    Parts grow from seeds along the ways of least cost; a part that comes out too large starts
    later in the next round, and each seed moves to the middle of its part (Lloyd).
    """
    chosen, count, variety = task
    graph = link(mesh, chosen, costs)
    bodies = masses(mesh, chosen)
    shares = _shared_out([float(sizes[body].sum()) for body in bodies], count)
    seeds = np.concatenate(
        [_spread(mesh, body, share, rng) for body, share in zip(bodies, shares, strict=True)]
    )
    wanted = np.concatenate(
        [
            _wanted(float(sizes[body].sum()), share, variety, rng)
            for body, share in zip(bodies, shares, strict=True)
        ]
    )
    part = _balanced(mesh, graph, (seeds, wanted), sizes, chosen)
    if len(np.unique(part[chosen])) < count:
        raise DivisionError("a part is empty")
    return part


def _wanted(size: float, count: int, variety: float, rng: np.random.Generator) -> Floats:
    """Return the sizes of `count` parts of a body of `size`, unlike by up to `variety`."""
    weights = 1 + variety * rng.random(count)
    return np.asarray(on_grid(size * weights / weights.sum()))


def _balanced(
    mesh: Mesh, graph: csr_array, goal: tuple[Ints, Floats], sizes: Floats, chosen: Bools
) -> Ints:
    """Return the parts grown from seeds, of all rounds those nearest to the sizes wanted."""
    seeds, wanted = goal
    count = len(seeds)
    radius = float(np.sqrt(np.median(wanted) / 3))
    delays = np.zeros(count)
    best, found = -np.inf, np.zeros(0, dtype=np.int64)
    for turn in range(_ROUNDS):
        part, far = _grown(graph, chosen, seeds, delays)
        filled = np.bincount(part[chosen], weights=sizes[chosen], minlength=count) / wanted
        least, most = float(filled.min()), float(filled.max())
        merit = min(least, _EVEN[0]) - 0.3 * max(most, _EVEN[1])
        if merit > best:
            best, found = merit, part
        if least >= _EVEN[0] and most <= _EVEN[1]:
            # No later round can be better.
            break
        delays = np.clip(delays + 0.35 * radius * (filled - 1), -2.5 * radius, 2.5 * radius)
        if turn < _MOVES:
            seeds = _middles(mesh, part, seeds, sizes)
        if turn in _RESTARTS:
            _split_giants(part, far, filled, seeds, delays)
    return found


def _split_giants(part: Ints, far: Floats, filled: Floats, seeds: Ints, delays: Floats) -> None:
    """Dissolve the dwarfs: let each begin anew at the far end of the largest part."""
    for dwarf in np.flatnonzero(filled < _DWARF).tolist():
        giant = int(np.argmax(filled))
        inside = np.flatnonzero(part == giant)
        seeds[dwarf] = int(inside[int(np.argmax(far[inside]))])
        delays[dwarf] = delays[giant]
        filled[giant] /= 2


def _shared_out(sizes: list[float], count: int) -> list[int]:
    """Return how many parts each body gets: at least one, the rest by largest remainder."""
    if len(sizes) > count:
        raise DivisionError(f"{len(sizes)} bodies for {count} provinces")
    shares = [1] * len(sizes)
    while sum(shares) < count:
        # The body whose parts would still be the largest gets the next one.
        parts = [size / (share + 0.5) for size, share in zip(sizes, shares, strict=True)]
        shares[int(np.argmax(parts))] += 1
    return shares


def _spread(mesh: Mesh, body: Ints, count: int, rng: np.random.Generator) -> Ints:
    """Return `count` cells of `body`, each as far as can be from those before."""
    sites = mesh.sites[body]
    start = sites[int(rng.integers(len(body)))]
    seeds = [int(np.argmax(_apart(sites, start)))]
    far = _apart(sites, sites[seeds[0]])
    while len(seeds) < count:
        seeds.append(int(np.argmax(far)))
        far = np.minimum(far, _apart(sites, sites[seeds[-1]]))
    return body[seeds]


def _apart(sites: Floats, site: Floats) -> Floats:
    """Return the squares of the distances of `sites` from one `site`."""
    across, down = sites[:, 0] - site[0], sites[:, 1] - site[1]
    return np.asarray(across * across + down * down)


def _grown(graph: csr_array, chosen: Bools, seeds: Ints, delays: Floats) -> tuple[Ints, Floats]:
    """Return the part of each chosen cell, the seed that reaches it first, and when."""
    cells, count = len(chosen), len(seeds)
    late = on_grid(delays - delays.min()) + 1 / 4096
    starts = np.arange(cells, cells + count)
    # One more place per seed, from which a way as long as its delay leads to the seed.
    whole = csr_array(
        (
            np.concatenate([graph.data, late]),
            np.concatenate([graph.indices, seeds]),
            np.concatenate([graph.indptr, graph.indptr[-1] + np.arange(1, count + 1)]),
        ),
        shape=(cells + count, cells + count),
    )
    far, _, source = dijkstra(whole, indices=starts, min_only=True, return_predecessors=True)
    part = np.where(chosen, source[:cells] - cells, -1)
    return part, np.where(chosen, far[:cells], 0.0)


def _middles(mesh: Mesh, part: Ints, seeds: Ints, sizes: Floats) -> Ints:
    """Return for each part its cell nearest to its centre; the old seed if it has no cell."""
    cells = np.flatnonzero(part >= 0)
    of, count = part[cells], len(seeds)
    weight = np.maximum(np.bincount(of, weights=sizes[cells], minlength=count), 1e-9)
    centre = np.stack(
        [
            np.bincount(of, weights=sizes[cells] * mesh.sites[cells, axis], minlength=count)
            / weight
            for axis in (0, 1)
        ],
        axis=1,
    )
    order = np.lexsort((distances(mesh.sites[cells], centre[of]), of))
    first = np.flatnonzero(np.diff(of[order], prepend=-1))
    moved = seeds.copy()
    moved[of[order][first]] = cells[order][first]
    return moved
