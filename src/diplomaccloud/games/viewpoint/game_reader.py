"""The rows of one game that one viewer may see, each read once."""

from functools import cached_property
from itertools import chain

from django.db.models import QuerySet

from diplomaccloud.atlas.chart import Chart
from diplomaccloud.games import events
from diplomaccloud.games.errors import NoSuchGame
from diplomaccloud.games.models import (
    Game,
    Phase,
    Seat,
    Status,
    Submission,
    Tenure,
    powers_played_by,
)
from diplomaccloud.games.options.options import Options
from diplomaccloud.games.viewpoint.draft_orders import NO_SHEET, Sheet, sheets_of
from diplomaccloud.games.viewpoint.names import is_masked
from diplomaccloud.games.viewpoint.reliability import with_reliability
from diplomaccloud.games.viewpoint.visibility import Viewer, game_by_code, visible_games
from diplomaccloud.judge.adjudicate import powers_to_order
from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.judge.position import Position


class Rows:
    """The rows of a game; each is read once, when it is first asked for.

    `draft` names the one of the viewer's own drafts to show; without it, it is the live one.
    Raises `NoSuchGame` for a viewer who may not see the game.
    """

    def __init__(self, slug: str, viewer: Viewer, *, code: str = "", draft: str = "") -> None:
        self.viewer = viewer
        self._draft = draft
        games = events.with_version(visible_games(viewer))
        seen = games.filter(slug=slug).first()
        game = seen or game_by_code(slug, code)
        if game is None:
            raise NoSuchGame
        self.game: Game = game
        self.version: int = getattr(seen, "version", None) or events.version_of(game.pk)

    @cached_property
    def chart(self) -> Chart:
        """The map."""
        return self.game.map

    @cached_property
    def board(self) -> Board:
        """The board as it is played now, with the number of centers agreed to win."""
        return self.game.board_at(self.position.phase)

    @cached_property
    def players(self) -> tuple[tuple[Power, ...], ...]:
        """The powers of each player now."""
        return self.game.players_at(self.played_in)

    @cached_property
    def played_in(self) -> JudgePhase:
        """The phase by which it is known who plays what: once the game is over, the last judged.

        The next one would tell how a coin fell that was never shown, unless the game was won
        by it.
        """
        if self.phase is None or self.phase.processed_at is None:
            return self.position.phase
        judged = JudgePhase.parse(self.phase.name)
        played = set(chain(*self.game.players_at(judged)))
        winners = self.game.ending.winners if self.game.ending else ()
        return judged if played.issuperset(winners) else self.position.phase

    @cached_property
    def colours(self) -> dict[str, str]:
        """Every power's colour."""
        return self.game.power_colors(self.seat_rows)

    @cached_property
    def options(self) -> Options:
        """What was agreed on besides map and rules."""
        return self.game.options

    @property
    def phases(self) -> QuerySet[Phase]:
        """The phases that no roll-back left behind, up to the newest as it was read."""
        if self.phase is None:
            return self.game.phases.none()
        return self.game.phases.filter(superseded_at=None, sequence__lte=self.phase.sequence)

    @property
    def processed(self) -> QuerySet[Phase]:
        """Those of them that were processed when the newest was read, so that all reads agree."""
        done = self.phases.exclude(processed_at=None)
        if self.phase is not None and self.phase.processed_at is None:
            done = done.exclude(pk=self.phase.pk)
        return done

    @cached_property
    def my_powers(self) -> tuple[Power, ...]:
        """The powers the viewer plays; none before the draw."""
        return self.powers_at(self.mine) if self.mine else ()

    @cached_property
    def seat_rows(self) -> list[Seat]:
        """The seats in board order, or in order of arrival before the draw."""
        found = self.game.seats.select_related("user").order_by("pk")
        rows = list(found if self.masked else with_reliability(found))
        ranks = {str(info.power): rank for rank, info in enumerate(self.board.powers)}
        return sorted(rows, key=lambda row: ranks.get(row.power or "", 0))

    @property
    def masked(self) -> bool:
        """Whether the names of the players are kept from everybody: see `names`."""
        return is_masked(self.game)

    @cached_property
    def mine(self) -> Seat | None:
        """The viewer's own seat."""
        if self.viewer.user_id is None:
            return None
        own = (row for row in self.seat_rows if row.user_id == self.viewer.user_id)
        return next(own, None)

    @cached_property
    def tenures(self) -> list[Tenure]:
        """Who has held which seat when, the newest first."""
        rows = Tenure.objects.filter(seat__game=self.game).select_related("user")
        return list(rows.order_by("-pk"))

    @cached_property
    def phase(self) -> Phase | None:
        """The newest phase: the open one, or the last of a finished game.

        Never one that has begun or ended the game since that was read: then the page would
        show half of before and half of after.
        """
        if self.game.status == Status.FORMING:
            return None
        phase = self.game.newest_phase()
        if phase is not None and self.game.status == Status.RUNNING:
            phase.processed_at = phase.results = None
        return phase

    @cached_property
    def position(self) -> Position:
        """The position as it is now; before the start, that which the game begins with."""
        if self.phase is None:
            return self.game.starting_position
        if self.phase.processed_at is not None:
            return self.phase.resolution.next
        return self.phase.position

    @cached_property
    def ordering(self) -> frozenset[Power]:
        """The powers that have something to order in the open phase."""
        if self.game.status != Status.RUNNING:
            return frozenset()
        disorder = set(self.phase.disorder) if self.phase else set()
        return powers_to_order(self.board, self.position) - disorder

    @cached_property
    def submissions(self) -> dict[int, Submission]:
        """Who has saved orders or is ready in the open phase, by seat."""
        if self.phase is None or self.game.status != Status.RUNNING:
            return {}
        return {row.seat_id: row for row in self.phase.submissions.all()}

    @cached_property
    def sheets(self) -> tuple[Sheet, ...]:
        """The viewer's own drafts in the open phase: the one read of orders that are secret.

        There is always a live one among them, unless the viewer has nothing to order.
        """
        if self.phase is None or self.mine is None or self.phase.processed_at is not None:
            return ()
        return sheets_of(self.mine, self.phase)

    @property
    def live_sheet(self) -> Sheet:
        """The draft that counts."""
        return next((sheet for sheet in self.sheets if sheet.live), NO_SHEET)

    @property
    def sheet(self) -> Sheet:
        """The draft that is shown."""
        shown = (sheet for sheet in self.sheets if self._draft and sheet.name == self._draft)
        return next(shown, self.live_sheet)

    def played(self, power: str | None) -> tuple[Power, ...]:
        """Return the powers of the player whose first power it is; none before the draw."""
        return powers_played_by(power, self.players) if power else ()

    def powers_at(self, row: Seat) -> tuple[Power, ...]:
        """Return the powers that a seat plays now; none before the draw."""
        return self.played(row.power)

    def is_given_up(self, row: Seat) -> bool:
        """Return whether every country of a seat has surrendered."""
        powers = set(self.powers_at(row))
        return self.phase is not None and bool(powers) and powers <= set(self.phase.disorder)
