"""Closing the orders of a phase: from then on nothing is taken, and each seat has its receipt."""

import datetime as dt
from collections.abc import Sequence

from django.db import transaction
from django.utils.crypto import salted_hmac

from diplomaccloud.games import events
from diplomaccloud.games.actions.deadlines.moves import grant_grace
from diplomaccloud.games.actions.locks import Now, time_of
from diplomaccloud.games.actions.phases.attendance import call_roll
from diplomaccloud.games.models import (
    Game,
    OrderRow,
    Phase,
    Plan,
    Receipt,
    Seat,
    Status,
    receipt_digest,
)
from diplomaccloud.judge.orders import Order

__all__ = ["close_orders", "lock_phase", "receipt_digest"]


@transaction.atomic
def lock_phase(*, phase_id: int, now: Now) -> bool:
    """Return whether the orders of the phase were closed now: not before they are due.

    For phases that are adjudicated later than they close; the others close as they are
    processed.
    """
    game = Game.objects.select_for_update().get(phases=phase_id)
    now = time_of(now)
    phase = Phase.objects.select_for_update().get(pk=phase_id)
    phase.game = game
    if game.status != Status.RUNNING or game.alarm:
        return False
    if phase.locked_at or phase.superseded_at or phase.due_at > now:
        return False
    if grant_grace(phase, call_roll(phase).absent, now):
        return False
    close_orders(phase, now)
    return True


def close_orders(phase: Phase, now: dt.datetime) -> None:
    """Close the orders of a phase that are open, within the caller's transaction.

    Every person whose country is in the game gets a receipt: what binds the seat as it stands
    now, and a salted hash of it that is public at once. Who gave nothing gets one too: else it
    would show who had only voted, or written ahead.
    """
    if phase.locked_at:
        return
    phase.locked_at = now
    phase.save(update_fields=["locked_at"])
    by_seat: dict[int, list[OrderRow]] = {}
    for row in OrderRow.objects.live_in(phase).select_related("draft"):
        by_seat.setdefault(row.draft.seat_id, []).append(row)
    votes = dict(phase.submissions.exclude(vote="").values_list("seat_id", "vote"))
    plans = {plan.seat_id: plan for plan in phase.plans.all()}
    Receipt.objects.bulk_create(
        _receipt(
            phase,
            seat,
            receipt_text(
                phase,
                seat,
                tuple(row.canonical for row in by_seat.get(seat.pk, [])),
                plan=plans.get(seat.pk),
                vote=votes.get(seat.pk, ""),
            ),
            now,
        )
        for seat in phase.voters()
    )
    key = f"locked {phase.sequence}"
    data: dict[str, object] = {"phase": phase.name}
    events.record(game=phase.game, kind="locked", key=key, now=now, data=data)


def receipt_text(
    phase: Phase, seat: Seat, orders: Sequence[Order], *, plan: Plan | None, vote: str
) -> str:
    """Return all that binds a seat at the lock, in canonical text, set down in `docs/protocol.md`.

    Version 1 had the orders alone, without a heading; each version is hashed in the same way.
    """
    ahead = [(power, plan.text_for(power)) for power in phase.powers_of(seat)] if plan else []
    lines = [
        f"receipt v2 {phase.name} {seat.power}",
        *(sorted(map(str, orders)) or ["NO ORDERS"]),
        *(f"AHEAD {power} {text}" for power, text in ahead if text),
        *([f"VOTE {vote.upper()}"] if vote else []),
    ]
    return "\n".join(lines)


def _receipt(phase: Phase, seat: Seat, text: str, now: dt.datetime) -> Receipt:
    # From the site's key, not the game's seed: the seed of a game that was over and is rolled
    # back is known, and then later receipts could be guessed.
    source = f"{phase.game_id} {phase.sequence} {seat.pk}"
    salt = salted_hmac("games.receipt", source, algorithm="sha256").hexdigest()[:32]
    digest = receipt_digest(salt, text)
    return Receipt(phase=phase, seat=seat, text=text, salt=salt, digest=digest, issued_at=now)
