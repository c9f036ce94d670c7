"""Draw the lines and pixels of a map. They don't depend on the placement of homes and centers."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import fsum

import numpy as np
from scipy.ndimage import find_objects

from diplomaccloud.atlas.generator.anchors import BADGE, CrowdedError, find_places
from diplomaccloud.atlas.generator.borders import (
    OUTSIDE,
    PIXEL,
    BorderLine,
    Layout,
    rasterize_outlines,
    rasterize_owners,
    trace_outline,
)
from diplomaccloud.atlas.generator.mesh import Bools, Floats, Ints, Mesh, distances, round_to_grid
from diplomaccloud.atlas.generator.provinces import Division
from diplomaccloud.atlas.generator.random_streams import Noise
from diplomaccloud.judge.drawing.chart import ArcKind, Point

_ROOMY_PLACES = 700
"""A province with this many places for a badge has space for everything in it.

This does not apply to a province with two coasts, where fleets need two places.
"""


@dataclass(frozen=True)
class DrawnMap:
    """The borders followed by the outlines of `islets`, with the points and kind of each line.

    `owners`: the province of each pixel. `clear`: the same without the islets and the letters at
    the edges. `windows`: the part
    of the grid that holds each province.
    """

    lines: tuple[BorderLine, ...]
    islets: tuple[tuple[BorderLine, ...], ...]
    points: tuple[tuple[Point, ...], ...]
    kinds: tuple[ArcKind, ...]
    owners: Ints
    clear: Ints
    windows: tuple[tuple[slice, ...] | None, ...]


def draw_map(
    mesh: Mesh,
    division: Division,
    borders: Sequence[BorderLine],
    rng: np.random.Generator,
    boxes: Iterable[tuple[float, float, float, float]] = (),
) -> DrawnMap:
    """Return the drawing of `borders` and of the islets of `division`.

    `boxes`: the left, upper, right and lower sides of spaces that are not clear.
    """
    islets = tuple(
        trace_outline(mesh, islet, int(division.owner[islet[0]])) for islet in division.islets
    )
    lines = (*borders, *(line for islet in islets for line in islet))
    wet: list[bool] = division.is_sea(np.arange(division.count_owners())).tolist()
    kinds = tuple(_find_kind(line, wet) for line in lines)
    coast, sea = (np.array([kind is one for kind in kinds]) for one in (ArcKind.COAST, ArcKind.SEA))
    points = draw_lines(mesh, lines, coast, sea, rng)

    outlines = [(way, line.left, line.right) for way, line in zip(points, borders, strict=False)]
    owners = rasterize_owners(mesh.size, outlines)
    clear = np.where(rasterize_outlines(mesh.size, points[len(borders) :]), OUTSIDE, owners)
    for box in boxes:
        left, upper, right, lower = (round(side / PIXEL) for side in box)
        clear[upper:lower, left:right] = OUTSIDE
    windows = tuple(find_objects(clear + 1, division.count_owners()))
    return DrawnMap(lines, islets, points, kinds, owners, clear, windows)


def measure_drawn_areas(drawn: DrawnMap) -> Floats:
    """Return the area of each province and piece within the lines as drawn, in map units."""
    ways = [np.array(points).T for points in drawn.points]
    # The area swept by a line from the origin to a point moving along each line.
    swept = np.array([fsum((x[:-1] * y[1:] - x[1:] * y[:-1]).tolist()) / 2 for x, y in ways])
    sides = np.array([(line.left, line.right) for line in drawn.lines])
    # The province on the right of a line has the line on its other side, so its area has the
    # opposite sign.
    weights = np.concatenate([swept, -swept])
    return np.abs(np.bincount(sides.T.ravel() + 1, weights=weights)[1:])


def find_crowded_provinces(drawn: DrawnMap, layout: Layout) -> tuple[int, ...]:
    """Return the provinces without space for a code and all units."""
    # Count, for each province, the pixels where a badge has all corners inside.
    down, across = (round(side / PIXEL) for side in reversed(BADGE))
    upper, lower = drawn.clear[:-down], drawn.clear[down:]
    inside = (upper == lower)[:, across:] & (upper == lower)[:, :-across]
    inside &= upper[:, :-across] == upper[:, across:]
    places = np.bincount(upper[:, :-across][inside] + 1, minlength=layout.count + 1)
    places = places[1 : layout.count + 1]
    doubtful = places < _ROOMY_PLACES
    doubtful[: layout.lands] |= [bool(names) for names in layout.coast_names]
    tried = np.flatnonzero(doubtful).tolist()
    return tuple(province for province in tried if not _has_space(drawn, layout, province))


def find_split_coasts(drawn: DrawnMap, layout: Layout, province: int) -> list[list[Point]]:
    """Return the points along each coast of `province` if it has several.

    The points are relative to the window of the province.
    """
    window = drawn.windows[province]
    if window is None or province >= layout.lands or not layout.coast_names[province]:
        return []
    top, left = window[0].start * PIXEL, window[1].start * PIXEL
    return [
        [(x - left, y - top) for line in sorted(run) for x, y in drawn.points[line]]
        for run in layout.coasts[province]
    ]


def _has_space(drawn: DrawnMap, layout: Layout, province: int) -> bool:
    window = drawn.windows[province]
    if window is None:
        return False
    try:
        coasts = find_split_coasts(drawn, layout, province)
        # Reserve space for a star on split land: one may come later, and space is short there.
        find_places(drawn.clear[window], province, "", bool(coasts), coasts)
    except CrowdedError:
        return False
    return True


def _find_kind(line: BorderLine, wet: Sequence[bool]) -> ArcKind:
    if OUTSIDE in (line.left, line.right):
        return ArcKind.FRAME
    # An islet has one sea on both sides.
    if line.left == line.right or wet[line.left] != wet[line.right]:
        return ArcKind.COAST
    return ArcKind.SEA if wet[line.left] else ArcKind.LAND


# Stage 5, second half: draw borders and coasts, calm in some places and rough in others.

_MIN_PIECE = 1.2
"""The least length of a piece of line, in map units."""

_MIN_CALM = 0.5
"""Coasts calmer than this get as few points as borders."""

_MOOD_BREADTH = 8.0
"""The breadth of a calm or rough stretch of coast, in cells."""

_STRAIGHTENING_ROUNDS = 4
_BORDER_STRENGTH = 0.2
"""How much borders are straightened."""

_MIN_STRAIGHTENED = 2.0
"""Lines no longer than this, in cells, are not straightened."""

_ROUNDING_PASSES = 2
"""How many times the corners of a line are rounded."""

_MIN_TRIANGLE_SHARE = 0.2
"""The share of its area that a triangle of an edge and a site must keep when corners move."""


def draw_lines(
    mesh: Mesh, lines: Sequence[BorderLine], coast: Bools, sea: Bools, rng: np.random.Generator
) -> tuple[tuple[Point, ...], ...]:
    """Return the points of each line, made uneven and rounded to 0.1.

    `coast` and `sea`: which lines are coasts, and which run at sea. Each edge stays inside the
    quadrilateral of its ends and the two sites beside it, so no two lines can cross. Coasts have
    calm stretches, which are nearly straight, and rough ones.
    """
    used = np.array([edge for line in lines for edge in line.edges])
    counts = [len(line.edges) for line in lines]
    on_coast, at_sea = coast.repeat(counts), sea.repeat(counts)
    inner = mesh.cells[used, 1] >= 0
    mood = Noise.from_random(rng)
    lengths = np.add.reduceat(mesh.lengths[used], np.cumsum([0, *counts[:-1]]))
    long = np.repeat(lengths > _MIN_STRAIGHTENED * mesh.spacing, counts)
    mesh = _straighten_lines(
        mesh, used[inner], on_coast[inner], np.unique(mesh.ends[used[~long]]), mood
    )
    calm = _calmness(mood, mesh, mesh.vertices[mesh.ends[used]].mean(axis=1))
    unevenness = np.where(on_coast, 1.0 - 0.65 * calm, np.where(at_sea, 0.30, 0.6))
    unevenness[~inner] = 0.0
    bent = _bend_edges(mesh, used, unevenness, rng)
    softness = np.where(on_coast, 0.25 + 0.25 * calm, 0.5)
    softness[~(inner & long)] = 0.0
    # Which of the points of each edge to keep, so that no piece is too short.
    pieces = mesh.lengths[used] / 8
    least = np.select([pieces * step >= _MIN_PIECE for step in (1, 2, 4)], [1, 2, 4], 8)
    steps = np.where(inner, np.maximum(np.where(on_coast & (calm < _MIN_CALM), 1, 2), least), 8)
    forward = mesh.ends[used, 0] == np.array([v for line in lines for v in line.vertices[:-1]])
    bent = np.where(forward[:, None, None], bent, bent[:, ::-1])
    lasts = np.cumsum(counts) - 1
    # Keep the last point of an edge only at the end of a line: the next edge starts with it.
    is_used = np.arange(9)[None, :] % steps[:, None] == 0
    is_used[:, 8] = False
    is_used[lasts, 8] = True
    ends = np.cumsum(is_used.sum(axis=1))[lasts]
    points = _round_corners(bent[is_used], np.repeat(softness, is_used.sum(axis=1)), ends)
    return _round_points(points, ends)


def _calmness(mood: Noise, mesh: Mesh, places: Floats) -> Floats:
    """Return the calmness of each of `places`, from 0 (rough) to 1 (calm)."""
    level = mood.sum_octaves(places / (_MOOD_BREADTH * mesh.spacing), 2)
    return np.asarray(np.clip(0.5 - 1.7 * level, 0.0, 1.0))


def _straighten_lines(mesh: Mesh, edges: Ints, coast: Bools, fixed: Ints, mood: Noise) -> Mesh:
    """Return `mesh` with the corners along `edges` moved toward straight lines.

    Calm coasts become nearly straight; rough ones and the `fixed` corners stay. Every cell can
    still see its whole outline from its site. Corners where borders meet move only along a coast.
    """
    ends, count = mesh.ends[edges], len(mesh.vertices)
    shore = np.bincount(ends[coast].ravel(), minlength=count) > 0
    # For both directions of each edge: the corner to move, and the one to move it toward.
    corner, target = np.concatenate([ends, ends[:, ::-1]]).T
    pulled = np.tile(coast, 2) | ~shore[corner]
    corner, target = corner[pulled], target[pulled]
    on_frame = ((mesh.vertices == 0.0) | (mesh.vertices == np.array(mesh.size))).any(axis=1)
    free = (np.bincount(corner, minlength=count) == 2) & ~on_frame
    free[fixed] = False
    strength = np.where(shore, 0.65 * _calmness(mood, mesh, mesh.vertices), _BORDER_STRENGTH)
    strength = np.where(free, 0.5 * strength, 0.0)[:, None]
    vertices = mesh.vertices
    for _ in range(_STRAIGHTENING_ROUNDS):
        middles = [np.bincount(corner, vertices[target, axis], count) / 2 for axis in (0, 1)]
        vertices = vertices + strength * (np.stack(middles, axis=1) - vertices)
    return replace(mesh, vertices=_restore_inverted(mesh, round_to_grid(vertices)))


def _restore_inverted(mesh: Mesh, vertices: Floats) -> Floats:
    """Return `vertices`, with those restored that would turn a corner of a cell inside out."""
    min_areas = [_MIN_TRIANGLE_SHARE * corner for corner in _triangle_areas(mesh, mesh.vertices)]
    while True:
        small = [
            new < old for new, old in zip(_triangle_areas(mesh, vertices), min_areas, strict=True)
        ]
        inverted = np.unique(mesh.ends[small[0] | small[1]])
        inverted = inverted[(vertices[inverted] != mesh.vertices[inverted]).any(axis=1)]
        if not len(inverted):
            return vertices
        vertices[inverted] = mesh.vertices[inverted]


def _triangle_areas(mesh: Mesh, vertices: Floats) -> tuple[Floats, Floats]:
    """Return twice the areas of the two triangles that each edge forms with the sites beside it."""
    start, end = vertices[mesh.ends[:, 0]], vertices[mesh.ends[:, 1]]
    first = _cross_product(mesh.sites[mesh.cells[:, 0]], start, end)
    second = _cross_product(mesh.sites[mesh.cells[:, 1]], start, end)
    was = _cross_product(mesh.sites[mesh.cells[:, 0]], *mesh.vertices[mesh.ends.T])
    turn = np.where(was < 0, -1.0, 1.0)
    return first * turn, np.where(mesh.cells[:, 1] < 0, 1.0, -second * turn)


def _cross_product(hub: Floats, first: Floats, second: Floats) -> Floats:
    """Return twice the signed area of each triangle of three points (n×2 each)."""
    a, b = first - hub, second - hub
    return np.asarray(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0])


def _round_corners(points: Floats, softness: Floats, ends: Ints) -> Floats:
    """Return the `points` of consecutive lines, with their corners rounded.

    `ends`: where the points of each line end. A point moves only inside the triangle that it forms
    with its two neighbors; the ends of open lines stay.
    """
    first, last = np.append(0, ends[:-1]), ends - 1
    closed = (points[first] == points[last]).all(axis=1)
    pull = 0.25 * softness
    pull[first] = pull[last] = np.where(closed, pull[first], 0.0)
    for _ in range(_ROUNDING_PASSES):
        before, after = points.copy(), points.copy()
        before[1:], after[:-1] = points[:-1], points[1:]
        before[first], after[last] = points[last - 1], points[first + 1]
        points = points + pull[:, None] * (before - 2 * points + after)
    return points


def _round_points(points: Floats, ends: Ints) -> tuple[tuple[Point, ...], ...]:
    """Return the points of each line to one decimal, without repeated points."""
    exact = np.rint(points * 10) / 10 + 0.0
    is_kept = np.append(True, (exact[1:] != exact[:-1]).any(axis=1))
    is_kept[ends[:-1]] = True
    cuts = np.cumsum(is_kept)[ends - 1].tolist()
    spots: list[Point] = list(zip(*exact[is_kept].T.tolist(), strict=True))
    return tuple(tuple(spots[start:end]) for start, end in zip([0, *cuts], cuts, strict=False))


def _bend_edges(mesh: Mesh, edges: Ints, unevenness: Floats, rng: np.random.Generator) -> Floats:
    """Return the nine points (k×9×2) that three halvings place along each edge."""
    start, end = mesh.vertices[mesh.ends[edges, 0]], mesh.vertices[mesh.ends[edges, 1]]
    near, far = (_find_apex(start, end, mesh.sites[mesh.cells[edges, side]]) for side in (0, 1))
    points = np.zeros((len(edges), 9, 2))
    points[:, 0], points[:, 8] = start, end
    quads = [(0, 8, near, far)]
    while quads:
        first, last, above, below = quads.pop(0)
        ends = points[:, first], points[:, last]
        corners = [(point + tip) / 2 for tip in (above, below) for point in ends]
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


def _find_apex(start: Floats, end: Floats, site: Floats) -> Floats:
    """Return the tip of a triangle above the middle of each edge, inside the triangle with `site`.

    Two such tips and the edge form a kite, which is convex whatever the triangles are.
    """
    along, to_site = end - start, site - start
    length = distances(end, start)
    share = (along * to_site).sum(axis=1) / length**2
    height = (along[:, 0] * to_site[:, 1] - along[:, 1] * to_site[:, 0]) / length
    height = height * 0.5 / np.maximum(np.maximum(share, 1 - share), 0.5)
    height = np.clip(height, -0.8 * length, 0.8 * length)
    normal = np.stack([-along[:, 1], along[:, 0]], axis=1) / length[:, None]
    return np.asarray((start + end) / 2 + height[:, None] * normal)
