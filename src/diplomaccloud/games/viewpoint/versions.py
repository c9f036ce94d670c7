"""How often something public has happened in a game, for pages that keep themselves up to date."""

from collections.abc import Iterable

from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from diplomaccloud.games.models import Event, Game, Phase


def version_of(game_id: int) -> int:
    """Return how many public events the game has had.

    A count, not a key: gaps between keys would tell how often others save their orders.
    """
    return Event.objects.filter(game_id=game_id, seat=None).count()


def with_version(games: QuerySet[Game]) -> QuerySet[Game]:
    """Return `games`, each with its `version_of` as `version`."""
    public = Event.objects.filter(game=OuterRef("pk"), seat=None).order_by().values("game")
    counted = Subquery(public.annotate(number=Count("pk")).values("number"))
    return games.annotate(version=Coalesce(counted, 0))


def pulses(slugs: Iterable[str]) -> dict[str, dict[str, object]]:
    """Return the version, phase number and status of each game: all that a live stream sends."""
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
