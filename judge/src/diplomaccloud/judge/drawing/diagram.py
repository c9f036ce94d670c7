"""Draws a board that has no map: a disk for each province, and a line for each border.

The places follow from the borders alone, and are the same on every computer: provinces that are
far apart on the board are far apart on the page, no disk or name covers another, and a line passes
no disk that it does not lead to, as far as there is room.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import cos, pi, sin, sqrt
from textwrap import wrap

from diplomaccloud.judge.board import Board, Location, Province, ProvinceCode, Terrain, province_of
from diplomaccloud.judge.drawing.chart import (
    Anchors,
    Arc,
    ArcKind,
    Chart,
    Point,
    Shape,
    cache_per_chart,
)
from diplomaccloud.judge.drawing.palette import many_colors
from diplomaccloud.judge.drawing.paths import num
from diplomaccloud.judge.drawing.theme import Theme

RADIUS = 42.0
"""Of a disk, in map units; a badge is 40 wide."""

_LABEL_SIZE = 15.0
_LETTER = 0.5
"""The width of a letter of a name, in font sizes."""

_LINE_LENGTH = 14
"""How many letters of a name fit below a disk, on each of at most two lines."""

_STEP = 128.0
"""The distance that one border stands for, in map units."""

_GAP = 8.0
"""The least gap between two disks and their names, and between a disk and a line past it."""

_SLACK = 0.5
_MARGIN = 26.0
_LEAST_SIDE = 560.0
_CIRCLE = [(round(cos(i * pi / 24), 6), round(sin(i * pi / 24), 6)) for i in range(48)]
_PIVOTS = 24
_PARTING_ROUNDS = 100
_ROUNDS = 600_000
"""About how many pairs of provinces are compared in each stage; small boards take 0.2 s."""


@lru_cache(maxsize=16)
def make_diagram(board: Board) -> Chart:
    """Return a map of `board` made of disks and lines."""
    places, size = place_provinces(board)
    circles = [
        tuple((x + RADIUS * right, y + RADIUS * down) for right, down in _CIRCLE)
        for x, y in places.values()
    ]
    return Chart(
        world=board.name,
        board=board,
        size=size,
        arcs=tuple(
            Arc((*circle, circle[0]), ArcKind.COAST, code, None)
            for code, circle in zip(places, circles, strict=True)
        ),
        shapes=tuple(
            Shape(code, (((number,),),), _place_anchors(board, places, code))
            for number, code in enumerate(places)
        ),
        palette=dict(zip(board.power_info, many_colors(len(board.powers)), strict=True)),
        diagram=True,
    )


def _place_anchors(
    board: Board, places: Mapping[ProvinceCode, Point], code: ProvinceCode
) -> Anchors:
    """Return the places of names, units and star in and below the disk."""
    province, (x, y) = board.by_code[code], places[code]
    lines = _split_name(province)
    units = {Location(code): (x, y + 2)}
    for coast in province.fleet_locations:
        if "/" in coast:
            reached = [places[province_of(to)] for to in board.fleet_neighbors[coast]]
            units[coast] = _step_toward((x, y), reached, RADIUS * 0.3)
    return Anchors(
        label=(x, y + RADIUS + _LABEL_SIZE * (0.2 + 0.56 * len(lines))),
        label_lines=lines,
        label_size=_LABEL_SIZE,
        units=units,
        dislodged=(x + RADIUS * 0.75, y + RADIUS * 0.6),
        star=(x - RADIUS * 0.55, y - RADIUS * 0.6) if province.center else None,
    )


def _step_toward(start: Point, goals: Sequence[Point], length: float) -> Point:
    """Return the point `length` from `start` in the mean direction of `goals`."""
    right = sum(x - start[0] for x, _ in goals)
    down = sum(y - start[1] for _, y in goals)
    share = length / (sqrt(right * right + down * down) or 1.0)
    return start[0] + right * share, start[1] + down * share


def _split_name(province: Province) -> tuple[str, ...]:
    return tuple(wrap(province.name, _LINE_LENGTH, max_lines=2, placeholder="…")) or (
        str(province.code),
    )


def list_links(board: Board) -> dict[tuple[ProvinceCode, ProvinceCode], tuple[bool, bool]]:
    """Return each pair of neighbors with whether armies and whether fleets pass there."""
    armies = {tuple(sorted(border)) for border in board.army_borders}
    fleets = {
        tuple(sorted((province_of(start), province_of(end)))) for start, end in board.fleet_borders
    }
    return {
        (ProvinceCode(a), ProvinceCode(b)): ((a, b) in armies, (a, b) in fleets)
        for a, b in sorted(armies | fleets)
    }


def place_provinces(board: Board) -> tuple[dict[ProvinceCode, Point], tuple[float, float]]:
    """Return the center of each disk, and the width and height of the diagram."""
    codes = list(board.by_code)
    number = {code: i for i, code in enumerate(codes)}
    links = [(number[a], number[b]) for a, b in list_links(board)]
    hops = _count_hops(len(codes), links)
    halves = [_measure(board.by_code[code]) for code in codes]
    points = _spread(hops)
    if links and any(hop > 1 for row in hops for hop in row):
        points = _relax(points, hops)
    step = _STEP * max(1.0, 2.4 - 0.1 * len(codes))
    points = _make_room([(x * step, y * step) for x, y in points], halves, links)
    left = min(x - half[0] for (x, _), half in zip(points, halves, strict=True)) - _MARGIN
    top = min(y - RADIUS for _, y in points) - _MARGIN
    right = max(x + half[0] for (x, _), half in zip(points, halves, strict=True)) + _MARGIN
    bottom = max(y + half[1] for (_, y), half in zip(points, halves, strict=True)) + _MARGIN
    width, height = max(right - left, _LEAST_SIDE), max(bottom - top, _LEAST_SIDE * 0.6)
    right, down = (width - right - left) / 2, (height - bottom - top) / 2
    placed = [(round(x + right, 1), round(y + down, 1)) for x, y in points]
    return dict(zip(codes, placed, strict=True)), (round(width, 1), round(height, 1))


def _measure(province: Province) -> Point:
    """Return half the width of a disk and its name, and from its center down to their end."""
    lines = _split_name(province)
    name = max(map(len, lines)) * _LABEL_SIZE * _LETTER / 2
    return max(RADIUS, name) + _GAP, RADIUS + _LABEL_SIZE * (0.3 + 1.12 * len(lines)) + _GAP


def _count_hops(count: int, links: Sequence[tuple[int, int]]) -> list[list[int]]:
    """Return the number of borders between any two provinces; parts without a way are far apart."""
    near: list[list[int]] = [[] for _ in range(count)]
    for start, end in links:
        near[start].append(end)
        near[end].append(start)
    rows = []
    for source in range(count):
        row, queue = {source: 0}, [source]
        for place in queue:
            for neighbor in near[place]:
                if neighbor not in row:
                    row[neighbor] = row[place] + 1
                    queue.append(neighbor)
        rows.append([row.get(place, -1) for place in range(count)])
    far = max(map(max, rows), default=0) + 2
    return [[far if hop < 0 else hop for hop in row] for row in rows]


def _spread(hops: Sequence[Sequence[int]]) -> list[Point]:
    """Return points whose distances are about `hops`: the two main axes of some of its columns.

    On a board where all provinces are neighbors, they are on a circle.
    """
    count = len(hops)
    pivots = [0]
    while len(pivots) < min(_PIVOTS, count):
        rest = (i for i in range(count) if i not in pivots)
        pivots.append(max(rest, key=lambda i: min(hops[i][pivot] for pivot in pivots)))
    squares = [[float(row[pivot] * row[pivot]) for pivot in pivots] for row in hops]
    rows = [sum(row) / len(row) for row in squares]
    columns = [sum(column) / count for column in zip(*squares, strict=True)]
    mean = sum(rows) / count
    table = [
        [(mine + column - square - mean) / 2 for square, column in zip(row, columns, strict=True)]
        for row, mine in zip(squares, rows, strict=True)
    ]
    axes: list[list[float]] = []
    for shift in (0.0, 0.5):
        axis = [round(cos(pi * (2 * i / len(pivots) - shift)), 6) for i in range(len(pivots))]
        for _ in range(60):
            sums = [sum(map(_multiply, row, axis)) for row in table]
            axis = [sum(map(_multiply, column, sums)) for column in zip(*table, strict=True)]
            for earlier in axes:
                along = sum(map(_multiply, axis, earlier))
                axis = [value - along * part for value, part in zip(axis, earlier, strict=True)]
            length = sqrt(sum(map(_multiply, axis, axis))) or 1.0
            axis = [value / length for value in axis]
        axes.append(axis)
    x, y = ([sum(map(_multiply, row, axis)) for row in table] for axis in axes)
    # On average, one border is one step long.
    pairs = [(i, pivot) for pivot in pivots for i in range(count)]
    far = sum(sqrt((x[i] - x[j]) ** 2 + (y[i] - y[j]) ** 2) for i, j in pairs)
    scale = sum(hops[i][j] for i, j in pairs) / (far or 1.0)
    # Provinces with the same neighbors would be in one place.
    return [(scale * x[i] + 1e-4 * (i % 7), scale * y[i] + 1e-4 * (i % 5)) for i in range(count)]


def _multiply(first: float, second: float) -> float:
    return first * second


def _relax(points: list[Point], hops: Sequence[Sequence[int]]) -> list[Point]:
    """Return the points after each was moved, again and again, to where its distances fit best."""
    count = len(points)
    for _ in range(min(50, 5 + _ROUNDS // (count * count))):
        for i, (x, y) in enumerate(points):
            right = down = total = 0.0
            for (near_x, near_y), hop in zip(points, hops[i], strict=True):
                if hop:
                    dx, dy = x - near_x, y - near_y
                    share = hop / (sqrt(dx * dx + dy * dy) or 1.0)
                    weight = 1.0 / (hop * hop)
                    right += weight * (near_x + dx * share)
                    down += weight * (near_y + dy * share)
                    total += weight
            if total:
                points[i] = (right / total, down / total)
    return points


def _make_room(
    points: list[Point], halves: Sequence[Point], links: Sequence[tuple[int, int]]
) -> list[Point]:
    """Return the points after disks and names were moved off each other, and off lines past them.

    Disks are moved off each other until none touches another; off lines only so often. Where many
    begin in one place, they would take too long, and stand in rows and columns instead.
    """
    count = len(points)
    rounds = min(60, 4 + _ROUNDS // (count * (count + len(links))))
    for number in range(rounds + _PARTING_ROUNDS):
        moved = _part_disks(points, halves)
        if number < rounds:
            moved = _clear_lines(points, links) or moved
        if not moved:
            return points
    return _line_up(points, halves)


def _line_up(points: Sequence[Point], halves: Sequence[Point]) -> list[Point]:
    """Return each point in the nearest free cell of a grid whose cells have room for any disk."""
    wide = 2 * max(half for half, _ in halves) + _SLACK
    high = max(half for _, half in halves) + RADIUS + _GAP + _SLACK
    cells: dict[int, tuple[int, int]] = {}
    taken: set[tuple[int, int]] = set()
    for i in sorted(range(len(points)), key=lambda i: points[i]):
        column, row = round(points[i][0] / wide), round(points[i][1] / high)
        cells[i] = next(
            (column + right, row + down)
            for reach in range(len(points))
            for right in range(-reach, reach + 1)
            for down in range(-reach, reach + 1)
            if reach in {abs(right), abs(down)} and (column + right, row + down) not in taken
        )
        taken.add(cells[i])
    return [(cells[i][0] * wide, cells[i][1] * high) for i in range(len(points))]


def _part_disks(points: list[Point], halves: Sequence[Point]) -> bool:
    moved = False
    order = sorted(range(len(points)), key=lambda i: points[i])
    widest = max(half for half, _ in halves)
    for position, i in enumerate(order):
        for j in order[position + 1 :]:
            dx, dy = points[j][0] - points[i][0], points[j][1] - points[i][1]
            if dx > 2 * widest + _STEP:
                break
            upper = halves[i] if dy >= 0 else halves[j]
            wide = halves[i][0] + halves[j][0] - abs(dx)
            high = upper[1] + RADIUS + _GAP - abs(dy)
            if wide > 0 and high > 0:
                moved = True
                # A little more than needed, so that they do not creep apart forever.
                push = (wide / 2 + _SLACK if dx >= 0 else -wide / 2 - _SLACK, 0.0)
                if high < wide:
                    push = (0.0, high / 2 + _SLACK if dy >= 0 else -high / 2 - _SLACK)
                _move(points, i, -push[0], -push[1])
                _move(points, j, *push)
    return moved


def _clear_lines(points: list[Point], links: Sequence[tuple[int, int]]) -> bool:
    """Move disks off the lines that pass through them, and the ends of these the other way."""
    moved = False
    for start, end in links:
        (x, y), (to_x, to_y) = points[start], points[end]
        dx, dy = to_x - x, to_y - y
        square = dx * dx + dy * dy or 1.0
        for i, (at_x, at_y) in enumerate(points):
            along = ((at_x - x) * dx + (at_y - y) * dy) / square
            if i in (start, end) or not 0 < along < 1:
                continue
            off_x, off_y = at_x - x - along * dx, at_y - y - along * dy
            off = sqrt(off_x * off_x + off_y * off_y)
            if off >= RADIUS + _GAP:
                continue
            moved = True
            # A disk on the very line moves to the left of it.
            right, down = (off_x / off, off_y / off) if off > 1e-6 else (dy / square, -dx / square)
            push = (RADIUS + _GAP - off) * 0.35
            _move(points, i, right * push, down * push)
            for near, share in ((start, 1 - along), (end, along)):
                _move(points, near, -right * push * share, -down * push * share)
    return moved


def _move(points: list[Point], i: int, right: float, down: float) -> None:
    points[i] = points[i][0] + right, points[i][1] + down


# What is drawn below names and units.

_ARMY_WIDTH, _FLEET_WIDTH, _BOTH_WIDTH, _RIM = 2.6, 2.2, 6.0, 2.0
"""The widths of lines and of the rims of disks, in map units."""

_DASHES = "7 5"


@cache_per_chart
def list_lines(chart: Chart) -> tuple[tuple[str, bool, bool], ...]:
    """Return the line of each border as a path, with whether armies and whether fleets pass."""
    at = {shape.province: shape.anchors.units[Location(shape.province)] for shape in chart.shapes}
    return tuple(
        (f"M{num(at[a][0])} {num(at[a][1])}L{num(at[b][0])} {num(at[b][1])}", army, fleet)
        for (a, b), (army, fleet) in list_links(chart.board).items()
    )


def draw_disks(chart: Chart, theme: Theme) -> str:
    """Return the field, the lines and the empty disks of a diagram."""
    width, height = map(num, chart.size)
    return (
        f'<path d="M0 0h{width}v{height}H0z" fill="{theme.scenery}"/>'
        f'<g fill="none">{"".join(_draw_lines(chart, theme))}</g>'
        f'<g stroke="{theme.coast}" stroke-width="{_RIM}">'
        f"{''.join(_draw_empty_disks(chart, theme))}</g>"
    )


def _draw_lines(chart: Chart, theme: Theme) -> Iterator[str]:
    """Yield brown lines for armies, dashed blue ones for fleets, and both together."""
    lines = list_lines(chart)
    land = "".join(path for path, army, fleet in lines if army and not fleet)
    both = "".join(path for path, army, fleet in lines if army and fleet)
    water = "".join(path for path, army, fleet in lines if fleet and not army)
    yield f'<path d="{both}" stroke="{theme.border}" stroke-width="{_BOTH_WIDTH}"/>'
    yield f'<path d="{both}" stroke="{theme.water_line}" stroke-width="{_BOTH_WIDTH - 3}"/>'
    yield f'<path d="{land}" stroke="{theme.border}" stroke-width="{_ARMY_WIDTH}"/>'
    dashed = f'stroke-width="{_FLEET_WIDTH}" stroke-dasharray="{_DASHES}"'
    yield f'<path d="{water}" stroke="{theme.sea_label}" {dashed}/>'


def _draw_empty_disks(chart: Chart, theme: Theme) -> Iterator[str]:
    for shape, arc in zip(chart.shapes, chart.arcs, strict=True):
        at_sea = chart.board.by_code[shape.province].terrain is Terrain.SEA
        right, y = arc.points[0]
        yield (
            f'<circle cx="{num(right - RADIUS)}" cy="{num(y)}" r="{num(RADIUS)}"'
            f' fill="{theme.sea if at_sea else theme.land}"/>'
        )
