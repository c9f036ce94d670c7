"""The live stream as an ASGI application."""

import asyncio
import json
import time
from functools import partial
from itertools import product
from types import SimpleNamespace

import pytest
import structlog
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import OperationalError, connections
from django.db.models import Value
from django.utils import timezone
from judge.tests.effort import PATIENCE
from tests.games.browsing import Browser
from tests.games.steps import due

from diplomaccloud.accounts.models import User
from diplomaccloud.games.deadlines.read import StoppedClock
from diplomaccloud.games.orders.actions import save_orders, set_ready
from diplomaccloud.games.page import live
from diplomaccloud.games.page import read as versions
from diplomaccloud.games.page.live import LiveStream
from diplomaccloud.games.table.models import Game, Invitation
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.games.turn.claims import advance
from diplomaccloud.games.visibility.read import (
    Viewer,
    build_finished_rule,
    find_visible_pairs,
    sees,
    visible_games,
)
from diplomaccloud.shared.news import follow_news

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.every_database]


@pytest.fixture(autouse=True)
def quickly(monkeypatch):
    monkeypatch.setattr(live, "POLL_SECONDS", 0.02)


async def listen(cookie, slug, meanwhile=None, *, events=1, method="GET", application=None):
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
    stream = asyncio.create_task((application or LiveStream())(scope, receive, sent.put, slug=slug))
    status = (await asyncio.wait_for(sent.get(), PATIENCE))["status"]
    found = []
    while status == 200 and len(found) < events:
        body = (await asyncio.wait_for(sent.get(), PATIENCE))["body"].decode()
        if body.startswith("event: changed\ndata: "):
            found.append(json.loads(body.split("data: ")[1]))
            if meanwhile is not None and len(found) == 1:
                await asyncio.to_thread(_and_hang_up, meanwhile)
    gone.set()
    await asyncio.wait_for(stream, PATIENCE)
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
    assert set(pulse) == {"version", "phase", "status", "own", "now"}
    assert (pulse["phase"], pulse["status"]) == (1, "running")


def test_the_next_phase_is_told(cast):
    def process():
        now = Phase.objects.get().due_at
        advance(game_id=cast.game_id, owner="t", now=now)

    _, (before, after) = run(cast, events=2, meanwhile=process)
    assert (before["phase"], after["phase"]) == (1, 2)
    assert after["version"] > before["version"]


def test_news_of_a_game_are_read_at_once_for_those_who_listen_to_it(cast, monkeypatch):
    monkeypatch.setattr(live, "POLL_SECONDS", 3600)
    read, asked = live._read, []
    monkeypatch.setattr(live, "_read", lambda those, door: asked.append(those) or read(those, door))

    cookie, other_cookie = cookie_of(cast, "alice"), cookie_of(cast, "bob")
    who = {"slug": cast.slug, "user_id": cast.alice, "sequence": 1}
    ready = partial(set_ready, **who, now=timezone.now())

    async def follow():
        application, loop = LiveStream(), asyncio.get_running_loop()
        stop = follow_news(lambda places: loop.call_soon_threadsafe(application.wake, places))
        other = asyncio.create_task(_listen_on(application, other_cookie))
        try:
            return await listen(cookie, cast.slug, ready, events=2, application=application)
        finally:
            stop()
            other.cancel()

    _, (before, after) = asyncio.run(follow())
    assert after["version"] > before["version"]
    assert {one.slug for one in asked[-1]} == {cast.slug}


def test_news_never_wait_because_reading_all_games_took_long(cast, monkeypatch):
    monkeypatch.setattr(live, "POLL_SECONDS", 3600)
    read, sleep, pauses, lost = live._read, asyncio.sleep, [], []
    clock = SimpleNamespace(monotonic=lambda: time.monotonic() + sum(lost))
    monkeypatch.setattr(live, "time", clock)

    def read_slowly(those, door):
        lost.append(60)
        return read(those, door)

    async def note_pause(seconds):
        pauses.append(seconds)
        await sleep(seconds)  # steady: what the site sleeps

    monkeypatch.setattr(live, "_read", read_slowly)
    monkeypatch.setattr(live.asyncio, "sleep", note_pause)
    run(cast)
    assert pauses[:1] == [live.PAUSE_SECONDS]


async def _listen_on(application, cookie):
    """Keep a stream over all games open."""
    forever = asyncio.Event()

    async def send(_message):
        pass

    scope = {"type": "http", "method": "GET", "path": "/live/messages"}
    scope["headers"] = [(b"cookie", cookie.encode())]
    await application(scope, forever.wait, send, slug=live.ALL_GAMES)


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
        save_orders(
            slug=cast.slug,
            user_id=cast.alice,
            sequence=1,
            choices=["A VIE - GAL"],
            sheet="",
            now=now,
        )
        set_ready(slug=cast.slug, user_id=cast.alice, sequence=1, now=now)

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


def test_a_person_has_only_so_many_streams(cast, monkeypatch):
    monkeypatch.setattr(live, "MOST_FOR_ONE", 0)
    assert run(cast, "alice")[0] == 429
    assert run(cast, "nobody")[0] == 200


async def hear_end(cookie, slug, act):
    """Return whether the stream ended by itself after `act`, in time."""
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
    assert (await asyncio.wait_for(sent.get(), PATIENCE))["status"] == 200
    await asyncio.to_thread(_and_hang_up, act)
    ended, _ = await asyncio.wait({stream}, timeout=0.6 if act is _do_nothing else PATIENCE)
    gone.set()
    await asyncio.wait_for(stream, PATIENCE)
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


def test_a_stream_ends_at_once_when_its_person_logs_out(cast):
    client = cast.client("alice")
    cookie = f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}"
    # Long before the stream would ask again who is listening.
    assert asyncio.run(hear_end(cookie, cast.slug, client.logout))


def test_what_is_the_viewers_own_is_counted_for_all_streams_together(cast, monkeypatch):
    asked = []

    def select(pairs):
        asked.append(pairs)
        people = User.objects.filter(pk__in=[user for user, _ in pairs])
        everyone = User.objects.filter(pk=cast.bob)
        number = Value(cast.game_id)
        yield versions.select_own(people, user="pk", game=number, number=Value(7))
        yield versions.select_own(everyone, user="", game=number, number=Value(3))

    monkeypatch.setattr(live, "_load_counters", lambda: (select, select))
    _, (pulse,) = run(cast, "alice")
    assert pulse["own"] == 20
    assert {(cast.alice, cast.game_id), (live.EVERYONE, cast.game_id)} in asked
    _, (pulse,) = run(cast)
    assert pulse["own"] == 6


def test_one_query_answers_all_streams(cast, django_assert_num_queries):
    sessions = {who: cast.client(who).session.session_key for who in ("alice", "bob")}
    people = {"alice": cast.alice, "bob": cast.bob}
    listeners = frozenset(
        live.Listener(slug, game, Viewer(people[who]), sessions[who])
        for who in people
        for slug, game in ((cast.slug, cast.game_id), (live.ALL_GAMES, live.EVERYWHERE))
    )
    nobody = live.Listener(cast.slug, cast.game_id, Viewer(None), None)
    with django_assert_num_queries(1):
        news = live._read(listeners | {nobody})
    assert all(news.message_for(listener) for listener in (*listeners, nobody))
    assert not any(news.has_logged_out(listener) for listener in (*listeners, nobody))
    assert live._find_entitled(listeners | {nobody}) == listeners | {nobody}


def find_stop():
    return StoppedClock(None)


def test_the_streams_of_games_say_that_the_clock_has_stopped(cast, settings):
    listener = live.Listener(cast.slug, cast.game_id, Viewer(None), None)
    before = live._read(frozenset({listener})).message_for(listener)
    settings.CLOCK_WATCH = f"{__name__}.find_stop"
    news = live._read(frozenset({listener}))
    assert news.message_for(listener) == {**before, "stopped": True}


def test_pairs_are_visible_by_the_same_rule_as_games(cast):
    game = Game.objects.get()
    guest, stranger = (User.objects.create(username=name).pk for name in ("guest", "stranger"))
    Invitation.objects.create(game=game, user_id=guest, invited_at=timezone.now())
    people = (cast.alice, cast.bob, cast.charlie, stranger, guest, None)
    pairs = {(person, game.pk) for person in people}
    began = game.started_at
    states = product(("forming", "running", "canceled"), (True, False), ("anyone", "players"))
    for status, private, watch in states:
        options = {**game.options.to_json(), "watch": watch}
        started_at = began if status == "running" else None
        Game.objects.update(
            private=private,
            status=status,
            options=options,
            started_at=started_at,
            master=cast.charlie,
        )
        expected = {
            (person, key)
            for person, key in pairs
            if visible_games(Viewer(person)).filter(pk=key).exists()
        }
        assert find_visible_pairs(pairs) == expected, (status, private, watch)
        game.refresh_from_db()
        seen = {(person, game.pk) for person in people if sees(Viewer(person), game)}
        assert seen == expected, (status, private, watch)
        if status == "running":
            rules = {person: build_finished_rule(Viewer(person)) for person in people}
            seats = game.seats.all()
            listed = {(who, game.pk) for who, rule in rules.items() if seats.filter(rule)}
            assert listed == expected, (status, private, watch)


def test_the_stream_over_all_games_has_only_the_own_number(cast):
    _, (pulse,) = asyncio.run(listen(cookie_of(cast, "alice"), live.ALL_GAMES))
    assert set(pulse) == {"own", "now"}
    assert asyncio.run(listen("", live.ALL_GAMES))[0] == 404
