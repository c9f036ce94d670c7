"""Borders that would be too short to see or to point at are moved, cell by cell."""

from collections.abc import Iterator
from math import fsum

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from diplomaccloud.atlas.generator.mesh import Ints, Mesh

LEAST_BORDER = 1.25
LEAST_COAST = 1.6
LEAST_FRAME = 1.25
_PASSES = 8


def mended(mesh: Mesh, owner: Ints, lands: int, fixed: frozenset[int]) -> Ints:
    """Return `owner` with short borders lengthened or closed where cells can be moved.

    Land stays land and water water; provinces stay whole; `fixed` cells stay. A border is
    short below `LEAST_BORDER` cells, a stretch of coast below `LEAST_COAST`, and where a
    province meets the frame below `LEAST_FRAME`.
    """
    patch = _Patch(mesh, owner.tolist(), lands, fixed)
    patch.smooth()
    for _ in range(_PASSES):
        if not patch.mend():
            break
    return np.array(patch.owner)


class _Patch:
    """Owners of cells while they are being moved about."""

    def __init__(self, mesh: Mesh, owner: list[int], lands: int, fixed: frozenset[int]) -> None:
        self.owner = owner
        self._mesh = mesh
        self._lands = lands
        self._fixed = fixed
        # Flat, two numbers an edge: a list of lists takes several times as long to make.
        self._cells: list[int] = mesh.cells.ravel().tolist()
        self._ends: list[int] = mesh.ends.ravel().tolist()
        self._lengths: list[float] = mesh.lengths.tolist()
        order = np.argsort(mesh.ends.ravel(), kind="stable")
        counts = np.bincount(mesh.ends.ravel(), minlength=len(mesh.vertices))
        self._at: list[int] = (order // 2).tolist()
        self._first: list[int] = np.concatenate([[0], np.cumsum(counts)]).tolist()
        self._near: dict[int, tuple[int, ...]] = {}
        fans = mesh.fans
        self._turn: list[int] = fans.first.tolist()
        self._fans: list[int] = fans.edges.tolist()

    def _sides(self, edge: int) -> list[int]:
        return self._cells[2 * edge : 2 * edge + 2]

    def _ends_of(self, edge: int) -> list[int]:
        return self._ends[2 * edge : 2 * edge + 2]

    def _edges_at(self, vertex: int) -> list[int]:
        return self._at[self._first[vertex] : self._first[vertex + 1]]

    def _edges_near(self, cell: int) -> tuple[int, ...]:
        """Return the edges that touch `cell`."""
        if cell not in self._near:
            corners = {end for edge in self._fan(cell) for end in self._ends_of(edge)}
            near = {edge for vertex in corners for edge in self._edges_at(vertex)}
            self._near[cell] = tuple(sorted(near))
        return self._near[cell]

    def _fan(self, cell: int) -> list[int]:
        return self._fans[self._turn[cell] : self._turn[cell + 1]]

    def _borders(self) -> Ints:
        """Return the edges between two provinces, and those of the frame."""
        owner, cells = np.array(self.owner), self._mesh.cells
        beside = np.where(cells[:, 1] < 0, -1, owner[cells[:, 1]])
        return np.flatnonzero(owner[cells[:, 0]] != beside)

    def smooth(self) -> None:
        """Give every cell that another province nearly surrounds to that province."""
        for _ in range(2):
            waiting = self._surrounded()
            on_border = np.unique(self._mesh.cells[self._borders()]).tolist()
            for cell in on_border:
                if cell in waiting and self._give_away(cell):
                    waiting.update(self._mesh.neighbors(cell))

    def _give_away(self, cell: int) -> bool:
        """Give `cell` to the province that nearly surrounds it; return whether there is one."""
        shares: dict[int, float] = {}
        for edge, beside in zip(self._fan(cell), self._mesh.rim(cell), strict=True):
            if beside >= 0:
                to = self.owner[beside]
                shares[to] = shares.get(to, 0.0) + self._lengths[edge]
        own = shares.get(self.owner[cell], 0.0)
        best = max(shares, key=lambda to: (shares[to], -to))
        given = shares[best] > 2 * own and self._may_move(cell, best)
        if given:
            self.owner[cell] = best
        return given

    def _surrounded(self) -> set[int]:
        """Return the cells that `_give_away` may give away, and perhaps a few more."""
        owner, fans = np.array(self.owner), self._mesh.fans
        rows = np.flatnonzero(fans.beside >= 0)
        same = owner[fans.cells[rows]] == owner[fans.beside[rows]]
        lengths = self._mesh.lengths[fans.edges[rows]]
        count = len(owner)
        own = np.bincount(fans.cells[rows[same]], weights=lengths[same], minlength=count)
        whole = np.bincount(fans.cells[rows], weights=lengths, minlength=count)
        # All others together are no less than one; a little more for what rounding does.
        return set(np.flatnonzero(whole - own >= 1.999 * own).tolist())

    def mend(self) -> bool:
        """Move cells where that makes the short borders fewer; return whether any moved."""
        moved = False
        waiting = self._short_edges()
        for edge in self._borders().tolist():
            short = self._short_border(edge) if edge in waiting else None
            if short is not None:
                cell = self._improve(short[0])
                if cell is not None:
                    moved = True
                    waiting |= self._edges_about(cell)
        return moved

    def _short_edges(self) -> set[int]:
        """Return the edges on borders that are short, and perhaps a few more."""
        edges = self._borders()
        ends = self._mesh.ends[edges]
        met = np.bincount(ends.ravel(), minlength=len(self._mesh.vertices))
        # Edges hang together at the corners where just two of them meet.
        row, side = np.nonzero(met[ends] == 2)
        order = np.argsort(ends[row, side], kind="stable")
        one, other = row[order[::2]], row[order[1::2]]
        ways = csr_array((np.ones(len(one)), (one, other)), shape=(len(edges), len(edges)))
        _, border = connected_components(ways, directed=False)
        length = np.bincount(border, weights=self._mesh.lengths[edges])
        most = self._mesh.spacing * max(LEAST_BORDER, LEAST_COAST, LEAST_FRAME)
        return set(edges[length[border] < 1.001 * most].tolist())

    def _edges_about(self, cell: int) -> set[int]:
        """Return the edges of all borders that may have become short by a move of `cell`."""
        most = self._mesh.spacing * max(LEAST_BORDER, LEAST_COAST, LEAST_FRAME)
        far = {corner: 0.0 for edge in self._fan(cell) for corner in self._ends_of(edge)}
        found: set[int] = set()
        waiting = list(far)
        while waiting:
            here = waiting.pop()
            for edge in self._edges_at(here):
                if not self._is_border(edge):
                    continue
                found.add(edge)
                there = sum(self._ends_of(edge)) - here
                gone = far[here] + self._lengths[edge]
                if gone < min(most, far.get(there, most)):
                    far[there] = gone
                    waiting.append(there)
        return found

    def _improve(self, vertices: tuple[int, ...]) -> int | None:
        """Make the best single move of a cell near `vertices`; return it, `None` if none helps."""
        best, choice = 1e-9, None
        for cell, to in self._moves(vertices):
            before, old = self._badness(cell), self.owner[cell]
            self.owner[cell] = to
            gain = before - self._badness(cell)
            self.owner[cell] = old
            if gain > best:
                best, choice = gain, (cell, to)
        if choice is None:
            return None
        self.owner[choice[0]] = choice[1]
        return choice[0]

    def _moves(self, vertices: tuple[int, ...]) -> Iterator[tuple[int, int]]:
        near = {
            cell
            for vertex in vertices
            for edge in self._edges_at(vertex)
            for cell in self._sides(edge)
            if cell >= 0
        }
        for cell in sorted(near):
            around = {self.owner[beside] for beside in self._mesh.neighbors(cell)}
            for to in sorted(around):
                if self._may_move(cell, to):
                    yield cell, to

    def _may_move(self, cell: int, to: int) -> bool:
        old = self.owner[cell]
        if to == old or (to < self._lands) != (old < self._lands) or cell in self._fixed:
            return False
        around = [self.owner[beside] if beside >= 0 else -1 for beside in self._mesh.rim(cell)]
        # One run of each around the cell: the old province stays whole, the new has no hole.
        return _runs(around, old) == 1 and _runs(around, to) == 1

    def _badness(self, cell: int) -> float:
        """Return how many borders near `cell` are short, and how short they are."""
        found: dict[int, float] = {}
        for edge in self._edges_near(cell):
            short = self._short_border(edge)
            if short is not None:
                found[short[1]] = short[2]
        return fsum(found.values())

    def _kind_least(self, edge: int) -> float | None:
        """Return the least length of a border along `edge`; `None` if none runs there."""
        if not self._is_border(edge):
            return None
        one, other = self._sides(edge)
        if other < 0:
            return self._mesh.spacing * LEAST_FRAME
        coast = (self.owner[one] < self._lands) != (self.owner[other] < self._lands)
        return self._mesh.spacing * (LEAST_COAST if coast else LEAST_BORDER)

    def _short_border(self, edge: int) -> tuple[tuple[int, ...], int, float] | None:
        """Return corners, least edge and badness of the border along `edge` if it is short."""
        least = self._kind_least(edge)
        if least is None:
            return None
        length, lowest = self._lengths[edge], edge
        vertices = self._ends_of(edge)
        for end in self._ends_of(edge):
            at, came = end, edge
            while (onward := self._onward(at, came)) is not None:
                length += self._lengths[onward]
                lowest = min(lowest, onward)
                if length >= least or onward == edge:
                    return None
                one, other = self._ends_of(onward)
                at, came = (other if at == one else one), onward
                vertices.append(at)
        if length >= least:
            return None
        return tuple(vertices), lowest, 1 + (least - length) / least

    def _onward(self, vertex: int, came: int) -> int | None:
        """Return the border edge that alone continues from `came` at `vertex`."""
        found = None
        for edge in self._edges_at(vertex):
            if edge == came or not self._is_border(edge):
                continue
            if found is not None:
                return None
            found = edge
        return found

    def _is_border(self, edge: int) -> bool:
        """Return whether a border runs along `edge`, or the frame."""
        one, other = self._sides(edge)
        return other < 0 or self.owner[one] != self.owner[other]


def _runs(around: list[int], owner: int) -> int:
    """Return how many unbroken runs of `owner` there are in the circle `around`."""
    return sum(
        here == owner and before != owner
        for before, here in zip(around[-1:] + around[:-1], around, strict=True)
    )
