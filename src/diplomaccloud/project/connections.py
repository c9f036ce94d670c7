"""Limits the number of connections to the web server, and closes those that exceed it.

The server itself closes connections that don't send a request in time, but it has no limit for each
address. So a thread checks the sockets of the process, and if an address has too many, closes the
ones that have been idle longest. This works only on Linux; on other systems it does nothing.
"""

import os
import resource
import socket
import struct
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

import structlog
from django.conf import settings

from diplomaccloud.shared.addresses import clean_address

SILENT_READER_SECONDS: Final = 60
"""How long a client may leave a response unread before its connection is closed."""
_SECONDS: Final = 1.0
_SHARE: Final = 20
"""Checking the sockets may take at most 1/20 of the time of one processor."""
_SOCKETS: Final = Path("/proc/self/fd")
_INTERNET: Final = (socket.AF_INET, socket.AF_INET6)
_Ends = tuple[str, int]
_TCP_INFO: Final = struct.Struct("8B24I")
_LAST_SENT: Final = 8 + 9
_LAST_RECEIVED: Final = 8 + 11
_log = structlog.get_logger("diplomaccloud.connections")
MOST_DESCRIPTORS: Final = 65_536
SPARE_DESCRIPTORS: Final = 512
"""Descriptors reserved for files, databases and outgoing connections."""
MOST_CONNECTIONS: Final = 10_000


class ConnectionKeeper:
    """A thread that closes surplus connections; each process has one."""

    def __init__(self, most_for_one: int, most: int) -> None:
        """Take the limit for each address (0: no limit) and for all addresses together."""
        self.closed = 0
        """How many connections have been closed since the start."""
        self._most_for_one, self._most = most_for_one, most
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="connections", daemon=True)

    def start(self) -> None:
        """Start checking, unless the site is behind a proxy, whose address everyone shares."""
        behind_proxy = settings.ALLAUTH_TRUSTED_PROXY_COUNT > 0
        if _SOCKETS.is_dir() and self._most_for_one and not behind_proxy:
            self._thread.start()

    def stop(self) -> None:
        """Stop checking."""
        self._is_over.set()

    def _run(self) -> None:
        pause = _SECONDS
        while not self._is_over.wait(pause):
            started_at = time.perf_counter()
            try:
                if closed := self.close_surplus():
                    self.closed += closed
                    _log.warning("connections closed", number=closed)
            except Exception:  # whatever it is, the next round must come
                _log.exception("connections cannot be counted")
            pause = max(_SECONDS, _SHARE * (time.perf_counter() - started_at))

    def close_surplus(self) -> int:
        """Close connections of addresses that have too many, and return how many were closed."""
        ports, ends = set[int](), dict[int, _Ends]()
        places_now = map(int, os.listdir(_SOCKETS))  # noqa: PTH208 a path for each is slow
        for place, one in _find_sockets(places_now):
            with suppress(OSError):  # closed by now
                if one.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                    _end_silent_readers(one)
                    ports.add(one.getsockname()[1])
                elif pair := _find_ends(one):
                    ends[place] = pair
        places: defaultdict[str, list[int]] = defaultdict(list)
        for place, (address, port) in ends.items():
            if port in ports:  # skip outgoing connections
                places[address].append(place)
        most = self._find_share(Counter({one: len(sockets) for one, sockets in places.items()}))
        return sum(
            _close_silent({place: ends[place] for place in sockets}, len(sockets) - most)
            for address, sockets in places.items()
            if len(sockets) > most
        )

    def _find_share(self, counts: Counter[str]) -> int:
        """Return how many connections each address may keep, so that there is room for new ones."""
        most = self._most_for_one
        while most > 1 and sum(min(count, most) for count in counts.values()) > self._most * 3 // 4:
            most //= 2
        return most


def _find_sockets(places: Iterable[int]) -> Iterator[tuple[int, socket.socket]]:
    """Yield the TCP sockets among these descriptors, with their numbers; don't keep or close them.

    No descriptor is duplicated, because closing a duplicate would make the kernel drop all locks
    that this process has on the file. SQLite's would be gone, and the database soon damaged:
    https://sqlite.org/howtocorrupt.html, section 2.2.
    """
    for place in places:
        with suppress(OSError):  # not a socket, or closed by now
            one = socket.socket(fileno=place)
            try:
                if one.family in _INTERNET and one.type == socket.SOCK_STREAM:
                    yield place, one
            finally:
                one.detach()


def _find_ends(one: socket.socket) -> _Ends | None:
    """Return the client's address and the local port of a connection."""
    try:
        return clean_address(one.getpeername()[0]), one.getsockname()[1]
    except OSError:
        return None


def _end_silent_readers(listener: socket.socket) -> None:
    """Make the kernel close connections whose client reads nothing; they inherit the option."""
    with suppress(OSError):
        listener.setsockopt(
            socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, SILENT_READER_SECONDS * 1000
        )


def _close_silent(ends: Mapping[int, _Ends], number: int) -> int:
    """Close some of these connections, those idle longest first; return how many."""
    silence = []
    for place, one in _find_sockets(ends):
        with suppress(OSError):  # closed by now
            answer = one.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _TCP_INFO.size)
            info = _TCP_INFO.unpack(answer)
            silence.append((min(info[_LAST_SENT], info[_LAST_RECEIVED]), place))
    silence.sort(reverse=True)
    closed = 0
    for place, one in _find_sockets(place for _, place in silence[:number]):
        # The descriptor may belong to another connection by now.
        if _find_ends(one) == ends[place]:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
                closed += 1
    return closed


def raise_descriptor_limit() -> int:
    """Raise the limit for this process and its children, and return the new limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, MOST_DESCRIPTORS)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return MOST_DESCRIPTORS if soft == resource.RLIM_INFINITY else soft
    with suppress(OSError, ValueError):  # macOS allows less than it reports
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


def count_room(descriptors: int) -> int:
    """Return how many connections a process with this many descriptors can have."""
    return min(max(descriptors - SPARE_DESCRIPTORS, descriptors // 2), MOST_CONNECTIONS)
