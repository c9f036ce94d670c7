"""A seat's papers in the open phase: whose they are, its drafts, the orders in them.

Everything here is done within a verb's transaction, the game locked.
"""

import datetime as dt
from collections.abc import Collection

from django.db import IntegrityError, transaction
from django.db.models import Case, F, When

from diplomaccloud.games.actions.locks import lock_game, open_phase_for, seat_in
from diplomaccloud.games.errors import Refused, WrongMoment
from diplomaccloud.games.models import (
    FIRST_DRAFT,
    Draft,
    OrderRow,
    Phase,
    Seat,
    Submission,
    orders_by_unit,
)
from diplomaccloud.judge.adjudicate import powers_to_order
from diplomaccloud.judge.legality.order_entry import Reading


def seat_and_phase(
    slug: str, user_id: int, sequence: int, now: dt.datetime, lost: str
) -> tuple[Phase, Seat]:
    """Return the open phase and the person's seat, the game locked; raise what forbids orders.

    `lost` is what an act that comes too late is told.
    """
    game = lock_game(slug)
    seat = seat_in(game, user_id)
    phase = open_phase_for(game, sequence, now, lost)
    if not set(phase.powers_of(seat)) & powers_to_order(phase.board, phase.position):
        raise WrongMoment("You have nothing to order in this phase.")
    if any(power in phase.disorder for power in phase.powers_of(seat)):
        raise WrongMoment("Your country has surrendered: it takes no orders any more.")
    return phase, seat


def live_draft(phase: Phase, seat: Seat, now: dt.datetime) -> Draft:
    """Return the seat's live draft, saved at `now`; it is made if there is none."""
    return draft_for(phase, seat, "", now)


def draft_for(phase: Phase, seat: Seat, name: str, now: dt.datetime) -> Draft:
    """Return the seat's draft called `name`, saved at `now`, the live one for a blank name.

    Drafts of those who held the seat before are as good as gone. Raises `Refused`.
    """
    drafts = list(phase.drafts.held_by(seat))
    live = next((draft for draft in drafts if draft.live), None)
    found = next((draft for draft in drafts if draft.name == name), None)
    if found is None and name in ("", FIRST_DRAFT):
        found = live or _first_draft(phase, seat, now)
    if found is None:
        raise Refused("There is no such draft any more: nothing was saved.")
    if found.saved_at != now:
        found.saved_at = now
        found.save(update_fields=["saved_at"])
    return found


def _first_draft(phase: Phase, seat: Seat, now: dt.datetime) -> Draft:
    try:
        with transaction.atomic():
            return Draft.objects.create(
                phase=phase, seat=seat, name=FIRST_DRAFT, live=True, saved_at=now
            )
    except IntegrityError:
        # A draft that its player left behind when leaving the seat has the name.
        names = phase.drafts.filter(seat=seat).values_list("name", flat=True)
        name = free_name(FIRST_DRAFT, set(names))
        return Draft.objects.create(phase=phase, seat=seat, name=name, live=True, saved_at=now)


def free_name(name: str, taken: Collection[str]) -> str:
    """Return `name`, with a number behind it if it is among those `taken` already."""
    found, number = name, 1
    while found in taken:
        number += 1
        found = f"{name} {number}"
    return found


def write_rows(draft: Draft, reading: Reading, *, whole: bool, now: dt.datetime) -> tuple[str, ...]:
    """Return all that the draft orders now, sorted, the orders of `reading` being written."""
    before = list(draft.orders.all())
    written = {(row.unit, row.written): row for row in before}
    keyed = orders_by_unit(reading.orders)
    new = [
        OrderRow(
            draft=draft,
            unit=key,
            written=text[:200],
            canonical=order,
            saved_at=now,
        )
        for (key, order), (_, text) in zip(keyed.items(), reading.lines, strict=True)
    ]
    same = {row.unit for row in new if (row.unit, row.written) in written}
    gone = [row for row in before if (whole or row.unit in keyed) and row.unit not in same]
    if gone:
        draft.orders.filter(pk__in=[row.pk for row in gone]).delete()
    OrderRow.objects.bulk_create(row for row in new if row.unit not in same)
    kept = tuple(
        row.canonical
        for row in (row for row in before if row not in gone and row.unit not in keyed)
    )
    return tuple(sorted(str(order) for order in (*kept, *keyed.values())))


def submit(phase: Phase, seat: Seat, now: dt.datetime) -> None:
    """Write down that the seat has submitted.

    What a plan had submitted is its player's from now on, and so is being ready: it would
    show who wrote ahead if a ready flag appeared by saving.
    """
    mine = phase.submissions.filter(seat=seat)
    ready = Case(When(ahead=True, then=None), default=F("ready_at"))
    if not mine.update(saved_at=now, ready_at=ready, ahead=False):
        Submission.objects.create(phase=phase, seat=seat, saved_at=now)
