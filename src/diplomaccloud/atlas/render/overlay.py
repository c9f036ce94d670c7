"""The part of a map that changes with the turn, and both parts as one standalone drawing."""

from collections.abc import Iterable, Mapping

from diplomaccloud.atlas.chart import ArcKind, Chart
from diplomaccloud.atlas.render.arrows import draw_orders, draw_standoffs
from diplomaccloud.atlas.render.base import base_content, fine_chart
from diplomaccloud.atlas.render.chart_cache import once_per_chart
from diplomaccloud.atlas.render.labels import Labels, draw_labels, draw_stars, star_symbols
from diplomaccloud.atlas.render.lettering import font_faces
from diplomaccloud.atlas.render.paths import (
    border_arcs,
    chain_data,
    num,
    ring_data,
    simplified_chart,
)
from diplomaccloud.atlas.render.patterns import draw_pattern
from diplomaccloud.atlas.render.scene import (
    Scene,
    frame_scale,
    rings_of,
    svg_element,
    text_of,
)
from diplomaccloud.atlas.render.territory import territory
from diplomaccloud.atlas.render.theme import LIGHT, WASH, Theme, live_theme
from diplomaccloud.atlas.render.units import draw_units, unit_symbols
from diplomaccloud.judge.board import Power, ProvinceCode
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.position import Dislodged, Position, starting_position
from diplomaccloud.judge.results import OrderResult

_FAINT = 0.4
"""Opacity of the relief on thumbnails, where it would else drown the stars."""


def render_overlay(
    chart: Chart,
    position: Position,
    *,
    orders: Iterable[Order] = (),
    results: Iterable[OrderResult] = (),
    dislodged: Iterable[Dislodged] = (),
    standoffs: Iterable[ProvinceCode] = (),
    home_tint: bool = True,
    labels: Labels = Labels.BOTH,
    title: str = "",
    colours: Mapping[str, str] | None = None,
) -> str:
    """Return an `svg` element to lay over the base: it has the same `viewBox`.

    Each country has a hidden `g.pattern`, for those who see no colour.
    Colours are custom properties (`--map-…`, and `--power-…` that CSS may set by
    `data-power`) with the light theme's as fallback. `dislodged` are units driven out in the
    phase shown; those that `position` still lists are ringed where they stand, others stand
    beside their attacker, as do the position's own. `colours` by power replace the chart's.
    Ids: `p-CODE` per province, `o-…`.
    """
    theme = live_theme(LIGHT)
    scene = Scene(fine_chart(chart), position, theme, tuple(dislodged), colours or {})
    name = f' aria-label="{text_of(title)}"' if title else ""
    content = _content(scene, orders, results, standoffs, home_tint=home_tint, labels=labels)
    return svg_element(chart, content, f' class="overlay" role="group"{name}')


def render_orders(
    chart: Chart,
    position: Position,
    orders: Iterable[Order],
    colours: Mapping[str, str] | None = None,
) -> str:
    """Return only the `g.orders` and `g.order-marks` that `render_overlay` would draw."""
    scene = Scene(chart, position, live_theme(LIGHT), colours=colours or {})
    return "".join(draw_orders(scene, orders))


def render_map(
    chart: Chart,
    position: Position | None = None,
    theme: Theme = LIGHT,
    *,
    orders: Iterable[Order] = (),
    results: Iterable[OrderResult] = (),
    dislodged: Iterable[Dislodged] = (),
    standoffs: Iterable[ProvinceCode] = (),
    home_tint: bool = True,
    labels: Labels = Labels.NAMES,
    title: str = "",
    patterns: bool = False,
) -> str:
    """Return base and overlay as one standalone SVG with plain colours and its own letters.

    Without `position`, the board's starting one. `patterns` are drawn over countries for those
    who see no colour. The rest is as in `render_overlay`.
    """
    at = position or starting_position(chart.board)
    scene = Scene(fine_chart(chart), at, theme, tuple(dislodged), patterned=patterns)
    content = _content(scene, orders, results, standoffs, home_tint=home_tint, labels=labels)
    drawn = font_faces() + base_content(chart, theme) + content
    return _standalone(scene, drawn, title)


def render_thumbnail(chart: Chart, width: int = 320, theme: Theme = LIGHT) -> str:
    """Return a small standalone SVG, `width` pixels wide: homes and stars, no names or units.

    Lines are simplified to what that width can show.
    """
    tolerance = max(chart.size) / width * 0.5
    plain = simplified_chart(chart, tolerance)
    scene = Scene(plain, starting_position(chart.board), theme)
    defs = f"<defs>{star_symbols()}</defs>"
    owners = territory(plain, scene.position)
    content = base_content(plain, theme, _FAINT) + defs + _countries(scene, owners)
    stars = draw_stars(scene, 1.9, signed=False)
    return _standalone(scene, content + stars, chart.world, f' width="{width}"')


def _standalone(scene: Scene, content: str, title: str, attributes: str = "") -> str:
    name = text_of(title or scene.chart.world)
    return svg_element(scene.chart, f"<title>{name}</title>{content}", attributes)


def _content(
    scene: Scene,
    orders: Iterable[Order],
    results: Iterable[OrderResult],
    standoffs: Iterable[ProvinceCode],
    *,
    home_tint: bool,
    labels: Labels,
) -> str:
    below, above = draw_orders(scene, orders, results)
    owners = territory(scene.chart, scene.position, home_tint=home_tint)
    return "".join(
        (
            f"<defs>{star_symbols()}{unit_symbols()}</defs>",
            _countries(scene, owners),
            _provinces(scene),
            draw_standoffs(scene, standoffs),
            below,
            # Over the arrows, which would else hide names and stars where they end.
            draw_labels(scene, labels, owners),
            draw_stars(scene),
            draw_units(scene),
            above,
        )
    )


def _countries(scene: Scene, owners: Mapping[ProvinceCode, Power]) -> str:
    """Return per power: its tint, the darker inside of its frontier, and the bold frontier."""
    held: dict[Power, list[ProvinceCode]] = {}
    for code, power in owners.items():
        held.setdefault(power, []).append(code)
    drawn = [
        _country(scene, number, power, held[power]) for number, power in enumerate(sorted(held))
    ]
    return (
        '<g class="countries" pointer-events="none" fill-rule="evenodd" stroke-linejoin="round">'
        f"{''.join(drawn)}{_inner_borders(scene, owners)}{_edge(scene)}</g>"
    )


def _edge(scene: Scene) -> str:
    """Return the line around the map once more, for tints veil its inner half."""
    width, height = map(num, scene.chart.size)
    return (
        f'<path d="M0 0h{width}v{height}H0z" fill="none" stroke="{scene.theme.frame_line}"'
        f' stroke-width="{num(2.6 * frame_scale(scene.chart))}"/>'
    )


def _inner_borders(scene: Scene, owners: Mapping[ProvinceCode, Power]) -> str:
    """Return the borders inside countries once more, for their tint veils those of the base."""
    chart, theme = scene.chart, scene.theme
    veiled = [
        index
        for index, arc in enumerate(chart.arcs)
        if arc.kind is ArcKind.LAND
        and arc.left
        and arc.right
        and owners.get(arc.left) == owners.get(arc.right) is not None
    ]
    return (
        f'<path d="{chain_data(chart, veiled)}" fill="none" stroke="{theme.border}"'
        f' stroke-opacity=".85" stroke-width="{num(1.1 * frame_scale(chart))}"/>'
    )


def _country(scene: Scene, number: int, power: Power, codes: list[ProvinceCode]) -> str:
    chart, theme, inks = scene.chart, scene.theme, scene.inks_of(power)
    rings = [
        ring for code in codes if code in scene.shapes for ring in rings_of(scene.shapes[code])
    ]
    scale = frame_scale(chart)
    outline, frontier, own = _outline(chart, number, border_arcs(rings))
    edges = "".join(
        f'<use href="#{frontier}" stroke-width="{num(width * scale)}"/>' for width in (16, 7)
    )
    return (
        f'<g class="country" data-power="{text_of(power)}">'
        f'<defs><path id="o-c{number}" d="{outline}"/>{own}'
        f'<clipPath id="o-k{number}"><use href="#o-c{number}" clip-rule="evenodd"/></clipPath>'
        f'</defs><use href="#o-c{number}" fill="{inks.tint}" fill-opacity="{WASH}"/>'
        f"{_pattern(scene, number, power)}"
        f'<g clip-path="url(#o-k{number})" fill="none" stroke="{inks.deep}"'
        f' stroke-opacity=".28">{edges}</g>'
        f'<use href="#{frontier}" fill="none" stroke="{theme.coast}"'
        f' stroke-width="{num(2.4 * scale)}"/></g>'
    )


def _outline(chart: Chart, number: int, arcs: list[int]) -> tuple[str, str, str]:
    """Return the data of a country's outline, the id of its frontier, and that path if it is less.

    At the edge of the map the country goes on, and has no frontier there.
    """
    outline = chain_data(chart, arcs)
    inside = [arc for arc in arcs if chart.arcs[arc].kind is not ArcKind.FRAME]
    if len(inside) == len(arcs):
        return outline, f"o-c{number}", ""
    name = f"o-f{number}"
    return outline, name, f'<path id="{name}" d="{chain_data(chart, inside)}"/>'


def _pattern(scene: Scene, number: int, power: Power) -> str:
    """Return the pattern of a country; hidden in a page, which shows it to those who ask."""
    if not scene.theme.live and not scene.patterned:
        return ""
    return draw_pattern(scene, number, power, shown=scene.patterned)


def _provinces(scene: Scene) -> str:
    """Return a shape per province that answers to the pointer, its name as tool tip."""
    owners = scene.position.centers
    drawn = []
    for code, head, tail in _outlines(scene.chart):
        owner = owners.get(code)
        owned = f' data-owner="{text_of(owner)}"' if owner else ""
        drawn.append(f"{head}{owned}{tail}")
    return (
        '<g class="provinces" fill="none" fill-rule="evenodd" pointer-events="all">'
        f"{''.join(drawn)}{_impassable(scene.chart)}</g>"
    )


@once_per_chart
def _coarse(chart: Chart) -> Chart:
    """Return `chart` for shapes that are not seen unless a page's style shows them."""
    return simplified_chart(chart, 0.9 * frame_scale(chart))


@once_per_chart
def _outlines(chart: Chart) -> tuple[tuple[ProvinceCode, str, str], ...]:
    """Return each province's element in two parts, between which its owner is written."""
    coarse = _coarse(chart)
    found = []
    for shape in coarse.shapes:
        province = coarse.board.by_code[shape.province]
        code = text_of(province.code)
        head = f'<path id="p-{code}" class="province {province.terrain}" data-province="{code}"'
        outline = ring_data(coarse, rings_of(shape))
        tail = f' d="{outline}"><title>{text_of(province.name)}</title></path>'
        found.append((province.code, head, tail))
    return tuple(found)


@once_per_chart
def _impassable(chart: Chart) -> str:
    """Return shapes over impassable land that only tell its name."""
    coarse = _coarse(chart)
    names = {str(code): name for code, name in coarse.board.impassable}
    return "".join(
        f'<path class="impassable" d="{ring_data(coarse, rings)}">'
        f"<title>{text_of(names[code])} (impassable)</title></path>"
        for code, rings in coarse.scenery
        if code in names
    )
