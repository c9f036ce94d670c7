"""Move cells between provinces where a border would be too short to see or to click."""

from collections.abc import Iterator
from math import fsum

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from diplomaccloud.atlas.generator.mesh import Ints, Mesh

MIN_BORDER = 1.25
"""The least length of a border on land or at sea, in cells."""

MIN_COAST = 1.6
"""The least length of a stretch of coast, in cells."""

MIN_FRAME = 1.25
"""The least length, in cells, over which a province meets the frame."""

_MAX_PASSES = 8


def repair_borders(mesh: Mesh, owner: Ints, lands: int, fixed: frozenset[int]) -> Ints:
    """Return `owner` with short borders lengthened or closed by moving cells.

    Land stays land and water stays water; provinces stay connected; `fixed` cells do not move. The
    limits are `MIN_BORDER`, `MIN_COAST` and `MIN_FRAME`.
    """
    owners = _CellOwners(mesh, owner.tolist(), lands, fixed)
    owners.absorb_surrounded_cells()
    for _ in range(_MAX_PASSES):
        if not owners.fix_short_borders():
            break
    return np.array(owners.owner)


class _CellOwners:
    """The province of each cell, while cells are being moved."""

    def __init__(self, mesh: Mesh, owner: list[int], lands: int, fixed: frozenset[int]) -> None:
        self.owner = owner
        self._mesh = mesh
        self._lands = lands
        self._fixed = fixed
        # Flat lists with two numbers per edge: a list of lists takes several times as long to
        # build.
        self._cells: list[int] = mesh.cells.ravel().tolist()
        self._ends: list[int] = mesh.ends.ravel().tolist()
        self._lengths: list[float] = mesh.lengths.tolist()
        order = np.argsort(mesh.ends.ravel(), kind="stable")
        counts = np.bincount(mesh.ends.ravel(), minlength=len(mesh.vertices))
        self._vertex_edges: list[int] = (order // 2).tolist()
        self._first_vertex_edge: list[int] = np.concatenate([[0], np.cumsum(counts)]).tolist()
        self._near_edges: dict[int, tuple[int, ...]] = {}
        fans = mesh.fans
        self._first_fan_row: list[int] = fans.first.tolist()
        self._fans: list[int] = fans.edges.tolist()

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
        own = shares.get(self.owner[cell], 0.0)
        best = max(shares, key=lambda province: (shares[province], -province))
        is_moved = shares[best] > 2 * own and self._can_move(cell, best)
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
        own = np.bincount(fans.cells[rows[same]], weights=lengths[same], minlength=count)
        whole = np.bincount(fans.cells[rows], weights=lengths, minlength=count)
        # The lengths of all other borders together bound each single one. The margin allows for
        # rounding.
        return set(np.flatnonzero(whole - own >= 1.999 * own).tolist())

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
        longest = self._mesh.spacing * max(MIN_BORDER, MIN_COAST, MIN_FRAME)
        return set(edges[length[border] < 1.001 * longest].tolist())

    def _find_affected_edges(self, cell: int) -> set[int]:
        """Return the edges of all borders that a move of `cell` may have made short."""
        longest = self._mesh.spacing * max(MIN_BORDER, MIN_COAST, MIN_FRAME)
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
                if length < min(longest, reached.get(next_corner, longest)):
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
        """Return whether `cell` can join the province `to`."""
        old = self.owner[cell]
        if to == old or (to < self._lands) != (old < self._lands) or cell in self._fixed:
            return False
        around = [
            self.owner[neighbor] if neighbor >= 0 else -1 for neighbor in self._mesh.rim(cell)
        ]
        # One run of each province around the cell: the old one stays connected, and the new one
        # gets no hole.
        return _count_runs(around, old) == 1 and _count_runs(around, to) == 1

    def _measure_shortness(self, cell: int) -> float:
        """Return how many borders near `cell` are short, and by how much, as one number."""
        shortness: dict[int, float] = {}
        for edge in self._edges_near(cell):
            short = self._find_short_border(edge)
            if short is not None:
                shortness[short[1]] = short[2]
        return fsum(shortness.values())

    def _min_length(self, edge: int) -> float | None:
        """Return the least length of a border along `edge`, or `None` if there is no border."""
        if not self._is_border(edge):
            return None
        left, right = self._sides(edge)
        if right < 0:
            return self._mesh.spacing * MIN_FRAME
        coast = (self.owner[left] < self._lands) != (self.owner[right] < self._lands)
        return self._mesh.spacing * (MIN_COAST if coast else MIN_BORDER)

    def _find_short_border(self, edge: int) -> tuple[tuple[int, ...], int, float] | None:
        """Return the border along `edge` if it is short.

        The result is its corners, its lowest edge and its shortness.
        """
        least = self._min_length(edge)
        if least is None:
            return None
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
        only = None
        for edge in self._edges_at(vertex):
            if edge == previous or not self._is_border(edge):
                continue
            if only is not None:
                return None
            only = edge
        return only

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
