"""A web server's first pages, which it renders for itself before anybody waits for them.

The first page of a process loads the site's URLs, its templates and the tables of maps, which takes
longer than a hundred pages. Load balancers wait for `/health/ready`, which waits for this.
"""

import ctypes
import gc
import io
import os
import socket
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import structlog
from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.core.handlers.wsgi import WSGIRequest
from django.db import Error, connection, transaction
from django.template.loader import get_template
from django.urls import resolve, reverse

from diplomaccloud.accounts.backends import NumberingBackend
from diplomaccloud.games.visibility.read import find_player, list_newest_on_maps

_MAPS: Final = 3
"""On how many maps a game is shown: most games of a site are on a few, whose tables stay here."""
_lock = threading.Lock()
_is_warm = threading.Event()
_log = structlog.get_logger(__name__)


def warm_up() -> None:
    """Render pages as for a visitor and as for a player, once in this process.

    Raises `django.db.Error`; what else is wrong with a page is in the log.
    """
    if _is_warm.is_set():
        return
    with _lock:
        if not _is_warm.is_set():
            slugs = list_newest_on_maps(_MAPS)
            games = [reverse("games:detail", args=[slug]) for slug in slugs]
            home, *lists = map(reverse, ("home", "games:lobby", "maps:gallery"))
            for path in (home, *lists, *games):
                _render(path)
            if games and (player := find_player(slugs[0])) is not None:
                for path in (home, games[0]):
                    _render_for(player, path)
            _load_templates()
            # The first answer may be kept for the next.
            _render(home)
            _give_back_memory()
            _is_warm.set()


def _give_back_memory() -> None:
    """Give the system what the first pages needed only once; the GNU library keeps it otherwise."""
    gc.collect()
    with suppress(AttributeError, OSError, TypeError):  # other systems have no such function
        ctypes.CDLL(None).malloc_trim(0)


def start_warming() -> None:
    """Warm up in a thread, so that a site without probes has a quick first page, too.

    Then let systemd know, which waits for that before it calls the site started.
    """
    threading.Thread(target=_warm_apart, name="warming", daemon=True).start()


def _warm_apart() -> None:
    try:
        warm_up()
    except Error:
        _log.warning("not warmed up", reason="the database is away")
    finally:
        connection.close()
        _notify_systemd()


def _notify_systemd() -> None:
    """Say that the site is ready, as `Type=notify` asks of a unit.

    It is also ready to say that its database is away.
    """
    if name := os.environ.get("NOTIFY_SOCKET"):
        # A name that starts with @ is in no folder.
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
            systemd.connect(name.replace("@", "\0", 1) if name.startswith("@") else name)
            systemd.send(b"READY=1")


def _load_templates() -> None:
    """Load the templates that these pages did not need."""
    for config in apps.get_app_configs():
        root = Path(config.path, "templates")
        if not config.name.startswith("diplomaccloud."):
            continue
        for path in root.rglob("*.html"):
            get_template(str(path.relative_to(root)))


def _render(path: str) -> None:
    """Render a page with all middleware, as for a visitor."""
    from diplomaccloud.project.wsgi import application  # noqa: PLC0415 sets Django up

    statuses: list[str] = []

    def start_response(status: str, *_: object) -> Callable[[bytes], object]:
        statuses.append(status)
        return len

    answer = application(_build_environ(path), start_response)
    try:
        for _ in answer:
            pass
    finally:
        getattr(answer, "close", lambda: None)()
    if statuses != ["200 OK"]:
        _log.warning("page not rendered", path=path, status=statuses[-1:])


def _render_for(person: int, path: str) -> None:
    """Render a page as for a person, without a session and without any lasting effect."""
    request = WSGIRequest(_build_environ(path))
    # As each request of a person who is logged in: both queries are prepared by their first use.
    request.session = SessionStore("warming")
    request.session.load()
    request.user = NumberingBackend().get_user(person) or AnonymousUser()
    request.resolver_match = resolve(path)
    view, args, options = request.resolver_match
    try:
        with transaction.atomic():
            view(request, *args, **options)
            transaction.set_rollback(True)
    except Error:
        raise
    except Exception as error:
        _log.warning("page not rendered", path=path, reason=repr(error))


def _build_environ(path: str) -> dict[str, Any]:
    hosts = [host.lstrip(".") for host in settings.ALLOWED_HOSTS if host != "*"]
    # What the proxies of the settings send: otherwise a site with HTTPS would only redirect, and
    # others would seem to have wrong settings.
    proxies: int = settings.ALLAUTH_TRUSTED_PROXY_COUNT
    headers = {"HTTP_X_FORWARDED_FOR": ", ".join(["127.0.0.1"] * proxies)} if proxies else {}
    if settings.SECURE_SSL_REDIRECT:
        headers["HTTP_X_FORWARDED_PROTO"] = "https"
    return headers | {
        "REQUEST_METHOD": "GET",
        "PATH_INFO": path,
        "QUERY_STRING": "",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "SERVER_NAME": hosts[0] if hosts else "localhost",
        "SERVER_PORT": "80",
        "REMOTE_ADDR": "127.0.0.1",
        "HTTP_ACCEPT_ENCODING": "br, gzip",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
