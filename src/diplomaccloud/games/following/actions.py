"""Starting and ending to follow, refusing followers, and what an account does with all this.

The person who is followed learns nothing of it. Nobody learns whether a block or the setting
refuses a follower, because both refuse with the same sentence and end what began before.
"""

import datetime as dt
import json
from collections.abc import Iterator
from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.module_loading import import_string

from diplomaccloud.accounts.deletion import AccountPart, ExportFile
from diplomaccloud.accounts.models import User
from diplomaccloud.accounts.people import lock_people
from diplomaccloud.accounts.screen_names import isolate, make_key
from diplomaccloud.games.following.models import GameFollow, PersonFollow, Unfollowable
from diplomaccloud.games.following.wording import (
    ALREADY_TOLD,
    GAME_OVER,
    GUEST,
    NOBODY,
    NOT_YOURSELF,
    REFUSES,
    TOO_MANY,
)
from diplomaccloud.games.table.errors import NoSuchGame, NoSuchPlayer, Refused, WrongMoment
from diplomaccloud.games.table.models import Game, Seat, Status
from diplomaccloud.games.table.transactions import atomic_with_retries

MAX_FOLLOWED: Final = 200
"""How many people a person can follow, and how many games."""


@atomic_with_retries
def follow_person(*, user_id: int, name: str, now: dt.datetime) -> None:
    """Follow the person called `name`; nothing happens if the follower already does.

    Raises `NoSuchPlayer` for an unknown name, and `Refused` for a guest, for oneself, for a person
    who refuses followers or blocks this one, and for too many.
    """
    people = User.objects.filter(folded_name=make_key(name), guest__in=[False], is_active=True)
    person = people.first()
    if person is None:
        raise NoSuchPlayer(NOBODY)
    if person.pk == user_id:
        raise Refused(NOT_YOURSELF)
    follower = lock_people(user_id, person.pk)[user_id]
    if follower.guest:
        raise Refused(GUEST)
    bars = (import_string(path) for path in settings.FOLLOW_BARS)
    is_refused = Unfollowable.objects.filter(user=person).exists()
    if is_refused or any(bar(person.pk, user_id) for bar in bars):
        raise Refused(REFUSES.format(name=isolate(person.screen_name)))
    _require_room(PersonFollow, user_id)
    PersonFollow.objects.get_or_create(
        follower_id=user_id, person=person, defaults={"since_at": now}
    )


@atomic_with_retries
def unfollow_person(*, user_id: int, person_id: int) -> None:
    """No longer follow the person; nothing happens if the follower does not."""
    lock_people(user_id, person_id)
    PersonFollow.objects.filter(follower=user_id, person=person_id).delete()


@atomic_with_retries
def follow_game(*, user_id: int, slug: str, now: dt.datetime) -> None:
    """Follow a public game that everyone may watch; nothing happens if the follower already does.

    Raises `NoSuchGame` for every other game, and `Refused` for a guest, for a game that is over,
    for its players and master, and for too many.
    """
    games = Game.objects.filter(private=False, watchable=True).exclude(status=Status.CANCELED)
    game = games.filter(slug=slug).first()
    if game is None:
        raise NoSuchGame
    if game.status == Status.FINISHED:
        raise WrongMoment(GAME_OVER)
    if game.master_id == user_id or Seat.objects.filter(game=game, user=user_id).exists():
        raise Refused(ALREADY_TOLD)
    if lock_people(user_id)[user_id].guest:
        raise Refused(GUEST)
    _require_room(GameFollow, user_id)
    GameFollow.objects.get_or_create(follower_id=user_id, game=game, defaults={"since_at": now})


@atomic_with_retries
def unfollow_game(*, user_id: int, game_id: int) -> None:
    """No longer follow the game; nothing happens if the follower does not."""
    lock_people(user_id)
    GameFollow.objects.filter(follower=user_id, game=game_id).delete()


@atomic_with_retries
def let_people_follow(*, user_id: int, is_allowed: bool) -> None:
    """Allow followers, or refuse them; those that the person has are then gone."""
    lock_people(user_id)
    if is_allowed:
        Unfollowable.objects.filter(user=user_id).delete()
    else:
        Unfollowable.objects.get_or_create(user_id=user_id)
        PersonFollow.objects.filter(person=user_id).delete()


def _require_room(rows: type[models.Model], user_id: int) -> None:
    if rows._default_manager.filter(follower=user_id).count() >= MAX_FOLLOWED:
        raise WrongMoment(TOO_MANY.format(most=MAX_FOLLOWED))


def _erase(user_id: int, _now: dt.datetime) -> None:
    PersonFollow.objects.filter(Q(follower=user_id) | Q(person=user_id)).delete()
    GameFollow.objects.filter(follower=user_id).delete()
    Unfollowable.objects.filter(user=user_id).delete()


def _export(user_id: int) -> Iterator[ExportFile]:
    people = PersonFollow.objects.filter(follower=user_id).order_by("pk").select_related("person")
    games = GameFollow.objects.filter(follower=user_id).order_by("pk")
    content = {
        "people": [
            {"name": row.person.screen_name, "since": row.since_at.isoformat()} for row in people
        ],
        "games": [
            {"game": slug, "since": since_at.isoformat()}
            for slug, since_at in games.values_list("game__slug", "since_at")
        ],
        "others_may_follow": not Unfollowable.objects.filter(user=user_id).exists(),
    }
    text = json.dumps(content, ensure_ascii=False, indent=2)
    yield ExportFile("following.json", iter([text]))


PART = AccountPart(_erase, None, _export)
"""Listed in `settings.ACCOUNT_PARTS`."""
