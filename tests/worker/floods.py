"""Connection floods against a web server, and a visitor who looks at pages at the same time."""

import contextlib
import json
import socket
import threading
import time
from pathlib import Path

ATTACKER, VISITOR = "127.0.0.1", "127.0.0.2"
PATIENCE = 30
"""Seconds in which a page must have come, however slow the machine is."""
HEAD = "Host: 127.0.0.1\r\n"
SLOW_BODY = (
    f"POST /accounts/login/ HTTP/1.1\r\n{HEAD}Cookie: csrftoken={'x' * 32}\r\n"
    "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n\r\n"
)
SLOW_HEAD = f"GET / HTTP/1.1\r\n{HEAD}X-Slow: "


def connect(port, address=ATTACKER, **options):
    """Return a connection from an address."""
    one = socket.socket()
    if options.get("deaf"):
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    one.settimeout(PATIENCE)
    one.bind((address, 0))
    one.connect(("127.0.0.1", port))
    return one


def ask(port, path, address=VISITOR):
    """Return the status and the text of a page, and the seconds it took."""
    started_at = time.monotonic()
    with connect(port, address) as one:
        one.sendall(f"GET {path} HTTP/1.1\r\n{HEAD}Connection: close\r\n\r\n".encode())
        answer = b"".join(iter(lambda: one.recv(65_536), b""))
    head, _, text = answer.partition(b"\r\n\r\n")
    return int(head.split()[1]), text, time.monotonic() - started_at


def read_status(one, seconds=PATIENCE):
    """Return the status of the answer on a connection: 0 if it ended, None if nothing came."""
    one.settimeout(seconds)
    try:
        return int((one.recv(4096).split() or [b"", b"0"])[1])
    except TimeoutError:
        return None
    except OSError:
        return 0


class Flood:
    """Connections of an attacker, which are kept and go on as slowly as they can."""

    def __init__(self, port):
        self.port, self.connections, self.slow = port, [], []
        self._is_over = threading.Event()
        self._threads = [threading.Thread(target=self._trickle)]

    def __enter__(self):
        self._threads[0].start()
        return self

    def __exit__(self, *_):
        self._is_over.set()
        for thread in self._threads:
            thread.join()
        for one in self.connections:
            one.close()

    def open(self, number, begin="", *, slowly=False, deaf=False):
        """Open a number of connections, and begin a request on each; return them."""
        opened = []
        for _ in range(number):
            with contextlib.suppress(OSError):
                one = connect(self.port, deaf=deaf)
                opened.append(one)
                one.sendall(begin.encode())
        self.connections += opened
        self.slow += opened if slowly else []
        return opened

    def ask_often(self, path, number):
        """Let a number of threads ask for a page until the end."""

        def ask_on():
            while not self._is_over.is_set():
                with contextlib.suppress(OSError, ValueError, IndexError):
                    ask(self.port, path, ATTACKER)

        for _ in range(number):
            self._threads.append(threading.Thread(target=ask_on))
            self._threads[-1].start()

    def reopen_often(self, number):
        """Let a thread reopen idle connections every time they are closed."""

        def go_on():
            while not self._is_over.wait(0.5):
                self.open(number)

        self._threads.append(threading.Thread(target=go_on))
        self._threads[-1].start()

    def _trickle(self):
        while not self._is_over.wait(1):
            for one in list(self.slow):
                try:
                    one.sendall(b"x")
                except OSError:
                    self.slow.remove(one)


def measure_memory(pid):
    """Return the megabytes that a process and its children take."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    fields = Path(f"/proc/{pid}/status").read_text().split("VmRSS:")[1].split()
    return int(fields[0]) / 1000 + sum(measure_memory(int(child)) for child in children)


def watch(port, paths, seconds=0.0):
    """Look at pages from another address for some seconds; return how long the slowest took."""
    slowest = dict.fromkeys(paths, 0.0)
    end = time.monotonic() + seconds
    while True:
        for path in paths:
            status, text, took = ask(port, path)
            if path == "/health":
                assert json.loads(text)["database"] == "ok"
            else:
                assert status == 200, text[:500]
            slowest[path] = max(slowest[path], took)
        if time.monotonic() >= end:
            return slowest
