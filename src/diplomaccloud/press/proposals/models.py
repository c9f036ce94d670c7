"""Proposals, the answers to them, the deals made, and the ledger's findings."""

import datetime as dt

from django.db import models
from django.db.models import Exists, OuterRef, Q

from diplomaccloud.deals import Terms, terms_from_json
from diplomaccloud.games.table.models import Game, Seat, Tenure
from diplomaccloud.games.table.options import Successor
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.press.proposals.wording import ProposalState
from diplomaccloud.press.table.models import Message

MAX_WORD = 10
"""The maximum length of a state or an answer."""


class Proposal(models.Model):
    """The deal that a message offers, in the phase in which it was sent.

    `terms` is JSON of `deals`; `seat` and `tenure` are the author's. `state` is stored only if an
    answer decided it; whether a proposal has lapsed or its bot has given way, or a deal is void
    after a rollback, depends on the phase and the tenure. `alternative` is the accepted one.
    """

    message = models.OneToOneField(Message, on_delete=models.PROTECT, related_name="proposal")
    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="+", db_index=False)
    phase = models.ForeignKey(Phase, on_delete=models.PROTECT, related_name="+", db_index=False)
    seat = models.ForeignKey(Seat, on_delete=models.PROTECT, related_name="+", db_index=False)
    tenure = models.ForeignKey(Tenure, on_delete=models.PROTECT, related_name="+", db_index=False)
    terms = models.JSONField()
    counters = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, related_name="+", db_index=False
    )
    state = models.CharField(max_length=MAX_WORD, default=ProposalState.OPEN)
    alternative = models.PositiveSmallIntegerField(null=True)
    closed_at = models.DateTimeField(null=True)

    class Meta:
        indexes = (
            models.Index(fields=("game", "state", "id"), name="proposal_game"),
            models.Index(fields=("phase", "seat"), name="proposal_limit"),
        )
        constraints = (
            models.CheckConstraint(
                condition=Q(state="open", closed_at__isnull=True)
                | ~Q(state="open") & Q(closed_at__isnull=False),
                name="proposal_closed",
            ),
        )

    def __str__(self) -> str:
        return f"proposal of {self.message_id}"


class ProposalAnswer(models.Model):
    """A seat's only answer, or the author's withdrawal; never changed."""

    proposal = models.ForeignKey(Proposal, on_delete=models.PROTECT, related_name="answers")
    seat = models.ForeignKey(Seat, on_delete=models.PROTECT, related_name="+", db_index=False)
    tenure = models.ForeignKey(Tenure, on_delete=models.PROTECT, related_name="+", db_index=False)
    answer = models.CharField(max_length=MAX_WORD)
    alternative = models.PositiveSmallIntegerField(default=0)
    at = models.DateTimeField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("proposal", "seat"), name="proposal_answer_seat"),
        )

    def __str__(self) -> str:
        return f"{self.answer} to {self.proposal_id}"


class PendingReply(models.Model):
    """An answer that a bot owes; deleted once the bot has answered or cannot answer.

    `attempts` counts how often a worker started to weigh the terms, which postpones `due_at`.
    """

    proposal = models.ForeignKey(Proposal, on_delete=models.PROTECT, related_name="+")
    seat = models.ForeignKey(Seat, on_delete=models.PROTECT, related_name="+", db_index=False)
    due_at = models.DateTimeField(db_index=True)
    attempts = models.PositiveSmallIntegerField(default=0, db_default=0)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("proposal", "seat"), name="pending_reply_seat"),
        )

    def __str__(self) -> str:
        return f"seat {self.seat_id} on {self.proposal_id}"


class PendingTalk(models.Model):
    """A bot that will think about its deals in a phase and may then send messages."""

    phase = models.ForeignKey(Phase, on_delete=models.PROTECT, related_name="+", db_index=False)
    seat = models.ForeignKey(Seat, on_delete=models.PROTECT, related_name="+", db_index=False)
    due_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("phase", "seat"), name="pending_talk_seat"),)

    def __str__(self) -> str:
        return f"seat {self.seat_id} in {self.phase_id}"


class LedgerEntry(models.Model):
    """The ledger's findings about a deal in one processed phase; never changed.

    `findings` is JSON of `deals`. With `final`, no later phase is judged. An entry of a phase that
    was rolled back is void, and counts again when the game is rolled forward.
    """

    proposal = models.ForeignKey(Proposal, on_delete=models.PROTECT, related_name="ledger")
    phase = models.ForeignKey(Phase, on_delete=models.PROTECT, related_name="+", db_index=False)
    findings = models.JSONField()
    final = models.BooleanField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("proposal", "phase"), name="ledger_phase"),)

    def __str__(self) -> str:
        return f"{self.proposal_id} in {self.phase_id}"


class LedgerMark(models.Model):
    """How far the deals of a game have been judged: up to the phase with this sequence number.

    `open` is true, or NULL once the game has been over for a while. Workers process only open ones.
    """

    game = models.OneToOneField(Game, on_delete=models.PROTECT, primary_key=True, related_name="+")
    judged = models.PositiveIntegerField(default=0)
    open = models.BooleanField(null=True, default=True, db_index=True)

    def __str__(self) -> str:
        return f"{self.game_id} up to {self.judged}"


def find_state(proposal: Proposal, now: dt.datetime) -> ProposalState:
    """Return the state of a proposal. An open one lapses when the orders of its phase close.

    An open one of a bot that has given way to a person before is withdrawn.
    """
    state, phase = ProposalState(proposal.state), proposal.phase
    gone_at = proposal.tenure.until_at if proposal.tenure.bot else None
    gave_way = gone_at is not None and (phase.locked_at is None or gone_at < phase.locked_at)
    if state is ProposalState.OPEN and gave_way:
        return ProposalState.WITHDRAWN
    if state is ProposalState.OPEN and not is_open(phase, now):
        return ProposalState.LAPSED
    if state is ProposalState.ACCEPTED and phase.superseded_at is not None:
        return ProposalState.VOID
    return state


def is_open(phase: Phase, now: dt.datetime) -> bool:
    """Return whether the orders of a phase can still be changed."""
    closed = phase.locked_at or phase.processed_at or phase.superseded_at
    return not closed and now < phase.deadline.orders_at


# Deals: accepted proposals, and which of them are binding in a phase.


def list_deals(phase: Phase) -> list[Proposal]:
    """Return the deals of the game that are binding in a phase, oldest first."""
    ended = LedgerEntry.objects.filter(
        proposal=OuterRef("pk"), phase__superseded_at=None, final=True
    )
    deals = Proposal.objects.filter(
        ~Exists(ended), game=phase.game_id, state=ProposalState.ACCEPTED, phase__superseded_at=None
    )
    rows = list(deals.order_by("pk"))
    options = phase.game.options
    is_blank = options.talk.successor is Successor.BLANK
    if not is_blank and not options.bots_give_way:
        return rows
    # Deals bind only as long as all parties still have the players who agreed; if successors
    # inherit deals, only those of bots that gave way end.
    left = Q(tenure__until_at__isnull=False)
    left &= Q() if is_blank else ~Q(tenure__bot="")
    answers = ProposalAnswer.objects.filter(left, proposal__in=rows)
    offers = Proposal.objects.filter(left, pk__in=[row.pk for row in rows])
    void = {*answers.values_list("proposal", flat=True), *offers.values_list("pk", flat=True)}
    return [row for row in rows if row.pk not in void]


def read_deal(row: Proposal, phase: Phase) -> tuple[Terms, int]:
    """Return the terms of a deal and the accepted alternative."""
    return terms_from_json(row.terms, phase.board), row.alternative or 0
