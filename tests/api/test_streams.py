"""Waiting for events on a real server: streams and long polls, over plain HTTP."""

import asyncio
import json

import pytest
from django.db import connections
from django.utils import timezone
from judge.tests.effort import PATIENCE
from tests.api.calls import token_of
from tests.games.steps import due

from diplomaccloud.accounts.models import User
from diplomaccloud.api import events
from diplomaccloud.api.events import EventStream
from diplomaccloud.api.models import Token
from diplomaccloud.games.page import live
from diplomaccloud.games.seats import actions as seats_actions
from diplomaccloud.games.table.models import Game
from diplomaccloud.project import asgi

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.every_database]

SSE = {"Accept": "text/event-stream"}


@pytest.fixture(autouse=True)
def quickly(monkeypatch):
    monkeypatch.setattr(live, "POLL_SECONDS", 0.02)


class Call:
    """A request to a server that is still open."""

    def __init__(self, server, path, token="", headers=(), method="GET"):
        self._sent, self._gone = asyncio.Queue(), asyncio.Event()
        path, _, query = path.partition("?")
        names = {"Host": "localhost", **dict(headers)}
        if token:
            names["Authorization"] = f"Bearer {token}"
        scope = {
            "type": "http",
            "method": method,
            "path": f"/api/v1{path}",
            "raw_path": f"/api/v1{path}".encode(),
            "query_string": query.encode(),
            "root_path": "",
            "scheme": "http",
            "http_version": "1.1",
            "server": ("localhost", 80),
            "client": ("127.0.0.1", 1),
            "headers": [(name.lower().encode(), value.encode()) for name, value in names.items()],
        }
        slug = events.find_game(scope["path"])
        self.task = asyncio.create_task(server(scope, self._receive, self._sent.put, slug=slug))
        self.text = ""

    async def _receive(self):
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def begin(self):
        start = await asyncio.wait_for(self._sent.get(), PATIENCE)
        self.headers = {name.lower(): value for name, value in start["headers"]}
        return start["status"]

    async def events(self, number):
        """Return the next events of a stream."""
        found = []
        while len(found) < number:
            block, end, rest = self.text.partition("\n\n")
            if not end:
                self.text += await self._more()
                continue
            self.text = rest
            lines = dict(line.split(": ", 1) for line in block.splitlines() if line[0] != ":")
            if "data" in lines:
                event = json.loads(lines["data"])
                assert (lines["id"], lines["event"]) == (event["id"], event["type"])
                found.append(event)
        assert len(found) == number
        return found

    async def _more(self):
        message = await asyncio.wait_for(self._sent.get(), PATIENCE)
        return message["body"].decode()

    async def whole(self):
        """Return the body of an answer that ends."""
        await asyncio.wait_for(self.task, PATIENCE)
        while not self._sent.empty():
            self.text += self._sent.get_nowait()["body"].decode()
        return self.text

    async def page(self):
        return json.loads(await self.whole())

    async def close(self):
        self._gone.set()
        await asyncio.wait_for(self.task, PATIENCE)


@pytest.fixture
def play():
    """A function that runs a scene with its own server."""

    def run(scene):
        async def act():
            server = EventStream(asgi._pages)
            try:
                return await scene(server)
            finally:
                server.close()

        return asyncio.run(act())

    return run


async def until(condition):
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.01)


async def meanwhile(work, *args):
    def do():
        try:
            work(*args)
        finally:
            connections.close_all()  # the thread's own, which nobody else would close

    await asyncio.to_thread(do)


def address(table, more=""):
    return f"/games/{table.slug}/events{more}"


def test_a_stream_tells_what_has_been_and_what_comes(table, play):
    token = token_of(table.alice)

    async def scene(server):
        stream = Call(server, address(table), token, SSE)
        assert await stream.begin() == 200
        assert stream.headers[b"content-type"].startswith(b"text/event-stream")
        past = await stream.events(4)
        await meanwhile(due, table)
        kinds = []
        while "phase.opened" not in kinds[-1:]:
            kinds += [event["type"] for event in await stream.events(1)]
        await stream.close()
        return past, kinds

    past, kinds = play(scene)
    assert past[0]["type"] == "game.created"
    assert {"phase.closed", "phase.resolved"} <= set(kinds)


def test_a_stream_states_the_nearest_limit(table, play, settings):
    settings.API_LIMITS = True
    token = token_of(table.alice)

    async def scene(server):
        stream = Call(server, address(table), token, SSE)
        assert await stream.begin() == 200
        await stream.close()
        return stream.headers

    headers = play(scene)
    assert headers[b"ratelimit-policy"] == b'"token";q=600;w=60'
    assert headers[b"ratelimit"].startswith(b'"token";r=')


@pytest.mark.parametrize("coding", ["gzip", "br", "gzip, deflate, br, zstd"])
def test_whoever_understands_compressed_answers_hears_as_much(table, play, coding):
    due(table)

    async def scene(server):
        stream = Call(server, address(table), "", {**SSE, "Accept-Encoding": coding})
        assert await stream.begin() == 200
        past = await stream.events(6)
        await stream.close()
        poll = Call(server, address(table, "?wait=5"), "", {"Accept-Encoding": coding})
        assert await poll.begin() == 200
        assert b"content-encoding" not in poll.headers
        return past, (await poll.page())["events"]

    past, polled = play(scene)
    assert past == polled[:6]


def test_a_stream_goes_on_after_the_last_id_whatever_it_began_with(table, play):
    version = Game.objects.get().version
    due(table)

    async def scene(server):
        headers = {**SSE, "Last-Event-ID": str(version)}
        stream = Call(server, address(table, "?after=1"), "", headers)
        assert await stream.begin() == 200
        (event,) = await stream.events(1)
        await stream.close()
        return event

    assert play(scene)["id"] == str(version + 1)


def test_a_long_poll_waits_for_the_next_event(table, play):
    version = Game.objects.get().version

    async def scene(server):
        call = Call(server, address(table, f"?after={version}&wait=20"))
        await until(server.count_streams)
        assert not call.task.done()
        await meanwhile(due, table)
        assert await call.begin() == 200
        assert b"content-length" not in call.headers
        return await call.page()

    page = play(scene)
    assert page["events"][0]["id"] == str(version + 1)
    assert int(page["next"]) == version + len(page["events"])


def test_a_long_poll_ends_with_nothing_after_its_time(table, play, monkeypatch):
    async def scene(server):
        call = Call(server, address(table, "?after=now&wait=1"), token_of_alice)
        assert await call.begin() == 200
        return await call.page()

    token_of_alice = token_of(table.alice)
    version = Game.objects.get().version
    assert play(scene) == {"events": [], "next": str(version), "more": False}


def test_a_long_poll_with_something_to_say_is_answered_at_once(table, play):
    async def scene(server):
        call = Call(server, address(table, "?wait=30"))
        assert await call.begin() == 200
        return await call.page()

    assert play(scene)["events"]


@pytest.mark.parametrize(
    ("query", "headers", "status"),
    [
        ("?after=x", SSE, 422),
        ("?wait=31", {}, 422),
        ("?wait=x", SSE, 422),
        ("?after=1&wait=5", {"Authorization": "Bearer dc_wrong"}, 401),
        ("?wait=5", {"Last-Event-ID": "x"}, 200),
        ("", {**SSE, "Last-Event-ID": "x"}, 422),
        ("", {**SSE, "Last-Event-ID": "\x00"}, 400),
        ("?after=\xff", SSE, 422),
    ],
)
def test_wrong_requests_get_the_same_problems(table, play, query, headers, status):
    async def scene(server):
        call = Call(server, address(table, query), "", headers)
        assert await call.begin() == status
        return await call.page()

    document = play(scene)
    if status >= 400:
        assert document["type"].startswith("urn:diplomaccloud:problem:")


def test_an_unknown_game_is_not_found(table, play):
    async def scene(server):
        call = Call(server, "/games/zzzzzzzzzz/events", "", SSE)
        return await call.begin()

    assert play(scene) == 404


def test_one_person_has_only_so_many_streams(table, play, monkeypatch):
    monkeypatch.setattr(events, "MOST_FOR_ONE", 2)
    alice, other, bob = token_of(table.alice), token_of(table.alice), token_of(table.bob)

    async def scene(server):
        opened = [Call(server, address(table), token, SSE) for token in (alice, other)]
        assert [await call.begin() for call in opened] == [200, 200]
        refused = Call(server, address(table, "?after=now&wait=9"), alice)
        assert await refused.begin() == 429
        assert refused.headers[b"retry-after"] == b"30"
        assert refused.headers[b"ratelimit"] == b'"open-streams";r=0;t=30'
        await refused.whole()
        for token in (bob, ""):
            call = Call(server, address(table), token, SSE)
            opened.append(call)
            assert await call.begin() == 200
        await opened[0].close()
        call = Call(server, address(table), alice, SSE)
        opened.append(call)
        assert await call.begin() == 200
        for call in opened[1:]:
            await call.close()

    play(scene)


def test_a_visitor_cannot_seem_to_be_many(table, play, monkeypatch, settings):
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    monkeypatch.setattr(events, "MOST_FOR_ONE", 1)

    async def scene(server):
        calls = []
        for number in (1, 2):
            forged = {"X-Forwarded-For": "192.0.2.1", "X_Forwarded_For": f"192.0.2.9{number}"}
            calls.append(Call(server, address(table), "", {**SSE, **forged}))
            calls[-1].status = await calls[-1].begin()
        await calls[0].close()
        return [call.status for call in calls]

    assert play(scene) == [200, 429]


def test_a_full_server_says_so(table, play, monkeypatch):
    monkeypatch.setattr(live, "MOST_STREAMS", 0)

    async def scene(server):
        return await Call(server, address(table), "", SSE).begin()

    assert play(scene) == 503


def _revoke():
    Token.objects.all().delete()


def _expire():
    Token.objects.update(expires_at="2020-01-01T00:00:00Z")


def _ban():
    User.objects.update(banned_at="2020-01-01T00:00:00Z")


def _deactivate():
    User.objects.update(is_active=False)


def _hide():
    Game.objects.update(private=True)


@pytest.mark.parametrize("act", [_revoke, _expire, _ban, _deactivate, _hide])
def test_a_stream_ends_with_the_right_to_it(table, play, monkeypatch, act):
    Game.objects.update(master=None)
    token = token_of(table.user_id("charlie"))
    if act is _hide:
        monkeypatch.setattr(live, "RECHECK_SECONDS", 0.1)

    async def scene(server):
        stream = Call(server, address(table), token, SSE)
        assert await stream.begin() == 200
        await meanwhile(act)
        await asyncio.wait_for(stream.task, PATIENCE)

    play(scene)


def test_a_stream_for_a_seat_ends_with_the_seat(table, play):
    token = token_of(table.alice, "read", "play", slug=table.slug)

    def resign():
        seats_actions.resign(slug=table.slug, user_id=table.alice, now=timezone.now())

    async def scene(server):
        stream = Call(server, address(table), token, SSE)
        assert await stream.begin() == 200
        await meanwhile(resign)
        await asyncio.wait_for(stream.task, PATIENCE)

    play(scene)


def test_an_idle_stream_asks_nothing_of_its_own(table, play, monkeypatch):
    reads = []
    real = events.read_events
    monkeypatch.setattr(events, "read_events", lambda *a, **k: reads.append(a) or real(*a, **k))
    monkeypatch.setattr(live, "PING_SECONDS", 0.05)

    async def scene(server):
        stream = Call(server, address(table, "?after=now"), "", SSE)
        assert await stream.begin() == 200
        await until(lambda: stream._sent.qsize() > 1)
        begun = len(reads)
        await until(lambda: stream._sent.qsize() > 5)
        await stream.close()
        assert len(reads) == begun

    play(scene)


def test_what_does_not_wait_is_answered_by_the_pages(table, play):
    async def scene(server):
        heard = Call(server, address(table), "", SSE, method="HEAD")
        status = await heard.begin()
        await heard.close()
        plain = Call(server, address(table, "?after=now"))
        return status, await plain.begin()

    assert play(scene) == (200, 200)
