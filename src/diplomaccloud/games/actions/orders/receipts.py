"""What a seat has decided, as texts that can be hashed, and signed receipts for saving orders."""

import datetime as dt
import secrets
from collections.abc import Iterable

from diplomaccloud.games.actions.signing import ensure_key
from diplomaccloud.games.models import ConditionalOrders, Phase, SaveReceipt, Seat
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.orders import Order, power_of
from diplomaccloud.record import digests
from diplomaccloud.record.signed_lines import Receipt


def make_salt() -> str:
    """Return a new salt."""
    return secrets.token_hex(16)


def write_orders_text(phase: Phase, seat: Seat, orders: Iterable[Order]) -> str:
    """Return the text of the orders of a seat; `orders` are sorted as they were written."""
    texts: dict[Power, list[str]] = {}
    for order in orders:
        texts.setdefault(power_of(order), []).append(str(order))
    return digests.orders_text(
        game=phase.game.slug,
        sequence=phase.sequence,
        phase=phase.name,
        seat=seat.number or 0,
        powers=phase.played_with.get(seat.power, ()),
        orders=texts,
    )


def write_sealed_text(
    phase: Phase, seat: Seat, conditional: ConditionalOrders | None, draw_vote: str
) -> str:
    """Return the text of what stays private after processing: conditional orders, draw vote."""
    powers = phase.played_with.get(seat.power, ())
    return digests.sealed_text(
        game=phase.game.slug,
        sequence=phase.sequence,
        phase=phase.name,
        seat=seat.number or 0,
        conditional={power: conditional.text_for(power) for power in powers} if conditional else {},
        draw_vote=draw_vote,
    )


def issue_receipt(
    phase: Phase, seat: Seat, orders: Iterable[Order], *, user_id: int, now: dt.datetime
) -> SaveReceipt:
    """Return the site's signature that a player has saved these live orders at `now`.

    In the transaction that saves them. `orders` are in the sequence of their rows.
    """
    receipt = Receipt(
        game=phase.game.slug,
        phase=phase.name,
        sequence=phase.sequence,
        seat=seat.number or 0,
        at=now,
        salt=make_salt(),
        text=write_orders_text(phase, seat, orders),
    )
    key = ensure_key(now)
    return SaveReceipt.objects.create(
        phase=phase,
        seat=seat,
        user_id=user_id,
        at=now,
        text=receipt.text,
        salt=receipt.salt,
        digest=receipt.digest,
        key=key,
        signature=receipt.sign(key.key),
    )
