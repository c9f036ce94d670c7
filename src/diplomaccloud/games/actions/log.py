"""Writing the public log of a game: one entry per action, in the same transaction."""

import datetime as dt

from diplomaccloud.games.actions import events, record_lines
from diplomaccloud.games.errors import BadValue
from diplomaccloud.games.models import Game, LogEntry, Phase

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
    events.record(game=game, kind="log", key=f"log {entry.pk}", now=now, data={"entry": entry.pk})
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
