"""Checks of the database: its version, migrations, rights, clock and queues."""

import datetime as dt
from collections.abc import Iterator
from typing import Final

from django.apps import apps
from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.utils import NotSupportedError
from django.utils import timezone

from diplomaccloud.notices.push_keys import find_push_key
from diplomaccloud.project.doctor.findings import Finding, attention, good, wrong
from diplomaccloud.project.grants import RIGHTS
from diplomaccloud.shared.site_clock import measure_skew
from diplomaccloud.shared.upgrades import BRIDGE, is_too_old, list_newer
from diplomaccloud.worker.health import check_health
from diplomaccloud.worker.queues import read_queues
from diplomaccloud.worker.record_samples import replay_sample

MAX_AGES: Final = {"phases": 60.0, "tasks": 300.0, "mail": 600.0, "notices": 600.0}
"""How many seconds the oldest work in each queue may wait."""
_GRANTS: Final = "Run `diplomaccloud dbgrants` as the owner of the tables: see docs/operations.md."
_DIFFERS: Final = "Find out who can write to the database, and compare with a backup: `restore`."
_DAMAGED: Final = "Stop the site, copy the file, and restore the newest backup into an empty site."
SAMPLE: Final = 10
"""How many games' records the doctor verifies."""
_OLD_PUSH_KEY_SIZE: Final = 43


def check_database() -> Iterator[Finding]:
    """Check the database, or only whether it answers if it doesn't."""
    try:
        connection.ensure_connection()
        connection.check_database_version_supported()
    except NotSupportedError as error:
        yield wrong("database", _first_line(error), "Upgrade the database server.")
        return
    except (DatabaseError, ImproperlyConfigured, OSError) as error:
        fix = "Start it, and compare DIPLOMACCLOUD_DATABASE_URL with its settings."
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
            "Run `diplomaccloud manage migrate` as the owner of the tables.",
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
    health = check_health(now=now)
    if health.worker_seen_at is None or health.worker_seen_at < now - dt.timedelta(minutes=1):
        yield wrong(
            "workers",
            "None has run within the last minute, so phases are not being processed.",
            "Start `diplomaccloud manage worker`, and look at logs/worker.log.",
        )
    else:
        yield good("workers", "At least one is running.")
    if health.backlog.suspended:
        yield attention(
            "games",
            f"{health.backlog.suspended} are suspended after an error.",
            "Find the error in logs/worker.log, then run `diplomaccloud manage release SLUG`.",
        )
    for queue in read_queues(now=now):
        waits = f"Waiting: {queue.depth}, the oldest for {queue.age:.0f} seconds."
        if queue.age > MAX_AGES[queue.name]:
            fix = "Start more workers, and look at logs/worker.log."
            yield attention(queue.name, waits, fix)
        else:
            yield good(queue.name, waits if queue.depth else "Nothing is waiting.")


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
