"""Write lines and outlines as compact SVG path data, and join the outlines of shapes."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain, pairwise
from math import hypot

from diplomaccloud.judge.drawing.chart import ArcRef, Chart, Point, Ring, cache_per_chart

_SMOOTHING_PASSES = 3


def num(value: float) -> str:
    """Return `value` to one decimal, without unnecessary zeros: `-.5`, `12`."""
    return _format_tenths(round(value * 10))


def write_path(points: Sequence[Point], *, closed: bool) -> str:
    """Return path data through `points`, as relative steps rounded to a tenth."""
    start, steps = _find_steps(points)
    line = f"l{_join_tenths(chain.from_iterable(steps))}" if steps else ""
    return f"M{_join_tenths(start)}{line}{'z' if closed else ''}"


def _find_steps(points: Sequence[Point]) -> tuple[tuple[int, int], list[tuple[int, int]]]:
    """Return the first point, and the steps from there that are not zero, in tenths of a unit."""
    spots = [(round(x * 10), round(y * 10)) for x, y in points]
    steps = ((x1 - x0, y1 - y0) for (x0, y0), (x1, y1) in pairwise(spots))
    return spots[0], [step for step in steps if step != (0, 0)]


def write_rings(chart: Chart, rings: Iterable[Ring]) -> str:
    """Return path data of closed `rings`, for filling by the even-odd rule."""
    return "".join(_write_refs(chart, ring, closed=True) for ring in rings)


def write_arcs(chart: Chart, arcs: Iterable[int]) -> str:
    """Return path data of the arcs with these indices, joined end to end where they meet."""
    return "".join(
        _write_refs(
            chart, line, closed=_find_ends(chart, line[0])[0] == _find_ends(chart, line[-1])[1]
        )
        for line in join_arcs(chart, arcs)
    )


def find_border_arcs(rings: Iterable[Ring]) -> list[int]:
    """Return the indices of the arcs that bound the union of the shapes with these `rings`.

    An arc that occurs twice divides two of the shapes, so it is inside the union.
    """
    seen: dict[int, int] = defaultdict(int)
    for ring in rings:
        for ref in ring:
            seen[ref if ref >= 0 else ~ref] += 1
    return sorted(index for index, times in seen.items() if times % 2)


def join_arcs(chart: Chart, arcs: Iterable[int]) -> list[list[ArcRef]]:
    """Return the arcs joined into long lines, found by a simple walk.

    Lines with free ends come first, each from a free end; the others are closed.
    """
    at: dict[Point, list[int]] = defaultdict(list)
    indices = sorted(set(arcs))
    for index in indices:
        for end in _find_ends(chart, index):
            at[end].append(index)
    with_free_end = [i for i in indices if any(len(at[end]) == 1 for end in _find_ends(chart, i))]
    unused = dict.fromkeys(indices)
    joined = []
    for index in with_free_end + indices:
        if index in unused:
            joined.append(_follow_arcs(chart, index, at, unused))
    return joined


def simplify_chart(chart: Chart, tolerance: float) -> Chart:
    """Return `chart` with every arc simplified; shapes still share their arcs."""
    arcs = (replace(arc, points=simplify(arc.points, tolerance)) for arc in chart.arcs)
    return replace(chart, arcs=tuple(arcs))


def simplify(points: Sequence[Point], tolerance: float) -> tuple[Point, ...]:
    """Return `points` without those that are within `tolerance` of the line without them.

    Both ends remain, and so does the farthest point of a closed line, so that it stays a shape.
    """
    kept, spans = {0, len(points) - 1}, [(0, len(points) - 1)]
    while spans:  # not recursive, because a line may have thousands of points
        start, end = spans.pop()
        if end - start < 2:
            continue
        first, last = points[start], points[end]
        along_x, along_y = last[0] - first[0], last[1] - first[1]
        inner = points[start + 1 : end]
        if length := hypot(along_x, along_y):
            distances = [
                abs(along_x * (y - first[1]) - along_y * (x - first[0])) / length for x, y in inner
            ]
        else:
            distances = [hypot(x - first[0], y - first[1]) for x, y in inner]
        farthest = max(range(len(distances)), key=distances.__getitem__)
        if distances[farthest] > tolerance:
            middle = start + 1 + farthest
            kept.add(middle)
            spans += [(start, middle), (middle, end)]
    return tuple(points[index] for index in sorted(kept))


def smooth_line(points: Sequence[Point]) -> tuple[Point, ...]:
    """Return `points` with their corners cut three times, rounded to a tenth; both ends stay.

    Source: Chaikin's algorithm.
    """
    line = list(points)
    for _ in range(_SMOOTHING_PASSES):
        cut = [line[0]]
        for (x0, y0), (x1, y1) in pairwise(line):
            cut.append((x0 * 0.75 + x1 * 0.25, y0 * 0.75 + y1 * 0.25))
            cut.append((x0 * 0.25 + x1 * 0.75, y0 * 0.25 + y1 * 0.75))
        line = [*cut, line[-1]]
    inner = ((round(x, 1), round(y, 1)) for x, y in line[1:-1])
    return (points[0], *inner, points[-1])


def _follow_arcs(
    chart: Chart, index: int, at: dict[Point, list[int]], unused: dict[int, None]
) -> list[ArcRef]:
    first, last = _find_ends(chart, index)
    ref = ~index if len(at[last]) == 1 and len(at[first]) != 1 else index
    line: list[ArcRef] = []
    while True:
        del unused[ref if ref >= 0 else ~ref]
        line.append(ref)
        end = _find_ends(chart, ref)[1]
        onward = [i for i in at[end] if i in unused]
        if not onward:
            return line
        ref = onward[0] if _find_ends(chart, onward[0])[0] == end else ~onward[0]


def list_steps(chart: Chart) -> list[list[int]]:
    """Return each arc as its start and the steps from there, as numbers in tenths of a unit."""
    spots = (_find_steps(arc.points) for arc in chart.arcs)
    return [[*start, *chain.from_iterable(steps)] for start, steps in spots]


@cache_per_chart
def _write_steps(chart: Chart) -> tuple[tuple[str, str, str], ...]:
    """Return for each arc its start, and the steps from start to end and from end to start."""
    written = []
    for arc in chart.arcs:
        start, steps = _find_steps(arc.points)
        forward = _join_tenths(chain.from_iterable(steps))
        back = _join_tenths(-value for step in reversed(steps) for value in step)
        written.append((_join_tenths(start), forward, back))
    return tuple(written)


def _write_refs(chart: Chart, refs: Iterable[ArcRef], *, closed: bool) -> str:
    """Return path data along `refs`, each of which starts where the previous one ended."""
    texts = _write_steps(chart)
    arcs = list(refs)
    first = arcs[0]
    x, y = _find_ends(chart, first)[0]
    start = texts[first][0] if first >= 0 else _join_tenths([round(x * 10), round(y * 10)])
    steps = ""
    for ref in arcs:
        step = texts[ref][1] if ref >= 0 else texts[~ref][2]
        steps += step if not steps or step[:1] == "-" else f" {step}"
    return f"M{start}{'l' if steps else ''}{steps}{'z' if closed else ''}"


def _find_ends(chart: Chart, ref: ArcRef) -> tuple[Point, Point]:
    points = chart.arcs[ref if ref >= 0 else ~ref].points
    return (points[0], points[-1]) if ref >= 0 else (points[-1], points[0])


def _join_tenths(tenths: Iterable[int]) -> str:
    out = ""
    pointed = True
    for value in tenths:
        text = _format_tenths(value)
        if out and text[0] != "-" and not (pointed and text[0] == "."):
            out += " "
        out += text
        pointed = "." in text
    return out


def _format_tenths(value: int) -> str:
    whole, part = divmod(abs(value), 10)
    text = f"{whole or ''}.{part}" if part else str(whole)
    return f"-{text}" if value < 0 else text
