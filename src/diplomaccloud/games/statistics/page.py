"""The statistics of a game: centers over time, what the powers did, and who helped whom."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

from diplomaccloud.games.results.page import list_phases
from diplomaccloud.games.results.read import read_phase_names
from diplomaccloud.games.seats.page import Seats
from diplomaccloud.games.seats.read import SeatView
from diplomaccloud.games.statistics.deeds import Deeds, Tally
from diplomaccloud.games.statistics.read import Owners, read_owners, read_tally
from diplomaccloud.games.table.read import Reader
from diplomaccloud.judge.board import Power
from diplomaccloud.shared.remembered import Remembered


@dataclass(frozen=True, slots=True)
class DeedsRow:
    """What one power did, and how often it helped each of the others; None stands for itself."""

    seat: SeatView
    deeds: Deeds
    helped: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class StabView:
    """An attack by one power on another after one of them had helped the other."""

    title: str
    url: str
    by: SeatView
    against: SeatView
    place: str
    took_center: bool


@dataclass(frozen=True, slots=True)
class CenterRow:
    """One player's number of centers after each year."""

    seat: SeatView
    counts: tuple[int, ...]
    change: int


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


@dataclass(frozen=True, slots=True, eq=False)
class StatisticsView:
    """The statistics of a game.

    They are compared by identity, so that what a page shows of them can be remembered cheaply.
    `uncounted` are the statistics of phases for which none are stored yet, by their numbers.
    """

    centers: "CentersView"
    deeds: tuple[DeedsRow, ...]
    stabs: tuple[StabView, ...]
    uncounted: Mapping[int, Tally]


_views: Remembered[Hashable, StatisticsView] = Remembered(64)
"""Statistics by game, processed phases, version and seats as a viewer sees them."""


def present_statistics(reader: Reader, seats: Seats) -> StatisticsView:
    """Return the statistics of the game, which are made once for all who see the same seats."""
    key = (reader.game.slug, reader.version, read_phase_names(reader), seats.all)
    view = _views.find(key)
    if view is None:
        view = _make_statistics(reader, seats)
        if not view.uncounted:
            _views.keep(key, view)
    return view


def _make_statistics(reader: Reader, seats: Seats) -> StatisticsView:
    figures, players = read_tally(reader), seats.by_power
    tally = figures.total
    links = {link.name: link for link in list_phases(reader)}
    return StatisticsView(
        present_centers(reader, seats),
        tuple(
            DeedsRow(
                seat,
                tally.of(power),
                tuple(None if taker == power else tally.helped[power, taker] for taker in players),
            )
            for power, seat in players.items()
        ),
        tuple(
            StabView(
                title=stab.phase.title,
                url=links[str(stab.phase)].url,
                by=players[stab.by],
                against=players[stab.against],
                place=reader.board.by_code[stab.where].name,
                took_center=stab.took_center,
            )
            for stab in tally.stabs
        ),
        figures.uncounted,
    )


MAX_OWNER_YEARS: Final = 20
"""The table of owners shows at most this many years at once."""


@dataclass(frozen=True, slots=True)
class OwnerRow:
    """One center's owners, None for nobody, each with a number of consecutive years."""

    code: str
    name: str
    owners: tuple[tuple[SeatView | None, int], ...]


@dataclass(frozen=True, slots=True)
class CentersView:
    """The supply centers through the years, from the year before the game's first.

    `owners` covers `owner_years`, a part of the years. `earlier` and `later` are the last years of
    the parts before and after it, None if there is no such part.
    """

    years: tuple[int, ...]
    rows: tuple[CenterRow, ...]
    owner_years: tuple[int, ...]
    owners: tuple[OwnerRow, ...]
    earlier: int | None
    later: int | None

    @property
    def plot(self) -> Plot:
        """The chart of the players' numbers of centers."""
        return plot_lines([(row.seat, row.counts) for row in self.rows], self.years)


def present_centers(reader: Reader, seats: Seats, until: int | None = None) -> CentersView:
    """Return who owned which center at the start and after each year.

    The owners of single centers are shown for at most `MAX_OWNER_YEARS`, the last of them `until`
    if the game has that year.
    """
    by_year = read_owners(reader)
    years = tuple(by_year)
    end = years.index(until) + 1 if until in years else len(years)
    start = max(0, end - MAX_OWNER_YEARS)
    shown = years[start:end]
    board = reader.starting_board
    # The winners of a draw rank first, but this table is about centers.
    rows = sorted(
        (seat for seat in seats.all if seat.power), key=lambda seat: (-seat.centers, seat.rank)
    )
    return CentersView(
        years=years,
        rows=tuple(_count_centers(seat, by_year) for seat in rows),
        owner_years=shown,
        owners=tuple(
            OwnerRow(
                code,
                board.by_code[code].name,
                _join_years([by_year[year].get(code, Power("")) for year in shown], seats),
            )
            for code in board.centers
        ),
        earlier=years[start - 1] if start else None,
        later=years[min(end + MAX_OWNER_YEARS, len(years)) - 1] if end < len(years) else None,
    )


def _join_years(owners: Sequence[Power], seats: Seats) -> tuple[tuple[SeatView | None, int], ...]:
    years = groupby(owners)
    return tuple((seats.by_power.get(power), len(list(held))) for power, held in years)


def _count_centers(seat: SeatView, by_year: Mapping[int, Owners]) -> CenterRow:
    powers = {part.power for part in seat.parts} or {seat.power}
    counts = tuple(sum(owner in powers for owner in owners.values()) for owners in by_year.values())
    return CenterRow(seat, counts, counts[-1] - counts[-2] if len(counts) > 1 else 0)


WIDTH, HEIGHT = 720, 320
NARROW, LOW = 360, 280
_LEFT, _TOP, _BOTTOM = 34, 12, 30
_LINE, _GAP, _FIRST = 15, 5, 4
"""The height of a line of text, the gap around a label of several lines, and above the first."""
_INDENT, _LETTER, _MARGIN = 10, 9.2, 96
"""Space before a label, the width of a letter in the page's widest typeface, minimum for labels."""
_DASHES = ("", "7 3", "2 3", "10 3 2 3", "5 5", "12 4", "3 6")
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
    """Return the chart in one size: at most `marks` years, `letters` per line of a label.

    It is higher if that many labels need it.
    """
    most = max((max(counts, default=0) for _, counts in series), default=0) or 1
    texts = [_label(seat, counts[-1], letters) for seat, counts in series]
    sizes = [_measure_label(len(lines)) for lines in texts]
    height = max(height, sum(sizes) - _LINE + _TOP + _FIRST + _BOTTOM)
    longest = max((len(line) for lines in texts for line in lines), default=0)
    bottom, right = height - _BOTTOM, width - max(_MARGIN, round(_INDENT + _LETTER * longest))

    def x(number: int) -> float:
        return round(_LEFT + (right - _LEFT) * number / max(len(years) - 1, 1), 1)

    def y(count: int) -> float:
        return round(bottom - (bottom - _TOP) * count / most, 1)

    ends = [y(counts[-1]) for _, counts in series]
    labels = _spread_labels(ends, [len(lines) for lines in texts], _TOP + _FIRST, bottom)
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


def _measure_label(lines: int) -> int:
    return _LINE * lines + (_GAP if lines > 1 else 0)


def _spread_labels(
    wanted: Sequence[float], lines: Sequence[int], low: float, high: float
) -> list[float]:
    """Return the height of each label's first line, so that its middle is near `wanted`.

    Labels do not overlap; `lines` are their numbers of lines.
    """
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    heights = [_measure_label(count) for count in lines]
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
