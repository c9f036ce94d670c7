"""Writing the public log and the events of a game, in the transaction of the action."""

import datetime as dt
import uuid
from collections.abc import Iterable

from diplomaccloud.games.table import record_lines
from diplomaccloud.games.table.errors import BadValue
from diplomaccloud.games.table.log_models import Event, LogEntry
from diplomaccloud.games.table.models import Game, Seat
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.games.table.transactions import add_events

MAX_REASON = 400


def write_log(
    *,
    game: Game,
    kind: str,
    key: str,
    text: str,
    now: dt.datetime,
    phase: Phase | None = None,
    by: int | None = None,
    reason: str = "",
    data: dict[str, object] | None = None,
) -> LogEntry:
    """Write a log entry that everyone who sees the game may read, and return it.

    `by` is the person who acted, or None for the site. Using the same `key` twice in one game is an
    error, so check first whether the action was already done.
    """
    entry = LogEntry.objects.create(
        game=game,
        phase=phase,
        by_id=by,
        kind=kind,
        key=key,
        text=text,
        reason=reason,
        data=data or {},
        at=now,
    )
    record_lines.add_log_entry(entry)
    record(game=game, kind="log", key=f"log {entry.pk}", now=now, data={"entry": entry.pk})
    return entry


def require_reason(text: str) -> str:
    """Return the reason that a person gave, cleaned; raise `BadValue` if it is blank or invalid."""
    reason = " ".join(text.split())
    if not reason:
        raise BadValue("reason", "Give a reason. The players will read it in the log.")
    if len(reason) > MAX_REASON:
        raise BadValue("reason", f"The reason must have at most {MAX_REASON} characters.")
    if not reason.isprintable():
        raise BadValue("reason", "The reason contains a character that cannot be printed.")
    return reason


def record(
    *,
    game: Game,
    kind: str,
    now: dt.datetime,
    key: str = "",
    data: dict[str, object] | None = None,
    seat: Seat | None = None,
) -> None:
    """Write one event at the end of the caller's transaction; a public event is a new version.

    Using the same `key` twice in one game is an error; leave it out for events that may repeat.
    Without `seat` the event is public, so `data` must not contain secrets.
    """
    add_events(
        Event(
            game=game,
            seat=seat,
            kind=kind,
            key=key or f"{kind} {uuid.uuid4()}",
            data=data or {},
            created_at=now,
            waiting=True if seat is None else None,
        )
    )


def record_own(*, game: Game, kind: str, now: dt.datetime, seats: Iterable[Seat]) -> None:
    """Write a private event for each of the seats, at the end of the caller's transaction."""
    add_events(
        *(
            Event(game=game, seat=seat, kind=kind, key=f"{kind} {uuid.uuid4()}", created_at=now)
            for seat in seats
        )
    )
