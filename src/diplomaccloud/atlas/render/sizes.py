"""The sizes of names and badges on a map, in map units. They depend on the map alone."""

from statistics import median

from diplomaccloud.atlas.chart import Anchors, Chart, Point
from diplomaccloud.atlas.render.chart_cache import cache_per_chart
from diplomaccloud.judge.board import Terrain

HALF_WIDTH = 20.0
HALF_HEIGHT = 19.0
"""Half the size of a badge, in plain units of `badge_scale` map units."""

MAP_SIZE = 1340.0
"""The longer side of a map at which the frame has its plain size."""

_LABEL_SIZE = 15.0
"""The size of names at which a plain unit is one map unit."""

CODE_SIZE = 1.15
"""The font size of a code that replaces a name, relative to the usual size of names."""

LINE_HEIGHT = 1.12
"""In font sizes."""

_LETTER_WIDTH = 0.5
"""The usual width of a letter, in font sizes."""


@cache_per_chart
def usual_label_size(chart: Chart) -> float:
    """Return the median font size of the names on land, or one in scale with the map."""
    by_code = chart.board.by_code
    sizes = [
        shape.anchors.label_size
        for shape in chart.shapes
        if shape.anchors.label_size > 0 and by_code[shape.province].terrain is not Terrain.SEA
    ]
    return median(sizes) if sizes else max(chart.size) * _LABEL_SIZE / MAP_SIZE


def badge_scale(chart: Chart) -> float:
    """Return the size of a plain unit of badges, stars and strokes, in map units."""
    return usual_label_size(chart) / _LABEL_SIZE


def label_box(chart: Chart, anchors: Anchors) -> tuple[Point, Point]:
    """Return the center and half the size of a name, or of the code that replaces it."""
    size = anchors.label_size or usual_label_size(chart) * CODE_SIZE
    lines = anchors.label_lines or ("XXX",)
    width = max(len(line) for line in lines) * size * _LETTER_WIDTH
    return anchors.label, (width / 2, size * LINE_HEIGHT * len(lines) / 2)
