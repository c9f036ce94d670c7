"""Followers of games and people: who gets a notice of an event, in which words, until when."""

from email.header import decode_header, make_header

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone
from django_tasks_db.management.commands import db_worker
from tests.notices.steps import consume, deliver_all, process

from diplomaccloud.accounts.mail_queue import send_due_mail
from diplomaccloud.accounts.models import User
from diplomaccloud.games.following.actions import (
    follow_game,
    follow_person,
    unfollow_game,
    unfollow_person,
)
from diplomaccloud.games.following.models import GameFollow, PersonFollow
from diplomaccloud.games.lobby.actions import join_game, start_game
from diplomaccloud.games.results.actions import finish_game
from diplomaccloud.games.table.models import Game
from diplomaccloud.games.turn.claims import advance
from diplomaccloud.judge.results import Ending
from diplomaccloud.notices import followers
from diplomaccloud.notices.bell import list_notices
from diplomaccloud.notices.kinds import DIGEST_DELAY
from diplomaccloud.notices.models import Delivery, Notice
from diplomaccloud.worker.task_rows import run_waiting_tasks


@pytest.fixture(autouse=True)
def one_connection(monkeypatch):
    """Tasks run on the connection of the test."""
    monkeypatch.setattr(db_worker, "close_old_connections", lambda: None)


def follow(cast, who, name):
    follow_person(user_id=cast.user_id(who), name=name, now=timezone.now())


def watch(cast, who="charlie"):
    follow_game(user_id=cast.user_id(who), slug=cast.slug, now=timezone.now())


def work():
    consume()
    while run_waiting_tasks("notices"):
        pass


def begin(forming):
    now = timezone.now()
    join_game(slug=forming.slug, user_id=forming.bob, now=now, code="letmein222")
    start_game(slug=forming.slug, user_id=forming.alice, now=now)
    advance(game_id=forming.game_id, owner="test", now=now)


def finish():
    finish_game(Game.objects.get(), Ending(("AUSTRIA",), "They won."), timezone.now())


def titles(cast, who="charlie"):
    """Return the titles of a person's notices, oldest first."""
    lines = list_notices(cast.user_id(who), page=1, now=timezone.now()).lines
    return [line.text.title for line in reversed(lines)]


def test_followers_of_people_hear_of_the_start_and_the_end_alone(forming):
    follow(forming, "charlie", "Bob")
    begin(forming)
    work()
    assert titles(forming) == ["Bob started a game: Testland"]
    process(forming)
    work()
    finish()
    work()
    assert titles(forming)[1:] == ["Bob finished a game: Testland"]


def test_followers_of_a_game_hear_of_each_turn(forming):
    watch(forming)
    begin(forming)
    work()
    process(forming)
    work()
    finish()
    work()
    results = "Testland: results of Spring 1901, Movement"
    assert titles(forming) == ["Testland has started", results, "Testland is over"]


def test_one_notice_names_everybody_whom_a_person_follows(forming):
    watch(forming)
    follow(forming, "charlie", "Bob")
    follow(forming, "charlie", "Alice")
    begin(forming)
    work()
    assert titles(forming) == ["Alice and Bob started a game: Testland"]


def test_players_who_follow_each_other_get_their_own_notice_alone(forming):
    follow(forming, "alice", "Bob")
    begin(forming)
    work()
    assert titles(forming, "alice") == ["Testland has started"]


@pytest.mark.parametrize("change", ["anonymous", "private", "watched by players alone"])
def test_hidden_games_tell_followers_of_people_nothing(forming, agree, change):
    follow(forming, "charlie", "Bob")
    if change == "anonymous":
        agree(anonymous=True)
    elif change == "private":
        Game.objects.update(private=True)
    else:
        agree(watch="players")
    begin(forming)
    work()
    process(forming)
    work()
    assert titles(forming) == []
    finish()
    work()
    # Names are public once an anonymous game is over.
    over = ["Bob finished a game: Testland"] if change == "anonymous" else []
    assert titles(forming) == over


def test_a_game_that_is_no_longer_public_is_told_no_more(cast, agree):
    work()
    watch(cast)
    process(cast)
    agree(watch="players")
    work()
    assert not Notice.objects.filter(user=cast.charlie).exists()


@pytest.mark.parametrize("follows", ["game", "person"])
def test_whoever_unfollows_gets_nothing_that_waits(cast, add, follows):
    add("charlie", "email", "charlie@example.com")
    work()
    if follows == "game":
        watch(cast)
        process(cast)
    else:
        follow(cast, "charlie", "Bob")
        finish()
    work()
    assert Delivery.objects.filter(notice__user=cast.charlie, state="waiting").count() == 1
    unfollow_game(user_id=cast.charlie, game_id=cast.game_id)
    unfollow_person(user_id=cast.charlie, person_id=cast.bob)
    now = timezone.now() + DIGEST_DELAY
    deliver_all(now)
    send_due_mail(now=lambda: now)
    assert mail.outbox == []
    # The list of notices no longer names a person who is not followed.
    assert "Bob" not in titles(cast)[0]


@pytest.mark.parametrize("follows", ["game", "person"])
def test_the_mail_has_a_link_to_unfollow_that_needs_no_login(cast, add, follows):
    add("charlie", "email", "charlie@example.com")
    work()
    if follows == "game":
        watch(cast)
        process(cast)
    else:
        follow(cast, "charlie", "Bob")
        finish()
    work()
    now = timezone.now() + DIGEST_DELAY
    deliver_all(now)
    send_due_mail(now=lambda: now)
    (message,) = mail.outbox
    line = next(line for line in message.body.splitlines() if "/following/stop/" in line)
    path = line.removeprefix("https://games.example")
    visitor = Client(enforce_csrf_checks=True)
    assert visitor.get(path).status_code == 200
    rows = GameFollow if follows == "game" else PersonFollow
    assert rows.objects.exists()
    assert visitor.post(path).status_code == 200
    assert not rows.objects.exists()
    assert visitor.get(path).status_code == 200
    assert visitor.post(path[:-2] + "x/").status_code == 404


def test_followers_are_told_in_batches_and_the_events_cost_the_same(cast, monkeypatch):
    monkeypatch.setattr(followers, "BATCH", 2)
    work()
    crowd = User.objects.bulk_create(User(username=f"crowd{number}") for number in range(5))
    now = timezone.now()
    GameFollow.objects.bulk_create(
        GameFollow(follower=one, game_id=cast.game_id, since_at=now) for one in crowd
    )
    PersonFollow.objects.bulk_create(
        PersonFollow(follower=one, person_id=key, since_at=now)
        for one in crowd[:3]
        for key in (cast.alice, cast.bob)
    )
    finish()
    work()
    told = Notice.objects.filter(user__in=crowd).order_by("user")
    kinds = ["followed person"] * 3 + ["followed game"] * 2
    assert list(told.values_list("user", "kind")) == [
        (one.pk, kind) for one, kind in zip(crowd, kinds, strict=True)
    ]
    assert all(len(row.followed) == 2 for row in told[:3])
    Notice.objects.all().delete()
    # If a task runs twice, nobody gets two notices.
    for _ in range(2):
        followers.tell_followers.enqueue(
            cast.game_id, "finished 0", "finished", "", now.isoformat(), of_people=False
        )
        work()
    assert Notice.objects.filter(user__in=crowd).count() == 5


def test_a_subject_isolates_a_name_written_from_right_to_left(cast, add):
    name = "\u05d3\u05e0\u05d9\u05d0\u05dc"
    add("charlie", "email", "charlie@example.com")
    work()
    bob = User.objects.get(pk=cast.bob)
    bob.username = name
    bob.save()
    follow(cast, "charlie", name)
    finish()
    work()
    now = timezone.now() + DIGEST_DELAY
    deliver_all(now)
    send_due_mail(now=lambda: now)
    (message,) = mail.outbox
    assert message.subject == f"\u2068{name}\u2069 finished a game: Testland"
    headers = message.message()
    assert headers["Subject"].isascii()
    assert str(make_header(decode_header(headers["Subject"]))) == message.subject
