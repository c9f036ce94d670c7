"""The outbox: events are written by actions and read by whoever tells people."""

import datetime as dt
import uuid
from collections.abc import Iterable

from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

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


def record_own(*, game: Game, kind: str, now: dt.datetime, seats: Iterable[Seat]) -> None:
    """Write an event for each of the seats, its own business, in the caller's transaction."""
    Event.objects.bulk_create(
        Event(game=game, seat=seat, kind=kind, key=f"{kind} {uuid.uuid4()}", created_at=now)
        for seat in seats
    )


def version_of(game_id: int) -> int:
    """Return how many public things have happened in the game.

    A count, not a key: gaps between keys would tell how often others save their orders.
    """
    return Event.objects.filter(game_id=game_id, seat=None).count()


def with_version(games: QuerySet[Game]) -> QuerySet[Game]:
    """Return `games`, each with what `version_of` says of it as its `version`."""
    public = Event.objects.filter(game=OuterRef("pk"), seat=None).order_by().values("game")
    counted = Subquery(public.annotate(number=Count("pk")).values("number"))
    return games.annotate(version=Coalesce(counted, 0))


def pulses(slugs: Iterable[str]) -> dict[str, dict[str, object]]:
    """Return the version, phase number and status of each game: all that a live stream tells."""
    public = Event.objects.filter(game=OuterRef("pk"), seat=None).order_by().values("game")
    phases = Phase.objects.filter(game=OuterRef("pk"), superseded_at=None).order_by("-sequence")
    rows = Game.objects.filter(slug__in=list(slugs)).values(
        "slug",
        "status",
        version=Subquery(public.annotate(number=Count("pk")).values("number")),
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
