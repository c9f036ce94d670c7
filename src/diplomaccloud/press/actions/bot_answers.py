"""The built-in bots' answers to proposals, given by the worker on their behalf."""

import datetime as dt
import hashlib
import json
import random
from typing import Final

import structlog
from django.db import InterfaceError, OperationalError
from django.db.models import F

from diplomaccloud.bots.negotiation import NEGOTIATORS, Breach, Offer
from diplomaccloud.bots.talks.diplomat import Answer as BotAnswer
from diplomaccloud.bots.talks.diplomat import Message
from diplomaccloud.deals import Verdict, findings_from_json, terms_from_json
from diplomaccloud.games.table.lock import Now, lock_game_by_id, time_of
from diplomaccloud.games.table.models import Seat
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.games.table.transactions import atomic_with_retries
from diplomaccloud.judge.board import Power
from diplomaccloud.press.actions.bot_messages import load_bot_table, may_explain, send_as_bot
from diplomaccloud.press.actions.bot_views import find_seat_diplomat, look
from diplomaccloud.press.actions.proposals import Given, record_answer
from diplomaccloud.press.addresses import Kind
from diplomaccloud.press.models import LedgerEntry, PendingReply, Proposal, ProposalAnswer
from diplomaccloud.press.models.proposals import is_open
from diplomaccloud.press.proposal_states import Answer, ProposalState
from diplomaccloud.press.rules import Verdict as PressVerdict
from diplomaccloud.press.rules import decide
from diplomaccloud.press.table import Table

REPLIES_AT_ONCE: Final = 20
"""How many answers a worker gives in one round, so that other work is not held up."""
LEASE: Final = dt.timedelta(minutes=1)
"""How long a worker may weigh a proposal before another worker takes over."""
MAX_ATTEMPTS: Final = 2
"""How many processes may die while a bot weighs a proposal before its answer is dropped."""
_log = structlog.get_logger(__name__)


def answer_for_bots(*, now: Now, most: int = REPLIES_AT_ONCE) -> int:
    """Give up to `most` bot answers that are due, and return their number. Called by the worker.

    Bots think without holding the lock. A bot that fails or has lost its seat gives no answer.
    """
    rows = PendingReply.objects.filter(due_at__lte=time_of(now))
    due = list(rows.select_related("proposal__phase", "seat").order_by("due_at")[:most])
    return sum(_reply_guarded(row, now) for row in due)


def _reply_guarded(row: PendingReply, now: Now) -> int:
    if not _claim(row, time_of(now)):
        return 0
    answer = None
    try:
        if row.seat.bot and row.attempts < MAX_ATTEMPTS:
            answer = _find_reply(row.proposal, row.seat)
    except Exception:
        _log.exception("bot gave no answer", proposal=row.proposal_id, bot=row.seat.bot)
    try:
        return _give(row_id=row.pk, game_id=row.proposal.game_id, found=answer, now=now)
    except (InterfaceError, OperationalError):
        raise
    except Exception:
        # If it were retried forever, it would block all answers due later.
        _log.exception("answer of a bot dropped", proposal=row.proposal_id, bot=row.seat.bot)
        PendingReply.objects.filter(pk=row.pk).delete()
        return 0


@atomic_with_retries
def _claim(row: PendingReply, now: dt.datetime) -> bool:
    """Claim the proposal for this worker; return whether no other worker has it."""
    lock_game_by_id(row.proposal.game_id)
    same = PendingReply.objects.filter(pk=row.pk, due_at=row.due_at, attempts=row.attempts)
    return bool(same.update(due_at=now + LEASE, attempts=F("attempts") + 1))


def _find_reply(proposal: Proposal, seat: Seat) -> BotAnswer:
    """Return the bot's answer, which depends only on its seed for the phase and the terms."""
    phase = Phase.objects.select_related("game__chart").get(pk=proposal.phase_id)
    powers = phase.powers_of(seat)
    terms = terms_from_json(proposal.terms, phase.board)
    offer = Offer(
        phase.board, phase.position, frozenset(powers), terms, tuple(_list_breaches(proposal, seat))
    )
    text = json.dumps(proposal.terms, sort_keys=True)
    seed = hashlib.sha256(f"{phase.bot_seed(powers[0])} {text}".encode()).hexdigest()
    diplomat = find_seat_diplomat(phase, seat)
    if diplomat is not None:
        return diplomat.reply(look(phase, seat, diplomat), terms, seed)
    return BotAnswer(NEGOTIATORS[seat.bot.partition(":")[0]].reply(offer, random.Random(seed)))


def _list_breaches(proposal: Proposal, seat: Seat) -> list[Breach]:
    """Return the others' breaches of deals that the seat was party to and that are not void."""
    own = Proposal.objects.filter(game=proposal.game_id, state=ProposalState.ACCEPTED)
    own = own.filter(phase__superseded_at=None)
    entries = LedgerEntry.objects.filter(proposal__in=own, phase__superseded_at=None, final=True)
    entries = entries.select_related("phase", "proposal")
    return [
        Breach(finding.power, entry.phase.judge_phase)
        for entry in entries
        if seat.power in entry.proposal.terms["parties"]
        for finding in findings_from_json(entry.findings)
        if finding.verdict is Verdict.BROKEN and finding.power != seat.power
    ]


@atomic_with_retries
def _give(*, row_id: int, game_id: int, found: BotAnswer | None, now: Now) -> int:
    """Give the answer if the proposal is open and the bot has the seat; return 1 if it did."""
    game = lock_game_by_id(game_id)
    at = time_of(now)
    row = PendingReply.objects.filter(pk=row_id).select_related("proposal__phase", "seat").first()
    if row is None:
        return 0
    row.delete()
    proposal, seat = row.proposal, row.seat
    proposal.phase.game = proposal.game = game
    table = load_bot_table(game, seat)
    if found is None or not seat.bot or not _may_answer(table, proposal, seat, at):
        return 0
    tenure = table.holders.current(seat)
    if tenure is None:
        return 0
    answer = Answer.ACCEPT if found.reply.accepts else Answer.REFUSE
    record_answer(table, proposal, Given(seat, tenure, answer, at, found.reply.alternative))
    author = Power(proposal.seat.power or "")
    is_private = proposal.message.conversation.kind == Kind.SEATS
    if found.phrase and is_private and may_explain(proposal, seat):
        send_as_bot(table, [Message(author, phrase=found.phrase)], at)
    return 1


def _may_answer(table: Table, proposal: Proposal, seat: Seat, now: dt.datetime) -> bool:
    if proposal.state != ProposalState.OPEN or not is_open(proposal.phase, now):
        return False
    kind = Kind(proposal.message.conversation.kind)
    verdict, _ = decide(table.game.options.press, kind, table.newest.state_at(table.game, now))
    answered = ProposalAnswer.objects.filter(proposal=proposal, seat=seat).exists()
    return verdict is PressVerdict.ALLOWED and not answered
