"""Games, and what follows from the options and the map of one."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

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
"""The color of a power for which neither its player nor the map has one."""


class Status(models.TextChoices):
    """The life of a game."""

    FORMING = "forming"
    RUNNING = "running"
    FINISHED = "finished"
    CANCELED = "canceled"
    """By its creator, before it started."""


class Game(TypedModel):
    """One game on one map.

    `options` is everything agreed on besides the map and the rules. `draw_secret` decides who gets
    which country and is secret until the start; `coins` has, for each branch, the secret that
    decides the coin flip of the setup. In games that were created before there were such secrets,
    everything random follows from `seed`, which is blank in others. `master` is the person who is
    game master, NULL if the site is. `branch` counts the rollbacks. A game whose processing failed
    is suspended: `suspended_reason` says why. `record_length` and `record_head` are the number and
    the hash of the last line of the record; games that were created before there were such records
    have none. `version` counts the public events, and `watchable` copies from the options, for
    queries, whether everyone may watch unless the game is private.
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
            # Lists of games go by the key, newest first.
            models.Index(fields=("status", "private", "id"), name="game_lists"),
            models.Index(fields=("status", "private", "watchable", "id"), name="game_watchable"),
            models.Index(fields=("master", "status", "id"), name="game_mastered"),
            models.Index(fields=("code",), name="game_codes"),
        )

    def __str__(self) -> str:
        return f"{self.world} ({self.slug})"

    @cached_property
    def rules(self) -> RuleSet:
        """The rule set that the game is played by."""
        return find_rules(self.rule_set_id)

    @cached_property
    def map(self) -> Chart:
        """The map the game is played on."""
        if not Game.chart.is_cached(self):
            # Its text is by far the longest there is; a process reads it once: see `find_chart`.
            self.chart = StoredChart.objects.defer("text").get(pk=self.chart_id)
        return find_chart(self.chart.content_hash)

    @cached_property
    def seat_list(self) -> "list[Seat]":
        """The seats, read once; an action that changes who holds a seat forgets them."""
        seats = list(self.seats.order_by("pk"))
        for seat in seats:
            seat.game = self
        return seats

    def forget_seats(self) -> None:
        """Read the seats again when they are next used."""
        self.__dict__.pop("seat_list", None)

    @cached_property
    def setup(self) -> Setup | None:
        """The setup that the game began with, None for the map's own."""
        name = self.options.setup
        return setups()[name] if name else None

    @cached_property
    def board(self) -> Board:
        """The board that is played at the start, with the number of centers agreed to win."""
        return self.board_at(None)

    def board_at(self, when: JudgePhase | None) -> Board:
        """Return the board that is played in the phase `when`; None stands for the start.

        It has the number of centers agreed to win. Where the powers of one player win together,
        no power can win alone: its board asks for more centers than there are.
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
        """How many centers win, in all powers of one player where they win together."""
        agreed, setup = self.options.ends.centers, self.setup
        if agreed is not None:
            return agreed
        if setup is not None and setup.shared_centers is not None:
            return setup.shared_centers
        return self.board.victory_centers

    @property
    def measure(self) -> Measure:
        """What the players are ranked by: what decides at the time limit, else what the rules say.

        The 1961 rules count pieces, all others supply centers.
        """
        ends = self.options.ends
        if ends.last_year is not None or ends.turns is not None or ends.date is not None:
            return ends.measure
        return Measure.PIECES if self.rules.victory is Victory.PIECES else Measure.CENTERS

    @cached_property
    def starting_position(self) -> Position:
        """The position that the game begins with."""
        setup = self.setup
        return setup.position if setup else starting_position(self.board)

    @cached_property
    def players(self) -> tuple[tuple[Power, ...], ...]:
        """The powers that each seat plays at the start."""
        return self.players_at(None)

    @property
    def coin(self) -> str:
        """The secret that decides the coin flip on the present branch."""
        return self.coins.get(str(self.branch), self.seed)

    @cached_property
    def played_with(self) -> dict[str | None, tuple[Power, ...]]:
        """The powers of the player who has it at the start, by power."""
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
        """Return the color of every power as `#rrggbb`: its player's choice, else the map's."""
        chosen = {power: color for seat in seats for power, color in seat.colors.items()}
        printed = self.map.palette
        return {
            info.power: chosen.get(info.power, printed.get(info.power, DEFAULT_COLOR))
            for info in self.board.powers
        }

    def newest_phase(self) -> "Phase | None":
        """Return the newest phase that no rollback left behind, None before the start."""
        phase = _newest_phase.find(self.pk)
        if phase is not None:
            phase.game = self
        return phase

    def next_sequence(self) -> int:
        """Return the number of the next phase: one more than any the game ever had."""
        return (self.phases.aggregate(most=Max("sequence"))["most"] or 0) + 1


def _select_newest_phase(game: int) -> "QuerySet[Phase]":
    phases = apps.get_model("games", "Phase").objects
    newest: QuerySet[Phase] = phases.filter(game=game, superseded_at=None).order_by("-sequence")[:1]
    return newest


_newest_phase = PreparedQuery(_select_newest_phase, int)


@lru_cache(maxsize=64)
def _with_victory_centers(board: Board, centers: int) -> Board:
    """Return `board` with another number of centers to win.

    Cached, so that the judge meets the same board again and its tables for it are reused.
    """
    return replace(board, victory_centers=centers)


def powers_played_by(
    first_power: str | None, players: Sequence[Sequence[Power]]
) -> tuple[Power, ...]:
    """Return the powers of the player, among `players`, who has `first_power`; () if none has."""
    return next((tuple(powers) for powers in players if first_power in powers), ())
