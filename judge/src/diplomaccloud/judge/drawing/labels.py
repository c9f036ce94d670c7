"""Draw names, codes, coast marks and stars, and place the marks and codes."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import repeat
from math import dist, hypot, inf, sqrt
from typing import NamedTuple, TypeAlias

from diplomaccloud.judge.board import Location, Power, ProvinceCode, Terrain, province_of
from diplomaccloud.judge.drawing.chart import ArcKind, Chart, Point, Shape, cache_per_chart
from diplomaccloud.judge.drawing.paths import num
from diplomaccloud.judge.drawing.scene import (
    Scene,
    choose_fonts,
    coast_suffix,
    escape_text,
    frame_margin,
    list_rings,
)
from diplomaccloud.judge.drawing.sizes import (
    HALF_HEIGHT,
    HALF_WIDTH,
    LINE_HEIGHT,
    NAME_BASELINE,
    Box,
    Grid,
    badge_scale,
    box_around,
    choose_lines,
    measure_lines,
    place_badges,
    usual_label_size,
)
from diplomaccloud.judge.drawing.theme import is_dark

# Place the marks of split coasts (NC, SC) on the land, close to their coast.

MARK_SIZE = 0.8
"""The font size of a mark, relative to the usual size of names."""

_HALF_WIDTH, _HALF_HEIGHT = 0.72, 0.42
"""Half the size of two letters, in font sizes."""

_LETTER_WIDTH, _LINE_HEIGHT = 0.55, 1.12
"""The mean size of a letter of a name, in font sizes."""

_MARK_CANDIDATES = 260
"""About how many places are tried in a province."""

_POINT_STEP, _MAX_POINTS = 3, 500
"""One in `_POINT_STEP` points of a coast is used, or fewer on a coast with very many points."""

_OBVIOUS_RATIO = 1.7
"""A fleet needs no tag if every other mark is this many times as far away as its own."""

_IDEAL_DISTANCE = 1.2
"""From the center of a mark to its coast, in font sizes, where there is room."""

_MAX_DISTANCE = 2.9
"""The same; a mark that would be farther away stands where fleets are, rather than elsewhere."""

_TWIN_DISTANCE = 4.5
"""Between the marks of two provinces, in font sizes; nearer ones seem to be of one province."""

# The weights of the costs that decide where a mark goes. They were tuned by eye on the standard
# map and on generated ones; only their ratios matter.
_AMBIGUITY_WEIGHT = 4.0
"""For being about as near to another coast as to the mark's own."""

_AMBIGUITY_MARGIN = 1.5
"""How much farther away another coast must be, in font sizes, to cost nothing."""

_TWIN_WEIGHT = 6.0
"""For standing next to a mark of another province."""

_OFF_CENTER_WEIGHT = 0.13
"""For the distance from the middle of the coast; it only decides between similar places."""

_BORDER_WEIGHT = 25.0
"""For printing across a border of the province."""

_NEAR_BORDER_WEIGHT = 12.0
"""For printing within half a cell of a border."""

_FLEET_WEIGHT = 4.0
"""For covering a fleet, which is on a coast only sometimes."""

_ARMY_WEIGHT = 20.0
"""For covering an army."""

_FIXED_WEIGHT = 30.0
"""For covering a star or a name, which are always there."""

_MARK_WEIGHT = 40.0
"""For covering another mark: two marks would read as one word."""

_BADGE_MARGIN, _STAR_HALF_SIZE = 2, 11
"""In plain units."""

_RIM = 2.6
"""How far the mark of a coast is from the center of a disk; a fleet's place is at 1."""

_NO_OTHER_COAST = 9.0
"""The distance used where there is no other coast, in font sizes."""


@dataclass(frozen=True, slots=True)
class Mark:
    """The letters of a coast, e.g. `NC`, and the center of where they are printed."""

    text: str
    at: Point


@cache_per_chart
def place_coast_marks(chart: Chart) -> Mapping[ProvinceCode, tuple[Mark, ...]]:
    """Return the marks of every province with several coasts."""
    if chart.diagram:
        return {shape.province: tuple(_mark_rim(shape)) for shape in chart.shapes}
    placed: dict[ProvinceCode, tuple[Mark, ...]] = {}
    for shape in chart.shapes:
        if len(_find_fleet_places(shape)) > 1:
            beside = [mark.at for marks in placed.values() for mark in marks]
            placed[shape.province] = tuple(_place_marks(chart, shape, beside))
    return placed


def _mark_rim(shape: Shape) -> Iterator[Mark]:
    """Yield the marks of a disk: near its rim, on the side of each fleet, and apart."""
    (x, y), marks = shape.anchors.units[Location(shape.province)], list[Point]()
    for coast, place in _find_fleet_places(shape).items():
        right, down = (place[0] - x) * _RIM, (place[1] - y) * _RIM
        reach = dist((0, 0), (right, down))
        for _ in range(6):
            if all(dist((x + right, y + down), mark) >= reach for mark in marks):
                break
            right, down = right * 0.8 - down * 0.6, right * 0.6 + down * 0.8
        marks.append((x + right, y + down))
        yield Mark(coast_suffix(coast), marks[-1])


def is_coast_obvious(chart: Chart, location: Location) -> bool:
    """Return whether a fleet stands so near its coast's mark that it needs no tag."""
    province = province_of(location)
    shape = next((shape for shape in chart.shapes if shape.province == province), None)
    if shape is None or location not in shape.anchors.units:
        return True
    at, coast = place_badges(chart)[location], coast_suffix(location)
    marks = place_coast_marks(chart).get(shape.province, ())
    distance = min((dist(at, mark.at) for mark in marks if mark.text == coast), default=0.0)
    others = min((dist(at, mark.at) for mark in marks if mark.text != coast), default=inf)
    return distance * _OBVIOUS_RATIO < others


def mark_box(chart: Chart, at: Point) -> Box:
    """Return the box around a mark's letters."""
    size = usual_label_size(chart) * MARK_SIZE
    return box_around(at, size * _HALF_WIDTH, size * _HALF_HEIGHT)


def _find_fleet_places(shape: Shape) -> dict[Location, Point]:
    return {place: at for place, at in shape.anchors.units.items() if coast_suffix(place)}


def _place_marks(chart: Chart, shape: Shape, beside: Sequence[Point]) -> Iterator[Mark]:
    """Yield the marks of a province; `beside` are the places of other provinces' marks."""
    grid = Grid([chart.outline(ring) for ring in list_rings(shape)], chart.size)
    places = list(grid.sample_centers(_MARK_CANDIDATES)) or [shape.anchors.label]
    obstacles = _find_obstacles(chart, shape)
    size = usual_label_size(chart) * MARK_SIZE
    sampled = {
        coast: line[:: max(_POINT_STEP, len(line) // _MAX_POINTS)]
        for coast, line in find_coast_lines(chart, shape).items()
    }
    for coast, near in sampled.items():
        far = [p for other_coast, line in sampled.items() if other_coast != coast for p in line]
        goal = _CoastGoal(near, far)

        costs = [goal.cost(at, size) + _twin_cost(at, beside, size) for at in places]
        at = _choose_mark(chart, places, costs, grid, obstacles)
        if goal.is_astray(at, size):
            fixed = [(box, weight) for box, weight in obstacles if weight != _FLEET_WEIGHT]
            at = _choose_mark(chart, places, costs, grid, fixed)
        obstacles.append((mark_box(chart, at), _MARK_WEIGHT))
        yield Mark(coast_suffix(coast), at)


def _twin_cost(at: Point, beside: Sequence[Point], size: float) -> float:
    """Return the cost of a mark at `at` for standing next to those at `beside`."""
    near = min(map(dist, repeat(at), beside), default=inf) / size
    return _TWIN_WEIGHT * max(0.0, 1 - near / _TWIN_DISTANCE)


def _choose_mark(
    chart: Chart,
    places: Sequence[Point],
    costs: Sequence[float],
    grid: Grid,
    obstacles: Sequence[tuple[Box, float]],
) -> Point:
    """Return the best of `places`, which have these `costs` without what a mark would cover."""
    best = inf, -1
    for number in sorted(range(len(places)), key=costs.__getitem__):
        # The others cost more, even if they cover nothing.
        if costs[number] > best[0]:
            break
        covered = _overlap_cost(mark_box(chart, places[number]), grid, obstacles)
        best = min(best, (costs[number] + covered, number))
    return places[best[1]]


class _CoastGoal:
    """A coast that a mark belongs to, with the points of the other coasts."""

    def __init__(self, line: Sequence[Point], others: Sequence[Point]) -> None:
        self._own, self._others = line, others
        mean = sum(x for x, _ in line) / len(line), sum(y for _, y in line) / len(line)
        self._middle = min(line, key=lambda point: dist(point, mean))

    def cost(self, at: Point, size: float) -> float:
        """Return how unclear a mark at `at` would be; only comparisons of costs have a meaning."""
        near = min(map(dist, repeat(at), self._own)) / size
        far = min(map(dist, repeat(at), self._others), default=_NO_OTHER_COAST * size) / size
        # A mark as near to another coast as to its own would seem to belong to both.
        ambiguity = _AMBIGUITY_WEIGHT * max(0.0, near + _AMBIGUITY_MARGIN - far)
        off_center = _OFF_CENTER_WEIGHT * dist(at, self._middle) / size
        return abs(near - _IDEAL_DISTANCE) + ambiguity + off_center

    def is_astray(self, at: Point, size: float) -> bool:
        """Return whether a mark at `at` would be so far away that it is not seen to belong here."""
        return min(dist(at, point) for point in self._own) > _MAX_DISTANCE * size


def find_coast_lines(chart: Chart, shape: Shape) -> Mapping[Location, Sequence[Point]]:
    """Return the points along each coast of `shape`; the fleet's place if it has no line."""
    coasts = _find_fleet_places(shape)
    reached = chart.board.fleet_provinces
    lines: dict[Location, list[Point]] = {coast: [] for coast in coasts}
    for arc in chart.arcs:
        if arc.kind is not ArcKind.COAST or shape.province not in (arc.left, arc.right):
            continue
        water = arc.right if arc.left == shape.province else arc.left
        candidates = [coast for coast in coasts if water in reached[coast]]
        if candidates:
            middle = arc.points[len(arc.points) // 2]
            lines[min(candidates, key=lambda coast: dist(coasts[coast], middle))] += arc.points
    return {coast: line or [coasts[coast]] for coast, line in lines.items()}


def _overlap_cost(box: Box, grid: Grid, obstacles: Sequence[tuple[Box, float]]) -> float:
    """Return the cost of printing in `box`, for covering obstacles or borders."""
    rim = grid.cell / 2
    wider = Box(box.left - rim, box.top - rim, box.right + rim, box.bottom + rim)
    # With the root even touching is expensive: letters that touch a name are read as part of it.
    covered = sum(
        weight * sqrt(box.shared_area(obstacle) / box.area) for obstacle, weight in obstacles
    )
    return (
        covered
        + _NEAR_BORDER_WEIGHT * grid.outside_share(wider)
        + _BORDER_WEIGHT * grid.outside_share(box)
    )


def _find_obstacles(chart: Chart, shape: Shape) -> list[tuple[Box, float]]:
    """Return the boxes drawn in the province, with the cost of covering each."""
    anchors, usual = shape.anchors, usual_label_size(chart)
    unit = badge_scale(chart)
    badge = (HALF_WIDTH + _BADGE_MARGIN) * unit, (HALF_HEIGHT + _BADGE_MARGIN) * unit
    obstacles = []
    for place in anchors.units:
        weight = _FLEET_WEIGHT if coast_suffix(place) else _ARMY_WEIGHT
        obstacles.append((box_around(place_badges(chart)[place], *badge), weight))
    if anchors.star is not None:
        star = _STAR_HALF_SIZE * unit
        obstacles.append((box_around(anchors.star, star, star), _FIXED_WEIGHT))
    size = anchors.label_size or usual
    lines = anchors.label_lines or (str(shape.province),)
    half_width = max(map(len, lines)) * size * _LETTER_WIDTH / 2 + unit
    half_height = size * _LINE_HEIGHT * len(lines) / 2 + unit
    return [*obstacles, (box_around(anchors.label, half_width, half_height), _FIXED_WEIGHT)]


# Names, codes, and stars.


TRACKING = 0.05
"""Extra space between the letters of a sea's name, in font sizes."""

_NAME_HALO, _CODE_HALO = (3.2, ".7", ".7"), (5.5, ".85", ".8")
"""The width of the halo, and its opacity at sea and on land. Codes are drawn on small maps, where
a thin halo would be invisible."""

_MARK_STYLE = 'class="coast-mark" font-style="italic" fill-opacity=".9"'


class TextKey(NamedTuple):
    """What a text stands for: a province, or one of its coasts, as a name or as a code."""

    province: ProvinceCode
    coast: str = ""
    coded: bool = False


@dataclass(frozen=True, slots=True)
class Text:
    """Lines of text: their center, their font size, and the box of the letters of each line."""

    at: Point
    lines: tuple[str, ...]
    size: float
    boxes: tuple[Box, ...]


Moves: TypeAlias = dict[TextKey, Text | None]
"""The new places of texts; `None` for a text that has no room."""

Texts: TypeAlias = tuple[tuple[tuple[ProvinceCode, str], ...], tuple[tuple[ProvinceCode, str], ...]]
"""The SVG of the texts of each province, at sea and on land."""


def set_lines(at: Point, lines: tuple[str, ...], size: float) -> Text:
    """Return `lines` of text centered at `at`."""
    return Text(at, lines, size, measure_lines(at, lines, size))


@cache_per_chart
def list_names(chart: Chart) -> Mapping[TextKey, Text]:
    """Return all names and the marks of coasts at their usual places."""
    usual, marks = usual_label_size(chart), place_coast_marks(chart)
    texts = {}
    for shape in chart.shapes:
        code = shape.province
        texts[TextKey(code)] = set_lines(shape.anchors.label, *choose_lines(chart, shape))
        for mark in marks.get(code, ()):
            texts[TextKey(code, mark.text)] = set_lines(mark.at, (mark.text,), usual * MARK_SIZE)
    return texts


@cache_per_chart
def list_codes(chart: Chart) -> Mapping[TextKey, Text]:
    """Return the codes at their usual places."""
    return {
        TextKey(code, coded=True): Text(placed.at, (str(code),), placed.size, (placed.box,))
        for code, placed in place_codes(chart).items()
    }


class Labels(StrEnum):
    """Which texts a drawing contains.

    `BOTH` draws names and codes and hides the codes (`display="none"`), for a page whose CSS
    shows either.
    """

    NAMES = "names"
    CODES = "codes"
    BOTH = "both"
    NONE = "none"


def draw_labels(
    scene: Scene, labels: Labels, owners: Mapping[ProvinceCode, Power], moves: Moves | None = None
) -> str:
    """Return the labels of the provinces; the names include the marks of split coasts.

    `owners` are the powers whose colors the provinces have: on dark colors the text is light.
    `moves` are the texts that are not at their usual place.
    """
    moved = moves or {}
    if labels is Labels.NONE:
        return ""
    dark = {power for power in {*owners.values()} if is_dark(scene.color_of(power))}
    if scene.chart.diagram:
        dark = set()  # names are outside of the disks
    on_dark = frozenset(code for code, power in owners.items() if power in dark)
    names = _draw_layer(scene, on_dark, moved, coded=False) if labels is not Labels.CODES else ""
    codes = _draw_layer(scene, on_dark, moved, coded=True) if labels is not Labels.NAMES else ""
    if labels is Labels.BOTH:
        codes = codes.replace('class="codes"', 'class="codes" display="none"', 1)
    return (
        f'<g class="labels" pointer-events="none" font-family="{choose_fonts(scene.theme)}"'
        ' text-anchor="middle" paint-order="stroke" stroke-linejoin="round">'
        f"{names}{codes}</g>"
    )


def draw_stars(scene: Scene, size: float = 1.0) -> str:
    """Return a star for each center: plain if neutral, otherwise in its owner's color.

    A home center of another power has the owner's flag instead, with a rim in the color of its home
    power, so that one sees where each power may build. `size` is relative to the usual size.
    """
    scale, centers = num(scene.unit * size), scene.position.centers
    homes = {
        code: power for power, codes in scene.chart.board.home_centers.items() for code in codes
    }
    drawn: list[str] = []
    flags: dict[Power, str] = {}
    cloths: dict[str, str] = {}
    for shape in scene.chart.shapes:
        if (star := shape.anchors.star) is not None:
            placed = (
                f'class="star" data-center="{escape_text(shape.province)}"'
                f' transform="translate({num(star[0])} {num(star[1])})scale({scale})"'
            )
            if (owner := centers.get(shape.province)) is None:
                drawn.append(f'<use href="#o-star" {placed} fill="{scene.theme.star}"/>')
            elif (home := homes.get(shape.province, owner)) != owner:
                flag = flags.setdefault(owner, f"o-flag{len(flags)}")
                ink = f'data-power="{escape_text(home)}" stroke="{scene.inks_of(home).badge}"'
                drawn.append(f'<use href="#{flag}" {placed} {ink}/>')
            else:
                ink = f'data-power="{escape_text(owner)}" fill="{scene.inks_of(owner).deep}"'
                drawn.append(f'<use href="#o-seat" {placed} {ink}/>')
    charges = "".join(_draw_flag(scene, power, name, cloths) for power, name in flags.items())
    symbols = "".join(_draw_cloth(scene, *cloth) for cloth in cloths.items()) + charges
    return (
        '<g class="stars" pointer-events="none" paint-order="stroke" stroke-linejoin="round">'
        f"{f'<defs>{symbols}</defs>' if symbols else ''}{''.join(drawn)}</g>"
    )


# Flags, which differ without color, too: sixteen charges on four shapes of cloth. The most
# different ones come first, because most boards have few powers.

_CHARGES = (
    "M-8.5-1.7h5V-6h3.4v4.3h8.6v3.4h-8.6V6h-3.4V1.7h-5z",  # cross
    "M0-3.7a3.7 3.7 0 010 7.4 3.7 3.7 0 010-7.4z",  # disc
    "M-8.5-6h17v6h-17z",  # upper half
    "M-2.8-6h5.6V6h-5.6z",  # bar
    "M-8.5-6h3.6L0-2.5 4.9-6h3.6v2.5L3.5 0l5 3.5V6H4.9L0 2.5-4.9 6h-3.6V3.5l5-3.5-5-3.5z",  # X
    "M-8.5-6 1.5 0-8.5 6z",  # triangle
    "M-8.5-6H0V0h-8.5zM0 0h8.5v6H0z",  # quarters
    "M-8.5-4.4h17v2.6h-17zM-8.5 1.8h17v2.6h-17z",  # two stripes
    "M-8.5-6h17L-8.5 6z",  # half by a diagonal
    "M-8.5-6H8.5V6h-17zM-5.7-3.2v6.4H5.7v-6.4z",  # border
    "M-8.5-6H0V6h-8.5z",  # left half
    "M0-5.2 6.5 0 0 5.2-6.5 0z",  # lozenge
    "M-8.5-6h4.2L8.5 3V6H4.3L-8.5-3z",  # bend
    "M-8.5-6H0V0h-8.5z",  # canton
    "M-8.5-2.2h17v4.4h-17z",  # stripe
    "M-6.2-6h3.6V6h-3.6zM2.6-6h3.6V6H2.6z",  # two bars
)
_CLOTHS = (
    "M-8.5-6H8.5V6h-17z",
    "M-8.5-6H8.5L4.8 0 8.5 6h-17z",
    "M-8.5-6H3.5L8.5 0l-5 6h-12z",
    "M-8.5-6H8.5L5 6h-13.5z",
)


def _draw_flag(scene: Scene, power: Power, name: str, cloths: dict[str, str]) -> str:
    """Return the flag of `power` as a symbol; the color of its rim is the stroke of its `use`.

    `cloths` gets the name of its cloth.
    """
    number, inks = scene.number_of(power), scene.inks_of(power)
    shape = _CLOTHS[number // len(_CHARGES) % len(_CLOTHS)]
    cloth = cloths.setdefault(shape, f"o-cloth{len(cloths)}")
    return (
        f'<g id="{name}" data-power="{escape_text(power)}">'
        f'<use href="#{cloth}" fill="{inks.badge}"/>'
        f'<path d="{_CHARGES[number % len(_CHARGES)]}" stroke="none" fill="{inks.mark}"'
        f' clip-path="url(#{cloth}c)"/></g>'
    )


def _draw_cloth(scene: Scene, shape: str, name: str) -> str:
    """Return a cloth as a symbol, in the ink of its `use`, and what clips its charges."""
    theme = scene.theme
    return (
        f'<clipPath id="{name}c"><path d="{shape}"/></clipPath><g id="{name}">'
        f'<path d="{shape}" stroke="{theme.casing_dark}" stroke-width="9.4"/>'
        f'<path d="{shape}" stroke="{theme.star_rim}" stroke-width="7.2"/>'
        f'<path d="{shape}" stroke-width="5.2"/></g>'
    )


STAR = "M0-7.6 1.9-2.4 7.4-2.3 3 1.1 4.6 6.5 0 3.3-4.6 6.5-3 1.1-7.4-2.3-1.9-2.4z"
_OWNED_STAR = "M0-8.8 2.6-3.1 8.5-2.6 4 1.4 5.3 7.4 0 4.2-5.3 7.4-4 1.4-8.5-2.6-2.6-3.1z"


def star_symbols(scene: Scene) -> str:
    """Return the SVG definitions that `draw_stars` uses; both stars have a casing.

    The ink of a star is that of its `use`.
    """
    theme = scene.theme
    return (
        f'<path id="o-star" d="{STAR}" stroke="{theme.star_halo}" stroke-width="2.4"/>'
        f'<g id="o-seat"><path d="{_OWNED_STAR}" stroke="{theme.casing_dark}" stroke-width="5.6"/>'
        f'<path d="{_OWNED_STAR}" stroke="{theme.star_rim}" stroke-width="3"/></g>'
    )


def _draw_layer(
    scene: Scene, on_dark: frozenset[ProvinceCode], moves: Moves, *, coded: bool
) -> str:
    chart, theme = scene.chart, scene.theme
    changed = {
        key.province: _write_province(chart, key.province, moves, coded=coded)
        for key in moves
        if key.coded is coded
    }
    sea_texts, land_texts = (
        [(code, changed.get(code, text)) for code, text in texts] if changed else texts
        for texts in _draw_texts(chart, coded=coded)
    )
    name, (halo, at_sea, on_land) = ("codes", _CODE_HALO) if coded else ("names", _NAME_HALO)
    if theme.look.halo:
        at_sea = on_land = f"{theme.look.halo:g}"
    usual = _usual_code_size(chart) if coded else num(usual_label_size(chart))
    seas = "".join(text for _, text in sea_texts)
    plain, light = (
        "".join(text for code, text in land_texts if (code in on_dark) is dark)
        for dark in (False, True)
    )
    return (
        f'<g class="{name}" font-size="{usual}" stroke-width="{num(halo * scene.unit)}">'
        f'<g class="sea-labels" font-style="italic" fill="{theme.sea_label}"'
        f' stroke="{theme.sea_halo}" stroke-opacity="{at_sea}">{seas}</g>'
        f'<g class="land-labels" fill="{theme.label}" stroke="{theme.label_halo}"'
        f' stroke-opacity="{on_land}">{plain}</g>'
        f'<g class="dark-labels" fill="{theme.dark_label}" stroke="{theme.dark_halo}"'
        f' stroke-opacity="{on_land}">{light}</g></g>'
    )


def _draw_texts(chart: Chart, *, coded: bool) -> Texts:
    return _draw_codes(chart) if coded else _draw_names(chart)


@cache_per_chart
def _draw_names(chart: Chart) -> Texts:
    return _write_all(chart, coded=False)


@cache_per_chart
def _draw_codes(chart: Chart) -> Texts:
    """Return the codes for maps that are too small for names."""
    return _write_all(chart, coded=True)


def _write_all(chart: Chart, *, coded: bool) -> Texts:
    seas: list[tuple[ProvinceCode, str]] = []
    lands: list[tuple[ProvinceCode, str]] = []
    for shape in chart.shapes:
        drawn = shape.province, _write_province(chart, shape.province, {}, coded=coded)
        (seas if _is_sea(chart, shape.province) else lands).append(drawn)
    return tuple(seas), tuple(lands)


def _is_sea(chart: Chart, code: ProvinceCode) -> bool:
    return chart.board.by_code[code].terrain is Terrain.SEA


def _write_province(chart: Chart, code: ProvinceCode, moves: Moves, *, coded: bool) -> str:
    """Return the texts of a province, those in `moves` at their new places."""
    if coded:
        key = TextKey(code, coded=True)
        return _write_code(chart, moves.get(key, list_codes(chart)[key]))
    names = list_names(chart)
    key = TextKey(code)
    drawn = _write_name(chart, code, moves.get(key, names[key]))
    for mark in place_coast_marks(chart).get(code, ()):
        key = TextKey(code, mark.text)
        if (text := moves.get(key, names[key])) is not None:
            attributes = f' {_MARK_STYLE} font-size="{num(text.size)}"'
            drawn += _draw_text(text.at, text.lines, text.size, attributes)
    return drawn


def _write_code(chart: Chart, text: Text | None) -> str:
    if text is None:
        return ""
    x, y = num(text.at[0]), num(text.at[1] + BASELINE * text.size)
    sized = f' font-size="{num(text.size)}"' if num(text.size) != _usual_code_size(chart) else ""
    return f'<text x="{x}" y="{y}"{sized}>{escape_text(text.lines[0])}</text>'


@cache_per_chart
def _usual_code_size(chart: Chart) -> str:
    """Return the size of most codes, as it is written; that of their group."""
    sizes = Counter(num(text.size) for text in list_codes(chart).values())
    return sizes.most_common(1)[0][0]


def _write_name(chart: Chart, code: ProvinceCode, text: Text | None) -> str:
    if text is None:
        return ""
    sized = f' font-size="{num(text.size)}"'
    if text.lines != (code,):
        sized = "" if num(text.size) == num(usual_label_size(chart)) else sized
        if _is_sea(chart, code):
            sized += f' letter-spacing="{num(text.size * TRACKING)}"'
    return _draw_text(text.at, text.lines, text.size, sized)


def _draw_text(at: Point, lines: tuple[str, ...], size: float, attributes: str) -> str:
    x = num(at[0])
    top = at[1] + size * (NAME_BASELINE - LINE_HEIGHT * (len(lines) - 1) / 2)
    first, *others = (escape_text(line) for line in lines)
    rest = "".join(
        f'<tspan x="{x}" dy="{num(size * LINE_HEIGHT)}">{line}</tspan>' for line in others
    )
    return f'<text x="{x}" y="{num(top)}"{attributes}>{first}{rest}</text>'


# Place the codes that replace names on a map too small for names, and choose their size.
#
# On a phone a map unit is less than a third of a pixel wide. So codes are as large as possible and
# go where there is room between units, stars and other codes, not where names go; they may cross
# borders. All boxes are in map units.

BASELINE = 0.345
"""From the middle of a code down to its baseline, in font sizes; codes have no descenders."""

_SIZES = (10.0, 9.4, 8.8, 8.2, 7.6, 7.0)
"""Font sizes to try, in pixels of a map `_PHONE_WIDTH` pixels wide."""

_PHONE_WIDTH = 390
_MAX_SIZE = 3.1
"""Relative to the usual size of names; limits codes on maps with very many provinces."""

_HEIGHT, _USUAL_WIDTH = 0.76, 0.7
"""The size of a capital, halo included, in font sizes."""

_WIDTHS = {"I": 0.36, "J": 0.36, "S": 0.54, "F": 0.57, "M": 0.95, "W": 1.0, "H": 0.83, "N": 0.83}
_HALO = 0.1
"""What the halo adds to the width of a code, in font sizes."""

_STAR = 8
"""Half the size of a star, in plain units."""

_COST_OF_UNIT = 2.0
"""The cost of covering a place where a unit rarely stands."""

_COSTS_OF_STAR = (2.0, 12.0)
"""The costs of touching and of covering a star, which is always there."""

BADGE_GROWTH = 1.11
"""Badges are drawn larger, too, where codes are shown; `.is-far` in the page's CSS says 1.1."""

_CANDIDATES = 110
"""About how many places are tried in a province."""

_SWEEPS = 2
"""How often all codes are placed; the second time each one knows where the others are."""
_OUTSIDE_COST = 7.0
"""For printing outside the province."""

_DISTANCE_COST = 0.01
"""For each map unit between a code and the place of its name."""

_CUT_OFF_COST = 50.0
"""For crossing the edge of the map."""


@dataclass(frozen=True, slots=True)
class CodePlacement:
    """A code's center, font size and box; `cost` is 0 where it covers nothing."""

    cost: float
    at: Point
    size: float
    box: Box


@cache_per_chart
def list_code_spaces(chart: Chart) -> Mapping[ProvinceCode, "_ProvinceSpace"]:
    """Return the room for the code of each province, the smallest one first."""
    pixel = (chart.size[0] + 2 * frame_margin(chart)) / _PHONE_WIDTH
    largest = usual_label_size(chart) * _MAX_SIZE
    sizes = [round(min(size * pixel, largest * size / _SIZES[0]), 1) for size in _SIZES]
    spaces = (_ProvinceSpace(shape, chart, sizes) for shape in chart.shapes)
    return {space.code: space for space in sorted(spaces, key=lambda space: space.rank)}


@cache_per_chart
def place_codes(chart: Chart) -> Mapping[ProvinceCode, CodePlacement]:
    """Return the place and size of every province's code."""
    provinces = list_code_spaces(chart).values()
    placements: dict[ProvinceCode, CodePlacement] = {}
    for _ in range(_SWEEPS):
        for space in provinces:
            badges = [s.badge for s in provinces if space.window.shared_area(s.badge)]
            codes = [p.box for code, p in placements.items() if code != space.code]
            near_codes = filter(space.window.shared_area, codes)
            placements[space.code] = space.choose_placement([*badges, *near_codes])
    return placements


class _ProvinceSpace:
    """One province: its cells, and the units and stars that are drawn in it."""

    def __init__(self, shape: Shape, chart: Chart, sizes: Sequence[float]) -> None:
        self.code = shape.province
        self._grid = Grid([chart.outline(ring) for ring in list_rings(shape)], chart.size)
        self.rank = self._grid.count, self.code
        # The width of the code in font sizes, halo included.
        self._width = sum(_WIDTHS.get(letter, _USUAL_WIDTH) for letter in self.code) + _HALO
        self.sizes, self._size, self._label = sizes, chart.size, shape.anchors.label
        bounds, reach = self._grid.bounds, sizes[0] * 2
        self.window = box_around(bounds.center, bounds.width / 2 + reach, bounds.height / 2 + reach)
        unit = badge_scale(chart)
        half = HALF_WIDTH * unit * BADGE_GROWTH, HALF_HEIGHT * unit * BADGE_GROWTH
        badges = place_badges(chart)
        places = {place: badges[place] for place in shape.anchors.units}
        self.badge = box_around(places.pop(Location(shape.province), self._label), *half)
        rare_places = *places.values(), shape.anchors.dislodged
        # Each mark: its box, the cost of touching it and the cost of covering it.
        self._marks = [(box_around(at, *half), 0.0, _COST_OF_UNIT) for at in rare_places]
        if (star := shape.anchors.star) is not None:
            self._marks.append((box_around(star, _STAR * unit, _STAR * unit), *_COSTS_OF_STAR))
        self._sorted: dict[int, list[CodePlacement]] = {}

    def list_texts(self, number: int, most: float) -> list[Text]:
        """Return places with one of the font sizes that cost at most `most`, cheapest first.

        They are every other place: a turn tries the places of many codes.
        """
        return [
            Text(placed.at, (str(self.code),), placed.size, (placed.box,))
            for placed in self._sort_placements(number)[::2]
            if placed.cost <= most
        ]

    def choose_placement(self, obstacles: Sequence[Box]) -> CodePlacement:
        """Return the cheapest placement clear of `obstacles`, or the one that covers least."""
        best: CodePlacement | None = None
        for number in range(len(self.sizes)):
            if best is not None and best.cost <= number:
                break
            for placement in self._sort_placements(number):
                if best is not None and best.cost <= placement.cost:
                    break
                if not any(placement.box.shared_area(box) for box in obstacles):
                    best = placement
                    break
        if best is not None:
            return best
        smallest = self._sort_placements(len(self.sizes) - 1)
        return min(smallest, key=lambda p: sum(p.box.shared_area(box) for box in obstacles))

    def _sort_placements(self, number: int) -> list[CodePlacement]:
        """Return all placements with one of the font sizes, cheapest first."""
        if number not in self._sorted:
            # A shape that is too thin for any cell still has its label.
            centers = list(self._grid.sample_centers(_CANDIDATES)) or [self._label]
            placements = [self._rate(at, self.sizes[number], number) for at in centers]
            self._sorted[number] = sorted(placements, key=lambda placement: placement.cost)
        return self._sorted[number]

    def _rate(self, at: Point, size: float, cost: float) -> CodePlacement:
        """Return the placement at `at` with its full cost; `cost` is that of its font size."""
        box = box_around(at, size * self._width / 2, size * _HEIGHT / 2)
        cost += _OUTSIDE_COST * self._grid.outside_share(box)
        cost += _DISTANCE_COST * hypot(at[0] - self._label[0], at[1] - self._label[1])
        if min(box.left, box.top) < 0 or box.right > self._size[0] or box.bottom > self._size[1]:
            cost += _CUT_OFF_COST
        for mark, touch_cost, cover_cost in self._marks:
            if shared := box.shared_area(mark):
                cost += touch_cost + cover_cost * shared / box.area
        return CodePlacement(cost, at, size, box)
