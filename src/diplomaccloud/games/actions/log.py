"""The public log of a game: one line for each act, written in the transaction that did it."""

import datetime as dt

from diplomaccloud.games.actions import events
from diplomaccloud.games.errors import Refused
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
    """Return the line of the log, which everybody who sees the game may read.

    `by` is the person who did it, None for the software. The same `key` twice in one game is
    an error: ask first whether the act was done.
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
    events.record(game=game, kind="log", key=f"log {entry.pk}", now=now, data={"entry": entry.pk})
    return entry


def require_reason(text: str) -> str:
    """Return the reason a person gave for an act, cleaned; raise `Refused` without one."""
    reason = " ".join(text.split())
    if not reason:
        raise Refused("Say why: the players will read it in the log.")
    if len(reason) > MAX_REASON:
        raise Refused(f"A reason has at most {MAX_REASON} characters.")
    if not reason.isprintable():
        raise Refused("The reason holds a character that cannot be printed.")
    return reason
