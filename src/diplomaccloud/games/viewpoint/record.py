"""The record of one game: its statistics, and the bundle that replays without the site."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from django.db.models import QuerySet

from diplomaccloud.games.models import Phase, Status
from diplomaccloud.games.presenters.game_page import GameView
from diplomaccloud.games.presenters.line_chart import Plot, plot_lines
from diplomaccloud.games.presenters.results import CenterRow, CentersView
from diplomaccloud.games.presenters.seats import SeatView
from diplomaccloud.games.presenters.statistics import Deeds, Played, Tally, count_deeds
from diplomaccloud.games.viewpoint.centers import centers_in
from diplomaccloud.games.viewpoint.game import view_of
from diplomaccloud.games.viewpoint.table import Table
from diplomaccloud.games.viewpoint.visibility import Viewer
from diplomaccloud.games.viewpoint.written_orders import written_of
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.protocol import dump_record
from diplomaccloud.judge.results import Resolution


@dataclass(frozen=True, slots=True)
class DeedsRow:
    """What one power did."""

    seat: SeatView
    deeds: Deeds


@dataclass(frozen=True, slots=True)
class HelpRow:
    """How often one power helped each of the others; None is itself."""

    seat: SeatView
    helped: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class StabView:
    """One power turning on another that it had been helping, or had been helped by."""

    title: str
    url: str
    by: SeatView
    against: SeatView
    place: str
    took_center: bool


@dataclass(frozen=True, slots=True)
class StatisticsView:
    """A game in figures: centers over time, deeds, help given to whom, stabs."""

    plot: Plot
    years: tuple[int, ...]
    rows: tuple[CenterRow, ...]
    deeds: tuple[DeedsRow, ...]
    help: tuple[HelpRow, ...]
    stabs: tuple[StabView, ...]


def statistics_view(slug: str, viewer: Viewer) -> tuple[GameView, StatisticsView]:
    """Return the game and its figures; raise `NoSuchGame` for whoever may not see it."""
    table = Table(slug, viewer)
    return view_of(table, drawn=False), _statistics(table)


def record_lines(slug: str, viewer: Viewer) -> Iterator[str]:
    """Yield the lines of the bundle that `diplomaccloud replay` judges again, offline.

    The orders of processed phases are public; the seed is told once the game is over. Where
    the board changes in the middle of a game, a second heading says so.
    """
    table = Table(slug, viewer)
    game = table.game
    seed = game.seed if game.status == Status.FINISHED else ""
    written = written_of(table)
    for board, phases in groupby(_played(table.processed), lambda one: game.board_at(one[0].phase)):
        yield from dump_record(
            board,
            game.rules,
            map(_with_orders, phases),
            name=game.slug,
            seed=seed,
            written=written,
        )


def _played(phases: QuerySet[Phase]) -> list[Played]:
    rows = phases.order_by("sequence")
    return [(row.position, row.resolution) for row in rows]


def _tally_of(table: Table) -> Tally:
    """Return what was done in the game, counted anew when one more phase has been processed."""
    return _tally(table.game.pk, tuple(link.sequence for link in table.links))


@lru_cache(maxsize=256)
def _tally(game_id: int, sequences: tuple[int, ...]) -> Tally:
    """Return the tally of processed phases of a game, a few kilobytes that are only read.

    No processed phase ever changes, and no number is used twice.
    """
    return count_deeds(_played(Phase.objects.filter(game=game_id, sequence__in=sequences)))


def _with_orders(played: Played) -> tuple[Position, tuple[Order, ...], Resolution]:
    position, resolution = played
    orders = tuple(one.order for one in resolution.results if not one.implicit)
    return position, orders, resolution


def _statistics(table: Table) -> StatisticsView:
    owned: CentersView = centers_in(table)
    tally = _tally_of(table)
    flags = table.flags
    return StatisticsView(
        plot=plot_lines([(row.seat, row.counts) for row in owned.rows], owned.years),
        years=owned.years,
        rows=owned.rows,
        deeds=tuple(DeedsRow(seat, tally.of(power)) for power, seat in flags.items()),
        help=_help(tally, flags),
        stabs=_stabs(table, tally, flags),
    )


def _help(tally: Tally, flags: dict[Power, SeatView]) -> tuple[HelpRow, ...]:
    return tuple(
        HelpRow(
            seat,
            tuple(None if other == power else tally.helped[power, other] for other in flags),
        )
        for power, seat in flags.items()
    )


def _stabs(table: Table, tally: Tally, flags: dict[Power, SeatView]) -> tuple[StabView, ...]:
    links = {link.name: link for link in table.links}
    return tuple(
        StabView(
            title=one.phase.title,
            url=links[str(one.phase)].url,
            by=flags[one.by],
            against=flags[one.against],
            place=table.board.by_code[one.where].name,
            took_center=one.took_center,
        )
        for one in tally.stabs
    )
