"""Error pages with their links back, and the page for a crash."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import OperationalError
from django.test import RequestFactory
from django.utils.functional import SimpleLazyObject

from diplomaccloud.games.table.models import Game
from diplomaccloud.pages.errors import cut_path, server_error


def no_database():
    raise OperationalError("the database is away")


@pytest.mark.parametrize("load_user", [AnonymousUser, no_database])
def test_a_crash_is_reported_even_without_the_database(load_user):
    request = RequestFactory().get("/games/")
    request.user = SimpleLazyObject(load_user)
    page = server_error(request)
    assert page.status_code == 500
    assert "Something went wrong" in page.content.decode()
    assert "Home page" in page.content.decode()


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
def test_an_error_page_links_to_the_game_if_the_user_may_see_it(cast, who, rest, status, private):
    Game.objects.update(private=private)
    client = cast.client(who)
    ask = client.get if status == 404 else client.post
    page = ask(cast.url(rest), {"phase": "1", "ready": "1"} if status == 403 else {})
    seen = who == "alice" or not private
    assert page.status_code == (status if seen else 404)
    text = page.content.decode()
    assert (f'<a class="button button--main" href="{cast.url()}">Back to the game' in text) == seen
    assert 'href="/">' in text


def test_an_expired_form_links_back_to_the_game(cast):
    page = cast.client("alice", csrf=True).post(cast.url("ready/"), {"phase": "1"})
    assert page.status_code == 403
    assert f'href="{cast.url()}">Back to the game' in page.content.decode()


def test_an_expired_form_of_this_site_keeps_what_was_typed(cast):
    client, url = cast.client("alice", csrf=True), cast.url("press/send/")
    sent = {"body": "My long text.", "to": "FRANCE"}
    page = client.post(url, sent, headers={"Sec-Fetch-Site": "same-origin"}).content.decode()
    assert "My long text." in page
    assert "Send again" in page
    other = client.post(url, sent, headers={"Sec-Fetch-Site": "cross-site"}).content.decode()
    assert "My long text." not in other


def test_a_script_learns_that_orders_must_wait_for_a_log_in(cast):
    # The browser sends stored orders again once the person has logged in.
    script = {"Accept": "application/json"}
    for sent in ({"phase": "1"}, {"phase": "1", "sheet": "A VIE - GAL"}):
        answer = cast.client("nobody").post(cast.url("orders/"), sent, headers=script)
        assert answer.status_code == 401
        assert "logged out" in answer.json()["error"]
    old_form = cast.client("alice", csrf=True).post(cast.url("orders/"), {}, headers=script)
    assert (old_form.status_code, old_form.json()) == (403, {"stale": True})


def test_elsewhere_an_error_page_links_to_the_home_page(client, db):
    page = client.get("/maps/nothing/")
    assert page.status_code == 404
    assert "Back to the home page" in page.content.decode()


@pytest.mark.parametrize("rest", ["", "MQ:1abc:def/"])
def test_no_page_claims_that_an_address_is_being_confirmed(client, db, rest):
    assert client.get(f"/accounts/confirm-email/{rest}").status_code == 404


def test_log_lines_leave_out_links_that_confirm_an_address():
    assert cut_path("/account/email/confirm/secret/") == "/account/email/confirm/"
