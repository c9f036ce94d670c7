"""The dispatcher: pages through WSGI, streams as raw ASGI."""

import asyncio

import pytest
from judge.tests.effort import PATIENCE

from diplomaccloud.project import asgi
from diplomaccloud.project.asgi import application

pytestmark = pytest.mark.django_db(transaction=True)


class Awaitable:
    """What some servers return from `receive`: an awaitable that is not a coroutine."""

    def __init__(self, value):
        self.value = value

    def __await__(self):
        yield from ()
        return self.value


async def ask(method, path, body=b"", headers=()):
    messages = iter([{"type": "http.request", "body": body, "more_body": False}])
    sent = []

    async def send(message):
        sent.append(message)

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
            (b"content-length", str(len(body)).encode()),
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


def test_starting_and_stopping_are_answered():
    messages = iter(["lifespan.startup", "lifespan.shutdown"])
    sent = []

    async def receive():
        return {"type": next(messages)}

    async def send(message):
        sent.append(message["type"])

    asyncio.run(application({"type": "lifespan"}, receive, send))
    assert sent == ["lifespan.startup.complete", "lifespan.shutdown.complete"]
