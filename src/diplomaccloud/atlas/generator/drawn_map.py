"""Draw the lines and pixels of a map. They don't depend on the placement of homes and centers."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum

import numpy as np
from scipy.ndimage import find_objects

from diplomaccloud.atlas.chart import ArcKind, Point
from diplomaccloud.atlas.generator.anchors import find_places
from diplomaccloud.atlas.generator.board_layout import Layout
from diplomaccloud.atlas.generator.borders import OUTSIDE, Line, trace_outline
from diplomaccloud.atlas.generator.coastlines import draw_lines
from diplomaccloud.atlas.generator.free_space import BADGE, CrowdedError
from diplomaccloud.atlas.generator.mesh import Bools, Floats, Ints, Mesh
from diplomaccloud.atlas.generator.provinces import Division
from diplomaccloud.atlas.generator.raster import PIXEL, rasterize_outlines, rasterize_owners

_ROOMY_PLACES = 700
"""A province with this many places for a badge has space for everything in it.

This does not apply to a province with two coasts, where fleets need two places.
"""


@dataclass(frozen=True)
class DrawnMap:
    """The borders followed by the outlines of `islets`, with the points and kind of each line.

    `owners`: the province of each pixel. `clear`: the same without the islets. `windows`: the part
    of the grid that holds each province.
    """

    lines: tuple[Line, ...]
    islets: tuple[tuple[Line, ...], ...]
    points: tuple[tuple[Point, ...], ...]
    kinds: tuple[ArcKind, ...]
    owners: Ints
    clear: Ints
    windows: tuple[tuple[slice, ...] | None, ...]


def draw_map(
    mesh: Mesh, division: Division, borders: Sequence[Line], rng: np.random.Generator
) -> DrawnMap:
    """Return the drawing of `borders` and of the islets of `division`."""
    islets = tuple(
        trace_outline(mesh, islet, int(division.owner[islet[0]])) for islet in division.islets
    )
    lines = (*borders, *(line for islet in islets for line in islet))
    coast, sea = _classify_lines(lines, division.lands)
    points = draw_lines(mesh, lines, coast, sea, rng)
    kinds = tuple(map(_line_kind, lines, coast.tolist(), sea.tolist()))
    ways, first = zip(points, lines, strict=True), len(borders)
    outlines = [(way, line.left, line.right) for way, line in ways][:first]
    owners = rasterize_owners(mesh.size, outlines)
    clear = np.where(rasterize_outlines(mesh.size, points[first:]), OUTSIDE, owners)
    windows = tuple(find_objects(clear + 1, division.lands + division.seas))
    return DrawnMap(lines, islets, points, kinds, owners, clear, windows)


def measure_drawn_areas(drawn: DrawnMap) -> Floats:
    """Return the area of each province within the lines as drawn, in map units."""
    swept = np.array([_measure_swept_area(points) for points in drawn.points])
    sides = np.array([(line.left, line.right) for line in drawn.lines])
    # The province on the right of a line has the line on its other side, so its area has the
    # opposite sign.
    weights = np.concatenate([swept, -swept])
    return np.abs(np.bincount(sides.T.ravel() + 1, weights=weights)[1:])


def _measure_swept_area(points: Sequence[Point]) -> float:
    """Return the area swept by a line from the origin to a point moving along `points`."""
    x, y = np.array(points).T
    return fsum((x[:-1] * y[1:] - x[1:] * y[:-1]).tolist()) / 2


def find_crowded_provinces(drawn: DrawnMap, layout: Layout) -> tuple[int, ...]:
    """Return the provinces without space for a code and all units."""
    doubtful = _count_badge_places(drawn.clear, layout.count) < _ROOMY_PLACES
    doubtful[: layout.lands] |= [bool(names) for names in layout.coast_names]
    tried = np.flatnonzero(doubtful).tolist()
    return tuple(province for province in tried if not _has_space(drawn, layout, province))


def _count_badge_places(owners: Ints, count: int) -> Ints:
    """Return, for each province, the number of pixels where a badge has all corners inside."""
    down, across = (round(side / PIXEL) for side in reversed(BADGE))
    upper, lower = owners[:-down], owners[down:]
    inside = (upper == lower)[:, across:] & (upper == lower)[:, :-across]
    inside &= upper[:, :-across] == upper[:, across:]
    return np.bincount(upper[:, :-across][inside] + 1, minlength=count + 1)[1:]


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


def _classify_lines(lines: Sequence[Line], lands: int) -> tuple[Bools, Bools]:
    """Return which lines are coasts and which run at sea."""
    left = np.array([line.left for line in lines])
    right = np.array([line.right for line in lines])
    inside = (left != OUTSIDE) & (right != OUTSIDE)
    coast = inside & ((left >= lands) != (right >= lands))
    coast |= left == right
    return coast, inside & ~coast & (left >= lands)


def _line_kind(line: Line, coast: bool, sea: bool) -> ArcKind:
    if OUTSIDE in (line.left, line.right):
        return ArcKind.FRAME
    if coast:
        return ArcKind.COAST
    return ArcKind.SEA if sea else ArcKind.LAND
