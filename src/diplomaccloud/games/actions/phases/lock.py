"""Locking the orders of a phase: afterwards nothing can be changed, and each seat has a receipt."""

import datetime as dt
from collections.abc import Sequence

from django.utils.crypto import salted_hmac

from diplomaccloud.games.actions import events
from diplomaccloud.games.actions.deadlines.moves import grant_grace
from diplomaccloud.games.actions.locks import Now, lock_game_of_phase, lock_phase_row, time_of
from diplomaccloud.games.actions.phases.attendance import Roll, call_roll
from diplomaccloud.games.actions.transactions import atomic_with_retries
from diplomaccloud.games.models import (
    ConditionalOrders,
    OrderRow,
    Phase,
    Receipt,
    Seat,
    Status,
)
from diplomaccloud.judge.orders import Order


@atomic_with_retries
def lock_phase(*, phase_id: int, now: Now) -> bool:
    """Return whether the orders of the phase were locked now.

    For phases that are adjudicated later than they lock; the others lock as they are processed.
    """
    game = lock_game_of_phase(phase_id)
    now = time_of(now)
    phase = lock_phase_row(game, phase_id)
    if game.status != Status.RUNNING or game.suspended_reason:
        return False
    if phase.locked_at or phase.superseded_at or phase.due_at > now:
        return False
    return lock_orders(phase, list(OrderRow.objects.live_in(phase)), now) is not None


def lock_orders(phase: Phase, rows: Sequence[OrderRow], now: dt.datetime) -> Roll | None:
    """Return who had something to order and who did not, after locking the orders.

    Within the caller's transaction; `rows` are the orders that count. Returns None, and locks
    nothing, if seats without orders get a grace period instead.
    """
    roll = call_roll(phase)
    if phase.locked_at:
        return roll
    if grant_grace(phase, roll.absent, now):
        return None
    _issue_receipts(phase, rows, now)
    return roll


def _issue_receipts(phase: Phase, rows: Sequence[OrderRow], now: dt.datetime) -> None:
    """Lock the orders and issue a receipt to every person whose country is in the game.

    A receipt holds all that binds the seat at the lock, and a salted hash of it that is public at
    once. Seats without orders get one too; otherwise it would show which seats had only a draw
    vote or conditional orders.
    """
    phase.locked_at = now
    phase.save(update_fields=["locked_at"])
    by_seat: dict[int, list[Order]] = {}
    for row in rows:
        by_seat.setdefault(row.draft.seat_id, []).append(row.canonical)
    votes = dict(phase.submissions.exclude(draw_vote="").values_list("seat_id", "draw_vote"))
    conditional = {row.seat_id: row for row in phase.conditional_orders.all()}
    texts = {
        seat: receipt_text(
            phase,
            seat,
            by_seat.get(seat.pk, ()),
            conditional=conditional.get(seat.pk),
            draw_vote=votes.get(seat.pk, ""),
        )
        for seat in phase.voters()
    }
    salts = {seat: _make_salt(phase, seat) for seat in texts}
    Receipt.objects.bulk_create(
        Receipt.issue(phase, seat, text=text, salt=salts[seat], now=now)
        for seat, text in texts.items()
    )
    key = f"locked {phase.sequence}"
    data: dict[str, object] = {"phase": phase.name}
    events.record(game=phase.game, kind="locked", key=key, now=now, data=data)


def receipt_text(
    phase: Phase,
    seat: Seat,
    orders: Sequence[Order],
    *,
    conditional: ConditionalOrders | None,
    draw_vote: str,
) -> str:
    """Return all that binds a seat at the lock, as canonical text: see `docs/protocol.md`.

    Version 1 had the orders alone, without a heading; each version is hashed in the same way.
    """
    powers = phase.played_with[seat.power]
    texts = [(power, conditional.text_for(power)) for power in powers] if conditional else []
    lines = [
        f"receipt v2 {phase.name} {seat.power}",
        *(sorted(map(str, orders)) or ["NO ORDERS"]),
        *(f"AHEAD {power} {text}" for power, text in texts if text),
        *([f"VOTE {draw_vote.upper()}"] if draw_vote else []),
    ]
    return "\n".join(lines)


def _make_salt(phase: Phase, seat: Seat) -> str:
    # From the site's key, not the game's seed: the seed becomes public when a game ends, and if
    # the game is then rolled back, later receipts could be guessed.
    source = f"{phase.game_id} {phase.sequence} {seat.pk}"
    return salted_hmac("games.receipt", source, algorithm="sha256").hexdigest()[:32]
