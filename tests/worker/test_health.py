import datetime as dt
import json
import re
from types import SimpleNamespace

import pytest
from django.db import OperationalError
from django.utils import timezone

from diplomaccloud.games.deadlines.read import StoppedClock
from diplomaccloud.games.table.models import Game, Status
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.games.turn.claims import advance
from diplomaccloud.worker import health as worker_health
from diplomaccloud.worker import views
from diplomaccloud.worker.health import (
    KEEP_SECONDS,
    MAX_DELAY,
    MAX_SILENCE,
    MIN_OUTAGE,
    START_SECONDS,
    ClockWatch,
    Pulse,
    check_health,
)
from diplomaccloud.worker.models import Heartbeat

SECOND = dt.timedelta(seconds=1)


@pytest.fixture
def errors(monkeypatch):
    facts_logged = []

    class Log:
        def error(self, what, **facts):
            facts_logged.append((what, facts["count"]))

    monkeypatch.setattr(worker_health, "_log", Log())
    return facts_logged


def make_due(at):
    Phase.objects.filter(processed_at=None).update(opens_at=at, due_at=at, adjudicate_at=at)


@pytest.mark.parametrize(
    ("late", "beaten", "well"),
    [
        (MAX_DELAY - SECOND, SECOND, True),
        (MAX_DELAY + SECOND, SECOND, False),
        (-SECOND, MAX_SILENCE - SECOND, True),
        (-SECOND, MAX_SILENCE + SECOND, False),
        (-SECOND, None, False),
    ],
    ids=["busy", "overdue", "between beats", "worker gone", "never a worker"],
)
def test_all_is_well_while_a_worker_beats_and_nothing_is_overdue(cast, late, beaten, well):
    now = timezone.now()
    make_due(now - late)
    if beaten is not None:
        Pulse("worker").beat(now=now - beaten)
    assert check_health(now=now).well is well


def test_a_suspended_game_is_not_overdue(cast):
    now = timezone.now()
    make_due(now - 2 * MAX_DELAY)
    Game.objects.update(suspended_reason="broken")
    assert check_health(now=now).backlog.overdue == 0
    assert check_health(now=now).backlog.suspended == 1


def test_the_alarm_repeats_every_minute_until_the_work_is_done(cast, errors):
    now = timezone.now()
    make_due(now - 2 * MAX_DELAY)
    pulse = Pulse("worker")
    for seconds in range(0, 65, 5):
        pulse.beat(now=now + seconds * SECOND)
    assert errors == [("phases overdue", 1)] * 2
    advance(game_id=cast.game_id, owner="worker", now=now)
    pulse.beat(now=now + 200 * SECOND)
    assert len(errors) == 2


def test_a_worker_has_one_row_which_is_deleted_after_a_day(db):
    now = timezone.now()
    Pulse("old").beat(now=now - dt.timedelta(days=2))
    pulse = Pulse("new")
    for seconds in (0, 30, 60):
        pulse.beat(now=now + seconds * SECOND)
    assert [row.owner for row in Heartbeat.objects.all()] == ["new"]


def test_the_page_shows_figures_and_a_status(cast, client):
    assert client.get("/health").status_code == 503
    Pulse("worker").beat(now=timezone.now())
    answer = client.get("/health")
    assert answer.status_code == 200
    facts_logged = json.loads(answer.content)
    assert (facts_logged["well"], facts_logged["database"], facts_logged["overdue"]) == (
        True,
        "ok",
        0,
    )
    assert "no-store" in answer.headers["Cache-Control"]
    assert "sessionid" not in answer.cookies


def test_an_unavailable_database_is_reported_without_the_reason(cast, client, monkeypatch):
    def fail(**_):
        raise OperationalError("password secret refused")

    monkeypatch.setattr(views, "check_health", fail)
    answer = client.get("/health")
    assert answer.status_code == 503
    assert json.loads(answer.content) == {"well": False, "database": "away"}


def test_a_process_lives_without_a_database_but_is_not_ready(db, client, monkeypatch):
    assert client.get("/health/live").json() == {"live": True}
    ready = client.get("/health/ready")
    assert (ready.status_code, ready.json()["ready"]) == (200, True)

    def fail():
        raise OperationalError("password secret refused")

    monkeypatch.setattr(views, "_is_ready", fail)
    away = client.get("/health/ready")
    assert (away.status_code, away.json()) == (503, {"ready": False, "database": "away"})
    assert client.get("/health/live").status_code == 200


def test_a_process_is_not_ready_before_the_database_has_its_tables(db, client, monkeypatch):
    from django.db import connection
    from django.db.migrations.recorder import MigrationRecorder

    views._seen_ready.clear()
    recorder = MigrationRecorder(connection)
    newest = max(name for app, name in recorder.applied_migrations() if app == "slack")
    recorder.record_unapplied("slack", newest)
    answer = client.get("/health/ready")
    assert (answer.status_code, answer.json()["database"]) == (503, "not migrated")


@pytest.mark.parametrize("path", ["/health", "/health/live", "/health/ready"])
def test_probes_ask_a_process_by_its_address_and_without_https(db, client, settings, path):
    settings.SECURE_SSL_REDIRECT = True
    settings.ALLOWED_HOSTS = ["games.example.org"]
    Pulse("worker").beat(now=timezone.now())
    assert client.get(path, headers={"host": "10.0.0.7:8000"}).status_code == 200
    assert client.post(path, headers={"host": "10.0.0.7:8000"}).status_code == 405
    assert client.get("/", headers={"host": "10.0.0.7:8000"}).status_code != 200


@pytest.fixture
def elapse(monkeypatch):
    """A function that lets time pass for processes that watch the clock."""
    at = 1000.0
    # Not the module's own function, on which the site's clock depends.
    monkeypatch.setattr(worker_health, "time", SimpleNamespace(monotonic=lambda: at))

    def pass_seconds(seconds):
        nonlocal at
        at += seconds

    return pass_seconds


@pytest.mark.parametrize(
    ("beaten", "stopped"),
    [(MIN_OUTAGE - 5 * SECOND, False), (MIN_OUTAGE + 5 * SECOND, True), (None, True)],
    ids=["a minute ago", "two minutes ago", "never"],
)
def test_the_clock_has_stopped_if_no_worker_was_seen_for_two_minutes(db, elapse, beaten, stopped):
    seen_at = timezone.now() - beaten if beaten else None
    if seen_at:
        Pulse("worker").beat(now=seen_at)
    watch = ClockWatch()
    assert watch.find_stop() is None, "the worker starts with the site"
    elapse(START_SECONDS)
    assert watch.find_stop() == (StoppedClock(seen_at) if stopped else None)


def test_a_process_reads_the_heartbeat_only_now_and_then(db, elapse, django_assert_num_queries):
    watch = ClockWatch()
    elapse(START_SECONDS)
    assert watch.find_stop()
    Pulse("worker").beat(now=timezone.now())
    with django_assert_num_queries(0):
        assert watch.find_stop(), "what was read counts for some seconds"
    elapse(KEEP_SECONDS)
    assert watch.find_stop() is None


STOPPED = StoppedClock(dt.datetime(2030, 3, 1, 11, 20, tzinfo=dt.UTC))


def find_no_stop():
    return None


def find_stop():
    return STOPPED


def find_no_clock():
    return StoppedClock(None)


def is_shown(client, url):
    """Return whether the page shows that the clock has stopped; None if it never does."""
    note = re.search(r'id="stopped-clock"[^>]*>', client.get(url).content.decode())
    return None if note is None else "hidden" not in note[0]


@pytest.mark.parametrize("who", ["alice", "charlie", "nobody"])
@pytest.mark.parametrize("find", [find_stop, find_no_stop])
def test_the_home_page_and_the_pages_of_games_say_that_the_clock_has_stopped(
    cast, settings, who, find
):
    settings.CLOCK_WATCH = f"{__name__}.{find.__name__}"
    stopped = find is find_stop
    client = cast.client(who)
    for url in ["/", cast.url(), cast.url("log/"), cast.url("rules/")]:
        assert is_shown(client, url) is stopped, url
    assert is_shown(client, "/games/") is None
    assert client.get(cast.url("state/")).json()["stopped"] is stopped
    ending = {"winners": [], "reason": "So."}
    Game.objects.update(status=Status.FINISHED, finished_at=timezone.now(), ending=ending)
    assert is_shown(client, cast.url("log/")) is None, "no deadline is left to wait for"


@pytest.mark.parametrize(
    ("find", "words"),
    [
        (find_no_stop, "The clock runs."),
        (find_stop, "The clock has stopped."),
        (find_no_clock, "The clock has never run on this site."),
    ],
)
def test_everyone_can_see_the_status_of_the_site(cast, client, settings, find, words):
    settings.CLOCK_WATCH = f"{__name__}.{find.__name__}"
    text = client.get("/status/").content.decode()
    assert words in text
    assert ("2030-03-01T11:20" in text) is (find is find_stop)
    assert "All turns are on time." in text
    make_due(timezone.now() - 2 * MAX_DELAY)
    assert "One turn is late." in client.get("/status/").content.decode()
    Game.objects.update(suspended_reason="broken")
    assert "One game is suspended" in client.get("/status/").content.decode()
