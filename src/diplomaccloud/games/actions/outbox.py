"""The events of games whose notices are not written yet: reading them, and marking them handled.

A column says which events wait. The newest key that was handled would not do: keys are not in the
order in which transactions end, so an event could appear behind it.
"""

import datetime as dt
from collections.abc import Collection
from dataclasses import dataclass

from django.db import connection

from diplomaccloud.games.models import Event


@dataclass(frozen=True, slots=True)
class WaitingEvent:
    """A public event; `name` is unique within its game."""

    key: int
    game: int
    kind: str
    name: str
    data: dict[str, object]
    at: dt.datetime


def take_events(limit: int) -> list[WaitingEvent]:
    """Return waiting events, oldest first, locked until the caller's transaction ends.

    Several workers take different events, where the database can skip locked rows. Elsewhere they
    may take the same ones, and what follows from them must have unique keys.
    """
    # SQLite finds truth values in an index only if they are compared with something.
    rows = Event.objects.filter(waiting__in=[True]).order_by("pk")
    if connection.features.has_select_for_update_skip_locked:
        rows = rows.select_for_update(skip_locked=True)
    return [
        WaitingEvent(row.pk, row.game_id, row.kind, row.key, row.data, row.created_at)
        for row in rows[:limit]
    ]


def mark_handled(events: Collection[WaitingEvent]) -> None:
    """Mark the events as handled, in the transaction that writes what follows from them."""
    Event.objects.filter(pk__in=[event.key for event in events]).update(waiting=None)
