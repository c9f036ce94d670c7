#!/usr/bin/env python3
"""Run temporary PostgreSQL, MariaDB and Redis servers for the checks. Standard library only.

Each server has its own temporary directory. A database listens on a socket in it that only its
user can reach; Redis (or Valkey instead) listens on a local port, with a password. A server is
stopped and removed with the process that started it. Servers refuse to run as root, so root runs
them as the user that Debian's package created.
"""

import contextlib
import ctypes
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import leftovers

MAX_SECONDS = 60
"""How long a server may take to start or to stop."""
MISSING_STATUS = 77
"""The exit status if no such server is installed: automake's number for a skipped test."""
PACKAGES = {"mariadbd": "mariadb-server", "mariadb": "mariadb-server", "redis": "redis-server"}
"""The Debian packages that contain these programs."""
_DATABASE = ("DIPLOMACCLOUD_DATABASE_URL", "DIPLOMACCLOUD_CHECKS_DATABASE")
VARIABLES = {"postgresql": _DATABASE, "mariadb": _DATABASE, "redis": ("DIPLOMACCLOUD_CACHE_URL",)}
"""The environment variables that pass a server's URL to the command that uses it."""
_PR_SET_PDEATHSIG = 1


class Missing(Exception):
    """The server is not installed; the message names its package."""


@contextlib.contextmanager
def run_server(name, durable=False):
    """Run a server, `postgresql`, `mariadb` or `redis`, and yield the URL of its empty database.

    A power cut may lose its data, unless `durable`. Raises `Missing`.
    """
    # On SIGTERM, exit normally, so that the server and its directory are removed.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    with server(name, durable) as running_server:
        yield running_server.url


@contextlib.contextmanager
def server(name, durable=False):
    """Run a server and yield it as a `Server`, which can be killed and restarted."""
    make, users = {
        "postgresql": (_make_postgresql, ["postgres"]),
        "mariadb": (_make_mariadb, ["mysql"]),
        "redis": (_make_redis, ["redis", "valkey"]),
    }[name]
    user = _user(*users)
    folder, lock = leftovers.make_folder(_parent())
    place, new_server = Path(folder), None
    try:
        shutil.chown(str(place), user)
        new_server = make(place, user, durable)
        new_server.start()
        yield new_server
    finally:
        if new_server is not None:
            new_server.stop()
        leftovers.remove(folder, lock)


def _parent():
    """Return where folders of servers go: short, for the addresses of their sockets."""
    session = os.environ.get(leftovers.VARIABLE, "")
    return session if os.path.isdir(session) and len(session) < 60 else "/tmp"


class Server:
    """A server with its own directory; `url` is the URL of its database."""

    first, question = "create database checks", "select 1"
    """The client's first statement to a new server, and one that every running server answers."""

    def __init__(self, place, user, url, *, command, client, ending):
        self._place, self._user, self.url = place, user, url
        self._command, self._client, self._ending = command, client, ending
        self._process = None

    def start(self):
        """Start the server, for the first time or after `kill`, and wait until it answers."""
        end = time.monotonic() + MAX_SECONDS
        self._process = _popen(self._command, self._user, self._place)
        while not self._answers():
            gone = self._process.poll() is not None
            if time.monotonic() > end or (gone and self.first):
                raise OSError((self._place / "log").read_text(errors="replace").strip()[-2000:])
            if gone:
                # The remains of a killed server may need a moment to disappear.
                self._process = _popen(self._command, self._user, self._place)
            time.sleep(0.1)
        self.first = ""

    def _answers(self):
        command = [str(part) for part in [*self._client, self.first or self.question]]
        null = subprocess.DEVNULL
        return subprocess.run(command, stdout=null, stderr=null).returncode == 0

    def kill(self):
        """Kill the server at once."""
        family = [self._process.pid, *_children(self._process.pid)]
        for pid in family:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self._process.wait()

    def stop(self):
        """Shut the server down, if it is running."""
        if self._process is None or self._process.poll() is not None:
            return
        self._process.send_signal(self._ending)
        try:
            self._process.wait(timeout=MAX_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def _children(parent):
    pids = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            after = status.read_text().rpartition(")")[2].split()
            if int(after[1]) == parent:
                pids.append(int(status.parent.name))
    return pids


def _make_postgresql(place, user, durable):
    home = find_postgresql()
    data = str(place / "data")
    _run([home / "initdb", "-D", data, "-U", "checks", "-A", "trust", "-E", "UTF8", "-N"], user)
    lazy = [] if durable else ["-c", "fsync=off", "-c", "full_page_writes=off"]
    address = ["-c", "listen_addresses=", "-k", str(place), "-c", "max_connections=300"]
    command = [home / "postgres", "-D", data, *address, *lazy]
    client = [home / "psql", "-h", place, "-U", "checks", "-d", "postgres", "-c"]
    url = "postgresql://checks@/checks?host=%s" % place
    return Server(place, user, url, command=command, client=client, ending=signal.SIGINT)


def _make_mariadb(place, user, durable):
    binary, install = _find("mariadbd"), _find("mariadb-install-db")
    data = str(place / "data")
    # Ignore the machine's configuration, so that the checks are the same everywhere.
    own = ["--no-defaults", "--datadir=%s" % data]
    _run([install, *own, "--skip-test-db", "--auth-root-authentication-method=normal"], user)
    socket = place / "s"
    lazy = ["--innodb-flush-log-at-trx-commit=0", "--skip-innodb-doublewrite"]
    # Creating the tables of a database takes a tenth of the time, and dropping it too.
    lazy += ["--loose-debug-no-sync", "--loose-skip-sync-frm", "--loose-innodb-file-per-table=0"]
    lazy = [] if durable else lazy
    address = [
        "--skip-networking",
        "--max-connections=300",
        "--socket=%s" % socket,
        "--pid-file=%s" % (place / "pid"),
    ]
    sizes = ["--innodb-buffer-pool-size=128M", "--innodb-log-file-size=48M"]
    command = [binary, *own, *address, *sizes, *lazy]
    client = [_find("mariadb"), "--no-defaults", "-u", "root", "-S", socket, "-e"]
    url = "mysql://root@/checks?unix_socket=%s" % socket
    return Server(place, user, url, command=command, client=client, ending=signal.SIGTERM)


def _make_redis(place, user, durable):
    binary = _find("redis-server", "valkey-server")
    port, password = hold_port(), secrets.token_hex(16)
    kept = ["--appendonly", "yes", "--appendfsync", "always"] if durable else ["--save", ""]
    address = ["--bind", "127.0.0.1", "--port", port, "--requirepass", password]
    command = [binary, *address, "--dir", place, *kept]
    # With -e, it reports errors through its exit status.
    login = ["-p", port, "-a", password, "--no-auth-warning", "-e"]
    client = [_find("redis-cli", "valkey-cli"), *login]
    url = "redis://:%s@127.0.0.1:%d/0" % (password, port)
    new_server = Server(place, user, url, command=command, client=client, ending=signal.SIGTERM)
    new_server.first = new_server.question = "ping"
    return new_server


def hold_port():
    """Return a port that is kept for a server of this process, which may start again and again.

    No other process gets it, because a socket has it until this process ends. That socket never
    listens, so that a server that sets SO_REUSEADDR, as all of ours do, can listen there.
    """
    holder = socket.socket()
    holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    holder.bind(("127.0.0.1", 0))
    _holders.append(holder)
    return holder.getsockname()[1]


_holders = []


def find_postgresql():
    """Return the folder of the newest PostgreSQL's programs, or raise `Missing`.

    On Debian it is not on the PATH.
    """
    homes = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: int(path.parts[4])
    )
    if homes:
        return homes[-1].parent
    return _find("initdb").resolve().parent


def _find(*programs):
    """Return the path of the first of the programs that is installed."""
    path = os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin"
    for program in programs:
        found = shutil.which(program, path=path)
        if found is not None:
            return Path(found)
    package = PACKAGES.get(programs[0].partition("-")[0], "postgresql")
    raise Missing("no %s here (on Debian: apt install %s)" % (programs[0], package))


def _user(*users):
    if os.geteuid() != 0:
        return pwd.getpwuid(os.geteuid()).pw_name
    for name in (*users, "nobody"):
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(name).pw_name
    raise Missing("root must not run a server, and there is no user %r" % users[0])


def _as_user(user):
    if os.geteuid() != 0:
        return {}
    # The folder for temporary files of a session of tests is not theirs.
    variables = dict(os.environ, TMPDIR="/tmp")
    group = pwd.getpwnam(user).pw_gid
    return {"user": user, "group": group, "extra_groups": [], "env": variables}


def _run(command, user):
    process = subprocess.run(
        [str(part) for part in command],
        cwd="/",
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        **_as_user(user),
    )
    if process.returncode:
        raise OSError(process.stdout.decode(errors="replace").strip()[-2000:])


_PRCTL = ctypes.CDLL(None).prctl if sys.platform == "linux" else None


def end_with_parent():
    """Let this process end when its parent does, even if that is killed: for `preexec_fn`."""
    if _PRCTL is not None:
        _PRCTL(_PR_SET_PDEATHSIG, signal.SIGTERM)


def _popen(command, user, place):
    with open(str(place / "log"), "wb") as log:
        return subprocess.Popen(
            [str(part) for part in command],
            cwd="/",
            stdout=log,
            stderr=log,
            start_new_session=True,
            preexec_fn=end_with_parent,  # noqa: PLW1509 no thread runs yet
            **_as_user(user),
        )


def _run_to_end(command, variables):
    """Return the exit status of a command, which may clear up if this process is interrupted."""
    process = subprocess.Popen(command, env=variables, preexec_fn=end_with_parent)  # noqa: PLW1509
    try:
        return process.wait()
    except BaseException as end:
        # A terminal sends Ctrl-C to both.
        if not isinstance(end, KeyboardInterrupt):
            process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=MAX_SECONDS)
        process.kill()
        process.wait()
        raise


def main():
    """`servers.py NAME [--durable] COMMAND ...`: run a command with a server's URL."""
    name, *command = sys.argv[1:]
    durable = command[:1] == ["--durable"]
    try:
        with run_server(name, durable=durable) as url:
            variables = dict(os.environ, **dict.fromkeys(VARIABLES[name], url))
            return _run_to_end(command[durable:], variables)
    except Missing as problem:
        print("servers: %s" % problem)
        return MISSING_STATUS
    except OSError as problem:
        sys.exit("servers: %s" % problem)


if __name__ == "__main__":
    sys.exit(main())
