"""The supply centers of a game through the years."""

from collections.abc import Mapping
from dataclasses import dataclass

from diplomaccloud.games.presenters.line_chart import Plot, plot_lines
from diplomaccloud.games.presenters.seats import Seats, SeatView, present_seats
from diplomaccloud.games.viewpoint import GameReader
from diplomaccloud.games.viewpoint.centers import Owners
from diplomaccloud.judge.board import Power


@dataclass(frozen=True, slots=True)
class CenterRow:
    """One player's number of centers after each year."""

    seat: SeatView
    counts: tuple[int, ...]
    change: int


@dataclass(frozen=True, slots=True)
class OwnerRow:
    """One center's owner after each year."""

    code: str
    name: str
    owners: tuple[SeatView | None, ...]


@dataclass(frozen=True, slots=True)
class CentersView:
    """The supply centers through the years, from the year before the game's first."""

    years: tuple[int, ...]
    rows: tuple[CenterRow, ...]
    owners: tuple[OwnerRow, ...]


def present_centers(reader: GameReader, seats: Seats) -> CentersView:
    """Return who owned which center at the start and after each year."""
    by_year = reader.read_owners()
    board = reader.starting_board
    # The winners of a draw rank first, but this table is about centers.
    rows = sorted(
        (seat for seat in seats.all if seat.power), key=lambda seat: (-seat.centers, seat.rank)
    )
    return CentersView(
        years=tuple(by_year),
        rows=tuple(_count_centers(seat, by_year) for seat in rows),
        owners=tuple(
            OwnerRow(
                code,
                board.by_code[code].name,
                tuple(
                    seats.by_power.get(owners.get(code, Power(""))) for owners in by_year.values()
                ),
            )
            for code in board.centers
        ),
    )


def plot_centers(reader: GameReader) -> Plot:
    """Return the chart of the centers through the years."""
    return plot_rows(present_centers(reader, present_seats(reader)))


def plot_rows(centers: CentersView) -> Plot:
    """Return the chart of the players' numbers of centers."""
    return plot_lines([(row.seat, row.counts) for row in centers.rows], centers.years)


def _count_centers(seat: SeatView, by_year: Mapping[int, Owners]) -> CenterRow:
    powers = {part.power for part in seat.parts} or {seat.power}
    counts = tuple(sum(owner in powers for owner in owners.values()) for owners in by_year.values())
    return CenterRow(seat, counts, counts[-1] - counts[-2] if len(counts) > 1 else 0)
