"""Light and dark colors: whose choice a page follows, and that all of its parts agree."""

import re

import pytest
from django.test import Client

from diplomaccloud.accounts.models import User
from diplomaccloud.pages.color_scheme import COOKIE, HEADER

CHOOSE = "/color-scheme/"
QUERIES = {"auto": "(prefers-color-scheme: dark)", "light": "not all", "dark": "all"}
"""The media query of pictures for dark colors."""

pytestmark = pytest.mark.django_db


def read_colors(page):
    """Return the page's colors, as its header says, after checking that its parts agree."""
    text, scheme = page.text, page.headers[HEADER]
    root = re.search(r'<html lang="en"(?: data-color-scheme="(\w+)")?>', text)
    assert (root[1] or "auto") == scheme
    colors = "light dark" if scheme == "auto" else scheme
    assert f'<meta name="color-scheme" content="{colors}">' in text
    queries = re.findall(r'<(?:source|meta)[^>]* media="([^"]+)"', text)
    assert set(queries) <= {QUERIES[scheme]}
    assert "Cookie" in page.headers["Vary"]
    assert int(page.headers.get("Content-Length", len(page.content))) == len(page.content)
    return scheme


@pytest.fixture
def alice(client):
    user = User.objects.create_user("Alice", password="a long enough word")
    client.force_login(user)
    return user


@pytest.mark.parametrize("scheme", QUERIES)
@pytest.mark.parametrize("path", ["/", "/learn/", "/offline/", "/nothing/", "/account/sessions/"])
def test_every_part_of_every_page_has_the_chosen_colors(client, alice, path, scheme):
    client.post(CHOOSE, {"scheme": scheme})
    assert read_colors(client.get(path)) == scheme


def test_a_visitor_keeps_a_choice_in_a_cookie_and_returns_to_the_page(client):
    answer = client.post(CHOOSE, {"scheme": "dark"}, headers={"Referer": "http://testserver/maps/"})
    assert (answer.status_code, answer.headers["Location"]) == (303, "http://testserver/maps/")
    assert read_colors(client.get("/learn/")) == "dark"
    assert answer.cookies[COOKIE]["samesite"] == "Lax"


@pytest.mark.parametrize("referer", ["https://elsewhere.example/", "javascript:alert(1)", ""])
def test_a_choice_never_leads_to_another_site(client, referer):
    answer = client.post(CHOOSE, {"scheme": "dark"}, headers={"Referer": referer})
    assert answer.headers["Location"] == "/"


def test_an_account_has_its_colors_in_every_browser(client, alice):
    client.post(CHOOSE, {"scheme": "dark"})
    other = Client()
    other.post(CHOOSE, {"scheme": "light"})
    other.force_login(alice)
    assert read_colors(other.get("/")) == "dark"
    # This page does not read the account.
    assert read_colors(other.get("/offline/")) == "dark"


def test_an_account_without_a_choice_follows_the_browser(client, alice):
    client.cookies[COOKIE] = "dark"
    assert read_colors(client.get("/")) == "dark"
    alice.refresh_from_db()
    assert alice.color_scheme == ""


@pytest.mark.parametrize("scheme", ["", "sepia", "DARK", 'dark" onload="'])
def test_other_colors_change_nothing(client, alice, scheme):
    assert client.post(CHOOSE, {"scheme": scheme}).status_code == 303
    client.cookies[COOKIE] = scheme
    assert read_colors(client.get("/")) == "auto"


@pytest.mark.parametrize("origin", ["https://elsewhere.example", "null"])
def test_another_site_cannot_choose(client, alice, origin):
    answer = client.post(CHOOSE, {"scheme": "dark"}, headers={"Origin": origin})
    assert answer.status_code == 403
    assert read_colors(client.get("/")) == "auto"


def test_a_script_gets_a_short_answer(client, alice):
    headers = {"Accept": "application/json"}
    assert client.post(CHOOSE, {"scheme": "dark"}, headers=headers).status_code == 204
    assert client.post(CHOOSE, {"scheme": "no"}, headers=headers).status_code == 422


def test_what_people_write_is_never_changed(client, alice):
    text = 'media="(prefers-color-scheme: dark)"'
    User.objects.filter(pk=alice.pk).update(status=text)
    client.post(CHOOSE, {"scheme": "dark"})
    assert "media=&quot;(prefers-color-scheme: dark)&quot;" in client.get("/people/Alice/").text


def test_the_choice_is_made_on_every_page(client, alice):
    assert client.get("/").text.count(CHOOSE) == 1
    assert Client().get("/").text.count(CHOOSE) == 1


def test_a_banned_person_can_still_choose(client, alice):
    User.objects.filter(pk=alice.pk).update(banned_at=alice.date_joined)
    assert client.post(CHOOSE, {"scheme": "dark"}).status_code == 303
