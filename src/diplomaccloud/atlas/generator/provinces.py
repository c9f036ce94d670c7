"""Stage 4: divide land and sea into provinces, and move cells where a border is too short."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from math import fsum

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components, dijkstra

from diplomaccloud.atlas.generator.land_and_sea import (
    LandAndSea,
    build_cell_graph,
    find_connected_areas,
)
from diplomaccloud.atlas.generator.mesh import Bools, Floats, Ints, Mesh, distances, round_to_grid
from diplomaccloud.atlas.generator.random_streams import random_stream

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
    """The cost of crossing each cell, and how much each cell adds to the size of a part.

    `regions`: the region of each land cell, which no land province leaves.
    """

    costs: Floats
    sizes: Floats
    regions: Ints


@dataclass(frozen=True)
class _CellGraph:
    """The cells to divide, with their own numbers: their graph, sites and sizes.

    `anchors`: the cells where a part may start. The first `loose` parts start anywhere.
    """

    graph: csr_array
    sites: Floats
    sizes: Floats
    anchors: Bools
    loose: int


def partition_cells(
    mesh: Mesh,
    chosen: Bools,
    fields: CellWeights,
    target: tuple[int, float],
    rng: np.random.Generator,
    *,
    regions: Ints | None = None,
    anchors: Bools | None = None,
    loose: int = 0,
) -> Ints:
    """Return the part that each cell belongs to, or -1 for cells that are not `chosen`.

    `target`: the number of parts, and by how much the largest should exceed the smallest. Parts
    grow from seeds along the paths of least cost. A part that becomes too large starts later in the
    next round, and each seed moves to the middle of its part (Lloyd's algorithm). With `anchors`,
    all parts but the first `loose` ones start in one of these cells. Raises `DivisionError`.
    """
    count, variety = target
    cells = np.flatnonzero(chosen)
    bodies = [np.searchsorted(cells, body) for body in find_connected_areas(mesh, chosen, regions)]
    graph = build_cell_graph(mesh, chosen, fields.costs, regions)[cells][:, cells]
    starts = np.ones(len(cells), dtype=bool) if anchors is None else anchors[cells]
    area = _CellGraph(graph, mesh.sites[cells], fields.sizes[cells], starts, loose)
    sizes = [float(area.sizes[body].sum()) for body in bodies]
    shares = _share_parts(sizes, count)
    seeds = [
        _spread_seeds(area, body, share, rng, loose if number == 0 else 0)
        for number, (body, share) in enumerate(zip(bodies, shares, strict=True))
    ]
    target_sizes = []
    for size, share in zip(sizes, shares, strict=True):
        weights = 1 + variety * rng.random(share)
        target_sizes.append(round_to_grid(size * weights / weights.sum()))
    part = _grow_balanced(area, np.concatenate(seeds), np.concatenate(target_sizes))
    if len(np.unique(part)) < count:
        raise DivisionError("a part is empty")
    parts = np.full(len(chosen), -1)
    parts[cells] = part
    return parts


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
        # Restart each part that is empty or too small at the far end of the largest part.
        least = _MIN_FILLED if round_number in _RESTART_ROUNDS else 0.0
        for small in np.flatnonzero((filled < least) | (filled == 0)).tolist():
            large = int(np.argmax(filled))
            inside = np.flatnonzero((part == large) & area.anchors)
            if len(inside):
                seeds[small] = int(inside[int(np.argmax(reached_at[inside]))])
                delays[small] = delays[large]
            filled[large] /= 2
    return best_part


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


def _spread_seeds(
    area: _CellGraph, body: Ints, count: int, rng: np.random.Generator, loose: int
) -> Ints:
    """Return `count` cells of `body`, each as far as possible from those before it.

    All but the first `loose` ones are anchors.
    """
    sites, is_anchor = area.sites[body], area.anchors[body]
    if int(is_anchor.sum()) < count:
        raise DivisionError(f"too little room for the starts of {count} provinces")
    far = _squared_distances(sites, sites[int(rng.integers(len(body)))])
    seeds: list[int] = []
    while len(seeds) < count:
        allowed = far if len(seeds) < loose else np.where(is_anchor, far, -1.0)
        seed = int(np.argmax(allowed))
        gaps = _squared_distances(sites, sites[seed])
        far = np.minimum(far, gaps) if seeds else gaps
        seeds.append(seed)
    return body[seeds]


def _squared_distances(sites: Floats, site: Floats) -> Floats:
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
    gaps = distances(area.sites, centers[part])
    gaps[~area.anchors & (part >= area.loose)] = np.inf
    least = np.full(count, np.inf)
    np.minimum.at(least, part, gaps)
    # Of equally near cells, the first one counts.
    nearest = np.flatnonzero((gaps == least[part]) & (gaps < np.inf))[::-1]
    moved = seeds.copy()
    moved[part[nearest]] = nearest
    return moved


# Stage 4: divide land and water into provinces of similar size.

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
    `seas`, then the `solids`, which are pieces of impassable land. `islets`: pieces of land inside
    one sea, whose cells belong to that sea.
    """

    owner: Ints
    lands: int
    seas: int
    islets: tuple[tuple[int, ...], ...]
    solids: int = 0

    def is_sea(self, owners: Ints) -> Bools:
        """Return which of `owners` are seas."""
        return np.asarray((owners >= self.lands) & (owners < self.lands + self.seas))

    def count_owners(self) -> int:
        """Return the number of provinces and pieces of impassable land."""
        return self.lands + self.seas + self.solids


def weigh_cells(mesh: Mesh, ground: LandAndSea, mountains: Floats, regions: Ints) -> CellWeights:
    """Return weights that make borders follow the `mountains` and keep coastal seas small."""
    # The distance of each cell from the nearest land, in map units.
    graph = build_cell_graph(mesh, np.ones(len(ground.land), dtype=bool))
    steps = dijkstra(graph, indices=np.flatnonzero(ground.land), min_only=True)
    depth, water = np.asarray(steps) * mesh.spacing, ~ground.land
    return CellWeights(
        np.where(water, 1 / (1 + depth / _DEEP), 1 + _MOUNTAIN_COST * mountains),
        mesh.areas / (1 + depth / (2.2 * mesh.spacing * 6.6)),
        regions,
    )


def divide_provinces(
    mesh: Mesh,
    ground: LandAndSea,
    fields: CellWeights,
    seed: str,
    counts: tuple[int, int],
    *,
    max_open_seas: int,
) -> Division:
    """Return `ground` divided into `counts` land provinces and seas.

    At most `max_open_seas` seas touch no land. An island of one province that no army can leave
    becomes scenery. Raises `DivisionError`.
    """
    lands, seas = counts
    rng = random_stream(seed, "seas")
    sea_of = _divide_waters(mesh, ground.land, fields, (seas, max_open_seas), rng)
    land, islets = _drop_lone_islands(mesh, ground, sea_of, lands)
    solid = ground.solid
    land &= solid < 0
    variety = _VARIETY * min(1.0, _MAX_VARIED_LANDS / lands)
    regions = _drop_small_regions(mesh, land, fields.regions, lands)
    land_of = partition_cells(
        mesh, land, fields, (lands, variety), random_stream(seed, "lands"), regions=regions
    )
    owner = np.where(land, land_of, np.where(solid < 0, lands + sea_of, lands + seas + solid))
    if int(owner.min()) < 0:
        raise DivisionError("a cell belongs to no province")
    solids = int(solid.max()) + 1
    return _repair_division(mesh, Division(owner, lands, seas, islets, solids))


_MIN_REGION = 0.7
"""The least size of a part that a region cuts off the land, in mean land provinces."""


def _drop_small_regions(mesh: Mesh, land: Bools, regions: Ints, lands: int) -> Ints:
    """Return `regions` without the parts that have too little land for a province."""
    least = _MIN_REGION * float(mesh.areas[land].sum()) / lands
    regions = regions.copy()
    for area in find_connected_areas(mesh, land, regions)[::-1]:
        if float(mesh.areas[area].sum()) < least:
            near = np.array(sorted(set[int]().union(*(mesh.neighbors(cell) for cell in area))))
            beside = np.setdiff1d(near[land[near]], area)
            if len(beside):
                regions[area] = regions[beside[0]]
    return regions


def _find_shore_cells(mesh: Mesh, land: Bools) -> Ints:
    """Return the water cells that touch land."""
    pairs = mesh.pairs[land[mesh.pairs[:, 0]] != land[mesh.pairs[:, 1]]]
    return np.unique(pairs[~land[pairs]])


def _divide_waters(
    mesh: Mesh, land: Bools, fields: CellWeights, counts: tuple[int, int], rng: np.random.Generator
) -> Ints:
    """Return the sea of each cell of water; `counts`: the seas, and how many may touch no land.

    If too many touch no land, the waters are divided again by seas that start at the coast.
    """
    (seas, max_open), shore = counts, _find_shore_cells(mesh, land)
    sea_of = partition_cells(mesh, ~land, fields, (seas, 0.0), rng)
    if seas - len(np.unique(sea_of[shore])) > max_open:
        is_shore = np.isin(np.arange(len(land)), shore)
        # Wide oceans have few large seas.
        squares = (fields.sizes / mesh.areas) * (fields.sizes / mesh.areas)
        fields = replace(fields, sizes=mesh.areas * squares * squares)
        # A sea may lose a coast that is too short to see.
        loose = max_open * 3 // 4
        sea_of = partition_cells(
            mesh, ~land, fields, (seas, 0.0), rng, anchors=is_shore, loose=loose
        )
    return sea_of


def redivide_provinces(
    mesh: Mesh,
    division: Division,
    fields: CellWeights,
    faults: tuple[Collection[int], int],
    rng: np.random.Generator,
) -> Division:
    """Return `division` with some provinces and those around them divided again.

    `faults`: the provinces, and how many steps away their surroundings extend. Land stays land and
    water stays water. Those that cannot be divided again stay; raises `DivisionError` if all do.
    """
    (faulty, steps), owner = faults, division.owner.copy()
    refusals: list[DivisionError] = []
    for province in sorted(faulty):
        group = np.array([province])
        for _ in range(steps):
            # The provinces of the same kind that touch those of `group`.
            pairs = owner[mesh.pairs]
            near = pairs[np.isin(pairs, group).any(axis=1)]
            alike = division.is_sea(near) if province >= division.lands else near < division.lands
            group = np.unique(near[alike])
        chosen = np.isin(owner, group)
        is_shore = np.isin(owner, group)
        if province >= division.lands:
            shore = _find_shore_cells(mesh, ~division.is_sea(owner))
            is_shore[:] = False
            is_shore[shore] = True
        loose = len(group) - len(np.unique(owner[is_shore & chosen]))
        try:
            parts = partition_cells(
                mesh, chosen, fields, (len(group), 0.0), rng, anchors=is_shore, loose=loose
            )
        except DivisionError as error:
            refusals.append(error)
        else:
            owner[chosen] = group[parts[chosen]]
    if refusals and len(refusals) == len(faulty):
        raise refusals[0]
    return _repair_division(mesh, replace(division, owner=owner))


def _repair_division(mesh: Mesh, division: Division) -> Division:
    """Return `division` with short borders repaired and islets that touch two seas removed."""
    owner = division.owner
    islets, fixed = [], set[int]()
    for islet in division.islets:
        cells = set(islet).union(*map(mesh.rim, islet))
        if -1 not in cells and len(set(owner[sorted(cells)].tolist())) == 1:
            islets.append(islet)
            fixed |= cells
    owner = repair_borders(mesh, division, frozenset(fixed))
    return replace(division, owner=owner, islets=tuple(islets))


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
    seas = [
        set(sea_of[sorted(set[int]().union(*map(mesh.neighbors, body)))].tolist()) - {-1}
        for body in bodies
    ]
    for body, touched in zip(bodies, seas, strict=True):
        is_alone = len(touched) < 2 or sum(not touched.isdisjoint(waters) for waters in seas) == 1
        if is_alone and float(mesh.areas[body].sum()) < _LONE_ISLAND_SIZE * size:
            land[body] = False
            sea_of[body] = min(touched)
            islets.append(tuple(body.tolist()))
    return land, tuple(islets)


# Move cells between provinces where a border would be too short to see or to click.

MIN_BORDER = 1.25
"""The least length of a border on land or at sea, in cells."""

MIN_COAST = 1.6
"""The least length of a stretch of coast, in cells."""

MIN_FRAME = 1.25
"""The least length, in cells, over which a province meets the frame."""

_MAX_PASSES = 8


def repair_borders(mesh: Mesh, division: Division, fixed: frozenset[int]) -> Ints:
    """Return the owners of `division` with short borders lengthened or closed by moving cells.

    Land stays land and water stays water; provinces stay connected; `fixed` cells do not move. The
    limits are `MIN_BORDER`, `MIN_COAST` and `MIN_FRAME`.
    """
    owners = _CellOwners(mesh, division, fixed)
    owners.absorb_surrounded_cells()
    for _ in range(_MAX_PASSES):
        if not owners.fix_short_borders():
            break
    return np.array(owners.owner)


class _CellOwners:
    """The province of each cell, while cells are being moved."""

    def __init__(self, mesh: Mesh, division: Division, fixed: frozenset[int]) -> None:
        self.owner: list[int] = division.owner.tolist()
        self._mesh = mesh
        self._wet: list[bool] = division.is_sea(np.arange(division.count_owners())).tolist()
        self._fixed = fixed
        # No longer border can be too short.
        self._longest = mesh.spacing * max(MIN_BORDER, MIN_COAST, MIN_FRAME)
        lists = mesh.lists
        self._cells, self._ends, self._lengths = lists.cells, lists.ends, lists.lengths
        self._vertex_edges, self._first_vertex_edge = lists.vertex_edges, lists.first_vertex_edge
        self._fans, self._first_fan_row = lists.fans, lists.first_fan_row
        self._near_edges = lists.near_edges

    def _sides(self, edge: int) -> list[int]:
        return self._cells[2 * edge : 2 * edge + 2]

    def _ends_of(self, edge: int) -> list[int]:
        return self._ends[2 * edge : 2 * edge + 2]

    def _edges_at(self, vertex: int) -> list[int]:
        return self._vertex_edges[
            self._first_vertex_edge[vertex] : self._first_vertex_edge[vertex + 1]
        ]

    def _edges_near(self, cell: int) -> tuple[int, ...]:
        """Return the edges that touch `cell`."""
        if cell not in self._near_edges:
            corners = {end for edge in self._fan_edges(cell) for end in self._ends_of(edge)}
            near = {edge for vertex in corners for edge in self._edges_at(vertex)}
            self._near_edges[cell] = tuple(sorted(near))
        return self._near_edges[cell]

    def _fan_edges(self, cell: int) -> list[int]:
        return self._fans[self._first_fan_row[cell] : self._first_fan_row[cell + 1]]

    def _find_border_edges(self) -> Ints:
        """Return the edges between two provinces, and those along the frame."""
        owner, cells = np.array(self.owner), self._mesh.cells
        neighbor = np.where(cells[:, 1] < 0, -1, owner[cells[:, 1]])
        return np.flatnonzero(owner[cells[:, 0]] != neighbor)

    def absorb_surrounded_cells(self) -> None:
        """Give each cell that another province nearly surrounds to that province."""
        for _ in range(2):
            waiting = self._find_surrounded()
            on_border = np.unique(self._mesh.cells[self._find_border_edges()]).tolist()
            for cell in on_border:
                if cell in waiting and self._reassign_surrounded(cell):
                    waiting.update(self._mesh.neighbors(cell))

    def _reassign_surrounded(self, cell: int) -> bool:
        """Give `cell` to a province that nearly surrounds it; return whether there is one."""
        shares: dict[int, float] = {}
        for edge, neighbor in zip(self._fan_edges(cell), self._mesh.rim(cell), strict=True):
            if neighbor >= 0:
                province = self.owner[neighbor]
                shares[province] = shares.get(province, 0.0) + self._lengths[edge]
        own_share = shares.get(self.owner[cell], 0.0)
        best = max(shares, key=lambda province: (shares[province], -province))
        is_moved = shares[best] > 2 * own_share and self._can_move(cell, best)
        if is_moved:
            self.owner[cell] = best
        return is_moved

    def _find_surrounded(self) -> set[int]:
        """Return all cells that `_reassign_surrounded` may move, and possibly a few more."""
        owner, fans = np.array(self.owner), self._mesh.fans
        rows = np.flatnonzero(fans.beside >= 0)
        same = owner[fans.cells[rows]] == owner[fans.beside[rows]]
        lengths = self._mesh.lengths[fans.edges[rows]]
        count = len(owner)
        inner = np.bincount(fans.cells[rows[same]], weights=lengths[same], minlength=count)
        whole = np.bincount(fans.cells[rows], weights=lengths, minlength=count)
        # The lengths of all other borders together bound each single one. The margin allows for
        # rounding.
        return set(np.flatnonzero(whole - inner >= 1.999 * inner).tolist())

    def fix_short_borders(self) -> bool:
        """Move cells where that leaves fewer short borders; return whether any moved."""
        moved = False
        waiting = self._find_short_edges()
        for edge in self._find_border_edges().tolist():
            short = self._find_short_border(edge) if edge in waiting else None
            if short is not None:
                cell = self._move_best_cell(short[0])
                if cell is not None:
                    moved = True
                    waiting |= self._find_affected_edges(cell)
        return moved

    def _find_short_edges(self) -> set[int]:
        """Return all edges on short borders, and possibly a few more."""
        edges = self._find_border_edges()
        ends = self._mesh.ends[edges]
        edge_counts = np.bincount(ends.ravel(), minlength=len(self._mesh.vertices))
        # Edges form one border across each corner where exactly two of them meet.
        row, side = np.nonzero(edge_counts[ends] == 2)
        order = np.argsort(ends[row, side], kind="stable")
        first, second = row[order[::2]], row[order[1::2]]
        links = csr_array((np.ones(len(first)), (first, second)), shape=(len(edges), len(edges)))
        _, border = connected_components(links, directed=False)
        length = np.bincount(border, weights=self._mesh.lengths[edges])
        return set(edges[length[border] < 1.001 * self._longest].tolist())

    def _find_affected_edges(self, cell: int) -> set[int]:
        """Return the edges of all borders that a move of `cell` may have made short."""
        reached = {corner: 0.0 for edge in self._fan_edges(cell) for corner in self._ends_of(edge)}
        edges: set[int] = set()
        waiting = list(reached)
        while waiting:
            corner = waiting.pop()
            for edge in self._edges_at(corner):
                if not self._is_border(edge):
                    continue
                edges.add(edge)
                next_corner = sum(self._ends_of(edge)) - corner
                length = reached[corner] + self._lengths[edge]
                if length < min(self._longest, reached.get(next_corner, self._longest)):
                    reached[next_corner] = length
                    waiting.append(next_corner)
        return edges

    def _move_best_cell(self, vertices: tuple[int, ...]) -> int | None:
        """Make the best single move of a cell near `vertices` and return that cell, or `None`."""
        best, choice = 1e-9, None
        for cell, to in self._list_moves(vertices):
            before, old = self._measure_shortness(cell), self.owner[cell]
            self.owner[cell] = to
            gain = before - self._measure_shortness(cell)
            self.owner[cell] = old
            if gain > best:
                best, choice = gain, (cell, to)
        if choice is None:
            return None
        self.owner[choice[0]] = choice[1]
        return choice[0]

    def _list_moves(self, vertices: tuple[int, ...]) -> Iterator[tuple[int, int]]:
        """Yield the cells near `vertices` that can move, each with the province it could join."""
        near = {
            cell
            for vertex in vertices
            for edge in self._edges_at(vertex)
            for cell in self._sides(edge)
            if cell >= 0
        }
        for cell in sorted(near):
            around = {self.owner[neighbor] for neighbor in self._mesh.neighbors(cell)}
            for province in sorted(around):
                if self._can_move(cell, province):
                    yield cell, province

    def _can_move(self, cell: int, to: int) -> bool:
        old = self.owner[cell]
        if to == old or self._wet[to] != self._wet[old] or cell in self._fixed:
            return False
        around = [
            self.owner[neighbor] if neighbor >= 0 else -1 for neighbor in self._mesh.rim(cell)
        ]
        # One run of each province around the cell: the old one stays connected, and the new one
        # gets no hole.
        return _count_runs(around, old) == 1 and _count_runs(around, to) == 1

    def _measure_shortness(self, cell: int) -> float:
        """Return how many borders near `cell` are short, and by how much, as one number."""
        borders = filter(None, map(self._find_short_border, self._edges_near(cell)))
        return fsum({lowest: shortness for _, lowest, shortness in borders}.values())

    def _find_short_border(self, edge: int) -> tuple[tuple[int, ...], int, float] | None:
        """Return the border along `edge` if it is short.

        The result is its corners, its lowest edge and its shortness.
        """
        if not self._is_border(edge):
            return None
        left, right = self._sides(edge)
        least = self._mesh.spacing * MIN_FRAME
        if right >= 0:
            coast = self._wet[self.owner[left]] != self._wet[self.owner[right]]
            least = self._mesh.spacing * (MIN_COAST if coast else MIN_BORDER)
        length, lowest = self._lengths[edge], edge
        vertices = self._ends_of(edge)
        for end in self._ends_of(edge):
            at, previous = end, edge
            while (next_edge := self._next_edge(at, previous)) is not None:
                length += self._lengths[next_edge]
                lowest = min(lowest, next_edge)
                if length >= least or next_edge == edge:
                    return None
                first, second = self._ends_of(next_edge)
                at, previous = (second if at == first else first), next_edge
                vertices.append(at)
        if length >= least:
            return None
        return tuple(vertices), lowest, 1 + (least - length) / least

    def _next_edge(self, vertex: int, previous: int) -> int | None:
        """Return the only border edge that continues from `previous` at `vertex`."""
        onward = [e for e in self._edges_at(vertex) if e != previous and self._is_border(e)]
        return onward[0] if len(onward) == 1 else None

    def _is_border(self, edge: int) -> bool:
        """Return whether a border or the frame runs along `edge`."""
        left, right = self._sides(edge)
        return right < 0 or self.owner[left] != self.owner[right]


def _count_runs(around: list[int], owner: int) -> int:
    """Return the number of unbroken runs of `owner` in the circle `around`."""
    return sum(
        current == owner and previous != owner
        for previous, current in zip(around[-1:] + around[:-1], around, strict=True)
    )
