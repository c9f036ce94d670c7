"""What a game leaves behind: events, log, record, and the statistics of its players."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.db import models
from django.db.models import Count, OuterRef, Subquery
from django.db.models.functions import Coalesce

from diplomaccloud.games.table.models import Game, Seat, Tenure, powers_played_by
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.judge.messages.english import write_sentence
from diplomaccloud.maps.models import StoredChart
from diplomaccloud.record import signatures
from diplomaccloud.setups import setups
from diplomaccloud.shared.prepared_queries import PreparedQuery

if TYPE_CHECKING:
    from diplomaccloud.accounts.models import User

ROLLED_BACK, ROLLED_FORWARD = "rolled back", "rolled forward"
LEFT, TAKEN = "left", "taken"
"""Kinds of log entries that other code looks for."""


class Event(models.Model):
    """The outbox: something that happened, written in the transaction that did it.

    `key` is unique within a game, so that nothing is reported twice. An event with a `seat` is
    private to that seat; others are public, so their `data` must not contain secrets. `waiting` is
    true until the notices for a public event are written, and then NULL; for private events it is
    always NULL.
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="events")
    seat = models.ForeignKey(Seat, on_delete=models.PROTECT, null=True, related_name="+")
    kind = models.CharField(max_length=20)
    key = models.CharField(max_length=80)
    data = models.JSONField(default=dict)
    created_at = models.DateTimeField()
    waiting = models.BooleanField(null=True)

    class Meta:
        ordering = ("pk",)
        constraints = (models.UniqueConstraint(fields=("game", "key"), name="event_key"),)
        indexes = (
            models.Index(fields=("game", "seat", "id"), name="event_public"),
            models.Index(fields=("waiting", "id"), name="event_waiting"),
        )

    def __str__(self) -> str:
        return f"{self.kind} in {self.game_id}"


class LogEntry(models.Model):
    """One entry of the game's public log, such as why a deadline moved or what the game master did.

    `by` is NULL if the site did it. `text` is the whole sentence, and `reason` is what the person
    who did it wrote; neither may contain secrets. The `key` makes an act idempotent: the same act
    twice gives one entry.
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="log")
    phase = models.ForeignKey(Phase, on_delete=models.PROTECT, null=True, related_name="log")
    by: "models.ForeignKey[User | None, User | None]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    kind = models.CharField(max_length=20)
    key = models.CharField(max_length=80)
    text = models.TextField()
    reason = models.TextField(blank=True)
    data = models.JSONField(default=dict)
    at = models.DateTimeField()

    class Meta:
        ordering = ("pk",)
        constraints = (models.UniqueConstraint(fields=("game", "key"), name="log_key"),)

    def __str__(self) -> str:
        return f"{self.kind} in {self.game_id}"


class RecordLine(models.Model):
    """One line of a game's record, the same for everyone who may see the game.

    `text` is canonical JSON without a line ending, and `hash` is the hash that the next line
    contains. A line names no people, and everything in it was public when it was written. The
    game's row has the number and the hash of the last line.
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="record_lines")
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=12)
    text = models.TextField()
    hash = models.CharField(max_length=64)

    class Meta:
        ordering = ("game", "number")
        constraints = (models.UniqueConstraint(fields=("game", "number"), name="record_number"),)

    def __str__(self) -> str:
        return f"line {self.number} of {self.game_id}"


class SigningKey(models.Model):
    """An Ed25519 key of the site, in hexadecimal. A retired key still verifies signatures."""

    key_id = models.CharField(max_length=16, unique=True)
    public = models.CharField(max_length=64)
    private = models.CharField(max_length=64)
    created_at = models.DateTimeField()
    retired_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return self.key_id

    @property
    def key(self) -> signatures.SigningKey:
        """The key, ready to sign."""
        return signatures.SigningKey(self.private)


current_key = PreparedQuery(lambda: SigningKey.objects.filter(retired_at=None).order_by("pk")[:1])
"""The key that the site signs with, none if it has never signed anything."""


class SaveReceipt(models.Model):
    """The site's signed statement that a player saved these orders at this time.

    Only the person who saved them can see it. `digest` is the digest of the salt and the text, and
    the signature covers the game, phase, seat, time and digest. An `automatic` one, for orders that
    a page saved by itself, is replaced by the next of the same phase.
    """

    phase = models.ForeignKey(Phase, on_delete=models.PROTECT, related_name="save_receipts")
    seat = models.ForeignKey(Seat, on_delete=models.PROTECT, related_name="save_receipts")
    user: "models.ForeignKey[User, User]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    at = models.DateTimeField()
    text = models.TextField()
    salt = models.CharField(max_length=32)
    digest = models.CharField(max_length=64)
    key = models.ForeignKey(SigningKey, on_delete=models.PROTECT, related_name="+")
    signature = models.CharField(max_length=128)
    automatic = models.BooleanField(default=False, db_default=False)

    class Meta:
        ordering = ("pk",)
        indexes = (models.Index(fields=("phase", "seat"), name="save_receipt_seat"),)

    def __str__(self) -> str:
        return f"save of seat {self.seat_id} in {self.phase_id}"


# Players' statistics, stored beside the facts they are counted from, so pages don't count.


Figures = Mapping[str, int]
"""Numbers by the name of the column in `PlayerFigures`."""


class PlayerFigures(models.Model):
    """Statistics about a person's games; a person without games has no row.

    `turns`, `missed`, `games` and `left` leave out anonymous games until they are over, and turns
    that were excused or rolled back. `running` counts games that everyone may watch and that are
    not anonymous. `finished`, `won` and `shared` leave out unrated games, which `unrated` counts
    once they are over. `results.actions` updates the row in the transaction that changes the facts,
    and `manage recount` compares the two.
    """

    user: "models.OneToOneField[User, User]" = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.PROTECT, primary_key=True, related_name="figures"
    )
    # No check constraint: a wrong number must not stop a game.
    turns = models.IntegerField(default=0)
    missed = models.IntegerField(default=0)
    games = models.IntegerField(default=0)
    left = models.IntegerField(default=0)
    running = models.IntegerField(default=0)
    finished = models.IntegerField(default=0)
    won = models.IntegerField(default=0)
    shared = models.IntegerField(default=0)
    unrated = models.IntegerField(default=0, db_default=0)

    def __str__(self) -> str:
        return f"figures of {self.user_id}"

    @property
    def reliability(self) -> int | None:
        """How reliably the person plays, in percent; None for someone who never played.

        It is the share of turns that the person did not miss or of games that the person did not
        leave, whichever is lower, rounded down.
        """
        shares = [
            100 * (whole - lost) // whole
            for whole, lost in ((self.turns, self.missed), (self.games, self.left))
            if whole > 0
        ]
        return min(shares, default=None)


class CountryFigures(models.Model):
    """How a person's finished rated games ended, in Europe or in new worlds, with one country.

    The row with a blank country counts all of them. Each game is a solo, a draw, or was lost with
    something left on the board (survived) or with nothing (defeated). Kept like `PlayerFigures`.
    """

    user: "models.ForeignKey[User, User]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", db_index=False
    )
    is_europe = models.BooleanField()
    country = models.CharField(max_length=100, blank=True)
    games = models.IntegerField(default=0)
    solos = models.IntegerField(default=0)
    draws = models.IntegerField(default=0)
    survived = models.IntegerField(default=0)
    defeated = models.IntegerField(default=0)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("user", "is_europe", "country"), name="figures_of_country"
            ),
        )
        indexes = (models.Index(fields=("user", "games"), name="figures_favorites"),)

    def __str__(self) -> str:
        return f"{self.country or 'all countries'} of {self.user_id}"


class WorldFigures(models.Model):
    """How a person's finished rated games on one new world ended, with one country.

    The row with a blank country counts all of them. Kept like `CountryFigures`, which has the same
    numbers for Europe.
    """

    user: "models.ForeignKey[User, User]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", db_index=False
    )
    chart = models.ForeignKey(StoredChart, models.PROTECT, related_name="+")
    country = models.CharField(max_length=100, blank=True)
    games = models.IntegerField(default=0)
    solos = models.IntegerField(default=0)
    draws = models.IntegerField(default=0)
    survived = models.IntegerField(default=0)
    defeated = models.IntegerField(default=0)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("user", "chart", "country"), name="figures_of_world"),
        )
        indexes = (models.Index(fields=("user", "country", "games"), name="figures_worlds"),)

    def __str__(self) -> str:
        return f"{self.country or 'all countries'} on map {self.chart_id} of {self.user_id}"


class RivalFigures(models.Model):
    """In how many finished rated games two people met, and in how many `user` was ahead or behind.

    Kept like `PlayerFigures`, with a row for each of the two.
    """

    user: "models.ForeignKey[User, User]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", db_index=False
    )
    other: "models.ForeignKey[User, User]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+"
    )
    games = models.IntegerField(default=0)
    ahead = models.IntegerField(default=0)
    behind = models.IntegerField(default=0)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("user", "other"), name="figures_of_rival"),)
        indexes = (models.Index(fields=("user", "games"), name="figures_rivals"),)

    def __str__(self) -> str:
        return f"{self.user_id} against {self.other_id}"


@dataclass(frozen=True, slots=True)
class World:
    """A country, or blank for all, on the new world with the key `chart`."""

    chart: int
    country: str


Tally = tuple[bool, str] | World | int
"""What is counted: games in Europe or new worlds, or on one world, with a country; or rivals."""
TallyRow = CountryFigures | WorldFigures | RivalFigures
Tallies = Mapping[Tally, Mapping[str, int]]
"""Numbers by the name of the column, by what they count, for one person."""
COUNTRY_FIGURES: Final = ("games", "solos", "draws", "survived", "defeated")
RIVAL_FIGURES: Final = ("games", "ahead", "behind")
FIGURES: Final = (
    *("turns", "missed", "games", "left", "running"),
    *("finished", "won", "shared", "unrated"),
)
"""The columns of `PlayerFigures` that hold a number."""
MIN_PEOPLE: Final = 4
"""How many people must have played in a game for its result to count."""
_COUNTRY: Final = "\n"
_GIVEN_UP: Final = tuple(
    write_sentence(key, country=_COUNTRY).partition(_COUNTRY)[0]
    for key in (
        *("conceded", "all_surrendered", "last_one_left", "surrendered_to_alliance"),
        *("canceled", "ended_on_leaving"),
    )
)
"""How the reasons begin with which games end because players gave up, rather than on the board."""
_AGREED: Final = tuple(write_sentence(key) for key in ("agreed_with_orders", "agreed_draw"))
"""The reasons with which games end in a draw."""


class Unrated(StrEnum):
    """Why a game is unrated; an annulled one still counts in its players' statistics."""

    FEW_PEOPLE = "few people"
    GIVEN_UP = "given up"
    ANNULLED = "annulled"


def find_unrated(people: int, reason: str = "", winners: int = 0) -> Unrated | None:
    """Return why a game is unrated, or None if it is rated.

    `people` is how many of its seats people have held, `reason` the sentence with which it ended,
    and `winners` how many powers won. Without these rules, two accounts could win as many games as
    they like against bots, and the last one left could agree with nobody on a draw.
    """
    if people < MIN_PEOPLE:
        return Unrated.FEW_PEOPLE
    is_alone = reason.startswith(_AGREED) and winners == 1
    return Unrated.GIVEN_UP if is_alone or reason.startswith(_GIVEN_UP) else None


def count_people(game: str) -> Coalesce:
    """Return an expression for how many seats of the game at the path `game` people have held."""
    held = Tenure.objects.filter(seat__game=OuterRef(game)).exclude(user=None).order_by()
    number = held.values("seat__game").annotate(number=Count("seat", distinct=True))
    return Coalesce(Subquery(number.values("number")), 0)


class End(StrEnum):
    """How a rated game ended."""

    SOLO = "solo"
    DRAW = "draw"
    TIME_LIMIT = "time limit"


_TIME_UP: Final = write_sentence("time_up_without_people", year=0).partition("0")[0].split()[:3]
"""The words with which the reasons begin with which games end at a time limit."""


def find_end(reason: str) -> End:
    """Return how a game ended that was not given up; `reason` is the sentence with which it did."""
    if reason.startswith(_AGREED):
        return End.DRAW
    return End.TIME_LIMIT if reason.split()[:3] == _TIME_UP else End.SOLO


class GameResult(StrEnum):
    """How a finished game ended for one player; `FINISHED` if the game has no winner."""

    WON = "won"
    SHARED = "shared"
    LOST = "lost"
    FINISHED = "finished"


def find_result(winners: Collection[str], power: str | None, setup: str) -> GameResult:
    """Return how the game ended for the player whose first power is `power`.

    `setup` is the name of the game's setup, blank for the map's own.
    """
    players = setups()[setup].players if setup else ()
    won = set(winners)
    if players:
        # A power that joined a player by a coin flip wins with that player.
        won.intersection_update(chain(*players))
    played = set(powers_played_by(power, players)) if players else {power}
    if not won & played:
        return GameResult.LOST if won else GameResult.FINISHED
    return GameResult.WON if won <= played else GameResult.SHARED
