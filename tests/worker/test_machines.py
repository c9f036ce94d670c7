"""A site on several machines whose processes are killed, whose broker stops, whose clocks jump.

Every phase is processed once, every notice is sent, no stream has a gap, and no order is lost. On
SQLite one worker, without a broker, is killed instead.
"""

import contextlib
import datetime as dt
import os
import random
import signal
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import timezone
from judge.tests.effort import PATIENCE
from tests.accounts.mailbox import mail_server
from tests.api.calls import token_of
from tests.ports import hold_port
from tests.redis_server import run_redis
from tests.worker.separate_site import (
    Launcher,
    answers,
    break_connections,
    is_alive,
    serve_site,
    use_own_database,
    wait_until,
)
from tests.worker.site_clients import Reader, Saver
from tests.worker.test_faults import list_adjudicated_orders
from tests.worker.test_killed_notices import add_hooks, check_deliveries, hook, make_linked_games

from diplomaccloud.accounts.mail_queue import add_mail
from diplomaccloud.accounts.models import OutgoingMail, User
from diplomaccloud.api.events import read_events
from diplomaccloud.games.table.log_models import Event
from diplomaccloud.games.table.models import Game, Seat
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.games.visibility.read import Viewer
from diplomaccloud.notices.models import Delivery
from diplomaccloud.schedule import Interval, Lengths, Schedule

GAMES, SECONDS = 20, 12
"""Of one run; `scripts/long-trials` multiplies them, so that ten times is 200 games in 120 s."""
READERS, SAVERS, MAILS = 12, 8, 12
WORKERS = {
    "clock": ("clock,default", 2),
    "bots": ("bots,notices", 2),
    "any": ("clock,notices,bots,default", 2),
}
"""Three Celery workers: their queues and processes. Another test makes maps."""
PRELOAD = Path("/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1")
DAY = dt.timedelta(days=1)
SCHEDULE = Schedule(Interval(Lengths(DAY, DAY, DAY)))
"""The second phases are not due before the longest trial is over."""
START_SECONDS = 3
"""Before that no process is killed again, so that there is work between deaths."""
SAVED, TOO_LATE = 200, 409

__all__ = ["hook"]


class Fleet:
    """The processes of a site, each of which can be killed and is started again."""

    def __init__(self, url, place, **variables):
        self.ports = [hold_port(), hold_port()]
        self.kills, self.ended = Counter(), Counter()
        self._place, self._variables = place, {"DIPLOMACCLOUD_DATABASE_URL": url, **variables}
        self._stack, self._starts = contextlib.ExitStack(), {}
        self.running, self._started_at = {}, {}
        self.clock = place / "clock"
        self.clock.write_text("+0")
        self._url = url

    def __enter__(self):
        self.launcher = self._launch()
        self.crooked = self.launcher
        if PRELOAD.exists() and settings.CHECKS_DATABASE:
            self.crooked = self._launch(
                LD_PRELOAD=str(PRELOAD),
                FAKETIME_TIMESTAMP_FILE=str(self.clock),
                FAKETIME_NO_CACHE="1",
                FAKETIME_DONT_FAKE_MONOTONIC="1",
            )
        for number, port in enumerate(self.ports):
            self._add(
                f"web {number}",
                lambda port=port: serve_site(port, self._place, self._variables).pid,
            )
        if settings.CHECKS_DATABASE:
            for name, (queues, processes) in WORKERS.items():
                launcher = self.crooked if name == "any" else self.launcher
                self._add(
                    f"celery {name}",
                    lambda name=name, queues=queues, processes=processes, launcher=launcher: (
                        launcher.start("celery", f"{name}@here", queues, processes)
                    ),
                )
            self._add("beat", lambda: self.launcher.start("beat"))
        else:
            self._add("worker", lambda: self.launcher.start("plain"))
        return self

    def __exit__(self, *_):
        for pid in self.running.values():
            kill_group(pid)
        self._stack.close()

    def _launch(self, **more):
        launcher = Launcher(self._url, self._place, **self._variables, **more)
        return self._stack.enter_context(launcher)

    def _add(self, name, start):
        self._starts[name] = start
        self._start(name)

    def _start(self, name):
        self.running[name] = self._starts[name]()
        self._started_at[name] = time.monotonic()

    def kill(self, rng):
        """Kill a process and everything that it has started, and start it again."""
        ready = [name for name in sorted(self._starts) if self.is_ready(name)]
        if not ready:
            return
        name = rng.choice(ready)
        kill_group(self.running[name])
        self.kills[name] += 1
        self._start(name)

    def restart_dead(self):
        """Start again what has ended by itself, as the manager of services does on a machine.

        Celery's workers now and then end when they lose their broker.
        """
        for name, pid in list(self.running.items()):
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)
            if not is_alive(pid):
                kill_group(pid)
                self.ended[name] += 1
                self._start(name)

    def is_ready(self, name):
        """Return whether a process serves pages, or has had some time to begin with its work."""
        if name.startswith("web"):
            return answers(self.ports[int(name.split()[1])])
        return time.monotonic() - self._started_at[name] > START_SECONDS

    def kill_child(self, rng):
        """Kill a child of a Celery worker, which the worker replaces."""
        name = rng.choice([name for name in self._starts if name.startswith("celery")])
        parent = self.running[name]
        children = Path(f"/proc/{parent}/task/{parent}/children")
        with contextlib.suppress(OSError, ValueError, IndexError):
            os.kill(int(rng.choice(children.read_text().split())), signal.SIGKILL)
            self.kills[f"child of {name}"] += 1


def kill_group(pid):
    """Kill a process and its children, and wait until it has gone."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, 0)
    wait_until(lambda: not is_alive(pid))


def skip_on_mariadb():
    if settings.CHECKS_DATABASE.startswith("mysql"):
        pytest.skip("a site on several machines has PostgreSQL")


@pytest.fixture
def fleet(tmp_path, django_db_setup, django_db_blocker):
    skip_on_mariadb()
    with contextlib.ExitStack() as stack:
        stack.enter_context(django_db_blocker.unblock())
        url = stack.enter_context(use_own_database(tmp_path))
        port, received = stack.enter_context(mail_server())
        variables = {
            "DIPLOMACCLOUD_EMAIL_URL": f"smtp://127.0.0.1:{port}",
            "DIPLOMACCLOUD_PRIVATE_WEBHOOKS": "1",
            "DIPLOMACCLOUD_ALLOWED_HOSTS": "127.0.0.1",
        }
        broker = None
        if settings.CHECKS_DATABASE:
            broker = stack.enter_context(run_redis())
            variables["DIPLOMACCLOUD_BROKER_URL"] = broker.url
        fleet = Fleet(url, tmp_path, **variables)
        fleet.broker, fleet.received = broker, received
        yield fleet


@pytest.mark.long
@pytest.mark.real_database
def test_nothing_is_lost_or_doubled_while_processes_die(fleet, hook, times, capsys):
    rng, now = random.Random(7), timezone.now()
    seconds = SECONDS * times
    games = make_linked_games(GAMES * times, now=now, schedules=[SCHEDULE])
    add_hooks(games, hook, now)
    with fleet:
        wait_until(lambda: all(map(fleet.is_ready, fleet.running)))
        readers, savers = start_clients(fleet, games)
        wait_until(lambda: all(has_saved(saver) for saver in savers))
        # The news of a start is of no use after the first deadline, and would be dropped.
        wait_until(lambda: Delivery.objects.filter(state="sent").count() == 2 * len(games))
        spread_deadlines(dt.timedelta(seconds=seconds), rng)
        for number in range(MAILS * times):
            ask_for_mail(number)
        faults = 0
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            time.sleep(rng.uniform(0.3, 1.2))
            harm(fleet, rng)
            faults += 1
            fleet.restart_dead()
        wait_until(lambda: fleet.restart_dead() or not list_undone(), list_undone)
        wait_until(lambda: all(reader.ids == list_events(reader) for reader in readers))
        for client in [*readers, *savers]:
            client.over.set()
        for saver in savers:
            saver.join(PATIENCE)
    check_phases(games)
    check_orders(savers)
    check_streams(readers)
    sent = check_deliveries(hook, faults)
    doubled = check_mail(fleet.received, MAILS * times, faults)
    with capsys.disabled():
        sys.stdout.write(
            f"\n{faults} faults {dict(fleet.kills)}, ended {dict(fleet.ended)}; {len(games)} games,"
            f" {sent} calls ({len(hook.accepted) - sent} doubled), {len(fleet.received)} mails"
            f" ({doubled} doubled), {sum(len(r.ids) for r in readers)} events in"
            f" {len(readers)} streams ({sum(r.breaks for r in readers)} breaks),"
            f" {sum(len(s.acts) for s in savers)} saves\n"
        )


def start_clients(fleet, games):
    """Return people who follow events and people who save orders, on both web servers."""
    seats = [
        Seat.objects.select_related("game__chart").get(game__slug=slug, user_id=maker)
        for slug, (maker, _) in games.items()
    ]
    # A person has a token for all of them, since there may be only a few.
    tokens = {user_id: token_of(user_id) for user_id in {seat.user_id for seat in seats}}
    readers = [
        Reader(fleet.ports, seat.game.slug, seat.user_id, tokens[seat.user_id])
        for seat in seats[:READERS]
    ]
    savers = [Saver(fleet.ports, seat, tokens[seat.user_id]) for seat in seats[:SAVERS]]
    for client in [*readers, *savers]:
        client.start()
    return readers, savers


def has_saved(saver):
    return any(status == SAVED for status, _, _ in saver.acts)


def spread_deadlines(span, rng):
    """Let the games be due at some moments from now on, until some time has passed."""
    now = timezone.now()
    for key in Phase.objects.filter(open=True).values_list("pk", flat=True):
        at = now + span * rng.uniform(0, 1)
        Phase.objects.filter(pk=key).update(due_at=at, adjudicate_at=at)


def ask_for_mail(number):
    """Let somebody new ask for a link that sets a new password."""
    email = f"reset{number}@example.org"
    User.objects.create(username=f"Forgetful{number}", email=email, password="!")
    mail = OutgoingMail(kind="reset request", recipient=email, origin="http://127.0.0.1")
    add_mail(mail, now=timezone.now())


def harm(fleet, rng):
    """Kill a process, stop the broker, break the connections of the database, or move a clock."""
    if fleet.broker is None:
        fleet.kill(rng)
        return
    act = rng.choice(("kill", "kill", "kill", "child", "child", "broker", "database", "clock"))
    if act == "kill":
        fleet.kill(rng)
    elif act == "child":
        fleet.kill_child(rng)
    elif act == "broker":
        fleet.broker.kill()
        time.sleep(rng.uniform(0.2, 2))
        fleet.broker.start()
    elif act == "database":
        break_connections()
    else:
        fleet.clock.write_text(rng.choice(("+600", "-600", "+0")))


def list_undone():
    """Return how much of each kind of work is left, with an example; also suspended games."""
    left = (
        Game.objects.exclude(suspended_reason=""),
        Phase.objects.filter(sequence=1, processed_at=None),
        Event.objects.filter(waiting__in=[True]),
        # Including one that a process has just taken: it is due later until its answer arrives.
        Delivery.objects.filter(state="waiting"),
        OutgoingMail.objects.filter(due_at__isnull=False),
    )
    return [(rows.count(), *rows.values()[:1]) for rows in left if rows.exists()]


def check_phases(games):
    """Check that the first phase of each game was processed once, and no game was suspended."""
    assert not Game.objects.exclude(suspended_reason="").exists()
    counted = Counter(Phase.objects.values_list("game__slug", flat=True))
    assert counted == dict.fromkeys(games, 2)
    for kind in ("locked", "processed"):
        events = Event.objects.filter(kind=kind).values_list("game__slug", flat=True)
        assert sorted(events) == sorted(games)
    # A clock that jumped closed nothing early.
    for phase in Phase.objects.filter(sequence=1):
        assert phase.due_at <= phase.locked_at <= phase.processed_at


def check_orders(savers):
    """Check that the last orders that the site confirmed counted, or some saved after them."""
    for saver in savers:
        acts = [act for act in saver.acts if act[0] != TOO_LATE]
        assert {status for status, _, _ in acts} <= {SAVED, None, 500, 503}
        confirmed = max(number for number, act in enumerate(acts) if act[0] == SAVED)
        phase = Phase.objects.select_related("game__chart").get(game=saver.seat.game, sequence=1)
        counted = list_adjudicated_orders(phase, saver.seat)
        assert counted in [text for _, _, text in acts[confirmed:]]


def check_streams(readers):
    """Check that each stream had every event of its game once and in sequence."""
    for reader in readers:
        assert reader.ids
        assert reader.ids == list_events(reader)


def list_events(reader):
    """Return the ids of all events that a reader may know."""
    page = read_events(reader.slug, Viewer(reader.user_id), "0", with_press=True)
    assert not page.more
    return [event.id for event in page.events]


def check_mail(received, asked, faults):
    """Return how many mails came twice; check that each came, and that few came twice."""
    counted = Counter(str(message["To"]) for message in received)
    resets = {to: number for to, number in counted.items() if to.startswith("reset")}
    assert len(resets) == asked
    doubled = sum(resets.values()) - asked
    assert doubled <= faults
    return doubled
