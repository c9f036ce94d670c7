"""The list of sessions, and ending them."""

import datetime as dt
import time
from types import SimpleNamespace

import pytest
import time_machine
from django.conf import settings
from django.contrib.sessions.models import Session
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from diplomaccloud.accounts import sessions as login_sessions
from diplomaccloud.accounts.backends import BACKEND
from diplomaccloud.accounts.deletion import delete_account
from diplomaccloud.accounts.guests import create_guest
from diplomaccloud.accounts.models import LoginSession, User
from diplomaccloud.accounts.sessions import (
    CHALLENGE_SECONDS,
    UNKNOWN,
    describe_device,
    prune_login_sessions,
    renew_session,
)
from diplomaccloud.api.tokens import Scope, make_token
from diplomaccloud.worker.threads import prune_sessions

PAGE = "/account/sessions/"
NOW = dt.datetime(2026, 5, 20, 11, tzinfo=dt.UTC)
PASSWORD = "a long enough word"
PHONE = (
    "Mozilla/5.0 (Linux; Android 16; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 "
    "Mobile Safari/537.36"
)
DESK = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0"


def log_in(device):
    client = Client(headers={"user-agent": device})
    client.post("/accounts/login/", {"login": "Alice", "password": PASSWORD})
    return client


def is_logged_in(client):
    return client.get(PAGE).status_code == 200


@pytest.fixture
def alice(people):
    login_sessions._written.clear()
    return User.objects.get(username="Alice")


@pytest.fixture
def phone(alice):
    return log_in(PHONE)


@pytest.fixture
def desk(alice):
    return log_in(DESK)


def test_the_page_lists_devices_and_the_last_use(phone, desk):
    seen = dt.datetime(2026, 5, 4, 3, 2, tzinfo=dt.UTC)
    LoginSession.objects.filter(device="Chrome on Android").update(seen_at=seen)
    page = desk.get(PAGE).content.decode()
    assert page.index("Firefox on Windows") < page.index("this device")
    assert page.index("this device") < page.index("Chrome on Android")
    assert "used in the last hour." in page
    assert (
        'last used within an hour after <own-time><time datetime="2026-05-04T03:02:00+00:00">'
        in page
    )
    assert "May 4, 2026, 03:02 UTC" in page


def test_only_with_other_sessions_is_there_a_button_that_ends_them(phone):
    assert "Log out everywhere else" not in phone.get(PAGE).content.decode()
    log_in(DESK)
    assert "Log out everywhere else" in phone.get(PAGE).content.decode()


def test_the_session_of_a_challenge_for_a_passkey_ends_soon(alice):
    client = Client(headers={"x-requested-with": "XMLHttpRequest"})
    assert "request_options" in client.get("/accounts/two-factor/webauthn/login/").json()
    assert client.session.get_expiry_age() == CHALLENGE_SECONDS
    client.get("/accounts/two-factor/webauthn/login/")
    assert client.session.get_expiry_age() == CHALLENGE_SECONDS
    client.force_login(alice, backend=BACKEND)
    assert client.session.get_expiry_age() > 100 * CHALLENGE_SECONDS


def test_one_session_can_be_ended(phone, desk):
    key = LoginSession.objects.get(device="Chrome on Android").pk
    assert desk.post(PAGE, {"end": key}).status_code == 303
    assert not is_logged_in(phone)
    assert is_logged_in(desk)
    assert desk.post(PAGE, {"end": key}).status_code == 303


def test_nobody_can_end_the_session_of_another_person(phone):
    bob = Client()
    bob.post("/accounts/login/", {"login": "Bob", "password": PASSWORD})
    bob.post(PAGE, {"end": LoginSession.objects.get(device="Chrome on Android").pk})
    assert is_logged_in(phone)
    for nonsense in ("", "x", "9" * 30):
        assert bob.post(PAGE, {"end": nonsense}).status_code == 303


def test_all_other_sessions_can_be_ended_at_once_also_those_without_a_row(alice, phone, desk):
    old = Client()
    old.force_login(alice, backend=BACKEND)
    LoginSession.objects.exclude(device="Firefox on Windows").delete()
    assert desk.post(PAGE, {"end": "others"}).status_code == 303
    assert is_logged_in(desk)
    assert not is_logged_in(phone)
    assert not is_logged_in(old)
    assert [row.device for row in LoginSession.objects.all()] == ["Firefox on Windows"]
    assert is_logged_in(log_in(PHONE))


def test_a_new_password_ends_the_other_sessions(phone, desk):
    new = "another long enough word"
    sent = {"oldpassword": PASSWORD, "password1": new, "password2": new}
    desk.post("/accounts/password/change/", sent)
    assert is_logged_in(desk)
    assert not is_logged_in(phone)
    assert desk.get(PAGE).content.decode().count("panel access") == 1


def test_a_session_from_before_the_list_is_listed_when_it_is_used(alice):
    old = Client(headers={"user-agent": DESK})
    old.force_login(alice, backend=BACKEND)
    LoginSession.objects.all().delete()
    login_sessions._written.clear()
    old.get("/people/")
    assert "Firefox on Windows" in old.get(PAGE).content.decode()


def test_reading_pages_writes_the_last_use_once_an_hour(phone):
    row = LoginSession.objects.get()
    for _ in range(3):
        phone.get("/people/")
    assert LoginSession.objects.get().seen_at == row.seen_at
    before = row.seen_at - dt.timedelta(hours=2)
    LoginSession.objects.update(seen_at=before)
    login_sessions._written.clear()
    phone.get("/people/")
    assert LoginSession.objects.get().seen_at > before


def test_a_use_is_saved_an_hour_after_the_one_that_another_process_saved(phone):
    LoginSession.objects.update(seen_at=timezone.now() - dt.timedelta(minutes=40))
    login_sessions._written.clear()
    phone.get("/people/")
    (when,) = login_sessions._written.values()
    assert time.monotonic() < when <= time.monotonic() + 20 * 60


def test_api_tokens_are_listed_beside(alice, phone):
    make_token(
        user_id=alice.pk,
        name="My bot",
        scopes=[Scope.READ],
        life=dt.timedelta(days=7),
        now=timezone.now(),
    )
    assert "<bdi>My bot</bdi>" in phone.get(PAGE).content.decode()


def test_guests_and_strangers_have_no_list(db):
    assert Client().get(PAGE).url.startswith("/accounts/login/")
    guest = Client()
    guest.force_login(create_guest("of the test", now=timezone.now()), backend=BACKEND)
    assert not LoginSession.objects.exists()
    assert guest.get(PAGE).url.startswith("/accounts/signup/")


def test_a_banned_person_can_still_log_out_everywhere(alice, phone, desk):
    User.objects.filter(pk=alice.pk).update(banned_at=timezone.now())
    assert desk.post(PAGE, {"end": "others"}).status_code == 303
    assert not is_logged_in(phone)


def test_old_rows_and_those_of_a_deleted_account_go(alice, phone, desk):
    old = timezone.now() - dt.timedelta(days=366)
    LoginSession.objects.filter(device="Chrome on Android").update(seen_at=old)
    assert prune_login_sessions(now=timezone.now()) == 1
    delete_account(user_id=alice.pk, now=timezone.now())
    assert not LoginSession.objects.exists()


def visit(client, at, path="/people/"):
    """Request a page at that time, from a process that remembers no earlier use."""
    login_sessions._written.clear()
    with time_machine.travel(at, tick=False):
        return client.get(path)


def enter(sent=None):
    client = Client()
    with time_machine.travel(NOW, tick=False):
        client.post("/accounts/login/", {"login": "Alice", "password": PASSWORD, **(sent or {})})
    return client


def write(client, change):
    session = client.session
    change(session)
    session.save()


@pytest.mark.parametrize(("sent", "days"), [({"remember": "on"}, 365), ({}, 14)])
def test_each_day_of_use_renews_a_session(alice, sent, days):
    client = enter(sent)
    later = NOW
    for _ in range(3):
        later += dt.timedelta(days=days - 1)
        assert visit(client, later, PAGE).status_code == 200
    cookie = client.cookies[settings.SESSION_COOKIE_NAME]
    # Without a maximum age, the browser drops the cookie when it is closed.
    assert cookie["max-age"] == (days * 24 * 3600 if sent else "")
    assert visit(client, later + dt.timedelta(days=days, seconds=1), PAGE).status_code == 302


def test_a_session_is_renewed_once_a_day(alice):
    client = enter({"remember": "on"})
    ends = [Session.objects.get().expire_date]
    for hours in (2, 10, 13, 23, 36, 37):
        answer = visit(client, NOW + dt.timedelta(hours=hours))
        assert (settings.SESSION_COOKIE_NAME in answer.cookies) == (hours in (13, 37))
        ends.append(Session.objects.get().expire_date)
    assert [(end - ends[0]) / dt.timedelta(hours=1) for end in ends] == [0, 0, 0, 13, 13, 13, 37]


def test_renewing_leaves_what_another_request_has_just_written(alice):
    client = enter({"remember": "on"})
    read = SimpleNamespace(session=client.session)
    with time_machine.travel(NOW, tick=False):
        assert read.session["_auth_user_id"]
        write(client, lambda session: session.update({"written": "yes"}))
        assert renew_session(read, HttpResponse(), now=NOW + dt.timedelta(days=2))
        assert client.session["written"]
    # Logging out at the same time has the last word.
    Session.objects.all().delete()
    assert not renew_session(read, HttpResponse(), now=NOW + dt.timedelta(days=4))
    assert not Session.objects.exists()


def test_a_picture_that_caches_share_does_not_renew_a_session(alice):
    client = enter({"remember": "on"})
    answer = HttpResponse(headers={"Cache-Control": "public, max-age=300"})
    read = SimpleNamespace(session=client.session)
    with time_machine.travel(NOW, tick=False):
        assert not renew_session(read, answer, now=NOW + dt.timedelta(days=2))
        assert not answer.cookies
        assert renew_session(read, HttpResponse(), now=NOW + dt.timedelta(days=2))


def test_a_session_that_an_older_release_kept_for_two_weeks_now_lasts_a_year(alice):
    client = enter()
    with time_machine.travel(NOW, tick=False):
        write(client, lambda session: session.set_expiry(settings.SESSION_COOKIE_AGE))
    visit(client, NOW + dt.timedelta(days=1))
    assert visit(client, NOW + dt.timedelta(days=300), PAGE).status_code == 200


@pytest.mark.parametrize("sent", [{"remember": "on"}, {}])
def test_signing_up_asks_too_whether_to_stay_logged_in(db, sent):
    client = Client()
    assert client.get("/accounts/signup/").context["form"]["remember"].initial
    client.post("/accounts/signup/", {"username": "Zoe", "password1": PASSWORD, **sent})
    assert bool(client.cookies[settings.SESSION_COOKIE_NAME]["max-age"]) == bool(sent)
    assert is_logged_in(client)


def test_the_row_of_a_session_goes_with_it(alice, phone, desk):
    phone.post("/accounts/logout/")
    assert LoginSession.objects.get().device == "Firefox on Windows"
    ended = timezone.now() + dt.timedelta(days=15)
    assert prune_sessions(now=ended) == 1
    assert not LoginSession.objects.exists()


@pytest.mark.parametrize(
    ("header", "words"),
    [
        (PHONE, "Chrome on Android"),
        (DESK, "Firefox on Windows"),
        ("curl/8.0", UNKNOWN),
        ("", UNKNOWN),
        ("<script>alert(1)</script>", UNKNOWN),
        (
            "Mozilla/5.0 (iPad; CPU OS 18) AppleWebKit/605 Version/18.0 Safari/604.1",
            "Safari on iPad",
        ),
    ],
)
def test_a_device_is_a_few_words(header, words):
    assert describe_device(header) == words
