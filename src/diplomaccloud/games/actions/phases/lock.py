"""Locking the orders of a phase: after that nothing can be changed, and digests prove it."""

import datetime as dt
from collections.abc import Mapping, Sequence

from django.db.models import Max, QuerySet

from diplomaccloud.games.actions import events, record_lines
from diplomaccloud.games.actions.deadlines.moves import grant_grace
from diplomaccloud.games.actions.locks import Now, lock_game_of_phase, lock_phase_row, time_of
from diplomaccloud.games.actions.orders.bot_orders import move_bots
from diplomaccloud.games.actions.orders.receipts import (
    make_salts,
    write_orders_texts,
    write_sealed_texts,
)
from diplomaccloud.games.actions.phases.attendance import Roll, call_roll
from diplomaccloud.games.actions.transactions import atomic_with_retries
from diplomaccloud.games.models import OrderRow, Phase, Receipt, SaveReceipt, Seat, Status
from diplomaccloud.judge.draw_votes import players_left
from diplomaccloud.judge.orders import Order
from diplomaccloud.record.digests import salted_digest


def lock_phase(*, phase_id: int, now: Now) -> bool:
    """Lock the orders of the phase; return whether they were locked now.

    For phases that are locked some time before they are adjudicated. Others are locked when they
    are processed.
    """
    if move_bots(phase_id=phase_id, now=now):
        return False
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
    """Lock `orders`, the ones that count, and return who had something to order and who was absent.

    Runs in the caller's transaction, which saves the time of the lock. If seats without orders get
    a grace period instead, locks nothing and returns None.
    """
    roll = call_roll(phase)
    if phase.locked_at:
        return roll
    if grant_grace(phase, roll.absent, now):
        return None
    _issue_receipts(phase, orders, now)
    return roll


def _issue_receipts(phase: Phase, orders: Sequence[OrderRow], now: dt.datetime) -> None:
    """Lock the orders, and publish salted digests of what each seat is now committed to.

    There is a digest of the orders for every seat that could order, and a sealed digest for every
    player whose country is still in the game, so the digests don't show who saved something. They
    appear in the public record and in the receipts.
    """
    phase.locked_at = now
    receipts = _make_receipts(phase, orders, now)
    Receipt.objects.bulk_create(receipts)
    record_lines.add_lock(phase, receipts, now)
    key = f"locked {phase.sequence}"
    data: dict[str, object] = {"phase": phase.name}
    events.record(game=phase.game, kind="locked", key=key, now=now, data=data)


def _make_receipts(phase: Phase, orders: Sequence[OrderRow], now: dt.datetime) -> list[Receipt]:
    """Return a receipt for each seat that can order or vote."""
    seats, played = phase.game.seat_list, phase.played_with
    to_order = phase.powers_to_order()
    standing = set(players_left(phase.position)) - set(phase.civil_disorder)
    ordering = [seat for seat in seats if to_order.intersection(played.get(seat.power, ()))]
    sealing = [
        seat
        for seat in seats
        if seat.user_id is not None and standing.intersection(played.get(seat.power, ()))
    ]
    orders_of: dict[int, list[Order]] = {}
    for row in orders:
        orders_of.setdefault(row.draft.seat_id, []).append(row.canonical)
    texts = write_orders_texts(phase, ordering, orders_of)
    salts = _choose_salts(phase, ordering, texts)
    conditional = {row.seat_id: row for row in phase.conditional_orders.all()}
    sealed_texts = write_sealed_texts(phase, sealing, conditional, phase.draw_votes)
    sealed_salts = dict(zip(sealed_texts, make_salts(len(sealed_texts)), strict=True))
    receipts = {}
    for seat in seats:
        if seat.pk in texts or seat.pk in sealed_texts:
            receipts[seat.pk] = Receipt(phase=phase, seat=seat, issued_at=now)
    for key, text in texts.items():
        receipts[key].text, receipts[key].salt = text, salts[key]
        receipts[key].digest = salted_digest(salts[key], text)
    for key, text in sealed_texts.items():
        receipts[key].sealed_text, receipts[key].sealed_salt = text, sealed_salts[key]
        receipts[key].sealed_digest = salted_digest(sealed_salts[key], text)
    return list(receipts.values())


def _choose_salts(phase: Phase, seats: Sequence[Seat], texts: Mapping[int, str]) -> dict[int, str]:
    """Return the salt of each seat: that of the last signed receipt if it was for the same orders.

    That way players find the digest of their receipt in the record. Other seats get a new salt,
    which looks the same.
    """
    saved = {(row.seat_id, row.user_id): (row.text, row.salt) for row in _newest_saves(phase)}
    salts = dict(zip(texts, make_salts(len(texts)), strict=True))
    for seat in seats:
        if seat.user_id is not None:
            text, salt = saved.get((seat.pk, seat.user_id), ("", ""))
            if text == texts[seat.pk]:
                salts[seat.pk] = salt
    return salts


def _newest_saves(phase: Phase) -> QuerySet[SaveReceipt]:
    """Return the newest save of each player in the phase; only its text and salt are loaded."""
    # A player may have saved hundreds of times, and the game is locked meanwhile.
    players = phase.save_receipts.order_by().values("seat", "user")
    newest = players.annotate(newest=Max("pk")).values("newest")
    return SaveReceipt.objects.filter(pk__in=newest).only("seat", "user", "text", "salt")
