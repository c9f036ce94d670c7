"""Finding a person's own games, without reading more of them than are shown."""

from collections.abc import Collection
from functools import cache
from typing import Any

from django.db.models import IntegerField, QuerySet, Value

from diplomaccloud.games.models import Game, Invitation, Seat, Status
from diplomaccloud.games.viewpoint.visibility import Viewer
from diplomaccloud.shared.prepared_queries import PreparedQuery

_MAX_UNFINISHED = 40
"""A person with more unfinished games than this sees only the newest."""
_PLAYED, _INVITED = 1, 2


def find_own_games(viewer: Viewer, finished_size: int) -> tuple[list[int], Collection[int]]:
    """Return the keys of the viewer's games, and which of them are invitations.

    They are up to `_MAX_UNFINISHED` games that the viewer plays in, runs as game master, or is
    invited to, and the last finished games.
    """
    if viewer.user_id is None:
        return [], ()
    played, invited = _find_unfinished(viewer.user_id)
    unfinished = sorted(played | invited, reverse=True)[:_MAX_UNFINISHED]
    return [*unfinished, *_newest_finished(finished_size).read(viewer.user_id)], invited - played


def _select_unfinished(user: int) -> QuerySet[Any, tuple[int, int]]:
    seats = Seat.objects.filter(user=user, finished_at=None).order_by()
    unfinished = [Status.FORMING, Status.RUNNING]
    mastered = Game.objects.filter(master=user, status__in=unfinished).order_by()
    guests = Invitation.objects.filter(user=user, withdrawn_at=None, game__status=Status.FORMING)
    found = [
        rows.annotate(how=Value(how, IntegerField())).values_list(key, "how")
        for rows, key, how in (
            (seats, "game", _PLAYED),
            (mastered, "pk", _PLAYED),
            (guests.order_by(), "game", _INVITED),
        )
    ]
    return found[0].union(*found[1:])


_unfinished = PreparedQuery(_select_unfinished, int)


def _find_unfinished(user: int) -> tuple[set[int], set[int]]:
    played: set[int] = set()
    invited: set[int] = set()
    for key, how in _unfinished.read(user):
        (played if how == _PLAYED else invited).add(key)
    return played, invited


@cache
def _newest_finished(size: int) -> PreparedQuery[int]:
    return PreparedQuery(lambda user: _select_finished(user)[:size], int)


def _select_finished(user: int) -> QuerySet[Seat, int]:
    seats = Seat.objects.filter(user=user).exclude(finished_at=None)
    return seats.order_by("-finished_at", "-pk").values_list("game", flat=True)
