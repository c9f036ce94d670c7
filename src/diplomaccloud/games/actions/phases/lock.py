"""Locking the orders of a phase: afterwards nothing can be changed, and digests prove it."""

import datetime as dt
from collections.abc import Sequence

from diplomaccloud.games.actions import events, record_lines
from diplomaccloud.games.actions.deadlines.moves import grant_grace
from diplomaccloud.games.actions.locks import Now, lock_game_of_phase, lock_phase_row, time_of
from diplomaccloud.games.actions.orders.bot_orders import move_bots
from diplomaccloud.games.actions.orders.receipts import (
    make_salt,
    write_orders_text,
    write_sealed_text,
)
from diplomaccloud.games.actions.phases.attendance import Roll, call_roll
from diplomaccloud.games.actions.transactions import atomic_with_retries
from diplomaccloud.games.models import OrderRow, Phase, Receipt, Seat, Status, receipt_digest
from diplomaccloud.judge.draw_votes import players_left
from diplomaccloud.judge.orders import Order


def lock_phase(*, phase_id: int, now: Now) -> bool:
    """Return whether the orders of the phase were locked now.

    For phases that are adjudicated later than they lock; the others lock as they are processed.
    """
    move_bots(phase_id=phase_id, now=now)
    return _lock_due_phase(phase_id, now)


@atomic_with_retries
def _lock_due_phase(phase_id: int, now: Now) -> bool:
    game = lock_game_of_phase(phase_id)
    now = time_of(now)
    phase = lock_phase_row(game, phase_id)
    if game.status != Status.RUNNING or game.suspended_reason:
        return False
    if phase.locked_at or phase.superseded_at or phase.due_at > now:
        return False
    if lock_orders(phase, list(OrderRow.objects.live_in(phase)), now) is None:
        return False
    phase.save(update_fields=["locked_at"])
    return True


def lock_orders(phase: Phase, orders: Sequence[OrderRow], now: dt.datetime) -> Roll | None:
    """Return who had something to order and who did not, after locking `orders`, which count.

    Within the caller's transaction, which saves the time of the lock. Returns None, and locks
    nothing, if seats without orders get a grace period instead.
    """
    roll = call_roll(phase)
    if phase.locked_at:
        return roll
    if grant_grace(phase, roll.absent, now):
        return None
    _issue_receipts(phase, orders, now)
    return roll


def _issue_receipts(phase: Phase, orders: Sequence[OrderRow], now: dt.datetime) -> None:
    """Lock the orders, and publish salted digests of what binds each seat from now on.

    There is a digest of orders for every seat that could order, and a sealed one for every player
    whose country is in the game, so that nobody learns who saved something. They are in the public
    record and in the receipts.
    """
    phase.locked_at = now
    lock = _Lock(phase, orders)
    receipts = [
        receipt
        for seat in phase.game.seat_list
        if (receipt := lock.make_receipt(seat, now)) is not None
    ]
    Receipt.objects.bulk_create(receipts)
    record_lines.add_lock(phase, receipts, now)
    key = f"locked {phase.sequence}"
    data: dict[str, object] = {"phase": phase.name}
    events.record(game=phase.game, kind="locked", key=key, now=now, data=data)


class _Lock:
    """What the players have written for a phase when it is locked."""

    def __init__(self, phase: Phase, orders: Sequence[OrderRow]) -> None:
        self._phase = phase
        self._to_order = phase.powers_to_order()
        self._standing = set(players_left(phase.position)) - set(phase.civil_disorder)
        self._orders: dict[int, list[Order]] = {}
        for row in orders:
            self._orders.setdefault(row.draft.seat_id, []).append(row.canonical)
        self._votes = phase.draw_votes
        self._conditional = {row.seat_id: row for row in phase.conditional_orders.all()}
        # The newest save of each player wins.
        saves = phase.save_receipts.order_by("pk").values_list("seat_id", "user_id", "text", "salt")
        self._saves = {(seat, user): (text, salt) for seat, user, text, salt in saves}

    def make_receipt(self, seat: Seat, now: dt.datetime) -> Receipt | None:
        """Return the receipt of a seat, None if it can neither order nor vote."""
        phase = self._phase
        powers = phase.played_with.get(seat.power, ())
        could_order = bool(self._to_order.intersection(powers))
        could_seal = seat.user_id is not None and bool(self._standing.intersection(powers))
        if not could_order and not could_seal:
            return None
        receipt = Receipt(phase=phase, seat=seat, issued_at=now)
        if could_order:
            receipt.text = write_orders_text(phase, seat, self._orders.get(seat.pk, []))
            receipt.salt = self._find_salt(seat, receipt.text)
            receipt.digest = receipt_digest(receipt.salt, receipt.text)
        if could_seal:
            receipt.sealed_text = write_sealed_text(
                phase, seat, self._conditional.get(seat.pk), self._votes.get(seat.pk, "")
            )
            receipt.sealed_salt = make_salt()
            receipt.sealed_digest = receipt_digest(receipt.sealed_salt, receipt.sealed_text)
        return receipt

    def _find_salt(self, seat: Seat, text: str) -> str:
        """Return the salt of the player's last signed receipt if it was for these orders.

        The player then sees the digest of that receipt in the record. Other seats get a new salt,
        which looks the same.
        """
        if seat.user_id is None:
            return make_salt()
        saved, salt = self._saves.get((seat.pk, seat.user_id), ("", ""))
        return salt if saved == text else make_salt()
