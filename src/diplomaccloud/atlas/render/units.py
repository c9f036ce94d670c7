"""Badges of armies and fleets."""

from diplomaccloud.atlas.chart import Point
from diplomaccloud.atlas.render.paths import num
from diplomaccloud.atlas.render.scene import FONT_STACK, Scene, text_of, unit_title
from diplomaccloud.judge.board import UnitKind
from diplomaccloud.judge.units import Unit

HALF_WIDTH = 14.5
HALF_HEIGHT = 10.5
"""Half the size of a badge, in plain units (`Scene.unit` map units each)."""

# a cannon pointing up to the right: barrel, trail, wheel with a hub
_CANNON = (
    "M-4.4 1.6 5.9-5.9 8.2-2.7-1.2 4zM-4.8.3-9.4 5.6-8 6.9-2.6 3.6z"
    "M-1.4.2a3.9 3.9 0 1 1-.1 0zM-1.5 2.7a1.4 1.4 0 1 0 .1 0z"
)
# hull, mainsail, foresail
_SHIP = (
    "M-8.6 3.2H8.6L6 7.4H-6zM.6-7.6C4.6-5.6 6.8-2 7.2 1.9H.6zM-.8-6.2V1.9H-6.6C-5.4-1-3.4-4-.8-6.2z"
)

_PICTOGRAMS = {UnitKind.ARMY: ("o-army", _CANNON), UnitKind.FLEET: ("o-fleet", _SHIP)}


def unit_symbols() -> str:
    """Return the definitions that `draw_units` and `draw_badge` refer to."""
    pictograms = "".join(
        f'<path id="{name}" d="{path}" fill-rule="evenodd"/>' for name, path in _PICTOGRAMS.values()
    )
    width, height = num(2 * HALF_WIDTH), num(2 * HALF_HEIGHT)
    return (
        f'{pictograms}<rect id="o-badge" x="{num(-HALF_WIDTH)}" y="{num(-HALF_HEIGHT)}"'
        f' width="{width}" height="{height}" rx="4.5"/>'
    )


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
        f"{_ring(scene) if dislodged else ''}{draw_badge(scene, unit)}</g>"
    )


def draw_badge(scene: Scene, unit: Unit) -> str:
    """Return the badge alone, around `(0, 0)` and in plain units."""
    inks = scene.inks_of(unit.power)
    outline = scene.theme.outline
    sign = text_of(scene.initials.get(unit.power, unit.power[:1]))
    size = 8.6 if len(sign) == 1 else 7.2
    return (
        f'<use href="#o-badge" fill="{inks.badge}" stroke="{outline}" stroke-width="1.8"/>'
        f'<use href="#{_PICTOGRAMS[unit.kind][0]}" x="-3.4" y=".2" fill="{inks.mark}"/>'
        f'<text x="9.6" y="7.3" font-size="{size}" text-anchor="middle" fill="{inks.mark}"'
        f' stroke="{inks.mark}" stroke-width=".35">{sign}</text>'
    )


def placed(scene: Scene, at: Point) -> str:
    """Return the attribute that puts something drawn in plain units at `at`."""
    scale = "" if num(scene.unit) == "1" else f" scale({scene.unit:.2f})"
    return f'transform="translate({num(at[0])} {num(at[1])}){scale}"'


def _ring(scene: Scene) -> str:
    width, height = 2 * HALF_WIDTH + 8, 2 * HALF_HEIGHT + 8
    return (
        f'<rect class="dislodged-ring" x="{num(-width / 2)}" y="{num(-height / 2)}"'
        f' width="{num(width)}" height="{num(height)}" rx="8" fill="none"'
        f' stroke="{scene.theme.retreat}" stroke-width="3"/>'
    )
