"""Games: their rules, options, seats and the people in the seats, and invitations to join."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final

from django.apps import apps
from django.conf import settings
from django.db import models
from django.db.models import Max, OuterRef, Q, QuerySet, Subquery

from diplomaccloud.endings import Measure
from diplomaccloud.games.table.fields import (
    TypedJSONField,
    TypedModel,
    ending_from_json,
    ending_to_json,
)
from diplomaccloud.games.table.options import Options, options_from_json
from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.codec import rules_from_json, rules_to_json
from diplomaccloud.judge.drawing.chart import Chart
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.judge.position import Position, starting_position
from diplomaccloud.judge.results import Ending
from diplomaccloud.judge.rules import RuleSet, Victory
from diplomaccloud.maps.models import StoredChart
from diplomaccloud.maps.pictures import find_chart_to_show
from diplomaccloud.schedule.descriptions import join_words
from diplomaccloud.setups import Setup, setups
from diplomaccloud.shared.prepared_queries import PreparedQuery

if TYPE_CHECKING:
    from diplomaccloud.accounts.models import User
    from diplomaccloud.games.table.phase_models import Phase

MAX_REMEMBERED: Final = 256
"""How many decoded rule sets a process caches; most games share a few."""


class StoredRules(TypedModel):
    """A rule set that games and phases refer to; rows never change.

    `digest` is the SHA-256 in hexadecimal of its JSON with sorted keys and without spaces.
    """

    digest = models.CharField(max_length=64, primary_key=True)
    rules: "TypedJSONField[RuleSet, RuleSet]" = TypedJSONField(
        decode=rules_from_json, encode=rules_to_json
    )

    def __str__(self) -> str:
        return f"rules {self.digest[:8]}"


def store_rules(rules: RuleSet) -> str:
    """Store the rule set unless it is already stored, and return its digest."""
    digest = digest_rules(rules)
    StoredRules.objects.get_or_create(digest=digest, defaults={"rules_json": rules_to_json(rules)})
    return digest


def digest_rules(rules: RuleSet) -> str:
    """Return the digest under which the rule set is stored."""
    text = json.dumps(rules_to_json(rules), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


@lru_cache(maxsize=MAX_REMEMBERED)
def find_rules(digest: str) -> RuleSet:
    """Return the rule set with this digest, cached; raise `DamagedData` if it can't be read."""
    return StoredRules.objects.get(pk=digest).rules


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
    numbers in which they were taken, and everyone may know the characters. `creator` is NULL if the
    site created the game. `master` is the game master, or NULL if the site runs the game. `branch`
    counts the rollbacks. If processing fails or a moderator freezes the game, it is suspended and
    `suspended_reason` says why. `record_length` and `record_head` are the number and the hash of
    the last line of the record; older games have no lines. `version` counts the public events.
    `watchable` is copied from the options for queries: whether everyone may watch, unless the game
    is private. `rated` is whether the result changes ratings of people, if nothing else keeps it
    from that: see `ratings`.
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
    rated = models.BooleanField(default=False, db_default=False)
    code = models.CharField(max_length=16)
    seed = models.CharField(max_length=64, blank=True)
    draw_secret = models.CharField(max_length=64, blank=True)
    seat_secret = models.CharField(max_length=64, blank=True, db_default="")
    character_secret = models.CharField(max_length=64, blank=True, db_default="")
    coins: "models.JSONField[dict[str, str], dict[str, str]]" = models.JSONField(default=dict)
    creator: "models.ForeignKey[User | None, User | None]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
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
            # `find_chart_to_show`.
            self.chart = StoredChart.objects.defer("text").get(pk=self.chart_id)
        return find_chart_to_show(self.chart.content_hash)

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


RESIGNED, REMOVED, ABANDONED = "resigned", "removed", "abandoned"
"""How a player can lose or leave a seat before the game is over."""


class Seat(models.Model):
    """A place in a game, held by a person or a bot, or vacant; countries are assigned at the start.

    `power` and `number` are NULL before the start. Seats are numbered from 1, and the record of the
    game uses these numbers. If a player has several powers, `power` is the first, and the game's
    setup names the others. `country` and `colors` (`#rrggbb` by power) are the player's choices; if
    blank or missing, those of the map are used. A seat whose player resigned or was removed has
    been vacant since `vacated_at`. `finished_at` is copied from the game, so that a person's games
    can be listed without reading all of them. `ready_at` is when the player was marked as ready to
    start. `reserved` is the first power of a seat that the creator of the game gave to its holder,
    and blank if the power is drawn.
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="seats")
    power = models.CharField(max_length=40, null=True)  # noqa: DJ001 - NULLs are never equal
    number = models.PositiveSmallIntegerField(null=True)
    user: "models.ForeignKey[User | None, User | None]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="seats"
    )
    bot = models.CharField(max_length=20, blank=True)
    country = models.CharField(max_length=30, blank=True)
    colors: "models.JSONField[dict[str, str], dict[str, str]]" = models.JSONField(default=dict)
    vacated_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    ready_at = models.DateTimeField(null=True)
    reserved = models.CharField(max_length=40, blank=True, default="", db_default="")

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(fields=("game", "power"), name="seat_power"),
            models.UniqueConstraint(fields=("game", "user"), name="seat_user"),
            models.CheckConstraint(
                condition=Q(user__isnull=False, bot="", vacated_at__isnull=True)
                | Q(user__isnull=True, vacated_at__isnull=True) & ~Q(bot="")
                | Q(user__isnull=True, bot="", vacated_at__isnull=False),
                name="seat_holder",
            ),
        )
        indexes = (
            models.Index(fields=("user", "finished_at", "id"), name="seat_games"),
            models.Index(fields=("finished_at", "vacated_at"), name="seat_vacant"),
        )

    def __str__(self) -> str:
        return f"{self.power or 'seat'} of {self.game_id}"

    @property
    def country_name(self) -> str:
        """The name of the seat's country: its player's choice, or the printed name on the map."""
        if self.country:
            return self.country
        info = self.game.board.power_info
        powers = self.game.played_with.get(self.power, ())
        return join_words([info[power].name for power in powers])


class Tenure(models.Model):
    """The time during which a person or a bot held a seat; `until_at` is NULL until they leave.

    Rows of earlier holders are kept, so orders and missed turns stay with the player who gave
    or missed them. `left` says how the tenure ended: resigned, surrendered, abandoned, removed.
    """

    seat = models.ForeignKey(Seat, on_delete=models.PROTECT, related_name="tenures")
    user: "models.ForeignKey[User | None, User | None]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="tenures"
    )
    bot = models.CharField(max_length=20, blank=True)
    since_at = models.DateTimeField()
    until_at = models.DateTimeField(null=True)
    left = models.CharField(max_length=12, blank=True)

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.CheckConstraint(
                condition=Q(user__isnull=False, bot="") | Q(user__isnull=True) & ~Q(bot=""),
                name="tenure_person_or_bot",
            ),
        )

    def __str__(self) -> str:
        return f"{self.user_id or self.bot} on seat {self.seat_id}"


class Invitation(models.Model):
    """An invitation by the creator of a game; the invited person may join without the code.

    `reserved` is the power that the person then plays, or blank if it is drawn.
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="invitations")
    user: "models.ForeignKey[User, User]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="invitations"
    )
    invited_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True)
    reserved = models.CharField(max_length=40, blank=True, default="", db_default="")

    class Meta:
        constraints = (models.UniqueConstraint(fields=("game", "user"), name="invitation_user"),)

    def __str__(self) -> str:
        return f"{self.user_id} to {self.game_id}"


def holder_since(seat: str) -> Subquery:
    """Return an expression for when the holder of the seat at the path `seat` got it."""
    tenures = Tenure.objects.filter(seat=OuterRef(seat), until_at=None)
    return Subquery(tenures.order_by("-pk").values("since_at")[:1])


def must_ask_players(game: Game, user_id: int) -> bool:
    """Return whether a game master must ask the other players.

    That is the case for a person who plays or has ever played in the game, even on a branch that
    was left behind, as long as another person holds a seat in it.
    """
    if not game.seats.exclude(user=None).exclude(user=user_id).exists():
        return False
    played = Tenure.objects.filter(seat__game=game, user=user_id).exists()
    return played or game.seats.filter(user=user_id).exists()
