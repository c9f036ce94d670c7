"""Games, and the facts that follow from a game's options and map."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final

from django.apps import apps
from django.conf import settings
from django.db import models
from django.db.models import Max, Q, QuerySet

from diplomaccloud.atlas.chart import Chart
from diplomaccloud.games.models.fields import (
    TypedJSONField,
    TypedModel,
    ending_from_json,
    ending_to_json,
)
from diplomaccloud.games.models.rules import StoredRules, find_rules
from diplomaccloud.games.options.options import Options, options_from_json
from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.judge.position import Position, starting_position
from diplomaccloud.judge.results import Ending
from diplomaccloud.judge.rules import RuleSet, Victory
from diplomaccloud.judge.standard.setups import Setup, setups
from diplomaccloud.judge.victory import Measure
from diplomaccloud.maps.library import find_chart
from diplomaccloud.maps.models import StoredChart
from diplomaccloud.shared.prepared_queries import PreparedQuery

if TYPE_CHECKING:
    from diplomaccloud.accounts.models import User
    from diplomaccloud.games.models.phase import Phase
    from diplomaccloud.games.models.seats import Seat

DEFAULT_COLOR = "#888888"
"""The color of a power if neither its player nor the map has chosen one."""


class Status(models.TextChoices):
    """The life of a game."""

    FORMING = "forming"
    RUNNING = "running"
    FINISHED = "finished"
    CANCELED = "canceled"
    """Canceled by its creator before it started."""


FROZEN: Final = "frozen by a moderator"
"""The reason of a suspension that only a moderator can end."""


class Game(TypedModel):
    """One game on one map.

    `options` holds everything agreed on besides the map and the rules. `draw_secret` decides who
    gets which country and is secret until the start; `coins` has, for each branch, the secret that
    decides the coin flip of the setup. In older games without these secrets, everything random is
    derived from `seed`, which is blank in others. `seat_secret` decides the numbers of the seats
    and `character_secret` the characters of bots; in older games without them, seats have the
    numbers in which they were taken, and everyone may know the characters. `master` is the game
    master, or NULL if the site runs the game. `branch` counts the rollbacks. If processing fails or
    a moderator freezes the game, it is suspended and `suspended_reason` says why. `record_length`
    and `record_head` are the number and the hash of the last line of the record; older games have
    no lines. `version` counts the public events. `watchable` is copied from the options for
    queries: whether everyone may watch, unless the game is private.
    """

    slug = models.CharField(max_length=16, unique=True)
    world = models.CharField(max_length=40)
    chart = models.ForeignKey(StoredChart, on_delete=models.PROTECT)
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.FORMING)
    rule_set = models.ForeignKey(StoredRules, on_delete=models.PROTECT, related_name="+")
    options: "TypedJSONField[Options, Options]" = TypedJSONField(
        decode=options_from_json, encode=Options.to_json
    )
    private = models.BooleanField(default=False)
    watchable = models.BooleanField(default=True)
    code = models.CharField(max_length=16)
    seed = models.CharField(max_length=64, blank=True)
    draw_secret = models.CharField(max_length=64, blank=True)
    seat_secret = models.CharField(max_length=64, blank=True, db_default="")
    character_secret = models.CharField(max_length=64, blank=True, db_default="")
    coins: "models.JSONField[dict[str, str], dict[str, str]]" = models.JSONField(default=dict)
    creator: "models.ForeignKey[User, User]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    master: "models.ForeignKey[User | None, User | None]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    branch = models.PositiveIntegerField(default=0)
    ending: "TypedJSONField[Ending | None, Ending | None]" = TypedJSONField(
        decode=ending_from_json, encode=ending_to_json, null=True
    )
    suspended_reason = models.TextField(blank=True)
    record_length = models.PositiveIntegerField(default=0)
    record_head = models.CharField(max_length=64, blank=True)
    version = models.IntegerField(default=0)

    class Meta:
        ordering = ("-created_at", "-pk")
        constraints = (
            models.CheckConstraint(condition=Q(status__in=Status.values), name="game_status"),
            models.CheckConstraint(
                condition=Q(status__in=(Status.FORMING, Status.CANCELED), started_at__isnull=True)
                | ~Q(status__in=(Status.FORMING, Status.CANCELED)) & Q(started_at__isnull=False),
                name="game_started",
            ),
            models.CheckConstraint(
                condition=Q(status=Status.FINISHED, finished_at__isnull=False, ending__isnull=False)
                | ~Q(status=Status.FINISHED) & Q(finished_at__isnull=True),
                name="game_finished",
            ),
        )
        indexes = (
            # Lists of games are sorted by key, newest first.
            models.Index(fields=("status", "private", "id"), name="game_lists"),
            models.Index(fields=("status", "private", "watchable", "id"), name="game_watchable"),
            models.Index(fields=("master", "status", "id"), name="game_mastered"),
            models.Index(fields=("code",), name="game_codes"),
        )

    def __str__(self) -> str:
        return f"{self.world} ({self.slug})"

    @property
    def has_record(self) -> bool:
        """Whether the game has a record of lines, as all games with a secret draw have.

        Its length does not say so: a transaction writes the lines at its end.
        """
        return bool(self.draw_secret)

    @property
    def is_frozen(self) -> bool:
        """Whether a moderator has stopped the game."""
        return self.suspended_reason == FROZEN

    @cached_property
    def rules(self) -> RuleSet:
        """The rule set that the game is played by."""
        return find_rules(self.rule_set_id)

    @cached_property
    def map(self) -> Chart:
        """The map the game is played on."""
        if not Game.chart.is_cached(self):
            # A map's text is by far the longest column, so each process reads it once: see
            # `find_chart`.
            self.chart = StoredChart.objects.defer("text").get(pk=self.chart_id)
        return find_chart(self.chart.content_hash)

    @cached_property
    def seat_list(self) -> "list[Seat]":
        """The seats, cached; an action that changes who holds a seat must call `forget_seats`."""
        seats = list(self.seats.order_by("pk"))
        for seat in seats:
            seat.game = self
        return seats

    def forget_seats(self) -> None:
        """Drop the cached seats, so that they are read again when next used."""
        self.__dict__.pop("seat_list", None)

    @cached_property
    def setup(self) -> Setup | None:
        """The setup that the game started with, or None for the map's own."""
        name = self.options.setup
        return setups()[name] if name else None

    @cached_property
    def board(self) -> Board:
        """The board at the start, with the agreed number of centers needed to win."""
        return self.board_at(None)

    def board_at(self, when: JudgePhase | None) -> Board:
        """Return the board in the phase `when`; None stands for the start.

        It has the agreed number of centers needed to win. If the powers of one player win together,
        no power can win alone, so the board requires more centers than there are.
        """
        setup, centers = self.setup, self.options.ends.centers
        if setup is None:
            board = self.map.board
        else:
            board = setup.board if when is None else setup.board_at(when)
            if setup.shared_centers is not None:
                centers = len(board.centers) + 1
        return board if centers is None else _with_victory_centers(board, centers)

    @property
    def centers_to_win(self) -> int:
        """How many centers a player needs to win, with all of the player's powers."""
        agreed, setup = self.options.ends.centers, self.setup
        if agreed is not None:
            return agreed
        if setup is not None and setup.shared_centers is not None:
            return setup.shared_centers
        return self.board.victory_centers

    @property
    def measure(self) -> Measure:
        """The measure by which players are ranked: that of the time limit, or that of the rules.

        The 1961 rules count pieces; all others count supply centers.
        """
        ends = self.options.ends
        if ends.last_year is not None or ends.turns is not None or ends.date is not None:
            return ends.measure
        return Measure.PIECES if self.rules.victory is Victory.PIECES else Measure.CENTERS

    @cached_property
    def starting_position(self) -> Position:
        """The position at the start of the game."""
        setup = self.setup
        return setup.position if setup else starting_position(self.board)

    @cached_property
    def players(self) -> tuple[tuple[Power, ...], ...]:
        """The powers that each seat plays at the start."""
        return self.players_at(None)

    @property
    def coin(self) -> str:
        """The secret that decides the coin flip on the current branch."""
        return self.coins.get(str(self.branch), self.seed)

    @cached_property
    def played_with(self) -> dict[str | None, tuple[Power, ...]]:
        """For each power, all powers of the player who has it at the start."""
        return {power: powers for powers in self.players for power in powers}

    def players_at(self, when: JudgePhase | None) -> tuple[tuple[Power, ...], ...]:
        """Return the powers that each seat plays in the phase `when`; None stands for the start.

        Each seat plays one power, unless the game's setup has players with several.
        """
        setup = self.setup
        if setup is None:
            return tuple((info.power,) for info in self.map.board.powers)
        return setup.players if when is None else setup.players_at(when, self.coin)

    def idle_powers_at(self, when: JudgePhase) -> tuple[Power, ...]:
        """Return the powers on the board that no player has in the phase `when`."""
        setup = self.setup
        if setup is None:
            return ()
        played = {power for powers in self.players_at(when) for power in powers}
        return tuple(power for power in setup.idle if power not in played)

    def power_colors(self, seats: "Iterable[Seat]") -> dict[str, str]:
        """Return the color of every power as `#rrggbb`: its player's choice or the map's color."""
        chosen = {power: color for seat in seats for power, color in seat.colors.items()}
        printed = self.map.palette
        return {
            info.power: chosen.get(info.power, printed.get(info.power, DEFAULT_COLOR))
            for info in self.board.powers
        }

    def newest_phase(self) -> "Phase | None":
        """Return the newest phase that was not rolled back, or None before the start."""
        phase = _newest_phase.find(self.pk)
        if phase is not None:
            phase.game = self
        return phase

    def next_sequence(self) -> int:
        """Return the sequence number of the next phase, greater than any the game has used."""
        return (self.phases.aggregate(most=Max("sequence"))["most"] or 0) + 1


def _select_newest_phase(game: int) -> "QuerySet[Phase]":
    phases = apps.get_model("games", "Phase").objects
    newest: QuerySet[Phase] = phases.filter(game=game, superseded_at=None).order_by("-sequence")[:1]
    return newest


_newest_phase = PreparedQuery(_select_newest_phase, int)


@lru_cache(maxsize=64)
def _with_victory_centers(board: Board, centers: int) -> Board:
    """Return `board` with another number of centers to win.

    Cached, so that the judge gets the same board again and reuses its tables for it.
    """
    return replace(board, victory_centers=centers)


def powers_played_by(
    first_power: str | None, players: Sequence[Sequence[Power]]
) -> tuple[Power, ...]:
    """Return the powers of the player, among `players`, who has `first_power`, or ()."""
    return next((tuple(powers) for powers in players if first_power in powers), ())
