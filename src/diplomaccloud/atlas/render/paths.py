"""Lines and outlines as compact SVG path data, and outlines of several shapes as one."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from math import hypot

from diplomaccloud.atlas.chart import ArcRef, Chart, Point, Ring
from diplomaccloud.atlas.render.chart_cache import once_per_chart


def num(value: float) -> str:
    """Return `value` to one decimal, without needless zeros: `-.5`, `12`."""
    return _tenths(round(value * 10))


def path_data(points: Sequence[Point], *, closed: bool) -> str:
    """Return path data through `points`, steps relative and exact to a tenth."""
    spots = [(round(x * 10), round(y * 10)) for x, y in points]
    out = ["M" + _joined([spots[0][0], spots[0][1]])]
    steps: list[int] = []
    for (x0, y0), (x1, y1) in pairwise(spots):
        if (x0, y0) != (x1, y1):
            steps += (x1 - x0, y1 - y0)
    if steps:
        out.append("l" + _joined(steps))
    return "".join(out) + ("z" if closed else "")


def ring_data(chart: Chart, rings: Iterable[Ring]) -> str:
    """Return path data of closed `rings`, to be filled by the even-odd rule."""
    return "".join(_walked(chart, ring, closed=True) for ring in rings)


def chain_data(chart: Chart, arcs: Iterable[int]) -> str:
    """Return path data of the arcs with these indices, joined end to end where they meet."""
    return "".join(
        _walked(chart, chain, closed=_first(chart, chain) == _last(chart, chain))
        for chain in chains(chart, arcs)
    )


def border_arcs(rings: Iterable[Ring]) -> list[int]:
    """Return the indices of arcs that bound the union of the shapes made of `rings`.

    An arc met twice divides two of the shapes and so lies inside the union.
    """
    seen: dict[int, int] = defaultdict(int)
    for ring in rings:
        for ref in ring:
            seen[ref if ref >= 0 else ~ref] += 1
    return sorted(index for index, times in seen.items() if times % 2)


def chains(chart: Chart, arcs: Iterable[int]) -> list[list[ArcRef]]:
    """Return the arcs joined into the longest lines that a simple walk finds.

    Lines with loose ends come first, each walked from such an end; the rest are closed.
    """
    at: dict[Point, list[int]] = defaultdict(list)
    left = sorted(set(arcs))
    for index in left:
        points = chart.arcs[index].points
        at[points[0]].append(index)
        at[points[-1]].append(index)
    loose = [i for i in left if any(len(at[end]) == 1 for end in _ends(chart, i))]
    unused = dict.fromkeys(left)
    found = []
    for index in loose + left:
        if index in unused:
            found.append(_walk(chart, index, at, unused))
    return found


def simplified_chart(chart: Chart, tolerance: float) -> Chart:
    """Return `chart` with every arc `simplified`; shapes still share their arcs."""
    arcs = (replace(arc, points=simplified(arc.points, tolerance)) for arc in chart.arcs)
    return replace(chart, arcs=tuple(arcs))


def simplified(points: Sequence[Point], tolerance: float) -> tuple[Point, ...]:
    """Return `points` without those nearer than `tolerance` to the line that leaves them out.

    Ends are kept, and the farthest point of a closed line, so that it stays a shape.
    """
    if len(points) < 3:
        return tuple(points)
    first, last = points[0], points[-1]
    gaps = [_gap(point, first, last) for point in points[1:-1]]
    widest = max(range(len(gaps)), key=gaps.__getitem__) + 1
    if gaps[widest - 1] <= tolerance:
        return (first, last)
    head = simplified(points[: widest + 1], tolerance)
    return head[:-1] + simplified(points[widest:], tolerance)


def smoothed(points: Sequence[Point]) -> tuple[Point, ...]:
    """Return `points` with their corners cut thrice, to a tenth; both ends stay."""
    line = list(points)
    for _ in range(3):
        cut = [line[0]]
        for (x0, y0), (x1, y1) in pairwise(line):
            cut.append((x0 * 0.75 + x1 * 0.25, y0 * 0.75 + y1 * 0.25))
            cut.append((x0 * 0.25 + x1 * 0.75, y0 * 0.25 + y1 * 0.75))
        line = [*cut, line[-1]]
    inner = ((round(x, 1), round(y, 1)) for x, y in line[1:-1])
    return (points[0], *inner, points[-1])


def _walk(
    chart: Chart, index: int, at: dict[Point, list[int]], unused: dict[int, None]
) -> list[ArcRef]:
    first, last = _ends(chart, index)
    ref = ~index if len(at[last]) == 1 and len(at[first]) != 1 else index
    chain: list[ArcRef] = []
    while True:
        index = ref if ref >= 0 else ~ref
        del unused[index]
        chain.append(ref)
        end = _ends(chart, index)[1 if ref >= 0 else 0]
        onward = [i for i in at[end] if i in unused]
        if not onward:
            return chain
        ref = onward[0] if _ends(chart, onward[0])[0] == end else ~onward[0]


@once_per_chart
def _texts(chart: Chart) -> tuple[tuple[str, str, str], ...]:
    """Return for each arc its start, and the steps from start to end and from end to start."""
    found = []
    for arc in chart.arcs:
        spots = [(round(x * 10), round(y * 10)) for x, y in arc.points]
        steps = [(x1 - x0, y1 - y0) for (x0, y0), (x1, y1) in pairwise(spots)]
        moved = [step for step in steps if step != (0, 0)]
        ahead = _joined([value for step in moved for value in step])
        back = _joined([-value for step in reversed(moved) for value in step])
        found.append((_joined(spots[0]), ahead, back))
    return tuple(found)


def _walked(chart: Chart, refs: Iterable[ArcRef], *, closed: bool) -> str:
    """Return path data along `refs`, each of which starts where the one before it ended."""
    texts = _texts(chart)
    walked = list(refs)
    first = walked[0]
    start = texts[first][0] if first >= 0 else _joined_tenths(chart.arcs[~first].points[-1])
    steps = ""
    for ref in walked:
        step = texts[ref][1] if ref >= 0 else texts[~ref][2]
        steps += step if not steps or step[:1] == "-" else f" {step}"
    return f"M{start}{'l' if steps else ''}{steps}{'z' if closed else ''}"


def _joined_tenths(point: Point) -> str:
    return _joined([round(point[0] * 10), round(point[1] * 10)])


def _first(chart: Chart, chain: list[ArcRef]) -> Point:
    ref = chain[0]
    return _ends(chart, ref)[0] if ref >= 0 else _ends(chart, ~ref)[1]


def _last(chart: Chart, chain: list[ArcRef]) -> Point:
    ref = chain[-1]
    return _ends(chart, ref)[1] if ref >= 0 else _ends(chart, ~ref)[0]


def _ends(chart: Chart, index: int) -> tuple[Point, Point]:
    points = chart.arcs[index].points
    return points[0], points[-1]


def _gap(point: Point, one: Point, other: Point) -> float:
    along_x, along_y = other[0] - one[0], other[1] - one[1]
    from_x, from_y = point[0] - one[0], point[1] - one[1]
    length = hypot(along_x, along_y)
    if length == 0:
        return hypot(from_x, from_y)
    return abs(along_x * from_y - along_y * from_x) / length


def _joined(tenths: Iterable[int]) -> str:
    out = ""
    pointed = True
    for value in tenths:
        text = _tenths(value)
        if out and text[0] != "-" and not (pointed and text[0] == "."):
            out += " "
        out += text
        pointed = "." in text
    return out


def _tenths(value: int) -> str:
    whole, part = divmod(abs(value), 10)
    text = f"{whole or ''}.{part}" if part else str(whole)
    return f"-{text}" if value < 0 else text
