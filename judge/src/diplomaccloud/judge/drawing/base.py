"""Draw the base map, which never changes: water, land, relief, borders and the frame."""

import struct
import zlib
from base64 import b64encode
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby, pairwise
from math import ceil, dist

from diplomaccloud.judge.board import Terrain, province_of
from diplomaccloud.judge.drawing.chart import (
    COVERS,
    ArcKind,
    Chart,
    FeatureKind,
    Passage,
    Point,
    Relief,
    cache_per_chart,
)
from diplomaccloud.judge.drawing.diagram import draw_disks
from diplomaccloud.judge.drawing.features import draw_features
from diplomaccloud.judge.drawing.paths import (
    find_border_arcs,
    num,
    simplify,
    simplify_chart,
    smooth_line,
    write_arcs,
    write_path,
    write_rings,
)
from diplomaccloud.judge.drawing.scene import frame_margin, frame_scale, list_rings, svg_element
from diplomaccloud.judge.drawing.theme import LIGHT, Theme

_WATER_LINES = ((40, 0.16), (30, 0.2), (20, 0.27), (11, 0.4))
"""Width and opacity of the strokes along the coast; the land hides half of each."""

_LAND_EDGES = (24, 10)
"""Widths of the strokes that darken the land along the coast."""

_ROUGHNESS = 2.0
"""How far the coast that these faint strokes follow may be from the coast, in plain units.

The strokes hide it, and a browser draws the map in half the time.
"""

_WHOLE_SCALE = 0.7
"""Where a plain unit is larger than this, whole numbers are precise enough for that coast."""

BORDER_WIDTH = 1.1
"""The width of borders and of the thin lines of the frame, in plain units."""

EDGE_WIDTH = 2.6
"""The width of the line around the map, in plain units."""

_COAST_WIDTH, _ISLET_WIDTH = 1.8, 0.9
"""The widths of coasts; a thick line would hide a small island."""

_SEA_DASH, _SEA_SPACE = 6, 5
"""The dashes of borders at sea, which must look different from coasts, in plain units."""

_ICE_EDGES = (34, 20, 9)
"""Widths of the strokes that shade the edge of an ice cap, of which half is inside."""

_ENGRAVED = ((30, 5.2), (17, 2.6), (7, 1.3))
"""How far fine lines reach along an engraved coast, and the distance between them, in plain units:
half of each reach is hidden by the land."""

_ENGRAVED_LINE = 0.55
"""The width of these lines."""

_CONTOURS = ((34, 0.5), (21, 0.7), (10, 0.9))
"""How far from a coast the middles of lines that follow it are, doubled, and their widths."""

_HATCH_STEP, _HATCH_SHARE = 7, 3
"""The distance between the lines of impassable land, and how much wider it is than a line."""

_FRAME_GROUND = 1.1
"""How far the ground of the frame reaches, in frame widths: a little past the frame's edge."""

_FRAME_LINES = (0.72, 0.12)
"""Where the thin lines of the frame are, in frame widths from the map."""

_FRAME_BARS = (0.26, 0.58)
"""Where the bars of the frame begin and end, between its thin lines."""

_BAR_LENGTH = 42.0
"""About the length of a bar of the frame, in plain units."""

_TOLERANCE = 0.15
"""How far a drawn line may be from the chart's, in plain units; less is invisible."""

_SEA_TOLERANCE = 6.0
"""The same for borders at sea, which are then smoothed."""


def render_base(chart: Chart, theme: Theme = LIGHT) -> str:
    """Return a standalone SVG of land, water and frame: no names, units or ownership.

    The map begins at `(0, 0)` of its `viewBox`; the frame is around it. Ids start with `b-`.
    """
    return svg_element(chart, draw_base(chart, theme), ' class="base"')


def draw_base(chart: Chart, theme: Theme, shading: float = 1.0) -> str:
    """Return the content of the base map, without the `svg` element.

    `shading` is the opacity of the relief.
    """
    chart = refine_chart(chart)
    ground = f'<path d="{_build_rectangle(chart, _FRAME_GROUND)}" fill="{theme.frame}"/>'
    if chart.diagram:
        return f"{ground}{draw_disks(chart, theme)}{_draw_frame(chart, theme)}"
    return "".join(
        (
            _draw_definitions(chart, theme),
            ground,
            # Round joins look the same on lines this fine, and take a fifth longer to draw.
            '<g clip-path="url(#b-map)" stroke-linejoin="bevel" stroke-linecap="round">',
            _draw_water(chart, theme),
            _draw_land(chart, theme, shading),
            _draw_lines(chart, theme),
            draw_passages(chart, theme),
            "</g>",
            _draw_frame(chart, theme),
        )
    )


@cache_per_chart
def refine_chart(chart: Chart) -> Chart:
    """Return `chart` as it is drawn: without details that are too small to see.

    Borders at sea, which follow no coast, become smooth curves.
    """
    scale = frame_scale(chart)
    arcs = []
    for arc in chart.arcs:
        points = arc.points
        if arc.kind is ArcKind.SEA:
            points = smooth_line(simplify(points, _SEA_TOLERANCE * scale))
        arcs.append(replace(arc, points=simplify(points, _TOLERANCE * scale)))
    return replace(chart, arcs=tuple(arcs))


def _draw_definitions(chart: Chart, theme: Theme) -> str:
    width, height = chart.size
    step = _HATCH_STEP * frame_scale(chart)
    line = num(step / _HATCH_SHARE)
    coasts, islets = _find_coast_arcs(chart)
    rough = _draw_roughly(chart)
    return (
        '<defs><radialGradient id="b-sea" r=".72">'
        f'<stop offset=".35" stop-color="{theme.sea}"/>'
        f'<stop offset="1" stop-color="{theme.sea_deep}"/></radialGradient>'
        f'<clipPath id="b-map"><path d="M0 0h{num(width)}v{num(height)}H0z"/></clipPath>'
        f'<path id="b-coast" d="{write_arcs(chart, coasts)}"/>'
        f'<path id="b-islet" d="{write_arcs(chart, islets)}"/>'
        f'<path id="b-rough" d="{write_arcs(rough, coasts)}"/>'
        f'<path id="b-land" d="{write_arcs(chart, _find_land_arcs(chart))}"/>'
        '<clipPath id="b-ground"><use href="#b-land" clip-rule="evenodd"/></clipPath>'
        f'<pattern id="b-hatch" width="{num(step)}" height="{num(step)}"'
        ' patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
        f'<path d="M0 0v{num(step)}" stroke="{theme.hatch}" stroke-width="{line}"/>'
        f"</pattern>{_draw_engraved_lines(chart, theme)}</defs>"
    )


def _draw_engraved_lines(chart: Chart, theme: Theme) -> str:
    """Return a pattern of horizontal lines for each of `_ENGRAVED`, if the theme has them."""
    if not theme.look.engraved:
        return ""
    scale = frame_scale(chart)
    return "".join(
        f'<pattern id="b-lines{number}" width="40" height="{step * scale:.2f}"'
        f' patternUnits="userSpaceOnUse"><path d="M0 {step * scale / 2:.2f}h40"'
        f' stroke="{theme.water_line}" stroke-width="{_ENGRAVED_LINE * scale:.2f}"/></pattern>'
        for number, (_, step) in enumerate(_ENGRAVED)
    )


def _draw_roughly(chart: Chart) -> Chart:
    """Return `chart` with few points in each arc, written in few digits."""
    scale = frame_scale(chart)
    digits = 0 if scale > _WHOLE_SCALE else 1
    rough = simplify_chart(chart, _ROUGHNESS * scale)
    arcs = (
        replace(arc, points=tuple((round(x, digits), round(y, digits)) for x, y in arc.points))
        for arc in rough.arcs
    )
    return replace(rough, arcs=tuple(arcs))


def _find_land_arcs(chart: Chart) -> list[int]:
    """Return the arcs around all land, including the scenery."""
    rings = [ring for _, outline in chart.scenery for ring in outline]
    by_code = chart.board.by_code
    for shape in chart.shapes:
        if by_code[shape.province].terrain is not Terrain.SEA:
            rings += list_rings(shape)
    return find_border_arcs(rings)


def _find_coast_arcs(chart: Chart) -> tuple[list[int], list[int]]:
    """Return the arcs of coasts next to provinces, and those of islets."""
    # An islet is a single closed arc.
    rings = [ring for code, outline in chart.scenery if not code for ring in outline]
    islets = {ref if ref >= 0 else ~ref for ref, *others in rings if not others}
    coasts = [i for i in _find_land_arcs(chart) if chart.arcs[i].kind is not ArcKind.FRAME]
    return [i for i in coasts if i not in islets], [i for i in coasts if i in islets]


def _draw_water(chart: Chart, theme: Theme) -> str:
    width, height = chart.size
    scale = frame_scale(chart)
    strokes: list[tuple[float, str]]
    if theme.look.engraved:
        strokes = [(wide, f'stroke="url(#b-lines{i})"') for i, (wide, _) in enumerate(_ENGRAVED)]
    elif theme.look.contoured:
        # Each wide line is covered by one in the color of the sea that leaves only its edge.
        strokes = [
            (wide + side * line, f'stroke="{ink}" stroke-linejoin="round"')
            for wide, line in _CONTOURS
            for side, ink in ((1, theme.water_line), (-1, theme.sea))
        ]
    else:
        strokes = [(wide, f'stroke-opacity="{opacity}"') for wide, opacity in _WATER_LINES]
    lines = "".join(
        f'<g stroke-width="{num(wide * scale)}" {stroke}>'
        '<use href="#b-rough"/><use href="#b-islet"/></g>'
        for wide, stroke in strokes
    )
    seas = [i for i, arc in enumerate(chart.arcs) if arc.kind is ArcKind.SEA]
    return (
        f'<path d="M0 0h{num(width)}v{num(height)}H0z" fill="url(#b-sea)"/>'
        f'<g fill="none" stroke="{theme.water_line}">{lines}</g>'
        f'<path d="{write_arcs(chart, seas)}" fill="none" stroke="{theme.sea_border}"'
        f' stroke-width="{num(BORDER_WIDTH * scale)}" stroke-opacity=".8"'
        f' stroke-dasharray="{num(_SEA_DASH * scale)} {num(_SEA_SPACE * scale)}"/>'
    )


def _draw_land(chart: Chart, theme: Theme, shading: float) -> str:
    scale = frame_scale(chart)
    edges = "".join(
        f'<use href="#b-rough" stroke-width="{num(wide * scale)}"/>' for wide in _LAND_EDGES
    )
    covers = _find_covers(chart)
    scenery = "".join(
        f'<path d="{write_rings(chart, rings)}" fill="{ink}"/>'
        for number, (code, rings) in enumerate(chart.scenery)
        for ink in _list_inks(theme, covers.get(number), impassable=bool(code))
    )
    ice = "".join(
        write_rings(chart, chart.scenery[number][1])
        for number, kind in covers.items()
        if kind is FeatureKind.GLACIER
    )
    if ice:
        shore = "".join(f'<use href="#b-ice" stroke-width="{num(w * scale)}"/>' for w in _ICE_EDGES)
        scenery += (
            f'<clipPath id="b-glacier"><path d="{ice}" clip-rule="evenodd"/></clipPath>'
            f'<g fill="none" stroke="{theme.ice}" stroke-opacity=".22"'
            f' clip-path="url(#b-glacier)"><path id="b-ice" d="{ice}" stroke="none"/>{shore}</g>'
        )
    # Impassable land has another tone, but hills like the rest.
    return (
        f'<use href="#b-land" fill="{theme.land}" fill-rule="evenodd"/>'
        + (f'<g fill-rule="evenodd">{scenery}</g>' if scenery else "")
        + '<g clip-path="url(#b-ground)">'
        f"{_draw_relief(chart, theme, shading)}{draw_features(chart, theme)}"
        f'<g fill="none" stroke="{theme.land_edge}" stroke-opacity=".13">{edges}</g></g>'
    )


def _list_inks(theme: Theme, cover: FeatureKind | None, *, impassable: bool) -> tuple[str, ...]:
    """Return what to fill land without a province with, one ink over the other."""
    if cover is FeatureKind.GLACIER:
        return (theme.glacier,)
    if cover is FeatureKind.MOUNTAIN:
        return (theme.rock,)
    return (theme.scenery, "url(#b-hatch)") if impassable else (theme.scenery,)


@cache_per_chart
def _find_covers(chart: Chart) -> dict[int, FeatureKind]:
    """Return the kind of what covers impassable land, by the number of the scenery."""
    covers = [feature for feature in chart.features if feature.kind in COVERS]
    found: dict[int, FeatureKind] = {}
    for number, (code, rings) in enumerate(chart.scenery):
        outlines = [chart.outline(ring) for ring in rings] if code and covers else []
        kinds = (one.kind for one in covers if _is_inside(one.points[0], outlines))
        if kind := next(kinds, None):
            found[number] = kind
    return found


def _draw_relief(chart: Chart, theme: Theme, shading: float) -> str:
    shading *= theme.look.relief
    if chart.relief is None or not shading:
        return ""
    width, height = chart.size
    png = draw_relief(chart.relief, theme.relief_dark, theme.relief_light)
    faint = f' opacity="{num(shading)}"' if shading < 1 else ""
    return (
        f'<image width="{num(width)}" height="{num(height)}" preserveAspectRatio="none"{faint}'
        f' href="data:image/png;base64,{b64encode(png).decode()}"/>'
    )


def _draw_lines(chart: Chart, theme: Theme) -> str:
    scale = frame_scale(chart)
    bold = scale * theme.look.weight
    borders = [i for i, arc in enumerate(chart.arcs) if arc.kind is ArcKind.LAND]
    coast, islet = num(_COAST_WIDTH * bold), num(_ISLET_WIDTH * bold)
    return (
        f'<g fill="none"><path d="{write_arcs(chart, borders)}" stroke="{theme.border}"'
        f' stroke-width="{num(BORDER_WIDTH * bold)}" stroke-opacity=".75"/>'
        f'<g stroke="{theme.coast}"><use href="#b-coast" stroke-width="{coast}"/>'
        f'<use href="#b-islet" stroke-width="{islet}" stroke-opacity=".7"/></g></g>'
    )


def _draw_frame(chart: Chart, theme: Theme) -> str:
    scale = frame_scale(chart)
    thin, bold = num(BORDER_WIDTH * scale), num(EDGE_WIDTH * scale)
    return (
        f'<path d="{_draw_bars(chart)}" fill="{theme.frame_bar}"/>'
        f'<g fill="none" stroke="{theme.frame_line}">'
        f'<path d="{"".join(_build_rectangle(chart, out) for out in _FRAME_LINES)}"'
        f' stroke-width="{thin}"'
        ' stroke-opacity=".8"/>'
        f'<path d="{_build_rectangle(chart, 0)}" stroke-width="{bold}"/></g>'
    )


def _build_rectangle(chart: Chart, out: float) -> str:
    """Return a rectangle `out` frame widths outside the map."""
    off = frame_margin(chart) * out
    width, height = (side + 2 * off for side in chart.size)
    return f"M{num(-off)} {num(-off)}h{num(width)}v{num(height)}h{num(-width)}z"


def _draw_bars(chart: Chart) -> str:
    """Return the bars of the frame, an odd number per side so that all corners are filled."""
    inner, outer = (frame_margin(chart) * out for out in _FRAME_BARS)
    thick = outer - inner
    parts = []
    for along, across, flat in ((*chart.size, True), (*chart.size[::-1], False)):
        length = along + 2 * outer
        count = round(length / (_BAR_LENGTH * frame_scale(chart))) // 2 * 2 + 1
        step = length / count
        for start in (-outer + step * i for i in range(0, count, 2)):
            for edge in (-outer, across + inner):
                x, y, w, h = (start, edge, step, thick) if flat else (edge, start, thick, step)
                parts.append(f"M{num(x)} {num(y)}h{num(w)}v{num(h)}h{num(-w)}z")
    return "".join(parts)


# Draw passages: connections between two places that share no line on the map.

_BANKS, _WATER, _DOTS, _DOT_STEP = 9.0, 5.8, 2.4, 5
"""Widths in plain units: a strait with its banks, its water, and the dotted line; and the distance
from dot to dot."""

_SAMPLE_STEP = 1.0
"""In map units."""


def draw_passages(chart: Chart, theme: Theme) -> str:
    """Return the passages of `chart` as dotted lines, with a strait where they cross land.

    Those with a letter, which lead around the map, are drawn in `terrain`. Clipping to the land
    would be simpler, but not every renderer clips by the even-odd rule.
    """
    passages = [passage for passage in chart.passages if not passage.mark]
    if not passages:
        return ""
    scale = frame_scale(chart)
    straits = "".join(
        write_path(piece, closed=False)
        for passage in passages
        for piece in _find_land_pieces(chart, passage)
    )
    lines = "".join(write_path(passage.points, closed=False) for passage in passages)
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
    samples = []
    for (x, y), (to_x, to_y) in pairwise(passage.points):
        steps = max(1, ceil(dist((x, y), (to_x, to_y)) / _SAMPLE_STEP))
        parts = (i / steps for i in range(steps))
        samples += [(x + part * (to_x - x), y + part * (to_y - y)) for part in parts]
    samples.append(passage.points[-1])
    for dry, piece in groupby(samples, lambda point: not _is_inside(point, waters)):
        points = list(piece)
        if dry and len(points) > 1:
            yield points


def _is_inside(point: Point, outlines: Sequence[Sequence[Point]]) -> bool:
    """Return whether a line to the left of `point` crosses the outlines an odd number of times."""
    x, y = point
    odd = False
    for outline in outlines:
        for (x0, y0), (x1, y1) in pairwise((*outline, outline[0])):
            if (y0 > y) != (y1 > y) and x0 + (y - y0) * (x1 - x0) / (y1 - y0) < x:
                odd = not odd
    return odd


# Relief shading: elevation lit from the northwest, as a small translucent PNG.


_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_STEPS = 16
"""The number of shades on each side of level ground."""

_MAX_WIDTH = 480


_BEND, _GAIN, _STRENGTH = 0.5, 1.25, 0.8
"""How much steep slopes are compressed, how much gentle ones are raised, and the strongest shade
that a slope of 1 gets: found by eye on maps of plains and of mountains."""

MAX_DARK_OPACITY = 0.66
MAX_LIGHT_OPACITY = 0.6
"""The opacity of the strongest shades."""


def draw_relief(relief: Relief, dark: str, light: str) -> bytes:
    """Return a palette PNG of the shading: slopes are `dark` or `light`, level ground is clear.

    At most 480 pixels wide. The contrast follows the relief's own steepest slopes, so the
    picture looks the same for any scale of elevation.
    """
    step, width, values = -(-relief.width // _MAX_WIDTH), relief.width, relief.values
    rows = [values[y * width : (y + 1) * width : step] for y in range(0, relief.height, step)]
    slopes = _find_slopes(_double_rows(rows) if len(rows[0]) <= _MAX_WIDTH // 2 else rows)
    steep = _find_steep_slope(slopes)
    # Slopes from 0 up, then the negative ones, so that a negative slope indexes from the end.
    table = [_choose_shade(slope / steep) for slope in (*range(256), *range(-255, 0))]
    shades = [bytes(map(table.__getitem__, row)) for row in slopes]
    shaded = [(dark, MAX_DARK_OPACITY * (_STEPS - i) / _STEPS) for i in range(_STEPS)]
    lit = [(light, MAX_LIGHT_OPACITY * i / _STEPS) for i in range(_STEPS + 1)]
    palette = [(bytes.fromhex(ink[1:]), round(255 * alpha)) for ink, alpha in shaded + lit]
    return _write_png(shades, palette)


def _double_rows(rows: Sequence[Sequence[int]]) -> list[Sequence[int]]:
    """Return a grid twice as fine, so that a browser does not show squares."""
    wide = [
        [height for pair in zip(row, _find_midpoints(row), strict=True) for height in pair]
        for row in rows
    ]
    columns = [_find_midpoints(column) for column in zip(*wide, strict=True)]
    between = zip(*columns, strict=True)
    return [row for pair in zip(wide, between, strict=True) for row in pair]


def _find_midpoints(line: Sequence[int]) -> list[int]:
    """Return the height halfway from each point of `line` to the next, on a smooth curve."""
    padded = (line[0], *line, line[-1], line[-1])
    return [
        (9 * (b + c) - a - d + 8) // 16
        for a, b, c, d in zip(padded, padded[1:], padded[2:], padded[3:], strict=False)
    ]


def _find_slopes(rows: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return the rise toward the southeast, positive where the light falls.

    It is measured across single cells, so that a coarse grid is not blurred further. A shore is
    not a slope: the height 0 of the water would give every coast a dark side.
    """
    return [
        [
            next_height - height if height and next_height else 0
            for height, next_height in zip(row, (*below[1:], below[-1]), strict=True)
        ]
        for row, below in zip(rows, [*rows[1:], rows[-1]], strict=True)
    ]


def _find_steep_slope(slopes: Sequence[Sequence[int]]) -> int:
    """Return the slope that six in seven do not exceed, without level ground.

    Those are drawn with the full range of shades.
    """
    counts: Counter[int] = Counter()
    for row in slopes:
        counts.update(map(abs, row))
    del counts[0]
    remaining = counts.total() * 6 // 7
    for slope in sorted(counts):
        remaining -= counts[slope]
        if remaining < 0:
            return slope
    return 1


def _choose_shade(slope: float) -> int:
    bent = slope / (1 + abs(slope) * _BEND) * _GAIN
    return _STEPS + max(-_STEPS, min(_STEPS, round(bent * _STEPS * _STRENGTH)))


def _write_png(rows: Sequence[bytes], palette: Sequence[tuple[bytes, int]]) -> bytes:
    header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 3, 0, 0, 0)
    parts = (
        (b"IHDR", header),
        (b"PLTE", b"".join(ink for ink, _ in palette)),
        (b"tRNS", bytes(alpha for _, alpha in palette)),
        (b"IDAT", zlib.compress(b"".join(b"\0" + row for row in rows), 9)),
        (b"IEND", b""),
    )
    chunks = (
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
        for name, body in parts
    )
    return _SIGNATURE + b"".join(chunks)
