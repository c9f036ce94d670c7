"""A real server and people who are logged in, for measurements."""

import os
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

from diplomaccloud.project.play import build_web_command

ROOT = Path(__file__).resolve().parents[1]
CSRF = "b" * 32
_PAGE = os.sysconf("SC_PAGE_SIZE")


def log_in(user):
    """Return the cookies of a browser in which the person has logged in."""
    from django.conf import settings
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore

    from diplomaccloud.accounts.backends import BACKEND

    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = BACKEND
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    return f"{settings.SESSION_COOKIE_NAME}={session.session_key}; csrftoken={CSRF}"


class Server:
    """The server's address and processes."""

    def __init__(self, port, process):
        self.port, self._process = port, process

    def _list_processes(self):
        tasks = Path(f"/proc/{self._process.pid}/task")
        children = " ".join(path.read_text() for path in tasks.glob("*/children"))
        return [self._process.pid, *map(int, children.split())]

    def read_memory(self):
        """Return the resident memory of all processes, in kB."""
        sizes = (Path(f"/proc/{pid}/statm").read_text() for pid in self._list_processes())
        return sum(int(size.split()[1]) for size in sizes) * _PAGE // 1024

    def read_cpu(self):
        """Return the processor time of all processes, in seconds."""
        # The kernel's clock of each process: `stat` counts hundredths, which are a tenth of what
        # forty empty pages take.
        return sum(time.clock_gettime(~pid << 3 | 2) for pid in self._list_processes())


def make_application():
    """Return the site with the pages of `empty_pages`, for a web server in its own process."""
    from diplomaccloud.project.asgi import application  # isort: skip
    from django.conf import settings

    settings.ROOT_URLCONF = "benchmarks.empty_pages"
    return application


@contextmanager
def serve(workers, *, with_empty_pages=False):
    """Serve the site on a free port until the end of the block."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    *command, application = build_web_command("127.0.0.1", port)
    if with_empty_pages:
        command, application = [*command, "--factory"], "benchmarks.real_server:make_application"
    command += ["--workers", str(workers), application]
    environment = os.environ | {
        "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}",
        "DIPLOMACCLOUD_ALLOWED_HOSTS": "127.0.0.1",
        # All visitors here come from the same address.
        "DIPLOMACCLOUD_CONNECTIONS_PER_ADDRESS": "0",
        "DIPLOMACCLOUD_REQUESTS_PER_ADDRESS": "0",
        "DIPLOMACCLOUD_STREAMS_PER_ADDRESS": "0",
    }
    process = subprocess.Popen(command, env=environment)
    try:
        while process.poll() is None:
            with socket.socket() as probe:
                if not probe.connect_ex(("127.0.0.1", port)):
                    break
            time.sleep(0.1)
        yield Server(port, process)
    finally:
        process.terminate()
        process.wait()


@contextmanager
def run_worker():
    """Run a worker until the end of the block."""
    command = [sys.executable, "-P", "-m", "diplomaccloud", "manage", "worker"]
    process = subprocess.Popen(
        command, env=os.environ | {"PYTHONPATH": str(ROOT / "src")}, stdout=subprocess.DEVNULL
    )
    try:
        yield
    finally:
        process.terminate()
        process.wait()
