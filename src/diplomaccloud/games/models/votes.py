"""Votes separate from orders: on a draw, on more time, or on what a game master asks for."""

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.db import models
from django.db.models import Q

from diplomaccloud.bots.seats import word_bot
from diplomaccloud.games.models.game import Game
from diplomaccloud.games.models.phase import Phase
from diplomaccloud.games.models.seats import Seat, Tenure
from diplomaccloud.judge.phases import Phase as JudgePhase
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
    """What the players can vote on; only the game master can ask the second half."""

    DRAW = "draw"
    CONCEDE = "concede"
    CANCEL = "cancel"
    EXTEND = "extend"
    PAUSE = "pause"
    RESUME = "resume"
    END_PHASE = "end phase"
    REMOVE = "remove"
    SEAT_BOT = "bot"
    ROLL_BACK = "roll back"
    ROLL_FORWARD = "forward"
    TRY_AGAIN = "try again"

    @property
    def ends_game(self) -> bool:
        """Whether carrying the vote ends the game."""
        return self in (Question.DRAW, Question.CONCEDE, Question.CANCEL)

    @property
    def changes_deadline(self) -> bool:
        """Whether carrying the vote moves the deadline, within the limits of the schedule."""
        return self in (Question.EXTEND, Question.PAUSE, Question.RESUME)

    @property
    def is_masters(self) -> bool:
        """Whether only the game master may ask it; players can also answer it after the lock."""
        return not self.ends_game and not self.changes_deadline

    @property
    def needs_everyone(self) -> bool:
        """Whether all voters must agree: to end the game, or to undo results."""
        return self.ends_game or self in (Question.ROLL_BACK, Question.ROLL_FORWARD)


class RemovalCause(StrEnum):
    """Why the other players may be asked to remove a player."""

    MISSED = "missed turns"
    ABUSE = "abuse"
    WISH = "own wish"


MIN_REMOVERS: Final = 2
"""How many players who are neither asker nor target must agree to a removal."""
_REMOVALS = {
    RemovalCause.MISSED: "Remove the player of {country}, who missed turns",
    RemovalCause.ABUSE: "Remove the player of {country}, whose abuse a moderator confirmed",
    RemovalCause.WISH: "Remove the player of {country}, who is said to want this",
}
_QUESTIONS = {
    Question.DRAW: "Draw, shared by all who are still in the game and have units on the board",
    Question.CONCEDE: "Concede the game to {country}",
    Question.CANCEL: "Cancel the game",
    Question.EXTEND: "Extend this phase by {length}",
    Question.PAUSE: "Pause the game for {length}",
    Question.RESUME: "End the pause",
    Question.END_PHASE: "End this phase now",
    Question.REMOVE: "Remove the player of {country}",
    Question.SEAT_BOT: "Let the {bot} play {country}",
    Question.ROLL_BACK: "Go back to the start of {phase}",
    Question.ROLL_FORWARD: "Undo the rollback",
    Question.TRY_AGAIN: "Resume the suspended game",
}


@dataclass(frozen=True, slots=True)
class Terms:
    """Details of a vote.

    `power` is the country it is about, `length` the length of an extension or a pause, `bot` the
    bot that takes a seat, and `to` and `phase` the number and name of the phase to go back to.
    `tenure` is that of the player to be removed, so that a successor is not removed instead, and
    `cause` a `RemovalCause`. `voters` are the people who decide on a removal: nobody who joins
    later can tip the vote. `reason` is what a game master wrote.
    """

    power: str = ""
    length: dt.timedelta | None = None
    bot: str = ""
    to: int | None = None
    phase: str = ""
    tenure: int | None = None
    cause: str = ""
    voters: tuple[int, ...] = ()
    reason: str = ""


class Vote(models.Model):
    """A question put to the players of a game: who asked it, when it closes, and its outcome.

    `kind` is a `Question`, and `data` holds its `Terms`. With `by_master`, a game master who plays
    or has played asks the other players, and cannot vote. `open` is true or NULL, so the unique
    constraint allows only one open vote of a kind. Once `closed_at` is set, `outcome` is carried,
    failed, expired, withdrawn or impossible, and `agreed` and `against` are the counts at that
    time. Only `asked_by` may withdraw the vote.
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="votes")
    phase = models.ForeignKey(Phase, on_delete=models.PROTECT, related_name="votes")
    # NULL if a game master without a seat asked.
    seat = models.ForeignKey(Seat, on_delete=models.PROTECT, null=True, related_name="votes")
    asked_by: "models.ForeignKey[User | None, User | None]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    by_master = models.BooleanField(default=False, db_default=False)
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
        indexes = (models.Index(fields=("open", "closes_at"), name="vote_late"),)
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
        """The terms of the vote."""
        seconds = self.data["seconds"]
        return Terms(
            power=self.data["power"],
            length=None if seconds is None else dt.timedelta(seconds=seconds),
            # Votes that are older than game masters' questions have only the first two.
            bot=self.data.get("bot", ""),
            to=self.data.get("to"),
            phase=self.data.get("phase", ""),
            tenure=self.data.get("tenure"),
            cause=self.data.get("cause", ""),
            voters=tuple(self.data.get("voters", ())),
            reason=self.data.get("reason", ""),
        )

    def voters(self, standing: Sequence[Seat], holders: Sequence[Seat]) -> list[Seat]:
        """Return the seats whose holders may vote.

        `standing` are the seats of people who are still in the game, and `holders` the seats of all
        people. A country cannot vote on a concession to it. On a game master's question, the other
        players vote; if none of them is still in the game, the eliminated players vote. On a
        removal, all other people vote who had a seat when the vote opened, and the player
        concerned only if it is said to be that player's own wish.
        """
        if self.kind == Question.CONCEDE:
            return [seat for seat in standing if seat.power != self.terms.power]
        if not self.by_master:
            return list(standing)
        if self.kind == Question.REMOVE:
            terms = self.terms
            wishes = terms.power if terms.cause == RemovalCause.WISH else None
            return [
                seat for seat in holders if seat.user_id in terms.voters or seat.power == wishes
            ]
        asked = [seat for seat in holders if seat.user_id != self.asked_by_id]
        return [seat for seat in asked if seat in standing] or asked

    def votes_needed(self, voters: int) -> int:
        """Return how many of the voters must agree: all, more than half, or two thirds.

        Two thirds of those who were asked, also if some have left, and at least `MIN_REMOVERS`
        remove a player, whose own wish needs the player's vote as well.
        """
        if self.kind == Question.REMOVE:
            own = int(self.terms.cause == RemovalCause.WISH)
            return max(MIN_REMOVERS, -(-2 * len(self.terms.voters) // 3)) + own
        return voters if Question(self.kind).needs_everyone else voters // 2 + 1

    @property
    def is_outdated(self) -> bool:
        """Whether the vote is on a removal without a cause, as an earlier release allowed."""
        return self.kind == Question.REMOVE and not self.terms.cause

    def close(self, outcome: str, now: dt.datetime) -> None:
        """Save the outcome and count the ballots that are still valid; the caller logs it."""
        answers = list(self.ballots.standing().values_list("yes", flat=True))
        self.agreed, self.against = sum(answers), len(answers) - sum(answers)
        self.open, self.closed_at, self.outcome = None, now, outcome
        self.save(update_fields=["open", "closed_at", "outcome", "agreed", "against"])


class BallotQuerySet(models.QuerySet["Ballot"]):
    """Filters of ballots."""

    def standing(self) -> "BallotQuerySet":
        """Return the ballots of people who still hold the seats that they voted for."""
        return self.filter(tenure__isnull=False, tenure__until_at=None)


class Ballot(models.Model):
    """A seat holder's answer to a vote, given in one tenure.

    It counts only as long as the tenure lasts. A successor casts a new ballot.
    """

    vote = models.ForeignKey(Vote, on_delete=models.PROTECT, related_name="ballots")
    seat = models.ForeignKey(Seat, on_delete=models.PROTECT, related_name="+")
    # NULL in rows that are older than the column and don't match any tenure.
    tenure = models.ForeignKey(Tenure, on_delete=models.PROTECT, null=True, related_name="+")
    yes = models.BooleanField()
    cast_at = models.DateTimeField()
    objects = BallotQuerySet.as_manager()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("vote", "tenure"), name="ballot_tenure"),)

    def __str__(self) -> str:
        return f"seat {self.seat_id} on {self.vote_id}"


def terms_to_json(terms: Terms) -> dict[str, object]:
    """Return the terms as plain JSON values, as a vote's row stores them."""
    data = asdict(terms)
    length = data.pop("length")
    data["voters"] = list(terms.voters)
    return {**data, "seconds": None if length is None else int(length.total_seconds())}


def describe_question(question: Question, terms: Terms, country: Callable[[str], str]) -> str:
    """Return the question in plain words; `country` returns the name of a power's seat."""
    text = _QUESTIONS[question]
    if terms.cause:
        text = _REMOVALS[RemovalCause(terms.cause)]
    if question is Question.PAUSE and terms.length is None:
        text = "Pause the game"
    return text.format(
        country=country(terms.power) if terms.power else "",
        length=format_duration(terms.length or dt.timedelta()),
        bot=word_bot(terms.bot) if terms.bot else "",
        phase=JudgePhase.parse(terms.phase).title if terms.phase else "",
    )
