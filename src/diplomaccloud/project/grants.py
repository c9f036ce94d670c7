"""What the site may do to each table, and the SQL that gives a database role just that.

The role cannot delete or rewrite history, nor change a table's shape; migrations run as the
owner. Rights by column keep what is fixed when a row is made; triggers, which bind that role
alone, keep what a game has left behind: processed phases, and the orders and flags given in them.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from django.apps import apps
from django.core.exceptions import FieldDoesNotExist
from django.db.models import Model

from diplomaccloud.project import guards

NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,30}")
VENDORS: Final = ("postgresql", "mysql")


@dataclass(frozen=True, slots=True)
class Rights:
    """What may be done to a table besides reading it; `update` names fields, `*` is all."""

    insert: bool = False
    update: tuple[str, ...] = ()
    delete: bool = False


READ = Rights()
KEPT = Rights(insert=True)
"""A row is written once."""
FREE = Rights(insert=True, update=("*",), delete=True)
"""Working papers, and what is no history; what belongs to a processed phase is guarded."""

RIGHTS: Final[Mapping[str, Rights]] = {
    "accounts.User": Rights(insert=True, update=("*",)),
    "accounts.OutgoingMail": FREE,
    "accounts.User_groups": READ,
    "accounts.User_user_permissions": READ,
    "account.EmailAddress": FREE,
    "account.EmailConfirmation": FREE,
    "auth.Group": READ,
    "auth.Group_permissions": READ,
    "auth.Permission": READ,
    "contenttypes.ContentType": READ,
    "sessions.Session": FREE,
    "django_tasks_database.DBTaskResult": FREE,
    "worker.Heartbeat": FREE,
    "maps.StoredChart": KEPT,
    "maps.Certificate": KEPT,
    "maps.SavedMap": KEPT,
    "games.Game": Rights(
        insert=True,
        update=(
            *("world", "status", "options", "private", "code", "master", "line", "ending", "alarm"),
            *("started_at", "finished_at"),
        ),
    ),
    "games.Seat": Rights(
        insert=True,
        # A seat is given back while a game forms, and only then: see `guards`.
        delete=True,
        update=("game", "power", "user", "bot", "country", "colors", "vacated_at"),
    ),
    "games.Tenure": Rights(insert=True, update=("until_at", "left")),
    "games.Invitation": Rights(insert=True, update=("invited_at", "withdrawn_at")),
    "games.Phase": Rights(
        insert=True,
        update=(
            *("disorder", "opens_at", "due_at", "adjudicate_at", "exact", "locked_at"),
            *("lease_until", "lease_owner", "processed_at", "results", "superseded_at"),
        ),
    ),
    "games.Receipt": KEPT,
    "games.Attendance": Rights(insert=True, update=("excused",)),
    "games.Event": KEPT,
    "games.LogEntry": KEPT,
    "games.Draft": FREE,
    "games.OrderRow": FREE,
    "games.Plan": FREE,
    "games.Submission": FREE,
    "games.Motion": Rights(insert=True, update=("open", "closes_at", "closed_at", "outcome")),
    "games.Ballot": Rights(insert=True, update=("yes", "cast_at")),
}
"""Every table of the site, by its model: a new one has to be thought about here."""


def unclassified() -> list[str]:
    """Return the models that `RIGHTS` does not name, by label."""
    return [label for label in _models() if label not in RIGHTS]


def statements(vendor: str, *, role: str, database: str) -> str:
    """Return a script for `psql` or `mysql`, to be run as the owner after every upgrade.

    Raises `ValueError` for a vendor or a name that cannot be used.
    """
    if vendor not in VENDORS:
        raise ValueError(f"there are grants for {' and '.join(VENDORS)}, not for {vendor!r}")
    for name in (role, database):
        if not NAME.fullmatch(name):
            raise ValueError(f"{name!r} is no name: letters, digits and _, at most 31")
    if missing := unclassified():
        raise ValueError(f"nobody has said what the site may do to {', '.join(missing)}")
    lines = _postgresql(role, database) if vendor == "postgresql" else _mysql(role, database)
    return "\n".join(lines) + "\n"


def _postgresql(role: str, database: str) -> Iterator[str]:
    yield f"-- psql -v ON_ERROR_STOP=1 {database} < this; then, in psql: \\password {role}"
    yield "DO $$ BEGIN"
    yield f"  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{role}') THEN"
    yield f'    CREATE ROLE "{role}" LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE;'
    yield "  END IF;"
    yield "END $$;"
    yield "REVOKE CREATE ON SCHEMA public FROM PUBLIC;"
    yield f'REVOKE ALL ON ALL TABLES IN SCHEMA public FROM "{role}";'
    yield f'GRANT CONNECT ON DATABASE "{database}" TO "{role}";'
    yield f'GRANT USAGE ON SCHEMA public TO "{role}";'
    for table, rights in _rights('"'):
        yield f'GRANT {rights} ON "{table}" TO "{role}";'
    yield from guards.postgresql(role)


def _mysql(role: str, database: str) -> Iterator[str]:
    user = f"'{role}'@'%'"
    yield f"-- mysql {database} < this; then: ALTER USER {user} IDENTIFIED BY '...';"
    yield f"CREATE USER IF NOT EXISTS {user};"
    yield f"REVOKE ALL PRIVILEGES, GRANT OPTION FROM {user};"
    for table, rights in _rights("`"):
        yield f"GRANT {rights} ON `{database}`.`{table}` TO {user};"
    yield from guards.mysql(role)


def _rights(quote: str) -> Iterator[tuple[str, str]]:
    """Yield each table with what may be done to it, in SQL."""
    yield "django_migrations", "SELECT"
    for label, model in _models().items():
        rights = RIGHTS[label]
        words = ["SELECT"]
        if rights.insert:
            words.append("INSERT")
        if rights.update == ("*",):
            words.append("UPDATE")
        elif rights.update:
            columns = ", ".join(f"{quote}{_column(model, one)}{quote}" for one in rights.update)
            words.append(f"UPDATE ({columns})")
        if rights.delete:
            words.append("DELETE")
        yield model._meta.db_table, ", ".join(words)


def _models() -> dict[str, type[Model]]:
    models = apps.get_models(include_auto_created=True)
    return {model._meta.label: model for model in models if model._meta.managed}


def _column(model: type[Model], name: str) -> str:
    field = model._meta.get_field(name)
    column: str | None = getattr(field, "column", None)
    if column is None:
        raise FieldDoesNotExist(f"{model._meta.label} keeps {name!r} in no column")
    return column
