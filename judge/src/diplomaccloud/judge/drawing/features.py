"""Draw the features of a landscape: rivers, lakes, the signs of its climate, and their names.

They mean nothing in play, and are quiet: under borders and tints, in few colors. Rivers that fleets
follow are drawn in `terrain`.
"""

import re
from collections import defaultdict
from itertools import pairwise
from math import atan2, degrees, dist

from diplomaccloud.judge.drawing.chart import SIGNS, Chart, FeatureKind, cache_per_chart
from diplomaccloud.judge.drawing.labels import Labels
from diplomaccloud.judge.drawing.paths import num, write_path
from diplomaccloud.judge.drawing.scene import choose_fonts, escape_text, frame_scale
from diplomaccloud.judge.drawing.sizes import Box, box_around, measure_lines
from diplomaccloud.judge.drawing.terrain import (
    Peaks,
    draw_peaks,
    list_massif,
    taper_line,
    write_peaks,
)
from diplomaccloud.judge.drawing.theme import Theme

# All sizes are in plain units.

_SOURCE, _MOUTH, _LONG = 0.9, 2.6, 260.0
"""The width of a river at its source, and at the mouth of one of at least this length."""

_SHORE = 0.9

_SIGNS = {
    # Two firs, one behind the other.
    FeatureKind.FOREST: "m-3.2 1.6h3l-1.5-6zm3.8 1.4h3.4l-1.7-7z",
    # Two dunes.
    FeatureKind.DESERT: "m-5 1.6q2.8-4.6 5.6 0m-1.2-1.5q2.6-4 5 .4",
    # Reeds in water.
    FeatureKind.MARSH: "m-4.2 2h8.4m-6.4-1l-.9-3.4m3.1 3.4v-4.6m2.2 4.6l.9-3.4",
    # Floes.
    FeatureKind.ICE: "m-4.4 2l2.4-4.2 2 2.8 1.6-1.8 2.6 3.2",
    # Cracks in flat ice.
    FeatureKind.GLACIER: "m-7 .6q3.6-2.6 7-.4t7-.6m-9.4 4.4q2.6-1.8 5-.4",
}
"""The lines of a sign, from its place."""

_NUMBER = re.compile(r"-?\d*\.?\d+")

_FILLED = {FeatureKind.FOREST: 0.45, FeatureKind.ICE: 0.2}
"""How opaque the inside of a sign is."""

_SIGN_LINE = 0.9
NAME_SIZE, _NAME_HALO = 8.5, 2.4
"""The font size of the names of features, and the width of the halo around them."""


def draw_features(chart: Chart, theme: Theme) -> str:
    """Return the signs, rivers and lakes; empty for a chart without them."""
    if not chart.features:
        return ""
    signs, rivers, lakes, peaks = _trace_features(chart)
    scale = frame_scale(chart)
    line = num(_SIGN_LINE * scale)
    drawn = "".join(
        f'<path d="{path}" stroke="{ink}" stroke-width="{line}" fill="{ink}"'
        f' fill-opacity="{_FILLED.get(kind, 0)}"/>'
        for kind, path in signs.items()
        for ink in (theme.ice if kind is FeatureKind.GLACIER else getattr(theme, kind.value),)
    )
    water = "".join(
        f'<path d="{path}" stroke-width="{num(width)}"/>' for width, path in rivers.items()
    )
    if water:
        drawn += f'<g fill="none" stroke="{theme.sea_border}" stroke-linejoin="round">{water}</g>'
    if lakes:
        drawn += (
            f'<path d="{lakes}" fill="{theme.sea}" stroke="{theme.sea_border}"'
            f' stroke-width="{num(_SHORE * scale)}"/>'
        )
    if peaks:
        drawn += (
            f'<g stroke="{theme.coast}" stroke-linejoin="round" stroke-linecap="round">'
            f"{draw_peaks(peaks, theme, scale)}</g>"
        )
    return f'<g class="features">{drawn}</g>' if drawn else ""


@cache_per_chart
def _trace_features(chart: Chart) -> tuple[dict[FeatureKind, str], dict[float, str], str, Peaks]:
    """Return path data: of signs by kind, of rivers by width in map units, of lakes, and of peaks.

    Peaks are no signs here.
    """
    signs: dict[FeatureKind, str] = defaultdict(str)
    rivers: dict[float, str] = defaultdict(str)
    lakes, scale = "", frame_scale(chart)
    peaks = [
        peak
        for feature in chart.features
        if feature.kind is FeatureKind.MOUNTAIN
        for peak in list_massif(feature.points, scale)
    ]
    for feature in chart.features:
        if feature.kind in SIGNS - {FeatureKind.MOUNTAIN}:
            sign = _NUMBER.sub(lambda found: _scale(found, scale), _SIGNS[feature.kind])
            signs[feature.kind] += "".join(f"M{num(x)} {num(y)}{sign}" for x, y in feature.points)
        elif feature.kind is FeatureKind.RIVER:
            points = feature.points
            length = sum(dist(point, to) for point, to in pairwise(points))
            mouth = _SOURCE + (_MOUTH - _SOURCE) * min(1.0, length / scale / _LONG)
            for width, piece in taper_line(points, _SOURCE, mouth):
                rivers[width * scale] += write_path(piece, closed=False)
        elif feature.kind is FeatureKind.LAKE:
            lakes += write_path(feature.points, closed=True)
    return dict(signs), dict(sorted(rivers.items())), lakes, write_peaks(peaks)


def _scale(found: re.Match[str], scale: float) -> str:
    """Return a number of a path times `scale`, with what divides it from the one before."""
    text = num(float(found[0]) * scale)
    return text if text.startswith("-") else f" {text}"


def list_feature_boxes(chart: Chart) -> list[Box]:
    """Return boxes that cover the printed names of features, several for each turned name."""
    size, boxes = NAME_SIZE * frame_scale(chart), []
    for feature in chart.features:
        if feature.name and (line := feature.printed_line):
            (x, y), (to_x, to_y) = line
            long = dist(*line) or 1.0
            right, down = (to_x - x) / long, (to_y - y) / long
            (letters,) = measure_lines((0, 0), (feature.name,), size)
            count = int(letters.width / size) + 1
            # The letters stand on the line.
            middle_x = (x + to_x) / 2 + 0.3 * size * down
            middle_y = (y + to_y) / 2 - 0.3 * size * right
            for number in range(count + 1):
                off = letters.width * (number / count - 0.5)
                at = middle_x + off * right, middle_y + off * down
                boxes.append(box_around(at, 0.6 * size, 0.6 * size))
    return boxes


def draw_feature_names(chart: Chart, theme: Theme, labels: Labels) -> str:
    """Return the names of features, in small italics along their lines, if there are names."""
    if labels not in (Labels.NAMES, Labels.BOTH):
        return ""
    size, halo = NAME_SIZE * frame_scale(chart), _NAME_HALO * frame_scale(chart)
    names = []
    for feature in chart.features:
        if feature.name and (line := feature.printed_line):
            (x, y), (to_x, to_y) = line
            turn = degrees(atan2(to_y - y, to_x - x))
            names.append(
                f'<text transform="translate({num((x + to_x) / 2)} {num((y + to_y) / 2)})'
                f' rotate({num(turn)})">{escape_text(feature.name)}</text>'
            )
    if not names:
        return ""
    return (
        f'<g class="feature-names" font-family="{choose_fonts(theme)}" font-style="italic"'
        f' font-size="{num(size)}" text-anchor="middle" fill="{theme.label}"'
        f' stroke="{theme.label_halo}" stroke-width="{num(halo)}" stroke-opacity=".8"'
        f' paint-order="stroke">{"".join(names)}</g>'
    )
