"""A small line chart as plain numbers, for a template to draw as SVG."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from diplomaccloud.games.presenters.seats import SeatView

WIDTH, HEIGHT = 720, 320
NARROW, LOW = 360, 280
_LEFT, _TOP, _BOTTOM = 34, 12, 30
_LINE, _GAP = 15, 5
"""The height of a line of text, and the gap around a label of several lines."""
_INDENT, _LETTER, _MARGIN = 10, 9.2, 96
"""Space before a label, the width of a letter in the page's widest typeface, minimum for labels."""
_DASHES = ("", "7 3", "2 3", "10 3 2 3", "5 5", "12 4", "3 6")


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark on an axis or a line of a label: its x or y, and its text."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class PlotLine:
    """One seat's line: points in SVG notation, and the lines of its label beside the end.

    Lines differ in `dash` too, for readers who cannot tell the colors apart.
    """

    seat: SeatView
    points: str
    dash: str
    end_x: float
    end_y: float
    label: tuple[Tick, ...]


@dataclass(frozen=True, slots=True)
class Plot:
    """A line chart, `width` by `height`, with a frame from `left` and `top`.

    `narrow` is the same chart for a phone, where the letters of this one would be too small.
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
    """Return the chart of `series`, one count for each of `years`; labels do not overlap."""
    return replace(
        _plot_in(series, years, WIDTH, HEIGHT, marks=12, letters=24),
        narrow=_plot_in(series, years, NARROW, LOW, marks=5, letters=15),
    )


def _plot_in(
    series: Series, years: Sequence[int], width: int, height: int, *, marks: int, letters: int
) -> Plot:
    """Return the chart in one size: at most `marks` years, `letters` per line of a label."""
    most = max((max(counts, default=0) for _, counts in series), default=0) or 1
    texts = [_label(seat, counts[-1], letters) for seat, counts in series]
    longest = max((len(line) for lines in texts for line in lines), default=0)
    bottom, right = height - _BOTTOM, width - max(_MARGIN, round(_INDENT + _LETTER * longest))

    def x(number: int) -> float:
        return round(_LEFT + (right - _LEFT) * number / max(len(years) - 1, 1), 1)

    def y(count: int) -> float:
        return round(bottom - (bottom - _TOP) * count / most, 1)

    ends = [y(counts[-1]) for _, counts in series]
    labels = _spread_labels(ends, [len(lines) for lines in texts], _TOP + 4, bottom)
    lines = tuple(
        PlotLine(
            seat=seat,
            points=" ".join(f"{x(number)},{y(count)}" for number, count in enumerate(counts)),
            dash=_DASHES[rank % len(_DASHES)],
            end_x=x(len(years) - 1),
            end_y=end,
            label=tuple(Tick(label + _LINE * number, line) for number, line in enumerate(text)),
        )
        for rank, ((seat, counts), end, label, text) in enumerate(
            zip(series, ends, labels, texts, strict=True)
        )
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


def _label(seat: SeatView, last: int, letters: int) -> tuple[str, ...]:
    """Return the lines `9 Austria`, `+ Germany` of a seat, each cut after `letters` letters."""
    together = not seat.parts or seat.country != seat.power_name
    first, *others = [seat.country] if together else [part.country for part in seat.parts]
    lines = (f"{last} {first}", *(f"+ {name}" for name in others))
    return tuple(line if len(line) <= letters else f"{line[: letters - 1]}…" for line in lines)


def _spread_labels(
    wanted: Sequence[float], lines: Sequence[int], low: float, high: float
) -> list[float]:
    """Return the height of each label's first line, so that its middle is near `wanted`.

    Labels do not overlap; `lines` are their numbers of lines.
    """
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    heights = [_LINE * count + (_GAP if count > 1 else 0) for count in lines]
    placed = [0.0] * len(wanted)
    at = low
    for i in order:
        placed[i] = max(wanted[i] - _LINE * (lines[i] - 1) / 2, at)
        at = placed[i] + heights[i]
    # Push labels that ended up below the frame back up.
    at = high + _LINE
    for i in reversed(order):
        at = placed[i] = min(placed[i], at - heights[i])
    return placed
