"""Stages 5 and 6: trace the borders, and find which provinces border each other."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import shortest_path

from diplomaccloud.atlas.generator.mesh import Bools, Ints, Mesh
from diplomaccloud.judge.drawing.chart import Point

# Borders are lines, each stored once and shared by its two provinces.

OUTSIDE = -1
"""The owner of the space outside the frame."""


@dataclass(frozen=True, slots=True)
class BorderLine:
    """A stretch of border between two junctions, or a closed border.

    `vertices` and `edges`: those of the mesh, from start to end. `left` and `right`: the owners on
    either side in that direction with y down, `OUTSIDE` beyond the frame.
    """

    vertices: tuple[int, ...]
    edges: tuple[int, ...]
    left: int
    right: int


def trace_borders(mesh: Mesh, owner: Ints) -> tuple[BorderLine, ...]:
    """Return the borders as lines, each with the same two owners along its whole length."""
    sides = np.where(mesh.cells >= 0, owner[mesh.cells], OUTSIDE)
    return _chain_edges(mesh, np.flatnonzero(sides[:, 0] != sides[:, 1]), sides)


def trace_outline(mesh: Mesh, cells: Sequence[int], around: int) -> tuple[BorderLine, ...]:
    """Return the closed borders of a group of cells, with `around` as the owner on both sides."""
    fans, group = mesh.fans, set(cells)
    rows = [row for cell in cells for row in range(fans.first[cell], fans.first[cell + 1])]
    edges = [int(fans.edges[row]) for row in rows if int(fans.beside[row]) not in group]
    sides = np.broadcast_to(np.int64(around), mesh.cells.shape)
    return _chain_edges(mesh, np.array(sorted(edges)), sides)


def _chain_edges(mesh: Mesh, edges: Ints, sides: Ints) -> tuple[BorderLine, ...]:
    """Return `edges` joined into lines; `sides` are the owners beside each edge of the mesh."""
    at: dict[int, list[int]] = {}
    ends = dict(zip(edges.tolist(), mesh.ends[edges].tolist(), strict=True))
    for edge in edges.tolist():
        for vertex in ends[edge]:
            at.setdefault(vertex, []).append(edge)
    # Start from the junctions; only closed lines remain after that.
    starts = [vertex for vertex in sorted(at) if len(at[vertex]) != 2] + sorted(at)
    used: set[int] = set()
    lines: list[BorderLine] = []
    for start in starts:
        for first in at[start]:
            if first not in used:
                vertices, passed = _follow_edges(start, first, at, ends)
                used.update(passed)
                (x, y), (to_x, to_y) = mesh.vertices[vertices[:2]].tolist()
                site_x, site_y = mesh.sites[mesh.cells[first, 0]].tolist()
                first_is_left = (to_y - y) * (site_x - x) - (to_x - x) * (site_y - y) > 0
                left, right = sides[first].tolist()[:: 1 if first_is_left else -1]
                lines.append(BorderLine(tuple(vertices), tuple(passed), left, right))
    return tuple(lines)


def _follow_edges(
    start: int, first: int, at: dict[int, list[int]], ends: dict[int, list[int]]
) -> tuple[list[int], list[int]]:
    """Return the vertices and edges from `start` along `first` to a junction or back to `start`."""
    vertices, passed = [start], [first]
    while True:
        first_end, second_end = ends[passed[-1]]
        vertex = second_end if vertices[-1] == first_end else first_end
        vertices.append(vertex)
        if vertex == start or len(at[vertex]) != 2:
            return vertices, passed
        before, after = at[vertex]
        passed.append(after if before == passed[-1] else before)


def group_lines_by_owner(lines: Sequence[BorderLine], count: int) -> list[list[int]]:
    """Return the numbers of the lines beside each of `count` owners."""
    groups: list[list[int]] = [[] for _ in range(count)]
    for index, line in enumerate(lines):
        for owner in {line.left, line.right} - {OUTSIDE}:
            groups[owner].append(index)
    return groups


def find_rings(
    lines: Sequence[BorderLine], owner: int, borders: Sequence[int]
) -> list[tuple[int, ...]]:
    """Return the outlines of `owner` as references to `lines`, with `owner` on their left.

    `borders`: the numbers of the lines beside `owner`. A reference `~n` stands for line `n`
    backward.
    """
    next_lines: dict[int, int] = {}
    for index in borders:
        line = lines[index]
        if line.left == owner:
            next_lines[line.vertices[0]] = index
        if line.right == owner:
            next_lines[line.vertices[-1]] = ~index
    found_rings = []
    while next_lines:
        start = min(next_lines)
        ring, vertex = [], start
        while vertex in next_lines:
            ref = next_lines.pop(vertex)
            ring.append(ref)
            vertex = lines[ref].vertices[-1] if ref >= 0 else lines[~ref].vertices[0]
        found_rings.append(tuple(ring))
    return found_rings


# The map as a grid of pixels, each labeled with its province.


PIXEL = 2.0
"""The side of a pixel, in map units."""

Outline = tuple[Sequence[Point], int, int]
"""The points of a line and the owners to its left and right."""


def rasterize_owners(size: tuple[float, float], lines: Sequence[Outline]) -> Ints:
    """Return the owner of each pixel (rows×columns), taken at its center.

    Along a row from the west, the owner changes at every line crossed, so a running sum of the
    changes gives the owners of the whole map at once.
    """
    shape = _grid_shape(size)
    changes = np.zeros((shape[0], shape[1] + 1), dtype=np.int64)
    for points, left, right in lines:
        rows, columns, down = _find_crossings(points, shape)
        np.add.at(changes, (rows, columns), np.where(down, left - right, right - left))
    return np.asarray(np.cumsum(changes, axis=1)[:, :-1] + OUTSIDE)


def rasterize_outlines(size: tuple[float, float], outlines: Sequence[Sequence[Point]]) -> Bools:
    """Return the pixels inside the closed `outlines`."""
    shape = _grid_shape(size)
    crossed = np.zeros((shape[0], shape[1] + 1), dtype=np.int64)
    for points in outlines:
        rows, columns, _ = _find_crossings(points, shape)
        np.add.at(crossed, (rows, columns), 1)
    return np.asarray(np.cumsum(crossed, axis=1)[:, :-1] % 2 == 1)


def _grid_shape(size: tuple[float, float]) -> tuple[int, int]:
    return int(np.ceil(size[1] / PIXEL)), int(np.ceil(size[0] / PIXEL))


def _find_crossings(
    points: Sequence[Point], shape: tuple[int, int]
) -> tuple[NDArray[np.int64], NDArray[np.int64], Bools]:
    """Return where a line crosses the middles of rows, and whether it goes down there.

    The result is an array of rows, one of columns, and one of directions.
    """
    line = np.array(points) / PIXEL - 0.5
    start, end = line[:-1], line[1:]
    low = np.minimum(start[:, 1], end[:, 1])
    first = np.ceil(low).astype(np.int64)
    counts = np.ceil(np.maximum(start[:, 1], end[:, 1])).astype(np.int64) - first
    segment = np.repeat(np.arange(len(counts)), counts)
    row_starts = np.repeat(np.cumsum(counts) - counts, counts)
    rows = first[segment] + np.arange(len(segment)) - row_starts
    on_map = (rows >= 0) & (rows < shape[0])
    segment, rows = segment[on_map], rows[on_map]
    along = (rows - start[segment, 1]) / (end[segment, 1] - start[segment, 1])
    across = start[segment, 0] + along * (end[segment, 0] - start[segment, 0])
    columns = np.clip(np.floor(across).astype(np.int64) + 1, 0, shape[1])
    return rows, columns, end[segment, 1] > start[segment, 1]


# Which provinces border each other for armies and fleets, and which coasts are split.


Place: TypeAlias = tuple[int, int]
"""A province and the number of one of its coasts (0 for a sea or a single coast)."""

UNREACHABLE = 99
"""More moves than any route takes: there is no route."""


@dataclass(frozen=True)
class Layout:
    """The board before it has names; provinces are numbers, the `lands` first, then the `seas`.

    The numbers after those are the `solids`, pieces of impassable land, which no member mentions.
    `coasts`: for each land province, the lines of each of its coasts. `coast_names`: `NC` and so on
    where there are two. `army_borders` and `fleet_borders`: the pairs between which an army or a
    fleet may move. `closed`: the pairs of land provinces that touch and that armies cannot pass.
    `rivers`: the pairs of places on both banks of a navigable river, which are in `fleet_borders`.
    `wild`: the land provinces in which no power starts. `lakes`: the seas that no fleet can leave
    for others. `gathering`: land provinces, and how many powers need a home among them. `isle`: a
    land mass on which exactly one power starts; without it, powers start anywhere.
    """

    lands: int
    seas: int
    coasts: tuple[tuple[frozenset[int], ...], ...]
    coast_names: tuple[tuple[str, ...], ...]
    army_borders: tuple[tuple[int, int], ...]
    fleet_borders: tuple[tuple[Place, Place], ...]
    closed: tuple[tuple[int, int], ...] = ()
    rivers: tuple[tuple[Place, Place], ...] = ()
    wild: frozenset[int] = frozenset()
    lakes: frozenset[int] = frozenset()
    solids: int = 0
    gathering: tuple[frozenset[int], int] = (frozenset(), 0)
    isle: frozenset[int] = frozenset()

    @property
    def count(self) -> int:
        """The number of provinces."""
        return self.lands + self.seas

    def places(self, province: int) -> tuple[Place, ...]:
        """Return where a fleet may stand in `province`."""
        if province >= self.lands:
            return ((province, 0),)
        return tuple((province, coast) for coast in range(len(self.coasts[province])))

    @cached_property
    def _pairs(self) -> set[tuple[int, int]]:
        """The provinces between which some unit can move."""
        return {*self.army_borders, *((start[0], end[0]) for start, end in self.fleet_borders)}

    @cached_property
    def neighbors(self) -> tuple[frozenset[int], ...]:
        """For each province, the provinces that some unit can move to."""
        neighbors: list[set[int]] = [set() for _ in range(self.count)]
        for first, second in self._pairs:
            neighbors[first].add(second)
            neighbors[second].add(first)
        return tuple(map(frozenset, neighbors))

    @cached_property
    def steps(self) -> Ints:
        """The number of steps between any two provinces by land or sea, for any unit."""
        return _count_steps(np.array(sorted(self._pairs), dtype=np.int64), self.count)

    @cached_property
    def army_moves(self) -> Ints:
        """The moves that an army needs between land provinces (from rows to columns)."""
        return _count_steps(np.array(self.army_borders, dtype=np.int64).reshape(-1, 2), self.lands)

    @cached_property
    def fleet_moves(self) -> Ints:
        """The moves that a fleet needs between provinces, from its best coast."""
        places = [place for province in range(self.count) for place in self.places(province)]
        number = {place: index for index, place in enumerate(places)}
        links = np.array([[number[start], number[end]] for start, end in self.fleet_borders])
        province = np.array([place[0] for place in places])
        moves = np.full((self.count, self.count), UNREACHABLE)
        steps = _count_steps(links.reshape(-1, 2), len(places))
        np.minimum.at(moves, (province[:, None], province[None, :]), steps)
        return moves


def _count_steps(pairs: Ints, count: int) -> Ints:
    """Return the fewest steps between any two of `count` places, at most `UNREACHABLE`."""
    links = csr_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(count, count))
    steps = shortest_path(links, method="D", directed=False, unweighted=True)
    return np.asarray(np.minimum(steps, UNREACHABLE), dtype=np.int64)


def make_layout(
    mesh: Mesh,
    lines: Sequence[BorderLine],
    lands: int,
    seas: int,
    solids: int = 0,
    *,
    ridges: Collection[int] = (),
    rivers: Collection[int] = (),
    joined: Collection[tuple[int, int]] = (),
) -> Layout:
    """Return the layout that the border `lines` form.

    A coast is the longest unbroken run of lines with water on the other side. Two coastal provinces
    are adjacent for fleets where their border ends at a coast of both. `ridges` and `rivers` are
    the numbers of lines between two land provinces: no army passes a ridge, and the banks of a
    river are coasts, between which fleets pass. Nothing passes the `solids`. `joined`: pairs of
    lands or of seas between which a passage leads.
    """
    count = lands + seas
    borders = group_lines_by_owner(lines, count + solids)
    wet = [
        index in rivers or lands <= max(line.left, line.right) < count
        for index, line in enumerate(lines)
    ]
    coasts = tuple(_find_coasts(lines, land, borders[land], wet) for land in range(lands))
    coast_of = {
        (land, line): number
        for land, runs in enumerate(coasts)
        for number, run in enumerate(runs)
        for line in run
    }
    army_borders: set[tuple[int, int]] = set()
    fleet_borders: set[tuple[Place, Place]] = set()
    for index, line in enumerate(lines):
        low, high = sorted((line.left, line.right))
        if low == OUTSIDE:
            continue
        if high < lands:
            army_borders.add((low, high))
        elif high < count:
            fleet_borders.add(((low, coast_of.get((low, index), 0)), (high, 0)))
    fleet_borders |= _find_coastal_borders(lines, lands, coast_of)
    for low, high in map(sorted, joined):
        if high < lands:
            army_borders.add((low, high))
        else:
            fleet_borders.add(((low, 0), (high, 0)))
    closed = {_sides_of(lines[index]) for index in ridges}
    banks = set()
    for index in rivers:
        low, high = _sides_of(lines[index])
        banks.add(((low, coast_of[low, index]), (high, coast_of[high, index])))
    names = tuple(_name_coasts(mesh, lines, runs) for runs in coasts)
    return Layout(
        lands,
        seas,
        coasts,
        names,
        tuple(sorted(army_borders - closed)),
        tuple(sorted(fleet_borders | banks)),
        tuple(sorted(closed)),
        tuple(sorted(banks)),
        solids=solids,
    )


def _sides_of(line: BorderLine) -> tuple[int, int]:
    """Return the owners on both sides of `line`, the lower number first."""
    return min(line.left, line.right), max(line.left, line.right)


def _find_coasts(
    lines: Sequence[BorderLine],
    land: int,
    borders: Sequence[int],
    wet: Sequence[bool],
) -> tuple[frozenset[int], ...]:
    """Return the coasts of `land`, each as the numbers of its lines; `wet`: the lines at water."""
    runs: list[frozenset[int]] = []
    for ring in find_rings(lines, land, borders):
        numbers = [ref if ref >= 0 else ~ref for ref in ring]
        along = [wet[number] for number in numbers]
        # Start at a dry line, so that no run is cut in two.
        first = 0 if all(along) else along.index(False)
        around = [*range(first, len(ring)), *range(first)]
        for is_wet, run in groupby(around, along.__getitem__):
            if is_wet:
                runs.append(frozenset(numbers[position] for position in run))
    return tuple(runs)


def _find_coastal_borders(
    lines: Sequence[BorderLine], lands: int, coast_of: dict[tuple[int, int], int]
) -> set[tuple[Place, Place]]:
    """Return the pairs of coasts along which a fleet can move between two land provinces."""
    coast_at = {
        (land, vertex): coast
        for (land, index), coast in coast_of.items()
        # Provinces on the same bank of a river are not neighbors for fleets.
        if max(lines[index].left, lines[index].right) >= lands
        for vertex in (lines[index].vertices[0], lines[index].vertices[-1])
    }
    borders: set[tuple[Place, Place]] = set()
    for line in lines:
        low, high = sorted((line.left, line.right))
        if low == OUTSIDE or high >= lands:
            continue
        for vertex in (line.vertices[0], line.vertices[-1]):
            if (low, vertex) in coast_at and (high, vertex) in coast_at:
                borders.add(((low, coast_at[low, vertex]), (high, coast_at[high, vertex])))
    return borders


def _name_coasts(
    mesh: Mesh, lines: Sequence[BorderLine], runs: Sequence[frozenset[int]]
) -> tuple[str, ...]:
    """Return `NC` and `SC`, or `EC` and `WC`, for two coasts; nothing for one coast."""
    if len(runs) != 2:
        return ()
    middles = [
        mesh.vertices[[v for line in sorted(run) for v in lines[line].vertices]].mean(axis=0)
        for run in runs
    ]
    across, down = (middles[1] - middles[0]).tolist()
    if abs(down) > abs(across):
        return ("NC", "SC") if down > 0 else ("SC", "NC")
    return ("WC", "EC") if across > 0 else ("EC", "WC")
