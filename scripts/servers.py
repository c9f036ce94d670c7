#!/usr/bin/env python3
"""Throw-away PostgreSQL and MariaDB servers for the checks. Standard library only.

Each lives in a temporary directory of its own and listens on a socket in it, which nobody but
its user can reach; it is stopped and removed with the process that started it. A server refuses
to run as root, so root gives it the user that Debian's package made.
"""

import contextlib
import ctypes
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PATIENCE = 60
"""Seconds a server may take to start or to stop."""
_PR_SET_PDEATHSIG = 1


class Missing(Exception):
    """No such server is installed; the message names the package that has it."""


@contextlib.contextmanager
def running(name, durable=False):
    """Run a server, `postgresql` or `mariadb`, and give the URL of its empty database.

    It forgets what a power cut would take, unless `durable`. Raises `Missing`.
    """
    # Told to end, unwind: the server goes first, and its directory.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    start, stop = {
        "postgresql": (_start_postgresql, signal.SIGINT),
        "mariadb": (_start_mariadb, signal.SIGTERM),
    }[name]
    user = _user({"postgresql": "postgres", "mariadb": "mysql"}[name])
    place = Path(tempfile.mkdtemp(prefix="dc-", dir="/tmp" if os.path.isdir("/tmp") else None))
    server = None
    try:
        shutil.chown(str(place), user)
        server, url, ready = start(place, user, durable)
        _wait(server, ready, place)
        yield url
    finally:
        if server is not None:
            _stop(server, stop)
        shutil.rmtree(str(place), ignore_errors=True)


def _start_postgresql(place, user, durable):
    home = _postgresql_home()
    data = str(place / "data")
    _run([home / "initdb", "-D", data, "-U", "checks", "-A", "trust", "-E", "UTF8", "-N"], user)
    lazy = [] if durable else ["-c", "fsync=off", "-c", "full_page_writes=off"]
    address = ["-c", "listen_addresses=", "-k", str(place), "-c", "max_connections=60"]
    server = _popen([home / "postgres", "-D", data, *address, *lazy], user, place)
    ready = [home / "psql", "-h", place, "-U", "checks", "-c", "create database checks", "postgres"]
    return server, "postgresql://checks@/checks?host=%s" % place, ready


def _start_mariadb(place, user, durable):
    binary, install = _find("mariadbd"), _find("mariadb-install-db")
    data = str(place / "data")
    # Nothing of the machine's own configuration: the checks run the same everywhere.
    own = ["--no-defaults", "--datadir=%s" % data]
    _run([install, *own, "--skip-test-db", "--auth-root-authentication-method=normal"], user)
    socket = place / "s"
    lazy = [] if durable else ["--innodb-flush-log-at-trx-commit=0", "--skip-innodb-doublewrite"]
    address = ["--skip-networking", "--socket=%s" % socket, "--pid-file=%s" % (place / "pid")]
    sizes = ["--innodb-buffer-pool-size=128M", "--innodb-log-file-size=48M"]
    server = _popen([binary, *own, *address, *sizes, *lazy], user, place)
    ready = [_find("mariadb"), "--no-defaults", "-u", "root", "-S", socket]
    ready += ["-e", "create database checks"]
    return server, "mysql://root@/checks?unix_socket=%s" % socket, ready


def _postgresql_home():
    """Return where the newest PostgreSQL has its programs: Debian's are on no PATH."""
    homes = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: int(path.parts[4])
    )
    if homes:
        return homes[-1].parent
    return _find("initdb").resolve().parent


def _find(program):
    found = shutil.which(program, path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin")
    if found is None:
        package = "mariadb-server" if "maria" in program else "postgresql"
        raise Missing("no %s here (on Debian: apt install %s)" % (program, package))
    return Path(found)


def _user(wanted):
    if os.geteuid() != 0:
        return pwd.getpwuid(os.geteuid()).pw_name
    for name in (wanted, "nobody"):
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(name).pw_name
    raise Missing("root must not run a server, and there is no user %r" % wanted)


def _as_user(user):
    if os.geteuid() != 0:
        return {}
    return {"user": user, "group": pwd.getpwnam(user).pw_gid, "extra_groups": []}


def _run(command, user):
    done = subprocess.run(
        [str(part) for part in command],
        cwd="/",
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        **_as_user(user),
    )
    if done.returncode:
        raise OSError(done.stdout.decode(errors="replace").strip()[-2000:])


def _popen(command, user, place):
    prctl = ctypes.CDLL(None).prctl if sys.platform == "linux" else None

    def end_with_parent():
        # Even if the checks are killed, no server is left behind.
        if prctl is not None:
            prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)

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


def _wait(server, ready, place):
    """Return once the command `ready`, which makes the database, has succeeded."""
    command = [str(part) for part in ready]
    end = time.monotonic() + PATIENCE
    while subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode:
        if server.poll() is not None or time.monotonic() > end:
            raise OSError((place / "log").read_text(errors="replace").strip()[-2000:])
        time.sleep(0.1)


def _stop(server, number):
    server.send_signal(number)
    try:
        server.wait(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()


def main():
    """`servers.py NAME [--durable] COMMAND ...`: run a command with a server's URL."""
    name, *command = sys.argv[1:]
    durable = command[:1] == ["--durable"]
    try:
        with running(name, durable=durable) as url:
            surroundings = dict(os.environ, DIPLOMACCLOUD_DATABASE_URL=url)
            surroundings["DIPLOMACCLOUD_CHECKS_DATABASE"] = url
            return subprocess.run(command[durable:], env=surroundings).returncode
    except (Missing, OSError) as problem:
        sys.exit("servers: %s" % problem)


if __name__ == "__main__":
    sys.exit(main())
