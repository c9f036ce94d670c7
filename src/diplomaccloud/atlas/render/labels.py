"""Draw names, codes, coast marks and stars."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import TypeAlias

from diplomaccloud.atlas.chart import Anchors, Chart, Point, Shape
from diplomaccloud.atlas.render.chart_cache import cache_per_chart
from diplomaccloud.atlas.render.coasts import MARK_SIZE, place_coast_marks
from diplomaccloud.atlas.render.codes import BASELINE, place_codes
from diplomaccloud.atlas.render.paths import num
from diplomaccloud.atlas.render.scene import FONT_STACK, Scene, escape_text, usual_label_size
from diplomaccloud.judge.board import Power, ProvinceCode, Terrain

_LINE_HEIGHT = 1.12
"""In font sizes."""

TRACKING = 0.05
"""Extra space between the letters of a sea's name, in font sizes."""

_CODE_SIZE = 1.15
"""The font size of a code that replaces a name, relative to the usual size of names."""

_LETTER_WIDTH = 0.5
"""The usual width of a letter, in font sizes."""

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


def draw_stars(scene: Scene, size: float = 1.0, *, signed: bool = True) -> str:
    """Return a star for each center: plain if neutral, otherwise in its owner's color.

    Stars of owned centers have the owner's letter if `signed`. `size` is relative to the usual
    size.
    """
    scale = num(scene.unit * size)
    drawn = []
    for shape in scene.chart.shapes:
        if (star := shape.anchors.star) is not None:
            at = f'transform="translate({num(star[0])} {num(star[1])})scale({scale})"'
            drawn.append(_draw_star(scene, shape, at, signed=signed))
    return (
        '<g class="stars" pointer-events="none" paint-order="stroke" stroke-linejoin="round"'
        f' font-family="{FONT_STACK}" font-size="9.5" text-anchor="middle">{"".join(drawn)}</g>'
    )


STAR = "M0-7.6 1.9-2.4 7.4-2.3 3 1.1 4.6 6.5 0 3.3-4.6 6.5-3 1.1-7.4-2.3-1.9-2.4z"
# Wide enough for a letter.
_OWNED_STAR = "M0-10.4 3.7-5 10-3.3 6 1.9 6.2 8.4 0 6.2-6.2 8.4-6 1.9-10-3.3-3.7-5z"


def star_symbols() -> str:
    """Return the SVG definitions that `draw_stars` uses."""
    return f'<path id="o-star" d="{STAR}"/><path id="o-seat" d="{_OWNED_STAR}"/>'


def _draw_star(scene: Scene, shape: Shape, at: str, *, signed: bool) -> str:
    theme = scene.theme
    owner = scene.position.centers.get(shape.province)
    code = escape_text(shape.province)
    if owner is None:
        return (
            f'<use href="#o-star" class="star" data-center="{code}" {at} fill="{theme.star}"'
            f' stroke="{theme.star_halo}" stroke-width="2.2" stroke-opacity=".75"/>'
        )
    power, deep = escape_text(owner), scene.inks_of(owner).deep
    star = f'class="star" data-center="{code}" data-power="{power}"'
    ink = f'fill="{deep}" stroke="{theme.star_rim}"'
    if not signed:
        return f'<use href="#o-star" {star} {at} {ink} stroke-width="4.4"/>'
    sign = escape_text(scene.initials.get(owner, owner[:1]))
    small = ' font-size="7"' if len(sign) > 1 or sign in "MW" else ""
    return (
        f'<g {at} data-power="{power}"><use href="#o-seat" {star} {ink} stroke-width="3"/>'
        f'<text y="3.2" fill="{theme.star_rim}"{small}>{sign}</text></g>'
    )


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


def label_box(scene: Scene, anchors: Anchors) -> tuple[Point, Point]:
    """Return the center and half the size of a name, or of the code that replaces it."""
    size = anchors.label_size or scene.label_size * _CODE_SIZE
    lines = anchors.label_lines or ("XXX",)
    width = max(len(line) for line in lines) * size * _LETTER_WIDTH
    return anchors.label, (width / 2, size * _LINE_HEIGHT * len(lines) / 2)


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
    size = usual * _CODE_SIZE
    return _draw_text(shape.anchors.label, (shape.province,), size, f' font-size="{num(size)}"')


def _draw_text(at: Point, lines: tuple[str, ...], size: float, attributes: str) -> str:
    x = num(at[0])
    top = at[1] + size * (_BASELINE - _LINE_HEIGHT * (len(lines) - 1) / 2)
    first, *others = (escape_text(line) for line in lines)
    rest = "".join(
        f'<tspan x="{x}" dy="{num(size * _LINE_HEIGHT)}">{line}</tspan>' for line in others
    )
    return f'<text x="{x}" y="{num(top)}"{attributes}>{first}{rest}</text>'
