"""Place the name of each power across its home country, in spaced capitals.

The letters follow the longest axis of the country, straight or in a gentle curve. Each is inside
the home provinces and clear of names, stars and places for units; a name without room is left out.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from math import atan2, ceil, degrees, inf, sqrt
from typing import NamedTuple

from diplomaccloud.judge.board import Power, PowerInfo, ProvinceCode
from diplomaccloud.judge.drawing.bitmap import Bitmap
from diplomaccloud.judge.drawing.chart import Chart, Point, Ring
from diplomaccloud.judge.drawing.paths import find_border_arcs
from diplomaccloud.judge.drawing.scene import list_rings
from diplomaccloud.judge.drawing.sizes import Box, badge_scale, measure_lines

_CELLS = 400
"""How many cells of the raster the longer side of a map has."""

_SIZES = (34.0, 29.0, 25.0, 21.5, 18.5, 16.5)
"""The font sizes to try, in plain units: from twice that of the names of provinces down."""

_SMALL_SIZES = (14.5, 12.75)
"""The font sizes to try where no larger one has room."""

_CAP = 0.7
"""The height of a capital, in font sizes."""

_ROOM = 1.5
"""The free room around a letter, in plain units."""

_WIDTH_STEP = 0.25
"""Letters of about the same width need the same room; in font sizes."""

_FRAME_SPACE = 6.0
"""The space between a letter and the frame, in plain units."""

_GAPS = (2.6, 2.1, 1.7, 1.4, 1.1, 0.85, 0.65, 0.5, 0.4)
"""The spaces between letters to try, in font sizes."""

_GIVE = 0.15
"""How far a letter may be from its even place along the line, in font sizes."""

_BEND = 0.12
"""How far a curve is from a straight line at its ends, relative to half the name's length."""

_REACH = 1.9
"""Half the length of a country, in standard deviations of its cells."""

_FULL_SPAN = 1.5
"""The best length of a name, relative to half the length of its country."""

_STEEPEST = 0.88
"""The steepest direction of a name: about 60 degrees."""

_TILTS = tuple((0.8, sign * 0.6) for sign in (-1, 1)) + tuple(
    (0.96, sign * 0.28) for sign in (-1, 1)
)
"""Directions to try where none of the first ones has room, as unit vectors."""

_MAIN_FRAMES = 2
"""The number of the last direction that is tried for every country."""

_MOMENT_STEP = 3
"""Every third row of a country is enough to find its axis."""

_STEEP_COST, _OFF_CENTER_COST = 0.15, 0.3
_LOWEST, _LOWEST_SMALL = 0.12, 0.08
"""The lowest score of a name that is shown, and of a small one: any lower, it is in a corner."""


class Letter(NamedTuple):
    """Where a letter starts on its baseline, and by how many degrees it is turned."""

    x: float
    y: float
    turn: int


@dataclass(frozen=True, slots=True)
class CountryName:
    """The name of a power: a place for each letter, the font size, and the letters' boxes.

    `provinces` are those under the letters.
    """

    power: Power
    text: str
    size: float
    letters: tuple[Letter, ...]
    boxes: tuple[Box, ...]
    provinces: frozenset[ProvinceCode] = frozenset()


class _Frame(NamedTuple):
    """A direction across a country, its middle, and half its length and breadth."""

    right: float
    down: float
    middle: Point
    length: float
    breadth: float


class _Setting(NamedTuple):
    """The middles of the letters, and the slope of the line at each, in font sizes.

    `along` the line and `across` it, from the first letter on.
    """

    along: tuple[float, ...]
    across: tuple[float, ...]
    slopes: tuple[float, ...]


def place_country_names(chart: Chart, taken: Sequence[Box]) -> tuple[CountryName, ...]:
    """Return the names of the powers that have room for it; `taken` boxes stay free."""
    obstacles = Bitmap(chart.size, max(chart.size) / _CELLS)
    obstacles.set_boxes([*taken, *_list_edges(chart)])
    found = (_place_name(chart, info, obstacles) for info in chart.board.powers)
    return tuple(
        replace(name, provinces=_find_provinces(chart, name, obstacles))
        for name in found
        if name is not None
    )


def _list_edges(chart: Chart) -> Iterator[Box]:
    """Yield the boxes along the frame, which no letter may touch."""
    (width, height), space = chart.size, _FRAME_SPACE * badge_scale(chart)
    yield from (Box(0, 0, width, space), Box(0, height - space, width, height))
    yield from (Box(0, 0, space, height), Box(width - space, 0, width, height))


def _find_provinces(chart: Chart, name: CountryName, map_cells: Bitmap) -> frozenset[ProvinceCode]:
    """Return the home provinces under the letters of a name."""
    letters = map_cells.copy()
    letters.set_boxes(name.boxes)
    homes = {one.code for one in chart.board.provinces if one.home == name.power}
    found = set()
    for shape in chart.shapes:
        if shape.province in homes:
            ground = _fill(chart, list_rings(shape), map_cells)
            if ground.bits & letters.bits:
                found.add(shape.province)
    return frozenset(found)


def _fill(chart: Chart, rings: Sequence[Ring], map_cells: Bitmap) -> Bitmap:
    """Return the cells inside `rings`."""
    ground = map_cells.copy()
    ground.flip_inside(chart.arcs[index].points for index in find_border_arcs(rings))
    return ground


def _write_capitals(info: PowerInfo) -> str:
    return " ".join(info.name.upper().split())


def _place_name(chart: Chart, info: PowerInfo, obstacles: Bitmap) -> CountryName | None:
    found = _find_home(chart, info.power, obstacles)
    if found is None or len(_write_capitals(info)) < 2:
        return None
    return _find_best_name(chart, info, found, _SIZES, _LOWEST) or _find_best_name(
        chart, info, found, _SMALL_SIZES, _LOWEST_SMALL
    )


def _find_best_name(
    chart: Chart,
    info: PowerInfo,
    found: tuple[Bitmap, Bitmap, Point],
    sizes: Sequence[float],
    lowest: float,
) -> CountryName | None:
    """Return the name of a power in one of `sizes`; `None` if none scores more than `lowest`.

    `found` is what `_find_home` returned.
    """
    text = _write_capitals(info)
    home, free, (left, top) = found
    widths = [_measure_letter(letter) for letter in text]
    settings = list(_list_settings(widths))
    straight = [setting for setting in settings if not any(setting.slopes)]
    best, name = lowest, None
    for number, frame in enumerate(_choose_frames(home)):
        if name is not None and number > _MAIN_FRAMES:
            break
        steep = _STEEP_COST * abs(frame.down)
        for plain_size in sizes:
            weight, size = sqrt(plain_size / _SIZES[0]), plain_size * badge_scale(chart)
            if weight - steep <= best:
                break
            rooms = _find_rooms(free, text, widths, frame, size)
            # Curves only along the axis of the country, where names are longest.
            for setting in straight if number else settings:
                span = setting.along[-1] * size
                most = weight * min(1.0, span / (_FULL_SPAN * frame.length)) - steep
                if most <= best:
                    break
                if span > 2 * frame.length:
                    continue
                placed = _find_middles(free, rooms, setting, frame, size)
                if placed is not None and most - placed[1] > best:
                    best = most - placed[1]
                    middles = [(x + left, y + top) for x, y in placed[0]]
                    turns = [_turn(frame, slope) for slope in setting.slopes]
                    letters = list(zip(text, widths, middles, turns, strict=True))
                    name = _set_letters(info.power, letters, size)
    return name


def _find_home(
    chart: Chart, power: Power, obstacles: Bitmap
) -> tuple[Bitmap, Bitmap, Point] | None:
    """Return a home country, its free cells, and the corner of both bitmaps on the map, if any."""
    homes = {one.code for one in chart.board.provinces if one.home == power}
    rings = [
        ring for shape in chart.shapes if shape.province in homes for ring in list_rings(shape)
    ]
    home = _fill(chart, rings, obstacles)
    rows = list(home.list_rows(home.bits))
    if not rows:
        return None
    left = min((row & -row).bit_length() - 1 for _, row in rows)
    edges = left, rows[0][0], max(row.bit_length() for _, row in rows), rows[-1][0] + 1
    corner = left * home.cell, rows[0][0] * home.cell
    free = home.copy(home.bits & ~obstacles.bits).crop(*edges)
    return home.crop(*edges), free, corner


def _measure_letter(letter: str) -> float:
    (box,) = measure_lines((0, 0), (letter,), 1.0)
    return box.width


def _choose_frames(home: Bitmap) -> Iterator[_Frame]:
    """Yield the longest axis of a country, the direction between that and a level one, and others.

    The last ones are for countries where nothing else has room.
    """
    count = sum_x = sum_y = sum_xx = sum_yy = sum_xy = 0
    for y, row in islice(home.list_rows(home.bits), 0, None, _MOMENT_STEP):
        xs = [x for x, bit in enumerate(reversed(f"{row:b}")) if bit == "1"]
        total = sum(xs)
        count, sum_x, sum_y = count + len(xs), sum_x + total, sum_y + y * len(xs)
        sum_xx += sum(x * x for x in xs)
        sum_yy += y * y * len(xs)
        sum_xy += y * total
    mean_x, mean_y = sum_x / count, sum_y / count
    var_x, var_y = sum_xx / count - mean_x * mean_x, sum_yy / count - mean_y * mean_y
    shared = sum_xy / count - mean_x * mean_y
    middle = (mean_x + 0.5) * home.cell, (mean_y + 0.5) * home.cell
    # Half-angle formulas: no trigonometric functions, so that every computer draws the same.
    half = (var_x - var_y) / 2
    double = half / sqrt(half * half + shared * shared) if shared or half else 1.0
    right, down = sqrt((1 + double) / 2), sqrt((1 - double) / 2) * (-1 if shared < 0 else 1)
    long = sqrt((1 + right) * (1 + right) + down * down)
    for along, below in ((right, down), ((1 + right) / long, down / long), (1.0, 0.0), *_TILTS):
        length = along * along * var_x + 2 * along * below * shared + below * below * var_y
        reach = [_REACH * sqrt(max(0.0, part)) + 1 for part in (length, var_x + var_y - length)]
        if abs(below) <= _STEEPEST:
            yield _Frame(along, below, middle, reach[0] * home.cell, reach[1] * home.cell)


class _Room(NamedTuple):
    """Free boxes for a letter: their upper left corners, and their size in cells.

    `near` are the corners from which a free one is reached by one of `shifts` along the line.
    """

    corners: int
    near: int
    wide: int
    high: int
    shifts: Sequence[tuple[int, int]]


def _find_rooms(
    free: Bitmap, text: str, widths: Sequence[float], frame: _Frame, size: float
) -> list[_Room | None]:
    """Return the room for each letter; `None` for a space."""
    found: dict[int, _Room] = {}
    right, down, room = abs(frame.right), abs(frame.down), _ROOM * size / _SIZES[-1]
    give = int(_GIVE * size / free.cell)
    shifts = [
        (round(number * frame.right), round(number * frame.down))
        for number in sorted(range(-give, give + 1), key=abs)
    ]
    kinds = [ceil(width / _WIDTH_STEP) for width in widths]
    for kind in {*kinds}:
        across, up = kind * _WIDTH_STEP * size, _CAP * size
        # One cell more than the letter needs, as it may begin anywhere in a cell.
        wide = ceil((across * right + up * down + 2 * room) / free.cell) + 1
        high = ceil((across * down + up * right + 2 * room) / free.cell) + 1
        corners = near = free.find_corners(wide, high)
        for shift in shifts[1:]:
            near |= _move(free, corners, *shift)
        found[kind] = _Room(corners, near, wide, high, shifts)
    return [
        None if letter == " " else found[kind] for letter, kind in zip(text, kinds, strict=True)
    ]


def _list_settings(widths: Sequence[float]) -> Iterator[_Setting]:
    """Yield the settings of a name, the longest first; a curve bends at the name's middle."""
    for gap in _GAPS:
        spots = [0.0]
        for first, second in pairwise(widths):
            spots.append(spots[-1] + (first + second) / 2 + gap)
        half = spots[-1] / 2
        for bend in (0.0, _BEND, -_BEND):
            curve = bend / half
            yield _Setting(
                tuple(spots),
                tuple(curve * ((spot - half) * (spot - half) - half * half) for spot in spots),
                tuple(2 * curve * (spot - half) for spot in spots),
            )


def _turn(frame: _Frame, slope: float) -> Point:
    """Return the direction of a line that has this slope in a frame."""
    right, down = frame.right - slope * frame.down, frame.down + slope * frame.right
    long = sqrt(right * right + down * down)
    return right / long, down / long


def _find_middles(
    free: Bitmap, rooms: Sequence[_Room | None], setting: _Setting, frame: _Frame, size: float
) -> tuple[list[Point], float] | None:
    """Return the middles of the letters in the best place with room for all, and what it costs."""
    first = rooms[0]
    if first is None:
        return None
    cell, steps, fits = free.cell, [], first.near
    ahead, below = frame.right * size / cell, frame.down * size / cell
    for room, along, across in zip(rooms, setting.along, setting.across, strict=True):
        x, y = along * ahead - across * below, along * below + across * ahead
        right = down = 0
        if room is not None:
            right = round(x + (first.wide - room.wide) / 2)
            down = round(y + (first.high - room.high) / 2)
            if abs(right) >= free.columns or abs(down) >= free.count:
                return None
            fits &= _move(free, room.near, right, down)
            if not fits:
                return None
        steps.append((x, y, right, down))
    # Where the first letter of a name in the middle of the country is, in cells.
    last_x, last_y, *_ = steps[-1]
    goal_x = (frame.middle[0] / cell) - (last_x + first.wide) / 2
    goal_y = (frame.middle[1] / cell) - (last_y + first.high) / 2
    best, at = inf, (0, 0)
    for row, bits in free.list_rows(fits):
        column = _find_bit(bits, max(0, round(goal_x)))
        x, y = (column - goal_x) * cell, (row - goal_y) * cell
        off = abs(x * frame.right + y * frame.down) / frame.length
        off += 0.5 * abs(y * frame.right - x * frame.down) / frame.breadth
        if off < best:
            best, at = off, (column, row)
    if best == inf:  # The first letter would have room only from outside the bitmap.
        return None
    middles = []
    for room, (x, y, right, down) in zip(rooms, steps, strict=True):
        shift = _find_shift(free, room, at[0] + right, at[1] + down) if room is not None else (0, 0)
        spot = at[0] + x + shift[0] + first.wide / 2, at[1] + y + shift[1] + first.high / 2
        middles.append((spot[0] * cell, spot[1] * cell))
    return middles, _OFF_CENTER_COST * best


def _find_shift(free: Bitmap, room: _Room, column: int, row: int) -> tuple[int, int]:
    """Return the shortest shift from a corner to a free one."""
    for right, down in room.shifts:
        x, y = column + right, row + down
        if 0 <= x < free.columns and y >= 0 and room.corners >> y * free.stride + x & 1:
            return right, down
    raise AssertionError("`near` has only corners near a free one")


def _move(free: Bitmap, bits: int, right: int, down: int) -> int:
    """Return the cells whose neighbor so far right and down is in `bits`."""
    shift = down * free.stride + right
    return bits >> shift if shift >= 0 else bits << -shift


def _find_bit(bits: int, wanted: int) -> int:
    """Return the bit of `bits` nearest to `wanted`."""
    above, below = bits >> wanted, bits & ((1 << wanted) - 1)
    after = (above & -above).bit_length() - 1
    before = wanted - below.bit_length() + 1
    if not below or (above and after <= before):
        return wanted + after
    return wanted - before


def _set_letters(
    power: Power, placed: Sequence[tuple[str, float, Point, Point]], size: float
) -> CountryName:
    """Return the name of `power` from its letters: width, middle and direction of each."""
    letters, boxes = [], []
    for letter, width, (x, y), (right, down) in placed:
        # A letter is turned around the start of its baseline, and anchored in its middle.
        half, cap = width * size / 2, _CAP * size / 2
        start = x + half * (1 - right) - cap * down, y - half * down + cap * right
        letters.append(Letter(*start, round(degrees(atan2(down, right)))))
        wide, high = half * right + cap * abs(down), half * abs(down) + cap * right
        if letter != " ":
            boxes.append(Box(x - wide, y - high, x + wide, y + high))
    return CountryName(power, "".join(one[0] for one in placed), size, tuple(letters), tuple(boxes))
