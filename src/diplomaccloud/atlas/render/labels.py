"""Names, codes, coasts and stars."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import TypeAlias

from diplomaccloud.atlas.chart import Anchors, Chart, Point, Shape
from diplomaccloud.atlas.render.chart_cache import once_per_chart
from diplomaccloud.atlas.render.coasts import SIZE, coast_marks
from diplomaccloud.atlas.render.codes import RISE, code_prints
from diplomaccloud.atlas.render.paths import num
from diplomaccloud.atlas.render.scene import FONT_STACK, Scene, text_of, usual_label_size
from diplomaccloud.judge.board import Power, ProvinceCode, Terrain

_LINE = 1.12
"""Line height in font sizes."""

TRACKING = 0.05
"""Between the letters of a sea's name, in font sizes."""

_CODE_SIZE = 1.15
"""Of a code in place of a name, in usual sizes."""

_LETTER = 0.5
"""Width of a letter as a rule, in font sizes."""

_RISE = 0.34
"""From the middle of a line of text down to its baseline, in font sizes."""


_MARKED = 'class="coast-mark" font-style="italic" fill-opacity=".9"'

Texts: TypeAlias = tuple[str, tuple[tuple[ProvinceCode, str], ...]]
"""The texts of seas, and those of each province on land."""


class Labels(StrEnum):
    """Which texts a drawing carries.

    `BOTH` writes names and codes, the codes hidden (`display="none"`), for a page whose CSS
    shows the one or the other.
    """

    NAMES = "names"
    CODES = "codes"
    BOTH = "both"
    NONE = "none"


def draw_labels(scene: Scene, labels: Labels, owners: Mapping[ProvinceCode, Power]) -> str:
    """Return the province labels, the names with the marks of split coasts.

    `owners` tell whose tint a province bears: on a dark one the letters are light.
    """
    if labels is Labels.NONE:
        return ""
    dark = {power for power in {*owners.values()} if scene.is_dark(power)}
    on_dark = frozenset(code for code, power in owners.items() if power in dark)
    names = _layer(scene, "names", _names, on_dark) if labels is not Labels.CODES else ""
    codes = _layer(scene, "codes", _codes, on_dark) if labels is not Labels.NAMES else ""
    if labels is Labels.BOTH:
        codes = codes.replace('class="codes"', 'class="codes" display="none"', 1)
    return (
        f'<g class="labels" pointer-events="none" font-family="{FONT_STACK}"'
        ' text-anchor="middle" paint-order="stroke" stroke-linejoin="round">'
        f"{names}{codes}</g>"
    )


def draw_stars(scene: Scene, size: float = 1.0, *, signed: bool = True) -> str:
    """Return a star per center: plain when neutral, in its owner's colour and ringed when owned.

    An owned one is `signed` with the owner's letter. `size` is in usual sizes.
    """
    scale = num(scene.unit * size)
    drawn = []
    for shape in scene.chart.shapes:
        if (star := shape.anchors.star) is not None:
            at = f'transform="translate({num(star[0])} {num(star[1])})scale({scale})"'
            drawn.append(_star(scene, shape, at, signed=signed))
    return (
        '<g class="stars" pointer-events="none" paint-order="stroke" stroke-linejoin="round"'
        f' font-family="{FONT_STACK}" font-size="9.5" text-anchor="middle">{"".join(drawn)}</g>'
    )


STAR = "M0-7.6 1.9-2.4 7.4-2.3 3 1.1 4.6 6.5 0 3.3-4.6 6.5-3 1.1-7.4-2.3-1.9-2.4z"
# Stout, so that a letter finds room in it.
_SEAT = "M0-10.4 3.7-5 10-3.3 6 1.9 6.2 8.4 0 6.2-6.2 8.4-6 1.9-10-3.3-3.7-5z"


def star_symbols() -> str:
    """Return the definitions that `draw_stars` refers to."""
    return f'<path id="o-star" d="{STAR}"/><path id="o-seat" d="{_SEAT}"/>'


def _star(scene: Scene, shape: Shape, at: str, *, signed: bool) -> str:
    theme = scene.theme
    owner = scene.position.centers.get(shape.province)
    code = text_of(shape.province)
    if owner is None:
        return (
            f'<use href="#o-star" class="star" data-center="{code}" {at} fill="{theme.star}"'
            f' stroke="{theme.star_halo}" stroke-width="2.2" stroke-opacity=".75"/>'
        )
    power, deep = text_of(owner), scene.inks_of(owner).deep
    star = f'class="star" data-center="{code}" data-power="{power}"'
    ink = f'fill="{deep}" stroke="{theme.star_rim}"'
    if not signed:
        return f'<use href="#o-star" {star} {at} {ink} stroke-width="4.4"/>'
    sign = text_of(scene.initials.get(owner, owner[:1]))
    small = ' font-size="7"' if len(sign) > 1 or sign in "MW" else ""
    return (
        f'<g {at} data-power="{power}"><use href="#o-seat" {star} {ink} stroke-width="3"/>'
        f'<text y="3.2" fill="{theme.star_rim}"{small}>{sign}</text></g>'
    )


def _layer(
    scene: Scene, name: str, texts: Callable[[Chart], Texts], on_dark: frozenset[ProvinceCode]
) -> str:
    seas, lands = texts(scene.chart)
    theme = scene.theme
    # Of codes, that are seen from afar, the halo must still be seen.
    halo, at_sea, on_land = (5.5, ".85", ".8") if name == "codes" else (3.2, ".7", ".7")
    plain, light = (
        "".join(text for code, text in lands if (code in on_dark) is dark) for dark in (False, True)
    )
    return (
        f'<g class="{name}" font-size="{num(scene.label_size)}"'
        f' stroke-width="{num(halo * scene.unit)}">'
        f'<g class="sea-labels" font-style="italic" fill="{theme.sea_label}"'
        f' stroke="{theme.sea_halo}" stroke-opacity="{at_sea}">{seas}</g>'
        f'<g class="land-labels" fill="{theme.label}" stroke="{theme.label_halo}"'
        f' stroke-opacity="{on_land}">{plain}</g>'
        f'<g class="dark-labels" fill="{theme.dark_label}" stroke="{theme.dark_halo}"'
        f' stroke-opacity="{on_land}">{light}</g></g>'
    )


@once_per_chart
def _names(chart: Chart) -> Texts:
    marks = coast_marks(chart)
    size = usual_label_size(chart) * SIZE

    def written(shape: Shape, usual: float, at_sea: bool) -> str:
        drawn = (
            _text(mark.at, (mark.text,), size, f' {_MARKED} font-size="{num(size)}"')
            for mark in marks.get(shape.province, ())
        )
        return _name(shape, usual, at_sea) + "".join(drawn)

    return _texts(chart, written)


@once_per_chart
def _codes(chart: Chart) -> Texts:
    """Return codes to be read from afar."""
    prints = code_prints(chart)

    def printed(shape: Shape, *_: object) -> str:
        one = prints[shape.province]
        x, y = num(one.at[0]), num(one.at[1] + RISE * one.size)
        return f'<text x="{x}" y="{y}" font-size="{num(one.size)}">{text_of(shape.province)}</text>'

    return _texts(chart, printed)


def label_box(scene: Scene, anchors: Anchors) -> tuple[Point, Point]:
    """Return the centre and half sizes of a name, or of the code where no name is printed."""
    size = anchors.label_size or scene.label_size * _CODE_SIZE
    lines = anchors.label_lines or ("XXX",)
    width = max(len(line) for line in lines) * size * _LETTER
    return anchors.label, (width / 2, size * _LINE * len(lines) / 2)


def _texts(chart: Chart, drawn: Callable[[Shape, float, bool], str]) -> Texts:
    usual = usual_label_size(chart)
    seas, lands = [], []
    for shape in chart.shapes:
        if chart.board.by_code[shape.province].terrain is Terrain.SEA:
            seas.append(drawn(shape, usual, True))
        else:
            lands.append((shape.province, drawn(shape, usual, False)))
    return "".join(seas), tuple(lands)


def _name(shape: Shape, usual: float, at_sea: bool) -> str:
    anchors = shape.anchors
    size = anchors.label_size
    if size <= 0 or not anchors.label_lines:
        return _code(shape, usual)
    sized = "" if num(size) == num(usual) else f' font-size="{num(size)}"'
    spaced = f' letter-spacing="{num(size * TRACKING)}"' if at_sea else ""
    return _text(anchors.label, anchors.label_lines, size, sized + spaced)


def _code(shape: Shape, usual: float) -> str:
    """Return the code where its name would stand but does not fit."""
    size = usual * _CODE_SIZE
    return _text(shape.anchors.label, (shape.province,), size, f' font-size="{num(size)}"')


def _text(at: Point, lines: tuple[str, ...], size: float, attributes: str) -> str:
    x = num(at[0])
    top = at[1] + size * (_RISE - _LINE * (len(lines) - 1) / 2)
    first, *others = (text_of(line) for line in lines)
    rest = "".join(f'<tspan x="{x}" dy="{num(size * _LINE)}">{line}</tspan>' for line in others)
    return f'<text x="{x}" y="{num(top)}"{attributes}>{first}{rest}</text>'
