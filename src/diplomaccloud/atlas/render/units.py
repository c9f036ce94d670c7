"""Badges of armies and fleets."""

from diplomaccloud.atlas.chart import Point
from diplomaccloud.atlas.render.coasts import is_plain
from diplomaccloud.atlas.render.paths import num
from diplomaccloud.atlas.render.scene import (
    FONT_STACK,
    HALF_HEIGHT,
    HALF_WIDTH,
    Scene,
    coast_text,
    text_of,
    unit_title,
)
from diplomaccloud.judge.board import UnitKind
from diplomaccloud.judge.units import Unit

# Drawn with the mark's ink as fill and the badge's as stroke, which parts what overlaps: a
# barrel pointing up to the right, its trail, a wheel with a hub.
_CANNON = (
    '<path d="M-7.1-.6 6.3-7.9 9.1-3.5-4.6 4.4C-8.1 5-9.3 1.2-7.1-.6z"/>'
    '<path d="M-4.2.6-9.6 5.6-8.3 7.5-2 4.6z"/>'
    '<circle cx="-1.6" cy="3.1" r="4.4"/><circle cx="-1.6" cy="3.1" r="1.5" fill="none"/>'
)
# hull, mainsail, foresail
_SHIP = (
    '<path d="M-9 3H9L6.3 7.7H-6.1z"/><path d="M.5-8C4.6-6 7-2.3 7.4 2.3H.5z"/>'
    '<path d="M-.6-6.6V2.3H-7C-5.7-1-3.5-4.4-.6-6.6z"/>'
)

_PICTOGRAMS = {UnitKind.ARMY: _CANNON, UnitKind.FLEET: _SHIP}

# Of unlike outline, so that the two kinds are told apart where the pictograms are too small:
# an army's is a box, a fleet's has the round bottom of a hull.
_BADGES = {
    UnitKind.ARMY: "M-13-11.5h26a3 3 0 013 3V8.5a3 3 0 01-3 3h-26a3 3 0 01-3-3V-8.5a3 3 0 013-3z",
    UnitKind.FLEET: "M-13.5-11.5h27a2.5 2.5 0 012.5 2.5c0 13-5 20.5-12 20.5h-8c-7 0-12-7.5-12-20.5"
    "a2.5 2.5 0 012.5-2.5z",
}

_FITTED = {UnitKind.ARMY: (-5.4, 0.86, 8.6, 4.6, 1.0), UnitKind.FLEET: (-5.3, 0.8, 7.7, 2, 0.93)}
"""The pictogram's middle and scale, the letter's middle, baseline and scale: a hull is narrower."""


def unit_symbols() -> str:
    """Return the definitions that `draw_units` and `draw_badge` refer to."""
    pictograms = "".join(
        f'<g id="o-{kind.word}">{drawn}</g>' for kind, drawn in _PICTOGRAMS.items()
    )
    badges = "".join(
        f'<path id="o-{kind.word}-badge" d="{outline}"/>' for kind, outline in _BADGES.items()
    )
    return pictograms + badges


def draw_units(scene: Scene) -> str:
    """Return the badges of all units, those driven out last, so that they can be reached."""
    standing = [draw_unit(scene, unit) for unit in scene.position.units]
    leaving = [draw_unit(scene, unit) for unit in sorted(scene.driven_out)]
    return f'<g class="units" font-family="{FONT_STACK}">{"".join(standing + leaving)}</g>'


def draw_unit(scene: Scene, unit: Unit) -> str:
    """Return the badge of `unit`, ringed when it is dislodged; empty if its place is unknown."""
    at = scene.place_of(unit)
    if at is None:
        return ""
    dislodged = unit in scene.driven_out or unit in scene.beaten
    title = unit_title(scene, unit) + (", dislodged" if dislodged else "")
    return (
        f'<g class="unit {unit.kind.word}" data-unit="{text_of(str(unit))}"'
        f' data-province="{text_of(unit.province)}" data-power="{text_of(unit.power)}"'
        f'{" data-dislodged=" + chr(34) + "1" + chr(34) if dislodged else ""} role="img"'
        f' aria-label="{text_of(title)}" {placed(scene, at)}>'
        f"<title>{text_of(title)}</title>"
        f'<g class="badge">{_ring(scene) if dislodged else ""}{draw_badge(scene, unit)}</g>'
        f"{_coast_tag(scene, unit)}</g>"
    )


def draw_badge(scene: Scene, unit: Unit) -> str:
    """Return the badge alone, around `(0, 0)` and in plain units."""
    inks = scene.inks_of(unit.power)
    outline = scene.theme.outline
    sign = text_of(scene.initials.get(unit.power, unit.power[:1]))
    size = 9.4 if len(sign) > 1 else 11 if sign in "MW" else 13
    kind, (left, scale, right, baseline, fitted) = unit.kind.word, _FITTED[unit.kind]
    return (
        f'<use href="#o-{kind}-badge" fill="{inks.badge}" stroke="{outline}" stroke-width="1.8"/>'
        f'<use href="#o-{kind}" transform="translate({left} {-baseline / 8:.1f})scale({scale})"'
        f' fill="{inks.mark}" stroke="{inks.badge}" stroke-width="1"/>'
        f'<text x="{right}" y="{baseline}" font-size="{size * fitted:.1f}" text-anchor="middle"'
        f' fill="{inks.mark}" stroke="{inks.mark}" stroke-width=".5">{sign}</text>'
    )


def placed(scene: Scene, at: Point) -> str:
    """Return the attribute that puts something drawn in plain units at `at`."""
    scale = "" if num(scene.unit) == "1" else f" scale({scene.unit:.2f})"
    return f'transform="translate({num(at[0])} {num(at[1])}){scale}"'


def _coast_tag(scene: Scene, unit: Unit) -> str:
    """Return the letters of the coast on which a fleet stands, where its place does not tell."""
    coast = coast_text(unit.location)
    if not coast or is_plain(scene.chart, unit.location):
        return ""
    return (
        f'<text class="coast-tag" y="{HALF_HEIGHT + 9:g}" font-size="10" font-style="italic"'
        f' text-anchor="middle" fill="{scene.theme.label}" stroke="{scene.theme.label_halo}"'
        f' stroke-width="3" paint-order="stroke">{text_of(coast)}</text>'
    )


def _ring(scene: Scene) -> str:
    width, height = 2 * HALF_WIDTH + 8, 2 * HALF_HEIGHT + 8
    return (
        f'<rect class="dislodged-ring" x="{num(-width / 2)}" y="{num(-height / 2)}"'
        f' width="{num(width)}" height="{num(height)}" rx="8" fill="none"'
        f' stroke="{scene.theme.retreat}" stroke-width="3"/>'
    )
