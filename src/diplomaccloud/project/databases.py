"""The database settings, read from one URL such as `postgresql://user:password@host/name`.

`dj-database-url` reads the URL. This module adds defaults for each vendor, and errors that
name the part at fault without showing the password.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import SplitResult, parse_qsl, urlsplit

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

from diplomaccloud.project.service_urls import PORT_OR_SIGNS

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper

POOL_SIZE: Final = 16
"""How many PostgreSQL connections a process may open: eight for pages, two for monitors, and the
rest for streams."""
MAX_AGE_SECONDS: Final = 60
"""How long a thread keeps a connection to MySQL, MariaDB or a SQLite file.

Opening a SQLite file takes more than a third as long as making the home page, because SQLite parses
the definitions of all tables.
"""

_OWNER_URL: Final = "DIPLOMACCLOUD_OWNER_DATABASE_URL"
OWNER_NEEDED: Final = f"set {_OWNER_URL} to the address of the tables' owner"
"""What to do if the database refuses something to the site's own role."""
_FULL: Final = r"disk is full|No space left|is full$"
"""What the databases say when a disk is full."""
_VENDORS: Final = {
    "sqlite": "sqlite",
    "sqlite3": "sqlite",
    "postgres": "postgresql",
    "postgresql": "postgresql",
    "pgsql": "postgresql",
    "mysql": "mysql",
    "mysql2": "mysql",
    "mariadb": "mysql",
}
_ENGINES: Final = {
    "sqlite": "django.db.backends.sqlite3",
    "postgresql": "django.db.backends.postgresql",
    "mysql": "diplomaccloud.project.mysql",
}
_FLAG, _NUMBER, _TEXT = "true or false", "a number", "text"
_SETTINGS: Final = {
    "conn_max_age": _NUMBER,
    "conn_health_checks": _FLAG,
    "disable_server_side_cursors": _FLAG,
}
"""Options that are for Django, not for the driver."""
_LIBPQ_TEXTS: Final = (
    "application_name channel_binding client_encoding fallback_application_name gssencmode gsslib"
    " host hostaddr krbsrvname load_balance_hosts options passfile require_auth requirepeer"
    " service ssl_max_protocol_version ssl_min_protocol_version sslcert sslcertmode sslcrl"
    " sslcrldir sslkey sslmode sslnegotiation sslpassword sslrootcert target_session_attrs"
)
_LIBPQ_NUMBERS: Final = (
    "connect_timeout gssdelegation keepalives keepalives_count keepalives_idle"
    " keepalives_interval sslcompression sslsni tcp_user_timeout"
)
_PYMYSQL_TEXTS: Final = (
    "bind_address charset collation program_name read_default_file read_default_group"
    " server_public_key ssl-ca ssl_ca ssl_cert ssl_key ssl_key_password unix_socket"
)
_OPTIONS: Final[Mapping[str, Mapping[str, str]]] = {
    "sqlite": {"timeout": _NUMBER, "cached_statements": _NUMBER, "conn_max_age": _NUMBER},
    "postgresql": {
        **dict.fromkeys(_LIBPQ_TEXTS.split(), _TEXT),
        **dict.fromkeys(_LIBPQ_NUMBERS.split(), _NUMBER),
        "currentSchema": _TEXT,
        "assume_role": _TEXT,
        "server_side_binding": _FLAG,
        "pool": _NUMBER,
        "ssl_require": _FLAG,
        **_SETTINGS,
    },
    "mysql": {
        **dict.fromkeys(_PYMYSQL_TEXTS.split(), _TEXT),
        "connect_timeout": _NUMBER,
        "read_timeout": _NUMBER,
        "write_timeout": _NUMBER,
        "max_allowed_packet": _NUMBER,
        "ssl_disabled": _FLAG,
        "ssl_verify_cert": _FLAG,
        "ssl_verify_identity": _FLAG,
        **_SETTINGS,
    },
}
"""Each vendor's options and the types of their values, so that typos do not go unnoticed."""

# Writers wait for the lock when their transaction starts, and every commit is flushed to disk.
# SQLite's defaults raise lock errors and allow only 52 commits a second. `worker.checkpoints`
# explains when the log is copied to the database file.
_SQLITE_DEFAULTS: Final = {
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    "init_command": (
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=0;"
        # The length at which `worker.checkpoints` copies the log.
        " PRAGMA journal_size_limit=4194304;"
    ),
}
_MYSQL_STRICT: Final = {
    "isolation_level": "read committed",
    "init_command": "SET SESSION sql_mode = 'TRADITIONAL'",
}


def parse_database_url(url: str, *, default: Path) -> dict[str, Any]:
    """Return Django's settings for the database at `url`, or the SQLite file `default` if blank.

    Raises `ImproperlyConfigured` with a message that names the part of the URL at fault.
    """
    if not url:
        return _build_sqlite_settings({"NAME": str(default)}, {})
    scheme, separator, rest = url.partition("://")
    if not separator:
        raise _url_error("it must look like postgresql://user:password@host:port/name")
    vendor = _VENDORS.get(scheme.lower())
    if vendor is None:
        raise _url_error(f"it begins with {scheme!r}, not with sqlite, postgresql or mysql")
    parts = _split(url, vendor)
    if vendor == "sqlite" and (parts.netloc or not parts.path.strip("/")):
        raise _url_error("write a SQLite file as sqlite:////absolute/path or sqlite:///path")
    _require_known_options(parts.query, vendor)
    settings: dict[str, Any] = dict(
        dj_database_url.parse(f"{vendor}://{rest}", engine=_ENGINES[vendor])
    )
    options: dict[str, Any] = settings.pop("OPTIONS", {})
    if vendor == "sqlite":
        return _build_sqlite_settings(settings, options)
    if not settings["NAME"] or "/" in settings["NAME"]:
        raise _url_error("the name of the database is missing: it goes after the host and a slash")
    # Check connections before use, because the server may have closed them.
    settings["CONN_HEALTH_CHECKS"] = True
    settings["CONN_MAX_AGE"] = MAX_AGE_SECONDS if vendor == "mysql" else 0
    settings |= {name.upper(): options.pop(name) for name in _SETTINGS if name in options}
    if vendor == "mysql":
        return {**settings, "OPTIONS": {"connect_timeout": 10, **options, **_MYSQL_STRICT}}
    return {**settings, "OPTIONS": _build_postgresql_options(options, settings["CONN_MAX_AGE"])}


def parse_owner_url(url: str) -> dict[str, Any] | None:
    """Return Django's settings with which the owner of the tables logs in; None if `url` is blank.

    Raises `ImproperlyConfigured` with a message that names the part of the URL at fault.
    """
    if not url:
        return None
    try:
        return parse_database_url(url, default=Path())
    except ImproperlyConfigured as error:
        raise ImproperlyConfigured(str(error).replace("DATABASE_URL", _OWNER_URL, 1)) from None


def require_owner_of(owner: Mapping[str, Any], site: Mapping[str, Any]) -> None:
    """Raise `ImproperlyConfigured` unless the owner is another user of the site's database."""
    fault = ""
    if "sqlite" in site["ENGINE"]:
        fault = "a SQLite file has no owner"
    elif (owner["ENGINE"], owner["NAME"]) != (site["ENGINE"], site["NAME"]):
        fault = "it and DATABASE_URL must name the same database"
    elif owner["USER"] == site["USER"] != "":
        fault = "it and DATABASE_URL must name different users"
    if fault:
        raise ImproperlyConfigured(f"{_OWNER_URL} cannot be used: {fault}.")


def open_connection(database: Mapping[str, Any]) -> "BaseDatabaseWrapper":
    """Return a connection without a pool, which the process has only for its usual address."""
    from django.db import connections  # noqa: PLC0415 the settings import this module
    from django.db.utils import load_backend  # noqa: PLC0415

    options = {name: value for name, value in database["OPTIONS"].items() if name != "pool"}
    full = connections.configure_settings({"default": {**database, "OPTIONS": options}})["default"]
    wrapper: BaseDatabaseWrapper = load_backend(full["ENGINE"]).DatabaseWrapper(full, "default")
    return wrapper


def try_connection() -> None:
    """Raise `DatabaseError` with the server's reason if this thread cannot connect.

    A pool would hide the reason, after attempts for ten seconds.
    """
    from django.db import connection  # noqa: PLC0415 the settings import this module

    if connection.connection is None and connection.vendor != "sqlite":
        with closing(open_connection(connection.settings_dict)) as probe:
            probe.ensure_connection()
    connection.ensure_connection()


def describe_refusal(error: Exception) -> str:
    """Return why the database does not work, and a fix: part of a sentence, without passwords."""
    from django.db import connection  # noqa: PLC0415 the settings import this module

    reason = (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
    if re.search(_FULL, reason, re.IGNORECASE):
        fix = "free some space, and run this again"
    elif connection.vendor == "sqlite":
        fix = "check the file and its rights"
    else:
        fix = "start it, or correct DATABASE_URL"
    return f"the database cannot be used: {reason} ({fix})"


@contextmanager
def connect_as_owner() -> Iterator[None]:
    """Let this thread use the database as the owner of the tables, if the settings name it."""
    from django.conf import settings  # noqa: PLC0415
    from django.db import connections  # noqa: PLC0415

    if settings.OWNER_DATABASE is None:
        yield
        return
    before, owner = connections["default"], open_connection(settings.OWNER_DATABASE)
    connections["default"] = owner
    try:
        yield
    finally:
        owner.close()
        connections["default"] = before


def close_connections() -> None:
    """Close this thread's connections, and the process's pool and its threads if it has one."""
    from django.db import connection, connections  # noqa: PLC0415 the settings import this module

    connections.close_all()
    if close_pool := getattr(connection, "close_pool", None):
        close_pool()


def _split(url: str, vendor: str) -> SplitResult:
    """Return the parts of the URL; raise `ImproperlyConfigured` for an invalid port."""
    try:
        parts = urlsplit(url)
        if vendor != "sqlite":
            _ = parts.port
    except ValueError:
        raise _url_error(PORT_OR_SIGNS) from None
    return parts


def _require_known_options(query: str, vendor: str) -> None:
    known, seen = _OPTIONS[vendor], set()
    for name, value in parse_qsl(query, keep_blank_values=True):
        kind = known.get(name)
        if kind is None:
            names = ", ".join(sorted(known))
            raise _url_error(f"there is no option {name!r} for {vendor} (there are: {names})")
        if name in seen:
            raise _url_error(f"its option {name} is given twice")
        if kind == _NUMBER and not (value.isascii() and value.isdigit()):
            raise _url_error(f"its option {name} is not a number")
        if kind == _FLAG and value.lower() not in {"true", "false"}:
            raise _url_error(f"its option {name} is not true or false")
        seen.add(name)


def _build_sqlite_settings(settings: dict[str, Any], options: dict[str, Any]) -> dict[str, Any]:
    """Return Django's settings for a file, whose connections stay open for a while."""
    age = options.pop("conn_max_age", MAX_AGE_SECONDS)
    options = _SQLITE_DEFAULTS | options
    return {**settings, "ENGINE": _ENGINES["sqlite"], "CONN_MAX_AGE": age, "OPTIONS": options}


def _build_postgresql_options(options: dict[str, Any], max_age: int) -> dict[str, Any]:
    """Return the driver's options, and the pool, which keeps connections open on its own."""
    if options.pop("ssl_require", False):
        options["sslmode"] = "require"
    # Use ?pool=0 for a database behind a pooler such as PgBouncer.
    size = options.pop("pool", POOL_SIZE)
    if size and max_age:
        raise _url_error("its option conn_max_age requires the option pool=0")
    pool = {"min_size": 1, "max_size": size, "timeout": 10} if size else False
    return {**options, "pool": pool}


def _url_error(reason: str) -> ImproperlyConfigured:
    return ImproperlyConfigured(f"DATABASE_URL cannot be used: {reason}.")
