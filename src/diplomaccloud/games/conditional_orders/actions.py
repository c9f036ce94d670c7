"""Retreats, builds and disbands written during a movement phase, and used if they apply.

Other players must not find out who wrote conditional orders: a seat for which they submitted is
shown neither as saved nor as ready before the phase is processed.
"""

import datetime as dt
from collections.abc import Mapping, Sequence

from diplomaccloud.entry.orders import Reading
from diplomaccloud.games.conditional_orders.plans import (
    ConditionError,
    PlayerContext,
    choose_adjustments,
    choose_retreats,
    parse_conditional_orders,
    read_player_text,
    write_player_text,
)
from diplomaccloud.games.table.errors import InputOutdated, Refused, WrongMoment
from diplomaccloud.games.table.lock import require_open_seat
from diplomaccloud.games.table.order_rows import write_orders
from diplomaccloud.games.table.phase_models import (
    ConditionalOrders,
    Phase,
    Submission,
    lines_of_conditions,
    version_of_lines,
)
from diplomaccloud.games.table.transactions import atomic_with_retries
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.phases import Stage


@atomic_with_retries
def save_conditional_orders(
    *,
    slug: str,
    user_id: int,
    sequence: int,
    text: str,
    now: dt.datetime,
    version: str = "",
) -> str:
    """Save conditional orders and return their canonical text; a blank text deletes them.

    The text replaces what the seat had, all or nothing. Raises `Refused` naming the clause that is
    invalid or can never apply. `version` identifies the saved text that the player saw, if that is
    known; raises `InputOutdated` if it has changed since. No event is recorded, because other
    players must not notice.
    """
    consequence = "Your conditional orders were not saved."
    open_seat = require_open_seat(slug, user_id, sequence, now, consequence)
    phase, seat, board = open_seat.phase, open_seat.seat, open_seat.board
    if open_seat.position.phase.stage is not Stage.MOVEMENT:
        raise WrongMoment(
            "Conditional orders are written in movement phases. Order your units now."
        )
    try:
        plans = read_player_text(text, PlayerContext(board, open_seat.position, open_seat.powers))
    except ConditionError as error:
        # What the judge says of a place or a unit is a whole sentence.
        mark = "" if str(error).endswith((".", "?")) else "."
        raise Refused(f"Not saved: {error}{mark}") from error
    clauses = write_player_text(plans, board)
    canonical = {"v": 2, "plans": {power: str(plan) for power, plan in plans.items()}}
    saved = phase.conditional_orders.filter(seat=seat).first()
    _require_version(version, saved, open_seat.powers, canonical)
    if not clauses:
        # The row stays as proof that the player was present.
        blank = {"written": "", "canonical": {"v": 2, "plans": {}}}
        phase.conditional_orders.filter(seat=seat).update(**blank, saved_at=now)
        return ""
    defaults = {"written": text, "canonical": canonical, "saved_at": now}
    ConditionalOrders.objects.update_or_create(phase=phase, seat=seat, defaults=defaults)
    return "; ".join(clauses)


def _require_version(
    version: str,
    saved: ConditionalOrders | None,
    powers: Sequence[Power],
    canonical: Mapping[str, object],
) -> None:
    """Raise `InputOutdated` if this would replace conditional orders that the player never saw."""
    same = saved is not None and saved.canonical == canonical
    if same or version in ("", version_of_lines(lines_of_conditions(saved, powers))):
        return
    raise InputOutdated(
        "Your conditional orders were changed on another page after you opened this one. Nothing "
        "was saved. Save again to replace them, or leave this page to keep them."
    )


def follow_conditional_orders(phase: Phase, now: dt.datetime) -> bool:
    """Use conditional orders that apply in a new phase; return whether any seat got its orders.

    Runs in the caller's transaction. A seat whose conditional orders do not cover the situation
    must order like everyone else.
    """
    when = phase.judge_phase
    if when.stage is Stage.MOVEMENT:
        return False
    rows = ConditionalOrders.objects.written_in(phase.game, when.movement)
    followed = [_follow(phase, row, now) for row in rows]
    return any(followed)


def _follow(phase: Phase, row: ConditionalOrders, now: dt.datetime) -> bool:
    """Submit the conditional orders if they cover everything to order; return whether they do."""
    to_order = phase.powers_to_order()
    orders: list[Order] = []
    for power in phase.powers_of(row.seat):
        if power not in to_order:
            continue
        plan = parse_conditional_orders(row.text_for(power), phase.board, power)
        chosen: Sequence[Order] | None
        if phase.judge_phase.stage is Stage.RETREATS:
            chosen = choose_retreats(plan, phase.position, power)
        else:
            chosen = choose_adjustments(plan, phase.board, phase.position, power)
        if chosen is None:
            return False
        orders += chosen
    if not orders:
        return False
    reading = Reading(tuple((order, str(order)) for order in orders))
    write_orders(phase=phase, seat=row.seat, reading=reading, now=now)
    submission = Submission.objects.filter(phase=phase, seat=row.seat)
    submission.update(ready_at=now, by_conditional_orders=True)
    return True
