"""The public time of the last login: rounded so that it does not reveal the exact day."""

import datetime as dt

import pytest
import time_machine
from django.db.models import F
from django.test import Client

from diplomaccloud.accounts import login_sessions
from diplomaccloud.accounts.logins import describe_login, login_step
from diplomaccloud.accounts.models import User

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
        User.objects.create(username=f"person{number}", last_login=at)
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
        login_sessions._written.clear()
        with time_machine.travel(NOW + days * DAY, tick=False):
            page = client.get("/people/Alice/")
            assert page.context["person"].login == words
            assert page.context["person"].is_you == (days <= 26)
