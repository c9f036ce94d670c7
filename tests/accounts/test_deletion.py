"""Deleting an account: what is deleted, what stays, and that the person cannot log in again."""

import datetime as dt
import io
import json
import random
import re
import zipfile
from concurrent.futures import ThreadPoolExecutor
from functools import partialmethod

import pytest
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.db import connection
from django.db.models import QuerySet
from django.test import Client
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from diplomaccloud.accounts.data_exports import write_export
from diplomaccloud.accounts.deletion import delete_account, erase_sessions, is_retired
from diplomaccloud.accounts.models import OutgoingMail, User
from diplomaccloud.games.lobby.actions import join_game
from diplomaccloud.games.people.actions import UNSEEN_WITHIN, leave_all_games, leave_unseen_game
from diplomaccloud.games.table.log_models import LogEntry
from diplomaccloud.games.table.models import Game, Seat, Status, Tenure
from diplomaccloud.games.visibility.read import Viewer
from diplomaccloud.notices.models import Destination
from diplomaccloud.press.conversations.actions import block_person, send_message
from diplomaccloud.press.conversations.read import PressReader
from diplomaccloud.press.personal.actions import send_personal
from diplomaccloud.press.table.addresses import NOTES, parse_address
from diplomaccloud.press.table.models import Block, Message

MINUTE = dt.timedelta(minutes=1)
PASSWORD = "a long enough word"


def say(cast, name, to, body, key):
    send_message(
        slug=cast.slug,
        user_id=cast.user_id(name),
        to=to,
        body=body,
        key=key * 32,
        now=timezone.now(),
    )


@pytest.fixture
def hidden(cast):
    """The game of Alice and Bob, as an anonymous game."""
    game = Game.objects.get()
    game.options = {**game.options.to_json(), "anonymous": True}
    game.save()
    return cast


def list_departures():
    """Return the moments at which seats in anonymous games will be left."""
    rows = DBTaskResult.objects.filter(task_path__endswith="leave_unseen_game")
    return rows.values_list("run_after", flat=True)


@pytest.fixture
def talked(cast):
    """The game of Alice and Bob, in which Bob has written a message and a note."""
    say(cast, "bob", parse_address("AUSTRIA"), "Hello, Austria.", "a")
    say(cast, "bob", NOTES, "A secret plan.", "b")
    send_personal(
        user_id=cast.bob, to="Alice", body="Psst, Alice.", key="c" * 32, now=timezone.now()
    )
    User.objects.filter(pk=cast.bob).update(email="bob@example.org", status="I am Bob.")
    block_person(user_id=cast.bob, name="Charlie", blocked=True, now=timezone.now())
    OutgoingMail.objects.create(
        kind="reset link",
        recipient="bob@example.org",
        user_id=cast.bob,
        origin="https://x.example",
        created_at=timezone.now(),
        due_at=timezone.now(),
    )
    Destination.objects.create(
        user_id=cast.bob,
        channel="email",
        address="bob@example.org",
        digest="x",
        origin="https://x.example",
        created_at=timezone.now(),
    )
    return cast


def test_a_deleted_account_leaves_its_games_and_messages_without_a_name(talked):
    cast = talked
    bob = cast.client("bob")
    forming = Game.objects.get()
    assert bob.get("/").status_code == 200
    delete_account(user_id=cast.bob, now=timezone.now())
    person = User.objects.get(pk=cast.bob)
    assert (person.screen_name, person.email, person.status) == ("deleted player", "", "")
    assert person.folded_name.startswith("deleted ")
    assert not person.has_usable_password()
    assert not OutgoingMail.objects.exists()
    assert not Destination.objects.exists()
    assert not Block.objects.exists()
    assert not Message.objects.filter(body__contains="secret").exists()
    # The game and the message stay; the seat is vacant, as after a resignation.
    seat = Seat.objects.get(game=forming, power="TURKEY")
    assert (seat.user_id, seat.vacated_at is not None) == (None, True)
    assert Tenure.objects.get(user=cast.bob).left == "resigned"
    facts = PressReader(cast.slug, Viewer(cast.alice)).conversation(parse_address("TURKEY"))
    (message,) = facts.messages
    assert (message.body, message.author.name) == ("Hello, Austria.", "deleted player")
    # So does a personal conversation, in the inbox of the other person.
    inbox = cast.client("alice").get("/messages/").content.decode()
    url = re.search(r"/messages/with/deleted[^\"]+", inbox)[0]
    page = cast.client("alice").get(url).content.decode()
    assert "Psst, Alice." in page
    assert "deleted player" in page
    assert "/people/deleted" not in page
    # No old session is logged in, and nobody can log in again.
    assert "account_login" not in bob.get("/").content.decode()
    assert b"Log in" in bob.get("/").content
    answer = Client().post("/accounts/login/", {"login": "Bob", "password": PASSWORD})
    assert answer.status_code == 200
    assert Client().get("/people/Bob/").status_code == 404
    sessions = Session.objects.count()
    erase_sessions.func(cast.bob)
    assert Session.objects.count() < sessions
    # A second deletion, e.g. by a page that was open, changes nothing.
    delete_account(user_id=cast.bob, now=timezone.now())
    assert User.objects.get(pk=cast.bob).deleted_at == person.deleted_at
    assert is_retired("bob")
    assert is_retired("B0b")
    signup = {"username": "Bob", "password1": PASSWORD}
    assert b"is taken" in Client().post("/accounts/signup/", signup).content


def test_the_page_explains_asks_for_the_password_and_offers_the_data(talked):
    bob = talked.client("bob")
    page = bob.get("/account/delete/").content.decode()
    for words in ("What is deleted", "What stays", "/account/export/", "vacant"):
        assert words in page
    for sent in ({}, {"password": PASSWORD}, {"agreed": "on", "password": "wrong"}):
        assert bob.post("/account/delete/", sent).status_code == 422
    assert User.objects.get(pk=talked.bob).deleted_at is None
    assert Client().post("/account/delete/", {"agreed": "on"}).status_code == 302
    archive = io.BytesIO()
    write_export(talked.bob, archive)
    files = zipfile.ZipFile(archive)
    names = {"account.json", "messages.jsonl", "maps.jsonl", "press.json", "notices.json"}
    names |= {"announcements.json", "following.json"}
    assert names < set(files.namelist())
    assert json.loads(files.read("account.json"))["email"] == "bob@example.org"
    messages = [json.loads(line) for line in files.read("messages.jsonl").splitlines()]
    assert {row["text"] for row in messages} == {
        "Hello, Austria.",
        "A secret plan.",
        "Psst, Alice.",
    }
    assert json.loads(files.read("press.json"))["blocked"] == ["Charlie"]
    (game,) = set(files.namelist()) - names
    assert json.loads(files.read(game))["country"] == "Turkey"
    done = bob.post("/account/delete/", {"agreed": "on", "password": PASSWORD})
    assert done.status_code == 303
    assert User.objects.get(pk=talked.bob).deleted_at


def test_games_of_a_creator_and_a_game_master_go_on_or_are_canceled(forming, plan):
    join_game(slug=forming.slug, user_id=forming.bob, now=timezone.now())
    leave_all_games(user_id=forming.bob, removed=False, now=timezone.now())
    assert Seat.objects.filter(user=forming.bob).count() == 0
    leave_all_games(user_id=forming.alice, removed=False, now=timezone.now())
    assert Game.objects.get().status == Status.CANCELED


def test_the_site_takes_over_from_a_game_master_who_leaves(table):
    leave_all_games(user_id=table.charlie, removed=False, now=timezone.now())
    assert Game.objects.get().master_id is None
    assert LogEntry.objects.filter(kind="master left").count() == 1
    assert leave_all_games(user_id=table.charlie, removed=False, now=timezone.now()) == 0


@pytest.mark.django_db(transaction=True)
def test_sessions_are_erased_while_other_people_log_in(monkeypatch):
    for user_id in (1, 2, 1, 1):
        SessionStore().create()
        session = SessionStore()
        session[SESSION_KEY] = str(user_id)
        session.create()
    decode = Session.get_decoded

    def decode_while_somebody_logs_in(session):
        with ThreadPoolExecutor(1) as pool:
            pool.submit(log_in).result()
        return decode(session)

    def log_in():
        SessionStore().create()
        connection.close()

    monkeypatch.setattr(Session, "get_decoded", decode_while_somebody_logs_in)
    # Read one row at a time, as if there were thousands.
    monkeypatch.setattr(QuerySet, "iterator", partialmethod(QuerySet.iterator, chunk_size=1))
    erase_sessions.func(1)
    monkeypatch.setattr(Session, "get_decoded", decode)
    people = [session.get_decoded().get(SESSION_KEY) for session in Session.objects.all()]
    assert [person for person in people if person] == ["2"]


def test_the_seat_in_an_anonymous_game_is_left_at_a_random_moment_by_a_task(hidden):
    now = timezone.now()
    draw = random.Random(1)
    for _ in range(2):  # as after a crash
        assert leave_all_games(user_id=hidden.bob, removed=False, now=now, rng=draw) == 1
    assert Seat.objects.get(power="TURKEY").user_id == hidden.bob
    assert not LogEntry.objects.filter(kind="left").exists()
    due = Game.objects.get().newest_phase().due_at
    moments = list(list_departures())
    assert len(set(moments)) == 2
    assert now < min(moments) < max(moments) < due <= now + UNSEEN_WITHIN
    # In a short phase, the seat is left before the phase ends.
    Game.objects.get().phases.update(due_at=now + MINUTE)
    leave_all_games(user_id=hidden.bob, removed=False, now=now, rng=draw)
    assert min(list_departures()) < now + MINUTE


def test_a_deleted_player_is_absent_from_an_anonymous_game_until_the_task_runs(hidden):
    delete_account(user_id=hidden.bob, now=timezone.now())
    assert Client().get("/people/Bob/").status_code == 404
    (row,) = DBTaskResult.objects.filter(task_path__endswith="leave_unseen_game")
    assert row not in DBTaskResult.objects.ready()
    assert Seat.objects.get(power="TURKEY").user_id == hidden.bob
    leave_unseen_game.func(*row.args_kwargs["args"], **row.args_kwargs["kwargs"])
    assert Seat.objects.get(power="TURKEY").vacated_at
    assert Tenure.objects.get(user=hidden.bob).left == "resigned"
    line = LogEntry.objects.get(kind="left")
    deleted = User.objects.get(pk=hidden.bob)
    assert line.at > deleted.deleted_at
    # A task that runs twice changes nothing.
    leave_unseen_game.func(hidden.bob, Game.objects.get().pk, removed=False)
    assert LogEntry.objects.filter(kind="left").count() == 1


def test_a_ban_that_is_overturned_in_time_leaves_the_player_in_an_anonymous_game(hidden):
    key = Game.objects.get().pk
    leave_unseen_game.func(hidden.bob, key, removed=True)
    assert Seat.objects.get(power="TURKEY").user_id == hidden.bob
    User.objects.filter(pk=hidden.bob).update(banned_at=timezone.now())
    leave_unseen_game.func(hidden.bob, key, removed=True)
    assert Tenure.objects.get(user=hidden.bob).left == "removed"


def test_the_game_master_of_an_anonymous_game_leaves_at_once(hidden):
    Game.objects.update(master=hidden.bob)
    leave_all_games(user_id=hidden.bob, removed=False, now=timezone.now())
    assert Game.objects.get().master_id is None
    assert Seat.objects.get(power="TURKEY").user_id == hidden.bob
