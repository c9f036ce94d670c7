"""One address floods a real web server with connections; another still gets its pages."""

import resource
import sys

import pytest
from judge.tests.effort import PATIENCE
from tests.client.real_site import RealSite
from tests.worker import floods
from tests.worker.separate_site import use_own_database

pytestmark = [
    pytest.mark.long,
    pytest.mark.real_database,
    pytest.mark.skipif(sys.platform != "linux", reason="needs several addresses of one machine"),
]
PAGES = ("/health", "/games/", "/")
MORE_MEGABYTES = 200
"""How much the server may grow under all attacks together."""


def lower_limit():
    """Let the server begin as a service does: with 1,024 descriptors, and the right to more."""
    resource.setrlimit(
        resource.RLIMIT_NOFILE, (1024, resource.getrlimit(resource.RLIMIT_NOFILE)[1])
    )


@pytest.fixture(scope="module")
def site(tmp_path_factory, django_db_setup, django_db_blocker):
    place = tmp_path_factory.mktemp("site")
    with django_db_blocker.unblock(), use_own_database(place) as database:
        site = RealSite(database, place)
        site.host = "0.0.0.0"  # noqa: S104 as a stranger's site would
        site.start(preexec_fn=lower_limit)
        try:
            with site.client() as alice:
                site.game = alice.create_game(world="Trial", preset="daily").id
            floods.watch(site.port, PAGES)
            yield site
        finally:
            site.stop()


@pytest.fixture
def flood(site):
    with floods.Flood(site.port) as flood:
        yield flood


@pytest.fixture
def seconds(times):
    """How long the visitor looks: a moment, or longer in a long trial."""
    return 0 if times == 1 else 6 * times


def report(name, slowest):
    """Print the measurements of a long trial."""
    figures = ", ".join(f"{path} {took:.2f} s" for path, took in slowest.items())
    sys.stdout.write(f"{name}: {figures}\n")


def test_slow_bodies_hold_no_thread(site, flood, seconds):
    flood.open(60, floods.SLOW_BODY, slowly=True)
    report("60 slow bodies", floods.watch(site.port, PAGES, seconds))


def test_slow_headers_and_idle_connections_leave_room(site, flood, seconds):
    flood.open(300, floods.SLOW_HEAD, slowly=True)
    flood.open(1100)
    if seconds:
        flood.reopen_often(1000)
    report("1,100 idle, 300 slow heads", floods.watch(site.port, PAGES, seconds))


def test_what_takes_too_long_ends(site, flood):
    (body,) = flood.open(1, floods.SLOW_BODY, slowly=True)
    (head,) = flood.open(1, floods.SLOW_HEAD, slowly=True)
    (idle,) = flood.open(1)
    assert [floods.read_status(one, PATIENCE) for one in (body, head, idle)] == [408, 0, 0]


def test_streams_of_an_address_are_counted(site, flood, seconds):
    begin = f"GET /live/games/{site.game} HTTP/1.1\r\n{floods.HEAD}\r\n"
    opened = flood.open(140, begin)
    found = sorted(floods.read_status(one) for one in opened)
    assert found == [200] * 100 + [429] * 40
    report("100 streams", floods.watch(site.port, PAGES, seconds))
    with floods.connect(site.port, floods.VISITOR) as other:
        other.sendall(begin.encode())
        assert floods.read_status(other) == 200


def test_slow_readers_hold_no_thread(site, flood, seconds):
    flood.open(60, f"GET /rules/ HTTP/1.1\r\n{floods.HEAD}\r\n" * 20, deaf=True)
    flood.open(
        20, f"GET /api/v1/games/{site.game}/record HTTP/1.1\r\n{floods.HEAD}\r\n" * 20, deaf=True
    )
    report("80 slow readers", floods.watch(site.port, PAGES, seconds))


def test_many_requests_of_one_address_leave_others_their_turn(site, flood, seconds):
    flood.ask_often("/games/", 40)
    report("40 threads ask", floods.watch(site.port, PAGES, seconds))


def test_all_at_once_takes_bounded_memory(site, flood, seconds):
    before = floods.measure_memory(site.process.pid)
    flood.open(200, floods.SLOW_BODY.replace("1000", "4000000"), slowly=True)
    flood.open(60, f"GET /rules/ HTTP/1.1\r\n{floods.HEAD}\r\n" * 20, deaf=True)
    flood.open(1000)
    report("all at once", floods.watch(site.port, PAGES, 5 * seconds))
    grown = floods.measure_memory(site.process.pid) - before
    sys.stdout.write(f"memory: {before:.0f} MB and {grown:.0f} MB more\n")
    assert grown < MORE_MEGABYTES
