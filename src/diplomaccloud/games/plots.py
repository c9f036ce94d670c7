"""A small line chart as plain numbers, for a template to draw as SVG."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from diplomaccloud.games.shown_seats import SeatView

WIDTH, HEIGHT = 720, 320
NARROW, LOW = 360, 280
_LEFT, _RIGHT, _TOP, _BOTTOM = 34, 96, 12, 30
_LABEL_GAP = 15
_DASHES = ("", "7 3", "2 3", "10 3 2 3", "5 5", "12 4", "3 6")


@dataclass(frozen=True, slots=True)
class PlotLine:
    """One seat's line: points as SVG writes them, and where its name stands beside the end.

    Lines differ in `dash` too, for whoever sees no colours.
    """

    seat: SeatView
    points: str
    dash: str
    end_x: float
    end_y: float
    label_y: float
    last: int


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark on an axis: where, and what it says."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Plot:
    """A line chart, `width` by `height`; framed from `left` and `top`.

    `narrow` is the same chart for a telephone, where the letters of this one would be too small.
    """

    width: int
    height: int
    left: int
    right: int
    top: int
    bottom: int
    lines: tuple[PlotLine, ...]
    years: tuple[Tick, ...]
    counts: tuple[Tick, ...]
    narrow: "Plot | None" = None


Series = Sequence[tuple[SeatView, Sequence[int]]]


def plot_lines(series: Series, years: Sequence[int]) -> Plot:
    """Return the chart of `series`, one count for each of `years`; labels keep apart."""
    return replace(
        _framed(series, years, WIDTH, HEIGHT, marks=12),
        narrow=_framed(series, years, NARROW, LOW, marks=5),
    )


def _framed(series: Series, years: Sequence[int], width: int, height: int, *, marks: int) -> Plot:
    """Return the chart in one size, with at most `marks` years written under it."""
    most = max((max(counts, default=0) for _, counts in series), default=0) or 1
    bottom, right = height - _BOTTOM, width - _RIGHT

    def x(number: int) -> float:
        return round(_LEFT + (right - _LEFT) * number / max(len(years) - 1, 1), 1)

    def y(count: int) -> float:
        return round(bottom - (bottom - _TOP) * count / most, 1)

    ends = [y(counts[-1]) for _, counts in series]
    labels = _apart(ends, _TOP + 4, bottom)
    lines = tuple(
        PlotLine(
            seat=seat,
            points=" ".join(f"{x(number)},{y(count)}" for number, count in enumerate(counts)),
            dash=_DASHES[rank % len(_DASHES)],
            end_x=x(len(years) - 1),
            end_y=end,
            label_y=label,
            last=counts[-1],
        )
        for rank, ((seat, counts), end, label) in enumerate(zip(series, ends, labels, strict=True))
    )
    every = -(-len(years) // marks)
    steps = -(-most // 6)
    return Plot(
        width,
        height,
        _LEFT,
        right,
        _TOP,
        bottom,
        lines,
        tuple(Tick(x(n), str(year)) for n, year in enumerate(years) if n % every == 0),
        tuple(Tick(y(count), str(count)) for count in range(0, most + 1, steps)),
    )


def _apart(wanted: Sequence[float], low: float, high: float) -> list[float]:
    """Return places near those `wanted`, at least a line of text from each other."""
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    placed = [0.0] * len(wanted)
    at = low - _LABEL_GAP
    for i in order:
        at = placed[i] = max(wanted[i], at + _LABEL_GAP)
    # What was pushed below the frame is pushed back up.
    at = high + _LABEL_GAP
    for i in reversed(order):
        at = placed[i] = min(placed[i], at - _LABEL_GAP)
    return placed
