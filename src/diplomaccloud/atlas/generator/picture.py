"""The lines of a map drawn, and its pixels: what no placement of homes and centers changes."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.ndimage import find_objects

from diplomaccloud.atlas.chart import ArcKind, Point
from diplomaccloud.atlas.generator.board import Layout
from diplomaccloud.atlas.generator.coastlines import drawn
from diplomaccloud.atlas.generator.mesh import Bools, Ints, Mesh
from diplomaccloud.atlas.generator.placement import place
from diplomaccloud.atlas.generator.provinces import Division
from diplomaccloud.atlas.generator.raster import PIXEL, covered, pixels
from diplomaccloud.atlas.generator.room import CrowdedError
from diplomaccloud.atlas.generator.topology import BEYOND, Line, outline_lines

_DOUBTFUL = 0.85
"""A province larger than this, of the mean of the lands, has room for what stands in it.

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
        outline_lines(mesh, islet, int(division.owner[islet[0]])) for islet in division.islets
    )
    lines = (*borders, *(line for islet in islets for line in islet))
    coast, sea = _kinds(lines, division.lands)
    points = drawn(mesh, lines, coast, sea, rng)
    kinds = tuple(map(_kind, lines, coast.tolist(), sea.tolist()))
    ways, first = zip(points, lines, strict=True), len(borders)
    outlines = [(way, line.left, line.right) for way, line in ways][:first]
    owners = pixels(mesh.size, outlines)
    clear = np.where(covered(mesh.size, points[first:]), BEYOND, owners)
    windows = tuple(find_objects(clear + 1, division.lands + division.seas))
    return Picture(lines, islets, points, kinds, owners, clear, windows)


def crowded(picture: Picture, layout: Layout) -> tuple[int, ...]:
    """Return the provinces of the land without room for a code and all its units."""
    lands = layout.lands
    counts = np.bincount(picture.clear.ravel() + 1)[1 : lands + 1]
    split = np.array([bool(names) for names in layout.coast_names])
    doubtful = np.flatnonzero(split | (counts * lands < _DOUBTFUL * int(counts.sum())))
    return tuple(land for land in doubtful.tolist() if not _has_room(picture, layout, land))


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
    inside = (left != BEYOND) & (right != BEYOND)
    coast = inside & ((left >= lands) != (right >= lands))
    coast |= left == right
    return coast, inside & ~coast & (left >= lands)


def _kind(line: Line, coast: bool, sea: bool) -> ArcKind:
    if BEYOND in (line.left, line.right):
        return ArcKind.FRAME
    if coast:
        return ArcKind.COAST
    return ArcKind.SEA if sea else ArcKind.LAND
