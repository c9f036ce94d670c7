"""`diplomaccloud play`: serves the whole site on one machine."""

import fcntl
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import NoReturn

from diplomaccloud.bots.kernel import SLOW_KERNEL
from diplomaccloud.project.caddy import (
    Front,
    build_command,
    find_free_port,
    prepare_front,
    start_watch,
)
from diplomaccloud.project.connections import count_room, raise_descriptor_limit
from diplomaccloud.project.databases import (
    close_connections,
    describe_refusal,
    try_connection,
)
from diplomaccloud.project.invitation import (
    ANY_ADDRESS,
    build_url,
    list_ways,
    write_code,
    write_ways,
)
from diplomaccloud.project.supervisor import PULSE, run_plan

HEADER_SECONDS = 10
"""How long a connection may be idle before its first or next request."""
BUFFER_BYTES = 65_536
"""The most bytes that the web server buffers per connection, or accepts in headers."""


class StartupError(OSError):
    """Raised if the site cannot start; the message gives the reason and a fix in one sentence."""


def play(*, host: str, port: int, data: Path, reset: bool, domain: str = "") -> NoReturn:
    """Prepare the site, and become the supervisor that serves it until stopped.

    Everything is stored in `data`; `reset` moves old data away first. With a `domain`, Caddy serves
    it with HTTPS at `port`, and the web server listens on another, which only Caddy uses.
    Raises `StartupError` if the port, the directory or the database cannot be used, and
    `ProxyError` or `ValueError` if Caddy cannot serve the domain.
    """
    front = None
    if domain:
        front = prepare_front(domain, port, data / "caddy")
        host, port = "127.0.0.1", find_free_port()
    require_free(host, port)
    with _lock_directory(data, reset=reset):
        os.environ.update(front.build_environment() if front else {})
        os.environ.update(build_environment(host, data))
        os.chdir(data)  # keep files in the current directory from being imported as modules
        _prepare()
        _welcome(host, port, front)
        if SLOW_KERNEL:
            sys.stdout.write(f"  {SLOW_KERNEL}\n\n")
        sys.stdout.flush()
        # A new program in this process: what was imported up to here would stay in memory.
        run_plan(
            {
                "web server": build_web_command(host, port),
                "worker": _manage_command("worker", "--pulse", PULSE),
                **({"Caddy proxy": build_command(front, f"{host}:{port}")} if front else {}),
            },
            optional={"worker"},
            explain=[sys.executable, "-P", "-c", _EXPLAIN, host, str(port)],
        )


def _welcome(host: str, port: int, front: Front | None) -> None:
    """Write where the site is, and which addresses the host can send to others."""
    out = sys.stdout
    if front:
        out.write(f"\n  Diplomaccloud is at {front.origin}/  (Ctrl-C stops it)\n\n")
        out.writelines(f"  {sentence}\n\n" for sentence in front.list_advice())
        if not front.is_here_only:
            write_code(f"{front.origin}/", out)
        start_watch(front)
        return
    is_everywhere = host in ANY_ADDRESS
    shown = "localhost" if is_everywhere or host in {"127.0.0.1", "::1"} else host
    out.write(f"\n  Diplomaccloud is at {build_url('http', shown, port)}  (Ctrl-C stops it)\n\n")
    if is_everywhere:
        write_ways(list_ways(host, port), port, out)


_EXPLAIN = (
    "import sys; from diplomaccloud.project.play import explain_end; explain_end(*sys.argv[1:])"
)


def explain_end(host: str, port: str) -> None:
    """Say that the port is in use now: the usual reason why a web server cannot start again."""
    try:
        require_free(host, int(port))
    except StartupError as error:
        sys.stderr.write(f"diplomaccloud: {error}\n")
        sys.exit(2)


def require_free(host: str, port: int) -> None:
    """Raise `StartupError` if another program listens on the port."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise StartupError(
                f"cannot listen on {host} port {port}: {(error.strerror or str(error)).lower()} "
                f"(try another with --port {port + 1})"
            ) from None


@contextmanager
def _lock_directory(data: Path, *, reset: bool) -> Iterator[None]:
    """Create `data` if it is missing, lock it, and on `reset` move its contents away."""
    try:
        data.mkdir(parents=True, exist_ok=True)
        lock = (data / _LOCK).open("w")
    except OSError as error:
        raise StartupError(
            f"cannot write to {error.filename or data}: {(error.strerror or '').lower()} "
            "(choose another directory with --data)"
        ) from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise StartupError(f"{data} is in use by another running Diplomaccloud") from None
        # The supervisor, which replaces this program, keeps the lock.
        os.set_inheritable(lock.fileno(), True)
        if reset and any(path.name not in _STAYS for path in data.iterdir()):
            _move_away(data)
        yield


_LOCK = "lock"
_STAYS = {_LOCK, "caddy"}
"""What a reset leaves: devices have installed the certificate, and others are given out rarely."""


def _move_away(data: Path) -> None:
    """Move everything in `data` to a directory next to it, named after the time."""
    backup = data.with_name(f"{data.name}-{datetime.now(UTC):%Y%m%d-%H%M%S}")
    backup.mkdir()
    for path in data.iterdir():
        if path.name not in _STAYS:
            path.rename(backup / path.name)
    sys.stdout.write(f"The old data is now in {backup}\n")


def build_environment(host: str, data: Path) -> dict[str, str]:
    """Return environment variables for this machine; those that are already set win.

    The exception is `data`: the site must use the directory that is locked. The last one marks the
    processes of `play`.
    """
    names = "*" if host in ANY_ADDRESS else f"{host} localhost 127.0.0.1 [::1]"
    defaults = {
        "DJANGO_SETTINGS_MODULE": "diplomaccloud.project.settings",
        "DIPLOMACCLOUD_ALLOWED_HOSTS": names,
    }
    variables = {name: os.environ.get(name, value) for name, value in defaults.items()}
    return variables | {"DIPLOMACCLOUD_DATA": str(data), "DIPLOMACCLOUD_PLAY": "1"}


def _prepare() -> None:
    """Migrate the database unless it is current, and create the demo if it does not exist."""
    import django  # noqa: PLC0415 after the environment is set
    from django.core.exceptions import ImproperlyConfigured  # noqa: PLC0415
    from django.core.management import CommandError, call_command  # noqa: PLC0415
    from django.db import DatabaseError, OperationalError, connection  # noqa: PLC0415
    from django.db.migrations.recorder import MigrationRecorder  # noqa: PLC0415

    try:
        django.setup()
    except ImproperlyConfigured as error:
        raise StartupError(str(error)) from None
    from diplomaccloud.project.demo import make_demo  # noqa: PLC0415 needs Django's registry
    from diplomaccloud.shared.upgrades import is_current  # noqa: PLC0415

    try:
        try_connection()
        if not is_current(MigrationRecorder(connection).applied_migrations()):
            sys.stdout.write("Preparing the database. If it is large, this can take a while.\n")
            sys.stdout.flush()
            call_command("migrate", verbosity=0, interactive=False)
        make_demo()
    except CommandError as error:
        raise StartupError(str(error)) from None
    except OperationalError as error:
        raise StartupError(describe_refusal(error)) from None
    except DatabaseError as error:
        if connection.connection is not None:  # a fault of ours
            raise
        raise StartupError(describe_refusal(error)) from None
    close_connections()


def build_web_command(host: str, port: int) -> list[str]:
    """Return the command of the web server, with limits that work without a proxy."""
    room = count_room(raise_descriptor_limit())
    return [
        *(sys.executable, "-P", "-m", "granian", "--interface", "asgi", "--no-ws"),
        *("--host", host, "--port", str(port), "--workers-kill-timeout", "2"),
        # The port stays open meanwhile. If the process soon ends again, so does the web server.
        "--respawn-failed-workers",
        # Otherwise an idle connection stays open, because it might be going to use HTTP/2.
        *("--http", "1", "--http1-header-read-timeout", str(HEADER_SECONDS * 1000)),
        *("--http1-buffer-size", str(BUFFER_BYTES)),
        *("--backpressure", str(room), "--backlog", "2048"),
        *("--log-level", "warning", "diplomaccloud.project.asgi:application"),
    ]


def _manage_command(*words: str) -> list[str]:
    return [sys.executable, "-P", "-m", "diplomaccloud", "manage", *words]
