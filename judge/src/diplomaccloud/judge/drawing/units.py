"""Draw the badges of armies and fleets."""

from diplomaccloud.judge.board import UnitKind
from diplomaccloud.judge.drawing.chart import Point
from diplomaccloud.judge.drawing.labels import is_coast_obvious
from diplomaccloud.judge.drawing.many_powers import find_badge_letters
from diplomaccloud.judge.drawing.paths import num
from diplomaccloud.judge.drawing.patterns import write_badge_patterns
from diplomaccloud.judge.drawing.scene import (
    Scene,
    choose_fonts,
    coast_suffix,
    describe_unit,
    escape_text,
)
from diplomaccloud.judge.drawing.sizes import HALF_HEIGHT
from diplomaccloud.judge.drawing.theme import PowerInks
from diplomaccloud.judge.units import Unit

# A barrel pointing up to the right, its trail, and a wheel with a hub. They are filled with the
# mark's color; the stroke in the badge's color separates overlapping parts.
_CANNON = (
    '<path d="M-9.7 0 9.6-10.7 13.4-4.7-5.3 6C-10.1 6.8-11.7 1.6-9.7 0z"/>'
    '<path d="M-4.7.8-12.1 7.6-10.3 10.2-1.7 6.3z"/>'
    '<circle cx="-1.2" cy="4.2" r="6"/><circle cx="-1.2" cy="4.2" r="2" fill="none"/>'
)
# Mainsail and foresail; the badge itself is the hull.
_SAILS = (
    '<path d="M1.3-12.4C7-9.2 10.3-4.3 11.1 3.3H1.3z"/>'
    '<path d="M-1.7-11.4V3.3H-11.4C-9.7-3.3-6-8.4-1.7-11.4z"/>'
)

_PICTOGRAMS = {UnitKind.ARMY: _CANNON, UnitKind.FLEET: _SAILS}
# The outlines distinguish the two kinds at any size: a disc, and a ship under sail.
_BADGES = {
    UnitKind.ARMY: "M0-18.6a18.6 18.6 0 010 37.2 18.6 18.6 0 010-37.2z",
    UnitKind.FLEET: "M-22 4.9-15.6 3.8C-13-6.5-7-14.6-.5-19.4 8.6-16.2 15.1-7.6 16.2 3.8L22 4.9"
    "C20.5 12.4 16.2 17.8 10.8 17.8H-10.8C-16.2 17.8-20.5 12.4-22 4.9z",
}

_OUTLINE, _CASING = 1.8, 2.2
"""The width of a badge's dark outline, and how far the light casing reaches beyond it."""

_ABOVE_LETTERS = {
    UnitKind.ARMY: "translate(0 -8.2)scale(.62)",
    UnitKind.FLEET: "translate(0 -7.4)scale(.66)",
}
"""Where the pictogram of a badge with letters is, and how large."""

_LETTER_SIZE, _BASELINE, _HALO, _INKED_HALO = 15.5, 11.8, 2.0, 4.6
"""The size of a badge's letters, where they stand, and the widths of the line around them."""

_RING, _RING_LINE = 2.8, 1.0
"""The width of the ring around a dislodged unit, and of each of the two lines around that."""


def unit_symbols(scene: Scene) -> str:
    """Return the SVG definitions that `draw_units` and `draw_badge` use.

    In a page, CSS can set the casing of a unit with `--badge-casing`, and the badge of the power
    with number 0 on the board with `--badge-0`, e.g. as `url(#o-b0)`: see `write_badge_patterns`.
    """
    theme = scene.theme
    casing = f"var(--badge-casing,{theme.casing_light})" if theme.live else theme.casing_light
    line = 'stroke-width="3.2" paint-order="stroke"' if theme.look.inked else 'stroke-width="1.2"'
    pictograms = "".join(
        f'<g id="o-{kind.word}" {line}>{drawn}</g>' for kind, drawn in _PICTOGRAMS.items()
    )
    width = _OUTLINE + 2 * _CASING
    # The strokes of each symbol, from the lowest one up.
    badge = ((casing, width), (theme.outline, _OUTLINE))
    ring = (
        (theme.casing_light, width + 2 * (_RING + 2 * _RING_LINE)),
        (theme.casing_dark, width + 2 * (_RING + _RING_LINE)),
        (theme.retreat, width + 2 * _RING),
    )
    outlines = ""
    for kind, outline in _BADGES.items():
        for name, strokes in (("badge", badge), ("ring", ring)):
            drawn = "".join(
                f'<path d="{outline}" stroke="{ink}" stroke-width="{num(wide)}"/>'
                for ink, wide in strokes
            )
            outlines += f'<g id="o-{kind.word}-{name}" stroke-linejoin="round">{drawn}</g>'
    if theme.look.inked:
        outlines += write_badge_patterns(len(scene.chart.board.powers))
    return pictograms + outlines


def draw_units(scene: Scene, size: float = 1.0) -> str:
    """Return the badges of all units; dislodged ones come last, so that they can be clicked.

    `size` is relative to the usual size.
    """
    standing = [draw_unit(scene, unit, size) for unit in scene.position.units]
    dislodged = [draw_unit(scene, unit, size) for unit in sorted(scene.removed)]
    fonts = choose_fonts(scene.theme)
    return f'<g class="units" font-family="{fonts}">{"".join(standing + dislodged)}</g>'


def draw_unit(scene: Scene, unit: Unit, size: float = 1.0) -> str:
    """Return the badge of `unit`, with a ring if it is dislodged; empty if its place is unknown."""
    at = scene.place_of(unit)
    if at is None:
        return ""
    dislodged = unit in scene.removed or unit in scene.still_in_place
    title = describe_unit(scene, unit) + (", dislodged" if dislodged else "")
    ring = f'<use class="dislodged-ring" href="#o-{unit.kind.word}-ring"/>'
    return (
        f'<g class="unit {unit.kind.word}" data-unit="{escape_text(str(unit))}"'
        f' data-province="{escape_text(unit.province)}" data-power="{escape_text(unit.power)}"'
        f'{" data-dislodged=" + chr(34) + "1" + chr(34) if dislodged else ""} role="img"'
        f" {build_transform(scene, at, size * scene.size_of(unit))}>"
        f"<title>{escape_text(title)}</title>"
        f'<g class="badge">{ring if dislodged else ""}{draw_badge(scene, unit)}</g>'
        f"{_draw_coast_tag(scene, unit)}</g>"
    )


def draw_badge(scene: Scene, unit: Unit) -> str:
    """Return the badge alone, centered at `(0, 0)` and in plain units."""
    inks, kind, number = scene.inks_of(unit.power), unit.kind.word, scene.number_of(unit.power)
    ground = f"var(--badge-{number},{inks.badge})" if scene.theme.live else inks.badge
    mark = f'fill="{inks.mark}" stroke="{inks.badge}"'
    if scene.theme.look.inked:
        ground = f"url(#o-b{number})"
        mark = f'fill="{inks.badge}" stroke="{inks.mark}"'
    letters = find_badge_letters(scene.chart.board).get(unit.power, "")
    above = f' transform="{_ABOVE_LETTERS[unit.kind]}"' if letters else ""
    return (
        f'<use href="#o-{kind}-badge" fill="{ground}"/><use href="#o-{kind}" {mark}{above}/>'
        + _draw_letters(scene, inks, letters)
    )


def _draw_letters(scene: Scene, inks: PowerInks, letters: str) -> str:
    """Return the two letters of a power in the lower half of its badge."""
    if not letters:
        return ""
    inked = scene.theme.look.inked
    ink, halo = (inks.badge, inks.mark) if inked else (inks.mark, inks.badge)
    width = _INKED_HALO if inked else _HALO
    return (
        f'<text class="letters" y="{_BASELINE}" font-family="{choose_fonts(scene.theme)}"'
        f' font-size="{_LETTER_SIZE}" font-weight="700" text-anchor="middle" fill="{ink}"'
        f' stroke="{halo}" stroke-width="{width}" paint-order="stroke">{letters}</text>'
    )


def build_transform(scene: Scene, at: Point, size: float = 1.0) -> str:
    """Return the attribute that moves a drawing in plain units, scaled by `size`, to `at`."""
    scale = f"{scene.unit * size:.2f}".strip("0")
    return f'transform="translate({num(at[0])} {num(at[1])})scale({scale})"'


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
