"""The cast: Alice plays Austria, Bob plays Turkey, Charlie is a stranger.

A plugin of pytest, so that the tests of the site and those in `extras` share its fixtures.
"""

import datetime as dt
import math
import os
from dataclasses import dataclass

import pytest
from django.test import Client
from pytest_django.plugin import blocking_manager_key
from tests.disk import Disk
from tests.redis_server import run_redis
from tests.scenes import read_tables, scene, stage

NOW = dt.datetime(2030, 3, 1, 12, tzinfo=dt.UTC)
DRAWS_AUSTRIA_THEN_TURKEY = "cast 178"


@dataclass(frozen=True)
class Cast:
    """Everyone in a running game on the standard map; hold bots have the other five seats."""

    slug: str
    game_id: int
    alice: int
    bob: int
    charlie: int

    def user_id(self, name: str) -> int | None:
        return None if name == "nobody" else getattr(self, name)

    def client(self, name: str, *, csrf: bool = False) -> Client:
        """Return a browser in which the person has logged in, or nobody has."""
        from diplomaccloud.accounts.models import User

        client = Client(enforce_csrf_checks=csrf)
        if name != "nobody":
            client.force_login(User.objects.get(pk=self.user_id(name)))
        return client

    def url(self, rest: str = "") -> str:
        return f"/games/{self.slug}/{rest}"


def pytest_addoption(parser):
    parser.addoption(
        "--renew-pictures",
        action="store_true",
        help="write the pictures that pages are compared with",
    )


@pytest.fixture
def agree(db):
    """A function that changes options of the one game: `ends` by member, others whole."""
    from diplomaccloud.games.table.models import Game

    def change(ends=None, **others):
        game = Game.objects.get()
        options = game.options.to_json()
        game.options = {**options, **others, "ends": {**options["ends"], **(ends or {})}}
        game.watchable = others.get("watch", options["watch"]) == "anyone"
        game.save()

    return change


@pytest.fixture(scope="session")
def shared_charts():
    """Decode each map once a session: a second chart object would be laid out from scratch."""
    from functools import cache

    from diplomaccloud.maps import library

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(library, "load_chart", cache(library.load_chart))
        yield


@pytest.fixture(scope="session")
def shared_static_files():
    """List the static files once: each client of a test has a site of its own.

    A test with a data folder of its own gets those of the session, or they would be compressed
    and flushed to the disk again.
    """
    from django.conf import settings as site_settings
    from django.test import override_settings

    from diplomaccloud.pages.static_files import StaticFiles

    add_files, known, place = StaticFiles.add_files_from_finders, {}, site_settings.DATA_DIR

    def add_known_files(site):
        debug = site_settings.DEBUG
        if debug not in known:
            with override_settings(DATA_DIR=place):
                add_files(site)
            known[debug] = {name: vars(site)[name] for name in ("files", "_other_release")}
        vars(site).update(known[debug])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(StaticFiles, "add_files_from_finders", add_known_files)
        yield


@pytest.fixture(scope="session")
def django_db_setup(django_test_environment, django_db_blocker):
    """The database of the tests, watched for writes: see `scenes`."""
    from django.db import connection
    from tests.tables import use_test_database

    with (
        django_db_blocker.unblock(),
        use_test_database(),
        connection.execute_wrapper(stage.watch),
    ):
        stage.first = read_tables()
        yield


def pytest_runtest_setup(item):
    stage.clear()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item, nextitem):
    """Put the first rows back after a test without a transaction, which empties all tables."""
    result = yield
    mark = item.get_closest_marker("django_db")
    transaction = "transactional_db" in item.fixturenames or (
        mark and mark.kwargs.get("transaction")
    )
    if transaction and nextitem is not None:  # the database is gone after the last test
        with item.config.stash[blocking_manager_key].unblock():
            stage.restore_first_rows()
    return result


@pytest.fixture
def redis_server():
    """A Redis server of the test's own, with its `url`; it can be killed and started again."""
    with run_redis() as server:
        yield server


@pytest.fixture
def now():
    return NOW


@pytest.fixture
def standard(db, monkeypatch):
    """The hash of the standard map, stored; nothing is remembered of another test's rows."""
    from diplomaccloud.games.results.read import decoded_phases
    from diplomaccloud.maps import library
    from diplomaccloud.maps.library import store_standard

    # A chart is read again once in a while, which may be between two readers who are compared.
    monkeypatch.setattr(library, "_KEEP_SECONDS", math.inf)
    library.load_recent.cache_clear()
    decoded_phases.clear()

    def store_map():
        return store_standard(now=NOW)

    return stage.set(store_map)


@pytest.fixture
def people(db):
    from diplomaccloud.accounts.models import User

    def sign_up():
        return {
            name: User.objects.create_user(name.capitalize(), password="a long enough word").pk
            for name in ("alice", "bob", "charlie")
        }

    return dict(stage.set(sign_up))


@pytest.fixture
def plan(standard):
    """A plan of a game on the standard map in which hold bots take the empty seats."""
    from diplomaccloud.games.creation.presets import GamePlan
    from diplomaccloud.games.table.options import Options
    from diplomaccloud.schedule import Interval, Lengths, Schedule

    day = dt.timedelta(days=1)
    return GamePlan(
        world="Testland",
        map_hash=standard,
        options=Options(
            schedule=Schedule(Interval(Lengths(day, day / 2, day / 4))), fill_with="hold"
        ),
    )


@pytest.fixture
def forming(plan, people):
    """A public game that Alice has made and nobody has joined."""
    from diplomaccloud.games.creation.actions import create_game
    from diplomaccloud.maps.library import find_chart

    def create():
        game = create_game(
            plan=plan,
            creator_id=people["alice"],
            now=NOW,
            slug="aaaaaaaaaa",
            code="letmein222",
            seed=DRAWS_AUSTRIA_THEN_TURKEY,
        )
        return Cast(game.slug, game.pk, **people)

    cast = stage.set(create, plan)
    find_chart(plan.map_hash)  # as after creating it
    return cast


@pytest.fixture
def cast(forming):
    """The game begun: Spring 1901, due in a day."""
    from django.utils import timezone

    from diplomaccloud.games.lobby.actions import join_game, start_game
    from diplomaccloud.games.turn.claims import advance

    def begin():
        now = timezone.now()
        join_game(slug=forming.slug, user_id=forming.bob, now=now)
        start_game(slug=forming.slug, user_id=forming.alice, now=now)
        advance(game_id=forming.game_id, owner="test", now=now)
        return forming

    return stage.set(begin)


@pytest.fixture
@scene
def table(cast):
    """The running game of Alice and Bob, with Charlie as its master."""
    from diplomaccloud.games.table.models import Game

    Game.objects.update(master_id=cast.charlie)
    return cast


@pytest.fixture
def disk(monkeypatch):
    """Return what the test has flushed to the disk."""
    made, flush = Disk(), os.fsync

    def record(descriptor):
        flush(descriptor)
        made.flush(descriptor)

    monkeypatch.setattr(os, "fsync", record)
    return made
