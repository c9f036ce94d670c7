"""Bots that talk on the site: what they see, their messages, and their answers to proposals."""

import datetime as dt
import hashlib
import json
import random
import secrets
from collections.abc import Sequence
from typing import Final

import structlog
from django.db import InterfaceError, OperationalError
from django.db.models import F, Q

from diplomaccloud.bots import find_bot
from diplomaccloud.bots.kernel import SLOW_KERNEL
from diplomaccloud.bots.levels import find_level_bot, vary
from diplomaccloud.bots.negotiation import NEGOTIATORS, Breach, Offer
from diplomaccloud.bots.pacts import find_pact, keep_promises
from diplomaccloud.bots.seats import ADVISER
from diplomaccloud.bots.talks.diplomat import MOST_MESSAGES, Diplomat
from diplomaccloud.bots.talks.diplomat import Message as BotMessage
from diplomaccloud.bots.talks.diplomat import TalkAnswer as BotAnswer
from diplomaccloud.bots.talks.press_table import find_diplomat
from diplomaccloud.bots.talks.views import Entry, View
from diplomaccloud.deals import (
    DealVerdict,
    find_promises,
    findings_from_json,
    terms_from_json,
    terms_to_json,
)
from diplomaccloud.entry.votes import players_left
from diplomaccloud.games.bots.actions import bind_plan
from diplomaccloud.games.table.errors import Refused
from diplomaccloud.games.table.lock import Now, lock_game_by_id, time_of
from diplomaccloud.games.table.models import Game, Seat
from diplomaccloud.games.table.options import Press
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.games.table.promises import BoundPlan
from diplomaccloud.games.table.transactions import atomic_with_retries
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.phases import Stage
from diplomaccloud.press.proposals.actions import ProposalAttachment, expect_talk, record_answer
from diplomaccloud.press.proposals.models import (
    LedgerEntry,
    PendingReply,
    PendingTalk,
    Proposal,
    ProposalAnswer,
    find_state,
    is_open,
    list_deals,
    read_deal,
)
from diplomaccloud.press.proposals.wording import Answer, ProposalState
from diplomaccloud.press.table.actions import (
    Letter,
    deliver,
    open_mailboxes,
    require_attachable,
    require_open,
)
from diplomaccloud.press.table.addresses import AddressKind, AttachmentKind, seats_address
from diplomaccloud.press.table.models import Message as MessageRow
from diplomaccloud.press.table.models import Send
from diplomaccloud.press.table.rules import PressVerdict, decide
from diplomaccloud.press.table.state import PressTable, find_target, load_table


def find_seat_diplomat(phase: Phase, seat: Seat) -> Diplomat | None:
    """Return the diplomat of the bot in a seat; None for bots that only answer.

    Weighing deals requires compiled kernels. A bot with several powers does not talk.
    """
    if not seat.bot or SLOW_KERNEL or len(phase.powers_of(seat)) != 1:
        return None
    bot = find_bot(seat.bot)
    return find_diplomat(vary(bot) if phase.branch > 0 else bot)


def look(phase: Phase, seat: Seat, diplomat: Diplomat) -> View:
    """Return what the bot in a one-power seat may see in a phase."""
    (power,) = phase.powers_of(seat)
    return View(
        phase.board,
        phase.position,
        power,
        tuple(read_deal(row, phase) for row in list_own_deals(phase, seat)),
        _list_entries(phase, power),
        _find_audience(phase, seat),
        diplomat.temper,
    )


def list_own_deals(phase: Phase, seat: Seat) -> list[Proposal]:
    """Return the deals that bind a seat in the phase, oldest first."""
    powers = set(phase.powers_of(seat))
    return [row for row in list_deals(phase) if powers & set(row.terms["parties"])]


def _list_entries(phase: Phase, power: Power) -> tuple[Entry, ...]:
    """Return the ledger's entries on all deals of a power, oldest phase first."""
    deals = Proposal.objects.filter(game=phase.game_id, state=ProposalState.ACCEPTED)
    rows = LedgerEntry.objects.filter(
        proposal__in=deals.filter(phase__superseded_at=None), phase__superseded_at=None
    )
    entries = []
    for row in rows.select_related("phase", "proposal").order_by("phase__sequence", "pk"):
        parties = tuple(Power(party) for party in row.proposal.terms["parties"])
        if power in parties:
            broken = {
                finding.power
                for finding in findings_from_json(row.findings)
                if finding.verdict is DealVerdict.BROKEN
            }
            entries.append(Entry(row.phase.judge_phase, parties, tuple(sorted(broken))))
    return tuple(entries)


def _find_audience(phase: Phase, seat: Seat) -> frozenset[Power]:
    """Return the powers that the bot may write to and has not yet made an offer."""
    if phase.game.options.press not in {Press.FULL, Press.RULEBOOK}:
        return frozenset()
    offers = Proposal.objects.filter(phase=phase, seat=seat).values_list("terms", flat=True)
    asked = {party for terms in offers for party in terms["parties"]}
    held = Seat.objects.filter(Q(user__isnull=False) | ~Q(bot=""), game=phase.game_id)
    groups = [phase.powers_of(row) for row in held.exclude(pk=seat.pk)]
    alone = {powers[0] for powers in groups if len(powers) == 1}
    return frozenset(alone.intersection(players_left(phase.position)) - asked)


# Messages from bots: proposals and stock phrases, sent like those of people but limited.


_NOBODY = 0


def count_left(phase: Phase, seat: Seat) -> int:
    """Return how many more messages a seat's bot may send in a phase."""
    sent = MessageRow.objects.filter(phase=phase, seat=seat, author=None).count()
    return max(0, MOST_MESSAGES - sent)


def may_explain(row: Proposal, seat: Seat) -> bool:
    """Return whether a seat's bot explains why it refuses a proposal.

    It does so once per phase and conversation. While it still has messages of its own to send, it
    saves its last one for them, so that refusals do not silence it.
    """
    conversation = row.message.conversation_id
    said = MessageRow.objects.filter(phase=row.phase_id, seat=seat, author=None)
    if said.filter(conversation=conversation, attached="").exists():
        return False
    waits = PendingTalk.objects.filter(phase=row.phase_id, seat=seat).exists()
    return count_left(row.phase, seat) > int(waits)


def load_bot_table(game: Game, seat: Seat) -> PressTable:
    """Return the locked game as a seat's bot sees it."""
    table = load_table(game, _NOBODY)
    bot_seat = next((row for row in table.holders.seats if row.pk == seat.pk), None)
    return PressTable(game, _NOBODY, table.holders, table.newest, bot_seat)


def send_as_bot(table: PressTable, messages: Sequence[BotMessage], at: dt.datetime) -> int:
    """Send the bot's messages that the rules of press allow now; return how many were sent."""
    phase, seat = table.newest.phase, table.seat
    if phase is None or seat is None or not seat.bot or table.tenure is None:
        return 0
    sent = 0
    for message in messages[: count_left(phase, seat)]:
        try:
            _send(table, message, at)
        except Refused:
            continue
        sent += 1
    return sent


def _send(table: PressTable, message: BotMessage, at: dt.datetime) -> None:
    target = find_target(table, seats_address([message.to]))
    require_open(table, target, at)
    letter = Letter(None, "", message.phrase, at)
    offer = ProposalAttachment(terms_to_json(message.terms)) if message.terms is not None else None
    require_attachable(offer, table, [target], letter)
    send = Send.objects.create(
        author=None,
        key=secrets.token_hex(16),
        game=table.game,
        kind=target.kind,
        digest="",
        copies=1,
        at=at,
        unnoticed=True,
    )
    plans = open_mailboxes({target.key: target.kind}, table, at)
    kind = offer.kind if offer is not None else AttachmentKind.NONE
    delivered = deliver(plans.values(), send, letter, table=table, attached=kind)
    if offer is not None:
        offer.attach(send, delivered)


# Bots that talk on the site: they offer deals in the background and plan with existing ones.
#
# There is no polling: a bot gets a row of `PendingTalk` once it has planned a movement phase, and
# again when a proposal from it or to it is accepted.


TALKS_AT_ONCE: Final = 20
"""How many bots talk in one round, so that other bots get time to think."""
_log = structlog.get_logger(__name__)


def plan_orders(phase: Phase, seat: Seat) -> BoundPlan | None:
    """Return the orders that a seat's bot gives because of its deals; None if it has no deals.

    In a movement phase, this also schedules its talk. Called without the lock, while bots think.
    For a person's seat, return the orders of a hint.
    """
    if seat.user_id is not None:
        return _advise(phase, seat)
    diplomat = find_seat_diplomat(phase, seat)
    if phase.game.options.press is Press.NONE or diplomat is None:
        return None
    # A guest's game with press rows could never be deleted.
    if Seat.objects.filter(game=phase.game_id, user__guest__in=[True]).exists():
        return None
    if phase.judge_phase.stage is Stage.MOVEMENT:
        _expect(phase, seat)
    return _plan(phase, seat, diplomat)


def _advise(phase: Phase, seat: Seat) -> BoundPlan | None:
    """Return what the adviser would order for a person who keeps all deals; None without deals."""
    deals = [read_deal(row, phase) for row in list_own_deals(phase, seat)]
    if not deals:
        return None
    board, position, rules = phase.board, phase.position, phase.game.rules
    promises = find_promises(deals, phase.powers_of(seat), phase.judge_phase)
    orders: list[Order] = []
    for power in phase.powers_of(seat):
        pact = find_pact(board, position, power, deals)
        rng = random.Random(phase.bot_seed(power))
        advice = find_level_bot(ADVISER).orders(board, position, power, rules, rng, pact=pact)
        if power in promises:
            advice = keep_promises(board, position, advice, promises[power], rules=rules, rng=rng)
        orders += advice
    return BoundPlan(tuple(orders))


@atomic_with_retries
def _expect(phase: Phase, seat: Seat) -> None:
    lock_game_by_id(phase.game_id)
    expect_talk(phase, [seat], phase.opens_at)


def _plan(phase: Phase, seat: Seat, diplomat: Diplomat) -> BoundPlan | None:
    deals = list_own_deals(phase, seat)
    view = look(phase, seat, diplomat)
    if not deals and not view.foes:
        return None
    orders, victim = diplomat.choose_orders(view, phase.game.rules, phase.bot_seed(view.power))
    broken = [row.pk for row in deals if victim is not None and victim in row.terms["parties"]]
    return BoundPlan(tuple(orders), tuple(broken))


def talk_for_bots(*, now: Now, most: int = TALKS_AT_ONCE) -> int:
    """Let up to `most` bots think about their deals and send messages; return their number."""
    rows = PendingTalk.objects.filter(due_at__lte=time_of(now)).order_by("due_at", "pk")
    due = list(rows.select_related("seat", "phase")[:most])
    talked = 0
    for row in due:
        try:
            if not _claim(row):
                continue
            _talk(row, now)
        except Exception:
            _log.exception("bot did not talk", phase=row.phase_id, bot=row.seat.bot)
        talked += 1
    return talked


@atomic_with_retries
def _claim(row: PendingTalk) -> bool:
    """Delete a row unless another worker has. A bot that kills its process is not retried."""
    lock_game_by_id(row.phase.game_id)
    return bool(PendingTalk.objects.filter(pk=row.pk).delete()[0])


def _talk(row: PendingTalk, now: Now) -> None:
    phase = (
        Phase.objects.select_related("game__chart").defer("game__chart__text").get(pk=row.phase_id)
    )
    diplomat = find_seat_diplomat(phase, row.seat)
    if diplomat is None or not is_open(phase, time_of(now)):
        return
    if (bound := _plan(phase, row.seat, diplomat)) is not None:
        bind_plan(phase, row.seat, bound)
    view = look(phase, row.seat, diplomat)
    messages = diplomat.open_talk(
        view, f"{phase.bot_seed(view.power)}/talk", count_left(phase, row.seat)
    )
    if messages:
        _send_talk(phase, row.seat, messages, now)


@atomic_with_retries
def _send_talk(phase: Phase, seat: Seat, messages: list[BotMessage], now: Now) -> None:
    game = lock_game_by_id(phase.game_id)
    at = time_of(now)
    table = load_bot_table(game, seat)
    newest = table.newest.phase
    if newest is not None and newest.pk == phase.pk and is_open(newest, at):
        send_as_bot(table, messages, at)


# The built-in bots' answers to proposals, given by the worker on their behalf.


REPLIES_AT_ONCE: Final = 20
"""How many answers a worker gives in one round, so that other work is not held up."""
LEASE: Final = dt.timedelta(minutes=1)
"""How long a worker may weigh a proposal before another worker takes over."""
MAX_ATTEMPTS: Final = 2
"""How many processes may die while a bot weighs a proposal before its answer is dropped."""


def answer_for_bots(*, now: Now, most: int = REPLIES_AT_ONCE) -> int:
    """Give up to `most` bot answers that are due, and return their number. Called by the worker.

    Bots think without holding the lock. A bot that fails or has lost its seat gives no answer.
    """
    rows = PendingReply.objects.filter(due_at__lte=time_of(now))
    due = list(rows.select_related("proposal__phase", "seat").order_by("due_at")[:most])
    return sum(_reply_guarded(row, now) for row in due)


def _reply_guarded(row: PendingReply, now: Now) -> int:
    if not _claim_reply(row, time_of(now)):
        return 0
    answer = None
    try:
        if row.seat.bot and row.attempts < MAX_ATTEMPTS:
            answer = _find_reply(row.proposal, row.seat)
    except Exception:
        _log.exception("bot gave no answer", proposal=row.proposal_id, bot=row.seat.bot)
    try:
        return _give(row, answer, now)
    except (InterfaceError, OperationalError):
        raise
    except Exception:
        # If it were retried forever, it would block all answers due later.
        _log.exception("answer of a bot dropped", proposal=row.proposal_id, bot=row.seat.bot)
        PendingReply.objects.filter(pk=row.pk).delete()
        return 0


@atomic_with_retries
def _claim_reply(row: PendingReply, now: dt.datetime) -> bool:
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
    return BotAnswer(NEGOTIATORS[seat.bot.partition(":")[0]](offer, random.Random(seed)))


def _list_breaches(proposal: Proposal, seat: Seat) -> list[Breach]:
    """Return the others' breaches of deals that the seat was party to and that are not void."""
    deals = Proposal.objects.filter(game=proposal.game_id, state=ProposalState.ACCEPTED)
    deals = deals.filter(phase__superseded_at=None)
    entries = LedgerEntry.objects.filter(proposal__in=deals, phase__superseded_at=None, final=True)
    entries = entries.select_related("phase", "proposal")
    return [
        Breach(finding.power, entry.phase.judge_phase)
        for entry in entries
        if seat.power in entry.proposal.terms["parties"]
        for finding in findings_from_json(entry.findings)
        if finding.verdict is DealVerdict.BROKEN and finding.power != seat.power
    ]


@atomic_with_retries
def _give(due: PendingReply, chosen: BotAnswer | None, now: Now) -> int:
    """Give the answer if the proposal is open and the bot has the seat; return 1 if it did."""
    game = lock_game_by_id(due.proposal.game_id)
    at = time_of(now)
    row = PendingReply.objects.filter(pk=due.pk).select_related("proposal__phase", "seat").first()
    if row is None:
        return 0
    row.delete()
    proposal, seat = row.proposal, row.seat
    proposal.phase.game = proposal.game = game
    table = load_bot_table(game, seat)
    if chosen is None or not seat.bot or not _may_answer(table, proposal, seat, at):
        return 0
    tenure = table.holders.current(seat)
    if tenure is None:
        return 0
    answer = Answer.ACCEPT if chosen.reply.accepts else Answer.REFUSE
    given = ProposalAnswer(
        proposal=proposal,
        seat=seat,
        tenure=tenure,
        answer=answer,
        alternative=chosen.reply.alternative,
        at=at,
    )
    record_answer(table, given)
    author = Power(proposal.seat.power or "")
    is_private = proposal.message.conversation.kind == AddressKind.SEATS
    if chosen.phrase and is_private and may_explain(proposal, seat):
        send_as_bot(table, [BotMessage(author, phrase=chosen.phrase)], at)
    return 1


def _may_answer(table: PressTable, proposal: Proposal, seat: Seat, now: dt.datetime) -> bool:
    if find_state(proposal, now) is not ProposalState.OPEN:
        return False
    kind = AddressKind(proposal.message.conversation.kind)
    verdict, _ = decide(table.game.options.press, kind, table.newest.state_at(table.game, now))
    answered = ProposalAnswer.objects.filter(proposal=proposal, seat=seat).exists()
    return verdict is PressVerdict.ALLOWED and not answered
