"""`diplomaccloud doctor`: finds problems of a site, and suggests fixes in plain sentences."""

import datetime as dt
import http.client
import os
import resource
import secrets
import shutil
import ssl
import stat
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from django.apps import apps
from django.conf import settings
from django.core import mail
from django.core.cache import cache
from django.core.exceptions import ImproperlyConfigured
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.utils import NotSupportedError
from django.utils import timezone

from diplomaccloud.bots.kernel import SLOW_KERNEL
from diplomaccloud.judge.kernel.selection import KERNEL
from diplomaccloud.notices.destinations import find_push_key
from diplomaccloud.pages.wrong_settings import list_notes
from diplomaccloud.project import variables
from diplomaccloud.project.backup import CLIENTS, BackupError, find_old_client
from diplomaccloud.project.databases import try_connection
from diplomaccloud.project.grants import RIGHTS
from diplomaccloud.project.installation import find_installation
from diplomaccloud.shared.site_clock import measure_skew
from diplomaccloud.shared.upgrades import BRIDGE, find_missing_package, is_too_old, list_newer
from diplomaccloud.worker.health import check_health, read_queues
from diplomaccloud.worker.models import Upkeep
from diplomaccloud.worker.record_samples import replay_sample

# Settings and machine, without the database.
MIN_DESCRIPTORS: Final = 4096
MIN_FREE_BYTES: Final = 1_000_000_000
LAST_FREE_BYTES: Final = 200_000_000
MIN_FREE_MEMORY: Final = 150_000_000
LAST_FREE_MEMORY: Final = 50_000_000
_SYSTEM: Final = Path("/")
"""Where the files are in which Linux says how much memory is free."""
_LOCAL: Final = {"localhost", "127.0.0.1", "[::1]"}
# The database: its version, migrations, rights, clock and queues.
MAX_AGES: Final = {"phases": 60.0, "tasks": 300.0, "mail": 600.0, "notices": 600.0}
"""How many seconds the oldest work in each queue may wait."""
_GRANTS: Final = (
    "Let the site log in as its own role, set DIPLOMACCLOUD_OWNER_DATABASE_URL for `diplomaccloud "
    "manage migrate`, and run it: see docs/operations.md."
)
_DIFFERS: Final = "Find out who can write to the database, and compare with a backup: `restore`."
_DAMAGED: Final = "Stop the site, copy the file, and restore the newest backup into an empty site."
_BACK_UP: Final = "Run `diplomaccloud backup --keep 14 /backups` every day."
MAX_BACKUP_AGES: Final = (dt.timedelta(days=2), dt.timedelta(days=8))
"""How old the last backup may be before it needs attention, and before that is wrong."""
MAX_TRIAL_AGE: Final = dt.timedelta(days=60)
"""How long ago a backup may have been tried."""
SAMPLE: Final = 10
"""How many games' records the doctor verifies."""
_OLD_PUSH_KEY_SIZE: Final = 43
# The optional services of a large site: a broker, a cache and a file store.
_SERVICE_SECONDS: Final = 5
_QUEUE_TRIES: Final = 20
"""How often Celery's workers are asked, for a second each: one that starts does not answer yet."""
_SLOW_QUEUES: Final = {"bots", "maps"}
# A browser's point of view: encryption and headers.
_VISIT_SECONDS: Final = 10
_MIN_DAYS: Final = 14
_HEADERS: Final = {
    "content-security-policy": "The proxy must pass on the header Content-Security-Policy.",
    "x-content-type-options": "The proxy must pass on the header X-Content-Type-Options.",
    "referrer-policy": "The proxy must pass on the header Referrer-Policy.",
}


class Level(IntEnum):
    """How bad a finding is; also the exit status of the command."""

    GOOD = 0
    ATTENTION = 1
    """The site works, but should be fixed."""
    WRONG = 2


@dataclass(frozen=True, slots=True)
class Finding:
    """A sentence about a part of the site, and how to fix it."""

    part: str
    level: Level
    what: str
    fix: str = ""


def good(part: str, what: str) -> Finding:
    """Return a finding that needs no action."""
    return Finding(part, Level.GOOD, what)


def attention(part: str, what: str, fix: str) -> Finding:
    """Return a finding that should be fixed at some point."""
    return Finding(part, Level.ATTENTION, what, find_installation().adapt(fix))


def wrong(part: str, what: str, fix: str) -> Finding:
    """Return a finding that must be fixed now."""
    return Finding(part, Level.WRONG, what, find_installation().adapt(fix))


def check_settings() -> Iterator[Finding]:
    """List the settings, and check that they are safe and consistent."""
    part = "settings"
    chosen = [each.describe() for each in variables.list_settings() if each.is_set()]
    yield good(part, f"Set: {'; '.join(chosen) or 'none'}.")
    unsafe = list(_find_unsafe_settings(part))
    yield from unsafe or [good(part, "They are consistent.")]
    for note in list_notes(timezone.now()):
        yield wrong("proxy", note.what, note.fix)


def _find_unsafe_settings(part: str) -> Iterator[Finding]:
    for sentence in variables.describe_unknown_names():
        yield attention(part, sentence, "Correct the name, or remove it from the settings.")
    if settings.DEBUG:
        yield wrong(part, "Error pages show secrets to everyone.", "Unset DIPLOMACCLOUD_DEBUG.")
    hosts = set(settings.ALLOWED_HOSTS)
    if "*" in hosts:
        yield attention(
            part,
            "The site answers to any host name, so others can change the links in notices.",
            "Set DIPLOMACCLOUD_ALLOWED_HOSTS to the names of the site.",
        )
    if not hosts <= _LOCAL and not variables.HTTPS.read():
        yield attention(
            part,
            "Passwords and cookies are sent without encryption.",
            "Put a proxy with HTTPS in front of the site and set DIPLOMACCLOUD_HTTPS=1.",
        )
    if variables.HTTPS.read() and not settings.ALLAUTH_TRUSTED_PROXY_COUNT:
        yield attention(
            part,
            "All visitors seem to have the proxy's address, so they share its limits.",
            "Set DIPLOMACCLOUD_PROXIES to the number of proxies, usually 1.",
        )
    if variables.PRIVATE_WEBHOOKS.read():
        yield attention(
            part,
            "Anyone with an account can make the site connect to your private network.",
            "Unset DIPLOMACCLOUD_PRIVATE_WEBHOOKS on a public site.",
        )
    if len(str(settings.SECRET_KEY)) < variables.MIN_KEY:
        yield wrong(
            part,
            "The signing key is short enough to be guessed.",
            f"Set DIPLOMACCLOUD_SECRET_KEY to at least {variables.MIN_KEY} random characters.",
        )


def check_files() -> Iterator[Finding]:
    """Check the data directory, the key in it, and the space on its disk."""
    part, directory = "files", settings.DATA_DIR
    if not os.access(directory, os.R_OK | os.W_OK | os.X_OK):
        yield wrong(
            part,
            f"The site cannot read and write {directory}.",
            "Give the site's user access to it, or set DIPLOMACCLOUD_DATA.",
        )
        return
    key = directory / "secret-key"
    if key.exists() and key.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        yield wrong(part, f"Others can read {key} and log in as anyone.", f"Run chmod 600 {key}")
    free = shutil.disk_usage(directory).free
    space = f"{free / 1e9:.1f} GB are free in {directory}."
    if free < LAST_FREE_BYTES:
        yield wrong(part, space, "Free up space now; without it, orders cannot be saved.")
    elif free < MIN_FREE_BYTES:
        yield attention(part, space, "Free up space: delete old logs and backups.")
    else:
        yield good(part, space)


def check_limits() -> Iterator[Finding]:
    """Check how many connections a process may have, and that the judge is compiled."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    what = f"A process may open {'any number of' if most < 0 else most} files and connections."
    if 0 <= most < MIN_DESCRIPTORS:
        fix = f"Raise the limit to {MIN_DESCRIPTORS} or more (systemd: LimitNOFILE=65536)."
        yield attention("limits", what, fix)
    else:
        yield good("limits", what)
    if SLOW_KERNEL:
        fix = find_installation().compile_kernels()
        if KERNEL.name == "python":
            what = (
                "It is not compiled, so it takes about 10 times as long, and bots that look ahead"
            )
            yield attention("judge", f"{what} 25 times.", fix)
        else:
            what = "They are not compiled, so those that look ahead take many times as long."
            yield attention("bots", what, fix)
    else:
        yield good("judge", "It is compiled.")
    yield from _check_memory()


def _check_memory() -> Iterator[Finding]:
    free = _read_free_memory()
    if free is None:
        return
    what = f"{free / 1e6:.0f} MB are free."
    if free < LAST_FREE_MEMORY:
        fix = "Stop other programs or add memory: the system may kill the site's processes."
        yield wrong("memory", what, fix)
    elif free < MIN_FREE_MEMORY:
        fix = "Stop other programs or add memory: a map that is being made needs more."
        yield attention("memory", what, fix)
    else:
        yield good("memory", what)


def _read_free_memory() -> int | None:
    """Return how many bytes processes can still get, None where the system does not say.

    The machine and the container may limit them.
    """
    amounts = list[int]()
    with suppress(OSError, ValueError, IndexError):
        text = Path(_SYSTEM, "proc/meminfo").read_text("ascii")
        amounts.append(int(text.split("MemAvailable:")[1].split()[0]) * 1024)
    group = Path(_SYSTEM, "sys/fs/cgroup")
    with suppress(OSError, ValueError, IndexError):
        limit = int((group / "memory.max").read_text("ascii"))  # or the word "max"
        used = int((group / "memory.current").read_text("ascii"))
        cached = (group / "memory.stat").read_text("ascii").split("inactive_file ")[1].split()[0]
        amounts.append(max(0, limit - used + int(cached)))
    return min(amounts, default=None)


def check_mail() -> Iterator[Finding]:
    """Log in to the mail server without sending anything."""
    if not variables.EMAIL_URL.is_set():
        yield attention(
            "mail",
            "There is no mail server, so nobody can get e-mail or reset a password.",
            "Set DIPLOMACCLOUD_EMAIL_URL.",
        )
        return
    connection = mail.get_connection()
    try:
        connection.open()
    except (OSError, ValueError) as error:
        # The error's text could contain the password.
        yield wrong(
            "mail",
            f"Logging in to the mail server {settings.EMAIL_HOST} failed: {type(error).__name__}.",
            "Start it, and compare DIPLOMACCLOUD_EMAIL_URL with its settings and its log, for "
            f"example {variables.EMAIL_URL.example}.",
        )
    else:
        yield good("mail", f"{settings.EMAIL_HOST} answers.")
    finally:
        connection.close()
    if settings.DEFAULT_FROM_EMAIL.endswith("@localhost"):
        yield attention("mail", "Mail servers reject the sender.", "Set DIPLOMACCLOUD_EMAIL_FROM.")


def check_database() -> Iterator[Finding]:
    """Check the database, or only whether it answers if it doesn't."""
    try:
        try_connection()
        connection.check_database_version_supported()
    except NotSupportedError as error:
        yield wrong("database", _first_line(error), "Upgrade the database server.")
        return
    except (DatabaseError, ImproperlyConfigured, OSError) as error:
        fix = (
            "Check the file and its rights."
            if connection.vendor == "sqlite"
            else "Start it, and compare DIPLOMACCLOUD_DATABASE_URL with its settings."
        )
        yield wrong("database", f"It does not answer: {_first_line(error)}", fix)
        return
    version = ".".join(map(str, connection.get_database_version()))
    if damage := _find_damage():
        yield wrong("database", f"SQLite's file is damaged: {damage}.", _DAMAGED)
        return
    yield good("database", f"{connection.vendor} {version} answers.")
    finding = _check_migrations()
    yield finding
    if finding.level:
        return  # the other checks may need newer tables
    yield from _check_rights()
    yield _check_clock()
    yield from _check_work(timezone.now())
    yield from _check_backups(timezone.now())
    yield _check_push_key()
    yield _check_records()


def _check_records() -> Finding:
    """Check the records of some games, drawn at random."""
    replayed = replay_sample(SAMPLE, at_random=True)
    if replayed.faults:
        what = f"{len(replayed.faults)} of {replayed.games} games differ: {replayed.faults[0]}."
        return wrong("records", what, _DIFFERS)
    late = f" (records that start late: {len(replayed.late)})" if replayed.late else ""
    phases = f"{replayed.phases} phases of {replayed.games} games"
    return good("records", f"{phases} were adjudicated again, as recorded{late}.")


def _find_damage() -> str:
    """Return what is wrong with the pages of SQLite's file, blank if they are intact.

    Database servers check their own.
    """
    if connection.vendor != "sqlite":
        return ""
    try:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA integrity_check(1)")
            answer = str(cursor.fetchone()[0])
    except DatabaseError as error:
        return _first_line(error)
    return "" if answer == "ok" else answer


def _check_migrations() -> Finding:
    executor = MigrationExecutor(connection)
    applied = executor.loader.applied_migrations
    if is_too_old(applied):
        return wrong(
            "migrations",
            "The database is too old for this release.",
            f"Upgrade it with commit {BRIDGE} first: see docs/operations.md.",
        )
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if plan:
        return wrong(
            "migrations",
            f"Not yet applied: {len(plan)}, starting with {plan[0][0]}.",
            "Run `diplomaccloud manage migrate`.",
        )
    if package := find_missing_package(applied):
        return wrong(
            "migrations",
            f"The database has tables of the package {package}, which is not installed.",
            "Install it on this machine: see docs/install.md.",
        )
    if newer := list_newer(applied):
        return wrong(
            "migrations",
            f"The database belongs to a newer release: {'.'.join(newer[-1])}.",
            "Install that release on this machine too.",
        )
    return good("migrations", "All have been applied.")


def _check_rights() -> Iterator[Finding]:
    if connection.vendor == "sqlite":
        return
    if _owns_tables():
        yield attention(
            "rights",
            "The site logs in as the owner of its tables, so a bug could rewrite history.",
            _GRANTS,
        )
        return
    missing = sorted(_list_missing_rights())
    if missing:
        some = ", ".join(missing[:3]) + (", …" if len(missing) > 3 else "")
        yield wrong("rights", f"{len(missing)} are missing: {some}.", _GRANTS)
    else:
        yield good("rights", "The site has the rights that it needs and cannot rewrite history.")


def _owns_tables() -> bool:
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                "SELECT pg_has_role(relowner, 'MEMBER') FROM pg_class"
                " WHERE oid = 'games_game'::regclass"
            )
            return bool(cursor.fetchone()[0])
        cursor.execute("SHOW GRANTS")
        return any("ALL PRIVILEGES" in line or " DROP" in line for (line,) in cursor.fetchall())


def _list_missing_rights() -> Iterator[str]:
    """Yield the rights that the role lacks on each table; rights on columns count as one."""
    with connection.cursor() as cursor:
        for label, rights in RIGHTS.items():
            verbs = {"SELECT": True, "INSERT": rights.insert, "DELETE": rights.delete}
            verbs["UPDATE"] = bool(rights.update)
            table = apps.get_model(label)._meta.db_table
            for verb in [verb for verb, is_needed in verbs.items() if is_needed]:
                if connection.vendor == "postgresql":
                    cursor.execute(
                        "SELECT has_table_privilege(%s, %s) OR has_any_column_privilege(%s, %s)"
                        if verb != "DELETE"
                        else "SELECT has_table_privilege(%s, %s)",
                        [table, verb] * (2 if verb != "DELETE" else 1),
                    )
                else:
                    cursor.execute(
                        "SELECT EXISTS (SELECT 1 FROM information_schema.table_privileges"
                        " WHERE table_schema = DATABASE() AND table_name = %s"
                        " AND privilege_type = %s) OR EXISTS"
                        " (SELECT 1 FROM information_schema.column_privileges"
                        " WHERE table_schema = DATABASE() AND table_name = %s"
                        " AND privilege_type = %s)",
                        [table, verb, table, verb],
                    )
                if not cursor.fetchone()[0]:
                    yield f"{verb} on {table}"


def _check_clock() -> Finding:
    ahead = measure_skew().total_seconds()
    if ahead:
        side = "ahead of" if ahead > 0 else "behind"
        return wrong(
            "clock",
            f"This machine is {abs(ahead):.0f} seconds {side} the database server.",
            "Run a time service (NTP) on both.",
        )
    return good("clock", "It agrees with the database server's clock.")


def _check_work(now: dt.datetime) -> Iterator[Finding]:
    health, place = check_health(now=now), find_installation()
    if health.worker_seen_at is None or health.worker_seen_at < now - dt.timedelta(minutes=1):
        yield wrong(
            "workers",
            "None has run within the last minute, so phases are not being processed.",
            f"{place.start_worker()} {place.show_log()}",
        )
    else:
        yield good("workers", "At least one is running.")
    if health.backlog.suspended:
        yield attention(
            "games",
            f"{health.backlog.suspended} are suspended after an error.",
            f"Find the error, then run `diplomaccloud manage release SLUG`. {place.show_log()}",
        )
    for queue in read_queues(now=now):
        waits = f"Waiting: {queue.depth}, the oldest for {queue.age:.0f} seconds."
        if queue.age > MAX_AGES[queue.name]:
            yield attention(queue.name, waits, f"Start more workers. {place.show_log()}")
        else:
            yield good(queue.name, waits if queue.depth else "Nothing is waiting.")


def _check_backups(now: dt.datetime) -> Iterator[Finding]:
    """Check that backups can be made, and when the last one was made and tried."""
    yield from _check_clients()
    done_at = dict(Upkeep.objects.values_list("kind", "done_at"))
    made_at, tried_at = (done_at.get(kind) for kind in (Upkeep.Kind.BACKUP, Upkeep.Kind.TRIAL))
    if made_at is None:
        yield wrong("backup", "There has never been one.", _BACK_UP)
        return  # the trial comes after it
    what = f"The last one was made on {made_at:%Y-%m-%d at %H:%M} UTC."
    rather_old, too_old = MAX_BACKUP_AGES
    if now - made_at > too_old:
        yield wrong("backup", what, _BACK_UP)
    elif now - made_at > rather_old:
        yield attention("backup", what, _BACK_UP)
    else:
        yield good("backup", what)
    fix = "Run `diplomaccloud restore --trial /backups`, which leaves the site as it is."
    if tried_at is None:
        yield attention("trial", "No backup has been tried, so none is known to be whole.", fix)
        return
    what = f"A backup was last tried on {tried_at:%Y-%m-%d}."
    if now - tried_at > MAX_TRIAL_AGE:
        yield attention("trial", what, fix)
    else:
        yield good("trial", what)


def _check_clients() -> Iterator[Finding]:
    """Check the programs that make backups of a database server."""
    if connection.vendor == "sqlite":
        return
    package, place = CLIENTS[connection.vendor], find_installation()
    try:
        reason = find_old_client()
    except BackupError:
        what = f"No backup is possible here without the programs of {package}."
        fix = f"{place.install_package(package)} They are needed only where backups are made."
        yield attention("programs", what, fix)
        return
    if reason:
        version = connection.get_database_version()
        what = f"The programs of {package} are older than the server."
        if connection.vendor == "postgresql":
            package = f"{package}-{version[0]}"
        fix = place.install_package(package)
        yield wrong("programs", what, f"{fix} The server is {'.'.join(map(str, version))}.")
    else:
        yield good("programs", f"The programs of {package} are as new as the server.")


def _check_push_key() -> Finding:
    key = find_push_key()
    if key is None:
        return good("push", "There is no key yet. The site creates it when it is first needed.")
    if len(key.private) != _OLD_PUSH_KEY_SIZE:
        return wrong(
            "push", "The key is damaged.", "Restore the table notices_pushkey from a backup."
        )
    return good("push", "There is a key.")


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]


def check_services() -> Iterator[Finding]:
    """Check the services that the settings name."""
    for part, setting, check in (
        ("broker", variables.BROKER_URL, _ask_broker),
        ("cache", variables.CACHE_URL, _ask_cache),
        ("storage", variables.STORAGE_URL, _ask_storage),
    ):
        if not setting.is_set():
            yield good(part, "Not set; the database and the data directory are used instead.")
            continue
        try:
            check()
        except Exception as error:  # each library has its own errors
            # The error's text may contain the address with its password.
            yield wrong(
                part,
                f"It does not work: {type(error).__name__}.",
                f"Start it, and compare {setting.variable} with its settings, for example "
                f"{setting.example}.",
            )
        else:
            yield good(part, "It answers.")
            if part == "broker":
                yield from _check_queues()


def _ask_broker() -> None:
    import redis  # noqa: PLC0415 an extra

    redis.Redis.from_url(
        variables.BROKER_URL.read(),
        socket_timeout=_SERVICE_SECONDS,
        socket_connect_timeout=_SERVICE_SECONDS,
    ).ping()


def _check_queues() -> Iterator[Finding]:
    """Check that Celery's workers serve all queues, and that none need delay deadlines."""
    place = find_installation()
    for _ in range(_QUEUE_TRIES):
        workers = _list_queues()
        served = {queue for queues in workers.values() for queue in queues}
        missing = [queue for queue in settings.QUEUES if queue not in served]
        if not missing:
            break
    if missing:
        what = (
            f"No worker of Celery serves {', '.join(missing)}."
            if workers
            else "No worker of Celery answers."
        )
        yield wrong("queues", what, f"{place.start_worker(missing)} {place.show_log()}")
    busy = {name: queues for name, queues in workers.items() if "clock" in queues}
    if busy and all(queues & _SLOW_QUEUES for queues in busy.values()):
        yield attention(
            "queues",
            "Bots or maps can delay deadlines, because every clock worker also serves them.",
            place.start_worker(["clock"]),
        )


def _list_queues() -> dict[str, set[str]]:
    """Return the queues of each Celery worker that answers within a second."""
    from diplomaccloud.worker.celery_app import app  # noqa: PLC0415 an extra

    answers = app.control.inspect(timeout=1).active_queues() or {}
    return {name: {queue["name"] for queue in queues} for name, queues in answers.items()}


def _ask_cache() -> None:
    word = secrets.token_hex(8)
    cache.set("doctor", word, 60)
    if cache.get("doctor") != word:
        raise OSError("the cache does not keep values")


def _ask_storage() -> None:
    word = secrets.token_hex(8).encode()
    name = default_storage.save(f"doctor-{word.decode()}", ContentFile(word))
    try:
        with default_storage.open(name) as file:
            if file.read() != word:
                raise OSError("a stored file differs")
    finally:
        default_storage.delete(name)


def check_visit(url: str) -> Iterator[Finding]:
    """Request the log-in page at the address of the site, and check the response.

    Raises `ValueError` for an invalid address.
    """
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError(f"--url must be like https://games.example, not {url[:80]!r}")
    try:
        if parts.scheme == "http":
            yield from _check_redirect(parts.hostname, parts.port)
            return
        connection = http.client.HTTPSConnection(parts.hostname, parts.port, timeout=_VISIT_SECONDS)
        connection.connect()
        if isinstance(connection.sock, ssl.SSLSocket):
            yield _check_certificate(connection.sock)
        answer = _ask(connection)
    except (OSError, http.client.HTTPException) as error:
        yield wrong("visit", f"{url} does not answer: {error}.", "Start the site and its proxy.")
        return
    yield from _check_answer(answer)


def _ask(connection: http.client.HTTPConnection) -> http.client.HTTPResponse:
    try:
        connection.request(
            "GET", "/accounts/login/", headers={"User-Agent": "diplomaccloud doctor"}
        )
        answer = connection.getresponse()
        answer.read(1 << 20)
        return answer
    finally:
        connection.close()


def _check_redirect(host: str, port: int | None) -> Iterator[Finding]:
    answer = _ask(http.client.HTTPConnection(host, port, timeout=_VISIT_SECONDS))
    if answer.getheader("Location", "").startswith("https://"):
        yield good("visit", "HTTP redirects to HTTPS.")
        return
    yield attention(
        "visit",
        "The site answers without encryption.",
        "Put a proxy with HTTPS in front of it and set DIPLOMACCLOUD_HTTPS=1.",
    )
    yield from _check_headers(answer)


def _check_certificate(sock: ssl.SSLSocket) -> Finding:
    certificate = sock.getpeercert() or {}
    ends_at = dt.datetime.fromtimestamp(
        ssl.cert_time_to_seconds(str(certificate["notAfter"])), dt.UTC
    )
    days = (ends_at - dt.datetime.now(dt.UTC)).days
    if days < _MIN_DAYS:
        fix = "Renew it, and find out why it was not renewed automatically."
        return attention("certificate", f"It expires in {days} days.", fix)
    return good("certificate", f"It is valid for {days} days.")


def _check_answer(answer: http.client.HTTPResponse) -> Iterator[Finding]:
    if answer.status != 200:
        yield wrong(
            "visit",
            f"The log-in page returned status {answer.status}.",
            "Is the name in DIPLOMACCLOUD_ALLOWED_HOSTS, and does the proxy pass on Host and "
            "X-Forwarded-Proto?",
        )
        return
    if not answer.getheader("Strict-Transport-Security"):
        fix = "Set DIPLOMACCLOUD_HTTPS=1, and let the proxy pass on the header."
        yield attention("visit", "Browsers may return without encryption.", fix)
    cookies = answer.headers.get_all("Set-Cookie") or []
    if any("secure" not in cookie.lower() for cookie in cookies):
        fix = "Set DIPLOMACCLOUD_HTTPS=1."
        yield wrong("visit", "Cookies may be sent without encryption.", fix)
    yield from _check_headers(answer)


def _check_headers(answer: http.client.HTTPResponse) -> Iterator[Finding]:
    missing = [fix for name, fix in _HEADERS.items() if not answer.getheader(name)]
    for fix in missing:
        yield attention("visit", "A header that protects visitors is missing.", fix)
    if not missing:
        yield good("visit", "All headers that protect visitors are present.")
