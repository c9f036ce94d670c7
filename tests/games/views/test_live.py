"""The live stream as an ASGI application."""

import asyncio
import json

import pytest
import structlog
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import OperationalError, connections
from django.utils import timezone
from tests.games.browsing import Browser
from tests.games.steps import due

from diplomaccloud.accounts.models import User
from diplomaccloud.games import actions
from diplomaccloud.games.models import Game, Phase
from diplomaccloud.games.views import live
from diplomaccloud.games.views.live import LiveStream

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def quickly(monkeypatch):
    monkeypatch.setattr(live, "POLL_SECONDS", 0.02)


async def listen(cookie, slug, meanwhile=None, *, events=1, method="GET"):
    """Return the status and the data of the first `events` events."""
    sent, gone = asyncio.Queue(), asyncio.Event()

    async def receive():
        await gone.wait()
        return {"type": "http.disconnect"}

    scope = {
        "type": "http",
        "method": method,
        "path": f"/live/games/{slug}",
        "headers": [(b"cookie", cookie.encode())],
    }
    stream = asyncio.create_task(LiveStream()(scope, receive, sent.put, slug=slug))
    status = (await asyncio.wait_for(sent.get(), 10))["status"]
    found = []
    while status == 200 and len(found) < events:
        body = (await asyncio.wait_for(sent.get(), 10))["body"].decode()
        if body.startswith("event: changed\ndata: "):
            found.append(json.loads(body.split("data: ")[1]))
            if meanwhile is not None and len(found) == 1:
                await asyncio.to_thread(_and_hang_up, meanwhile)
    gone.set()
    await asyncio.wait_for(stream, 10)
    return status, found


def _and_hang_up(act):
    try:
        act()
    finally:
        connections.close_all()  # the thread's own, which nobody else would close


def cookie_of(cast, who):
    morsel = cast.client(who).cookies.get(settings.SESSION_COOKIE_NAME)
    return f"{settings.SESSION_COOKIE_NAME}={morsel.value}" if morsel else ""


def run(cast, who="nobody", **named):
    return asyncio.run(listen(cookie_of(cast, who), cast.slug, **named))


@pytest.mark.parametrize("who", ["alice", "bob", "charlie", "nobody"])
def test_everybody_hears_of_a_public_game_that_it_changed(cast, who):
    status, (pulse,) = run(cast, who)
    assert status == 200
    assert set(pulse) == {"version", "phase", "status", "now"}
    assert (pulse["phase"], pulse["status"]) == (1, "running")


def test_the_next_phase_is_told(cast):
    def process():
        now = Phase.objects.get().due_at
        actions.advance(game_id=cast.game_id, owner="t", now=now)

    _, (before, after) = run(cast, events=2, meanwhile=process)
    assert (before["phase"], after["phase"]) == (1, 2)
    assert after["version"] > before["version"]


def test_it_tells_the_phase_that_a_page_shows_after_each_roll(table):
    due(table)
    master = Browser(table.client("charlie"))
    for roll in ("roll-back/", "roll-forward/"):
        master.open(table.url("master/"))
        master.send(f"master/{roll}", reason="A mistake.")
        _, (pulse,) = run(table)
        shown = table.client("nobody").get(table.url()).context["view"].header
        assert (pulse["phase"], pulse["version"]) == (shown.sequence, shown.version)


def test_saved_orders_are_not_told_but_being_ready_is(cast):
    def act():
        now = timezone.now()
        actions.save_orders(
            slug=cast.slug,
            user_id=cast.alice,
            sequence=1,
            choices=["A VIE - GAL"],
            sheet="",
            now=now,
        )
        actions.set_ready(slug=cast.slug, user_id=cast.alice, sequence=1, now=now)

    _, pulses = run(cast, "bob", events=2, meanwhile=act)
    assert [pulse["phase"] for pulse in pulses] == [1, 1]


@pytest.mark.parametrize(
    ("who", "status"), [("alice", 200), ("bob", 200), ("charlie", 404), ("nobody", 404)]
)
def test_a_private_game_is_told_to_its_players_alone(cast, who, status):
    Game.objects.update(private=True)
    assert run(cast, who)[0] == status


@pytest.mark.parametrize(
    ("cookie", "slug", "method", "status"),
    [
        ("", "zzzzzzzzzz", "GET", 404),
        ("", "x" * 5000, "GET", 404),
        ("", "aaaaaaaaaa", "POST", 405),
        ("sessionid=forged; =;;\x01", "aaaaaaaaaa", "GET", 200),
    ],
    ids=["no game", "a long name", "a post", "a broken cookie"],
)
def test_bad_requests(cast, cookie, slug, method, status):
    with structlog.testing.capture_logs() as lines:
        assert asyncio.run(listen(cookie, slug, method=method))[0] == status
    assert [line["status"] for line in lines if line["event"] == "request"] == (
        [] if status == 200 else [status]
    )


def test_a_lost_database_is_no_crash(cast, monkeypatch):
    def away(*_):
        raise OperationalError("away")

    monkeypatch.setattr(live, "_find_listener", away)
    status, _ = asyncio.run(listen("", cast.slug))
    assert status == 503


@pytest.mark.parametrize(
    ("cookie", "slug", "status"),
    [("", "aaaaa\x00aaaa", 400), ('sessionid="\\000abc"', "aaaaaaaaaa", 200)],
)
def test_nul_characters_are_refused(cast, cookie, slug, status):
    assert asyncio.run(listen(cookie, slug))[0] == status


def test_no_more_streams_than_fit(cast, monkeypatch):
    monkeypatch.setattr(live, "MOST_STREAMS", 0)
    assert run(cast)[0] == 503


async def hear_end(cookie, slug, act):
    """Return whether the stream ended by itself after `act`, within ten seconds."""
    sent, gone = asyncio.Queue(), asyncio.Event()

    async def receive():
        await gone.wait()
        return {"type": "http.disconnect"}

    scope = {
        "type": "http",
        "method": "GET",
        "path": f"/live/games/{slug}",
        "headers": [(b"cookie", cookie.encode())],
    }
    stream = asyncio.create_task(LiveStream()(scope, receive, sent.put, slug=slug))
    assert (await asyncio.wait_for(sent.get(), 10))["status"] == 200
    await asyncio.to_thread(_and_hang_up, act)
    ended, _ = await asyncio.wait({stream}, timeout=0.6 if act is _do_nothing else 10)
    gone.set()
    await asyncio.wait_for(stream, 10)
    return bool(ended)


def _do_nothing():
    pass


def _log_out():
    Session.objects.all().delete()


def _change_password():
    for user in User.objects.all():
        user.set_password("another long enough word")
        user.save()


def _deactivate():
    User.objects.update(is_active=False)


def _hide():
    Game.objects.update(private=True)


@pytest.mark.parametrize(
    ("who", "act", "ends"),
    [
        ("alice", _do_nothing, False),
        ("alice", _log_out, True),
        ("alice", _change_password, True),
        ("alice", _deactivate, True),
        ("charlie", _hide, True),
        ("nobody", _hide, True),
        ("nobody", _do_nothing, False),
    ],
)
def test_a_stream_ends_when_its_person_may_no_longer_listen(cast, monkeypatch, who, act, ends):
    monkeypatch.setattr(live, "RECHECK_SECONDS", 0.1)
    assert asyncio.run(hear_end(cookie_of(cast, who), cast.slug, act)) is ends


def test_a_stream_is_checked_at_least_every_30_seconds():
    assert live.RECHECK_SECONDS + live.POLL_SECONDS < 30
