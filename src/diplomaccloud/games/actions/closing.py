"""Closing the orders of a phase: from then on nothing is taken, and each seat has its receipt."""

import datetime as dt
import hashlib
import hmac

from django.db import transaction

from diplomaccloud.games import events
from diplomaccloud.games.actions.attendance import absent_seats
from diplomaccloud.games.actions.timing import grant_grace
from diplomaccloud.games.models import Game, OrderRow, Phase, Receipt, Seat, Status
from diplomaccloud.games.records import live_orders, orders_of


@transaction.atomic
def lock_phase(*, phase_id: int, now: dt.datetime) -> bool:
    """Return whether the orders of the phase were closed now: not before they are due.

    For phases that are adjudicated later than they close; the others close as they are
    processed.
    """
    game = Game.objects.select_for_update().get(phases=phase_id)
    phase = Phase.objects.select_for_update().get(pk=phase_id)
    phase.game = game
    if phase.locked_at or phase.superseded_at or phase.due_at > now:
        return False
    if game.status != Status.RUNNING:
        return False
    if grant_grace(phase, absent_seats(phase)):
        return False
    close_orders(phase, now)
    return True


def close_orders(phase: Phase, now: dt.datetime) -> None:
    """Close the orders of a phase that are open, within the caller's transaction.

    Every seat that submitted gets a receipt: its orders as they stand now, and a salted hash
    of them that is public at once.
    """
    if phase.locked_at:
        return
    phase.locked_at = now
    phase.save(update_fields=["locked_at"])
    by_seat: dict[int, list[OrderRow]] = {}
    for row in live_orders(phase).select_related("draft"):
        by_seat.setdefault(row.draft.seat_id, []).append(row)
    seats = phase.game.seats.filter(submissions__phase=phase).exclude(user=None)
    Receipt.objects.bulk_create(
        _receipt(phase, seat, by_seat.get(seat.pk, []), now) for seat in seats
    )
    key = f"locked {phase.sequence}"
    data: dict[str, object] = {"phase": phase.name}
    events.record(game=phase.game, kind="locked", key=key, now=now, data=data)


def receipt_digest(salt: str, text: str) -> str:
    """Return the SHA-256, in hexadecimal, of the salt, a line feed and the text, as UTF-8."""
    return hashlib.sha256(f"{salt}\n{text}".encode()).hexdigest()


def _receipt(phase: Phase, seat: Seat, rows: list[OrderRow], now: dt.datetime) -> Receipt:
    text = "\n".join(sorted(str(order) for order in orders_of(rows)))
    # From the game's seed, which is secret until the game is over, so that a replay agrees.
    source = f"receipt {phase.sequence} {seat.power}".encode()
    salt = hmac.new(phase.game.seed.encode(), source, hashlib.sha256).hexdigest()[:32]
    digest = receipt_digest(salt, text)
    return Receipt(phase=phase, seat=seat, text=text, salt=salt, digest=digest, issued_at=now)
