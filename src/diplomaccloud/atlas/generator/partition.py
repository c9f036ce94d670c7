"""Divide some of the cells of a mesh into connected parts with given sizes."""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from diplomaccloud.atlas.generator.land_and_sea import build_cell_graph, find_connected_areas
from diplomaccloud.atlas.generator.mesh import Bools, Floats, Ints, Mesh, distances, round_to_grid

_ROUNDS = 30
_EXCESS_WEIGHT = 0.3
"""How much an oversized largest part counts against a division, relative to the smallest."""

_DELAY_STEP, _MAX_DELAY = 0.35, 2.5
"""How far a part's delay moves per round and in all, in radii of a part."""

_SEED_MOVES = 20
_RESTART_ROUNDS = (5, 11, 17)
_MIN_FILLED = 0.55
"""A part that reaches less than this share of its target size starts again elsewhere."""

_GOOD_FILLED = (0.85, 1.25)
"""Parts between these shares of their target sizes are good enough."""


class DivisionError(ValueError):
    """The cells cannot be divided as requested; the message says why."""


@dataclass(frozen=True)
class CellWeights:
    """The cost of crossing each cell, and how much each cell adds to the size of a part."""

    costs: Floats
    sizes: Floats


@dataclass(frozen=True)
class _CellGraph:
    """The cells to divide, with their own numbers: their graph, sites and sizes."""

    graph: csr_array
    sites: Floats
    sizes: Floats


def partition_cells(
    mesh: Mesh,
    chosen: Bools,
    fields: CellWeights,
    target: tuple[int, float],
    rng: np.random.Generator,
) -> Ints:
    """Return the part that each cell belongs to, or -1 for cells that are not `chosen`.

    `target`: the number of parts, and by how much the largest should exceed the smallest. Parts
    grow from seeds along the paths of least cost. A part that becomes too large starts later in the
    next round, and each seed moves to the middle of its part (Lloyd's algorithm). Raises
    `DivisionError`.
    """
    count, variety = target
    cells = np.flatnonzero(chosen)
    bodies = [np.searchsorted(cells, body) for body in find_connected_areas(mesh, chosen)]
    graph = build_cell_graph(mesh, chosen, fields.costs)[cells][:, cells]
    area = _CellGraph(graph, mesh.sites[cells], fields.sizes[cells])
    sizes = [float(area.sizes[body].sum()) for body in bodies]
    shares = _share_parts(sizes, count)
    seeds = [
        _spread_seeds(area.sites, body, share, rng)
        for body, share in zip(bodies, shares, strict=True)
    ]
    target_sizes = [_draw_sizes(*body, variety, rng) for body in zip(sizes, shares, strict=True)]
    part = _grow_balanced(area, np.concatenate(seeds), np.concatenate(target_sizes))
    if len(np.unique(part)) < count:
        raise DivisionError("a part is empty")
    parts = np.full(len(chosen), -1)
    parts[cells] = part
    return parts


def _draw_sizes(size: float, count: int, variety: float, rng: np.random.Generator) -> Floats:
    """Return the sizes of `count` parts of an area of `size`, differing by up to `variety`."""
    weights = 1 + variety * rng.random(count)
    return np.asarray(round_to_grid(size * weights / weights.sum()))


def _grow_balanced(area: _CellGraph, seeds: Ints, target_sizes: Floats) -> Ints:
    """Return the parts grown from `seeds` in the round closest to the target sizes."""
    count = len(seeds)
    # About the radius of a round part of median size.
    radius = float(np.sqrt(np.median(target_sizes) / 3))
    delays = np.zeros(count)
    best_merit, best_part = -np.inf, np.zeros(0, dtype=np.int64)
    for round_number in range(_ROUNDS):
        part, reached_at = _grow_parts(area.graph, seeds, delays)
        filled = np.bincount(part, weights=area.sizes, minlength=count) / target_sizes
        smallest, largest = float(filled.min()), float(filled.max())
        merit = min(smallest, _GOOD_FILLED[0]) - _EXCESS_WEIGHT * max(largest, _GOOD_FILLED[1])
        if merit > best_merit:
            best_merit, best_part = merit, part
        if smallest >= _GOOD_FILLED[0] and largest <= _GOOD_FILLED[1]:
            # No later round can be better.
            break
        delays = delays + _DELAY_STEP * radius * (filled - 1)
        delays = np.clip(delays, -_MAX_DELAY * radius, _MAX_DELAY * radius)
        if round_number < _SEED_MOVES:
            seeds = _find_middles(area, part, seeds)
        if round_number in _RESTART_ROUNDS:
            _split_largest(part, reached_at, filled, seeds, delays)
    return best_part


def _split_largest(
    part: Ints, reached_at: Floats, filled: Floats, seeds: Ints, delays: Floats
) -> None:
    """Restart each part that is too small at the far end of the largest part."""
    for small in np.flatnonzero(filled < _MIN_FILLED).tolist():
        large = int(np.argmax(filled))
        inside = np.flatnonzero(part == large)
        seeds[small] = int(inside[int(np.argmax(reached_at[inside]))])
        delays[small] = delays[large]
        filled[large] /= 2


def _share_parts(sizes: list[float], count: int) -> list[int]:
    """Return how many parts each body of cells gets: at least one each, then by size."""
    if len(sizes) > count:
        raise DivisionError(f"{len(sizes)} bodies for {count} provinces")
    shares = [1] * len(sizes)
    while sum(shares) < count:
        # The next part goes to the body whose parts would still be the largest.
        parts = [size / (share + 0.5) for size, share in zip(sizes, shares, strict=True)]
        shares[int(np.argmax(parts))] += 1
    return shares


def _spread_seeds(sites: Floats, body: Ints, count: int, rng: np.random.Generator) -> Ints:
    """Return `count` cells of `body`, each as far as possible from those before it."""
    own = sites[body]
    start = own[int(rng.integers(len(body)))]
    seeds = [int(np.argmax(_squared_distances(own, start)))]
    far = _squared_distances(own, own[seeds[0]])
    while len(seeds) < count:
        seeds.append(int(np.argmax(far)))
        far = np.minimum(far, _squared_distances(own, own[seeds[-1]]))
    return body[seeds]


def _squared_distances(sites: Floats, site: Floats) -> Floats:
    """Return the squared distances of `sites` from one `site`."""
    across, down = sites[:, 0] - site[0], sites[:, 1] - site[1]
    return np.asarray(across * across + down * down)


def _grow_parts(graph: csr_array, seeds: Ints, delays: Floats) -> tuple[Ints, Floats]:
    """Return the part of each cell, given by the first seed to reach it, and when it is reached."""
    cells, count = graph.shape[0], len(seeds)
    late = round_to_grid(delays - delays.min()) + 1 / 4096
    starts = np.arange(cells, cells + count)
    # Add a node for each seed, connected to the seed by an edge as long as the seed's delay.
    delayed = csr_array(
        (
            np.concatenate([graph.data, late]),
            np.concatenate([graph.indices, seeds]),
            np.concatenate([graph.indptr, graph.indptr[-1] + np.arange(1, count + 1)]),
        ),
        shape=(cells + count, cells + count),
    )
    far, _, source = dijkstra(delayed, indices=starts, min_only=True, return_predecessors=True)
    return np.asarray(source[:cells] - cells, dtype=np.int64), far[:cells]


def _find_middles(area: _CellGraph, part: Ints, seeds: Ints) -> Ints:
    """Return the cell of each part nearest to its center, or the old seed of an empty part."""
    count = len(seeds)
    weight = np.maximum(np.bincount(part, weights=area.sizes, minlength=count), 1e-9)
    sums = [
        np.bincount(part, weights=area.sizes * area.sites[:, axis], minlength=count)
        for axis in (0, 1)
    ]
    centers = np.stack(sums, axis=1) / weight[:, None]
    by_distance = np.lexsort((distances(area.sites, centers[part]), part))
    first = np.flatnonzero(np.diff(part[by_distance], prepend=-1))
    moved = seeds.copy()
    moved[part[by_distance][first]] = by_distance[first]
    return moved
