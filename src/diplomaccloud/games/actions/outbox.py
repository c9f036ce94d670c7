"""Events of games whose notices have not been written yet: reading them and marking them handled.

A column marks waiting events. Remembering the newest handled key would not work: transactions do
not commit in the order of their keys, so an event with a smaller key could appear later.
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

    If the database can skip locked rows, each worker takes different events. If not, workers may
    take the same events, so the rows they write for them must have unique keys.
    """
    # SQLite uses an index on a boolean column only if the query compares it with a value.
    rows = Event.objects.filter(waiting__in=[True]).order_by("pk")
    if connection.features.has_select_for_update_skip_locked:
        rows = rows.select_for_update(skip_locked=True)
    return [
        WaitingEvent(row.pk, row.game_id, row.kind, row.key, row.data, row.created_at)
        for row in rows[:limit]
    ]


def mark_handled(events: Collection[WaitingEvent]) -> None:
    """Mark the events as handled, in the transaction that writes their notices."""
    Event.objects.filter(pk__in=[event.key for event in events]).update(waiting=None)
