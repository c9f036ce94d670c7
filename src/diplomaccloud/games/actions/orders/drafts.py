"""Named drafts of a seat's orders for one phase; one of them is live.

A draft that is not live may be deleted while the phase is open. The drafts that counted at a lock
are never deleted.
"""

import datetime as dt

from django.db import IntegrityError, transaction

from diplomaccloud.accounts.lines import clean_name
from diplomaccloud.games.actions import events
from diplomaccloud.games.actions.locks import require_open_seat
from diplomaccloud.games.actions.orders.draft_rows import find_or_create_draft
from diplomaccloud.games.actions.orders.receipts import issue_receipt
from diplomaccloud.games.actions.orders.submission import submit
from diplomaccloud.games.actions.transactions import atomic_with_retries
from diplomaccloud.games.errors import Refused, WrongMoment
from diplomaccloud.games.models import Draft, OrderRow, Phase, Seat

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
    save_draft(draft)
    if copy:
        _copy_orders(live, draft)
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
    save_draft(draft)
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


def save_draft(draft: Draft) -> None:
    """Save the draft; raise `WrongMoment` if its name is taken."""
    try:
        with transaction.atomic():
            draft.save()
    except IntegrityError as error:
        # Databases differ in which letters they treat as equal.
        raise WrongMoment(f'A draft named "{draft.name}" already exists.') from error


def _copy_orders(source: Draft, target: Draft) -> None:
    OrderRow.objects.bulk_create(
        OrderRow(  # type: ignore[misc]  # see TypedJSONField
            draft=target,
            unit=row.unit,
            written=row.written,
            canonical=row.canonical,
            saved_at=row.saved_at,
        )
        for row in source.orders.all()
    )
