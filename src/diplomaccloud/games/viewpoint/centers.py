"""The supply centers of one game through the years."""

from collections.abc import Mapping
from dataclasses import replace

from diplomaccloud.games.presenters.game_page import GameView
from diplomaccloud.games.presenters.line_chart import Plot, plot_lines
from diplomaccloud.games.presenters.report import current_overlay
from diplomaccloud.games.presenters.results import CenterRow, CentersView, OwnerRow
from diplomaccloud.games.presenters.seats import SeatView
from diplomaccloud.games.viewpoint.game import view_of
from diplomaccloud.games.viewpoint.table import Table
from diplomaccloud.games.viewpoint.visibility import Viewer
from diplomaccloud.judge.board import Power, ProvinceCode
from diplomaccloud.judge.phases import Season

_Owners = Mapping[ProvinceCode, Power]


def centers_view(slug: str, viewer: Viewer) -> tuple[GameView, CentersView]:
    """Return the game, and who owned what at the start and after each year.

    The first year of the table is the one before the game's first, the last one is now.
    """
    table = Table(slug, viewer)
    overlay = current_overlay(table.chart, table.position, (), table.colours)
    return replace(view_of(table, drawn=False), overlay=overlay), centers_in(table)


def centers_plot(slug: str, viewer: Viewer) -> Plot:
    """Return the chart of the centers through the years."""
    owned = centers_in(Table(slug, viewer))
    return plot_lines([(row.seat, row.counts) for row in owned.rows], owned.years)


def centers_in(table: Table) -> CentersView:
    """Return who owned what in the game at `table`, as `centers_view` shows it."""
    by_year = _by_year(table)
    board = table.game.board
    # The winners of a draw rank first, but this is about centers.
    seats = sorted(
        (seat for seat in table.seats if seat.power), key=lambda seat: (-seat.centers, seat.rank)
    )
    return CentersView(
        years=tuple(by_year),
        rows=tuple(_row(seat, by_year) for seat in seats),
        owners=tuple(
            OwnerRow(
                code,
                board.by_code[code].name,
                tuple(table.flags.get(owners.get(code, Power(""))) for owners in by_year.values()),
            )
            for code in board.centers
        ),
    )


def _by_year(table: Table) -> dict[int, _Owners]:
    start = table.game.starting_position
    found: dict[int, _Owners] = {start.phase.year - 1: start.centers}
    # Ownership changes once a year, so the first phase of each year has last year's result.
    openings = table.phases.filter(name__startswith="S", name__endswith="M")
    for phase in openings.order_by("sequence"):
        position = phase.position
        found[position.phase.year - 1] = position.centers
    # A game that ended after a Fall stands at the Spring to come.
    year = table.position.phase.year - (table.position.phase.season is Season.SPRING)
    if table.position.centers != found[max(found)]:
        found[max(year, max(found) + 1)] = table.position.centers
    return found


def _row(seat: SeatView, by_year: Mapping[int, _Owners]) -> CenterRow:
    powers = {part.power for part in seat.parts} or {seat.power}
    counts = tuple(sum(owner in powers for owner in owners.values()) for owners in by_year.values())
    return CenterRow(seat, counts, counts[-1] - counts[-2] if len(counts) > 1 else 0)
