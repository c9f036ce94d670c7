"""`diplomaccloud play`: the whole site on one machine, from an empty directory."""

import fcntl
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from diplomaccloud.project.supervisor import Supervisor


class CannotPlay(OSError):
    """The site cannot start here; the message says in one sentence why, and what would help."""


def play(*, host: str, port: int, data: Path, reset: bool) -> int:
    """Serve the site until told to stop, and return the exit status.

    Everything is kept in `data`; `reset` moves what was there aside and starts afresh.
    Raises `CannotPlay` for a port or directory that cannot be used.
    """
    _require_free(host, port)
    with _owned(data, reset=reset):
        os.environ.update(surroundings(host, data))
        os.chdir(data)  # a file named like a module, wherever we were called from, is not one
        _prepare()
        shown = "localhost" if host in {"127.0.0.1", "0.0.0.0", "::", "::1"} else host  # noqa: S104
        sys.stdout.write(f"\n  Diplomaccloud is at http://{shown}:{port}/  (Ctrl-C stops it)\n\n")
        sys.stdout.flush()
        return Supervisor(
            {
                "web server": _web(host, port),
                "worker": _managed("worker"),
                "mapmaker": _managed("mapmaker"),
            },
            spare={"mapmaker"},
        ).run()


def _require_free(host: str, port: int) -> None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise CannotPlay(
                f"cannot listen on {host} port {port}: {(error.strerror or str(error)).lower()} "
                f"(try another with --port {port + 1})"
            ) from None


@contextmanager
def _owned(data: Path, *, reset: bool) -> Iterator[None]:
    """Hold `data` for this process alone, made if missing, emptied by renaming if asked to."""
    try:
        data.mkdir(parents=True, exist_ok=True)
        lock = (data / _LOCK).open("w")
    except OSError as error:
        raise CannotPlay(
            f"cannot write to {error.filename or data}: {(error.strerror or '').lower()} "
            "(choose another directory with --data)"
        ) from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise CannotPlay(f"{data} is in use by a Diplomaccloud that is running") from None
        if reset and any(path.name != _LOCK for path in data.iterdir()):
            _set_aside(data)
        yield


_LOCK = "lock"


def _set_aside(data: Path) -> None:
    """Move everything in `data` into a directory beside it, named by the time."""
    aside = data.with_name(f"{data.name}-{datetime.now(UTC):%Y%m%d-%H%M%S}")
    aside.mkdir()
    for path in data.iterdir():
        if path.name != _LOCK:
            path.rename(aside / path.name)
    sys.stdout.write(f"The old games are kept in {aside}\n")


def surroundings(host: str, data: Path) -> dict[str, str]:
    """Return the environment for this machine; what the person has set already wins.

    Except `data`: it is the directory that is locked, so it must be the one that is used.
    """
    everywhere = host in {"0.0.0.0", "::"}  # noqa: S104
    names = "*" if everywhere else f"{host} localhost 127.0.0.1 [::1]"
    wanted = {
        "DJANGO_SETTINGS_MODULE": "diplomaccloud.project.settings",
        "DIPLOMACCLOUD_ALLOWED_HOSTS": names,
    }
    given = {name: os.environ.get(name, value) for name, value in wanted.items()}
    return given | {"DIPLOMACCLOUD_DATA": str(data)}


def _prepare() -> None:
    """Bring the database up to date and make the demo, once."""
    import django  # noqa: PLC0415 not before the environment is set
    from django.core.exceptions import ImproperlyConfigured  # noqa: PLC0415
    from django.core.management import call_command  # noqa: PLC0415

    try:
        django.setup()
    except ImproperlyConfigured as fault:
        raise CannotPlay(str(fault)) from None
    call_command("migrate", verbosity=0, interactive=False)
    from diplomaccloud.project.demo import make_demo  # noqa: PLC0415 needs Django's registry

    make_demo()


def _web(host: str, port: int) -> list[str]:
    return [
        *(sys.executable, "-P", "-m", "granian", "--interface", "asgi", "--no-ws"),
        *("--host", host, "--port", str(port), "--workers-kill-timeout", "2"),
        *("--log-level", "warning", "diplomaccloud.project.asgi:application"),
    ]


def _managed(name: str) -> list[str]:
    return [sys.executable, "-P", "-m", "diplomaccloud", "manage", name]
