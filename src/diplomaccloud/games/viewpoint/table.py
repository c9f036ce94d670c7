"""One game as one viewer finds it: who may see it, and the rows read once."""

import secrets
from dataclasses import dataclass
from functools import cached_property

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet
from django.urls import reverse

from diplomaccloud.accounts.models import User
from diplomaccloud.atlas.chart import Chart
from diplomaccloud.games.errors import NoSuchGame
from diplomaccloud.games.models import Game, Phase, Seat, Status, Submission
from diplomaccloud.games.options import Options
from diplomaccloud.games.records import (
    board_of,
    chart_of,
    live_orders,
    open_phase_of,
    options_of,
    orders_of,
    players_of,
    position_of,
    resolution_of,
)
from diplomaccloud.games.shown import PhaseLink, SeatView
from diplomaccloud.judge.adjudicate import powers_to_order
from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.judge.position import Position, starting_position

_NO_COLOUR = "#888888"


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks: a user's key, or None for whoever has not logged in."""

    user_id: int | None


def viewer_of(user: User | AnonymousUser) -> Viewer:
    """Return the viewer that `user` is."""
    return Viewer(user.pk if user.is_authenticated else None)


def visible_games(viewer: Viewer) -> QuerySet[Game]:
    """Return the games the viewer may see, maps' texts left out."""
    mine = Q(seats__user=viewer.user_id) if viewer.user_id is not None else Q(pk__in=())
    visible = Game.objects.filter(Q(private=False) | mine).distinct()
    return visible.select_related("chart", "creator").defer("chart__text")


def may_see(slug: str, viewer: Viewer) -> bool:
    """Return whether there is such a game and the viewer may see it."""
    return visible_games(viewer).filter(slug=slug).exists()


class Table:
    """One game as one viewer finds it; each row is read once, when it is first asked for.

    Raises `NoSuchGame` for a viewer who may not see the game.
    """

    def __init__(self, slug: str, viewer: Viewer, *, code: str = "") -> None:
        self.viewer = viewer
        game = visible_games(viewer).filter(slug=slug).first() or _invited(slug, code)
        if game is None:
            raise NoSuchGame
        self.game: Game = game

    @cached_property
    def chart(self) -> Chart:
        """The map."""
        return chart_of(self.game)

    @cached_property
    def board(self) -> Board:
        """The board, with the number of centers agreed to win."""
        return board_of(self.game)

    @cached_property
    def options(self) -> Options:
        """What was agreed on besides map and rules."""
        return options_of(self.game)

    @property
    def phases(self) -> QuerySet[Phase]:
        """The phases that no roll-back left behind."""
        return self.game.phases.filter(superseded_at=None)

    @property
    def processed(self) -> QuerySet[Phase]:
        """Those of them that are processed."""
        return self.phases.exclude(processed_at=None)

    @cached_property
    def my_powers(self) -> tuple[Power, ...]:
        """The powers the viewer plays; none before the draw."""
        if self.mine is None:
            return ()
        played = players_of(self.game, self.position.phase)
        return next((powers for powers in played if self.mine.power in powers), ())

    @cached_property
    def seat_rows(self) -> list[Seat]:
        """The seats in board order, or in order of arrival before the draw."""
        rows = list(self.game.seats.select_related("user").order_by("pk"))
        ranks = {str(info.power): rank for rank, info in enumerate(self.chart.board.powers)}
        return sorted(rows, key=lambda row: ranks.get(row.power or "", 0))

    @cached_property
    def mine(self) -> Seat | None:
        """The viewer's own seat."""
        if self.viewer.user_id is None:
            return None
        own = (row for row in self.seat_rows if row.user_id == self.viewer.user_id)
        return next(own, None)

    @cached_property
    def phase(self) -> Phase | None:
        """The newest phase: the open one, or the last of a finished game."""
        return open_phase_of(self.game)

    @cached_property
    def position(self) -> Position:
        """The position as it is now; before the start, the board's starting position."""
        if self.phase is None:
            return starting_position(self.chart.board)
        if self.phase.processed_at is not None:
            return resolution_of(self.phase).next
        return position_of(self.phase)

    @cached_property
    def ordering(self) -> frozenset[Power]:
        """The powers that have something to order in the open phase."""
        if self.game.status != Status.RUNNING:
            return frozenset()
        return powers_to_order(self.board, self.position)

    @cached_property
    def submissions(self) -> dict[int, Submission]:
        """Who has saved orders or is ready in the open phase, by seat."""
        if self.phase is None or self.game.status != Status.RUNNING:
            return {}
        return {row.seat_id: row for row in self.phase.submissions.all()}

    @cached_property
    def own_orders(self) -> tuple[Order, ...]:
        """The viewer's own saved orders in the open phase: the one read of what is secret."""
        if self.phase is None or self.mine is None or self.phase.processed_at is not None:
            return ()
        return orders_of(live_orders(self.phase).filter(draft__seat=self.mine))

    @cached_property
    def links(self) -> tuple[PhaseLink, ...]:
        """The processed phases, oldest first."""
        rows = self.processed.order_by("sequence")
        return tuple(self._link(*row) for row in rows.values_list("sequence", "name"))

    @property
    def ended(self) -> JudgePhase:
        """The last phase that was played out; the one at hand if none was."""
        return JudgePhase.parse(self.links[-1].name) if self.links else self.position.phase

    @cached_property
    def seats(self) -> tuple[SeatView, ...]:
        """The seats as everybody may see them."""
        strengths = {row.pk: self._strength(row) for row in self.seat_rows}
        return tuple(
            self._seat(row, rank=1 + sum(other > strengths[row.pk] for other in strengths.values()))
            for row in self.seat_rows
        )

    @cached_property
    def you(self) -> SeatView | None:
        """The viewer's own seat as shown."""
        return next((seat for seat in self.seats if seat.is_you), None)

    def _link(self, sequence: int, name: str) -> PhaseLink:
        url = reverse("games:phase", args=[self.game.slug, sequence])
        return PhaseLink(sequence, name, JudgePhase.parse(name).title, url)

    def _strength(self, row: Seat) -> tuple[int, int]:
        power = Power(row.power or "")
        units = len(self.position.units_of(power)) + len(self.position.dislodged_of(power))
        return len(self.position.centers_of(power)), units

    def _plays(self, row: Seat) -> set[Power]:
        played = players_of(self.game, self.position.phase)
        return set(next((powers for powers in played if row.power in powers), ()))

    def _seat(self, row: Seat, *, rank: int) -> SeatView:
        power = Power(row.power or "")
        info = self.chart.board.power_info.get(power)
        centers, units = self._strength(row)
        submission = self.submissions.get(row.pk)
        # A plan made ahead submits in silence: nobody is told who wrote ahead.
        ready = submission is not None and bool(submission.ready_at) and not submission.ahead
        return SeatView(
            power=power,
            power_name=info.name if info else "",
            country=row.country or (info.name if info else ""),
            color=self.chart.palette.get(power, _NO_COLOUR),
            player=_holder(row),
            is_bot=bool(row.bot),
            is_you=row == self.mine,
            centers=centers,
            units=units,
            rank=rank,
            eliminated=bool(power) and not centers and not units,
            ready=ready if self._plays(row) & self.ordering else None,
        )


def _holder(row: Seat) -> str:
    if row.user:
        return row.user.screen_name
    return f"{row.bot.capitalize()} bot" if row.bot else "nobody"


def _invited(slug: str, code: str) -> Game | None:
    games = Game.objects.select_related("chart", "creator").defer("chart__text")
    game = games.filter(slug=slug, status=Status.FORMING).first()
    if game is None or not secrets.compare_digest(code.encode(), game.code.encode()):
        return None
    return game
