"""The decoration of a map: a title in a cartouche, the key, a compass, a scale, and country names.

None of it touches a name, a star or a place for a unit. What finds no room is smaller, and then
left out. What touches a code is not shown with codes. All is placed once for each map. Boxes are in
map units, other sizes in plain units.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import dist
from statistics import median

from diplomaccloud.judge.board import Location, Power, ProvinceCode, Terrain, UnitKind
from diplomaccloud.judge.drawing.bitmap import Bitmap
from diplomaccloud.judge.drawing.chart import ArcKind, Chart, cache_per_chart
from diplomaccloud.judge.drawing.country_names import CountryName, place_country_names
from diplomaccloud.judge.drawing.features import list_feature_boxes
from diplomaccloud.judge.drawing.labels import STAR, Labels, list_codes, list_names
from diplomaccloud.judge.drawing.paths import find_border_arcs, num
from diplomaccloud.judge.drawing.scene import (
    DISLODGED_SIZE,
    Scene,
    choose_fonts,
    escape_text,
    frame_margin,
    list_rings,
)
from diplomaccloud.judge.drawing.sizes import (
    Box,
    badge_box,
    badge_scale,
    box_around,
    measure_lines,
    place_badges,
)
from diplomaccloud.judge.drawing.theme import is_dark
from diplomaccloud.judge.drawing.units import build_transform, draw_badge
from diplomaccloud.judge.units import Unit


class Decoration(StrEnum):
    """How much decoration a picture has.

    `AUTO`: all of it on a map with a title, if the picture has names, and otherwise none. `PARTS`
    leaves out the title and the key, for a sheet that prints them beside the map.
    """

    AUTO = "auto"
    FULL = "full"
    PARTS = "parts"
    PLAIN = "plain"


_CELLS = 300
"""How many cells of the raster the longer side of a map has."""

_SHORE, _SPACE, _EDGE = 8.0, 4.0, 6.0
"""How far decoration stays from land, from names, stars and units, and from the edge of the map."""

_RIDGE = 7.0
"""How far the peaks of a ridge and the water of a river are from their line."""

_STAR = 12.5
"""Half the size of a star or flag."""

_MOST_AROUND = 12
"""More empty cells than this around an item do not make its place better."""

_TITLE_SIZES = (38.0, 32.0, 27.0, 23.0, 19.5)
"""The font sizes of the main line of a title; the others follow it."""

_TITLE_GAP, _TITLE_REST = 0.12, 0.58
"""The space between its letters, and the size of the words before it, in font sizes."""

_PLATE_SIZE, _PLATE_MIDDLE, _PLATE_HALF = 0.5, 0.47, 0.4
"""The size of letters on the frame, where their middle is, and half the height of their plate, in
frame widths."""

_MAX_LINE = 22
"""From how many letters on a line of a title is divided."""

_LESSER_WORDS = re.compile(r"(.*\b(?:of the|of|around the|around))\s+(\S.*)\Z", re.IGNORECASE)
"""The words at the start of a title that get a line of their own, and the others."""

_KEY = (("army", "Army"), ("fleet", "Fleet"), ("star", "Supply center"))
_KEY_SIZES = (1.0, 0.85, 0.72)
_KEY_WIDTH, _KEY_HEIGHT, _KEY_ROW, _KEY_TEXT = 130.0, 76.0, 21.0, 13.0

_COMPASS_SIZES = (1.25, 1.0, 0.8, 0.65)
_COMPASS_WIDTH, _COMPASS_HEIGHT = 72.0, 92.0
_COMPASS_DROP = 8.0
"""How far the middle of the compass is below that of its box, which includes the letter."""

_SCALE_HEIGHT, _SCALE_BAR, _SCALE_TEXT = 40.0, 5.0, 12.0
_MAX_SCALE = 300.0
"""The longest scale; a longer one shows one move only."""


@dataclass(frozen=True, slots=True)
class Cartouche:
    """The lines of a title, each with its font size and whether it is the main one, and their box.

    All sizes are in map units. A `plain` one is small: it has no corners cut out and no divider.
    """

    lines: tuple[tuple[str, float, bool], ...]
    box: Box
    unit: float
    plain: bool = False


@dataclass(frozen=True, slots=True)
class Placed:
    """The decoration of a map with its places; `None` for what has no room.

    `scale` has the length of a move with the box. Sizes are relative to the usual ones.
    """

    cartouche: Cartouche | None
    key: tuple[Box, float] | None
    compass: tuple[Box, float] | None
    scale: tuple[Box, float] | None
    names: tuple[CountryName, ...]

    @property
    def boxes(self) -> list[Box]:
        """The boxes of all but the country names."""
        shown = (self.key, self.compass, self.scale)
        boxes = [placed[0] for placed in shown if placed is not None]
        return boxes if self.cartouche is None else [self.cartouche.box, *boxes]


def is_decorated(chart: Chart, labels: Labels, decoration: Decoration) -> bool:
    """Return whether a picture with these `labels` has any decoration."""
    if decoration is Decoration.AUTO:
        return bool(chart.title) and labels in (Labels.NAMES, Labels.BOTH)
    return decoration is not Decoration.PLAIN and not chart.diagram


def draw_decoration(
    scene: Scene, labels: Labels, decoration: Decoration, owners: Mapping[ProvinceCode, Power]
) -> str:
    """Return the decoration; empty if there is none.

    `owners` are the powers whose colors the provinces have: the name of a power is drawn only as
    long as all ground under it is its own. Pictures with codes are small: they have no country
    names, key and scale. A page can show either names or codes; what a code touches is in a
    `g.near`, and its CSS hides that.
    """
    if not is_decorated(scene.chart, labels, decoration):
        return ""
    placed = _choose_shown(scene.chart, decoration)
    crowded: list[Box] = []
    if labels in (Labels.CODES, Labels.BOTH):
        crowded = [box for text in list_codes(scene.chart).values() for box in text.boxes]
    if labels is Labels.CODES:
        placed = replace(placed, key=None, scale=None, names=())
    things = (
        (_draw_compass(scene, placed), placed.compass),
        (_draw_scale(scene, placed), placed.scale),
        (_draw_key(scene, placed), placed.key),
        (_draw_cartouche(scene, placed), placed.cartouche),
    )
    names = [
        name
        for name in placed.names
        if all(owners.get(code) == name.power for code in name.provinces)
    ]
    drawn = ""
    for thing, place in things:
        if place is None:
            continue
        box = place.box if isinstance(place, Cartouche) else place[0]
        if any(box.shared_area(code) for code in crowded):
            # Codes are large, and drawn where names are too small to read.
            drawn += f'<g class="near">{thing}</g>' if labels is Labels.BOTH else ""
        else:
            drawn += thing
    return (
        f'<g class="decoration" aria-hidden="true" font-family="{choose_fonts(scene.theme)}"'
        ' text-anchor="middle" fill-rule="nonzero">'
        f"{_draw_country_names(scene, names)}{drawn}</g>"
    )


def list_boxes(chart: Chart, labels: Labels, decoration: Decoration) -> list[Box]:
    """Return the boxes of all decoration that a picture shows, one for each letter of a country."""
    if not is_decorated(chart, labels, decoration):
        return []
    placed = _choose_shown(chart, decoration)
    return [*placed.boxes, *(box for name in placed.names for box in name.boxes)]


def _choose_shown(chart: Chart, decoration: Decoration) -> "Placed":
    placed = place_decoration(chart)
    return (
        placed if decoration is not Decoration.PARTS else replace(placed, cartouche=None, key=None)
    )


@cache_per_chart
def place_decoration(chart: Chart) -> Placed:
    """Return where all decoration of a map is."""
    unit, cell = badge_scale(chart), max(chart.size) / _CELLS
    names = [box for text in list_names(chart).values() for box in text.boxes]
    names += list_feature_boxes(chart)
    units = list(_list_unit_boxes(chart, unit))
    water = _find_water(chart, unit, cell, names + units)
    borders = _mark_sea_borders(chart, water)
    move = _measure_move(chart)
    cartouche = _place_cartouche(chart, unit, water, borders) or _place_plate(chart)
    if cartouche is not None:
        water = _cover(water, cartouche.box, unit)
    key = _place(water, borders, _KEY_WIDTH * unit, _KEY_HEIGHT * unit, _KEY_SIZES)
    if key is not None:
        water = _cover(water, key[0], unit)
    width, height = _COMPASS_WIDTH * unit, _COMPASS_HEIGHT * unit
    compass = _place(water, borders, width, height, _COMPASS_SIZES)
    if compass is not None:
        water = _cover(water, compass[0], unit)
    scale = _place_scale(water, move, unit)
    ridges = list(_list_ruled_borders(chart, unit))
    countries = place_country_names(chart, [*names, *units, *ridges])
    return Placed(cartouche, key, compass, scale, countries)


def _list_ruled_borders(chart: Chart, unit: float) -> Iterator[Box]:
    """Yield boxes along the rivers and ridges of border rules, which no letter may hide."""
    ruled = {rule.pair for rule in chart.board.border_rules}
    for arc in chart.arcs if ruled else ():
        if arc.left and arc.right and frozenset((arc.left, arc.right)) in ruled:
            for at in arc.points:
                yield box_around(at, _RIDGE * unit, _RIDGE * unit)


def _list_unit_boxes(chart: Chart, unit: float) -> Iterator[Box]:
    """Yield the boxes of all stars and flags, and of all places for units."""
    for at in place_badges(chart).values():
        yield badge_box(at, unit)
    for shape in chart.shapes:
        anchors = shape.anchors
        if anchors.star is not None:
            yield box_around(anchors.star, _STAR * unit, _STAR * unit)
        for at in (anchors.dislodged, *anchors.dislodged_coasts.values()):
            yield badge_box(at, unit * DISLODGED_SIZE)


def _find_water(chart: Chart, unit: float, cell: float, taken: Sequence[Box]) -> Bitmap:
    """Return the cells of the water that are free."""
    by_code = chart.board.by_code
    rings = [ring for _, outline in chart.scenery for ring in outline]
    for shape in chart.shapes:
        if by_code[shape.province].terrain is not Terrain.SEA:
            rings += list_rings(shape)
    land = Bitmap(chart.size, cell)
    land.flip_inside(chart.arcs[index].points for index in find_border_arcs(rings))
    land.widen(round(_SHORE * unit / cell))
    land.set_boxes(taken, _SPACE * unit)
    passages = land.copy()
    for passage in chart.passages:
        lines = passage.stubs(chart.size) if passage.mark else (passage.points,)
        passages.set_lines(lines)
    passages.widen(round(_SHORE * unit / cell))
    land.bits |= passages.bits
    (width, height), edge = chart.size, _EDGE * unit
    sides = (
        Box(0, 0, width, edge),
        Box(0, 0, edge, height),
        Box(width - edge, 0, width, height),
        Box(0, height - edge, width, height),
    )
    land.set_boxes(sides)
    return land.invert()


def _mark_sea_borders(chart: Chart, water: Bitmap) -> tuple[Bitmap, Bitmap]:
    """Return the cells of borders at sea, and those where such borders meet."""
    arcs = [arc.points for arc in chart.arcs if arc.kind is ArcKind.SEA]
    borders, corners = water.copy(), water.copy()
    borders.set_lines(arcs)
    ends = (end for points in arcs for end in (points[0], points[-1]))
    corners.set_boxes((box_around(end, 0, 0) for end in ends), 3 * water.cell)
    return borders, corners


def _place(
    water: Bitmap,
    borders: tuple[Bitmap, Bitmap],
    width: float,
    height: float,
    sizes: Sequence[float],
) -> tuple[Box, float] | None:
    """Return the emptiest box, and its size relative to `width` and `height`.

    It is in one sea if there is room, so that it hides no border. It never hides where borders
    meet: from there, a hidden border could go anywhere.
    """
    for hidden in borders:
        clear = water.copy(water.bits & ~hidden.bits)
        for size in sizes:
            box = clear.find_emptiest(width * size, height * size, _MOST_AROUND)
            if box is not None:
                return box, size
    return None


def _cover(water: Bitmap, box: Box, unit: float) -> Bitmap:
    taken = water.copy()
    taken.set_boxes([box], 2 * _SPACE * unit)
    return water.copy(water.bits & ~taken.bits)


# The title.


def split_title(title: str, world: str) -> list[tuple[str, bool]]:
    """Return the lines of a title, and whether each is the main one, e.g. `The Isles of`, `Kalora`.

    The main words are the name of the `world`, or those after a word like `of`.
    """
    before, main, after = title, "", ""
    if world and world in title and title != world:
        before, main, after = (part.strip() for part in title.partition(world))
    elif found := _LESSER_WORDS.match(title):
        before, main = found[1], found[2]
    parts = ((before, not main), (main, True), (after, False))
    return [(line, bold) for text, bold in parts if text for line in _wrap(text)]


def _wrap(text: str) -> list[str]:
    """Return `text` in as few lines as fit, the longest of which is as short as possible."""
    count = -(-len(text) // _MAX_LINE)
    lines = _fill_lines(text, limit := len(text) // count)
    while len(lines) > count:
        limit += 1
        lines = _fill_lines(text, limit)
    return lines


def _fill_lines(text: str, limit: int) -> list[str]:
    """Return `text` in lines of at most `limit` characters, if no word is longer."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and len(longer) > limit:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def _place_cartouche(
    chart: Chart, unit: float, water: Bitmap, borders: tuple[Bitmap, Bitmap]
) -> Cartouche | None:
    title = split_title(chart.title or chart.world, chart.world)
    if not title:
        return None
    seas = [water.copy(water.bits & ~hidden.bits) for hidden in borders]
    for size in _TITLE_SIZES:
        lines, width, height = _set_title(title, size * unit)
        for clear in seas:
            box = clear.find_emptiest(width, height, _MOST_AROUND)
            if box is not None:
                return Cartouche(lines, box, size * unit / _TITLE_SIZES[2])
    return None


def _place_plate(chart: Chart) -> Cartouche | None:
    """Return the title in one line on the lower side of the frame, for a map without other room."""
    text, margin = (chart.title or chart.world).upper(), frame_margin(chart)
    size = margin * _PLATE_SIZE
    if not text:
        return None
    (box,) = measure_lines((0, 0), (text,), size)
    half = (box.width + size * _TITLE_GAP * len(text)) / 2 + size
    at = chart.size[0] / 2, chart.size[1] + margin * _PLATE_MIDDLE
    if half > chart.size[0] / 2:
        return None
    return Cartouche(
        ((text, size, True),), box_around(at, half, margin * _PLATE_HALF), margin / 30, plain=True
    )


def _set_title(
    title: Sequence[tuple[str, bool]], size: float
) -> tuple[tuple[tuple[str, float, bool], ...], float, float]:
    """Return the lines of a title with their sizes, and the size of its cartouche."""
    lines, width, height = [], 0.0, 0.0
    for text, main in title:
        shown = text.upper() if main else text
        own = size if main else size * _TITLE_REST
        (box,) = measure_lines((0, 0), (shown,), own)
        width = max(width, box.width + own * (_TITLE_GAP if main else 0.03) * len(shown))
        height += own * (1.12 if main else 1.3)
        lines.append((shown, own, main))
    return tuple(lines), width + 1.5 * size, height + 1.2 * size


_NOTCH, _FRAME, _INSET = 7.0, 1.5, 4.0
"""The radius of a corner, the width of the outer line, and the distance of the inner one."""


def _build_panel(box: Box, notch: float) -> str:
    """Return a rectangle whose corners are cut out in arcs."""
    r, wide, high = num(notch), num(box.width - 2 * notch), num(box.height - 2 * notch)
    back = num(-notch)
    return (
        f"M{num(box.left + notch)} {num(box.top)}h{wide}a{r} {r} 0 00{r} {r}v{high}"
        f"a{r} {r} 0 00{back} {r}h-{wide}a{r} {r} 0 00{back} {back}v-{high}"
        f"a{r} {r} 0 00{r} {back}z"
    )


def _draw_panel(scene: Scene, box: Box, unit: float) -> str:
    """Return paper with a bold line around it and a fine one inside."""
    theme, inset = scene.theme, _INSET * unit
    inner = Box(box.left + inset, box.top + inset, box.right - inset, box.bottom - inset)
    outline = _build_panel(box, _NOTCH * unit)
    shift = num(1.6 * unit)
    return (
        f'<path d="{outline}" transform="translate({shift} {shift})" fill="{theme.coast}"'
        ' fill-opacity=".25"/>'
        f'<g stroke="{theme.frame_line}"><path d="{outline}" fill="{theme.frame}"'
        f' stroke-width="{num(_FRAME * unit)}"/><path d="{_build_panel(inner, _NOTCH * unit)}"'
        f' fill="none" stroke-width="{num(0.6 * unit)}"/></g>'
    )


def _draw_cartouche(scene: Scene, placed: Placed) -> str:
    cartouche, theme = placed.cartouche, scene.theme
    if cartouche is None:
        return ""
    box, unit, texts = cartouche.box, cartouche.unit, ""
    x, y = box.center[0], box.top + 0.5 * _TITLE_SIZES[2] * unit
    if cartouche.plain:
        y = box.center[1] + (0.36 - 0.9) * cartouche.lines[0][1]
    for text, size, main in cartouche.lines:
        y += size * (0.9 if main else 0.98)
        style = f' letter-spacing="{num(size * _TITLE_GAP)}"' if main else ' font-style="italic"'
        # The space after the last letter belongs to the line, too.
        at = x + (size * _TITLE_GAP / 2 if main else 0)
        texts += (
            f'<text x="{num(at)}" y="{num(y)}" font-size="{num(size)}"{style}>'
            f"{escape_text(text)}</text>"
        )
        y += size * (0.22 if main else 0.32)
    half, low = box.width * 0.3, y + 0.2 * _TITLE_SIZES[2] * unit
    gem = 3.0 * unit
    rule = (
        f'<path d="M{num(x - half)} {num(low)}H{num(x - 2 * gem)}M{num(x + 2 * gem)} {num(low)}'
        f'H{num(x + half)}" stroke="{theme.frame_line}" stroke-width="{num(0.8 * unit)}"/>'
        f'<path d="M{num(x)} {num(low - gem)}l{num(gem)} {num(gem)}-{num(gem)} {num(gem)}'
        f'-{num(gem)}-{num(gem)}z" fill="{theme.frame_line}"/>'
    )
    if cartouche.plain:
        rule = ""
    return (
        f'<g class="cartouche">{_draw_panel(scene, box, unit)}{rule}'
        f'<g fill="{theme.label}">{texts}</g></g>'
    )


# The key, the compass and the scale.


def _draw_key(scene: Scene, placed: Placed) -> str:
    if placed.key is None:
        return ""
    (box, size), theme = placed.key, scene.theme
    unit, rows = scene.unit * size, ""
    for number, (icon, words) in enumerate(_KEY):
        y = box.center[1] + (number - 1) * _KEY_ROW * unit
        at = box.left + 23 * unit, y
        if icon == "star":
            drawn = (
                f'<path {build_transform(scene, at, size)} d="{STAR}" fill="{theme.star}"'
                f' stroke="{theme.star_halo}" stroke-width="2.4" paint-order="stroke"/>'
            )
        else:
            badge = draw_badge(scene, Unit(UnitKind[icon.upper()], Location(""), Power("")))
            drawn = f"<g {build_transform(scene, at, 0.46 * size)}>{badge}</g>"
        rows += (
            f'{drawn}<text x="{num(box.left + 40 * unit)}" y="{num(y + 0.34 * _KEY_TEXT * unit)}"'
            f">{words}</text>"
        )
    return (
        f'<g class="key">{_draw_panel(scene, box, unit)}<g font-size="{num(_KEY_TEXT * unit)}"'
        f' text-anchor="start" fill="{theme.label}">{rows}</g></g>'
    )


# Eight points, each half light and half dark, in plain units; the box is 72 wide.
_ROSE = "M0-34 5-5 34 0 5 5 0 34-5 5-34 0-5-5z"
_ROSE_SHADE = "M0-34V0L5-5zM34 0H0L5 5zM0 34V0L-5 5zM-34 0H0L-5-5z"
_SIDE_ROSE = "M-15-15 0-6.5 15-15 6.5 0 15 15 0 6.5-15 15-6.5 0z"
_SIDE_SHADE = "M-15-15 0 0 0-6.5zM15-15 0 0 6.5 0zM15 15 0 0 0 6.5zM-15 15 0 0-6.5 0z"


def _draw_compass(scene: Scene, placed: Placed) -> str:
    if placed.compass is None:
        return ""
    (box, size), theme = placed.compass, scene.theme
    at = box.center[0], box.center[1] + _COMPASS_DROP * scene.unit * size
    ink, paper = theme.sea_label, theme.frame
    return (
        f'<g class="compass" {build_transform(scene, at, size)} stroke="{ink}" fill="{paper}"'
        ' stroke-linejoin="round">'
        '<circle r="23" fill="none" stroke-width=".8"/><circle r="20.5" fill="none"'
        ' stroke-width="2" stroke-dasharray="1 3.03"/>'
        f'<path d="{_SIDE_ROSE}" stroke-width=".8"/>'
        f'<path d="{_SIDE_SHADE}" fill="{ink}" stroke="none"/>'
        f'<path d="{_ROSE}" stroke-width=".8"/>'
        f'<path d="{_ROSE_SHADE}" fill="{ink}" stroke="none"/>'
        f'<text y="-39" font-size="16" stroke="none" fill="{ink}">N</text></g>'
    )


def _measure_move(chart: Chart) -> float:
    """Return the usual distance between the places of units in neighboring provinces on land."""
    badges, reached = place_badges(chart), chart.board.army_neighbors
    lengths = [
        dist(badges[Location(first)], badges[Location(second)])
        for first, others in reached.items()
        for second in others
        if first < second and Location(first) in badges and Location(second) in badges
    ]
    return median(lengths) if lengths else 0.0


def _place_scale(water: Bitmap, move: float, unit: float) -> tuple[Box, float] | None:
    """Return the box of a scale and the length of a move: two moves if there is room, or one."""
    for count in (2, 1):
        width = count * move + 2 * _SCALE_TEXT * unit
        if move > 0 and count * move <= _MAX_SCALE * unit:
            box = water.find_emptiest(width, _SCALE_HEIGHT * unit, _MOST_AROUND)
            if box is not None:
                return box, move
    return None


def _draw_scale(scene: Scene, placed: Placed) -> str:
    """Return a bar as long as one or two moves: the scale that a player needs."""
    if placed.scale is None:
        return ""
    (box, move), theme, unit = placed.scale, scene.theme, scene.unit
    size, high = _SCALE_TEXT * unit, _SCALE_BAR * unit
    count = round((box.width - 2 * size) / move)
    left, top = box.left + size, box.top + size * 1.15
    dark = [(0.0, 0.25), (0.5, 0.25)] if count == 1 else [(0.0, 0.5), (1.0, 0.5)]
    bars = "".join(
        f"M{num(left + start * move)} {num(top)}h{num(wide * move)}v{num(high)}"
        f"h-{num(wide * move)}z"
        for start, wide in dark
    )
    digits = "".join(
        f'<text x="{num(left + number * move)}" y="{num(top - size * 0.3)}">{number}</text>'
        for number in range(count + 1)
    )
    words = "moves" if count > 1 else "move"
    return (
        f'<g class="scale" fill="{theme.sea_label}" font-size="{num(size)}">'
        f'<path d="M{num(left)} {num(top)}h{num(count * move)}v{num(high)}h-{num(count * move)}z"'
        f' fill="{theme.frame}" stroke="{theme.sea_label}" stroke-width="{num(unit)}"/>'
        f'<path d="{bars}"/>{digits}<text x="{num(box.center[0])}"'
        f' y="{num(top + high + size)}" font-style="italic">{words}</text></g>'
    )


# Country names.


_HALO = 3.6
"""The width of the halo around the letters, in plain units."""


def _draw_country_names(scene: Scene, names: Sequence[CountryName]) -> str:
    drawn, theme = "", scene.theme
    for name in names:
        xs, ys, turns = (" ".join(map(num, values)) for values in zip(*name.letters, strict=True))
        turned = "" if not any(turn for _, _, turn in name.letters) else f' rotate="{turns}"'
        ink, halo = theme.label, theme.label_halo
        if is_dark(scene.color_of(name.power)):
            ink, halo = theme.dark_label, theme.dark_halo
        drawn += (
            f'<text data-power="{escape_text(name.power)}" font-size="{num(name.size)}"'
            f' fill="{ink}" stroke="{halo}" x="{xs}" y="{ys}"{turned}>'
            f"{escape_text(name.text)}</text>"
        )
    if not drawn:
        return ""
    letters, around = theme.look.country_names
    return (
        f'<g class="country-names" fill-opacity="{letters:g}" stroke-opacity="{around:g}"'
        f' stroke-width="{num(_HALO * scene.unit)}" stroke-linejoin="round"'
        f' paint-order="stroke">{drawn}</g>'
    )
