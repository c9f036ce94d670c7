"""Bots that talk on the site: they offer deals in the background and plan with existing ones.

There is no polling: a bot gets a row of `PendingTalk` once it has planned a movement phase, and
again when a proposal from it or to it is accepted.
"""

import random
from typing import Final

import structlog

from diplomaccloud.bots.levels import find_level_bot
from diplomaccloud.bots.pacts import find_pact
from diplomaccloud.bots.promises import keep_promises
from diplomaccloud.bots.seats import ADVISER
from diplomaccloud.bots.talks.diplomat import Message
from diplomaccloud.deals import find_promises
from diplomaccloud.games.bots.actions import bind_plan
from diplomaccloud.games.table.lock import Now, lock_game_by_id, time_of
from diplomaccloud.games.table.models import Seat
from diplomaccloud.games.table.options import Press
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.games.table.promises import BoundPlan
from diplomaccloud.games.table.transactions import atomic_with_retries
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.phases import Stage
from diplomaccloud.press.actions.bot_messages import count_left, load_bot_table, send_as_bot
from diplomaccloud.press.actions.bot_replies import expect_talk
from diplomaccloud.press.actions.bot_views import find_seat_diplomat, list_own_deals, look
from diplomaccloud.press.models import PendingTalk
from diplomaccloud.press.models.deals import read_deal
from diplomaccloud.press.models.proposals import is_open

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
    if phase.game.options.press is Press.NONE or find_seat_diplomat(phase, seat) is None:
        return None
    # A guest's game with press rows could never be deleted.
    if Seat.objects.filter(game=phase.game_id, user__guest__in=[True]).exists():
        return None
    if phase.judge_phase.stage is Stage.MOVEMENT:
        _expect(phase, seat)
    return _plan(phase, seat)


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
        own = find_level_bot(ADVISER).orders(board, position, power, rules, rng, pact=pact)
        if power in promises:
            own = keep_promises(board, position, own, promises[power], rules=rules, rng=rng)
        orders += own
    return BoundPlan(tuple(orders))


@atomic_with_retries
def _expect(phase: Phase, seat: Seat) -> None:
    lock_game_by_id(phase.game_id)
    expect_talk(phase, [seat], phase.opens_at)


def _plan(phase: Phase, seat: Seat) -> BoundPlan | None:
    diplomat, deals = find_seat_diplomat(phase, seat), list_own_deals(phase, seat)
    if diplomat is None:
        return None
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
    return sum(_talk_guarded(row, now) for row in due)


def _talk_guarded(row: PendingTalk, now: Now) -> int:
    try:
        if not _claim(row_id=row.pk, game_id=row.phase.game_id):
            return 0
        _talk(row, now)
    except Exception:
        _log.exception("bot did not talk", phase=row.phase_id, bot=row.seat.bot)
    return 1


@atomic_with_retries
def _claim(*, row_id: int, game_id: int) -> bool:
    """Delete a row unless another worker has. A bot that kills its process is not retried."""
    lock_game_by_id(game_id)
    return bool(PendingTalk.objects.filter(pk=row_id).delete()[0])


def _talk(row: PendingTalk, now: Now) -> None:
    phase = (
        Phase.objects.select_related("game__chart").defer("game__chart__text").get(pk=row.phase_id)
    )
    diplomat = find_seat_diplomat(phase, row.seat)
    if diplomat is None or not is_open(phase, time_of(now)):
        return
    bound = _plan(phase, row.seat)
    if bound is not None:
        bind_plan(phase, row.seat, bound)
    view = look(phase, row.seat, diplomat)
    messages = diplomat.open_talk(
        view, f"{phase.bot_seed(view.power)}/talk", count_left(phase, row.seat)
    )
    if messages:
        _send(game_id=phase.game_id, phase_id=phase.pk, seat=row.seat, messages=messages, now=now)


@atomic_with_retries
def _send(*, game_id: int, phase_id: int, seat: Seat, messages: list[Message], now: Now) -> None:
    game = lock_game_by_id(game_id)
    at = time_of(now)
    table = load_bot_table(game, seat)
    newest = table.newest.phase
    if newest is not None and newest.pk == phase_id and is_open(newest, at):
        send_as_bot(table, messages, at)
