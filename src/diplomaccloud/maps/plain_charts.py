"""Charts with too many points for a web process to draw them, and what is drawn instead.

The map worker simplifies their lines to half a pixel of the largest picture. That takes it at most
`MAX_CPU_SECONDS`; a chart that needs longer, or still has too many points, is drawn from a part of
its points, and its owner reads why.
"""

import signal
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from diplomaccloud.judge.drawing.chart import Arc, Chart, Point
from diplomaccloud.judge.drawing.paths import simplify_chart

MAX_POINTS: Final = 30_000
"""How many points the lines of a chart may have that is drawn as it is; Europe has 10,000."""
MAX_CPU_SECONDS: Final = 2.0
LARGEST_PICTURE: Final = 2000
"""The width or height of the largest picture in pixels."""


@dataclass(frozen=True, slots=True)
class PlainChart:
    """A chart to draw; `lost` says why it lost more than half a pixel, or is blank."""

    chart: Chart
    lost: str = ""


class _OverTimeError(Exception):
    """The processor time is used up."""


def count_points(chart: Chart) -> int:
    """Return how many points the lines of a chart have."""
    return sum(len(arc.points) for arc in chart.arcs)


def is_heavy(chart: Chart) -> bool:
    """Return whether a chart has too many points to be drawn as it is."""
    return count_points(chart) > MAX_POINTS


def make_plain(chart: Chart, seconds: float = MAX_CPU_SECONDS) -> PlainChart:
    """Return a chart with at most `MAX_POINTS`, unless its lines are too many for that.

    It uses a timer of the process, so only the main thread may call it.
    """

    def stop(*_: object) -> None:
        raise _OverTimeError

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    plain = None
    try:
        plain = simplify_chart(chart, max(chart.size) / LARGEST_PICTURE / 2)
    except _OverTimeError:
        pass
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    if plain is not None and not is_heavy(plain):
        return PlainChart(plain)
    lost = f"This map has too many points to be drawn exactly. {describe_heaviest_line(chart)}"
    return PlainChart(thin_out(chart), lost)


def thin_out(chart: Chart) -> Chart:
    """Return a chart with so few of its points, at even distances, that it can be drawn."""
    step = -(-count_points(chart) // MAX_POINTS)
    arcs = tuple(replace(arc, points=_skip_points(arc.points, step)) for arc in chart.arcs)
    return replace(chart, arcs=arcs)


def _skip_points(points: Sequence[Point], step: int) -> tuple[Point, ...]:
    """Return every `step`th point and the last one; a closed line keeps a third of its way."""
    kept = [*points[:-1:step], points[-1]]
    if points[0] == points[-1] and len(kept) < 4:
        third = max(1, len(points) // 3)
        kept = [points[0], points[third], points[-1 - third], points[-1]]
    return tuple(kept)


def describe_heaviest_line(chart: Chart) -> str:
    """Return a sentence that names the line with the most points."""
    line = max(chart.arcs, key=lambda arc: len(arc.points))
    names = [_name_side(chart, line, code) for code in (line.left, line.right)]
    known = sorted({name for name in names if name})
    where = f"between {known[0]} and {known[1]}" if len(known) > 1 else f"around {known[0]}"
    return f"The line {where} has {len(line.points):,} points, more than any other."


def _name_side(chart: Chart, line: Arc, code: str | None) -> str:
    if code is None:
        return "the edge of the map" if line.left or line.right else "the map"
    named = {str(one): name for one, name in chart.board.impassable}
    province = chart.board.by_code.get(code)  # type: ignore[call-overload]
    return province.name if province else named.get(code, code)
