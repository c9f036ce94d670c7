"""Who looks at games, and which of them a viewer may see."""

import secrets
from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet

from diplomaccloud.accounts.models import User
from diplomaccloud.games.models import Game, Invitation, Seat, Status, Tenure
from diplomaccloud.games.options.options import Watch


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks: a user's key, or None for whoever has not logged in."""

    user_id: int | None


def viewer_of(user: User | AnonymousUser) -> Viewer:
    """Return the viewer that `user` is."""
    return Viewer(user.pk if user.is_authenticated else None)


def visible_games(viewer: Viewer) -> QuerySet[Game]:
    """Return the games the viewer may see, maps' texts left out.

    Those that are public, unless only players watch them; one's own, also once one has left
    them: what one played, and the receipts for it, can be looked at for ever; and those one is
    invited to, while they form.
    """
    watched = Q(options__watch=Watch.ANYONE.value) | Q(status=Status.FORMING)
    visible = Q(private=False) & watched
    if viewer.user_id is not None:
        visible |= Q(pk__in=Seat.objects.filter(user=viewer.user_id).values("game"))
        visible |= Q(pk__in=Tenure.objects.filter(user=viewer.user_id).values("seat__game"))
        visible |= Q(creator=viewer.user_id) | Q(master=viewer.user_id)
        asked = Invitation.objects.filter(user=viewer.user_id, withdrawn_at=None)
        visible |= Q(status=Status.FORMING, pk__in=asked.values("game"))
    games = Game.objects.filter(visible)
    return games.select_related("chart", "creator", "master").defer("chart__text")


def invited_games(viewer: Viewer) -> list[int]:
    """Return the keys of the games that the viewer is invited to."""
    mine = Invitation.objects.filter(user=viewer.user_id, withdrawn_at=None)
    return list(mine.exclude(user=None).values_list("game_id", flat=True))


def may_see(slug: str, viewer: Viewer) -> bool:
    """Return whether there is such a game and the viewer may see it."""
    return visible_games(viewer).filter(slug=slug).exists()


def opens(slug: str, code: str) -> bool:
    """Return whether the code lets somebody see the game who could not see it otherwise."""
    return game_by_code(slug, code) is not None


def game_by_code(slug: str, code: str) -> Game | None:
    """Return the game that somebody knows the code of, while there is a seat to be had in it."""
    games = Game.objects.select_related("chart", "creator", "master").defer("chart__text")
    vacant = Seat.objects.exclude(vacated_at=None).values("game")
    free = Q(status=Status.FORMING) | Q(status=Status.RUNNING, pk__in=vacant)
    game = games.filter(free, slug=slug).first()
    if game is None or not secrets.compare_digest(code.encode(), game.code.encode()):
        return None
    return game
