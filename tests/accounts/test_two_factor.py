"""Two-factor log-in with an app and recovery codes; `test_passkeys` has passkeys."""

import io
import json
import re
import time
import zipfile

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from diplomaccloud.accounts.backends import BACKEND
from diplomaccloud.accounts.data_exports import write_export
from diplomaccloud.accounts.deletion import delete_account
from diplomaccloud.accounts.guests import create_guest
from diplomaccloud.accounts.models import User
from diplomaccloud.accounts.two_factor import TwoFactorAdapter, can_use_passkeys

PASSWORD = "a long enough word"
BASE = "/accounts/two-factor/"


def log_in(client=None):
    client = client or Client()
    answer = client.post("/accounts/login/", {"login": "Alice", "password": PASSWORD})
    return client, answer


def code_of(secret, steps=0):
    return format_hotp_value(hotp_value(secret, int(time.time()) // 30 + steps))


@pytest.fixture
def app(people):
    """Alice with an authenticator app: a browser where she is logged in, and the app's key."""
    cache.clear()
    alice, answer = log_in()
    assert answer.url == "/"
    # A person who finds the browser unlocked cannot lock its owner out.
    assert alice.get(f"{BASE}totp/activate/").url.startswith("/accounts/reauthenticate/")
    alice.post("/accounts/reauthenticate/", {"password": PASSWORD})
    page = alice.get(f"{BASE}totp/activate/").content.decode()
    assert "data:image/svg+xml" in page
    secret = re.search(r'class="secret-key">([A-Z2-7]+)<', page)[1]
    assert alice.post(f"{BASE}totp/activate/", {"code": "000000"}).status_code == 200
    done = alice.post(f"{BASE}totp/activate/", {"code": code_of(secret)})
    assert done.url == f"{BASE}recovery-codes/"
    return alice, secret


def read_codes(alice):
    page = alice.get(f"{BASE}recovery-codes/").content.decode()
    return re.findall(r"<li><code>(\w+)</code></li>", page)


def is_logged_in(client):
    return "_auth_user_id" in client.session


def test_the_password_alone_does_not_log_in(app):
    _, secret = app
    thief, answer = log_in()
    assert answer.url == f"{BASE}authenticate/"
    assert not is_logged_in(thief)
    assert thief.get("/account/export/").status_code == 302
    page = thief.post(f"{BASE}authenticate/", {"code": "123"}).content.decode()
    assert "This code is wrong or has already been used." in page
    assert not is_logged_in(thief)
    assert thief.post(f"{BASE}authenticate/", {"code": code_of(secret, 1)}).url == "/"
    assert is_logged_in(thief)


def test_a_code_of_the_app_works_once(app):
    _, secret = app
    first, second = log_in()[0], log_in()[0]
    code = code_of(secret, 1)
    assert first.post(f"{BASE}authenticate/", {"code": code}).status_code == 302
    assert second.post(f"{BASE}authenticate/", {"code": code}).status_code == 200


def test_a_recovery_code_works_once(app):
    codes = read_codes(app[0])
    assert len(codes) == 10
    first, second = log_in()[0], log_in()[0]
    assert first.post(f"{BASE}authenticate/", {"code": codes[0]}).status_code == 302
    assert second.post(f"{BASE}authenticate/", {"code": codes[0]}).status_code == 200
    assert read_codes(app[0]) == codes[1:]


def test_new_recovery_codes_replace_the_old(app):
    alice, _ = app
    old = read_codes(alice)
    assert alice.post(f"{BASE}recovery-codes/generate/").status_code == 302
    assert not set(old) & set(read_codes(alice))
    file = alice.get(f"{BASE}recovery-codes/download/").content.decode()
    assert read_codes(alice)[0] in file


def test_turning_off_the_app_ends_two_factor_log_in(app):
    alice, _ = app
    assert alice.post(f"{BASE}totp/deactivate/").status_code == 302
    assert not Authenticator.objects.exists()
    assert log_in()[1].url == "/"


def test_the_database_alone_makes_no_codes(app):
    _, secret = app
    stored = json.dumps([row.data for row in Authenticator.objects.all()])
    assert secret not in stored
    assert TwoFactorAdapter().decrypt(TwoFactorAdapter().encrypt(secret)) == secret


def test_the_download_names_the_factors_without_their_keys(app):
    _, secret = app
    content = io.BytesIO()
    write_export(User.objects.get(username="Alice").pk, content)
    archive = zipfile.ZipFile(content)
    account = archive.read("account.json").decode()
    assert [row["kind"] for row in json.loads(account)["two_factor"]] == ["totp", "recovery_codes"]
    assert secret not in account


def test_a_deleted_account_leaves_no_factors(app):
    delete_account(user_id=User.objects.get(username="Alice").pk, now=timezone.now())
    assert not Authenticator.objects.exists()


@pytest.fixture
def guest(db):
    """A guest's browser."""
    browser = Client()
    browser.force_login(create_guest("of the test", now=timezone.now()), backend=BACKEND)
    return browser


def test_a_guest_who_logs_in_with_a_code_keeps_the_games(app, guest, monkeypatch):
    moved = []
    adopt = "diplomaccloud.games.guests.views.actions.adopt_guest"
    monkeypatch.setattr(adopt, lambda **people: moved.append(people) or 1)
    guest_id = int(guest.session["_auth_user_id"])
    log_in(guest)
    assert guest.get(f"{BASE}authenticate/").status_code == 200
    assert guest.post(f"{BASE}authenticate/", {"code": code_of(app[1], 1)}).status_code == 302
    alice = User.objects.get(username="Alice").pk
    assert guest.session["_auth_user_id"] == str(alice)
    assert moved == [{"guest_id": guest_id, "user_id": alice}]


@pytest.mark.parametrize("sent", [{"remember": "on"}, {}])
def test_a_code_keeps_the_choice_to_stay_logged_in(app, guest, sent):
    secret = app[1]
    for client in (Client(), guest):
        cache.clear()
        Authenticator.objects.filter(type="totp").update(last_used_at=None)
        client.post("/accounts/login/", {"login": "Alice", "password": PASSWORD, **sent})
        client.post(f"{BASE}authenticate/", {"code": code_of(secret, 1)})
        assert is_logged_in(client)
        assert bool(client.cookies["sessionid"]["max-age"]) == bool(sent)


def test_a_guest_is_asked_to_sign_up_first(guest):
    assert guest.get(BASE).url.startswith("/accounts/signup/")


def test_a_banned_person_can_log_in_with_a_code(app):
    User.objects.filter(username="Alice").update(banned_at=timezone.now())
    alice, _ = log_in()
    alice.post(f"{BASE}authenticate/", {"code": code_of(app[1], 1)})
    assert is_logged_in(alice)
    assert alice.post(f"{BASE}totp/deactivate/").status_code == 403


@pytest.mark.parametrize(
    ("host", "secure", "possible"),
    [
        ("games.example", True, True),
        ("games.example:8443", True, True),
        ("games.example", False, False),
        ("localhost:8000", False, True),
        ("127.0.0.1:8000", False, False),
        ("192.0.2.7", True, False),
        ("[::1]:8000", True, False),
        ("elsewhere.example", True, False),
    ],
)
def test_browsers_allow_passkeys_with_https_and_at_localhost(rf, settings, host, secure, possible):
    settings.ALLOWED_HOSTS = ["games.example", "localhost", "127.0.0.1", "192.0.2.7", "[::1]"]
    assert can_use_passkeys(rf.get("/", headers={"host": host}, secure=secure)) is possible


def test_a_page_says_plainly_that_passkeys_need_https(app):
    alice, _ = app
    page = alice.get(f"{BASE}webauthn/add/", headers={"host": "127.0.0.1:8000"}).content.decode()
    assert "Passkeys need HTTPS." in page
    assert "data-passkey" not in page
    page = alice.get(f"{BASE}webauthn/add/", headers={"host": "localhost:8000"}).content.decode()
    assert 'data-passkey="create"' in page


def test_an_administrator_can_turn_it_off_for_a_person(app, capsys):
    call_command("resettwofactor", "alice")
    assert capsys.readouterr().out == "Alice can now log in with the password alone.\n"
    assert log_in()[1].url == "/"
    with pytest.raises(CommandError, match="has no two-factor log-in"):
        call_command("resettwofactor", "alice")
    with pytest.raises(CommandError, match="nobody-at-all"):
        call_command("resettwofactor", "nobody-at-all")
