"""Closing the orders of a phase: from then on nothing is taken, and each seat has its receipt."""

import datetime as dt

from django.db import transaction
from django.utils.crypto import salted_hmac

from diplomaccloud.games import events
from diplomaccloud.games.actions.attendance import absent_seats
from diplomaccloud.games.actions.timing import grant_grace
from diplomaccloud.games.models import Game, OrderRow, Phase, Receipt, Seat, Status
from diplomaccloud.games.records import live_orders, orders_of, receipt_digest

__all__ = ["close_orders", "lock_phase", "receipt_digest"]


@transaction.atomic
def lock_phase(*, phase_id: int, now: dt.datetime) -> bool:
    """Return whether the orders of the phase were closed now: not before they are due.

    For phases that are adjudicated later than they close; the others close as they are
    processed.
    """
    game = Game.objects.select_for_update().get(phases=phase_id)
    phase = Phase.objects.select_for_update().get(pk=phase_id)
    phase.game = game
    if game.status != Status.RUNNING or game.alarm:
        return False
    if phase.locked_at or phase.superseded_at or phase.due_at > now:
        return False
    if grant_grace(phase, absent_seats(phase), now):
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


def _receipt(phase: Phase, seat: Seat, rows: list[OrderRow], now: dt.datetime) -> Receipt:
    text = "\n".join(sorted(str(order) for order in orders_of(rows)))
    # From the site's key, not the game's seed: the seed of a game that was over and is rolled
    # back is known, and then later receipts could be guessed.
    source = f"{phase.game_id} {phase.sequence} {seat.pk}"
    salt = salted_hmac("games.receipt", source, algorithm="sha256").hexdigest()[:32]
    digest = receipt_digest(salt, text)
    return Receipt(phase=phase, seat=seat, text=text, salt=salt, digest=digest, issued_at=now)
