"""How often something public has happened in a game, for pages that keep themselves up to date."""

from collections.abc import Collection

from django.db.models import OuterRef, Subquery

from diplomaccloud.games.models import Game, Phase


def version_of(game_id: int) -> int:
    """Return how many public events the game has had."""
    return Game.objects.values_list("version", flat=True).get(pk=game_id)


def pulses(slugs: Collection[str]) -> dict[str, dict[str, object]]:
    """Return the version, phase number and status of each game: all that a live stream sends.

    A version counts the public events; it is not a key, since gaps between keys would tell how
    often others save their orders.
    """
    newest = Phase.objects.filter(game=OuterRef("pk"), superseded_at=None).order_by("-sequence")
    games = Game.objects.filter(slug__in=slugs).order_by()
    rows = games.values_list("slug", "version", "status", Subquery(newest.values("sequence")[:1]))
    return {
        slug: {"version": version, "phase": phase or 0, "status": status}
        for slug, version, status, phase in rows
    }
