"""Draw names, codes, coast marks and stars."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import TypeAlias

from diplomaccloud.atlas.chart import Chart, Point, Shape
from diplomaccloud.atlas.render.chart_cache import cache_per_chart
from diplomaccloud.atlas.render.coasts import MARK_SIZE, place_coast_marks
from diplomaccloud.atlas.render.codes import BASELINE, place_codes
from diplomaccloud.atlas.render.paths import num
from diplomaccloud.atlas.render.scene import FONT_STACK, Scene, escape_text
from diplomaccloud.atlas.render.sizes import CODE_SIZE, LINE_HEIGHT, usual_label_size
from diplomaccloud.judge.board import Power, ProvinceCode, Terrain

TRACKING = 0.05
"""Extra space between the letters of a sea's name, in font sizes."""

_BASELINE = 0.34
"""From the middle of a line of text down to its baseline, in font sizes."""

_NAME_HALO, _CODE_HALO = (3.2, ".7", ".7"), (5.5, ".85", ".8")
"""The width of the halo, and its opacity at sea and on land. Codes are drawn on small maps, where
a thin halo would be invisible."""

_MARK_STYLE = 'class="coast-mark" font-style="italic" fill-opacity=".9"'

Texts: TypeAlias = tuple[str, tuple[tuple[ProvinceCode, str], ...]]
"""The SVG of all texts at sea, and of the texts of each land province."""


class Labels(StrEnum):
    """Which texts a drawing contains.

    `BOTH` draws names and codes and hides the codes (`display="none"`), for a page whose CSS
    shows either.
    """

    NAMES = "names"
    CODES = "codes"
    BOTH = "both"
    NONE = "none"


def draw_labels(scene: Scene, labels: Labels, owners: Mapping[ProvinceCode, Power]) -> str:
    """Return the labels of the provinces; the names include the marks of split coasts.

    `owners` are the powers whose colors the provinces have: on dark colors the text is light.
    """
    if labels is Labels.NONE:
        return ""
    dark = {power for power in {*owners.values()} if scene.is_dark(power)}
    on_dark = frozenset(code for code, power in owners.items() if power in dark)
    names = _draw_layer(scene, "names", _draw_names, on_dark) if labels is not Labels.CODES else ""
    codes = _draw_layer(scene, "codes", _draw_codes, on_dark) if labels is not Labels.NAMES else ""
    if labels is Labels.BOTH:
        codes = codes.replace('class="codes"', 'class="codes" display="none"', 1)
    return (
        f'<g class="labels" pointer-events="none" font-family="{FONT_STACK}"'
        ' text-anchor="middle" paint-order="stroke" stroke-linejoin="round">'
        f"{names}{codes}</g>"
    )


def draw_stars(scene: Scene, size: float = 1.0) -> str:
    """Return a star for each center: plain if neutral, otherwise in its owner's color.

    `size` is relative to the usual size.
    """
    scale = num(scene.unit * size)
    drawn = []
    for shape in scene.chart.shapes:
        if (star := shape.anchors.star) is not None:
            at = f'transform="translate({num(star[0])} {num(star[1])})scale({scale})"'
            drawn.append(_draw_star(scene, shape.province, at))
    return (
        '<g class="stars" pointer-events="none" paint-order="stroke" stroke-linejoin="round">'
        f"{''.join(drawn)}</g>"
    )


STAR = "M0-7.6 1.9-2.4 7.4-2.3 3 1.1 4.6 6.5 0 3.3-4.6 6.5-3 1.1-7.4-2.3-1.9-2.4z"
_OWNED_STAR = "M0-8.8 2.6-3.1 8.5-2.6 4 1.4 5.3 7.4 0 4.2-5.3 7.4-4 1.4-8.5-2.6-2.6-3.1z"


def star_symbols(scene: Scene) -> str:
    """Return the SVG definitions that `draw_stars` uses; both stars have a casing.

    The ink of a star is that of its `use`.
    """
    theme = scene.theme
    return (
        f'<path id="o-star" d="{STAR}" stroke="{theme.star_halo}" stroke-width="2.4"/>'
        f'<g id="o-seat"><path d="{_OWNED_STAR}" stroke="{theme.casing_dark}" stroke-width="5"/>'
        f'<path d="{_OWNED_STAR}" stroke="{theme.star_rim}" stroke-width="3"/></g>'
    )


def _draw_star(scene: Scene, code: ProvinceCode, at: str) -> str:
    star = f'class="star" data-center="{escape_text(code)}" {at}'
    owner = scene.position.centers.get(code)
    if owner is None:
        return f'<use href="#o-star" {star} fill="{scene.theme.star}"/>'
    deep = scene.inks_of(owner).deep
    return f'<use href="#o-seat" {star} data-power="{escape_text(owner)}" fill="{deep}"/>'


def _draw_layer(
    scene: Scene, name: str, texts: Callable[[Chart], Texts], on_dark: frozenset[ProvinceCode]
) -> str:
    sea_texts, land_texts = texts(scene.chart)
    theme = scene.theme
    halo, at_sea, on_land = _CODE_HALO if name == "codes" else _NAME_HALO
    plain, light = (
        "".join(text for code, text in land_texts if (code in on_dark) is dark)
        for dark in (False, True)
    )
    return (
        f'<g class="{name}" font-size="{num(scene.label_size)}"'
        f' stroke-width="{num(halo * scene.unit)}">'
        f'<g class="sea-labels" font-style="italic" fill="{theme.sea_label}"'
        f' stroke="{theme.sea_halo}" stroke-opacity="{at_sea}">{sea_texts}</g>'
        f'<g class="land-labels" fill="{theme.label}" stroke="{theme.label_halo}"'
        f' stroke-opacity="{on_land}">{plain}</g>'
        f'<g class="dark-labels" fill="{theme.dark_label}" stroke="{theme.dark_halo}"'
        f' stroke-opacity="{on_land}">{light}</g></g>'
    )


@cache_per_chart
def _draw_names(chart: Chart) -> Texts:
    marks = place_coast_marks(chart)
    size = usual_label_size(chart) * MARK_SIZE

    def draw(shape: Shape, usual: float, at_sea: bool) -> str:
        drawn = (
            _draw_text(mark.at, (mark.text,), size, f' {_MARK_STYLE} font-size="{num(size)}"')
            for mark in marks.get(shape.province, ())
        )
        return _draw_name(shape, usual, at_sea) + "".join(drawn)

    return _draw_texts(chart, draw)


@cache_per_chart
def _draw_codes(chart: Chart) -> Texts:
    """Return the codes for maps that are too small for names."""
    placements = place_codes(chart)

    def draw(shape: Shape, *_: object) -> str:
        placed = placements[shape.province]
        x, y = num(placed.at[0]), num(placed.at[1] + BASELINE * placed.size)
        code = escape_text(shape.province)
        return f'<text x="{x}" y="{y}" font-size="{num(placed.size)}">{code}</text>'

    return _draw_texts(chart, draw)


def _draw_texts(chart: Chart, draw: Callable[[Shape, float, bool], str]) -> Texts:
    usual = usual_label_size(chart)
    seas, lands = [], []
    for shape in chart.shapes:
        if chart.board.by_code[shape.province].terrain is Terrain.SEA:
            seas.append(draw(shape, usual, True))
        else:
            lands.append((shape.province, draw(shape, usual, False)))
    return "".join(seas), tuple(lands)


def _draw_name(shape: Shape, usual: float, at_sea: bool) -> str:
    anchors = shape.anchors
    size = anchors.label_size
    if size <= 0 or not anchors.label_lines:
        return _draw_code(shape, usual)
    sized = "" if num(size) == num(usual) else f' font-size="{num(size)}"'
    spaced = f' letter-spacing="{num(size * TRACKING)}"' if at_sea else ""
    return _draw_text(anchors.label, anchors.label_lines, size, sized + spaced)


def _draw_code(shape: Shape, usual: float) -> str:
    """Return the code in the place of a name that does not fit."""
    size = usual * CODE_SIZE
    return _draw_text(shape.anchors.label, (shape.province,), size, f' font-size="{num(size)}"')


def _draw_text(at: Point, lines: tuple[str, ...], size: float, attributes: str) -> str:
    x = num(at[0])
    top = at[1] + size * (_BASELINE - LINE_HEIGHT * (len(lines) - 1) / 2)
    first, *others = (escape_text(line) for line in lines)
    rest = "".join(
        f'<tspan x="{x}" dy="{num(size * LINE_HEIGHT)}">{line}</tspan>' for line in others
    )
    return f'<text x="{x}" y="{num(top)}"{attributes}>{first}{rest}</text>'
