"""Passages: ways between two waters that no line of the map shows."""

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from math import ceil, dist

from diplomaccloud.atlas.chart import Chart, Passage, Point
from diplomaccloud.atlas.render.paths import num, path_data
from diplomaccloud.atlas.render.scene import frame_scale, rings_of
from diplomaccloud.atlas.render.theme import Theme
from diplomaccloud.judge.board import province_of

_BANKS, _WATER, _DOTS = 9.0, 5.8, 2.4
_STEP = 1.0


def draw_passages(chart: Chart, theme: Theme) -> str:
    """Return the passages of `chart`: a strait where one leads over land, a dotted line all along.

    Clipping to land would be simpler, but not every renderer clips by the even-odd rule.
    """
    if not chart.passages:
        return ""
    scale = frame_scale(chart)
    straits = "".join(
        path_data(piece, closed=False) for one in chart.passages for piece in _over_land(chart, one)
    )
    lines = "".join(path_data(one.points, closed=False) for one in chart.passages)
    return (
        '<g class="passages" fill="none" stroke-linecap="butt">'
        f'<path d="{straits}" stroke="{theme.coast}" stroke-width="{num(_BANKS * scale)}"/>'
        f'<path d="{straits}" stroke="{theme.water_line}" stroke-width="{num(_WATER * scale)}"/>'
        f'<path d="{lines}" stroke="{theme.sea_label}" stroke-width="{num(_DOTS * scale)}"'
        f' stroke-linecap="round" stroke-dasharray="0 {num(5 * scale)}"/></g>'
    )


def _over_land(chart: Chart, passage: Passage) -> Iterator[list[Point]]:
    """Yield the pieces of the line that lie in neither of the waters it joins."""
    ends = {province_of(end) for end in passage.ends}
    waters = [
        chart.outline(ring)
        for shape in chart.shapes
        if shape.province in ends
        for ring in rings_of(shape)
    ]
    samples = list(_sampled(passage.points))
    for dry, piece in groupby(samples, lambda point: not _inside(point, waters)):
        held = list(piece)
        if dry and len(held) > 1:
            yield held


def _sampled(points: Sequence[Point]) -> Iterator[Point]:
    for one, other in pairwise(points):
        count = max(1, ceil(dist(one, other) / _STEP))
        for i in range(count):
            part = i / count
            yield one[0] + part * (other[0] - one[0]), one[1] + part * (other[1] - one[1])
    yield points[-1]


def _inside(point: Point, outlines: Sequence[Sequence[Point]]) -> bool:
    """Return whether a line to the left of `point` crosses the outlines an odd number of times."""
    x, y = point
    odd = False
    for outline in outlines:
        for (x0, y0), (x1, y1) in pairwise((*outline, outline[0])):
            if (y0 > y) != (y1 > y) and x0 + (y - y0) * (x1 - x0) / (y1 - y0) < x:
                odd = not odd
    return odd
