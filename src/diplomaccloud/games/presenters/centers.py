"""The supply centers of a game through the years."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from django.utils.safestring import SafeString

from diplomaccloud.games.presenters.line_chart import Plot, plot_lines
from diplomaccloud.games.presenters.results import draw_position
from diplomaccloud.games.presenters.seats import Seats, SeatView, present_seats
from diplomaccloud.games.viewpoint import GameReader
from diplomaccloud.games.viewpoint.centers import Owners
from diplomaccloud.judge.board import Power

MAX_OWNER_YEARS: Final = 20
"""The table of owners shows at most this many years at once."""


@dataclass(frozen=True, slots=True)
class CenterRow:
    """One player's number of centers after each year."""

    seat: SeatView
    counts: tuple[int, ...]
    change: int


@dataclass(frozen=True, slots=True)
class OwnedYears:
    """An owner of a center, None for nobody, and the number of consecutive years."""

    owner: SeatView | None
    years: int


@dataclass(frozen=True, slots=True)
class OwnerRow:
    """One center's owners over the years; consecutive years with the same owner are joined."""

    code: str
    name: str
    owners: tuple[OwnedYears, ...]


@dataclass(frozen=True, slots=True)
class CentersView:
    """The supply centers through the years, from the year before the game's first.

    `owners` covers `owner_years`, a part of the years. `earlier` and `later` are the last years of
    the parts before and after it, None if there is no such part. `overlay` draws the current
    owners.
    """

    years: tuple[int, ...]
    rows: tuple[CenterRow, ...]
    owner_years: tuple[int, ...]
    owners: tuple[OwnerRow, ...]
    earlier: int | None
    later: int | None
    overlay: SafeString


def present_centers(reader: GameReader, seats: Seats, until: int | None = None) -> CentersView:
    """Return who owned which center at the start and after each year.

    The owners of single centers are shown for at most `MAX_OWNER_YEARS`, the last of them `until`
    if the game has that year.
    """
    by_year = reader.read_owners()
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
        overlay=draw_position(reader, reader.position, ()),
    )


def _join_years(owners: Sequence[Power], seats: Seats) -> tuple[OwnedYears, ...]:
    return tuple(
        OwnedYears(seats.by_power.get(power), len(list(years))) for power, years in groupby(owners)
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
