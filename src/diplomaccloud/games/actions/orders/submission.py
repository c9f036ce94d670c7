"""Saving the orders of a seat, and marking it as ready."""

import datetime as dt
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.db.models import Case, F, When

from diplomaccloud.games.actions import events
from diplomaccloud.games.actions.deadlines.early_end import end_phase_early
from diplomaccloud.games.actions.locks import OpenSeat, require_open_seat
from diplomaccloud.games.actions.transactions import atomic_with_retries
from diplomaccloud.games.errors import Refused, TooMuchText
from diplomaccloud.games.models import (
    FIRST_DRAFT,
    MAX_WRITTEN,
    Draft,
    OrderRow,
    Phase,
    Seat,
    Submission,
    is_readiness_public,
    orders_by_unit,
)
from diplomaccloud.judge.legality.order_entry import (
    OrderTextTooLong,
    Problem,
    Reading,
    read_orders,
)
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.phases import Stage

__all__ = ["Problem", "Saved", "save_orders", "set_ready", "unset_ready", "write_orders"]


@dataclass(frozen=True, slots=True)
class Saved:
    """The outcome of saving: the orders accepted, and each refused piece with its reason.

    `counts` is everything that the draft orders now, in canonical text; `live` says whether it is
    the draft that counts at the deadline.
    """

    orders: tuple[Order, ...]
    problems: tuple[Problem, ...]
    counts: tuple[str, ...] = ()
    draft: str = ""
    live: bool = True


@atomic_with_retries
def save_orders(
    *,
    slug: str,
    user_id: int,
    sequence: int,
    choices: Sequence[str],
    sheet: str,
    now: dt.datetime,
    draft: str = "",
) -> Saved:
    """Return what was saved: each legal order replaces the one its unit had, others are refused.

    `choices` are orders in canonical text, at most one per unit; the text `sheet` wins over the
    choice for a unit. A refused piece never deletes what was saved before. The orders go into the
    draft of that name, or into the live one for a blank name; only the live one submits. Raises
    `DeadlinePassed` when the phase is closed, `NotYourSeat` for a stranger, `TooMuchText`.
    """
    open_seat = require_open_seat(slug, user_id, sequence, now, "Your orders were not saved.")
    phase, seat = open_seat.phase, open_seat.seat
    reading = _read_orders(open_seat, choices, sheet)
    if reading.problems and not reading.orders:
        return Saved((), reading.problems)
    row = find_or_create_draft(phase, seat, draft, now)
    if row.live:
        submit(phase, seat, now)
    counts = write_rows(row, reading, whole=_is_whole_set(open_seat), now=now)
    kind = "saved" if row.live else "drafted"
    events.record(game=phase.game, kind=kind, now=now, seat=seat)
    return Saved(reading.orders, reading.problems, counts, row.name, bool(row.live))


def _read_orders(open_seat: OpenSeat, choices: Sequence[str], sheet: str) -> Reading:
    try:
        return read_orders(
            open_seat.board,
            open_seat.position,
            open_seat.powers,
            choices=choices,
            text=sheet,
            rules=open_seat.rules,
        )
    except OrderTextTooLong as error:
        raise TooMuchText(str(error)) from error


def _is_whole_set(open_seat: OpenSeat) -> bool:
    """Return whether saved orders replace all others: builds and disbands are chosen together."""
    return open_seat.position.phase.stage is Stage.ADJUSTMENTS


def write_orders(
    *, phase: Phase, seat: Seat, reading: Reading, whole: bool, now: dt.datetime
) -> None:
    """Write orders of a bot, or conditional orders that apply, into the seat's live draft.

    Within the caller's transaction. `whole` says that they replace all other orders of the seat.
    """
    submit(phase, seat, now)
    write_rows(find_or_create_draft(phase, seat, "", now), reading, whole=whole, now=now)
    events.record(game=phase.game, kind="saved", now=now, seat=seat)


@atomic_with_retries
def set_ready(*, slug: str, user_id: int, sequence: int, now: dt.datetime) -> int | None:
    """Return the key of the game if everyone is ready now and its phase has become due."""
    open_seat = require_open_seat(
        slug, user_id, sequence, now, "You were not marked as ready in it."
    )
    phase, seat = open_seat.phase, open_seat.seat
    Submission.objects.update_or_create(
        phase=phase, seat=seat, defaults={"ready_at": now, "by_conditional_orders": False}
    )
    _record_readiness(open_seat, now, ready=True)
    return end_phase_early(phase, now)


@atomic_with_retries
def unset_ready(*, slug: str, user_id: int, sequence: int, now: dt.datetime) -> None:
    """Remove the ready mark."""
    open_seat = require_open_seat(slug, user_id, sequence, now, "You were ready when it ended.")
    submission = open_seat.phase.submissions.filter(seat=open_seat.seat)
    hidden = submission.filter(by_conditional_orders=True)
    if hidden.update(ready_at=None, by_conditional_orders=False):
        # No one could see that conditional orders had made the seat ready.
        return
    submission.update(ready_at=None)
    _record_readiness(open_seat, now, ready=False)


def _record_readiness(open_seat: OpenSeat, now: dt.datetime, *, ready: bool) -> None:
    """Record the event for everyone, or in retreats and adjustments for the seat alone."""
    seat = open_seat.seat
    data: dict[str, object] = {"power": seat.power, "ready": ready}
    audience = None if is_readiness_public(open_seat.position.phase) else seat
    events.record(game=open_seat.phase.game, kind="ready", now=now, data=data, seat=audience)


def find_or_create_draft(phase: Phase, seat: Seat, name: str, now: dt.datetime) -> Draft:
    """Return the seat's draft called `name`, saved at `now`; a blank name is the live draft.

    The live draft is created if there is none. Drafts of earlier holders of the seat do not
    count. Raises `Refused` for another name that no draft has.
    """
    drafts = list(phase.drafts.held_by(seat))
    live = next((draft for draft in drafts if draft.live), None)
    named = next((draft for draft in drafts if draft.name == name), None)
    if named is None and name in ("", FIRST_DRAFT):
        named = live or _create_first_draft(phase, seat, now)
    if named is None:
        raise Refused("This draft no longer exists. Nothing was saved.")
    if named.saved_at != now:
        named.saved_at = now
        named.save(update_fields=["saved_at"])
    return named


def _create_first_draft(phase: Phase, seat: Seat, now: dt.datetime) -> Draft:
    def create(name: str) -> Draft:
        return Draft.objects.create(phase=phase, seat=seat, name=name, live=True, saved_at=now)

    try:
        with transaction.atomic():
            return create(FIRST_DRAFT)
    except IntegrityError:
        # A draft of an earlier holder of the seat has the name.
        names = phase.drafts.filter(seat=seat).values_list("name", flat=True)
        return create(_find_free_name(FIRST_DRAFT, set(names)))


def _find_free_name(name: str, taken: Collection[str]) -> str:
    """Return `name`, with a number after it if it is among those `taken` already."""
    free, number = name, 1
    while free in taken:
        number += 1
        free = f"{name} {number}"
    return free


def write_rows(draft: Draft, reading: Reading, *, whole: bool, now: dt.datetime) -> tuple[str, ...]:
    """Write the orders of `reading`; return everything that the draft orders now, sorted.

    With `whole`, all other orders of the draft are deleted.
    """
    before = list(draft.orders.all())
    written = {(row.unit, row.written) for row in before}
    orders = orders_by_unit(reading.orders)
    new = [
        OrderRow(draft=draft, unit=unit, written=text[:MAX_WRITTEN], canonical=order, saved_at=now)
        for (unit, order), (_, text) in zip(orders.items(), reading.lines, strict=True)
    ]
    unchanged = {row.unit for row in new if (row.unit, row.written) in written}
    replaced = [
        row for row in before if (whole or row.unit in orders) and row.unit not in unchanged
    ]
    if replaced:
        draft.orders.filter(pk__in=[row.pk for row in replaced]).delete()
    OrderRow.objects.bulk_create(row for row in new if row.unit not in unchanged)
    others = [row.canonical for row in before if row not in replaced and row.unit not in orders]
    return tuple(sorted(str(order) for order in (*others, *orders.values())))


def submit(phase: Phase, seat: Seat, now: dt.datetime) -> None:
    """Record that the seat has submitted.

    If conditional orders had submitted for it, the submission becomes the player's own and the
    ready mark goes: a mark that appeared on saving would show who wrote conditional orders.
    """
    submission = phase.submissions.filter(seat=seat)
    ready = Case(When(by_conditional_orders=True, then=None), default=F("ready_at"))
    if not submission.update(saved_at=now, ready_at=ready, by_conditional_orders=False):
        Submission.objects.create(phase=phase, seat=seat, saved_at=now)
