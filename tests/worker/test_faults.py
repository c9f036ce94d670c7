"""Severe faults: killed database servers, wrong clocks, request storms and races."""

import contextlib
import datetime as dt
import random
import sys
import time

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connections
from django.db.models import Count
from django.utils import timezone
from tests.worker.separate_site import (
    LENGTH,
    ROOT,
    Launcher,
    break_connections,
    connect,
    make_games,
    read_records,
    wait_until,
)

from diplomaccloud.games.orders.actions import set_ready
from diplomaccloud.games.table.log_models import Event, LogEntry
from diplomaccloud.games.table.models import Game
from diplomaccloud.games.table.phase_models import Phase, Receipt
from diplomaccloud.games.votes.actions import open_vote
from diplomaccloud.games.votes.models import Vote
from diplomaccloud.games.votes.wording import Question, Terms
from diplomaccloud.judge.orders import power_of

sys.path.insert(0, str(ROOT / "scripts"))
import servers

pytestmark = pytest.mark.real_database

TIME_TO_DEADLINE = dt.timedelta(seconds=3)
SAVED, TOO_LATE, FAILED = 303, 409, 503


def require_server():
    """Return the kind of server that the tests run on; skip the test on SQLite."""
    if not settings.CHECKS_DATABASE:
        pytest.skip("SQLite has no server: runs on PostgreSQL and MariaDB")
    return "postgresql" if settings.CHECKS_DATABASE.startswith("postgres") else "mariadb"


@contextlib.contextmanager
def use_database(url):
    """Let this process use a fresh database."""
    before = connections["default"]
    connections["default"] = connect(url)
    try:
        call_command("migrate", verbosity=0)
        yield
    finally:
        connections["default"].close()
        connections["default"] = before


def check_processed_once(slugs):
    """Check that the first phase of each game was processed once and no game is suspended."""
    assert list(Game.objects.exclude(suspended_reason="").values_list("slug", flat=True)) == []
    counted = Game.objects.annotate(there=Count("phases")).order_by()
    assert dict(counted.values_list("slug", "there")) == dict.fromkeys(slugs, 2)
    for kind in ("locked", "processed"):
        events = Event.objects.filter(kind=kind).values_list("game__slug", flat=True)
        assert sorted(events) == sorted(slugs)


def select_open_phases():
    return Phase.objects.filter(sequence=1, processed_at=None)


@pytest.mark.long
def test_a_database_server_killed_at_work_loses_and_repeats_nothing(
    tmp_path, django_db_setup, django_db_blocker, times
):
    kind, began = require_server(), timezone.now() - LENGTH - dt.timedelta(minutes=1)
    with django_db_blocker.unblock(), contextlib.ExitStack() as stack:
        base = stack.enter_context(servers.server(kind, durable=True))
        stack.enter_context(use_database(base.url))
        crew = stack.enter_context(Launcher(base.url, tmp_path))
        games = make_games(30 * times, now=began)
        workers = [crew.start("worker", 0.03) for _ in range(2)]
        for _ in range(3):
            left = select_open_phases().count()
            wait_until(lambda left=left: select_open_phases().count() < max(left - 3, 1))
            base.kill()
            time.sleep(0.3)  # steady: workers meet a server that is away
            base.start()
            connections["default"].close()
        wait_until(lambda: not select_open_phases().exists())
        check_processed_once(games)
        crew.dismiss(workers)


@pytest.mark.long
@pytest.mark.parametrize("cut", [False, True], ids=["whole", "sessions broken"])
def test_a_storm_of_requests_at_the_deadline(site, tmp_path, times, cut):
    games = rename_games(make_games(3 * times, now=timezone.now()))
    gate, folder, rng = tmp_path / "gate", tmp_path / "answers", random.Random(4)
    folder.mkdir()
    places = [(slug, person) for slug, people in games.items() for person in people]
    workers = [site.start("worker", 0.03) for _ in range(2)]
    sites = [site.start("site", number, places, str(gate), str(folder)) for number in range(2)]
    wait_until(
        lambda: len(read_answers(folder)) == 2 * len(places) and all(read_answers(folder).values())
    )
    gate.touch()
    due = timezone.now() + TIME_TO_DEADLINE
    select_open_phases().update(due_at=due, adjudicate_at=due)
    while cut and timezone.now() < due:
        time.sleep(rng.uniform(0.2, 0.8))
        break_connections()
    for pid in sites:
        site.wait(pid)
    wait_until(lambda: not select_open_phases().exists())
    check_processed_once(games)
    answers = read_answers(folder)
    for phase in Phase.objects.filter(sequence=1).select_related("game__chart"):
        for seat in phase.game.seats.all():
            windows = [
                acts
                for name, acts in answers.items()
                if name.startswith(f"{phase.game.slug} {seat.user_id} ")
            ]
            assert list_adjudicated_orders(phase, seat) in list_possible_orders(windows)
            assert Receipt.objects.filter(phase=phase, seat=seat).count() == 1
            saved = [at for acts in windows for status, at, _ in acts if status == SAVED]
            assert saved
            assert max(saved) < phase.locked_at
            statuses = {status for acts in windows for status, _, _ in acts}
            assert statuses <= {SAVED, TOO_LATE} | ({FAILED} if cut else set())
    site.dismiss(workers)


def rename_games(games):
    """Return the games with slugs that URLs allow."""
    renamed = {}
    for number, (slug, people) in enumerate(games.items()):
        letters = "".join(chr(ord("a") + int(digit)) for digit in f"{number:04}")
        renamed[f"storms{letters}"] = people
        Game.objects.filter(slug=slug).update(slug=f"storms{letters}")
    return renamed


def read_answers(folder):
    return {
        path.name: read_records(path)
        for path in folder.iterdir()
        if path.read_text().endswith("\n")
    }


def list_adjudicated_orders(phase, seat):
    return sorted(
        str(result.order)
        for result in phase.resolution.results
        if power_of(result.order) == seat.power and not result.implicit
    )


def list_possible_orders(windows):
    """Return the orders that may count: each window's last confirmed orders and any later ones."""
    candidates = []
    for acts in windows:
        confirmed = [number for number, (status, _, _) in enumerate(acts) if status == SAVED]
        last = confirmed[-1] if confirmed else 0
        candidates += [orders for status, _, orders in acts[last:] if status != TOO_LATE]
    return candidates


def test_a_worker_whose_clock_is_ahead_closes_nothing_early(site, times):
    require_server()
    games = make_games(4 * times, now=timezone.now())
    due = timezone.now() + TIME_TO_DEADLINE
    Phase.objects.update(due_at=due, adjudicate_at=due)
    workers = [site.start("wrong_clock", seconds) for seconds in (600, -600)]
    wait_until(lambda: not select_open_phases().exists())
    for phase in Phase.objects.filter(sequence=1):
        assert due <= phase.locked_at <= phase.processed_at <= timezone.now()
    check_processed_once(games)
    site.dismiss(workers)


@pytest.mark.long
def test_the_last_readiness_the_deadline_and_an_extension_at_once(site, tmp_path, times):
    games, rng = make_games(6 * times, now=timezone.now()), random.Random(3)
    motions, racers = {}, {}
    for slug, (maker, _) in games.items():
        named = {"slug": slug, "user_id": maker, "sequence": 1, "now": timezone.now()}
        set_ready(**named)
        terms = Terms(length=dt.timedelta(seconds=2))
        motion = open_vote(**named, question=Question.EXTEND, terms=terms)
        motions[slug] = motion.pk
    due = timezone.now() + TIME_TO_DEADLINE
    Phase.objects.update(due_at=due, adjudicate_at=due)
    workers = [site.start("worker", 0.02) for _ in range(2)]
    for slug, (_, other) in games.items():
        for verb, more in (("ready", {}), ("agree", {"vote_id": motions[slug]})):
            moments = [
                (due + dt.timedelta(seconds=rng.uniform(-0.2, 0.03))).isoformat() for _ in range(3)
            ]
            path = tmp_path / f"{slug} {verb}"
            named = {"slug": slug, "user_id": other, "sequence": 1, **more}
            racers[slug, verb] = site.start("racer", verb, sorted(moments), named, str(path))
    for pid in racers.values():
        site.wait(pid)
    wait_until(lambda: not select_open_phases().exists())
    check_processed_once(games)
    for phase in Phase.objects.filter(sequence=1).select_related("game"):
        slug = phase.game.slug
        ready, agreed = (
            [act for act in read_records(tmp_path / f"{slug} {verb}") if act[0] == verb]
            for verb in ("ready", "agree")
        )
        more = LogEntry.objects.filter(phase=phase, kind="extended").count()
        rolled = LogEntry.objects.filter(phase=phase, kind="ready").count()
        # Accepted actions happened once, before orders closed; nothing else happened.
        assert more == len(agreed) == (Vote.objects.get(game=phase.game).outcome == "carried")
        assert rolled == len([act for act in ready if act[2] == "last"]) == bool(ready)
        moves = LogEntry.objects.filter(phase=phase, kind__in=("extended", "ready"))
        locked = Event.objects.get(game=phase.game, kind="locked")
        before = Event.objects.filter(game=phase.game, kind="log", pk__lt=locked.pk)
        entries = {event.data["entry"] for event in before}
        assert set(moves.values_list("pk", flat=True)) <= entries
        assert phase.locked_at >= phase.due_at
        if not rolled:
            assert phase.due_at == due + more * dt.timedelta(seconds=2)
    site.dismiss(workers)
