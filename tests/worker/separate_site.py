"""A separate site for the fault tests: a fresh database, games, and other processes."""

import atexit
import contextlib
import datetime as dt
import functools
import json
import os
import secrets
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from django.conf import settings
from django.db import connections
from django.db.utils import load_backend
from judge.tests.drawing.toy_map import toy_chart
from judge.tests.effort import PATIENCE
from tests.tables import copy_tables, drop_database

from diplomaccloud.project.databases import parse_database_url

ROOT = Path(__file__).parents[2]
LENGTH = dt.timedelta(minutes=5)
"""The length of a phase: far longer than a test."""


@contextlib.contextmanager
def use_own_database(place):
    """Yield the URL of a fresh database with tables, which this process uses in the meantime."""
    server = settings.CHECKS_DATABASE
    file = Path(place, "site.sqlite3")
    name = f"site_{secrets.token_hex(4)}" if server else file
    url = urlunsplit(urlsplit(server)._replace(path=f"/{name}")) if server else f"sqlite:///{file}"
    copy_tables(name)
    before = connections["default"]
    connections["default"] = connect(url)
    try:
        yield url
    finally:
        connections["default"].close()
        connections["default"] = before
        if server:
            drop_database(name)
    if not server:
        require_intact(file)


def require_intact(file):
    """Fail if SQLite finds any damage in a file, which processes used and some were killed."""
    with contextlib.closing(sqlite3.connect(file)) as database:
        assert database.execute("PRAGMA integrity_check(5)").fetchall() == [("ok",)]


def connect(url):
    """Return a connection of this process to the database at `url`."""
    database = parse_database_url(url, default=Path())
    database["OPTIONS"].pop(
        "pool", None
    )  # each process has only one pool, and this process has one already
    full = connections.configure_settings({"default": database})["default"]
    return load_backend(full["ENGINE"]).DatabaseWrapper(full, "default")


def break_connections():
    """End all other sessions of the database, as a restart of the server does."""
    connection = connections["default"]
    if connection.vendor == "sqlite":
        return
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
            return
        cursor.execute(
            "SELECT id FROM information_schema.processlist"
            " WHERE db = DATABASE() AND id <> CONNECTION_ID()"
        )
        for (session,) in cursor.fetchall():
            with contextlib.suppress(Exception):  # it may have ended already
                cursor.execute(f"KILL {session}")


def wait_for_lock_waits(number):
    """Wait until this many sessions of the database wait for locks; on SQLite they may by then."""
    if connections["default"].vendor == "sqlite":
        time.sleep(1)  # steady: SQLite does not tell, and a test passes if one comes later
        return
    wait_until(lambda: count_lock_waits() >= number, lambda: f"{count_lock_waits()} waits")


def count_lock_waits():
    connection = connections["default"]
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT pg_stat_clear_snapshot()")
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity"
                " WHERE datname = current_database() AND wait_event_type = 'Lock'"
            )
        else:
            time.sleep(0.2)  # steady: InnoDB repeats its last answer if asked within 0.1 s
            cursor.execute(
                "SELECT count(*) FROM information_schema.innodb_trx"
                " JOIN information_schema.processlist ON id = trx_mysql_thread_id"
                " WHERE db = DATABASE() AND trx_state = 'LOCK WAIT'"
            )
        return cursor.fetchone()[0]


def make_people(count):
    from diplomaccloud.accounts.models import User

    people = [User(username=f"person{number}", password="!") for number in range(count)]
    return [user.pk for user in User.objects.bulk_create(people) if user.pk] or list(
        User.objects.order_by("pk").values_list("pk", flat=True)
    )


def make_games(count, *, now, chart=None, prefix="game", schedules=(), start=True):
    """Return the slugs and players of `count` two-player games, started at `now`.

    The games use the `schedules` in turn. Unless `start`, both wait in the lobby.
    """
    from diplomaccloud.games.creation.actions import create_game
    from diplomaccloud.games.creation.presets import GamePlan
    from diplomaccloud.games.lobby.actions import join_game, start_game
    from diplomaccloud.games.table.options import Options
    from diplomaccloud.maps.library import store_chart
    from diplomaccloud.schedule import Interval, Lengths, Schedule

    map_hash = store_chart(chart or toy_chart(), now=now)
    default = (Schedule(Interval(Lengths(LENGTH, LENGTH, LENGTH))),)
    plans = [GamePlan("Toy", map_hash, Options(schedule)) for schedule in schedules or default]
    # A person may not have more than forty games at a time.
    people = make_people(2 * (count // 40 + 1))
    games = {}
    for number in range(count):
        first = number // 40 * 2
        maker, other = people[first], people[first + 1]
        slug = f"{prefix}{number}"
        plan = plans[number % len(plans)]
        create_game(
            plan=plan, creator_id=maker, now=now, slug=slug, code="x", seed=f"seed {number}"
        )
        join_game(slug=slug, user_id=other, now=now)
        if start:
            start_game(slug=slug, user_id=maker, now=now)
        games[slug] = (maker, other)
    return games


def make_large_games(count, *, now):
    """Return, for each of `count` seven-player games, its slug and the seven people by power."""
    from diplomaccloud.games.creation.actions import create_game
    from diplomaccloud.games.creation.presets import GamePlan
    from diplomaccloud.games.lobby.actions import join_game, start_game
    from diplomaccloud.games.table.models import Seat
    from diplomaccloud.games.table.options import Options
    from diplomaccloud.maps.library import store_standard
    from diplomaccloud.schedule import Interval, Lengths, Schedule

    options = Options(Schedule(Interval(Lengths(LENGTH, LENGTH, LENGTH))))
    plan = GamePlan("Europe", store_standard(now=now), options)
    creator, *others = make_people(7)
    games = {}
    for number in range(count):
        slug = f"seven{number}"
        create_game(
            plan=plan, creator_id=creator, now=now, slug=slug, code="x", seed=f"seed {number}"
        )
        for person in others:
            join_game(slug=slug, user_id=person, now=now)
        start_game(slug=slug, user_id=creator, now=now)
        games[slug] = dict(Seat.objects.filter(game__slug=slug).values_list("power", "user_id"))
    return games


def wait_until(condition, explain=lambda: "the site hangs"):
    """Wait until `condition()` is true; fail after six minutes: the site hangs then."""
    end = time.monotonic() + 360
    while not condition():
        assert time.monotonic() < end, explain()
        time.sleep(0.05)


def read_records(path):
    """Return the accepted actions that a process recorded: name, time and details."""
    lines = path.read_text().splitlines()
    return [
        (act, dt.datetime.fromisoformat(at), details) for act, at, details in map(json.loads, lines)
    ]


class Launcher:
    """Starts workers and players as processes, with the program `launcher.py`."""

    def __init__(self, url, place, root=ROOT, **variables):
        """`root` is the checkout whose program runs.

        With its own variables or another program a site has a launcher of its own. All others are
        forks of one, which has loaded Django before.
        """
        environment = os.environ | {
            "DIPLOMACCLOUD_DATABASE_URL": url,
            "DIPLOMACCLOUD_DATA": str(place),
            "DIPLOMACCLOUD_SECRET_KEY": "x",
            "DIPLOMACCLOUD_LOG_LEVEL": "CRITICAL",
            "DIPLOMACCLOUD_NEXT_GAMES": "off",
            "DJANGO_SETTINGS_MODULE": "diplomaccloud.project.settings",
            "PYTHONPATH": os.pathsep.join(map(str, [root / "src", root / "judge/src", root])),
            **variables,
        }
        environment.pop("PYTEST_CURRENT_TEST", None)
        stdin, requests = os.pipe()
        answers, stdout = os.pipe()
        self._requests, self._answers = os.fdopen(requests, "w"), os.fdopen(answers)
        if variables or root != ROOT:
            program = [sys.executable, str(root / "tests" / "worker" / "launcher.py")]
            self._process = subprocess.Popen(program, env=environment, stdin=stdin, stdout=stdout)
        else:
            self._process = None
            socket.send_fds(share_launcher(environment), [b"x"], [stdin, stdout, 2])
            self._requests.write(json.dumps(environment) + "\n")
        os.close(stdin)
        os.close(stdout)
        self.alive = set()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for pid in set(self.alive):
            self.kill(pid)
        self._requests.close()
        self._answers.read()  # until it has ended
        self._answers.close()
        if self._process is not None:
            self._process.wait(timeout=PATIENCE)

    def start(self, role, *arguments):
        """Return the id of a new process that plays the role."""
        self._requests.write(json.dumps([role, *arguments]) + "\n")
        self._requests.flush()
        pid = int(self._answers.readline())
        self.alive.add(pid)
        return pid

    def dismiss(self, pids):
        """Stop processes after they finish their current work."""
        for pid in pids:
            self.kill(pid, signal.SIGTERM)

    def kill(self, pid, number=signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)
        self.wait(pid)

    def wait(self, pid):
        end = time.monotonic() + PATIENCE
        while is_alive(pid):
            assert time.monotonic() < end, "a process does not end"
            time.sleep(0.02)
        self.alive.discard(pid)


def share_launcher(environment):
    """Return the socket of a launcher with these variables, whose forks move to other sites."""
    own = {
        "DIPLOMACCLOUD_DATABASE_URL": settings.CHECKS_DATABASE,
        "DIPLOMACCLOUD_DATA": str(settings.PLACE / "launcher"),
    }
    return _start_shared(frozenset((environment | own).items()))


@functools.cache
def _start_shared(variables):
    ours, its = socket.socketpair()
    program = [sys.executable, str(ROOT / "tests" / "worker" / "launcher.py"), "shared"]
    with its:
        process = subprocess.Popen(program, env=dict(variables), stdin=its)
    atexit.register(process.wait)
    atexit.register(ours.close)  # it ends then
    return ours


def serve_site(port, place, variables, root=ROOT):
    """Return the process of a web server, the leader of a group.

    `variables` are those of its environment, with the database's address; `root` is the checkout
    whose program runs.
    """
    environment = os.environ | {
        "DIPLOMACCLOUD_DATA": str(place),
        "DIPLOMACCLOUD_SECRET_KEY": "x",
        "DIPLOMACCLOUD_LOG_LEVEL": "CRITICAL",
        "DIPLOMACCLOUD_ALLOWED_HOSTS": "127.0.0.1",
        "DJANGO_SETTINGS_MODULE": "diplomaccloud.project.settings",
        "PYTHONPATH": f"{root / 'src'}{os.pathsep}{root / 'judge/src'}",
        **variables,
    }
    command = ["granian", "--interface", "asgi", "--no-ws", "--port", str(port)]
    command += ["--workers-kill-timeout", "1", "--log-level", "critical"]
    command.append("diplomaccloud.project.asgi:application")
    return subprocess.Popen(
        [sys.executable, "-P", "-m", *command], env=environment, cwd=place, start_new_session=True
    )


def answers(port):
    """Return whether a server listens at a port."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def is_alive(pid):
    """Return whether a process runs; one that has ended may still wait for its parent."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return True
