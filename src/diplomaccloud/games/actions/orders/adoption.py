"""Copying orders from elsewhere, such as a map in a message, to a draft that is not live."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from diplomaccloud.games.actions import events
from diplomaccloud.games.actions.locks import require_open_seat
from diplomaccloud.games.actions.orders.draft_rows import (
    find_free_name,
    find_or_create_draft,
    list_lines,
    write_lines,
)
from diplomaccloud.games.actions.orders.drafts import (
    MAX_DRAFT_NAME,
    MAX_DRAFTS,
    UNCHANGED,
    save_draft,
)
from diplomaccloud.games.actions.transactions import atomic_with_retries
from diplomaccloud.games.errors import WrongMoment
from diplomaccloud.games.models import Draft
from diplomaccloud.judge.legality.order_entry import Problem, read_orders
from diplomaccloud.judge.orders import Order, power_of


@dataclass(frozen=True, slots=True)
class AdoptedOrders:
    """The draft that orders were copied to, the copied orders, and the orders that were left out.

    `refused` holds the seat's own illegal orders with the reasons; `others` counts orders of other
    powers. `sequence` is the number of the phase.
    """

    draft: str
    sequence: int
    orders: tuple[Order, ...]
    refused: tuple[Problem, ...] = ()
    others: int = 0


@atomic_with_retries
def adopt_orders(
    *,
    slug: str,
    user_id: int,
    sequence: int,
    name: str,
    orders: Sequence[Order],
    now: dt.datetime,
) -> AdoptedOrders:
    """Copy the seat's own legal orders from `orders` to a new draft, which is not live.

    If a draft other than the live one already has exactly these orders, no new draft is created.
    `name` gets a number if it is taken. Raises `WrongMoment` if none of the orders can be copied or
    the seat already has `MAX_DRAFTS` drafts, and `DeadlinePassed` if the phase is closed.
    """
    open_seat = require_open_seat(slug, user_id, sequence, now, UNCHANGED)
    phase, seat = open_seat.phase, open_seat.seat
    own = [order for order in orders if power_of(order) in open_seat.powers]
    reading = read_orders(
        open_seat.board,
        open_seat.position,
        open_seat.powers,
        choices=[str(order) for order in own],
        text="",
        rules=open_seat.rules,
    )
    others = len(orders) - len(own)
    if not own:
        raise WrongMoment("None of these orders are for your country. No draft was created.")
    if not reading.orders:
        why = reading.problems[0].message
        raise WrongMoment(f"None of your orders can be given now. {why} No draft was created.")
    find_or_create_draft(phase, seat, "", now)
    drafts = list(phase.drafts.held_by(seat).prefetch_related("orders"))
    lines = list_lines(reading)
    wanted = {unit: order for unit, (order, _) in lines.items()}
    for draft in drafts:
        if not draft.live and {row.unit: row.canonical for row in draft.orders.all()} == wanted:
            return AdoptedOrders(draft.name, sequence, reading.orders, reading.problems, others)
    if len(drafts) >= MAX_DRAFTS:
        raise WrongMoment(f"You have reached the limit of {MAX_DRAFTS} drafts. Delete one first.")
    taken = {draft.name for draft in phase.drafts.filter(seat=seat)}
    free = find_free_name(name[: MAX_DRAFT_NAME - len(" 99")], taken)
    draft = Draft(phase=phase, seat=seat, name=free, saved_at=now)
    save_draft(draft)
    write_lines(draft, [], lines, now)
    events.record(game=phase.game, kind="drafted", now=now, seat=seat)
    return AdoptedOrders(draft.name, sequence, reading.orders, reading.problems, others)
