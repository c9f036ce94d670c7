"""The statistics of a game: centers over time, what the powers did, and who helped whom."""

from dataclasses import dataclass

from diplomaccloud.games.presenters.centers import CenterRow, plot_rows, present_centers
from diplomaccloud.games.presenters.line_chart import Plot
from diplomaccloud.games.presenters.results import list_phases
from diplomaccloud.games.presenters.seats import Seats, SeatView
from diplomaccloud.games.viewpoint import GameReader
from diplomaccloud.games.viewpoint.statistics import Deeds, Tally


@dataclass(frozen=True, slots=True)
class DeedsRow:
    """What one power did."""

    seat: SeatView
    deeds: Deeds


@dataclass(frozen=True, slots=True)
class HelpRow:
    """How often one power helped each of the others; None stands for the power itself."""

    seat: SeatView
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
class StatisticsView:
    """The statistics of a game."""

    plot: Plot
    years: tuple[int, ...]
    rows: tuple[CenterRow, ...]
    deeds: tuple[DeedsRow, ...]
    help: tuple[HelpRow, ...]
    stabs: tuple[StabView, ...]


def present_statistics(reader: GameReader, seats: Seats) -> StatisticsView:
    """Return the statistics of the game."""
    centers, tally = present_centers(reader, seats), reader.read_tally()
    return StatisticsView(
        plot=plot_rows(centers),
        years=centers.years,
        rows=centers.rows,
        deeds=tuple(DeedsRow(seat, tally.of(power)) for power, seat in seats.by_power.items()),
        help=_list_help(tally, seats),
        stabs=_list_stabs(reader, tally, seats),
    )


def _list_help(tally: Tally, seats: Seats) -> tuple[HelpRow, ...]:
    return tuple(
        HelpRow(
            seat,
            tuple(
                None if other == power else tally.helped[power, other] for other in seats.by_power
            ),
        )
        for power, seat in seats.by_power.items()
    )


def _list_stabs(reader: GameReader, tally: Tally, seats: Seats) -> tuple[StabView, ...]:
    links = {link.name: link for link in list_phases(reader)}
    return tuple(
        StabView(
            title=stab.phase.title,
            url=links[str(stab.phase)].url,
            by=seats.by_power[stab.by],
            against=seats.by_power[stab.against],
            place=reader.board.by_code[stab.where].name,
            took_center=stab.took_center,
        )
        for stab in tally.stabs
    )
