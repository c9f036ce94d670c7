"""The public time of the last login: rounded so that it does not reveal the exact day."""

import datetime as dt
from importlib import import_module

import pytest
import time_machine
from django.apps import apps
from django.db.models import F
from django.test import Client

from diplomaccloud.accounts import sessions
from diplomaccloud.accounts.backends import BACKEND
from diplomaccloud.accounts.guests import create_guest
from diplomaccloud.accounts.models import User
from diplomaccloud.accounts.people import describe_login, login_step, record_return

NOW = dt.datetime(2026, 5, 20, 13, 30, tzinfo=dt.UTC)
DAY = dt.timedelta(days=1)
RECENTLY, MAY, APRIL = "in the last two weeks", "in May 2026", "in April 2026"
CASES = [
    ("a minute ago", NOW - DAY / 1440, RECENTLY),
    ("yesterday", NOW - DAY, RECENTLY),
    ("fourteen days ago to the second", NOW - 14 * DAY, RECENTLY),
    ("in the first second of that day", dt.datetime(2026, 5, 6, tzinfo=dt.UTC), RECENTLY),
    ("a second before it", dt.datetime(2026, 5, 5, 23, 59, 59, tzinfo=dt.UTC), MAY),
    ("in the first second of the month", dt.datetime(2026, 5, 1, tzinfo=dt.UTC), MAY),
    ("a second before it", dt.datetime(2026, 4, 30, 23, 59, 59, tzinfo=dt.UTC), APRIL),
    ("a year ago", NOW - 365 * DAY, "in May 2025"),
    ("never", None, ""),
]


@pytest.mark.parametrize(("at", "words"), [case[1:] for case in CASES], ids=[c[0] for c in CASES])
def test_a_login_is_described_in_words(at, words):
    assert describe_login(at, now=NOW) == words


def test_lists_are_sorted_by_the_step_alone(db):
    for number, (_, at, _) in enumerate(CASES):
        User.objects.create(username=f"person{number}", last_login=at, login_before=at)
    steps = User.objects.annotate(step=login_step(now=NOW))
    rows = steps.order_by(F("step").desc(nulls_last=True), "pk").values_list("step", "last_login")
    descriptions = [describe_login(at, now=NOW) for _, at in rows]
    assert descriptions == [words for _, _, words in CASES]
    assert len({step for step, _ in rows}) == len(set(descriptions)) == 5


def test_using_a_session_counts_as_a_login(people):
    """Otherwise the page would reveal the day when a daily player logs in again."""
    client = Client()
    with time_machine.travel(NOW, tick=False):
        client.post("/accounts/login/", {"login": "Alice", "password": "a long enough word"})
    for days, words in ((1, RECENTLY), (13, RECENTLY), (26, RECENTLY), (41, "in June 2026")):
        sessions._written.clear()
        with time_machine.travel(NOW + days * DAY, tick=False):
            page = client.get("/people/Alice/")
            assert page.context["person"].login == words
            assert page.context["person"].is_you == (days <= 26)


MIDNIGHT = dt.datetime(2026, 5, 21, tzinfo=dt.UTC)


def look(at):
    """Return how everyone sees Alice's last login, and in which order people are listed."""
    with time_machine.travel(at, tick=False):
        page = Client().get("/people/?order=login").context["page"].people
        own = Client().get("/people/Alice/").context["person"]
        answer = Client().get("/api/v1/people?order=login").json()["people"]
    rows = [(row["name"], row["seen"]) for row in answer]
    assert rows == [(person.name, person.login) for person in page]
    assert dict(rows)["Alice"] == own.login
    return rows


@pytest.mark.parametrize("before", [None, NOW - 40 * DAY])
@pytest.mark.parametrize("how", ["logging in", "using a session"])
def test_who_comes_back_moves_up_at_midnight(people, how, before):
    rows = User.objects.filter(username="Alice")
    rows.update(last_login=before, login_before=before)
    User.objects.filter(username="Bob").update(last_login=NOW - 2 * DAY)
    seen = look(NOW)
    assert seen[0] == ("Bob", RECENTLY)
    if how == "logging in":
        with time_machine.travel(NOW, tick=False):
            sent = {"login": "Alice", "password": "a long enough word"}
            for _ in range(2):
                Client().post("/accounts/login/", sent)
    elif before is None:
        pytest.skip("A person with a session has logged in.")
    else:
        record_return(rows.get(), now=NOW)
    assert rows.get().last_login == NOW
    assert look(NOW) == look(MIDNIGHT - DAY / 86_400) == seen
    assert look(MIDNIGHT)[:2] == [("Alice", RECENTLY), ("Bob", RECENTLY)]
    # The next visit changes nothing.
    record_return(rows.get(), now=MIDNIGHT + DAY / 2)
    assert look(MIDNIGHT + DAY / 2) == look(MIDNIGHT)


def test_who_signs_up_is_listed_with_a_login_at_once(db):
    sent = {"username": "Zoe", "password1": "a long enough word"}
    with time_machine.travel(NOW, tick=False):
        guest = Client()
        row = create_guest("of the test", now=NOW - 100 * DAY)
        guest.force_login(row, backend=BACKEND)
        User.objects.update(last_login=NOW - 100 * DAY)
        for client, name in ((Client(), "Zoe"), (guest, "Yves")):
            client.post("/accounts/signup/", {**sent, "username": name})
            assert client.get(f"/people/{name}/").context["person"].login == RECENTLY


def test_sign_ups_are_known_and_sorted_by_the_second(db):
    at = NOW.replace(microsecond=654_321)
    for name, later in (("Cy", 0), ("Abe", 1), ("Bea", 2), ("Dot", -2_000_000)):
        User.objects.create_user(name, date_joined=at + dt.timedelta(microseconds=later))
    rows = Client().get("/api/v1/people?order=newest").json()["people"]
    assert [row["name"] for row in rows] == ["Cy", "Bea", "Abe", "Dot"]
    assert {row["since"] for row in rows[:3]} == {"2026-05-20T13:30:00Z"}
    assert User.objects.get(username="Cy").date_joined == NOW


def test_a_guest_who_signs_up_is_no_older_than_the_account(db):
    with time_machine.travel(NOW, tick=False):
        guest = Client()
        guest.force_login(create_guest("of the test", now=NOW - DAY), backend=BACKEND)
        User.objects.create_user("Bea", date_joined=NOW - DAY / 2)
        guest.post("/accounts/signup/", {"username": "Zoe", "password1": "a long enough word"})
        rows = Client().get("/people/?order=newest").context["page"].people
    assert [person.name for person in rows] == ["Zoe", "Bea"]


def test_the_migration_fills_what_is_shown_of_older_rows(people):
    at = NOW.replace(microsecond=654_321)
    User.objects.all().update(last_login=at, login_before=None, date_joined=at)
    import_module("diplomaccloud.accounts.migrations.0016_shown_times").fill_times(apps, None)
    shown = set(User.objects.values_list("login_before", "date_joined"))
    assert shown == {(at, NOW)}
