"""Changing the e-mail address: the new one confirms it, the old one is notified."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from django.utils import timezone

from diplomaccloud.accounts.addresses import UsedLinkError, change_address, make_change, make_token
from diplomaccloud.accounts.backends import BACKEND
from diplomaccloud.accounts.mail_queue import send_due_mail
from diplomaccloud.accounts.models import User

PAGE = "/accounts/email/"
PASSWORD = "a long enough word"
CONSOLE = "django.core.mail.backends.console.EmailBackend"


@pytest.fixture
def alice(people):
    """The browser of Alice, who has given her password again."""
    User.objects.filter(username="Alice").update(email="old@games.example")
    client = Client()
    client.post("/accounts/login/", {"login": "Alice", "password": PASSWORD})
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    return client


def address():
    return User.objects.get(username="Alice").email


@pytest.fixture
def deliver():
    """A function that sends what is in the queue, and returns the mails."""

    def deliver():
        send_due_mail(now=timezone.now)
        sent, mail.outbox[:] = list(mail.outbox), []
        return sent

    return deliver


def find_link(text):
    return re.search(r"/account/email/confirm/\S+", text)[0]


def test_a_new_address_counts_once_its_owner_has_confirmed_it(alice, deliver):
    page = alice.post(PAGE, {"email": "new@games.example"}, follow=True).content.decode()
    assert "We sent a link to new@games.example." in page
    (asked,) = deliver()
    assert asked.to == ["new@games.example"]
    assert address() == "old@games.example"
    link = find_link(asked.body)
    other = Client()
    question = other.get(link).content.decode()
    assert "new@games.example" in question
    assert "We will notify the old address of the change." in question
    assert address() == "old@games.example"
    assert other.post(link).status_code == 303
    assert address() == "new@games.example"
    assert EmailAddress.objects.get().verified
    (notice,) = deliver()
    assert notice.to == ["old@games.example"]
    assert "no longer uses this e-mail address" in notice.body
    assert "new@games.example" not in notice.body
    assert "It is confirmed." in alice.get(PAGE).content.decode()


def test_a_link_works_once_and_not_after_another_change(alice, deliver):
    for new in ("one@games.example", "two@games.example"):
        alice.post(PAGE, {"email": new})
    links = {sent.to[0]: find_link(sent.body) for sent in deliver()}
    assert Client().post(links["two@games.example"]).status_code == 303
    for link in links.values():
        assert Client().post(link).status_code == 404
    assert address() == "two@games.example"


def test_clicks_at_the_same_time_change_the_address_once(alice, deliver):
    user = User.objects.get(username="Alice")
    one, two = (make_change(user, f"{name}@games.example") for name in ("one", "two"))
    again = {"user_id": user.pk, "confirmed": True, "origin": "https://games.example"}
    assert change_address(new=one.new, mark=one.mark, **again) is not None
    assert change_address(new=one.new, mark=one.mark, **again) is None
    with pytest.raises(UsedLinkError):
        change_address(new=two.new, mark=two.mark, **again)
    assert address() == "one@games.example"
    assert EmailAddress.objects.get().verified


def test_a_forged_or_old_link_changes_nothing(alice, settings):
    user = User.objects.get(username="Alice")
    token = make_token(make_change(user, "thief@games.example"))
    for wrong in (token[:-1], f"{token}x", "x", "a:b:c"):
        assert Client().post(f"/account/email/confirm/{wrong}/").status_code == 404
    settings.PASSWORD_RESET_TIMEOUT = -1
    assert Client().post(f"/account/email/confirm/{token}/").status_code == 404
    assert address() == "old@games.example"


def test_without_a_mail_server_the_address_changes_at_once(alice, settings):
    settings.EMAIL_BACKEND = CONSOLE
    assert "so the address changes immediately" in alice.get(PAGE).content.decode()
    page = alice.post(PAGE, {"email": "new@games.example"}, follow=True).content.decode()
    assert "Your address is new@games.example now." in page
    assert "It is not confirmed." in page
    assert address() == "new@games.example"


def test_an_address_can_be_removed(alice, deliver):
    assert alice.post(PAGE, {"remove": "1"}).status_code == 303
    assert address() == ""
    assert [notice.to for notice in deliver()] == [["old@games.example"]]


def test_the_page_does_not_reveal_who_has_an_address(alice, deliver):
    User.objects.filter(username="Bob").update(email="bob@games.example")
    page = alice.post(PAGE, {"email": "bob@games.example"}, follow=True).content.decode()
    assert "We sent a link to bob@games.example." in page
    assert alice.post(PAGE, {"email": "nonsense"}).status_code == 422


def test_an_address_that_another_account_has_confirmed_moves(alice, deliver):
    bob = User.objects.get(username="Bob")
    EmailAddress.objects.create(user=bob, email="shared@games.example", verified=True)
    alice.post(PAGE, {"email": "shared@games.example"})
    assert Client().post(find_link(deliver()[0].body)).status_code == 303
    verified = EmailAddress.objects.filter(email="shared@games.example", verified=True)
    assert verified.get().user.username == "Alice"


def test_a_link_that_a_thief_asked_for_ends_with_the_password_and_the_sessions(alice, deliver):
    for secure in ("password", "sessions", "address"):
        alice.post(PAGE, {"email": "thief@games.example"})
        link = find_link(next(sent.body for sent in deliver() if "thief" in sent.to[0]))
        assert Client().get(link).status_code == 200
        user = User.objects.get(username="Alice")
        if secure == "password":
            user.set_password("another long word")
            user.save()
            alice.force_login(user, backend=BACKEND)
            alice.post("/accounts/reauthenticate/", {"password": "another long word"})
        elif secure == "sessions":
            alice.post("/account/sessions/", {"end": "others"})
        else:
            for new in ("new@games.example", "old@games.example"):
                alice.post(PAGE, {"email": new})
                bodies = [sent.body for sent in deliver() if sent.to == [new]]
                own = next(body for body in bodies if "/confirm/" in body)
                assert Client().post(find_link(own)).status_code == 303
        assert Client().post(link).status_code == 404, secure
        assert address() == "old@games.example"
