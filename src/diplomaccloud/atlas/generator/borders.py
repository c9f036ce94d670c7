"""Stage 5: trace the borders as lines, each stored once and shared by its two provinces."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from diplomaccloud.atlas.generator.mesh import Ints, Mesh

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
    fans, own = mesh.fans, set(cells)
    rows = [row for cell in cells for row in range(fans.first[cell], fans.first[cell + 1])]
    edges = [int(fans.edges[row]) for row in rows if int(fans.beside[row]) not in own]
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
                left, right = _find_sides(mesh, vertices, passed[0], sides)
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


def _find_sides(mesh: Mesh, vertices: list[int], edge: int, sides: Ints) -> tuple[int, int]:
    """Return the owners to the left and right of the first of `vertices` toward the next."""
    (x, y), (to_x, to_y) = mesh.vertices[vertices[:2]].tolist()
    site_x, site_y = mesh.sites[mesh.cells[edge, 0]].tolist()
    first_is_left = (to_y - y) * (site_x - x) - (to_x - x) * (site_y - y) > 0
    first, second = sides[edge].tolist()
    return (first, second) if first_is_left else (second, first)


def group_lines_by_owner(lines: Sequence[BorderLine], count: int) -> list[list[int]]:
    """Return the numbers of the lines beside each of `count` owners."""
    groups: list[list[int]] = [[] for _ in range(count)]
    for index, line in enumerate(lines):
        for owner in {line.left, line.right} - {OUTSIDE}:
            groups[owner].append(index)
    return groups


def find_rings(
    lines: Sequence[BorderLine], owner: int, own: Sequence[int]
) -> list[tuple[int, ...]]:
    """Return the outlines of `owner` as references to `lines`, with `owner` on their left.

    `own`: the numbers of the lines beside `owner`. A reference `~n` stands for line `n` backward.
    """
    next_lines: dict[int, int] = {}
    for index in own:
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
