"""Draw passages: connections between two places that share no line on the map."""

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from math import ceil, dist

from diplomaccloud.atlas.chart import Chart, Passage, Point
from diplomaccloud.atlas.render.paths import num, write_path
from diplomaccloud.atlas.render.scene import frame_scale, list_rings
from diplomaccloud.atlas.render.theme import Theme
from diplomaccloud.judge.board import province_of

_BANKS, _WATER, _DOTS, _DOT_STEP = 9.0, 5.8, 2.4, 5
"""Widths in plain units: a strait with its banks, its water, and the dotted line; and the distance
from dot to dot."""

_SAMPLE_STEP = 1.0
"""In map units."""


def draw_passages(chart: Chart, theme: Theme) -> str:
    """Return the passages of `chart` as dotted lines, with a strait where they cross land.

    Clipping to the land would be simpler, but not every renderer clips by the even-odd rule.
    """
    if not chart.passages:
        return ""
    scale = frame_scale(chart)
    straits = "".join(
        write_path(piece, closed=False)
        for passage in chart.passages
        for piece in _find_land_pieces(chart, passage)
    )
    lines = "".join(write_path(passage.points, closed=False) for passage in chart.passages)
    return (
        '<g class="passages" fill="none" stroke-linecap="butt">'
        f'<path d="{straits}" stroke="{theme.coast}" stroke-width="{num(_BANKS * scale)}"/>'
        f'<path d="{straits}" stroke="{theme.water_line}" stroke-width="{num(_WATER * scale)}"/>'
        f'<path d="{lines}" stroke="{theme.sea_label}" stroke-width="{num(_DOTS * scale)}"'
        f' stroke-linecap="round" stroke-dasharray="0 {num(_DOT_STEP * scale)}"/></g>'
    )


def _find_land_pieces(chart: Chart, passage: Passage) -> Iterator[list[Point]]:
    """Yield the pieces of the line that are outside both places that it connects."""
    ends = {province_of(end) for end in passage.ends}
    waters = [
        chart.outline(ring)
        for shape in chart.shapes
        if shape.province in ends
        for ring in list_rings(shape)
    ]
    samples = list(_sample_points(passage.points))
    for dry, piece in groupby(samples, lambda point: not _is_inside(point, waters)):
        points = list(piece)
        if dry and len(points) > 1:
            yield points


def _sample_points(points: Sequence[Point]) -> Iterator[Point]:
    for start, end in pairwise(points):
        count = max(1, ceil(dist(start, end) / _SAMPLE_STEP))
        for i in range(count):
            part = i / count
            yield start[0] + part * (end[0] - start[0]), start[1] + part * (end[1] - start[1])
    yield points[-1]


def _is_inside(point: Point, outlines: Sequence[Sequence[Point]]) -> bool:
    """Return whether a line to the left of `point` crosses the outlines an odd number of times."""
    x, y = point
    odd = False
    for outline in outlines:
        for (x0, y0), (x1, y1) in pairwise((*outline, outline[0])):
            if (y0 > y) != (y1 > y) and x0 + (y - y0) * (x1 - x0) / (y1 - y0) < x:
                odd = not odd
    return odd
