"""A stranger who tries wrong passwords neither locks anyone out nor guesses a password."""

import pytest
from django.contrib.auth import hashers
from django.core.cache import cache
from django.test import Client

from diplomaccloud.accounts.known_browsers import COOKIE, MOST_PEOPLE
from diplomaccloud.accounts.models import User
from diplomaccloud.project.settings import ACCOUNT_RATE_LIMITS

PASSWORD = "a long enough word"
HOME, CLUB, ELSEWHERE = "192.0.2.1", "192.0.2.2", "198.51.100.9"
WRONG = "The screen name or the password is wrong."
TOO_MANY = "Too many wrong passwords. Wait a few minutes, then try again."
LOGGED_IN = "logged in"


@pytest.fixture(autouse=True)
def limits(settings, people):
    settings.ACCOUNT_RATE_LIMITS = ACCOUNT_RATE_LIMITS
    cache.clear()
    yield
    cache.clear()


def browser_at(address, **more):
    return Client(REMOTE_ADDR=address, **more)


def log_in(browser, name="Alice", password=PASSWORD):
    """Return what the page answers: an error, or that it worked. The session ends."""
    response = browser.post("/accounts/login/", {"login": name, "password": password})
    if response.status_code == 302:
        browser.cookies.pop("sessionid")
        return LOGGED_IN
    (error,) = response.context["form"].non_field_errors()
    return error


def guess(browser, name="Alice", times=20):
    return [log_in(browser, name, f"wrong {number}") for number in range(times)]


def test_a_stranger_elsewhere_locks_nobody_out():
    assert guess(browser_at(ELSEWHERE))[-1] == TOO_MANY
    assert log_in(browser_at(HOME)) == LOGGED_IN


def test_five_guesses_are_enough_for_one_name_at_one_address():
    assert guess(browser_at(ELSEWHERE), times=7) == [WRONG] * 5 + [TOO_MANY] * 2
    assert log_in(browser_at(ELSEWHERE)) == TOO_MANY, "even if the next guess is right"


def test_right_passwords_are_not_counted():
    browser = browser_at(HOME)
    for _ in range(8):
        assert log_in(browser_at(HOME)) == LOGGED_IN
    assert guess(browser, times=5) == [WRONG] * 5


@pytest.mark.parametrize(
    "guessers",
    [
        [browser_at(ELSEWHERE, SERVER_NAME=name) for name in ("localhost", "127.0.0.1") * 4],
        [browser_at(f"2001:db8::{number}") for number in range(1, 9)],
    ],
    ids=["by several names of the site", "at neighboring addresses of IPv6"],
)
def test_nobody_guesses_more_often(guessers):
    assert [log_in(guesser, "Alice", "wrong") for guesser in guessers][5:] == [TOO_MANY] * 3


@pytest.mark.parametrize("name", ["alice", "ALICE", "Alicé"])
def test_another_spelling_of_the_name_is_the_same_name(name):
    guess(browser_at(ELSEWHERE), name, times=5)
    assert log_in(browser_at(ELSEWHERE)) == TOO_MANY


def test_an_address_guesses_at_few_names():
    stranger = browser_at(ELSEWHERE)
    answers = [guess(stranger, name, times=4)[-1] for name in ("Alice", "Bob", "Charlie", "Dora")]
    assert answers == [WRONG, WRONG, TOO_MANY, TOO_MANY]


def test_a_known_browser_logs_in_beside_a_stranger():
    browser = browser_at(CLUB)
    assert log_in(browser) == LOGGED_IN
    guess(browser_at(CLUB), times=8)
    guess(browser_at(CLUB), "Bob", times=8)
    assert log_in(browser_at(CLUB)) == log_in(browser_at(CLUB), "Charlie") == TOO_MANY
    assert log_in(browser) == LOGGED_IN


def test_a_known_browser_is_known_for_its_people_alone():
    browser = browser_at(CLUB)
    log_in(browser, "Bob")
    guess(browser_at(CLUB))
    assert log_in(browser) == TOO_MANY
    assert log_in(browser, "bob") == LOGGED_IN


def test_a_known_browser_has_a_limit_too():
    browser = browser_at(HOME)
    log_in(browser)
    assert guess(browser, times=12) == [WRONG] * 10 + [TOO_MANY] * 2
    assert log_in(browser_at(CLUB)) == LOGGED_IN, "a stolen cookie locks nobody out"


def test_a_new_password_ends_what_is_known():
    browser = browser_at(CLUB)
    log_in(browser)
    alice = User.objects.get(username="Alice")
    alice.set_password("another long word")
    alice.save()
    guess(browser_at(CLUB))
    assert log_in(browser, password="another long word") == TOO_MANY


@pytest.mark.parametrize(
    "change", [lambda text: text[:-1] + "_", lambda text: "x", lambda text: ""]
)
def test_a_forged_cookie_is_ignored(change):
    browser = browser_at(CLUB)
    log_in(browser)
    browser.cookies[COOKIE] = change(browser.cookies[COOKIE].value)
    guess(browser_at(CLUB))
    assert log_in(browser) == TOO_MANY


def test_the_cookie_goes_to_the_pages_for_logging_in_alone(settings):
    settings.SESSION_COOKIE_SECURE = True
    browser = browser_at(HOME)
    log_in(browser)
    cookie = browser.cookies[COOKIE]
    assert (cookie["path"], cookie["httponly"], cookie["samesite"]) == ("/accounts/", True, "Lax")
    assert cookie["secure"]
    assert "Alice" not in cookie.value


def test_a_browser_is_known_for_a_few_people():
    browser = browser_at(HOME)
    names = [f"person{number}" for number in range(MOST_PEOPLE + 2)]
    for name in names:
        User.objects.create_user(name, password=PASSWORD)
        log_in(browser, name)
    guess(browser_at(HOME))
    for name in names:
        guess(browser_at(HOME), name, times=5)
    answers = [log_in(browser, name) for name in names]
    assert answers[2:] == [LOGGED_IN] * MOST_PEOPLE


def test_names_that_nobody_has_are_answered_alike(monkeypatch):
    hashes = []
    hasher = hashers.get_hasher()
    encode = type(hasher).encode
    monkeypatch.setattr(
        type(hasher), "encode", lambda *args, **more: hashes.append(1) or encode(*args, **more)
    )
    known = browser_at(HOME)
    log_in(known, "Bob")
    for browser in (browser_at(ELSEWHERE), known):
        costs = []
        for name in ("Alice", "Nobody"):
            hashes.clear()
            assert guess(browser, name, times=7) == [WRONG] * 5 + [TOO_MANY] * 2
            costs.append(len(hashes))
            cache.clear()
        assert costs == [5, 5]
