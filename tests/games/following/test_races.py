"""People who follow in the same instant, by threads."""

from functools import partial

import pytest
from django.utils import timezone
from tests.games.racing import run_together

from diplomaccloud.games.following import actions
from diplomaccloud.games.following.actions import follow_game, follow_person, let_people_follow
from diplomaccloud.games.following.models import GameFollow, PersonFollow
from diplomaccloud.games.table.errors import Refused

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.every_database]


def following(cast, name):
    """Return a task: Charlie follows the person."""
    return partial(follow_person, user_id=cast.charlie, name=name, now=timezone.now())


def test_a_person_is_followed_once(cast):
    assert run_together(*[following(cast, "bob")] * 4) == [None] * 4
    assert PersonFollow.objects.filter(follower=cast.charlie, person=cast.bob).count() == 1


def test_a_game_is_followed_once(cast):
    watching = partial(follow_game, user_id=cast.charlie, slug=cast.slug, now=timezone.now())
    assert run_together(*[watching] * 4) == [None] * 4
    assert GameFollow.objects.filter(follower=cast.charlie, game=cast.game_id).count() == 1


def test_two_who_follow_each_other_wait_for_each_other_in_one_order(cast):
    back = partial(follow_person, user_id=cast.bob, name="charlie", now=timezone.now())
    assert run_together(following(cast, "bob"), back) == [None, None]
    assert PersonFollow.objects.count() == 2


def test_the_last_place_goes_to_one(cast, monkeypatch):
    monkeypatch.setattr(actions, "MAX_FOLLOWED", 1)
    answers = run_together(following(cast, "alice"), following(cast, "bob"))
    assert sorted(type(answer).__name__ for answer in answers) == ["NoneType", "WrongMoment"]
    assert PersonFollow.objects.filter(follower=cast.charlie).count() == 1


def test_who_refuses_followers_has_none_afterwards(cast):
    refusing = partial(let_people_follow, user_id=cast.bob, is_allowed=False)
    answer, refused = run_together(following(cast, "bob"), refusing)
    assert refused is None
    assert answer is None or isinstance(answer, Refused), answer
    assert not PersonFollow.objects.exists()
