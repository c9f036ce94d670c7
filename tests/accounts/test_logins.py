"""When somebody logged in last, as everybody may know it: by steps that tell of no day."""

import datetime as dt

import pytest
import time_machine
from django.conf import settings
from django.db.models import F
from django.test import Client

from diplomaccloud.accounts.logins import RECENT, login_in_words, login_step
from diplomaccloud.accounts.models import User

NOW = dt.datetime(2026, 5, 20, 13, 30, tzinfo=dt.UTC)
DAY = dt.timedelta(days=1)
LATELY, MAY, APRIL = "in the last two weeks", "in May 2026", "in April 2026"
CASES = [
    ("a minute ago", NOW - DAY / 1440, LATELY),
    ("yesterday", NOW - DAY, LATELY),
    ("fourteen days ago to the second", NOW - 14 * DAY, LATELY),
    ("in the first second of that day", dt.datetime(2026, 5, 6, tzinfo=dt.UTC), LATELY),
    ("a second before it", dt.datetime(2026, 5, 5, 23, 59, 59, tzinfo=dt.UTC), MAY),
    ("in the first second of the month", dt.datetime(2026, 5, 1, tzinfo=dt.UTC), MAY),
    ("a second before it", dt.datetime(2026, 4, 30, 23, 59, 59, tzinfo=dt.UTC), APRIL),
    ("a year ago", NOW - 365 * DAY, "in May 2025"),
    ("never", None, ""),
]


@pytest.mark.parametrize(("at", "words"), [case[1:] for case in CASES], ids=[c[0] for c in CASES])
def test_it_is_said_in_words(at, words):
    assert login_in_words(at, now=NOW) == words


def test_lists_are_sorted_by_what_is_said_and_by_nothing_else(db):
    for number, (_, at, _) in enumerate(CASES):
        User.objects.create(username=f"person{number}", last_login=at)
    steps = User.objects.annotate(step=login_step(now=NOW))
    rows = steps.order_by(F("step").desc(nulls_last=True), "pk").values_list("step", "last_login")
    told = [login_in_words(at, now=NOW) for _, at in rows]
    assert told == [words for _, _, words in CASES]
    assert len({step for step, _ in rows}) == len(set(told)) == 5


def test_whoever_is_logged_in_has_logged_in_within_the_two_weeks(people):
    """Else it could be seen on which day somebody comes who plays every day."""
    assert dt.timedelta(seconds=settings.SESSION_COOKIE_AGE) <= RECENT
    client = Client()
    with time_machine.travel(NOW, tick=False):
        client.post("/accounts/login/", {"login": "Alice", "password": "a long enough word"})
    for days, words in ((1, LATELY), (13, LATELY), (15, MAY), (30, MAY)):
        with time_machine.travel(NOW + days * DAY, tick=False):
            page = client.get("/people/Alice/")
            assert page.context["person"].login == words
            assert page.context["person"].is_you == (days < 14)
