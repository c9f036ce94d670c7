"""What two people can be seen to share, and how little is stored for that."""

import datetime as dt

import pytest
from django.test import Client
from django.utils import timezone

from diplomaccloud.accounts.deletion import delete_account
from diplomaccloud.accounts.guests import create_guest
from diplomaccloud.accounts.known_browsers import (
    KEEP_MARKS_FOR,
    SharedMarks,
    compare_marks,
    find_network,
    find_pattern,
    prune_login_marks,
    record_login_mark,
)
from diplomaccloud.accounts.models import LoginMark, User

PASSWORD = "a long enough word"
HOME, CAFE = "192.0.2.7", "198.51.100.9"
SECOND = dt.timedelta(seconds=1)


def log_in(name, client=None, address=HOME):
    client = client or Client(REMOTE_ADDR=address)
    answer = client.post("/accounts/login/", {"login": name, "password": PASSWORD})
    assert answer.status_code == 302
    client.post("/accounts/logout/")
    return client


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.7", "192.0.2.0/24"),
        ("2001:db8:1:2::7", "2001:db8:1::/48"),
        ("2001:db8:1:2::/64", "2001:db8:1::/48"),
        ("", ""),
        ("unix:", ""),
    ],
)
def test_the_network_of_an_address(address, network):
    assert find_network(address) == network


@pytest.mark.parametrize(
    ("email", "pattern"),
    [
        ("Joe.Doe+2@X.example", "joedoe@x.example"),
        ("joe_doe17@x.example", "joedoe@x.example"),
        ("", ""),
        ("123@x.example", ""),
        ("nothing", ""),
    ],
)
def test_aliases_of_a_mail_address_have_one_pattern(email, pattern):
    assert find_pattern(email) == pattern


def test_what_is_shared_is_found_and_nothing_else_is_stored(people):
    User.objects.filter(username="Alice").update(email="joe+a@x.example")
    User.objects.filter(username="Charlie").update(email="joe2@x.example")
    browser = log_in("Alice")
    log_in("Bob", browser)
    log_in("Charlie", address=CAFE)
    assert compare_marks(people["alice"], [people["bob"], people["charlie"]]) == {
        people["bob"]: SharedMarks(browser=True, network=True),
        people["charlie"]: SharedMarks(mail=True),
    }
    stored = repr(list(LoginMark.objects.values_list("browser", "network", "mail")))
    for secret in (HOME, "192.0.2", CAFE, "joe", "x.example"):
        assert secret not in stored


def test_another_secret_makes_other_marks(people, settings):
    log_in("Alice")
    settings.SECRET_KEY = "another secret"
    log_in("Bob")
    assert compare_marks(people["alice"], [people["bob"]]) == {people["bob"]: SharedMarks()}


def test_a_log_in_writes_one_row_and_a_guest_none(people):
    log_in("Alice")
    assert LoginMark.objects.filter(user=people["alice"]).count() == 1
    now = timezone.now()
    record_login_mark(create_guest("one", now=now), browser="b", address=HOME, now=now)
    assert LoginMark.objects.count() == 1


def test_marks_are_deleted_after_60_days_and_with_the_account(people):
    now = timezone.now()
    for name in ("alice", "bob"):
        person = User.objects.get(pk=people[name])
        record_login_mark(person, browser="b", address=HOME, now=now)
    LoginMark.objects.filter(user=people["bob"]).update(at=now - KEEP_MARKS_FOR - SECOND)
    assert prune_login_marks(now=now) == 1
    assert not LoginMark.objects.filter(user=people["bob"]).exists()
    delete_account(user_id=people["alice"], now=now)
    assert not LoginMark.objects.exists()


def test_marks_are_the_same_in_every_release(people, settings):
    settings.SECRET_KEY = "of a running site"
    alice = User.objects.get(pk=people["alice"])
    record_login_mark(alice, browser="a name", address=HOME, now=timezone.now())
    mark = LoginMark.objects.get()
    assert mark.browser == "dedcdbc6691697f916f3caa630af9a92"
    assert mark.network == "a58c997a9f5b0e0ce46b1995d0305640"
