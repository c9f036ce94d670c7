"""The lines of a map drawn, and its pixels: what no placement of homes and centers changes."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum

import numpy as np
from scipy.ndimage import find_objects

from diplomaccloud.atlas.chart import ArcKind, Point
from diplomaccloud.atlas.generator.anchors import place
from diplomaccloud.atlas.generator.board_layout import Layout
from diplomaccloud.atlas.generator.borders import OUTSIDE, Line, trace_outline
from diplomaccloud.atlas.generator.coastlines import draw_lines
from diplomaccloud.atlas.generator.free_space import BADGE, CrowdedError
from diplomaccloud.atlas.generator.mesh import Bools, Floats, Ints, Mesh
from diplomaccloud.atlas.generator.provinces import Division
from diplomaccloud.atlas.generator.raster import PIXEL, rasterize_outlines, rasterize_owners

_ROOMY = 700
"""A province where a badge has more places than so many has room for all that stands in it.

Not one with two coasts, where two fleets stand apart: of those the largest may have none.
"""


@dataclass(frozen=True)
class Picture:
    """The borders and then the outlines of `islets`, with points and kind of each line.

    `owners`: the province of each pixel, `clear` the same without the islets, and `windows`
    the part of it where each province is.
    """

    lines: tuple[Line, ...]
    islets: tuple[tuple[Line, ...], ...]
    points: tuple[tuple[Point, ...], ...]
    kinds: tuple[ArcKind, ...]
    owners: Ints
    clear: Ints
    windows: tuple[tuple[slice, ...] | None, ...]


def draw(
    mesh: Mesh, division: Division, borders: Sequence[Line], rng: np.random.Generator
) -> Picture:
    """Return the picture of `borders` and of the islets of `division`."""
    islets = tuple(
        trace_outline(mesh, islet, int(division.owner[islet[0]])) for islet in division.islets
    )
    lines = (*borders, *(line for islet in islets for line in islet))
    coast, sea = _kinds(lines, division.lands)
    points = draw_lines(mesh, lines, coast, sea, rng)
    kinds = tuple(map(_kind, lines, coast.tolist(), sea.tolist()))
    ways, first = zip(points, lines, strict=True), len(borders)
    outlines = [(way, line.left, line.right) for way, line in ways][:first]
    owners = rasterize_owners(mesh.size, outlines)
    clear = np.where(rasterize_outlines(mesh.size, points[first:]), OUTSIDE, owners)
    windows = tuple(find_objects(clear + 1, division.lands + division.seas))
    return Picture(lines, islets, points, kinds, owners, clear, windows)


def drawn_areas(picture: Picture) -> Floats:
    """Return the area of each province within the lines as they are drawn, in map units."""
    swept = np.array([_swept(points) for points in picture.points])
    sides = np.array([(line.left, line.right) for line in picture.lines])
    # Going along a line, what lies to the left is on its other side for what lies to the right.
    weights = np.concatenate([swept, -swept])
    return np.abs(np.bincount(sides.T.ravel() + 1, weights=weights)[1:])


def _swept(points: Sequence[Point]) -> float:
    """Return the area that the way from the origin along `points` sweeps."""
    x, y = np.array(points).T
    return fsum((x[:-1] * y[1:] - x[1:] * y[:-1]).tolist()) / 2


def crowded(picture: Picture, layout: Layout) -> tuple[int, ...]:
    """Return the provinces without room for a code and all units."""
    doubtful = _badge_places(picture.clear, layout.count) < _ROOMY
    doubtful[: layout.lands] |= [bool(names) for names in layout.coast_names]
    tried = np.flatnonzero(doubtful).tolist()
    return tuple(province for province in tried if not _has_room(picture, layout, province))


def _badge_places(owners: Ints, count: int) -> Ints:
    """Return for each province at how many pixels a badge has all its corners inside."""
    down, across = (round(side / PIXEL) for side in reversed(BADGE))
    upper, lower = owners[:-down], owners[down:]
    inside = (upper == lower)[:, across:] & (upper == lower)[:, :-across]
    inside &= upper[:, :-across] == upper[:, across:]
    return np.bincount(upper[:, :-across][inside] + 1, minlength=count + 1)[1:]


def split_coasts(picture: Picture, layout: Layout, province: int) -> list[list[Point]]:
    """Return the points along each coast of `province` if it has several, in its window."""
    window = picture.windows[province]
    if window is None or province >= layout.lands or not layout.coast_names[province]:
        return []
    top, left = window[0].start * PIXEL, window[1].start * PIXEL
    return [
        [(x - left, y - top) for line in sorted(run) for x, y in picture.points[line]]
        for run in layout.coasts[province]
    ]


def _has_room(picture: Picture, layout: Layout, province: int) -> bool:
    window = picture.windows[province]
    if window is None:
        return False
    try:
        coasts = split_coasts(picture, layout, province)
        # Where it is split any land has room for a star: that may come, and room is scarce.
        place(picture.clear[window], province, "", bool(coasts), coasts)
    except CrowdedError:
        return False
    return True


def _kinds(lines: Sequence[Line], lands: int) -> tuple[Bools, Bools]:
    """Return which lines are coasts and which run at sea."""
    left = np.array([line.left for line in lines])
    right = np.array([line.right for line in lines])
    inside = (left != OUTSIDE) & (right != OUTSIDE)
    coast = inside & ((left >= lands) != (right >= lands))
    coast |= left == right
    return coast, inside & ~coast & (left >= lands)


def _kind(line: Line, coast: bool, sea: bool) -> ArcKind:
    if OUTSIDE in (line.left, line.right):
        return ArcKind.FRAME
    if coast:
        return ArcKind.COAST
    return ArcKind.SEA if sea else ArcKind.LAND
