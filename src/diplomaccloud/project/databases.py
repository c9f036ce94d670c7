"""Which database: one address such as `postgresql://user:password@host/name`, or a SQLite file.

No library reads it: the options below differ from vendor to vendor, and an error has to name
the part at fault without ever showing the password.
"""

from pathlib import Path
from typing import Any, Final
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

POOL: Final = 12
"""Connections to PostgreSQL that one process may have: eight serve pages, the rest streams."""
KEPT_SECONDS: Final = 60
"""How long an idle connection to MySQL or MariaDB stays open."""

_VENDORS: Final = {
    "sqlite": "sqlite",
    "sqlite3": "sqlite",
    "postgres": "postgresql",
    "postgresql": "postgresql",
    "mysql": "mysql",
    "mariadb": "mysql",
}
_TEXTS: Final = {
    "sqlite": frozenset[str](),
    "postgresql": frozenset(
        {"host", "sslmode", "sslrootcert", "sslcert", "sslkey", "application_name"}
    ),
    "mysql": frozenset({"unix_socket", "ssl_ca", "ssl_cert", "ssl_key"}),
}
_NUMBERS: Final = {
    "sqlite": frozenset({"timeout"}),
    "postgresql": frozenset({"connect_timeout", "pool"}),
    "mysql": frozenset({"connect_timeout", "read_timeout", "write_timeout"}),
}
_STRICT: Final = "SET SESSION sql_mode = 'TRADITIONAL'"


def database(url: str, *, default: Path) -> dict[str, Any]:
    """Return Django's settings of the database at `url`, of the SQLite file `default` if blank.

    Raises `ImproperlyConfigured`, whose message names the part of the address at fault.
    """
    if not url:
        return _sqlite(str(default), {})
    scheme, divided, _ = url.partition("://")
    vendor = _VENDORS.get(scheme.lower())
    if not divided:
        raise _fault("it is not of the form postgresql://user:password@host:port/name")
    if vendor is None:
        raise _fault(f"it begins with {scheme!r}, not with sqlite, postgresql or mysql")
    try:
        parts = urlsplit(url)
        port = None if vendor == "sqlite" else parts.port
    except ValueError:
        # The standard library's message may repeat what it could not read: the password.
        raise _fault(
            "its port is not a number from 1 to 65535, or a / ? # [ in the password is not "
            "written as %2F %3F %23 %5B"
        ) from None
    options = _options(parts.query, vendor)
    if vendor == "sqlite":
        return _sqlite(_file(parts), options)
    return _server(vendor, parts, port, options)


def _file(parts: SplitResult) -> str:
    """Return the path in `sqlite:///relative/path` or `sqlite:////absolute/path`."""
    if parts.netloc or not parts.path.strip("/"):
        raise _fault("a SQLite file is written sqlite:////absolute/path or sqlite:///path")
    return unquote(parts.path[1:])


def _sqlite(name: str, options: dict[str, str | int]) -> dict[str, Any]:
    # Writers queue for the lock when their transaction begins, and a committed turn is on
    # the disk: the defaults give lock errors and 52 commits a second.
    settings: dict[str, Any] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
    }
    return {"ENGINE": "django.db.backends.sqlite3", "NAME": name, "OPTIONS": settings | options}


def _server(
    vendor: str, parts: SplitResult, port: int | None, options: dict[str, str | int]
) -> dict[str, Any]:
    name = unquote(parts.path.lstrip("/"))
    if not name or "/" in name:
        raise _fault("the name of the database is missing: it goes after the host and a slash")
    address: dict[str, Any] = {
        "NAME": name,
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": unquote(parts.hostname or ""),
        "PORT": port or "",
        # A connection that its server has closed is noticed before it is used.
        "CONN_HEALTH_CHECKS": True,
    }
    return address | (_postgresql(options) if vendor == "postgresql" else _mysql(options))


def _postgresql(options: dict[str, str | int]) -> dict[str, Any]:
    most = int(options.pop("pool", POOL))
    # Behind a pooler of its own (PgBouncer) write ?pool=0.
    pool = {"min_size": 1, "max_size": most, "timeout": 10} if most else False
    return {"ENGINE": "django.db.backends.postgresql", "OPTIONS": {**options, "pool": pool}}


def _mysql(options: dict[str, str | int]) -> dict[str, Any]:
    strict = {"isolation_level": "read committed", "init_command": _STRICT}
    return {
        "ENGINE": "diplomaccloud.project.mysql",
        "CONN_MAX_AGE": KEPT_SECONDS,
        "OPTIONS": {"connect_timeout": 10, **options, **strict},
    }


def _options(query: str, vendor: str) -> dict[str, str | int]:
    found: dict[str, str | int] = {}
    for key, value in parse_qsl(query, keep_blank_values=True):
        if key in _TEXTS[vendor]:
            found[key] = value
        elif key in _NUMBERS[vendor]:
            if not value.isdecimal():
                raise _fault(f"its option {key} is not a number")
            found[key] = int(value)
        else:
            known = ", ".join(sorted(_TEXTS[vendor] | _NUMBERS[vendor]))
            raise _fault(f"there is no option {key!r} for {vendor} (there are: {known})")
    return found


def _fault(what: str) -> ImproperlyConfigured:
    return ImproperlyConfigured(f"DATABASE_URL cannot be used: {what}")
