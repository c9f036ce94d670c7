"""Votes that players hold apart from their orders: a draw, a concession, more time, a pause."""

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.db.models import Q

from diplomaccloud.games.models.game import Game
from diplomaccloud.games.models.phase import Phase
from diplomaccloud.games.models.seats import Seat, Tenure
from diplomaccloud.schedule import format_duration

if TYPE_CHECKING:
    from diplomaccloud.accounts.models import User

CARRIED, FAILED, EXPIRED, WITHDRAWN = "carried", "failed", "expired", "withdrawn"
IMPOSSIBLE = "impossible"
OUTCOMES = {
    CARRIED: "was carried",
    FAILED: "failed",
    EXPIRED: "expired with too few votes",
    WITHDRAWN: "was withdrawn",
    IMPOSSIBLE: "was closed because it is no longer possible",
}


class Question(StrEnum):
    """What the players can vote on."""

    DRAW = "draw"
    CONCEDE = "concede"
    CANCEL = "cancel"
    EXTEND = "extend"
    PAUSE = "pause"
    RESUME = "resume"

    @property
    def ends_game(self) -> bool:
        """Whether it would end the game, which requires everybody to agree."""
        return self in (Question.DRAW, Question.CONCEDE, Question.CANCEL)


@dataclass(frozen=True, slots=True)
class Terms:
    """Details of a vote: who wins by a concession, or the length of an extension or a pause."""

    power: str = ""
    length: dt.timedelta | None = None


class Vote(models.Model):
    """A question put to the players of a game: who asked it, until when it is open, its outcome.

    `kind` is draw, concede, cancel, extend, pause or resume; `data` says to whom or how long.
    `open` is true or NULL, so that the unique constraint allows one open vote of a kind. `outcome`
    is carried, failed, expired, withdrawn or impossible once `closed_at` is set; `agreed` and
    `against` are the count at that time. Only `asked_by` may withdraw it.
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="votes")
    phase = models.ForeignKey(Phase, on_delete=models.PROTECT, related_name="votes")
    # NULL if a game master who has no seat asked.
    seat = models.ForeignKey(Seat, on_delete=models.PROTECT, null=True, related_name="votes")
    asked_by: "models.ForeignKey[User | None, User | None]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    kind = models.CharField(max_length=10)
    data = models.JSONField(default=dict)
    open = models.BooleanField(null=True)
    opened_at = models.DateTimeField()
    closes_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True)
    outcome = models.CharField(max_length=10, blank=True)
    agreed = models.PositiveSmallIntegerField(null=True)
    against = models.PositiveSmallIntegerField(null=True)

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(fields=("game", "kind", "open"), name="vote_open"),
            models.CheckConstraint(
                condition=Q(open=True, closed_at__isnull=True, outcome="")
                | Q(open__isnull=True, closed_at__isnull=False) & ~Q(outcome=""),
                name="vote_closed",
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} in {self.game_id}"

    @property
    def terms(self) -> Terms:
        """The terms that the vote was opened with."""
        seconds = self.data["seconds"]
        length = None if seconds is None else dt.timedelta(seconds=seconds)
        return Terms(self.data["power"], length)

    def close(self, outcome: str, now: dt.datetime) -> None:
        """Save the outcome with the count of the ballots that stand; the caller logs it."""
        answers = list(self.ballots.standing().values_list("yes", flat=True))
        self.agreed, self.against = sum(answers), len(answers) - sum(answers)
        self.open, self.closed_at, self.outcome = None, now, outcome
        self.save(update_fields=["open", "closed_at", "outcome", "agreed", "against"])


class BallotQuerySet(models.QuerySet["Ballot"]):
    """Filters of ballots."""

    def standing(self) -> "BallotQuerySet":
        """Return the ballots of people who still hold the seats for which they voted."""
        return self.filter(tenure__isnull=False, tenure__until_at=None)


class Ballot(models.Model):
    """The answer to a vote that the holder of a seat gave in one tenure.

    It counts while the tenure lasts. A successor has not voted, and casts a ballot of their own.
    """

    vote = models.ForeignKey(Vote, on_delete=models.PROTECT, related_name="ballots")
    seat = models.ForeignKey(Seat, on_delete=models.PROTECT, related_name="+")
    # NULL in rows that are older than the column and fit no tenure.
    tenure = models.ForeignKey(Tenure, on_delete=models.PROTECT, null=True, related_name="+")
    yes = models.BooleanField()
    cast_at = models.DateTimeField()
    objects = BallotQuerySet.as_manager()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("vote", "tenure"), name="ballot_tenure"),)

    def __str__(self) -> str:
        return f"seat {self.seat_id} on {self.vote_id}"


def votes_needed(question: Question, voters: int) -> int:
    """Return how many must agree: all to end the game, more than half for anything else."""
    return voters if question.ends_game else voters // 2 + 1


def terms_to_json(terms: Terms) -> dict[str, object]:
    """Return the terms as plain JSON values, as a vote's row stores them."""
    seconds = None if terms.length is None else int(terms.length.total_seconds())
    return {"power": terms.power, "seconds": seconds}


def describe_question(question: Question, terms: Terms, country: Callable[[str], str]) -> str:
    """Return the question in plain words; `country` returns the name of a power's seat."""
    length = format_duration(terms.length or dt.timedelta())
    match question:
        case Question.DRAW:
            return "Draw, shared by all who are still in the game and have units on the board"
        case Question.CONCEDE:
            return f"Concede the game to {country(terms.power)}"
        case Question.CANCEL:
            return "Cancel the game"
        case Question.EXTEND:
            return f"Extend this phase by {length}"
        case Question.PAUSE:
            return f"Pause the game for {length}" if terms.length else "Pause the game"
        case Question.RESUME:
            return "End the pause"
