"""Draw what the border rules say: rivers, ridges and cliffs; and the ends of lettered passages.

They are drawn over the tints of countries, so that a river stays blue and a ridge is read at once.
A chart without rules and letters gets nothing.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import dist, hypot
from typing import TypeAlias

from diplomaccloud.judge.board import BorderKind, UnitKind
from diplomaccloud.judge.drawing.chart import (
    Arc,
    ArcKind,
    Chart,
    Point,
    cache_per_chart,
    trace_ring,
)
from diplomaccloud.judge.drawing.paths import join_arcs, num, simplify, smooth_line, write_path
from diplomaccloud.judge.drawing.scene import choose_fonts, frame_scale
from diplomaccloud.judge.drawing.theme import Theme

# All sizes are in plain units.

_SOURCE, _MOUTH = 2.6, 7.4
"""The width of a river's water at its source, and at the mouth of a long one."""

_LONG = 320.0
"""The length from which on a river has the full width at its mouth."""

_GREAT, _GREAT_WIDTH = 900.0, 3.6
"""The length of a great river, and how much wider than a long one it is at its mouth."""

_SHORT_SHARE = 0.55
"""How much of the full width the mouth of the shortest river has."""

_BANK = 1.1
"""How much wider than its water a river is on each side."""

_WIDTH_STEP = 0.4
"""The width of a river changes in steps of this size, which nobody sees."""

_PEAK_STEP, _PEAK_WIDTH, _PEAK_HEIGHT = 13.0, 11.0, 16.0
"""The distance between the peaks of a ridge, half the width of one, and its height."""

_PEAKS = ((1.0, 0.0), (0.62, 4.0), (1.1, -1.0), (0.7, -4.2), (0.92, 1.5), (0.56, -3.0))
"""The sizes of peaks that follow one another, and how far beside the line they are, so that a ridge
does not look like a saw."""

_MASSIF_SIZES = (1.15, 0.8, 1.4, 0.95, 0.7, 1.25, 0.85)
"""The sizes of peaks on impassable land that follow one another."""

_RIDGE_WIDTH, _PEAK_LINE = 2.0, 1.2

_TICK_STEP, _TICK_LENGTH, _TICK_LINE = 4.6, 4.4, 1.2
"""The strokes of a cliff, along a river or a shore."""

_DOTS, _DOT_STEP, _LETTER, _LETTER_SIZE, _LETTER_OUT = 3.2, 6.4, 20.0, 27.0, 7.0
"""The dots of a lettered passage, the radius of its letter's circle, its font size, which is large
enough for a phone, and how far out on the frame it stands."""


Peak: TypeAlias = tuple[Point, Point, Point]
"""The left foot of a mountain, its top, and its right foot."""

Peaks: TypeAlias = tuple[tuple[str, str], ...]
"""Path data of the slopes of each peak, and of its side in the shade."""


@dataclass(frozen=True)
class _Lines:
    """Path data: of rivers by the width of the water, of ridges, their peaks, and of cliffs."""

    rivers: dict[float, str]
    mouths: dict[float, str]
    """Dots that open the bank where a river meets water."""
    ridges: str
    peaks: Peaks
    cliffs: str


def draw_terrain(chart: Chart, theme: Theme) -> str:
    """Return rivers, ridges and cliffs; empty for a chart without border rules."""
    if not chart.board.border_rules:
        return ""
    lines, scale = _trace_lines(chart), frame_scale(chart)
    water = "".join(
        f'<g stroke="{ink}" stroke-linecap="round" stroke-linejoin="round">'
        + "".join(
            f'<path d="{path}" stroke-width="{num((width + more) * scale)}"/>'
            for width, path in paths.items()
        )
        + "</g>"
        for ink, paths, more in (
            (theme.coast, lines.rivers, 2 * _BANK),
            (theme.river, lines.rivers | lines.mouths, 0.0),
        )
        if paths
    )
    cliffs = (
        f'<path d="{lines.cliffs}" stroke="{theme.coast}"'
        f' stroke-width="{num(_TICK_LINE * scale)}"/>'
        if lines.cliffs
        else ""
    )
    ridges = (
        f'<g stroke="{theme.coast}" stroke-linejoin="round" stroke-linecap="round">'
        f'<path d="{lines.ridges}" stroke-width="{num(_RIDGE_WIDTH * scale)}"/>'
        f"{draw_peaks(lines.peaks, theme, scale)}</g>"
        if lines.ridges
        else ""
    )
    drawn = water + cliffs + ridges
    return f'<g class="terrain" fill="none">{drawn}</g>' if drawn else ""


@cache_per_chart
def _trace_lines(chart: Chart) -> _Lines:
    rules, scale = chart.board.border_rules, frame_scale(chart)
    banks = {rule.pair for rule in rules if rule.kind is BorderKind.RIVER}
    closed = {rule.pair: rule.units for rule in rules if rule.kind is BorderKind.CLOSED}
    rivers: list[int] = []
    ridges: list[int] = []
    cliffs: list[int] = []
    for index, arc in enumerate(chart.arcs):
        pair = frozenset(code for code in (arc.left, arc.right) if code)
        is_river = pair in banks and arc.kind is ArcKind.LAND
        if is_river:
            rivers.append(index)
        if pair in closed and arc.kind is not ArcKind.FRAME:
            # A ridge is a wall on land. A shore or a river has cliffs.
            on_land = arc.kind is ArcKind.LAND and UnitKind.ARMY in closed[pair]
            (ridges if on_land and not is_river else cliffs).append(index)
    walls = [trace_line(chart, line) for line in join_arcs(chart, ridges)]
    peaks = [peak for line in walls for peak in _list_peaks(line, scale)]
    flowing, mouths = _write_rivers(chart, rivers, scale)
    return _Lines(
        rivers=flowing,
        mouths=mouths,
        ridges="".join(write_path(line, closed=False) for line in walls),
        peaks=write_peaks(peaks),
        cliffs="".join(
            write_path(tick, closed=False)
            for line in join_arcs(chart, cliffs)
            for tick in _list_ticks(
                trace_line(chart, line), scale, _MOUTH / 2 + _BANK if {*line} & {*rivers} else 0.6
            )
        ),
    )


def trace_line(chart: Chart, refs: Sequence[int]) -> tuple[Point, ...]:
    """Return the points of arcs that follow one another, with both ends."""
    last = chart.arcs[refs[-1]].points if refs[-1] >= 0 else chart.arcs[~refs[-1]].points[::-1]
    return (*trace_ring(tuple(refs), chart.arcs), last[-1])


# Rivers: wider from the source to the mouth.


def _write_rivers(
    chart: Chart, rivers: Sequence[int], scale: float
) -> tuple[dict[float, str], dict[float, str]]:
    """Return path data by the width of the water, of rivers and of dots at their mouths."""
    written: dict[float, str] = defaultdict(str)
    mouths: dict[float, str] = defaultdict(str)
    wet = _find_ends(chart.arcs, ArcKind.COAST, ArcKind.SEA)
    for line, start, end in _measure_rivers(chart, rivers, scale):
        for width, piece in taper_line(line, start, end):
            written[width] += write_path(piece, closed=False)
        if line[-1] in wet:
            x, y = line[-1]
            mouths[end + 2 * _BANK] += write_path((line[-1], (x + 0.1, y)), closed=False)
    return dict(sorted(written.items())), dict(sorted(mouths.items()))


def _find_ends(arcs: Iterable[Arc], *kinds: ArcKind) -> set[Point]:
    """Return both ends of each arc of these kinds."""
    return {end for arc in arcs if arc.kind in kinds for end in (arc.points[0], arc.points[-1])}


def _measure_rivers(
    chart: Chart, rivers: Sequence[int], scale: float
) -> Iterator[tuple[tuple[Point, ...], float, float]]:
    """Yield the line of each arc downstream, and its widths at both ends in plain units."""
    ends = {index: (chart.arcs[index].points[0], chart.arcs[index].points[-1]) for index in rivers}
    lengths = {
        index: sum(dist(a, b) for a, b in pairwise(chart.arcs[index].points)) / scale
        for index in rivers
    }
    to_mouth = _count_to_mouth(chart.arcs, ends, lengths)
    downstream = {
        index: (first, last) if to_mouth[first] > to_mouth[last] else (last, first)
        for index, (first, last) in ends.items()
    }
    # The length of the river above each node, from the sources down.
    above: dict[Point, float] = defaultdict(float)
    total: dict[Point, float] = {}
    order = sorted(rivers, key=lambda index: (-to_mouth[downstream[index][0]], index))
    for index in order:
        start, end = downstream[index]
        above[end] = max(above[end], above[start] + lengths[index])
    for index in reversed(order):
        start, end = downstream[index]
        total[start] = max(total.get(start, 0.0), total.setdefault(end, above[end]))
    for index in rivers:
        start, end = downstream[index]
        points = chart.arcs[index].points
        line = points if start == points[0] else points[::-1]
        longest = max(total[start], total[end])
        mouth = _MOUTH * (_SHORT_SHARE + (1 - _SHORT_SHARE) * min(1.0, longest / _LONG))
        mouth += _GREAT_WIDTH * min(1.0, max(0.0, longest - _LONG) / (_GREAT - _LONG))
        grown = (mouth - _SOURCE) / longest
        yield line, _SOURCE + grown * above[start], _SOURCE + grown * above[end]


def _count_to_mouth(
    arcs: Sequence[Arc],
    ends: Mapping[int, tuple[Point, Point]],
    lengths: Mapping[int, float],
) -> dict[Point, float]:
    """Return the length of the way from each node to the nearest mouth.

    A mouth is where a river meets water. Without one, a river leaves the map at its frame, or ends
    anywhere.
    """
    wet, edge = _find_ends(arcs, ArcKind.COAST, ArcKind.SEA), _find_ends(arcs, ArcKind.FRAME)
    nodes = sorted({node for pair in ends.values() for node in pair})
    found = {node: 0.0 for node in nodes if node in wet}
    _spread(found, ends, lengths)
    for node in (*(node for node in nodes if node in edge), *nodes):
        if node not in found:
            found[node] = 0.0
            _spread(found, ends, lengths)
    return found


def _spread(
    found: dict[Point, float],
    ends: Mapping[int, tuple[Point, Point]],
    lengths: Mapping[int, float],
) -> None:
    """Add to `found` the shortest ways from its nodes along the arcs."""
    changed = True
    while changed:
        changed = False
        for index, (first, last) in ends.items():
            for near, far in ((first, last), (last, first)):
                way = found.get(near, float("inf")) + lengths[index]
                if way < found.get(far, float("inf")):
                    found[far] = way
                    changed = True


def taper_line(
    line: Sequence[Point], start: float, end: float
) -> Iterator[tuple[float, tuple[Point, ...]]]:
    """Yield the pieces of `line` with the same width, and that width."""
    whole = sum(dist(a, b) for a, b in pairwise(line)) or 1.0
    count = max(1, round(abs(end - start) / _WIDTH_STEP))
    for number in range(count):
        share = (number + 0.5) / count
        piece = _cut(line, whole * number / count, whole * (number + 1) / count)
        yield round((start + (end - start) * share) / _WIDTH_STEP) * _WIDTH_STEP, piece


def _cut(line: Sequence[Point], begin: float, stop: float) -> tuple[Point, ...]:
    """Return the part of `line` between two distances from its start."""
    part: list[Point] = []
    passed = 0.0
    for (x, y), (to_x, to_y) in pairwise(line):
        length = hypot(to_x - x, to_y - y)
        low, high = max(begin, passed), min(stop, passed + length)
        if length and low < high:
            for at in (low, high):
                share = (at - passed) / length
                point = (x + (to_x - x) * share, y + (to_y - y) * share)
                if not part or part[-1] != point:
                    part.append(point)
        passed += length
    return tuple(part) if len(part) > 1 else tuple(line[-2:])


# Ridges and cliffs.


def _walk(line: Sequence[Point], step: float) -> Iterator[tuple[Point, Point]]:
    """Yield points along `line`, about `step` apart, each with the direction of the line there."""
    whole = sum(dist(a, b) for a, b in pairwise(line))
    count = max(1, round(whole / step))
    for number in range(count):
        at = whole * (number + 0.5) / count
        first, *_, last = _cut(line, max(0.0, at - step / 2), min(whole, at + step / 2))
        here = _cut(line, max(0.0, at - 0.05), min(whole, at + 0.05))[0]
        length = dist(first, last) or 1.0
        yield here, ((last[0] - first[0]) / length, (last[1] - first[1]) / length)


def _list_peaks(line: Sequence[Point], scale: float) -> Iterator[Peak]:
    """Yield the peaks of a ridge."""
    for number, ((x, y), (along_x, along_y)) in enumerate(_walk(line, _PEAK_STEP * scale)):
        size, off = _PEAKS[number % len(_PEAKS)]
        wide, high = _PEAK_WIDTH * size * scale, _PEAK_HEIGHT * size * scale
        middle, foot = x - along_y * off * scale, y + along_x * off * scale + high * 0.4
        yield (middle - wide, foot), (middle, foot - high), (middle + wide, foot)


def list_massif(feet: Sequence[Point], scale: float) -> Iterator[Peak]:
    """Yield a peak at each of `feet`, which are the middles of the feet of mountains."""
    for number, (x, y) in enumerate(feet):
        size = _MASSIF_SIZES[number % len(_MASSIF_SIZES)]
        wide, high = _PEAK_WIDTH * size * scale, _PEAK_HEIGHT * size * scale
        yield (x - wide, y), (x, y - high), (x + wide, y)


def write_peaks(peaks: Iterable[Peak]) -> Peaks:
    """Return path data of `peaks`: the nearer ones, lower on the page, hide the farther ones."""
    return tuple(
        (write_path(peak, closed=False), write_path(_shade(peak), closed=True))
        for peak in sorted(peaks, key=lambda peak: (peak[0][1], peak[0][0]))
    )


def draw_peaks(peaks: Peaks, theme: Theme, scale: float) -> str:
    """Return the peaks, without the color of their lines; `scale` is the size of a plain unit."""
    drawn = "".join(
        f'<path d="{slopes}"/><path d="{shade}" fill="{theme.hatch}" stroke="none"/>'
        f'<path d="{slopes}" fill="none"/>'
        for slopes, shade in peaks
    )
    return f'<g fill="{theme.land}" stroke-width="{num(_PEAK_LINE * scale)}">{drawn}</g>'


def _shade(peak: Peak) -> tuple[Point, ...]:
    """Return the eastern slope of a peak, which is in the shade."""
    _, (x, top), (right, foot) = peak
    wide, high = right - x, foot - top
    return (
        (x, top),
        (right, foot),
        (x + wide * 0.3, foot),
        (x + wide * 0.12, top + high * 0.62),
        (x - wide * 0.1, top + high * 0.4),
    )


def _list_ticks(line: Sequence[Point], scale: float, off: float) -> Iterator[tuple[Point, Point]]:
    """Yield the strokes of a cliff on both sides of `line`, from `off` it."""
    near, far = off * scale, (off + _TICK_LENGTH) * scale
    for (x, y), (along_x, along_y) in _walk(line, _TICK_STEP * scale):
        for side in (1, -1):
            across_x, across_y = -along_y * side, along_x * side
            yield (
                (x + across_x * near, y + across_y * near),
                (x + across_x * far, y + across_y * far),
            )


# Lettered passages.


def draw_stubs(chart: Chart, theme: Theme) -> str:
    """Return both ends of each lettered passage: a dotted line to the edge, and the letter."""
    scale = frame_scale(chart)
    lines = letters = ""
    radius, size = _LETTER * scale, _LETTER_SIZE * scale
    for passage in chart.passages:
        if not passage.mark:
            continue
        leaving, returning = passage.stubs(chart.size)
        for stub in (leaving[::-1], returning):
            lines += write_path(smooth_line(simplify(stub, 0.1)), closed=False)
            # A passage may begin at the edge.
            (x, y), (to_x, to_y) = stub[0], stub[min(1, len(stub) - 1)]
            out = _LETTER_OUT * scale / (dist((x, y), (to_x, to_y)) or 1.0)
            x, y = x + out * (x - to_x), y + out * (y - to_y)
            letters += (
                f'<circle cx="{num(x)}" cy="{num(y)}" r="{num(radius)}"/>'
                f'<text x="{num(x)}" y="{num(y + size * 0.34)}">{passage.mark}</text>'
            )
    if not lines:
        return ""
    return (
        f'<path d="{lines}" fill="none" stroke="{theme.sea_label}"'
        f' stroke-width="{num(_DOTS * scale)}"'
        f' stroke-linecap="round" stroke-dasharray="0 {num(_DOT_STEP * scale)}"/>'
        f'<g fill="{theme.frame}" stroke="{theme.frame_line}" stroke-width="{num(1.4 * scale)}"'
        f' text-anchor="middle" font-family="{choose_fonts(theme)}" font-size="{num(size)}">'
        + letters.replace("<text", f'<text fill="{theme.label}" stroke="none"')
        + "</g>"
    )
