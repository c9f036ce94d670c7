"""Stage 5: borders as lines, each stored once and shared by the two provinces beside it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from diplomaccloud.atlas.chart import Point
from diplomaccloud.atlas.generator.mesh import Bools, Floats, Ints, Mesh, distances
from diplomaccloud.atlas.generator.relief import Noise

BEYOND = -1
_LEAST_PIECE = 1.2


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
    inside = np.isin(mesh.cells, np.array(cells))
    edges = np.flatnonzero(inside[:, 0] != inside[:, 1])
    return _chains(mesh, edges, np.full(mesh.cells.shape, around))


def _chains(mesh: Mesh, edges: Ints, sides: Ints) -> tuple[Line, ...]:
    at: dict[int, list[int]] = {}
    ends = mesh.ends.tolist()
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
    start: int, first: int, at: dict[int, list[int]], ends: list[list[int]]
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


def drawn(
    mesh: Mesh, lines: Sequence[Line], coast: Bools, sea: Bools, rng: np.random.Generator
) -> tuple[tuple[Point, ...], ...]:
    """Return the points of each line, made uneven; `coast` and `sea` tell the kind of each.

    Each edge wanders only inside the quadrilateral of its ends and the two sites beside it,
    so no two lines can cross. Coasts have calm and rough stretches. Rounded to 0.1.
    """
    used = np.array([edge for line in lines for edge in line.edges])
    counts = [len(line.edges) for line in lines]
    unevenness = np.where(coast, 0.0, np.where(sea, 0.30, 0.55)).repeat(counts)
    middle = mesh.vertices[mesh.ends[used]].mean(axis=1)
    mood = Noise.drawn(rng).layered(middle / (9 * mesh.spacing), 2)
    rough = np.clip(0.55 + 0.9 * mood, 0.14, 0.95)
    unevenness = np.where(coast.repeat(counts), rough, unevenness)
    unevenness[mesh.cells[used, 1] < 0] = 0.0
    bent = _bent(mesh, used, unevenness, rng)
    place = {edge: row for row, edge in enumerate(used.tolist())}
    return tuple(
        _line_points(mesh, line, bent, place, bool(on_coast))
        for line, on_coast in zip(lines, coast, strict=True)
    )


def _bent(mesh: Mesh, edges: Ints, unevenness: Floats, rng: np.random.Generator) -> Floats:
    """Return for each edge the nine points (k×9×2) that three halvings put along it."""
    start, end = mesh.vertices[mesh.ends[edges, 0]], mesh.vertices[mesh.ends[edges, 1]]
    near, far = (_apex(start, end, mesh.sites[mesh.cells[edges, side]]) for side in (0, 1))
    points = np.zeros((len(edges), 9, 2))
    points[:, 0], points[:, 8] = start, end
    quads = [(0, 8, near, far)]
    while quads:
        first, last, above, below = quads.pop(0)
        one, other = points[:, first], points[:, last]
        corners = [(one + above) / 2, (other + above) / 2, (one + below) / 2, (other + below) / 2]
        along = (0.5 + 0.3 * (rng.random(len(edges)) - 0.5))[:, None]
        # The finest bends are the flattest, so that rounding cannot make two lines cross.
        reach = unevenness * (0.9 if last - first > 2 else 0.5)
        across = (0.5 + reach * (rng.random(len(edges)) - 0.5))[:, None]
        upper = corners[0] + along * (corners[1] - corners[0])
        lower = corners[2] + along * (corners[3] - corners[2])
        half = (first + last) // 2
        points[:, half] = upper + across * (lower - upper)
        if half - first > 1:
            quads.append((first, half, corners[0], corners[2]))
            quads.append((half, last, corners[1], corners[3]))
    flat = unevenness == 0.0
    straight = np.linspace(0, 1, 9)[None, :, None]
    line = start[:, None] + straight * (end - start)[:, None]
    return np.where(flat[:, None, None], line, points)


def _apex(start: Floats, end: Floats, site: Floats) -> Floats:
    """Return the point above the middle of each edge where the triangle with `site` ends.

    Two such points and the edge make a kite, which is convex whatever the triangles are.
    """
    along, to_site = end - start, site - start
    length = distances(end, start)
    share = (along * to_site).sum(axis=1) / length**2
    height = (along[:, 0] * to_site[:, 1] - along[:, 1] * to_site[:, 0]) / length
    height = height * 0.5 / np.maximum(np.maximum(share, 1 - share), 0.5)
    height = np.clip(height, -0.8 * length, 0.8 * length)
    normal = np.stack([-along[:, 1], along[:, 0]], axis=1) / length[:, None]
    return np.asarray((start + end) / 2 + height[:, None] * normal)


def _coarseness(length: float) -> int:
    """Return which of the nine points of an edge to keep: pieces not shorter than a unit."""
    return next((step for step in (1, 2, 4) if length * step / 8 >= _LEAST_PIECE), 8)


def _line_points(
    mesh: Mesh, line: Line, bent: Floats, place: dict[int, int], fine: bool
) -> tuple[Point, ...]:
    finest = 1 if fine else 2
    points: list[Point] = []
    for edge, vertex in zip(line.edges, line.vertices, strict=False):
        way = bent[place[edge]]
        if int(mesh.ends[edge, 0]) != vertex:
            way = way[::-1]
        step = 8 if mesh.cells[edge, 1] < 0 else max(finest, _coarseness(mesh.lengths[edge]))
        way = way[::step]
        for x, y in way.tolist():
            point = (round(x, 1) + 0.0, round(y, 1) + 0.0)
            if not points or points[-1] != point:
                points.append(point)
    return tuple(points)
