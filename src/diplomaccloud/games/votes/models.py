"""Votes separate from orders: on a draw, on more time, or on what a game master asks for.

A ballot belongs to a tenure and counts while that lasts: the yes of a player who has left must not
end the game for the successor. A vote stays open when the player who started it leaves, because
nobody should be able to cancel the others' answers by leaving. A closed vote stores its final
count, because ballots that counted then may not count now.
"""

import datetime as dt
from collections.abc import Sequence
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.db.models import Q

from diplomaccloud.games.table.models import Game, Seat, Tenure
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.games.votes.wording import MIN_REMOVERS, Question, RemovalCause, Terms

if TYPE_CHECKING:
    from diplomaccloud.accounts.models import User


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
        # Votes that are older than game masters' questions have only the first two.
        data = {"voters": (), **self.data}
        seconds, voters = data.pop("seconds"), tuple(data.pop("voters"))
        length = None if seconds is None else dt.timedelta(seconds=seconds)
        return Terms(**data, length=length, voters=voters)

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
            own_vote = int(self.terms.cause == RemovalCause.WISH)
            return max(MIN_REMOVERS, -(-2 * len(self.terms.voters) // 3)) + own_vote
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
