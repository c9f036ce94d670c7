"""Named drafts of a seat's orders for one phase; one of them is live.

A draft that is not live may be deleted while the phase is open. The drafts that counted at a lock
are never deleted.
"""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import IntegrityError, transaction

from diplomaccloud.accounts.screen_names import clean_name
from diplomaccloud.entry.orders import Problem, read_orders
from diplomaccloud.games.table import log as events
from diplomaccloud.games.table.errors import Refused, WrongMoment
from diplomaccloud.games.table.lock import require_open_seat
from diplomaccloud.games.table.models import Seat
from diplomaccloud.games.table.order_rows import (
    find_free_name,
    find_or_create_draft,
    issue_receipt,
    list_lines,
    submit,
    write_lines,
)
from diplomaccloud.games.table.phase_models import Draft, OrderRow, Phase
from diplomaccloud.games.table.transactions import atomic_with_retries
from diplomaccloud.judge.orders import Order, power_of

MAX_DRAFTS = 8
MAX_DRAFT_NAME = 30
UNCHANGED = "Your drafts were not changed."


@atomic_with_retries
def new_draft(
    *, slug: str, user_id: int, sequence: int, name: str, copy: bool, now: dt.datetime
) -> Draft:
    """Return a new draft that is not live, either a copy of the live one or empty.

    Raises `Refused` for a bad name, and `WrongMoment` if the name is taken or the seat already has
    `MAX_DRAFTS` drafts.
    """
    open_seat = require_open_seat(slug, user_id, sequence, now, UNCHANGED)
    phase, seat = open_seat.phase, open_seat.seat
    live = find_or_create_draft(phase, seat, "", now)
    if phase.drafts.held_by(seat).count() >= MAX_DRAFTS:
        raise WrongMoment(f"You have reached the limit of {MAX_DRAFTS} drafts. Delete one first.")
    draft = Draft(phase=phase, seat=seat, name=_require_name(phase, seat, name), saved_at=now)
    _save_draft(draft)
    if copy:
        OrderRow.objects.bulk_create(
            OrderRow(  # type: ignore[misc]  # see TypedJSONField
                draft=draft,
                unit=row.unit,
                written=row.written,
                canonical=row.canonical,
                saved_at=row.saved_at,
            )
            for row in live.orders.all()
        )
    events.record(game=phase.game, kind="drafted", now=now, seat=seat)
    return draft


@atomic_with_retries
def make_live(*, slug: str, user_id: int, sequence: int, name: str, now: dt.datetime) -> None:
    """Make the draft called `name` live, and submit its orders."""
    open_seat = require_open_seat(slug, user_id, sequence, now, UNCHANGED)
    phase, seat = open_seat.phase, open_seat.seat
    draft = find_or_create_draft(phase, seat, name, now)
    phase.drafts.filter(seat=seat, live=True).exclude(pk=draft.pk).update(live=None)
    draft.live, draft.saved_at = True, now
    draft.save(update_fields=["live", "saved_at"])
    submit(phase, seat, now)
    orders = [row.canonical for row in draft.orders.order_by("pk")]
    issue_receipt(phase, seat, orders, user_id=user_id, now=now)
    events.record(game=phase.game, kind="saved", now=now, seat=seat)


@atomic_with_retries
def rename_draft(
    *, slug: str, user_id: int, sequence: int, name: str, new_name: str, now: dt.datetime
) -> Draft:
    """Return the draft called `name` with its new name."""
    open_seat = require_open_seat(slug, user_id, sequence, now, UNCHANGED)
    phase, seat = open_seat.phase, open_seat.seat
    draft = find_or_create_draft(phase, seat, name, now)
    draft.name = _require_name(phase, seat, new_name, renamed=draft)
    _save_draft(draft)
    return draft


@atomic_with_retries
def drop_draft(*, slug: str, user_id: int, sequence: int, name: str, now: dt.datetime) -> None:
    """Delete a draft that is not live, with the orders in it, while the phase is open."""
    open_seat = require_open_seat(slug, user_id, sequence, now, UNCHANGED)
    phase, seat = open_seat.phase, open_seat.seat
    draft = find_or_create_draft(phase, seat, name, now)
    if draft.live:
        raise WrongMoment("This draft is live. Make another draft live before you delete it.")
    draft.orders.all().delete()
    draft.delete()


def _require_name(phase: Phase, seat: Seat, text: str, renamed: Draft | None = None) -> str:
    try:
        name = clean_name(text)
    except ValueError as error:
        raise Refused(str(error)) from error
    if not 1 <= len(name) <= MAX_DRAFT_NAME:
        raise Refused(f"The name of a draft must have 1 to {MAX_DRAFT_NAME} characters.")
    others = [draft.name for draft in phase.drafts.filter(seat=seat) if draft != renamed]
    if name.casefold() in map(str.casefold, others):
        raise WrongMoment(f'A draft named "{name}" already exists.')
    return name


def _save_draft(draft: Draft) -> None:
    """Save the draft; raise `WrongMoment` if its name is taken."""
    try:
        with transaction.atomic():
            draft.save()
    except IntegrityError as error:
        # Databases differ in which letters they treat as equal.
        raise WrongMoment(f'A draft named "{draft.name}" already exists.') from error


# Copying orders from elsewhere, such as a map in a message, to a draft that is not live.


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
    yours = [order for order in orders if power_of(order) in open_seat.powers]
    reading = read_orders(
        open_seat.board,
        open_seat.position,
        open_seat.powers,
        choices=[str(order) for order in yours],
        text="",
        rules=open_seat.rules,
    )
    others = len(orders) - len(yours)
    if not yours:
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
    _save_draft(draft)
    write_lines(draft, [], lines, now)
    events.record(game=phase.game, kind="drafted", now=now, seat=seat)
    return AdoptedOrders(draft.name, sequence, reading.orders, reading.problems, others)
