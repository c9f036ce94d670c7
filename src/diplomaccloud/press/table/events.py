"""Press events: things to notify people of, written with each change and read once.

Messages need no events: their `Send` row is marked as waiting instead, which saves a query. A
column marks the rows that wait. Remembering the newest key handled would not work, because keys
are not in the order in which transactions commit.
"""

import datetime as dt
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeVar

from django.db import connection, models

from diplomaccloud.press.table.models import Message, PressEvent, Send


class PressEventKind(StrEnum):
    """What happened, as stored. Notices have the wording."""

    PROPOSAL_ANSWERED = "proposal answered"
    """A party answered the proposal of `message`; for the other parties."""
    LOOKED_AT = "looked at"
    """The game master or a moderator read messages; for the people who could read them."""
    REPORT_WAITING = "report waiting"
    """A report is waiting for a decision; for those who judge it."""
    REPORT_DECIDED = "report decided"
    """A report was decided; for the reporter."""
    JUDGED = "judged"
    """A moderator made a decision about a person; for that person. `data` has the `decision`."""
    OPENING = "opening"
    """The conversation of a finished game was opened or closed; for its members."""


_M = TypeVar("_M", bound=models.Model)
_PRUNE_AT_ONCE: Final = 500


@dataclass(frozen=True, slots=True)
class WaitingPressEvent:
    """An event of a `PressEventKind` for one person, and the key of its message, if any."""

    key: int
    kind: str
    name: str
    user: int
    game: int | None
    message: int | None
    data: Mapping[str, object]
    at: dt.datetime


def record_press_event(
    kind: PressEventKind,
    *,
    key: str,
    user_ids: Collection[int],
    now: dt.datetime,
    game_id: int | None = None,
    message: Message | None = None,
    path: str = "",
    data: Mapping[str, object] | None = None,
) -> None:
    """Record an event for these people's notices, within the caller's transaction.

    `key` identifies the event, for example `proposal 12 answer 3`, so that nobody is notified
    twice. The notice links to `path`, else to the conversation of `message` as each person sees it,
    else to the game. `data` has public facts for its text, but no names or messages.
    """
    if path and not path.startswith("/"):
        raise ValueError("the path of a notice must start with a slash")
    facts = {**(data or {}), **({"path": path} if path else {})}
    PressEvent.objects.bulk_create(
        [
            PressEvent(
                kind=kind,
                key=key,
                user_id=user_id,
                game_id=game_id,
                message=message,
                data=facts,
                at=now,
            )
            for user_id in sorted(set(user_ids))
        ],
        ignore_conflicts=True,
    )


def take_events(limit: int) -> list[WaitingPressEvent]:
    """Return waiting events, oldest first, locked until the caller's transaction ends."""
    rows = PressEvent.objects.filter(waiting__in=[True]).order_by("pk")
    columns = ("pk", "kind", "key", "user", "game", "message", "data", "at")
    return [WaitingPressEvent(*row) for row in _lock(rows).values_list(*columns)[:limit]]


def take_sends(limit: int) -> list[int]:
    """Return the keys of sends with unannounced messages, locked until the transaction ends."""
    rows = Send.objects.filter(unnoticed__in=[True]).order_by("pk")
    return [row.pk for row in _lock(rows.only("pk"))[:limit]]


def mark_handled(events: Collection[WaitingPressEvent], sends: Collection[int]) -> None:
    """Mark all these as handled, in the transaction that writes their notices."""
    if events:
        PressEvent.objects.filter(pk__in=[event.key for event in events]).update(waiting=None)
    if sends:
        Send.objects.filter(pk__in=sends).update(unnoticed=None)


def prune_events(before: dt.datetime) -> int:
    """Delete events from before that time whose notices are written; return their number.

    Until then their keys keep the same thing from being reported twice.
    """
    handled = PressEvent.objects.filter(waiting=None).order_by("pk").values_list("pk", "at")
    count = 0
    # In order of the indexed key, so that rows that stay are read only once.
    while keys := [key for key, at in handled[:_PRUNE_AT_ONCE] if at < before]:
        PressEvent.objects.filter(pk__in=keys).delete()
        count += len(keys)
    return count


def _lock(rows: models.QuerySet[_M]) -> models.QuerySet[_M]:
    """Return the rows locked. Workers skip each other's rows if the database supports it."""
    # SQLite uses an index on a Boolean column only in an explicit comparison.
    if connection.features.has_select_for_update_skip_locked:
        return rows.select_for_update(skip_locked=True)
    return rows
