"""Every arrow, mark and unit stands out from anything that it crosses, day and night.

WCAG 1.4.11 asks for a contrast of 3:1. The colors are read from the drawings themselves.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise, product
from xml.etree.ElementTree import Element

import pytest
from judge.tests.drawing.toy_drawings import (
    A_ALM,
    A_BOR,
    A_KET,
    BOR,
    CROWDED,
    ESE,
    F_DUN,
    F_EAST,
    F_WSE,
    IST,
    KET,
    SVG,
    unit,
)
from judge.tests.drawing.toy_map import ALMAR, DUNN, parse_svg, toy_chart

from diplomaccloud.judge.board import ProvinceCode
from diplomaccloud.judge.drawing.base import MAX_DARK_OPACITY, MAX_LIGHT_OPACITY
from diplomaccloud.judge.drawing.europe import standard_chart
from diplomaccloud.judge.drawing.overlay import render_map
from diplomaccloud.judge.drawing.palette import color_sets
from diplomaccloud.judge.drawing.theme import LIGHT, NIGHT, WASH, Theme, luminance, power_inks
from diplomaccloud.judge.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
    power_of,
)
from diplomaccloud.judge.position import Dislodged
from diplomaccloud.judge.results import OrderResult, Outcome

pytestmark = pytest.mark.long

MIN_CONTRAST = 3.0
PALETTES = [
    tuple(standard_chart().palette.values()),
    *(inks for count in range(2, 11) for inks in color_sets(count)),
]
ANY_COLORS = tuple(
    f"#{red:02x}{green:02x}{blue:02x}" for red, green, blue in product((0, 85, 170, 255), repeat=3)
)
"""Colors from black to white, because players may choose others than those of the map."""

ORDERS: tuple[Order, ...] = (
    Move(A_KET, IST),
    SupportHold(F_DUN, A_BOR),
    SupportMove(F_DUN, F_EAST, KET),
    Convoy(F_WSE, A_ALM, ProvinceCode("BOR")),
    Hold(A_ALM),
    Retreat(F_EAST, ESE),
    Disband(A_BOR),
    Build(unit("F ALM", ALMAR)),
)
RESULTS = tuple(
    OrderResult(order, outcome, "", implicit=implicit)
    for order, outcome, implicit in (
        *((order, Outcome.VOID, False) for order in ORDERS),
        (Move(A_BOR, KET), Outcome.BOUNCED, False),
        (Move(A_ALM, BOR, via_convoy=True), Outcome.MOVED, False),
        (Hold(F_DUN), Outcome.HOLD, True),
        (SupportHold(F_EAST, F_DUN), Outcome.GIVEN, False),
    )
)
themes = pytest.mark.parametrize("theme", [LIGHT, NIGHT], ids=["light", "night"])


@cache
def contrast(first: str, second: str) -> float:
    dark, light = sorted((luminance(first), luminance(second)))
    return (light + 0.05) / (dark + 0.05)


def list_weak(theme: Theme, color: str, grounds: Sequence[str]) -> list[tuple[str, str, str]]:
    """Return the things drawn in `color` that are hardly visible, and on which of `grounds`."""
    names = {inks: name for name, inks in list_stacks(theme, color).items()}
    return [
        (name, color, ground)
        for inks, name in names.items()
        for ground in grounds
        if max(contrast(ink, ground) for ink in inks) < MIN_CONTRAST
    ]


def mix(over: str, under: str, opacity: float) -> str:
    pairs = zip(bytes.fromhex(over[1:]), bytes.fromhex(under[1:]), strict=True)
    return "#" + "".join(f"{round(opacity * a + (1 - opacity) * b):02x}" for a, b in pairs)


@cache
def list_plain_grounds(theme: Theme) -> frozenset[str]:
    """Return the colors of sea, of land that nobody owns, and of the lines between them."""
    shaded = (
        mix(ink, land, opacity)
        for land in (theme.land, theme.scenery)
        for ink, opacity in (
            (theme.relief_dark, MAX_DARK_OPACITY),
            (theme.relief_light, MAX_LIGHT_OPACITY),
            (theme.land, 0.0),
        )
    )
    lines = (theme.water_line, theme.sea_border, theme.border, theme.coast, theme.hatch)
    frame = (theme.frame, theme.frame_bar, theme.frame_line)
    return frozenset((theme.sea, theme.sea_deep, *shaded, *lines, *frame))


@cache
def list_grounds(theme: Theme, palette: Sequence[str]) -> tuple[str, ...]:
    """Return the colors of everything that a drawing may cross on a map with this palette."""
    plain = list_plain_grounds(theme)
    tints = [power_inks(color).tint for color in palette]
    countries = {mix(tint, ground, WASH) for tint in tints for ground in plain}
    strokes = (theme.casing_light, theme.casing_dark, theme.failure, theme.retreat, theme.build)
    return (*plain, *countries, *palette, *strokes)


def draw(theme: Theme, color: str) -> Element:
    """Return a map with every kind of order, result and mark, by powers of this color."""
    chart = replace(toy_chart(), palette={ALMAR: color, DUNN: color})
    svg = render_map(
        chart,
        CROWDED,
        theme,
        orders=(Move(A_ALM, BOR),),
        results=(*(OrderResult(order, Outcome.MOVED, "") for order in ORDERS), *RESULTS),
        dislodged=[Dislodged(A_BOR, ProvinceCode("KET"), ())],
        standoffs=[ProvinceCode("IST")],
    )
    return parse_svg(svg)


@cache
def list_stacks(theme: Theme, color: str) -> Mapping[str, tuple[str, ...]]:
    """Return, for each thing drawn on the map, its colors from the lowest one up."""
    root = draw(theme, color)
    symbols = {e.get("id", ""): e for e in root.iter() if e.get("id")}
    stacks: dict[str, tuple[str, ...]] = {}
    for group in root.iter(f"{SVG}g"):
        name = group.get("class", "")
        if name.split(" ")[0] in ("order", "standoff", "unit"):
            about = group.get("data-order") or group.get("data-unit") or ""
            key = f"{name} {about} {group.get('data-outcome', '')}".strip()
            stacks[key] = tuple(dict.fromkeys(_list_colors(group, symbols)))
    for mark in root.iter(f"{SVG}use"):
        if mark.get("class") in ("star", "dislodged-ring"):
            key = f"{mark.get('class')} {mark.get('data-power', '')}"
            stacks[key] = tuple(_list_colors(mark, symbols))
    return stacks


def _list_colors(element: Element, symbols: Mapping[str, Element]) -> Iterator[str]:
    for part in element.iter():
        if part.get("class") == "coast-tag":
            continue
        faint = [name for name in part.attrib if name.endswith("opacity")]
        assert faint == [], part.attrib
        if part.tag == f"{SVG}use":
            yield from _list_colors(symbols[part.get("href", "")[1:]], symbols)
        yield from (ink for ink in (part.get("stroke"), part.get("fill")) if ink and ink != "none")


@themes
@pytest.mark.parametrize("palette", PALETTES, ids="-".join)
def test_everything_stands_out_from_everything_that_it_crosses(
    theme: Theme, palette: tuple[str, ...]
) -> None:
    grounds = list_grounds(theme, palette)
    assert [weak for color in palette for weak in list_weak(theme, color, grounds)] == []


@pytest.mark.long
@themes
def test_everything_stands_out_from_any_ground_whatever_colors_players_choose(
    theme: Theme,
) -> None:
    grays = [f"#{level:02x}{level:02x}{level:02x}" for level in range(256)]
    assert [weak for color in ANY_COLORS for weak in list_weak(theme, color, grays)] == []


@themes
def test_each_layer_of_a_line_stands_out_from_the_next(theme: Theme) -> None:
    """Dashes are visible on their casing."""
    for color in {color for inks in PALETTES for color in inks}:
        lines = {
            inks
            for name, inks in list_stacks(theme, color).items()
            if name.startswith("order ") and "build" not in name
        }
        assert lines
        for layers in lines:
            assert len(layers) == 3
            assert min(contrast(*pair) for pair in pairwise(layers)) >= MIN_CONTRAST, color


@pytest.mark.parametrize("color", PALETTES[0])
def test_the_layers_of_a_line_are_wide_enough_to_see(color: str) -> None:
    arrow = next(e for e in draw(LIGHT, color).iter() if e.get("class") == "order move")
    shafts = [e for e in arrow.iter(f"{SVG}path") if not e.get("fill")]
    edge, casing, ink = (float(e.get("stroke-width", "0")) for e in shafts[:3])
    assert edge - casing >= 2
    assert casing - ink >= 2.4


@themes
@pytest.mark.parametrize("color", PALETTES[0])
def test_orders_have_their_owners_color_even_if_they_failed(theme: Theme, color: str) -> None:
    stacks = list_stacks(theme, color)
    for result in RESULTS:
        if not isinstance(result.order, Build | Disband):
            name = f"order {type(result.order).__name__.lower()} {result.order} {result.outcome}"
            assert color in stacks[name], name
            assert theme.failure not in stacks[name]
            assert power_of(result.order) in (ALMAR, DUNN)
