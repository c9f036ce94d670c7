"""The outbox: events are written by actions and read by whoever tells people."""

import datetime as dt
import uuid
from collections.abc import Iterable

from django.db.models import Max, OuterRef, Subquery

from diplomaccloud.games.models import Event, Game, Phase, Seat


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

    The same `key` twice in one game is an error; leave it out for what may happen often.
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


def version_of(game_id: int) -> int:
    """Return a number that grows whenever something public happens in the game."""
    newest = Event.objects.filter(game_id=game_id, seat=None).aggregate(newest=Max("pk"))
    return newest["newest"] or 0


def pulses(slugs: Iterable[str]) -> dict[str, dict[str, object]]:
    """Return the version, phase number and status of each game: all that a live stream tells."""
    events = Event.objects.filter(game=OuterRef("pk"), seat=None).order_by("-pk")
    phases = Phase.objects.filter(game=OuterRef("pk")).order_by("-sequence")
    rows = Game.objects.filter(slug__in=list(slugs)).values(
        "slug",
        "status",
        version=Subquery(events.values("pk")[:1]),
        phase=Subquery(phases.values("sequence")[:1]),
    )
    return {
        row["slug"]: {
            "version": row["version"] or 0,
            "phase": row["phase"] or 0,
            "status": row["status"],
        }
        for row in rows
    }
