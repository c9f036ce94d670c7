"""The dispatcher: pages through WSGI, streams as raw ASGI."""

import asyncio
import json

import pytest
from django.db import OperationalError
from judge.tests.effort import PATIENCE

from diplomaccloud.games.lobby import read as lobby_read
from diplomaccloud.project import asgi
from diplomaccloud.project.admission import Refusal
from diplomaccloud.project.asgi import application

pytestmark = pytest.mark.django_db(transaction=True)


class Awaitable:
    """What some servers return from `receive`: an awaitable that is not a coroutine."""

    def __init__(self, value):
        self.value = value

    def __await__(self):
        yield from ()
        return self.value


async def ask(method, path, body=b"", headers=(), given=None):
    """Return the status and the body; `given` gets the headers, and is where a stream ends."""
    messages = iter([{"type": "http.request", "body": body, "more_body": False}])
    sent = []

    async def send(message):
        sent.append(message)
        if given is not None and message["type"] == "http.response.start":
            given.update(message["headers"])

    def receive():
        return Awaitable(next(messages, {"type": "http.disconnect"}))

    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "scheme": "http",
        "http_version": "1.1",
        "server": ("localhost", 80),
        "client": ("127.0.0.1", 1),
        "headers": [
            (b"host", b"localhost"),
            (b"content-type", b"application/x-www-form-urlencoded"),
            *(
                []
                if b"content-length" in dict(headers)
                else [(b"content-length", b"%d" % len(body))]
            ),
            *headers,
        ],
    }
    await asyncio.wait_for(application(scope, receive, send), PATIENCE)
    return sent[0]["status"], b"".join(one.get("body", b"") for one in sent)


@pytest.mark.parametrize(
    ("method", "path", "status", "text"),
    [
        pytest.param("GET", "/maps/import/", 302, b"", id="a page"),
        pytest.param("GET", "/nowhere/", 404, b"Page not found", id="no page"),
        pytest.param("POST", "/games/quick/", 403, b"expired", id="a post"),
        pytest.param("GET", "/live/games/zzzzzzzzzz", 404, b"Not available", id="a stream"),
    ],
)
def test_each_request_finds_its_way(method, path, status, text):
    answer, body = asyncio.run(ask(method, path, b"map=standard"))
    assert answer == status
    assert text in body


@pytest.mark.parametrize("path", ["/", "/live/games/zzzzzzzzzz", "/api/v1/games/zzzzzzzzzz/events"])
def test_a_header_cannot_stand_for_one_that_a_proxy_sets(path, monkeypatch):
    seen = []

    async def answer(scope, _receive, send, **_):
        seen.extend(scope["headers"])
        await send({"type": "http.response.start", "status": 200, "headers": []})

    for name in ("_pages", "_live", "_events"):
        monkeypatch.setattr(asgi, name, answer)
    forged = [(b"x-forwarded-for", b"192.0.2.1"), (b"x_forwarded_for", b"192.0.2.2")]
    asyncio.run(ask("GET", path, headers=forged))
    assert (b"x-forwarded-for", b"192.0.2.1") in seen
    assert not [name for name, _ in seen if b"_" in name]


ORIGIN = (b"origin", b"https://elsewhere.example")
STREAM = (b"accept", b"text/event-stream")
GAMES = "/api/v1/games"


def ask_from_elsewhere(method, path, *headers):
    given = {}
    status, body = asyncio.run(ask(method, path, headers=(ORIGIN, *headers), given=given))
    assert b"access-control-allow-credentials" not in given
    return status, body, given


@pytest.mark.parametrize(
    ("method", "path", "headers", "status"),
    [
        pytest.param("GET", GAMES, [], 200, id="an answer"),
        pytest.param("GET", "/api/v1/openapi.json", [], 200, id="the description"),
        pytest.param("GET", "/api/v1/me", [], 401, id="a refusal"),
        pytest.param("GET", "/api/v1/nowhere", [], 404, id="no address"),
        pytest.param("GET", "/api/nowhere", [], 404, id="no version"),
        pytest.param(
            "POST", "/api/v1/judge", [(b"content-length", b"9999999")], 413, id="too long"
        ),
        pytest.param("OPTIONS", GAMES, [], 405, id="not a preflight"),
        pytest.param("GET", f"{GAMES}/zzzzzzzzzz/events", [STREAM], 404, id="no stream"),
    ],
)
def test_a_page_of_another_origin_can_read_each_answer(method, path, headers, status):
    answer, body, given = ask_from_elsewhere(method, path, *headers)
    assert answer == status, body
    assert given[b"access-control-allow-origin"] == b"*"
    exposed = given[b"access-control-expose-headers"].decode().split(", ")
    assert {"ETag", "RateLimit", "Retry-After", "X-Request-ID"} <= set(exposed)


def test_a_page_of_another_origin_can_read_a_stream(table):
    answer, _, given = ask_from_elsewhere("GET", f"{GAMES}/{table.slug}/events", STREAM)
    assert answer == 200
    assert given[b"content-type"].startswith(b"text/event-stream")
    assert given[b"access-control-allow-origin"] == b"*"


@pytest.mark.parametrize("status", [408, 429, 503])
@pytest.mark.parametrize("path", [GAMES, f"{GAMES}/zzzzzzzzzz/events"])
def test_a_page_of_another_origin_can_read_why_it_was_not_admitted(monkeypatch, status, path):
    async def refuse(*_, **__):
        raise Refusal(status, "Try later.", 5)

    for name in ("_pages", "_events"):
        monkeypatch.setattr(asgi, name, refuse)
    answer, body, given = ask_from_elsewhere("GET", path, STREAM)
    assert (answer, json.loads(body)["detail"]) == (status, "Try later.")
    assert given[b"access-control-allow-origin"] == b"*"
    assert b"Retry-After" in given[b"access-control-expose-headers"]


def test_a_lost_database_is_read_elsewhere_too(monkeypatch):
    def fail(*_, **__):
        raise OperationalError("gone")

    monkeypatch.setattr(lobby_read, "list_games", fail)
    answer, _, given = ask_from_elsewhere("GET", GAMES)
    assert answer == 503
    assert given[b"access-control-allow-origin"] == b"*"


@pytest.mark.parametrize("path", ["/api/v1/me", f"{GAMES}/zzzzzzzzzz/events", "/api/v1/nowhere"])
def test_a_preflight_is_answered_and_cached_for_a_day(path):
    asked = (
        (b"access-control-request-method", b"PUT"),
        (
            b"access-control-request-headers",
            b"authorization,idempotency-key,if-match",
        ),
    )
    answer, body, given = ask_from_elsewhere("OPTIONS", path, *asked)
    assert (answer, body) == (200, b"")
    assert given[b"access-control-max-age"] == b"86400"
    assert b"PUT" in given[b"access-control-allow-methods"]
    allowed = given[b"access-control-allow-headers"].decode().split(", ")
    assert {"authorization", "content-type", "idempotency-key", "if-match"} <= set(allowed)


@pytest.mark.parametrize("path", ["/", "/account/tokens/", "/live/games/zzzzzzzzzz", "/nowhere/"])
def test_a_page_of_another_origin_cannot_read_pages(path):
    assert b"access-control-allow-origin" not in ask_from_elsewhere("GET", path)[2]
    asked = (b"access-control-request-method", b"POST")
    assert b"access-control-allow-origin" not in ask_from_elsewhere("OPTIONS", path, asked)[2]


def test_starting_and_stopping_are_answered():
    messages = iter(["lifespan.startup", "lifespan.shutdown"])
    sent = []

    async def receive():
        return {"type": next(messages)}

    async def send(message):
        sent.append(message["type"])

    asyncio.run(application({"type": "lifespan"}, receive, send))
    assert sent == ["lifespan.startup.complete", "lifespan.shutdown.complete"]
