"""Retreats and adjustments written ahead during a movement phase, and followed when they fit.

Nobody else is told who wrote ahead: an order that a plan gave shows neither as saved nor as
ready before the phase is processed.
"""

import datetime as dt

from django.db import transaction

from diplomaccloud.games.actions.orders.papers import seat_and_phase
from diplomaccloud.games.actions.orders.submission import roll_over, write_orders
from diplomaccloud.games.errors import Refused, WrongMoment
from diplomaccloud.games.models import Game, Phase, Plan, Seat, Submission
from diplomaccloud.judge.adjudicate import powers_to_order
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.conditional_orders import (
    PlayerContext,
    choose_adjustments,
    choose_retreats,
    parse_conditional_orders,
    read_player_text,
    write_player_text,
)
from diplomaccloud.judge.legality.order_entry import Reading
from diplomaccloud.judge.notation import NotationError
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.judge.phases import Season, Stage
from diplomaccloud.judge.position import Position


@transaction.atomic
def save_plan(*, slug: str, user_id: int, sequence: int, text: str, now: dt.datetime) -> str:
    """Return the canonical text of what was saved; blank text takes the plan back.

    It replaces what was planned before, all or nothing. Raises `Refused` naming the clause
    that is not understood, or that can never come true. No event is left: nothing happened.
    """
    lost = "what you wrote ahead was not saved"
    phase, seat = seat_and_phase(slug, user_id, sequence, now, lost)
    if JudgePhase.parse(phase.name).stage is not Stage.MOVEMENT:
        raise WrongMoment("Write ahead while moves are ordered; now give the orders themselves.")
    board = phase.board
    try:
        plans = read_player_text(text, PlayerContext(board, phase.position, phase.powers_of(seat)))
    except NotationError as error:
        raise Refused(f"Not saved: {error}.") from error
    clauses = write_player_text(plans, board)
    if not clauses:
        phase.plans.filter(seat=seat).delete()
        return ""
    canonical = {"v": 2, "plans": {power: str(plan) for power, plan in plans.items()}}
    defaults = {"written": text, "canonical": canonical, "saved_at": now}
    Plan.objects.update_or_create(phase=phase, seat=seat, defaults=defaults)
    return "; ".join(clauses)


def follow_plans(phase: Phase, now: dt.datetime) -> None:
    """Give the orders of a new phase that were written ahead, within the transaction.

    A seat whose plan does not provide for what happened is asked like everybody else. If all
    who must order had written ahead, the phase is due at once.
    """
    moved = _movement_before(JudgePhase.parse(phase.name))
    if moved is None:
        return
    followed = [_follow(phase, plan, now) for plan in Plan.objects.written_in(phase.game, moved)]
    if any(followed):
        roll_over(phase, now)


def _movement_before(phase: JudgePhase) -> JudgePhase | None:
    """Return the movement phase of the turn, None for a movement phase itself."""
    match phase.stage:
        case Stage.MOVEMENT:
            return None
        case Stage.RETREATS:
            return JudgePhase(phase.season, phase.year, Stage.MOVEMENT)
        case Stage.ADJUSTMENTS:
            return JudgePhase(Season.FALL, phase.year, Stage.MOVEMENT)


def _follow(phase: Phase, plan: Plan, now: dt.datetime) -> bool:
    game, seat, position = phase.game, plan.seat, phase.position
    asked = powers_to_order(phase.board, position) - set(phase.disorder)
    orders: list[Order] = []
    for power in phase.powers_of(seat):
        if power not in asked:
            continue
        wanted = _planned(plan.text_for(power), game, position, power)
        if wanted is None:
            return False
        orders += wanted
    if not orders:
        return False
    _submit_ahead(phase, seat, orders, now)
    return True


def _planned(text: str, game: Game, position: Position, power: Power) -> tuple[Order, ...] | None:
    board = game.board_at(position.phase)
    plan = parse_conditional_orders(text, board, power)
    if position.phase.stage is Stage.RETREATS:
        return choose_retreats(plan, position, power)
    return choose_adjustments(plan, board, position, power)


def _submit_ahead(phase: Phase, seat: Seat, orders: list[Order], now: dt.datetime) -> None:
    reading = Reading(tuple((order, str(order)) for order in orders))
    write_orders(phase=phase, seat=seat, reading=reading, whole=True, now=now)
    Submission.objects.filter(phase=phase, seat=seat).update(ready_at=now, ahead=True)
