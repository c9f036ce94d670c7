"""The pages of refusals, with the way back, and the page for a fault of our own."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import OperationalError
from django.test import RequestFactory
from django.utils.functional import SimpleLazyObject

from diplomaccloud.games.models import Game
from diplomaccloud.pages.errors import broken


def no_database():
    raise OperationalError("the database is away")


@pytest.mark.parametrize("finds_user", [AnonymousUser, no_database])
def test_a_fault_is_told_whatever_broke(finds_user):
    request = RequestFactory().get("/games/")
    request.user = SimpleLazyObject(finds_user)
    page = broken(request)
    assert page.status_code == 500
    assert "Something broke" in page.content.decode()
    assert "Log in" in page.content.decode()


@pytest.mark.parametrize(
    ("who", "rest", "status"),
    [
        ("alice", "orders/", 400),
        ("charlie", "ready/", 403),
        ("alice", "start/", 409),
        ("alice", "phases/99/", 404),
    ],
)
@pytest.mark.parametrize("private", [False, True])
def test_a_refusal_leads_back_to_the_game_of_whoever_may_see_it(cast, who, rest, status, private):
    Game.objects.update(private=private)
    client = cast.client(who)
    ask = client.get if status == 404 else client.post
    page = ask(cast.url(rest), {"phase": "1", "ready": "1"} if status == 403 else {})
    seen = who == "alice" or not private
    assert page.status_code == (status if seen else 404)
    text = page.content.decode()
    assert (f'<a class="button button--main" href="{cast.url()}">Back to the game' in text) == seen
    assert 'href="/">' in text


def test_a_form_that_expired_leads_back_to_the_game(cast):
    page = cast.client("alice", csrf=True).post(cast.url("ready/"), {"phase": "1"})
    assert page.status_code == 403
    assert f'href="{cast.url()}">Back to the game' in page.content.decode()


def test_elsewhere_a_refusal_leads_to_the_first_page(client, db):
    page = client.get("/maps/nothing/")
    assert page.status_code == 404
    assert "Back to the first page" in page.content.decode()


@pytest.mark.parametrize("rest", ["", "MQ:1abc:def/"])
def test_no_page_claims_that_an_address_is_being_confirmed(client, db, rest):
    assert client.get(f"/accounts/confirm-email/{rest}").status_code == 404
