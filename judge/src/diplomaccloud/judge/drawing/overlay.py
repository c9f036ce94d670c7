"""Draw the overlay, which changes with the turn, and complete maps of base and overlay."""

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from diplomaccloud.judge.board import Location, Power, ProvinceCode
from diplomaccloud.judge.drawing.arrows import (
    curve_between,
    draw_orders,
    draw_retreats,
    draw_standoffs,
    mark_pen,
    trim_to_boxes,
)
from diplomaccloud.judge.drawing.base import BORDER_WIDTH, EDGE_WIDTH, draw_base, refine_chart
from diplomaccloud.judge.drawing.chart import (
    INKS,
    Arc,
    ArcKind,
    Chart,
    Mark,
    MarkKind,
    Point,
    cache_per_chart,
)
from diplomaccloud.judge.drawing.decoration import Decoration, draw_decoration, list_boxes
from diplomaccloud.judge.drawing.features import draw_feature_names
from diplomaccloud.judge.drawing.labels import Labels, draw_labels, draw_stars, star_symbols
from diplomaccloud.judge.drawing.paths import (
    find_border_arcs,
    list_steps,
    num,
    simplify_chart,
    write_arcs,
    write_rings,
)
from diplomaccloud.judge.drawing.patterns import write_pattern
from diplomaccloud.judge.drawing.room import find_moves
from diplomaccloud.judge.drawing.scene import (
    Scene,
    choose_fonts,
    escape_text,
    font_faces,
    frame_scale,
    list_rings,
    svg_element,
)
from diplomaccloud.judge.drawing.sizes import HALF_HEIGHT, HALF_WIDTH, Box
from diplomaccloud.judge.drawing.terrain import draw_stubs, draw_terrain
from diplomaccloud.judge.drawing.theme import LIGHT, Theme, live_theme, needs_frontier_casing
from diplomaccloud.judge.drawing.units import draw_units, unit_symbols
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.position import Dislodged, Position, starting_position
from diplomaccloud.judge.results import OrderResult

TERRITORY_PARTS = ("countries", "stars")
"""The groups of an overlay that depend only on the owners of the provinces."""

_KEY_LENGTH = 12
"""The number of digits in a territory's key: enough for the few territories of a game."""

_THUMBNAIL_RELIEF = 0.4
"""The opacity of the relief on thumbnails; more would hide the stars."""

_CARD_RELIEF, _CARD_STARS, CARD_UNITS = 0.3, 1.3, 1.45
"""The opacity of the relief on cards, and the sizes of stars and units, relative to the usual."""

_FRONTIER_WIDTH = 2.4
"""The width of the line around a country, in plain units."""

_FRONTIER_CASING = 2.2
"""How many times as wide its casing is, where it has one."""

_HOME_WIDTH, _HOME_CASING = 2.0, 3.6
"""The widths of the line around a home country, and of its casing, in plain units."""

_OUTLINE_TOLERANCE = 0.7
"""How far the frontier may be from the coast below it, in plain units: less than it covers."""

_TINT_EDGES = (16, 7)
"""Widths of the strokes that darken a country along its frontier."""

_INKED_LINE = 0.6
"""The width of the lines of patterns that stand for colors, relative to those beside colors."""

_POINTER_TOLERANCE = 0.9
"""How far a shape that reacts to the pointer may be from the drawn one, in plain units."""

_MAX_OUTLINES = 200
"""How many outlines of countries are kept for a map."""

_THUMBNAIL_STARS = 1.9
"""The size of stars on thumbnails, relative to the usual size."""

_CROP_SHAPE, _CROP_ROOM = 4 / 3, 0.09
"""The width of a cropped picture divided by its height, and the room around what it must show, as a
share of the map."""


def render_overlay(
    chart: Chart,
    position: Position,
    *,
    orders: Iterable[Order] = (),
    results: Iterable[OrderResult] = (),
    dislodged: Iterable[Dislodged] = (),
    standoffs: Iterable[ProvinceCode] = (),
    labels: Labels = Labels.BOTH,
    title: str = "",
    colors: Mapping[str, str] | None = None,
    known: Collection[str] = (),
    shapes: bool = True,
    marks: Iterable[Mark] = (),
) -> str:
    """Return an `svg` element to lay over the base map; it has the same `viewBox`.

    Each country has a hidden `use.pattern` for people who cannot see colors. Colors are CSS custom
    properties (`--map-…`, and `--power-…`, which CSS can set by `data-power`); the light theme
    is the fallback. `dislodged` are units dislodged in this phase: those still in `position` are
    drawn in place with a ring, the others next to their attacker, like the position's own
    dislodged units. `colors` by power replace those of the chart. Ids: `p-CODE` for each
    province, and `o-…`. `data-territory` is the `hash_territory` of the picture.

    `known` lists the territories that the page already has. If this one is among them, its groups
    are empty and have `data-same`. Without `shapes`, the group of provinces is empty, too, and a
    script fills it with `write_shapes`. `marks` are drawn by a player on the map.
    """
    theme = live_theme(LIGHT)
    scene = Scene(refine_chart(chart), position, theme, tuple(dislodged), colors or {})
    name = f' aria-label="{escape_text(title)}"' if title else ""
    parts = _draw_parts(scene, orders, results, standoffs, labels, marks=marks)
    territory = hash_territory(parts)
    name += f' data-territory="{territory}"'
    if territory in known:
        parts |= {part: _draw_gap(part) for part in TERRITORY_PARTS}
    provinces = _draw_provinces(scene) if shapes else _draw_gap("provinces")
    content = _join_parts(scene, parts, provinces)
    return svg_element(chart, content, f' class="overlay" role="group"{name}')


def render_orders(
    chart: Chart,
    position: Position,
    orders: Iterable[Order],
    colors: Mapping[str, str] | None = None,
    labels: Labels = Labels.NONE,
) -> str:
    """Return only the `g.orders` and `g.order-marks` that `render_overlay` would draw.

    With `labels`, the `g.labels` that give way to the orders come last.
    """
    scene = Scene(refine_chart(chart), position, live_theme(LIGHT), colors=colors or {})
    covers: list[Box] = []
    drawn = "".join(draw_orders(scene, orders, covers=covers))
    owners = find_territory(scene.chart, position)
    decorated = list_boxes(scene.chart, labels, Decoration.AUTO)
    moves = find_moves(scene, labels, covers, decorated)
    return drawn + draw_labels(scene, labels, owners, moves)


def render_parts(
    chart: Chart,
    position: Position,
    *,
    orders: Iterable[Order] = (),
    results: Iterable[OrderResult] = (),
    dislodged: Iterable[Dislodged] = (),
    standoffs: Iterable[ProvinceCode] = (),
    labels: Labels = Labels.BOTH,
    colors: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """Return the groups of `render_overlay` that change with the turn, by their class.

    They are in the order in which they are drawn. The shapes of the provinces are left out.
    """
    theme = live_theme(LIGHT)
    scene = Scene(refine_chart(chart), position, theme, tuple(dislodged), colors or {})
    return _draw_parts(scene, orders, results, standoffs, labels)


def write_shapes(chart: Chart) -> str:
    """Return the shapes of the provinces that react to the pointer, as JSON.

    They share their arcs, so this is half as long as the drawing. An arc is a list of numbers in
    tenths of a unit: its start, then its steps. A ring is a list of arcs; `~i` is arc `i` from its
    end to its start. `impassable` are pairs of name and rings.
    """
    coarse = _simplify_for_pointer(chart)
    names = {str(code): name for code, name in coarse.board.impassable}
    facts = {
        "arcs": list_steps(coarse),
        "provinces": [
            [shape.province, province.terrain, province.name, list_rings(shape)]
            for shape in coarse.shapes
            for province in (coarse.board.by_code[shape.province],)
        ],
        "impassable": [[names[code], rings] for code, rings in coarse.scenery if code in names],
    }
    return json.dumps(facts, separators=(",", ":"), ensure_ascii=False)


def hash_territory(parts: Mapping[str, str]) -> str:
    """Return a key of the groups `TERRITORY_PARTS` of `render_parts`."""
    drawn = "".join(parts[name] for name in TERRITORY_PARTS)
    return hashlib.sha256(drawn.encode()).hexdigest()[:_KEY_LENGTH]


def render_map(
    chart: Chart,
    position: Position | None = None,
    theme: Theme = LIGHT,
    *,
    orders: Iterable[Order] = (),
    results: Iterable[OrderResult] = (),
    dislodged: Iterable[Dislodged] = (),
    standoffs: Iterable[ProvinceCode] = (),
    labels: Labels = Labels.NAMES,
    title: str = "",
    patterns: bool = False,
    marks: Iterable[Mark] = (),
    retreats: bool = False,
    decoration: Decoration = Decoration.AUTO,
    width: int | None = None,
) -> str:
    """Return base and overlay as one standalone SVG with fixed colors and embedded fonts.

    `position` is by default the starting position. `patterns` draws patterns over countries for
    people who cannot see colors, and `retreats` the ways that dislodged units may go. `decoration`
    says whether the picture has a title, a compass and the like. `width` is in pixels; without it,
    the picture fills the page. The other arguments are as in `render_overlay`.
    """
    shown_position = position or starting_position(chart.board)
    scene = Scene(refine_chart(chart), shown_position, theme, tuple(dislodged), patterned=patterns)
    ordered = tuple(orders)
    parts = _draw_parts(
        scene, ordered, results, standoffs, labels, marks=marks, decoration=decoration
    )
    if retreats:
        parts["order-marks"] += draw_retreats(scene, ordered)
    content = _join_parts(scene, parts, _draw_provinces(scene))
    drawn = font_faces(sans=theme.look.sans) + draw_base(chart, theme) + content
    return _build_standalone(scene, drawn, title, f' width="{width}"' if width else "")


def render_layer(
    chart: Chart,
    position: Position,
    theme: Theme,
    *,
    results: Iterable[OrderResult] = (),
    dislodged: Iterable[Dislodged] = (),
    standoffs: Iterable[ProvinceCode] = (),
) -> str:
    """Return the overlay with names as a standalone SVG, to lay over a picture of the base map.

    It has fixed colors and no fonts, so that it is small.
    """
    scene = Scene(refine_chart(chart), position, theme, tuple(dislodged))
    plain = Decoration.PLAIN
    parts = _draw_parts(scene, (), results, standoffs, Labels.NAMES, decoration=plain)
    return _build_standalone(scene, _join_parts(scene, parts, ""), "")


def render_thumbnail(chart: Chart, width: int = 320, theme: Theme = LIGHT) -> str:
    """Return a small standalone SVG, `width` pixels wide, without names and units.

    Lines are simplified to half a pixel, as that width shows no more.
    """
    tolerance = max(chart.size) / width / 2
    plain = simplify_chart(chart, tolerance)
    scene = Scene(plain, starting_position(chart.board), theme)
    defs = f"<defs>{star_symbols(scene)}</defs>"
    owners = find_territory(plain, scene.position)
    content = draw_base(plain, theme, _THUMBNAIL_RELIEF) + defs + _draw_countries(scene, owners)
    stars = draw_stars(scene, _THUMBNAIL_STARS)
    return _build_standalone(scene, content + stars, chart.world, f' width="{width}"')


def render_picture(
    chart: Chart,
    position: Position,
    theme: Theme = LIGHT,
    *,
    orders: Iterable[Order] = (),
    marks: Iterable[Mark] = (),
    title: str = "",
    width: int = 480,
    cropped: bool = False,
) -> str:
    """Return a small standalone SVG of a position with orders and marks, and without names.

    It is about `width` pixels wide. Lines are simplified to half a pixel. If `cropped`, it shows
    only the part of the map that has orders and marks, if any, with some room around them.
    """
    given, drawn = tuple(orders), tuple(marks)
    points = _list_points(Scene(chart, position, theme), given, drawn) if cropped else ()
    box = _crop(chart, points) if points else None
    plain = simplify_chart(chart, (box[2] if box else max(chart.size)) / width / 2)
    scene = Scene(plain, position, theme)
    below, above = draw_orders(scene, given)
    content = (
        draw_base(plain, theme, _THUMBNAIL_RELIEF)
        + f"<defs>{star_symbols(scene)}{unit_symbols(scene)}</defs>"
        + _draw_countries(scene, find_territory(plain, position))
        + draw_washes(scene, drawn)
        + below
        + draw_stars(scene)
        + draw_units(scene)
        + above
        + draw_pins(scene, drawn)
    )
    return _build_standalone(scene, content, title, f' width="{width}"', box)


def _list_points(scene: Scene, orders: Iterable[Order], marks: Iterable[Mark]) -> tuple[Point, ...]:
    """Return the places on the map that orders and marks are about."""
    places = [scene.place(Location(code)) for mark in marks for code in (mark.province, mark.to)]
    for order in orders:
        units = (getattr(order, name, None) for name in ("unit", "target"))
        places += [scene.place_of(unit) for unit in units if unit is not None]
        places.append(scene.place(Location(getattr(order, "to", ""))))
    return tuple(place for place in places if place is not None)


ViewBox = tuple[float, float, float, float]
"""Left, top, width and height, in map units."""


def _crop(chart: Chart, points: Iterable[Point]) -> ViewBox:
    """Return a part of the map with the shape of a card around `points`."""
    (width, height), room = chart.size, _CROP_ROOM * max(chart.size)
    xs, ys = zip(*points, strict=True)
    across = max(max(xs) - min(xs) + 2 * room, (max(ys) - min(ys) + 2 * room) * _CROP_SHAPE)
    # As much of it as the map has.
    across, down = min(across, width), min(across / _CROP_SHAPE, height)
    left = min(max((min(xs) + max(xs) - across) / 2, 0), width - across)
    top = min(max((min(ys) + max(ys) - down) / 2, 0), height - down)
    return left, top, across, down


def render_card(
    chart: Chart,
    position: Position,
    theme: Theme = LIGHT,
    *,
    colors: Mapping[str, str] | None = None,
    width: int = 320,
) -> str:
    """Return a small standalone SVG of a position, without names, orders and the map's frame.

    It is `width` pixels wide. Lines are simplified to half a pixel; stars and units are larger than
    usual. `colors` by power replace those of the chart.
    """
    plain = simplify_chart(chart, max(chart.size) / width / 2)
    scene = Scene(plain, position, theme, colors=colors or {})
    content = (
        draw_base(plain, theme, _CARD_RELIEF)
        + f"<defs>{star_symbols(scene)}{unit_symbols(scene)}</defs>"
        + _draw_countries(scene, find_territory(plain, position))
        + draw_stars(scene, _CARD_STARS)
        + draw_units(scene, CARD_UNITS)
    )
    box = f"0 0 {num(chart.size[0])} {num(chart.size[1])}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" viewBox="{box}">{content}</svg>'
    )


def _build_standalone(
    scene: Scene, content: str, title: str, attributes: str = "", box: ViewBox | None = None
) -> str:
    name = escape_text(title or scene.chart.world)
    shown = " ".join(map(num, box)) if box else ""
    return svg_element(scene.chart, f"<title>{name}</title>{content}", attributes, shown)


def _draw_gap(part: str) -> str:
    """Return an empty group, which the page replaces with the one it already has."""
    return f'<g class="{part}" data-same></g>'


def _join_parts(scene: Scene, parts: Mapping[str, str], provinces: str) -> str:
    """Return the content of an overlay: definitions, and the provinces between the groups."""
    above = "".join(drawn for name, drawn in parts.items() if name != "countries")
    defs = f"<defs>{star_symbols(scene)}{unit_symbols(scene)}</defs>"
    return f"{defs}{parts['countries']}{provinces}{above}"


def _draw_parts(
    scene: Scene,
    orders: Iterable[Order],
    results: Iterable[OrderResult],
    standoffs: Iterable[ProvinceCode],
    labels: Labels,
    *,
    marks: Iterable[Mark] = (),
    decoration: Decoration = Decoration.AUTO,
) -> dict[str, str]:
    """Return the groups that change with the turn by their class, from the bottom to the top.

    Decoration is part of the countries, which a page keeps as long as they do not change.

    The groups of marks are included only if there are marks.
    """
    covers: list[Box] = []
    below, above = draw_orders(scene, orders, results, covers)
    crosses = draw_standoffs(scene, standoffs, covers)
    owners = find_territory(scene.chart, scene.position)
    drawn = tuple(marks)
    moves = find_moves(scene, labels, covers, list_boxes(scene.chart, labels, decoration))
    return {
        "countries": _draw_countries(
            scene,
            owners,
            draw_feature_names(scene.chart, scene.theme, labels),
            draw_decoration(scene, labels, decoration, owners),
        ),
        **({"washes": draw_washes(scene, drawn)} if drawn else {}),
        "standoffs": crosses,
        "orders": below,
        # Above the arrows, which would otherwise hide names and stars at their ends.
        "labels": draw_labels(scene, labels, owners, moves),
        "stars": draw_stars(scene),
        "units": draw_units(scene),
        "order-marks": above,
        **({"pins": draw_pins(scene, drawn)} if drawn else {}),
    }


def _draw_countries(
    scene: Scene, owners: Mapping[ProvinceCode, Power], names: str = "", decoration: str = ""
) -> str:
    """Return for each power its tint, a dark edge inside its frontier, and the bold frontier.

    The `names` of features and the `decoration` lie on top of them.
    """
    chart, theme = scene.chart, scene.theme
    outlines, scale = _simplify_outlines(chart), frame_scale(chart)
    held: dict[Power, list[ProvinceCode]] = {}
    for code, power in owners.items():
        held.setdefault(power, []).append(code)
    drawn = [
        _draw_country(scene, outlines, number, power, held[power])
        for number, power in enumerate(sorted(held))
    ]
    covered = [
        index
        for index, arc in enumerate(chart.arcs)
        if arc.kind is ArcKind.LAND
        and arc.left
        and arc.right
        and owners.get(arc.left) == owners.get(arc.right) is not None
    ]
    width, height = map(num, chart.size)
    # Tints cover the borders of the base map, and the inner half of the line around the map: draw
    # both again.
    return (
        '<g class="countries" pointer-events="none" fill-rule="evenodd" clip-rule="evenodd"'
        ' stroke-linejoin="round">'
        f'<clipPath id="o-map"><path d="M0 0h{width}v{height}H0z"/></clipPath>'
        f'<g clip-path="url(#o-map)">{"".join(drawn)}</g>'
        f"{_draw_faint_frontiers(scene, owners)}{_draw_homes(scene, owners)}"
        f'<path d="{write_arcs(chart, covered)}" fill="none"'
        f' stroke="{theme.border}" stroke-opacity=".85"'
        f' stroke-width="{num(BORDER_WIDTH * theme.look.weight * scale)}"/>'
        f"{draw_terrain(chart, theme)}{names}"
        f'<path d="M0 0h{width}v{height}H0z" fill="none" stroke="{theme.frame_line}"'
        f' stroke-width="{num(EDGE_WIDTH * scale)}"/>{draw_stubs(chart, theme)}{decoration}</g>'
    )


def _draw_faint_frontiers(scene: Scene, owners: Mapping[ProvinceCode, Power]) -> str:
    """Return the frontiers between dark countries with a light casing, so that they show."""
    chart, theme = scene.chart, scene.theme
    if theme.look.cased:
        return ""
    dark = {
        power for power in {*owners.values()} if needs_frontier_casing(scene.color_of(power), theme)
    }
    arcs = [
        index
        for index, arc in enumerate(chart.arcs)
        if arc.kind is ArcKind.LAND and arc.left and arc.right
        if (left := owners.get(arc.left)) != (right := owners.get(arc.right))
        if {left, right} <= dark
    ]
    if not arcs:
        return ""
    width, line = _FRONTIER_WIDTH * frame_scale(chart), write_arcs(chart, arcs)
    return "".join(
        f'<path class="faint" d="{line}" fill="none" stroke="{ink}" stroke-width="{num(wide)}"/>'
        for ink, wide in ((theme.casing_light, width * _FRONTIER_CASING), (theme.coast, width))
    )


def _draw_homes(scene: Scene, owners: Mapping[ProvinceCode, Power]) -> str:
    """Return a fine line around each home country of which another power has a part.

    Coasts and the bold frontiers need none.
    """
    chart, drawn = scene.chart, list[str]()
    for power, codes in _list_homes(chart).items():
        if all(owners.get(code, power) == power for code in codes):
            continue
        shapes = [scene.shapes[code] for code in codes if code in scene.shapes]
        arcs = [
            index
            for index in find_border_arcs(ring for shape in shapes for ring in list_rings(shape))
            if (arc := chart.arcs[index]).kind is ArcKind.LAND
            and arc.left
            and arc.right
            and owners.get(arc.left) == owners.get(arc.right)
        ]
        if arcs:
            ink, scale = scene.inks_of(power).badge, frame_scale(chart)
            name = f"o-home{len(drawn)}"
            drawn.append(
                f'<g class="home" data-power="{escape_text(power)}" fill="none">'
                f'<defs><path id="{name}" d="{write_arcs(chart, arcs)}"/></defs>'
                f'<use href="#{name}" stroke="{scene.theme.casing_light}"'
                f' stroke-width="{num(_HOME_CASING * scale)}"/>'
                f'<use href="#{name}" stroke="{ink}"'
                f' stroke-width="{num(_HOME_WIDTH * scale)}"/></g>'
            )
    return "".join(drawn)


@cache_per_chart
def _list_homes(chart: Chart) -> Mapping[Power, tuple[ProvinceCode, ...]]:
    """Return the provinces of each home country."""
    return {
        info.power: tuple(one.code for one in chart.board.provinces if one.home == info.power)
        for info in chart.board.powers
    }


@cache_per_chart
def _simplify_outlines(chart: Chart) -> Chart:
    """Return `chart` for the outlines of countries, with its frame moved outside the map.

    The edge of the map is not a frontier, because the country continues beyond it. So the outline
    leaves the map there, and one path is enough for the area and for its frontier.
    """
    plain = simplify_chart(chart, _OUTLINE_TOLERANCE * frame_scale(chart))
    far = _TINT_EDGES[0] * frame_scale(chart)
    on_frame = {
        end
        for arc in plain.arcs
        if arc.kind is ArcKind.FRAME
        for end in (arc.points[0], arc.points[-1])
    }

    def move_out(point: Point) -> Point:
        x, y = (
            -far if at <= 0 else size + far if at >= size else at
            for at, size in zip(point, chart.size, strict=True)
        )
        return x, y

    def extend(arc: Arc) -> Arc:
        if arc.kind is ArcKind.FRAME:
            return replace(arc, points=tuple(map(move_out, arc.points)))
        first, last = arc.points[0], arc.points[-1]
        before = (move_out(first),) if first in on_frame else ()
        after = (move_out(last),) if last in on_frame else ()
        return replace(arc, points=(*before, *arc.points, *after))

    return replace(plain, arcs=tuple(map(extend, plain.arcs)))


@cache_per_chart
def _find_outlines(_chart: Chart) -> dict[frozenset[ProvinceCode], str]:
    """Return the outlines of countries found so far."""
    return {}


def _find_outline(scene: Scene, chart: Chart, codes: frozenset[ProvinceCode]) -> str:
    """Return the outline of a country on `chart`.

    Most countries are the same as in a turn that was drawn before.
    """
    known = _find_outlines(chart)
    if codes not in known:
        rings = [
            ring
            for code in codes
            if code in scene.shapes
            for ring in list_rings(scene.shapes[code])
        ]
        while len(known) >= _MAX_OUTLINES:
            known.pop(next(iter(known)), None)
        known[codes] = write_arcs(chart, find_border_arcs(rings))
    return known[codes]


def _draw_country(
    scene: Scene, chart: Chart, number: int, power: Power, codes: list[ProvinceCode]
) -> str:
    theme, inks, look = scene.theme, scene.inks_of(power), scene.theme.look
    scale, pattern, lines = frame_scale(chart), "", ""
    patterned = scene.patterned or look.inked or power in scene.alike
    # On a page the pattern is hidden until the viewer turns it on.
    if theme.live or patterned:
        pattern, lines = draw_pattern(scene, number, power, shown=patterned)
    outline = _find_outline(scene, chart, frozenset(codes))
    edges = _draw_edges(theme, f"o-c{number}", scale)
    return (
        f'<g class="country" data-power="{escape_text(power)}">'
        f'<defs><path id="o-c{number}" d="{outline}"/>'
        f'<clipPath id="o-k{number}"><use href="#o-c{number}"/></clipPath>'
        f'{pattern}</defs><use href="#o-c{number}" fill="{inks.tint}" fill-opacity="{look.wash}"/>'
        f"{lines}"
        f'<g clip-path="url(#o-k{number})" fill="none" stroke="{inks.deep}"'
        f' stroke-opacity="{_write_share(look.edges[0])}">{edges}</g>'
        f'<use href="#o-c{number}" fill="none" stroke="{theme.coast}"'
        f' stroke-width="{num(_FRONTIER_WIDTH * look.weight * scale)}"/></g>'
    )


def _draw_edges(theme: Theme, outline: str, scale: float) -> str:
    """Return the strokes that set off a country inside the outline with this id."""
    (outer, inner), drawn = theme.look.edges, ""
    for width, opacity in zip(_TINT_EDGES, (outer, inner), strict=True):
        own = f' stroke-opacity="{_write_share(opacity)}"' if opacity != outer else ""
        if theme.look.cased and own:
            own = f' stroke="{theme.casing_light}"{own}'
        if opacity:
            drawn += f'<use href="#{outline}" stroke-width="{num(width * scale)}"{own}/>'
    return drawn


def _write_share(share: float) -> str:
    return f"{share:g}".removeprefix("0") or "0"


def _draw_provinces(scene: Scene) -> str:
    """Return a shape for each province that reacts to the pointer, with a tooltip."""
    outlines, impassable = _draw_outlines(scene.chart)
    drawn = []
    for code, head, tail in outlines:
        owner = scene.position.centers.get(code)
        owned = f' data-owner="{escape_text(owner)}"' if owner else ""
        drawn.append(f"{head}{owned}{tail}")
    return (
        '<g class="provinces" fill="none" fill-rule="evenodd" pointer-events="all">'
        f"{''.join(drawn)}{impassable}</g>"
    )


@cache_per_chart
def _simplify_for_pointer(chart: Chart) -> Chart:
    """Return `chart` for the invisible shapes that react to the pointer."""
    return simplify_chart(chart, _POINTER_TOLERANCE * frame_scale(chart))


@cache_per_chart
def _draw_outlines(chart: Chart) -> tuple[tuple[tuple[ProvinceCode, str, str], ...], str]:
    """Return each province's element in two parts, with room for its owner between them.

    The last result are shapes over impassable land, which only have a tooltip with its name.
    """
    coarse = _simplify_for_pointer(chart)
    names = {str(code): name for code, name in coarse.board.impassable}
    impassable = "".join(
        f'<path class="impassable" d="{write_rings(coarse, rings)}">'
        f"<title>{escape_text(names[code])} (impassable)</title></path>"
        for code, rings in coarse.scenery
        if code in names
    )
    outlines = []
    for shape in coarse.shapes:
        province = coarse.board.by_code[shape.province]
        code = escape_text(province.code)
        head = f'<path id="p-{code}" class="province {province.terrain}" data-province="{code}"'
        outline = write_rings(coarse, list_rings(shape))
        tail = f' d="{outline}"><title>{escape_text(province.name)}</title></path>'
        outlines.append((province.code, head, tail))
    return tuple(outlines), impassable


def find_territory(
    chart: Chart, position: Position, *, home_tint: bool = True
) -> dict[ProvinceCode, Power]:
    """Return the power whose color each province has.

    A center has the color of its owner. Other home provinces have the color of their home power
    while that power owns at least one of its home centers (never without `home_tint`). The
    remaining provinces have none.
    """
    homes = chart.board.home_centers
    with_home = {
        power
        for power, centers in homes.items()
        if any(position.centers.get(code) == power for code in centers)
    }
    owners = dict(position.centers)
    for province in chart.board.provinces:
        if home_tint and not province.center and province.home in with_home:
            owners[province.code] = province.home
    return owners


def draw_pattern(scene: Scene, number: int, power: Power, *, shown: bool) -> tuple[str, str]:
    """Return the pattern of `power`, and an element that lays it over the country `o-c{number}`.

    Unless `shown`, the element is hidden (`display="none"`); the CSS of a page can show it.
    """
    hidden, inked = "" if shown else ' display="none"', scene.theme.look.inked
    ink, share = (scene.theme.coast, "1") if inked else (scene.inks_of(power).mark, ".4")
    bold = _INKED_LINE if inked else 1.0
    pattern = write_pattern(f"o-p{number}", scene.number_of(power), ink, scene.unit, bold=bold)
    return pattern, (
        f'<use class="pattern"{hidden} href="#o-c{number}" fill="url(#o-p{number})"'
        f' fill-opacity="{share}"/>'
    )


# Draw players' marks: washes and hatches below the names, arrows and pins above everything.

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
    step, width = num(_HATCH_STEP * scene.unit), num(2 * _HATCH_WIDTH * scene.unit)
    patterns = "".join(
        f'<pattern id="o-h-{ink}" width="{step}" height="{step}" patternUnits="userSpaceOnUse"'
        f' patternTransform="rotate(45)"><path d="M0 0v{step}" stroke="{INKS[ink]}"'
        f' stroke-width="{width}"/></pattern>'
        for ink in dict.fromkeys(mark.ink for mark in marks if mark.kind is MarkKind.HATCH)
    )
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


def _draw_arrow(scene: Scene, mark: Mark) -> str:
    start, end = scene.place(Location(mark.province)), scene.place(Location(mark.to))
    if start is None or end is None:
        return ""
    box = (HALF_WIDTH + _GAP) * scene.unit, (HALF_HEIGHT + _GAP) * scene.unit
    curve = trim_to_boxes(curve_between(start, end, _BOW), box, box)
    pen = replace(mark_pen(scene, INKS[mark.ink]), width=_ARROW_WIDTH)
    return (
        f'<g class="arrow" data-province="{escape_text(mark.province)}"'
        f' data-to="{escape_text(mark.to)}" opacity=".9">{pen.arrow(curve)}</g>'
    )


def _draw_pin(scene: Scene, mark: Mark, number: int) -> str:
    at = scene.place(Location(mark.province))
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
    side, anchor = (-1.5, "end") if x > scene.chart.size[0] * 0.7 else (1.5, "start")
    beside = x + side * radius, center
    label = _write(scene, text, beside, anchor, theme.label, halo=theme.label_halo)
    title = escape_text(f"{number}: {mark.text}" if mark.text else str(number))
    place = escape_text(mark.province)
    return f'<g class="pin" data-province="{place}"><title>{title}</title>{body}{digit}{label}</g>'


def _write(scene: Scene, text: str, at: Point, anchor: str, ink: str, *, halo: str) -> str:
    if not text:
        return ""
    size, around = _LETTER * scene.unit, ""
    if halo:
        around = f' stroke="{halo}" stroke-width="{num(4 * scene.unit)}" paint-order="stroke"'
    return (
        f'<text x="{num(at[0])}" y="{num(at[1] + size / 3)}" font-size="{num(size)}"'
        f' font-family="{choose_fonts(scene.theme)}" font-weight="700" text-anchor="{anchor}"'
        f' fill="{ink}"{around}>{escape_text(text)}</text>'
    )
