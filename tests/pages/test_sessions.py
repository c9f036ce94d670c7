"""Visitors without stored data get no session, and expired sessions are deleted."""

import datetime as dt

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from diplomaccloud.worker import threads
from diplomaccloud.worker.threads import BackgroundThread, prune_sessions

PATHS = (
    "/",
    "/games/",
    "/games/quick/?map=standard",
    "/games/play/",
    "/games/new/",
    "/maps/",
    "/maps/new/",
    "/maps/import/",
    "/people/",
    "/people/Alice/",
    "/accounts/login/",
    "/accounts/signup/",
    "/accounts/logout/",
    "/accounts/password/reset/",
    "/accounts/password/reset/done/",
    "/nowhere/",
)


@pytest.mark.parametrize("path", PATHS)
def test_a_visitor_makes_no_session(cast, path):
    visitor = Client()
    for _ in range(2):
        assert visitor.get(path).status_code < 500
    page = cast.client("nobody").get(cast.url())
    assert page.status_code == 200
    assert not Session.objects.exists()


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("/games/quick/", {"map": "standard"}),
        ("/accounts/login/", {"login": "Alice", "password": "wrong"}),
        ("/accounts/signup/", {"username": "a"}),
        ("/accounts/password/reset/", {"email": "a@example.org"}),
        ("/accounts/logout/", {}),
    ],
)
def test_a_form_of_a_visitor_makes_no_session(cast, path, form):
    assert Client().post(path, form).status_code < 500
    assert not Session.objects.exists()


def make_sessions(count, *, expired):
    away = dt.timedelta(days=1)
    at = timezone.now() - away if expired else timezone.now() + away
    Session.objects.bulk_create(
        Session(session_key=f"{expired}{number}", session_data="", expire_date=at)
        for number in range(count)
    )


def test_expired_sessions_are_deleted_in_bounded_numbers(db, monkeypatch):
    monkeypatch.setattr(threads, "_SESSIONS_AT_ONCE", 3)
    make_sessions(7, expired=True)
    make_sessions(2, expired=False)
    assert [prune_sessions(now=timezone.now()) for _ in range(4)] == [3, 3, 1, 0]
    assert Session.objects.count() == 2


def test_the_worker_deletes_expired_sessions_round_by_round_once_a_day(db, monkeypatch):
    monkeypatch.setattr(threads, "_SESSIONS_AT_ONCE", 3)
    thread = BackgroundThread()
    make_sessions(4, expired=True)
    thread.run_once()
    assert Session.objects.count() == 1
    thread.run_once()
    assert not Session.objects.exists()
    make_sessions(1, expired=True)
    thread.run_once()
    assert Session.objects.exists()
