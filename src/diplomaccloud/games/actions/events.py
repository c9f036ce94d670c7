"""Writing the events of a game: rows that record what happened in it."""

import datetime as dt
import uuid
from collections.abc import Iterable

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
    """Write one event in the caller's transaction.

    The same `key` twice in one game is an error; leave it out for events that may repeat.
    Without `seat` the event is public, so `data` must hold nothing secret.
    """
    Event.objects.create(
        game=game,
        seat=seat,
        kind=kind,
        key=key or f"{kind} {uuid.uuid4()}",
        data=data or {},
        created_at=now,
    )


def record_own(*, game: Game, kind: str, now: dt.datetime, seats: Iterable[Seat]) -> None:
    """Write a private event for each of the seats, in the caller's transaction."""
    Event.objects.bulk_create(
        Event(game=game, seat=seat, kind=kind, key=f"{kind} {uuid.uuid4()}", created_at=now)
        for seat in seats
    )
