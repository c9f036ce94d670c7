"""Stage 5: borders as lines, each stored once and shared by the two provinces beside it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from diplomaccloud.atlas.generator.mesh import Ints, Mesh

BEYOND = -1


@dataclass(frozen=True, slots=True)
class Line:
    """A stretch of border between two meeting points (or a closed one).

    `vertices` and `edges` of the mesh from start to end; `left` and `right` are the owners
    beside it when walking so with y down, `BEYOND` outside the frame.
    """

    vertices: tuple[int, ...]
    edges: tuple[int, ...]
    left: int
    right: int


def trace(mesh: Mesh, owner: Ints) -> tuple[Line, ...]:
    """Return every border once: as long as it has the same two owners beside it."""
    sides = np.where(mesh.cells >= 0, owner[mesh.cells], BEYOND)
    return _chains(mesh, np.flatnonzero(sides[:, 0] != sides[:, 1]), sides)


def outline_lines(mesh: Mesh, cells: Sequence[int], around: int) -> tuple[Line, ...]:
    """Return the closed borders of a group of cells, `around` on both sides of them."""
    fans, own = mesh.fans, set(cells)
    rows = [row for cell in cells for row in range(fans.first[cell], fans.first[cell + 1])]
    edges = [int(fans.edges[row]) for row in rows if int(fans.beside[row]) not in own]
    sides = np.broadcast_to(np.int64(around), mesh.cells.shape)
    return _chains(mesh, np.array(sorted(edges)), sides)


def _chains(mesh: Mesh, edges: Ints, sides: Ints) -> tuple[Line, ...]:
    at: dict[int, list[int]] = {}
    ends = dict(zip(edges.tolist(), mesh.ends[edges].tolist(), strict=True))
    for edge in edges.tolist():
        for vertex in ends[edge]:
            at.setdefault(vertex, []).append(edge)
    # From the meeting points first; what is left are closed lines.
    starts = [vertex for vertex in sorted(at) if len(at[vertex]) != 2] + sorted(at)
    used: set[int] = set()
    lines: list[Line] = []
    for start in starts:
        for first in at[start]:
            if first not in used:
                vertices, passed = _walk(start, first, at, ends)
                used.update(passed)
                left, right = _beside(mesh, vertices, passed[0], sides)
                lines.append(Line(tuple(vertices), tuple(passed), left, right))
    return tuple(lines)


def _walk(
    start: int, first: int, at: dict[int, list[int]], ends: dict[int, list[int]]
) -> tuple[list[int], list[int]]:
    vertices, passed = [start], [first]
    while True:
        one, other = ends[passed[-1]]
        here = other if vertices[-1] == one else one
        vertices.append(here)
        if here == start or len(at[here]) != 2:
            return vertices, passed
        before, after = at[here]
        passed.append(after if before == passed[-1] else before)


def _beside(mesh: Mesh, vertices: list[int], edge: int, sides: Ints) -> tuple[int, int]:
    (x, y), (to_x, to_y) = mesh.vertices[vertices[:2]].tolist()
    site_x, site_y = mesh.sites[mesh.cells[edge, 0]].tolist()
    first_is_left = (to_y - y) * (site_x - x) - (to_x - x) * (site_y - y) > 0
    one, other = sides[edge].tolist()
    return (one, other) if first_is_left else (other, one)


def lines_by_owner(lines: Sequence[Line], count: int) -> list[list[int]]:
    """Return for each of `count` owners the lines that it is beside, by number."""
    found: list[list[int]] = [[] for _ in range(count)]
    for index, line in enumerate(lines):
        for owner in {line.left, line.right} - {BEYOND}:
            found[owner].append(index)
    return found


def rings(lines: Sequence[Line], owner: int, own: Sequence[int]) -> list[tuple[int, ...]]:
    """Return the outlines of `owner` as references to `lines`, with it on their left side.

    `own` are the numbers of the lines that it is beside.
    """
    ahead: dict[int, int] = {}
    for index in own:
        line = lines[index]
        if line.left == owner:
            ahead[line.vertices[0]] = index
        if line.right == owner:
            ahead[line.vertices[-1]] = ~index
    found = []
    while ahead:
        start = min(ahead)
        ring, vertex = [], start
        while vertex in ahead:
            ref = ahead.pop(vertex)
            ring.append(ref)
            vertex = lines[ref].vertices[-1] if ref >= 0 else lines[~ref].vertices[0]
        found.append(tuple(ring))
    return found
