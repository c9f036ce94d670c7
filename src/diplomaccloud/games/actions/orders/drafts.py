"""Several named drafts of the orders for one phase, of which one is live.

Drafts are working papers: one that is not live may be dropped while the phase is open. What
counted at a lock is never deleted.
"""

import datetime as dt

from django.db import IntegrityError, transaction

from diplomaccloud.accounts.lines import clean_name
from diplomaccloud.games import events
from diplomaccloud.games.actions.orders.papers import draft_for, live_draft, seat_and_phase, submit
from diplomaccloud.games.errors import Refused, WrongMoment
from diplomaccloud.games.models import Draft, OrderRow, Phase, Seat

MOST_DRAFTS = 8
LONGEST_NAME = 30
LOST = "your drafts are as they were"


@transaction.atomic
def new_draft(
    *, slug: str, user_id: int, sequence: int, name: str, copy: bool, now: dt.datetime
) -> Draft:
    """Return a new draft that is not live: a copy of the live one, or empty.

    Raises `Refused` for a bad name, or one that is taken, and for more than `MOST_DRAFTS`.
    """
    phase, seat = seat_and_phase(slug, user_id, sequence, now, LOST)
    live = live_draft(phase, seat, now)
    if phase.drafts.held_by(seat).count() >= MOST_DRAFTS:
        raise WrongMoment(f"You have {MOST_DRAFTS} drafts for this phase: drop one first.")
    draft = Draft(phase=phase, seat=seat, name=_said_name(phase, seat, name), saved_at=now)
    _keep(draft)
    if copy:
        _copy_orders(live, draft)
    events.record(game=phase.game, kind="drafted", now=now, seat=seat)
    return draft


@transaction.atomic
def make_live(*, slug: str, user_id: int, sequence: int, name: str, now: dt.datetime) -> None:
    """Let the draft called `name` be the one that counts; that submits the seat's orders."""
    phase, seat = seat_and_phase(slug, user_id, sequence, now, LOST)
    draft = draft_for(phase, seat, name, now)
    phase.drafts.filter(seat=seat, live=True).exclude(pk=draft.pk).update(live=None)
    draft.live = True
    draft.save(update_fields=["live"])
    submit(phase, seat, now)
    events.record(game=phase.game, kind="saved", now=now, seat=seat)


@transaction.atomic
def rename_draft(
    *, slug: str, user_id: int, sequence: int, name: str, new_name: str, now: dt.datetime
) -> Draft:
    """Return the draft called `name` with its new name."""
    phase, seat = seat_and_phase(slug, user_id, sequence, now, LOST)
    draft = draft_for(phase, seat, name, now)
    draft.name = _said_name(phase, seat, new_name, but=draft)
    _keep(draft)
    return draft


@transaction.atomic
def drop_draft(*, slug: str, user_id: int, sequence: int, name: str, now: dt.datetime) -> None:
    """Delete a draft that is not live, with the orders in it, while the phase is open."""
    phase, seat = seat_and_phase(slug, user_id, sequence, now, LOST)
    draft = draft_for(phase, seat, name, now)
    if draft.live:
        raise WrongMoment("This draft is live: make another one live before you drop it.")
    draft.orders.all().delete()
    draft.delete()


def _said_name(phase: Phase, seat: Seat, text: str, but: Draft | None = None) -> str:
    try:
        name = clean_name(text)
    except ValueError as error:
        raise Refused(str(error)) from error
    if not 1 <= len(name) <= LONGEST_NAME:
        raise Refused(f"A draft's name has 1 to {LONGEST_NAME} characters.")
    others = [one.name for one in phase.drafts.filter(seat=seat) if one != but]
    if name.casefold() in map(str.casefold, others):
        raise WrongMoment(f"Another draft is called {name}.")
    return name


def _keep(draft: Draft) -> None:
    try:
        with transaction.atomic():
            draft.save()
    except IntegrityError as error:
        # Databases differ in which letters they take for the same.
        raise WrongMoment(f"Another draft has a name like {draft.name}.") from error


def _copy_orders(source: Draft, target: Draft) -> None:
    OrderRow.objects.bulk_create(
        OrderRow(
            draft=target,
            unit=row.unit,
            written=row.written,
            canonical=row.canonical,
            saved_at=row.saved_at,
        )
        for row in source.orders.all()
    )
