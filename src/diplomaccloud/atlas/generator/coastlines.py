"""Stage 5, its second half: the points along the borders, here calm and there rough."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from diplomaccloud.atlas.chart import Point
from diplomaccloud.atlas.generator.borders import Line
from diplomaccloud.atlas.generator.mesh import Bools, Floats, Ints, Mesh, distances, round_to_grid
from diplomaccloud.atlas.generator.noise import Noise

_LEAST_PIECE = 1.2
_FINE = 0.5
"""Coasts calmer than this have as few points as borders."""

_MOODS = 8.0
"""The breadth of a calm or rough stretch of coast, in cells."""

_ROUNDS = 4
_BORDERS = 0.2
"""How much borders are straightened, of what calm coasts are."""

_SHORT = 2.0
"""Lines of no more cells than this are not shortened any further."""

_SOFTER = 2
"""How often the corners along a line are rounded."""

_LEAST_CORNER = 0.2
"""What a triangle of a side and a site must keep of its area when corners are moved."""


def drawn(
    mesh: Mesh, lines: Sequence[Line], coast: Bools, sea: Bools, rng: np.random.Generator
) -> tuple[tuple[Point, ...], ...]:
    """Return the points of each line, made uneven; `coast` and `sea` tell the kind of each.

    Each edge wanders only inside the quadrilateral of its ends and the two sites beside it,
    so no two lines can cross. Coasts have calm stretches, nearly straight, and rough ones.
    Rounded to 0.1.
    """
    used = np.array([edge for line in lines for edge in line.edges])
    counts = [len(line.edges) for line in lines]
    on_coast, at_sea = coast.repeat(counts), sea.repeat(counts)
    inner = mesh.cells[used, 1] >= 0
    mood = Noise.from_random(rng)
    long = np.repeat(_lengths(mesh, used, counts) > _SHORT * mesh.spacing, counts)
    mesh = _settled(mesh, used[inner], on_coast[inner], np.unique(mesh.ends[used[~long]]), mood)
    calm = _calmness(mood, mesh, mesh.vertices[mesh.ends[used]].mean(axis=1))
    unevenness = np.where(on_coast, 1.0 - 0.65 * calm, np.where(at_sea, 0.30, 0.6))
    unevenness[~inner] = 0.0
    bent = _bent(mesh, used, unevenness, rng)
    softness = np.where(on_coast, 0.25 + 0.25 * calm, 0.5)
    softness[~(inner & long)] = 0.0
    steps = np.where(
        inner, np.maximum(np.where(on_coast & (calm < _FINE), 1, 2), _steps(mesh, used)), 8
    )
    forward = mesh.ends[used, 0] == np.array([v for line in lines for v in line.vertices[:-1]])
    bent = np.where(forward[:, None, None], bent, bent[:, ::-1])
    lasts = np.cumsum(counts) - 1
    kept = np.arange(9)[None, :] % steps[:, None] == 0
    kept[:, 8] = False
    kept[lasts, 8] = True
    ends = np.cumsum(kept.sum(axis=1))[lasts]
    points = _softened(bent[kept], np.repeat(softness, kept.sum(axis=1)), ends)
    return _rounded(points, ends)


def _calmness(mood: Noise, mesh: Mesh, places: Floats) -> Floats:
    """Return from 0, rough, to 1, calm, for each of `places`."""
    found = mood.layered(places / (_MOODS * mesh.spacing), 2)
    return np.asarray(np.clip(0.5 - 1.7 * found, 0.0, 1.0))


def _lengths(mesh: Mesh, edges: Ints, counts: Sequence[int]) -> Floats:
    """Return the length of each line, of so many `edges`."""
    return np.add.reduceat(mesh.lengths[edges], np.cumsum([0, *counts[:-1]]))


def _settled(mesh: Mesh, edges: Ints, coast: Bools, fixed: Ints, mood: Noise) -> Mesh:
    """Return `mesh` with the corners along `edges` moved towards straight lines.

    Calm coasts become nearly straight, rough ones stay, as the `fixed` corners do. Every cell
    still sees all of its outline from its site. Corners where borders meet move only along a
    coast.
    """
    ends, count = mesh.ends[edges], len(mesh.vertices)
    shore = np.bincount(ends[coast].ravel(), minlength=count) > 0
    # Each way: the corner that is drawn, and the one it is drawn to.
    here, there = np.concatenate([ends, ends[:, ::-1]]).T
    pulled = np.tile(coast, 2) | ~shore[here]
    here, there = here[pulled], there[pulled]
    on_frame = ((mesh.vertices == 0.0) | (mesh.vertices == np.array(mesh.size))).any(axis=1)
    free = (np.bincount(here, minlength=count) == 2) & ~on_frame
    free[fixed] = False
    strength = np.where(shore, 0.65 * _calmness(mood, mesh, mesh.vertices), _BORDERS)
    strength = np.where(free, 0.5 * strength, 0.0)[:, None]
    vertices = mesh.vertices
    for _ in range(_ROUNDS):
        middles = [np.bincount(here, vertices[there, axis], count) / 2 for axis in (0, 1)]
        vertices = vertices + strength * (np.stack(middles, axis=1) - vertices)
    return replace(mesh, vertices=_sound(mesh, round_to_grid(vertices)))


def _sound(mesh: Mesh, vertices: Floats) -> Floats:
    """Return `vertices` with those put back that would turn a corner of a cell inside out."""
    least = [_LEAST_CORNER * corner for corner in _corners(mesh, mesh.vertices)]
    while True:
        small = [new < old for new, old in zip(_corners(mesh, vertices), least, strict=True)]
        wrong = np.unique(mesh.ends[small[0] | small[1]])
        wrong = wrong[(vertices[wrong] != mesh.vertices[wrong]).any(axis=1)]
        if not len(wrong):
            return vertices
        vertices[wrong] = mesh.vertices[wrong]


def _corners(mesh: Mesh, vertices: Floats) -> tuple[Floats, Floats]:
    """Return twice the areas of the two triangles of each edge with the sites beside it."""
    one, other = vertices[mesh.ends[:, 0]], vertices[mesh.ends[:, 1]]
    first = _doubled(mesh.sites[mesh.cells[:, 0]], one, other)
    second = _doubled(mesh.sites[mesh.cells[:, 1]], one, other)
    was = _doubled(mesh.sites[mesh.cells[:, 0]], *mesh.vertices[mesh.ends.T])
    turn = np.where(was < 0, -1.0, 1.0)
    return first * turn, np.where(mesh.cells[:, 1] < 0, 1.0, -second * turn)


def _doubled(hub: Floats, one: Floats, other: Floats) -> Floats:
    a, b = one - hub, other - hub
    return np.asarray(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0])


def _softened(points: Floats, softness: Floats, ends: Ints) -> Floats:
    """Return the `points` of lines, one after another, with their corners rounded.

    `ends`: where the points of each line end. A point moves only inside the triangle that it
    makes with its two neighbors, and the ends of lines that are not closed stay.
    """
    first, last = np.append(0, ends[:-1]), ends - 1
    closed = (points[first] == points[last]).all(axis=1)
    pull = 0.25 * softness
    pull[first] = pull[last] = np.where(closed, pull[first], 0.0)
    for _ in range(_SOFTER):
        before, after = points.copy(), points.copy()
        before[1:], after[:-1] = points[:-1], points[1:]
        before[first], after[last] = points[last - 1], points[first + 1]
        points = points + pull[:, None] * (before - 2 * points + after)
    return points


def _rounded(points: Floats, ends: Ints) -> tuple[tuple[Point, ...], ...]:
    """Return the points of each line to a tenth, without those that fall on the one before."""
    exact = np.rint(points * 10) / 10 + 0.0
    kept = np.append(True, (exact[1:] != exact[:-1]).any(axis=1))
    kept[ends[:-1]] = True
    cuts = np.cumsum(kept)[ends - 1].tolist()
    spots: list[Point] = list(zip(*exact[kept].T.tolist(), strict=True))
    return tuple(tuple(spots[start:end]) for start, end in zip([0, *cuts], cuts, strict=False))


def _steps(mesh: Mesh, edges: Ints) -> Ints:
    """Return which of the nine points of each edge to keep: pieces not shorter than a unit."""
    pieces = mesh.lengths[edges] / 8
    enough = [pieces * step >= _LEAST_PIECE for step in (1, 2, 4)]
    return np.asarray(np.select(enough, [1, 2, 4], 8))


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
