"""A judged phase as a moving picture: one SVG that plays by itself, as large as a card's picture.

It needs no script and one element of a page. Orders appear, units move, bounce back or leave the
board, and orders fade. Then it stays as it is.
"""

import re
from base64 import b64encode
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from diplomaccloud.judge.drawing.arrows import draw_orders
from diplomaccloud.judge.drawing.overlay import CARD_UNITS, render_card
from diplomaccloud.judge.drawing.paths import num, simplify_chart
from diplomaccloud.judge.drawing.scene import Scene
from diplomaccloud.judge.drawing.theme import Theme
from diplomaccloud.judge.drawing.units import draw_unit, unit_symbols
from diplomaccloud.judge.orders import Hold
from diplomaccloud.maps.pictures import compress_card
from diplomaccloud.maps.thumbnails import CARD_WIDTH
from diplomaccloud.sandbox.animation import JudgedPhase, Step, list_motions

SECONDS: Final = 6
"""How long a picture moves."""
_ORDERS: Final = ("0;1;1;0", "0;0.15;0.75;0.9")
"""How visible the orders are, and when, as shares of the time."""
_GO: Final = ("0;0;1;1", "0;0.4;0.65;1")
_BOUNCE: Final = ("0;0;0.46;0;0", "0;0.4;0.52;0.65;1")
_FALL: Final = ("0;0;1;1", "0;0.53;0.68;1")
"""Where on its path a unit is, and when."""
_VANISH: Final = ("1;1;0;0", "0;0.53;0.68;1")
_TEXTS: Final = re.compile(r"<title>[^<]*</title>| (?:aria-label|role|data-[a-z]+)=\"[^\"]*\"")
"""What a drawing tells scripts and readers of the page, who do not look into a picture."""


def render_turn(phase: JudgedPhase, theme: Theme) -> str:
    """Return a judged phase as a moving SVG."""
    chart, position, colors = phase.chart, phase.position, phase.colors or {}
    land = render_card(
        chart, replace(position, units=(), dislodged=()), theme, colors=colors, width=CARD_WIDTH
    )
    plain = simplify_chart(chart, max(chart.size) / CARD_WIDTH / 2)
    scene = Scene(plain, position, theme, colors=colors)
    orders = [result.order for result in phase.resolution.results]
    below, above = draw_orders(scene, [order for order in orders if not isinstance(order, Hold)])
    steps = {(motion.unit, motion.power): motion.steps for motion in list_motions(phase)}
    units = "".join(
        _move(draw_unit(scene, unit, CARD_UNITS), steps.get((str(unit), str(unit.power)), ()))
        for unit in position.units
    )
    width, height = map(num, chart.size)
    picture = b64encode(compress_card(land)).decode()
    drawn = _TEXTS.sub("", f"{_show_orders(below)}{units}{_show_orders(above)}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">'
        f"<defs>{unit_symbols(scene)}</defs>"
        f'<image width="{width}" height="{height}" href="data:image/webp;base64,{picture}"/>'
        f"{drawn}</svg>"
    )


def _show_orders(drawn: str) -> str:
    values, times = _ORDERS
    return f'<g opacity="0">{_animate(values, times)}{drawn}</g>'


def _animate(values: str, times: str) -> str:
    return (
        f'<animate attributeName="opacity" values="{values}" keyTimes="{times}" dur="{SECONDS}s"'
        ' fill="freeze"/>'
    )


def _move(drawn: str, steps: Iterable[Step]) -> str:
    """Return the drawing of a unit in one group for each of its steps."""
    for step in steps:
        act = ""
        if step.kind == "vanish":
            act = _animate(*_VANISH)
        elif step.path:
            points, times = {"go": _GO, "bounce": _BOUNCE, "fall": _FALL}[step.kind]
            act = (
                f'<animateMotion path="{_start_at_zero(step.path)}" keyPoints="{points}"'
                f' keyTimes="{times}" calcMode="linear" dur="{SECONDS}s" fill="freeze"/>'
            )
        drawn = f"<g>{act}{drawn}</g>"
    return drawn


def _start_at_zero(path: str) -> str:
    """Return a path of absolute points, moved so that it starts at 0, 0."""
    numbers = [float(text) for text in re.findall(r"-?[\d.]+", path)]
    start = numbers[:2]
    moved = iter([num(value - start[index % 2]) for index, value in enumerate(numbers)])
    return re.sub(r"-?[\d.]+", lambda _: next(moved), path)
