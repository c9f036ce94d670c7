"""Draw players' marks: washes and hatches below the names, arrows and pins above everything."""

from collections.abc import Iterable
from dataclasses import replace

from diplomaccloud.atlas.chart import Point
from diplomaccloud.atlas.marks import INKS, Mark, MarkKind
from diplomaccloud.atlas.render.curves import curve_between, trim_to_boxes
from diplomaccloud.atlas.render.paths import num, write_rings
from diplomaccloud.atlas.render.scene import FONT_STACK, Scene, escape_text, list_rings
from diplomaccloud.atlas.render.sizes import HALF_HEIGHT, HALF_WIDTH
from diplomaccloud.atlas.render.strokes import Pen
from diplomaccloud.judge.board import Location, ProvinceCode

_WASH = ".5"
"""The opacity of a wash: the color of the country still shows."""

_OUTLINE = 3.0
"""The width of the line around a marked province, in plain units."""

_HATCH_STEP, _HATCH_WIDTH = 11.0, 4.0
"""The distance and width of the lines of a hatch, in plain units."""

_ARROW_WIDTH = 8.0
"""The width of a drawn arrow, in plain units: wider than that of any order."""

_BOW = 0.12
"""How far a drawn arrow bends, relative to its length, so that an order below it shows."""

_GAP = 3.0
"""The gap between a badge and the end of an arrow, in plain units."""

_PIN_HEIGHT, _PIN_RADIUS = 30.0, 11.0
"""The height of a pin and the radius of its head, in plain units."""

_LETTER = 15.0
"""The size of the text beside a pin, in plain units."""

MAX_TEXT_SHOWN = 28
"""How much of a pin's text the map shows; the rest is in the tooltip and in the list beside it."""


def draw_washes(scene: Scene, marks: Iterable[Mark]) -> str:
    """Return the washes and hatches of the marks."""
    drawn = [
        _draw_area(scene, mark)
        for mark in marks
        if mark.kind in (MarkKind.WASH, MarkKind.HATCH) and mark.province in scene.shapes
    ]
    used = dict.fromkeys(mark.ink for mark in marks if mark.kind is MarkKind.HATCH)
    patterns = "".join(_define_hatch(scene, ink) for ink in used)
    defs = f"<defs>{patterns}</defs>" if patterns else ""
    return (
        '<g class="washes" pointer-events="none" fill-rule="evenodd" stroke-linejoin="round">'
        f"{defs}{''.join(drawn)}</g>"
    )


def draw_pins(scene: Scene, marks: Iterable[Mark]) -> str:
    """Return the arrows and pins of the marks; pins are above, numbered in their order."""
    arrows, pins, number = [], [], 0
    for mark in marks:
        if mark.kind is MarkKind.ARROW:
            arrows.append(_draw_arrow(scene, mark))
        elif mark.kind is MarkKind.PIN:
            number += 1
            pins.append(_draw_pin(scene, mark, number))
    return (
        '<g class="pins" pointer-events="none" fill="none" stroke-linejoin="round"'
        f' stroke-linecap="round">{"".join(arrows)}{"".join(pins)}</g>'
    )


def _draw_area(scene: Scene, mark: Mark) -> str:
    rings = write_rings(scene.chart, list_rings(scene.shapes[mark.province]))
    ink = INKS[mark.ink]
    hatched = mark.kind is MarkKind.HATCH
    fill = f"url(#o-h-{mark.ink})" if hatched else ink
    opacity = "" if hatched else f' fill-opacity="{_WASH}"'
    return (
        f'<path class="{mark.kind}" data-province="{escape_text(mark.province)}" d="{rings}"'
        f' fill="{fill}"{opacity} stroke="{ink}" stroke-width="{num(_OUTLINE * scene.unit)}"/>'
    )


def _define_hatch(scene: Scene, ink: str) -> str:
    step, width = num(_HATCH_STEP * scene.unit), num(2 * _HATCH_WIDTH * scene.unit)
    return (
        f'<pattern id="o-h-{ink}" width="{step}" height="{step}" patternUnits="userSpaceOnUse"'
        f' patternTransform="rotate(45)"><path d="M0 0v{step}" stroke="{INKS[ink]}"'
        f' stroke-width="{width}"/></pattern>'
    )


def _draw_arrow(scene: Scene, mark: Mark) -> str:
    start, end = _find_place(scene, mark.province), _find_place(scene, mark.to)
    if start is None or end is None:
        return ""
    box = (HALF_WIDTH + _GAP) * scene.unit, (HALF_HEIGHT + _GAP) * scene.unit
    curve = trim_to_boxes(curve_between(start, end, _BOW), box, box)
    pen = replace(_pen(scene, mark.ink), width=_ARROW_WIDTH)
    return (
        f'<g class="arrow" data-province="{escape_text(mark.province)}"'
        f' data-to="{escape_text(mark.to)}" opacity=".9">{pen.arrow(curve)}</g>'
    )


def _draw_pin(scene: Scene, mark: Mark, number: int) -> str:
    at = _find_place(scene, mark.province)
    if at is None:
        return ""
    unit, theme, ink = scene.unit, scene.theme, INKS[mark.ink]
    height, radius = _PIN_HEIGHT * unit, _PIN_RADIUS * unit
    x, y = at[0], at[1] - HALF_HEIGHT * unit
    center = y - height + radius
    body = (
        f'<path d="M{num(x)} {num(y)}L{num(x - radius)} {num(center)}'
        f'a{num(radius)} {num(radius)} 0 1 1 {num(2 * radius)} 0z" fill="{ink}"'
        f' stroke="{theme.casing_light}" stroke-width="{num(2 * unit)}"/>'
    )
    digit = _write(scene, str(number), (x, center), "middle", "#ffffff", halo="")
    text = mark.text if len(mark.text) <= MAX_TEXT_SHOWN else f"{mark.text[: MAX_TEXT_SHOWN - 1]}…"
    is_left = x > scene.chart.size[0] * 0.7
    beside = x - 1.5 * radius if is_left else x + 1.5 * radius
    label = _write(
        scene,
        text,
        (beside, center),
        "end" if is_left else "start",
        theme.label,
        halo=theme.label_halo,
    )
    title = escape_text(f"{number}: {mark.text}" if mark.text else str(number))
    place = escape_text(mark.province)
    return f'<g class="pin" data-province="{place}"><title>{title}</title>{body}{digit}{label}</g>'


def _write(scene: Scene, text: str, at: Point, anchor: str, ink: str, *, halo: str) -> str:
    if not text:
        return ""
    size = _LETTER * scene.unit
    around = (
        f' stroke="{halo}" stroke-width="{num(4 * scene.unit)}" paint-order="stroke"'
        if halo
        else ""
    )
    return (
        f'<text x="{num(at[0])}" y="{num(at[1] + size / 3)}" font-size="{num(size)}"'
        f' font-family="{FONT_STACK}" font-weight="700" text-anchor="{anchor}"'
        f' fill="{ink}"{around}>{escape_text(text)}</text>'
    )


def _find_place(scene: Scene, province: ProvinceCode) -> Point | None:
    return scene.place(Location(province))


def _pen(scene: Scene, ink: str) -> Pen:
    return Pen(INKS[ink], scene.theme.casing_light, scene.theme.casing_dark, scene.unit)
