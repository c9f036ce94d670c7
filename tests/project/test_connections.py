"""Which connections are closed if there are too many, and how many there may be."""

import resource
import socket
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest
from judge.tests.effort import PATIENCE

from diplomaccloud.project.connections import ConnectionKeeper, count_room

linux = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


@pytest.fixture
def listener():
    with socket.create_server(("0.0.0.0", 0), backlog=100) as listener:  # noqa: S104
        yield listener


@pytest.fixture
def connect(listener):
    opened = []

    def connect(address, number):
        here = []
        for _ in range(number):
            one = socket.create_connection(listener.getsockname(), source_address=(address, 0))
            one.settimeout(PATIENCE)
            opened.extend([one, listener.accept()[0]])
            here.append(one)
        return here

    yield connect
    for one in opened:
        one.close()


def is_closed(one):
    one.settimeout(0.05)
    try:
        return one.recv(1) == b""
    except TimeoutError:
        return False


@linux
def test_an_address_keeps_so_many_and_the_most_silent_go(connect):
    many, few = connect("127.0.0.1", 12), connect("127.0.0.2", 5)
    for one in many[:3]:
        one.sendall(b"x")
    assert ConnectionKeeper(10, 1000).close_surplus() == 2
    assert not any(map(is_closed, many[:3] + few))
    assert sum(map(is_closed, many)) == 2


@linux
def test_those_with_the_most_make_room_for_all(connect):
    many, few = connect("127.0.0.1", 30), connect("127.0.0.2", 5)
    assert ConnectionKeeper(100, 40).close_surplus() == 30 - 25
    assert sum(map(is_closed, many)) == 5
    assert not any(map(is_closed, few))


SERVER = """
import socket, sys
server = socket.create_server(("127.0.0.1", 0))
sys.stdout.write(f"{server.getsockname()[1]}\\n")
sys.stdout.flush()
held = [server.accept() for _ in range(5)]
sys.stdin.read()
"""


@linux
def test_calls_to_elsewhere_are_left_alone():
    # As to a database: this process called it, and listens elsewhere.
    with subprocess.Popen(
        [sys.executable, "-c", SERVER], stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True
    ) as other:
        port = int(other.stdout.readline())
        calls = [socket.create_connection(("127.0.0.1", port)) for _ in range(5)]
        assert ConnectionKeeper(1, 10).close_surplus() == 0
        assert not any(map(is_closed, calls))
        for one in calls:
            one.close()
        other.stdin.close()


WRITER = """
import sqlite3, sys
try:
    sqlite3.connect(sys.argv[1], timeout=0).execute("BEGIN IMMEDIATE")
except sqlite3.OperationalError as error:
    sys.stdout.write(str(error))
"""


@linux
def test_sqlite_keeps_its_locks(tmp_path, connect):
    # The kernel drops a process's locks on a file once any descriptor of that file is closed.
    file = tmp_path / "games.sqlite3"
    connect("127.0.0.1", 12)
    with closing(sqlite3.connect(file, isolation_level=None)) as database:
        database.execute("BEGIN IMMEDIATE")
        ConnectionKeeper(10, 1000).close_surplus()
        writer = [sys.executable, "-c", WRITER, str(file)]
        answer = subprocess.run(writer, capture_output=True, text=True, check=True)
    assert answer.stdout == "database is locked"


@linux
def test_connections_to_silent_readers_end_some_day(listener, connect):
    ConnectionKeeper(10, 10).close_surplus()
    connect("127.0.0.1", 1)
    assert listener.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 60_000


@pytest.mark.parametrize(
    ("descriptors", "room"), [(256, 128), (1024, 512), (4096, 3584), (65_536, 10_000)]
)
def test_descriptors_are_left_for_files_and_databases(descriptors, room):
    assert count_room(descriptors) == room


def test_a_process_may_open_as_many_files_as_it_has_a_right_to():
    script = """
import resource
from diplomaccloud.project.connections import raise_descriptor_limit
resource.setrlimit(resource.RLIMIT_NOFILE, (256, 2048))
print(raise_descriptor_limit(), resource.getrlimit(resource.RLIMIT_NOFILE)[0])
"""
    assert resource.getrlimit(resource.RLIMIT_NOFILE)[1] >= 2048
    shown = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert shown.stdout.split() == [b"2048", b"2048"]
