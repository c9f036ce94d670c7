"""Texts of a seat's orders and votes, for hashing, and signed receipts for saved orders."""

import datetime as dt
import secrets
from collections.abc import Iterable, Mapping, Sequence

from diplomaccloud.games.actions.signing import ensure_key
from diplomaccloud.games.models import ConditionalOrders, Phase, SaveReceipt, Seat
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.orders import Order, power_of
from diplomaccloud.record import digests
from diplomaccloud.record.signed_lines import Receipt

SALT_BYTES = 16


def make_salt() -> str:
    """Return a new salt."""
    return secrets.token_hex(SALT_BYTES)


def make_salts(count: int) -> list[str]:
    """Return new salts."""
    return [secrets.token_hex(SALT_BYTES) for _ in range(count)]


def write_orders_text(phase: Phase, seat: Seat, orders: Iterable[Order]) -> str:
    """Return the text of the orders of a seat; `orders` are in the sequence they were written."""
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


def write_orders_texts(
    phase: Phase, seats: Iterable[Seat], orders: Mapping[int, Sequence[Order]]
) -> dict[int, str]:
    """Return the texts of the orders of several seats, by seat key."""
    return {seat.pk: write_orders_text(phase, seat, orders.get(seat.pk, ())) for seat in seats}


def write_sealed_texts(
    phase: Phase,
    seats: Iterable[Seat],
    conditional: Mapping[int, ConditionalOrders],
    draw_votes: Mapping[int, str],
) -> dict[int, str]:
    """Return the texts of everything that stays private after processing, by seat key."""
    powers, game = phase.played_with, phase.game.slug
    return {
        seat.pk: digests.sealed_text(
            game=game,
            sequence=phase.sequence,
            phase=phase.name,
            seat=seat.number or 0,
            conditional={
                power: conditional[seat.pk].text_for(power)
                for power in powers.get(seat.power, ())
                if seat.pk in conditional
            },
            draw_vote=draw_votes.get(seat.pk, ""),
        )
        for seat in seats
    }


def issue_receipt(
    phase: Phase, seat: Seat, orders: Iterable[Order], *, user_id: int, now: dt.datetime
) -> SaveReceipt:
    """Sign and return a receipt that a player saved these live orders at `now`.

    Called in the transaction that saves the orders. `orders` are in the sequence of their rows.
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
