"""The part of a map that no turn changes: water, land, relief, borders and the frame."""

from base64 import b64encode
from dataclasses import replace

from diplomaccloud.atlas.chart import ArcKind, Chart
from diplomaccloud.atlas.render.chart_cache import once_per_chart
from diplomaccloud.atlas.render.passages import draw_passages
from diplomaccloud.atlas.render.paths import (
    border_arcs,
    chain_data,
    num,
    ring_data,
    simplified,
    smoothed,
)
from diplomaccloud.atlas.render.relief import relief_png
from diplomaccloud.atlas.render.scene import frame_scale, margin_of, rings_of, svg_element
from diplomaccloud.atlas.render.theme import LIGHT, Theme
from diplomaccloud.judge.board import Terrain

_WATER_LINES = ((40, 0.16), (30, 0.2), (20, 0.27), (11, 0.4))
"""Width and opacity of the strokes along the coast, the half on land hidden by the land."""

_BAR = 42.0
_FINE = 0.15
_CALM = 6.0


def render_base(chart: Chart, theme: Theme = LIGHT) -> str:
    """Return a standalone SVG of land, water and frame: no names, units or ownership.

    The map stands at `(0, 0)` of its `viewBox`, the frame around it. Ids begin with `b-`.
    """
    return svg_element(chart, base_content(chart, theme), ' class="base"')


def base_content(chart: Chart, theme: Theme, shading: float = 1.0) -> str:
    """Return what `render_base` draws, without the `svg` element around it.

    `shading` is the opacity of the relief.
    """
    chart = fine_chart(chart)
    return "".join(
        (
            _definitions(chart, theme),
            _frame_ground(chart, theme),
            '<g clip-path="url(#b-map)" stroke-linejoin="round" stroke-linecap="round">',
            _water(chart, theme),
            _land(chart, theme, shading),
            _lines(chart, theme),
            draw_passages(chart, theme),
            "</g>",
            _frame(chart, theme),
        )
    )


@once_per_chart
def fine_chart(chart: Chart) -> Chart:
    """Return `chart` as it is drawn: without points too close together to be seen.

    Borders at sea, which no coast or hill bends, become smooth lines.
    """
    scale = frame_scale(chart)
    arcs = (
        replace(
            arc,
            points=simplified(smoothed(simplified(arc.points, _CALM * scale)), _FINE * scale)
            if arc.kind is ArcKind.SEA
            else simplified(arc.points, _FINE * scale),
        )
        for arc in chart.arcs
    )
    return replace(chart, arcs=tuple(arcs))


def _definitions(chart: Chart, theme: Theme) -> str:
    width, height = chart.size
    step = 7 * frame_scale(chart)
    coasts, islets = _coast_arcs(chart)
    return (
        '<defs><radialGradient id="b-sea" r=".72">'
        f'<stop offset=".35" stop-color="{theme.sea}"/>'
        f'<stop offset="1" stop-color="{theme.sea_deep}"/></radialGradient>'
        f'<clipPath id="b-map"><path d="M0 0h{num(width)}v{num(height)}H0z"/></clipPath>'
        f'<path id="b-coast" d="{chain_data(chart, coasts)}"/>'
        f'<path id="b-islet" d="{chain_data(chart, islets)}"/>'
        f'<path id="b-land" d="{chain_data(chart, _land_arcs(chart))}"/>'
        '<clipPath id="b-ground"><use href="#b-land" clip-rule="evenodd"/></clipPath>'
        f'<pattern id="b-hatch" width="{num(step)}" height="{num(step)}"'
        ' patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
        f'<path d="M0 0v{num(step)}" stroke="{theme.hatch}" stroke-width="{num(step / 3)}"/>'
        "</pattern></defs>"
    )


def _land_arcs(chart: Chart) -> list[int]:
    """Return the arcs around all land, scenery included."""
    rings = [ring for _, outline in chart.scenery for ring in outline]
    by_code = chart.board.by_code
    for shape in chart.shapes:
        if by_code[shape.province].terrain is not Terrain.SEA:
            rings += rings_of(shape)
    return border_arcs(rings)


def _coast_arcs(chart: Chart) -> tuple[list[int], list[int]]:
    """Return the arcs of coasts where units can be, and those of islets."""
    islets = {
        ref if ref >= 0 else ~ref
        for code, rings in chart.scenery
        if not code
        for ring in rings
        if len(ring) == 1
        for ref in ring
    }
    coasts = [i for i in _land_arcs(chart) if chart.arcs[i].kind is not ArcKind.FRAME]
    return [i for i in coasts if i not in islets], [i for i in coasts if i in islets]


def _water(chart: Chart, theme: Theme) -> str:
    width, height = chart.size
    scale = frame_scale(chart)
    lines = "".join(
        f'<g stroke-width="{num(wide * scale)}" stroke-opacity="{opacity}">'
        '<use href="#b-coast"/><use href="#b-islet"/></g>'
        for wide, opacity in _WATER_LINES
    )
    seas = [i for i, arc in enumerate(chart.arcs) if arc.kind is ArcKind.SEA]
    return (
        f'<path d="M0 0h{num(width)}v{num(height)}H0z" fill="url(#b-sea)"/>'
        f'<g fill="none" stroke="{theme.water_line}">{lines}</g>'
        f'<path d="{chain_data(chart, seas)}" fill="none" stroke="{theme.sea_border}"'
        f' stroke-width="{num(1.1 * scale)}" stroke-opacity=".8"'
        f' stroke-dasharray="{num(6 * scale)} {num(5 * scale)}"/>'
    )


def _land(chart: Chart, theme: Theme, shading: float) -> str:
    scale = frame_scale(chart)
    edges = "".join(
        f'<use href="#b-coast" stroke-width="{num(wide * scale)}"/>' for wide in (24, 10)
    )
    # Nobody's land has another tone, and hills like any other.
    return (
        f'<use href="#b-land" fill="{theme.land}" fill-rule="evenodd"/>{_scenery(chart, theme)}'
        '<g clip-path="url(#b-ground)">'
        f"{_relief(chart, theme, shading)}"
        f'<g fill="none" stroke="{theme.land_edge}" stroke-opacity=".13">{edges}</g></g>'
    )


def _relief(chart: Chart, theme: Theme, shading: float) -> str:
    if chart.relief is None:
        return ""
    width, height = chart.size
    png = relief_png(chart.relief, theme.relief_dark, theme.relief_light)
    faint = f' opacity="{num(shading)}"' if shading < 1 else ""
    return (
        f'<image width="{num(width)}" height="{num(height)}" preserveAspectRatio="none"{faint}'
        f' href="data:image/png;base64,{b64encode(png).decode()}"/>'
    )


def _scenery(chart: Chart, theme: Theme) -> str:
    paths = "".join(
        f'<path d="{ring_data(chart, rings)}" fill="{theme.scenery}"/>'
        + (f'<path d="{ring_data(chart, rings)}" fill="url(#b-hatch)"/>' if code else "")
        for code, rings in chart.scenery
    )
    return f'<g fill-rule="evenodd">{paths}</g>' if paths else ""


def _lines(chart: Chart, theme: Theme) -> str:
    scale = frame_scale(chart)
    borders = [i for i, arc in enumerate(chart.arcs) if arc.kind is ArcKind.LAND]
    return (
        f'<g fill="none"><path d="{chain_data(chart, borders)}" stroke="{theme.border}"'
        f' stroke-width="{num(1.1 * scale)}" stroke-opacity=".75"/>'
        f'<g stroke="{theme.coast}"><use href="#b-coast" stroke-width="{num(1.8 * scale)}"/>'
        f'<use href="#b-islet" stroke-width="{num(0.9 * scale)}" stroke-opacity=".7"/></g></g>'
    )


def _frame_ground(chart: Chart, theme: Theme) -> str:
    return f'<path d="{_rectangle(chart, 1.1)}" fill="{theme.frame}"/>'


def _frame(chart: Chart, theme: Theme) -> str:
    scale = frame_scale(chart)
    thin, bold = num(1.1 * scale), num(2.6 * scale)
    return (
        f'<path d="{_bars(chart)}" fill="{theme.frame_bar}"/>'
        f'<g fill="none" stroke="{theme.frame_line}">'
        f'<path d="{_rectangle(chart, 0.72)}{_rectangle(chart, 0.12)}" stroke-width="{thin}"'
        ' stroke-opacity=".8"/>'
        f'<path d="{_rectangle(chart, 0)}" stroke-width="{bold}"/></g>'
    )


def _rectangle(chart: Chart, out: float) -> str:
    """Return a rectangle `out` frame widths outside the map."""
    off = margin_of(chart) * out
    width, height = (side + 2 * off for side in chart.size)
    return f"M{num(-off)} {num(-off)}h{num(width)}v{num(height)}h{num(-width)}z"


def _bars(chart: Chart) -> str:
    """Return the ruled bars: an odd number a side, so that every corner is filled."""
    inner, outer = (margin_of(chart) * out for out in (0.26, 0.58))
    thick = outer - inner
    parts = []
    for along, across, flat in ((*chart.size, True), (*chart.size[::-1], False)):
        length = along + 2 * outer
        count = round(length / (_BAR * frame_scale(chart))) // 2 * 2 + 1
        step = length / count
        for start in (-outer + step * i for i in range(0, count, 2)):
            for edge in (-outer, across + inner):
                x, y, w, h = (start, edge, step, thick) if flat else (edge, start, thick, step)
                parts.append(f"M{num(x)} {num(y)}h{num(w)}v{num(h)}h{num(-w)}z")
    return "".join(parts)
