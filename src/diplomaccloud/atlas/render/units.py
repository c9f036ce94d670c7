"""Draw the badges of armies and fleets."""

from diplomaccloud.atlas.chart import Point
from diplomaccloud.atlas.render.coasts import is_coast_obvious
from diplomaccloud.atlas.render.paths import num
from diplomaccloud.atlas.render.scene import (
    FONT_STACK,
    HALF_HEIGHT,
    HALF_WIDTH,
    Scene,
    coast_suffix,
    describe_unit,
    escape_text,
)
from diplomaccloud.judge.board import UnitKind
from diplomaccloud.judge.units import Unit

# A barrel pointing up to the right, its trail, and a wheel with a hub. They are filled with the
# mark's color; the stroke in the badge's color separates overlapping parts.
_CANNON = (
    '<path d="M-7.1-.6 6.3-7.9 9.1-3.5-4.6 4.4C-8.1 5-9.3 1.2-7.1-.6z"/>'
    '<path d="M-4.2.6-9.6 5.6-8.3 7.5-2 4.6z"/>'
    '<circle cx="-1.6" cy="3.1" r="4.4"/><circle cx="-1.6" cy="3.1" r="1.5" fill="none"/>'
)
# Hull, mainsail, foresail.
_SHIP = (
    '<path d="M-9 3H9L6.3 7.7H-6.1z"/><path d="M.5-8C4.6-6 7-2.3 7.4 2.3H.5z"/>'
    '<path d="M-.6-6.6V2.3H-7C-5.7-1-3.5-4.4-.6-6.6z"/>'
)

_PICTOGRAMS = {UnitKind.ARMY: _CANNON, UnitKind.FLEET: _SHIP}

# Different outlines distinguish the two kinds where the pictograms are too small: an army's badge
# is a box, a fleet's has the round bottom of a hull.
_BADGES = {
    UnitKind.ARMY: "M-13-11.5h26a3 3 0 013 3V8.5a3 3 0 01-3 3h-26a3 3 0 01-3-3V-8.5a3 3 0 013-3z",
    UnitKind.FLEET: "M-13.5-11.5h27a2.5 2.5 0 012.5 2.5c0 13-5 20.5-12 20.5h-8c-7 0-12-7.5-12-20.5"
    "a2.5 2.5 0 012.5-2.5z",
}

_LAYOUTS = {UnitKind.ARMY: (-5.4, 0.86, 8.6, 4.6, 1.0), UnitKind.FLEET: (-5.3, 0.8, 7.7, 2, 0.93)}
"""The pictogram's center and scale; the letter's center, baseline and scale."""


def unit_symbols() -> str:
    """Return the SVG definitions that `draw_units` and `draw_badge` use."""
    pictograms = "".join(
        f'<g id="o-{kind.word}">{drawn}</g>' for kind, drawn in _PICTOGRAMS.items()
    )
    badges = "".join(
        f'<path id="o-{kind.word}-badge" d="{outline}"/>' for kind, outline in _BADGES.items()
    )
    return pictograms + badges


def draw_units(scene: Scene) -> str:
    """Return the badges of all units; dislodged ones come last, so that they can be clicked."""
    standing = [draw_unit(scene, unit) for unit in scene.position.units]
    dislodged = [draw_unit(scene, unit) for unit in sorted(scene.removed)]
    return f'<g class="units" font-family="{FONT_STACK}">{"".join(standing + dislodged)}</g>'


def draw_unit(scene: Scene, unit: Unit) -> str:
    """Return the badge of `unit`, with a ring if it is dislodged; empty if its place is unknown."""
    at = scene.place_of(unit)
    if at is None:
        return ""
    dislodged = unit in scene.removed or unit in scene.still_in_place
    title = describe_unit(scene, unit) + (", dislodged" if dislodged else "")
    return (
        f'<g class="unit {unit.kind.word}" data-unit="{escape_text(str(unit))}"'
        f' data-province="{escape_text(unit.province)}" data-power="{escape_text(unit.power)}"'
        f'{" data-dislodged=" + chr(34) + "1" + chr(34) if dislodged else ""} role="img"'
        f' aria-label="{escape_text(title)}" {build_transform(scene, at)}>'
        f"<title>{escape_text(title)}</title>"
        f'<g class="badge">{_draw_ring(scene) if dislodged else ""}{draw_badge(scene, unit)}</g>'
        f"{_draw_coast_tag(scene, unit)}</g>"
    )


def draw_badge(scene: Scene, unit: Unit) -> str:
    """Return the badge alone, centered at `(0, 0)` and in plain units."""
    inks = scene.inks_of(unit.power)
    outline = scene.theme.outline
    sign = escape_text(scene.initials.get(unit.power, unit.power[:1]))
    size = 9.4 if len(sign) > 1 else 11 if sign in "MW" else 13
    kind, (left, scale, right, baseline, shrink) = unit.kind.word, _LAYOUTS[unit.kind]
    return (
        f'<use href="#o-{kind}-badge" fill="{inks.badge}" stroke="{outline}" stroke-width="1.8"/>'
        f'<use href="#o-{kind}" transform="translate({left} {-baseline / 8:.1f})scale({scale})"'
        f' fill="{inks.mark}" stroke="{inks.badge}" stroke-width="1"/>'
        f'<text x="{right}" y="{baseline}" font-size="{size * shrink:.1f}" text-anchor="middle"'
        f' fill="{inks.mark}" stroke="{inks.mark}" stroke-width=".5">{sign}</text>'
    )


def build_transform(scene: Scene, at: Point) -> str:
    """Return the attribute that moves a drawing in plain units to `at`."""
    scale = "" if num(scene.unit) == "1" else f" scale({scene.unit:.2f})"
    return f'transform="translate({num(at[0])} {num(at[1])}){scale}"'


def _draw_coast_tag(scene: Scene, unit: Unit) -> str:
    """Return the letters of a fleet's coast, if its place does not make the coast obvious."""
    coast = coast_suffix(unit.location)
    if not coast or is_coast_obvious(scene.chart, unit.location):
        return ""
    return (
        f'<text class="coast-tag" y="{HALF_HEIGHT + 9:g}" font-size="10" font-style="italic"'
        f' text-anchor="middle" fill="{scene.theme.label}" stroke="{scene.theme.label_halo}"'
        f' stroke-width="3" paint-order="stroke">{escape_text(coast)}</text>'
    )


def _draw_ring(scene: Scene) -> str:
    width, height = 2 * HALF_WIDTH + 8, 2 * HALF_HEIGHT + 8
    return (
        f'<rect class="dislodged-ring" x="{num(-width / 2)}" y="{num(-height / 2)}"'
        f' width="{num(width)}" height="{num(height)}" rx="8" fill="none"'
        f' stroke="{scene.theme.retreat}" stroke-width="3"/>'
    )
