"""Whom and what a viewer follows, how many follow a game, and whom to tell of what happens.

A game whose names are hidden tells the followers of people nothing, and counts no followers.
"""

import datetime as dt
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from django.core import signing
from django.db.models import Count, Exists, OuterRef, QuerySet

from diplomaccloud.accounts.models import User
from diplomaccloud.accounts.screen_names import make_key
from diplomaccloud.games.following.models import GameFollow, PersonFollow, Unfollowable
from diplomaccloud.games.table.models import Game, Seat, Status
from diplomaccloud.games.table.read import Reader
from diplomaccloud.games.visibility.read import Viewer, is_masked, visible_games
from diplomaccloud.shared.prepared_queries import PreparedQuery


@dataclass(frozen=True, slots=True)
class FollowedPerson:
    """A person whom the viewer follows."""

    name: str
    since: dt.datetime


@dataclass(frozen=True, slots=True)
class FollowedGame:
    """A game that the viewer follows; `is_over` says that nothing more will happen in it."""

    slug: str
    world: str
    is_over: bool
    since: dt.datetime


@dataclass(frozen=True, slots=True)
class Following:
    """All that a viewer follows, newest first, and whether others may follow the viewer."""

    people: tuple[FollowedPerson, ...]
    games: tuple[FollowedGame, ...]
    is_open: bool


def list_following(viewer: Viewer) -> Following:
    """Return what the viewer follows, without games that the viewer can no longer see."""
    people = PersonFollow.objects.filter(follower=viewer.user_id).select_related("person")
    games = GameFollow.objects.filter(follower=viewer.user_id).order_by("-since_at", "-pk")
    since = dict(games.values_list("game", "since_at"))
    rows = {row.pk: row for row in visible_games(viewer).filter(pk__in=list(since)).order_by()}
    return Following(
        people=tuple(
            FollowedPerson(row.person.screen_name, row.since_at)
            for row in people.order_by("-since_at", "-pk")
        ),
        games=tuple(
            FollowedGame(row.slug, row.world, row.status == Status.FINISHED, at)
            for key, at in since.items()
            if (row := rows.get(key)) is not None
        ),
        is_open=not Unfollowable.objects.filter(user=viewer.user_id).exists(),
    )


def follows_person(viewer: Viewer, person_id: int) -> bool:
    """Return whether the viewer follows the person."""
    return viewer.user_id is not None and bool(_person.read(viewer.user_id, person_id))


def read_own_follow(reader: Reader) -> bool | None:
    """Return whether the viewer follows the game; None for one who cannot."""
    rows = reader.rows
    is_outside = not reader.has_seat and rows.game.master_id != rows.viewer.user_id
    is_public = (rows.is_forming or rows.is_running) and not rows.game.private
    is_public = is_public and rows.game.watchable
    if not (is_public and is_outside and reader.game.is_signed_in):
        return None
    return follows_game(rows.viewer, rows.game.pk)


def follows_game(viewer: Viewer, game_id: int) -> bool:
    """Return whether the viewer follows the game."""
    return viewer.user_id is not None and bool(_game.read(viewer.user_id, game_id))


_person = PreparedQuery(
    lambda user, person: PersonFollow.objects.filter(follower=user, person=person), int, int
)
_game = PreparedQuery(
    lambda user, game: GameFollow.objects.filter(follower=user, game=game), int, int
)


def count_followers(games: Collection[int]) -> dict[int, int]:
    """Return how many people follow each of the games, in two queries.

    It is 0 for games that not everyone may watch, and while the names in a game are hidden.
    """
    follows = GameFollow.objects.filter(game__in=games).order_by()
    counted = dict(follows.values_list("game").annotate(number=Count("pk")))
    rows = _select_public(list(counted)).only("status", "options")
    shown = {game.pk for game in rows if not is_masked(game)}
    return {game: counted[game] if game in shown else 0 for game in games}


# Whom to tell of what happens in a game. Notices are written in batches of followers: see
# `notices/followers.py`.


@dataclass(frozen=True, slots=True)
class Follower:
    """A follower of people in a game, with the keys of these people."""

    user: int
    people: tuple[int, ...]


def find_followed_games(games: Collection[int]) -> set[int]:
    """Return about which of the games somebody may have to get a notice, in one query."""
    if not games:
        return set()
    played = Seat.objects.filter(game=OuterRef(OuterRef("pk"))).exclude(user=None).values("user")
    watched = Exists(GameFollow.objects.filter(game=OuterRef("pk")))
    followed = watched | Exists(PersonFollow.objects.filter(person__in=played))
    return set(_select_public(games).filter(followed).values_list("pk", flat=True))


def list_game_followers(game_id: int, *, after: int, limit: int) -> list[int]:
    """Return the keys of people who follow the game, from the one after `after` on.

    There are none while not everyone may watch the game.
    """
    if not _select_public([game_id]).exists():
        return []
    rows = GameFollow.objects.filter(game=game_id, follower__gt=after).order_by("follower")
    return list(rows.values_list("follower", flat=True)[:limit])


def list_player_followers(game_id: int, *, after: int, limit: int) -> list[Follower]:
    """Return people who follow players of the game, by key, from the one after `after` on.

    There are none while not everyone may watch the game, or the names in it are hidden.
    """
    game = _select_public([game_id]).only("status", "options").first()
    if game is None or is_masked(game):
        return []
    players = Seat.objects.filter(game=game, user__isnull=False).values_list("user", flat=True)
    rows = PersonFollow.objects.filter(person__in=list(players), follower__gt=after)
    pairs = list(rows.order_by("follower", "person").values_list("follower", "person")[: limit + 1])
    found: dict[int, list[int]] = {}
    for follower, person in pairs:
        found.setdefault(follower, []).append(person)
    if len(pairs) > limit and len(found) > 1:
        # The last one may follow more of them: the next batch begins there.
        found.popitem()
    return [Follower(follower, tuple(followed)) for follower, followed in found.items()]


def name_followed(viewer: Viewer, people: Collection[int]) -> dict[int, str]:
    """Return the names of those of the people whom the viewer still follows, by key."""
    if not people:
        return {}
    rows = PersonFollow.objects.filter(follower=viewer.user_id, person__in=people)
    return {row.person_id: row.person.screen_name for row in rows.select_related("person")}


_UNFOLLOW_SALT: Final = "games.unfollow"


def make_unfollow_token(user: int, target: str) -> str:
    """Return the secret part of the address that ends a follow; it never expires.

    The target is `p` and the key of a person, or `g` and the key of a game.
    """
    return signing.dumps([user, target], salt=_UNFOLLOW_SALT)


def read_unfollow_token(token: str) -> tuple[int, str, int] | None:
    """Return the follower, `p` or `g`, and the key; None if the site did not create the token."""
    try:
        user, target = signing.loads(token, salt=_UNFOLLOW_SALT)
    except (signing.BadSignature, ValueError, TypeError):
        return None
    return user, target[:1], int(target[1:])


def find_person_key(name: str) -> int:
    """Return the key of the person with this name, or 0."""
    people = User.objects.filter(folded_name=make_key(name))
    return people.values_list("pk", flat=True).first() or 0


def find_game_key(slug: str, viewer: Viewer) -> tuple[int, str] | None:
    """Return the key and the name of a game that the viewer may see, or None."""
    return visible_games(viewer).filter(slug=slug).values_list("pk", "world").first()


def name_target(user: int, kind: str, key: int) -> str:
    """Return the name of the person or game that the person follows; blank if there is none."""
    viewer = Viewer(user)
    if kind == "p":
        return name_followed(viewer, [key]).get(key, "")
    if not follows_game(viewer, key):
        return ""
    return visible_games(viewer).filter(pk=key).values_list("world", flat=True).first() or ""


def _select_public(games: Collection[int]) -> QuerySet[Game]:
    return Game.objects.filter(pk__in=games, private=False, watchable=True).order_by()
