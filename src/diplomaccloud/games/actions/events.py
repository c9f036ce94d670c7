"""Writing the events of a game: rows that record what happened in it."""

import datetime as dt
import uuid
from collections.abc import Iterable

from diplomaccloud.games.actions.pending import add_events
from diplomaccloud.games.models import Event, Game, Seat


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
