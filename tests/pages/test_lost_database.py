"""A lost database, a full disk and NUL characters: nothing that was typed is lost."""

import contextlib
import errno
import html
import re

import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.db import (
    DatabaseError,
    DataError,
    InterfaceError,
    InternalError,
    OperationalError,
    connection,
)
from django.test import Client
from django.utils import timezone
from tests.games.browsing import read_page

from diplomaccloud.games.deadlines.actions import suspend_game
from diplomaccloud.games.orders import views as order_views
from diplomaccloud.games.table.models import Game
from diplomaccloud.games.table.phase_models import OrderRow

SHEET = "A VIE - GAL\nA BUD </textarea><script>alert(1)</script> & more"
OUTAGES = [
    OperationalError("database or disk is full"),
    OperationalError("server closed the connection unexpectedly"),
    InterfaceError("connection already closed"),
    InternalError("current transaction is aborted"),
    DatabaseError("database disk image is malformed"),
    OSError(errno.ENOSPC, "No space left on device"),
]


def fields_of(text):
    """Return the fields of the form on a page, as a browser would send them."""
    fields = []
    for name, value in re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)">', text):
        fields.append((html.unescape(name), html.unescape(value)))
    for name, value in re.findall(
        r'<textarea class="control" name="([^"]*)" rows="3">\n(.*?)</textarea>', text, re.DOTALL
    ):
        fields.append((html.unescape(name), html.unescape(value)))
    return fields


def browser(cast, who="alice"):
    client = cast.client(who, csrf=True)
    client.raise_request_exception = False
    client.get(cast.url())
    return client


def send(client, url, form, **headers):
    token = client.cookies["csrftoken"].value
    return client.post(url, {**form, "csrfmiddlewaretoken": token}, **headers)


def fail(monkeypatch, error):
    def save_orders(**_):
        raise error

    monkeypatch.setattr(order_views.actions, "save_orders", save_orders)


@contextlib.contextmanager
def lost_database():
    """Let every statement fail, as when the server is gone."""

    def away(*_):
        raise OperationalError("away")

    with connection.execute_wrapper(away):
        yield


class TestOutages:
    @pytest.mark.parametrize("error", OUTAGES, ids=repr)
    def test_what_was_typed_comes_back_and_can_be_sent_again(self, cast, monkeypatch, error):
        client = browser(cast)
        with monkeypatch.context() as patch:
            fail(patch, error)
            form = {"phase": "1", "sheet": SHEET, "order": ["A VIE - GAL", "F TRI H"]}
            page = send(client, cast.url("orders/"), form)
        text = page.content.decode()
        assert page.status_code == 503
        assert int(page.headers["Retry-After"]) > 0
        assert page.headers["Cache-Control"] == "no-store"
        assert "<script>alert" not in text
        assert "Send again" in read_page(page)
        assert f'action="{cast.url("orders/")}"' in text
        sent = dict(fields_of(text))
        assert sent["sheet"] == SHEET
        assert [value for name, value in fields_of(text) if name == "order"] == form["order"]
        # The button sends the same again, with a token that is accepted.
        again = {"sheet": "A VIE - GAL", "phase": sent["phase"]}
        again["csrfmiddlewaretoken"] = sent["csrfmiddlewaretoken"]
        assert client.post(cast.url("orders/"), again).status_code == 303
        assert OrderRow.objects.exists()

    def test_the_page_asks_the_database_nothing(self, cast):
        client = browser(cast)
        with lost_database():
            page = send(client, cast.url("orders/"), {"phase": "1", "sheet": SHEET})
        assert page.status_code == 503
        assert dict(fields_of(page.content.decode()))["sheet"] == SHEET

    @pytest.mark.parametrize("path", ["/", "/games/", "/people/", "/maps/", "/accounts/login/"])
    def test_pages_are_unavailable_and_offer_to_try_again(self, cast, path):
        client = browser(cast)
        with lost_database():
            page = client.get(f"{path}?page=2&name=a%26b")
        assert page.status_code == 503
        assert "Try again" in page.content.decode()
        assert dict(fields_of(page.content.decode())) == {"page": "2", "name": "a&b"}

    def test_htmx_gets_a_notice_and_the_text_stays_on_the_page(self, cast, monkeypatch):
        client = browser(cast)
        fail(monkeypatch, OUTAGES[0])
        page = send(
            client,
            cast.url("orders/"),
            {"phase": "1", "sheet": SHEET},
            headers={"HX-Request": "true"},
        )
        text = page.content.decode()
        assert page.status_code == 503
        assert page.headers["Retry-After"]
        assert 'hx-target="#notices"' in text
        assert "What you typed is still here" in text
        assert "<html" not in text

    def test_passwords_and_tokens_do_not_come_back(self, db):
        client = Client(raise_request_exception=False)
        form = {"login": "Alice the first", "password": "a long enough word", "code": "123 456"}
        with lost_database():
            page = client.post("/accounts/login/", form)
        text = page.content.decode()
        assert page.status_code == 503
        assert "Alice the first" in text
        assert "a long enough word" not in text
        assert "123 456" not in text
        assert '<input class="control" type="password" name="password"' in text

    def test_a_form_from_another_site_gets_no_token(self, cast, monkeypatch):
        client = cast.client("alice", csrf=True)
        client.raise_request_exception = False
        fail(monkeypatch, OUTAGES[0])
        page = client.post(cast.url("orders/"), {"phase": "1", "sheet": "BAIT TEXT"})
        assert page.status_code == 403
        assert "BAIT" not in page.content.decode()

    def test_the_session_may_fail_after_the_page_was_made(self, cast, monkeypatch, settings):
        client = browser(cast)
        settings.SESSION_SAVE_EVERY_REQUEST = True

        def save(*_, **__):
            raise OperationalError("database or disk is full")

        monkeypatch.setattr(SessionStore, "save", save)
        page = send(client, cast.url("country/"), {"country": "Elbonia of old"})
        assert page.status_code == 503
        assert "Elbonia of old" in page.content.decode()

    @pytest.mark.parametrize("error", [KeyError("x"), DataError("too long")], ids=repr)
    def test_what_was_typed_comes_back_after_a_crash_too(self, cast, monkeypatch, error):
        client = browser(cast)
        fail(monkeypatch, error)
        page = send(client, cast.url("orders/"), {"phase": "1", "sheet": SHEET})
        assert page.status_code == 500
        assert dict(fields_of(page.content.decode()))["sheet"] == SHEET

    def test_what_was_typed_for_a_suspended_game_comes_back(self, cast, monkeypatch):
        client = browser(cast)
        suspend_game(game_id=cast.game_id, reason="x", now=timezone.now())
        fail(monkeypatch, KeyError("x"))
        page = send(client, cast.url("orders/"), {"phase": "1", "sheet": SHEET})
        assert page.status_code == 503
        assert dict(fields_of(page.content.decode()))["sheet"] == SHEET
        assert Game.objects.get().suspended_reason


class TestNul:
    @pytest.mark.parametrize(
        "path",
        [
            "/people/a%00b/",
            "/people/?name=a%00b",
            "/games/?page=%00",
            "/games/%00/",
            "/nothing%00/",
            "/maps/new/?seed=%00",
            "/accounts/login/?next=%00",
        ],
    )
    def test_urls(self, client, db, path):
        page = client.get(path)
        assert page.status_code == 400
        assert "NUL character" in page.content.decode()
        assert "\x00" not in page.content.decode()

    @pytest.mark.parametrize("cookie", ['sessionid="\\000abc"', 'csrftoken="\\000"'])
    def test_cookies(self, client, db, cookie):
        page = client.get("/games/", headers={"Cookie": cookie})
        assert page.status_code == 400

    @pytest.mark.parametrize("multipart", [False, True])
    def test_forms_come_back_without_it(self, cast, multipart):
        client, form = browser(cast), {"phase": "1", "sheet": "A VIE \x00- GAL"}
        token = client.cookies["csrftoken"].value
        if multipart:
            page = client.post(cast.url("orders/"), {**form, "csrfmiddlewaretoken": token})
        else:
            body = f"phase=1&sheet=A+VIE+%00-+GAL&csrfmiddlewaretoken={token}"
            kind = "application/x-www-form-urlencoded"
            page = client.post(cast.url("orders/"), body, content_type=kind)
        assert page.status_code == 400
        text = page.content.decode()
        assert "NUL character" in text
        sent = dict(fields_of(text))
        assert sent["sheet"] == "A VIE - GAL"
        assert client.post(cast.url("orders/"), sent).status_code == 303
        assert OrderRow.objects.exists()

    def test_htmx_gets_a_notice(self, cast):
        form = {"phase": "1", "sheet": "\x00"}
        page = send(browser(cast), cast.url("orders/"), form, headers={"HX-Request": "true"})
        assert page.status_code == 400
        assert 'hx-target="#notices"' in page.content.decode()

    @pytest.mark.parametrize("body", ['{"a": "\\u0000"}', '{"a": "\x00"}', '{"a": "\\\\\\u0000"}'])
    def test_json(self, cast, body):
        page = cast.client("alice").post(cast.url("orders/"), body, content_type="application/json")
        assert page.status_code == 400
        assert "NUL character" in page.content.decode()

    def test_an_escaped_backslash_is_none(self, cast):
        page = cast.client("alice").post(
            cast.url("orders/"), '{"a": "\\\\u0000"}', content_type="application/json"
        )
        assert "NUL character" not in page.content.decode()

    def test_names_of_fields_and_files(self, cast):
        assert cast.client("alice").post(cast.url("orders/"), {"a\x00": "1"}).status_code == 400
