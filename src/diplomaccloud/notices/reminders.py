"""Reminders of deadlines, for players who still owe orders when a reminder is due.

They are planned for and store one deadline, so a deadline that moves gets new reminders.
"""

import datetime as dt
from collections.abc import Mapping
from typing import Final

from django.db import connection

from diplomaccloud.games.news.read import Audience, OpenPhase
from diplomaccloud.games.orders.read import Owed, find_owed
from diplomaccloud.games.table.transactions import atomic_with_retries
from diplomaccloud.notices.kinds import REMINDER_HOURS, NoticeKind
from diplomaccloud.notices.models import Notice, Reminder
from diplomaccloud.notices.outbox import write_notices

BATCH: Final = 20
"""How many reminders one transaction handles; each reads the orders of one phase."""
_LONGEST_SHARE: Final = 0.5
"""A reminder in the first half of the phase would only be a nuisance."""


def plan_reminders(audiences: Mapping[int, Audience], *, now: dt.datetime) -> None:
    """Plan the reminders of the open phases, within the caller's transaction.

    Games without people have none. Existing reminders stay.
    """
    rows = [
        Reminder(game_id=game, sequence=phase.sequence, due_at=phase.due_at, hours=hours, at=at)
        for game, audience in audiences.items()
        if audience.holders and (phase := audience.phase) is not None
        for hours, at in list_steps(phase, now=now)
    ]
    Reminder.objects.bulk_create(rows, ignore_conflicts=True)


def list_steps(phase: OpenPhase, *, now: dt.datetime) -> list[tuple[int, dt.datetime]]:
    """Return how many hours before the deadline to remind, and when, in order.

    This leaves out steps longer than half the phase and, of the steps whose time has passed, all
    but the last, because one reminder is enough.
    """
    longest = (phase.due_at - phase.opens_at) * _LONGEST_SHARE
    steps = [(hours, dt.timedelta(hours=hours)) for hours in REMINDER_HOURS]
    times = [(hours, phase.due_at - step) for hours, step in steps if step <= longest]
    late = [row for row in times if row[1] <= now]
    return late[-1:] + times[len(late) :] if phase.due_at > now else []


@atomic_with_retries
def send_reminders(*, now: dt.datetime) -> int:
    """Notify people who owe orders of due reminders; return the number of due reminders."""
    rows = Reminder.objects.filter(at__lte=now).order_by("at")
    if connection.features.has_select_for_update_skip_locked:
        rows = rows.select_for_update(skip_locked=True)
    due = list(rows[:BATCH])
    for reminder in due:
        if reminder.due_at > now and not _is_followed(reminder, now):
            write_notices(_list_notices(reminder), now=now)
    Reminder.objects.filter(pk__in=[row.pk for row in due]).delete()
    return len(due)


def still_owes(notice: Notice) -> Owed | None:
    """Return what the person now owes; None if nothing, or if the deadline has moved."""
    sequence, due_at = notice.data.get("sequence"), str(notice.data.get("due_at"))
    if notice.game_id is None or not isinstance(sequence, int):
        return None
    owed = find_owed(notice.game_id, sequence, dt.datetime.fromisoformat(due_at))
    return owed.get(notice.user_id) if owed else None


def _is_followed(reminder: Reminder, now: dt.datetime) -> bool:
    """Return whether a later reminder for the same deadline is also due, after an outage."""
    later = [hours for hours in REMINDER_HOURS if hours < reminder.hours]
    return any(reminder.due_at - dt.timedelta(hours=hours) <= now for hours in later)


def _list_notices(reminder: Reminder) -> list[Notice]:
    owed = find_owed(reminder.game_id, reminder.sequence, reminder.due_at)
    due_at = reminder.due_at.isoformat()
    data = {"sequence": reminder.sequence, "due_at": due_at, "hours": reminder.hours}
    return [
        Notice(
            user_id=user,
            kind=NoticeKind.REMINDER,
            key=f"{reminder.game_id} reminder {reminder.sequence} {due_at} {reminder.hours}",
            game_id=reminder.game_id,
            useful_until=reminder.due_at,
            data=data,
        )
        for user in owed or ()
    ]
