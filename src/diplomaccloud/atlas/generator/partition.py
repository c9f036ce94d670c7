"""Some cells of a mesh divided into connected parts of the sizes wanted."""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from diplomaccloud.atlas.generator.land_and_sea import link, masses
from diplomaccloud.atlas.generator.mesh import Bools, Floats, Ints, Mesh, distances, round_to_grid

_ROUNDS = 30
_MOVES = 20
_RESTARTS = (5, 11, 17)
_DWARF = 0.55
_EVEN = (0.85, 1.25)
"""Parts between these shares of the sizes wanted are as good as any."""


class DivisionError(ValueError):
    """The ground cannot be divided as asked; the message says why."""


@dataclass(frozen=True)
class Fields:
    """What each cell costs to cross, and what it counts for in the size of a part."""

    costs: Floats
    sizes: Floats


@dataclass(frozen=True)
class _Area:
    """The cells to divide, under numbers of their own: their graph, sites and sizes."""

    graph: csr_array
    sites: Floats
    sizes: Floats


def parted(
    mesh: Mesh,
    chosen: Bools,
    fields: Fields,
    task: tuple[int, float],
    rng: np.random.Generator,
) -> Ints:
    """Return the part of each cell when the cells `chosen` are divided; else -1.

    `task`: how many parts, and by how much the largest is meant to be larger than the smallest.
    Parts grow from seeds along the ways of least cost; a part that comes out too large starts
    later in the next round, and each seed moves to the middle of its part (Lloyd). Raises
    `DivisionError`.
    """
    count, variety = task
    cells = np.flatnonzero(chosen)
    bodies = [np.searchsorted(cells, body) for body in masses(mesh, chosen)]
    graph = link(mesh, chosen, fields.costs)[cells][:, cells]
    area = _Area(graph, mesh.sites[cells], fields.sizes[cells])
    sizes = [float(area.sizes[body].sum()) for body in bodies]
    shares = _shared_out(sizes, count)
    seeds = [
        _spread(area.sites, body, share, rng) for body, share in zip(bodies, shares, strict=True)
    ]
    wanted = [_wanted(*body, variety, rng) for body in zip(sizes, shares, strict=True)]
    part = _balanced(area, np.concatenate(seeds), np.concatenate(wanted))
    if len(np.unique(part)) < count:
        raise DivisionError("a part is empty")
    found = np.full(len(chosen), -1)
    found[cells] = part
    return found


def _wanted(size: float, count: int, variety: float, rng: np.random.Generator) -> Floats:
    """Return the sizes of `count` parts of a body of `size`, unlike by up to `variety`."""
    weights = 1 + variety * rng.random(count)
    return np.asarray(round_to_grid(size * weights / weights.sum()))


def _balanced(area: _Area, seeds: Ints, wanted: Floats) -> Ints:
    """Return the parts grown from seeds, of all rounds those nearest to the sizes wanted."""
    count = len(seeds)
    radius = float(np.sqrt(np.median(wanted) / 3))
    delays = np.zeros(count)
    best, found = -np.inf, np.zeros(0, dtype=np.int64)
    for turn in range(_ROUNDS):
        part, far = _grown(area.graph, seeds, delays)
        filled = np.bincount(part, weights=area.sizes, minlength=count) / wanted
        least, most = float(filled.min()), float(filled.max())
        merit = min(least, _EVEN[0]) - 0.3 * max(most, _EVEN[1])
        if merit > best:
            best, found = merit, part
        if least >= _EVEN[0] and most <= _EVEN[1]:
            # No later round can be better.
            break
        delays = np.clip(delays + 0.35 * radius * (filled - 1), -2.5 * radius, 2.5 * radius)
        if turn < _MOVES:
            seeds = _middles(area, part, seeds)
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


def _spread(sites: Floats, body: Ints, count: int, rng: np.random.Generator) -> Ints:
    """Return `count` cells of `body`, each as far as can be from those before."""
    own = sites[body]
    start = own[int(rng.integers(len(body)))]
    seeds = [int(np.argmax(_apart(own, start)))]
    far = _apart(own, own[seeds[0]])
    while len(seeds) < count:
        seeds.append(int(np.argmax(far)))
        far = np.minimum(far, _apart(own, own[seeds[-1]]))
    return body[seeds]


def _apart(sites: Floats, site: Floats) -> Floats:
    """Return the squares of the distances of `sites` from one `site`."""
    across, down = sites[:, 0] - site[0], sites[:, 1] - site[1]
    return np.asarray(across * across + down * down)


def _grown(graph: csr_array, seeds: Ints, delays: Floats) -> tuple[Ints, Floats]:
    """Return the part of each cell, the seed that reaches it first, and when."""
    cells, count = graph.shape[0], len(seeds)
    late = round_to_grid(delays - delays.min()) + 1 / 4096
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
    return np.asarray(source[:cells] - cells, dtype=np.int64), far[:cells]


def _middles(area: _Area, part: Ints, seeds: Ints) -> Ints:
    """Return for each part its cell nearest to its centre; the old seed if it has no cell."""
    count = len(seeds)
    weight = np.maximum(np.bincount(part, weights=area.sizes, minlength=count), 1e-9)
    sums = [
        np.bincount(part, weights=area.sizes * area.sites[:, axis], minlength=count)
        for axis in (0, 1)
    ]
    centre = np.stack(sums, axis=1) / weight[:, None]
    order = np.lexsort((distances(area.sites, centre[part]), part))
    first = np.flatnonzero(np.diff(part[order], prepend=-1))
    moved = seeds.copy()
    moved[part[order][first]] = order[first]
    return moved
