"""The rights of the site's database role on each table, which migrations and restoring renew.

The role cannot delete or rewrite history or change a table's columns; migrations run as the owner.
The site may run meanwhile, so the role never loses a right that it keeps. Column rights protect
values that are fixed when a row is created. Triggers, which apply only to this role, protect the
history of games: processed phases, and the orders and flags in them. Only the games of guests, who
have no account, can be deleted or moved to an account.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any, Final

from django.apps import apps
from django.conf import settings
from django.core.exceptions import FieldDoesNotExist
from django.db import DatabaseError, connection, transaction
from django.db.backends.utils import CursorWrapper
from django.db.models import Model

from diplomaccloud.project import db_triggers
from diplomaccloud.project.databases import open_connection
from diplomaccloud.project.extras import list_extras

NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,30}")


Right = tuple[str, str]
"""A verb of SQL, and the column that it is for; blank for the whole table."""
_PRESENT: Final = """
    SELECT table_name, privilege_type, '' FROM information_schema.table_privileges
    WHERE table_schema = %s AND grantee = %s
    UNION SELECT table_name, privilege_type, column_name FROM information_schema.column_privileges
    WHERE table_schema = %s AND grantee = %s
"""
_WHOLE_DATABASE: Final = """
    SELECT DISTINCT table_schema, is_grantable FROM information_schema.schema_privileges
    WHERE %s LIKE table_schema AND grantee = %s
"""
"""MySQL's and MariaDB's rights of an account, on each table and on the whole database."""


@dataclass(frozen=True, slots=True)
class Rights:
    """The rights on a table besides reading; `update` lists fields, or `*` for all."""

    insert: bool = False
    update: tuple[str, ...] = ()
    delete: bool = False


READ = Rights()
WRITE_ONCE = Rights(insert=True)
"""Rows are never changed or deleted."""
FREE = Rights(insert=True, update=("*",), delete=True)
"""Data that is not part of the history; triggers protect the rows of processed phases."""

RIGHTS: Final[Mapping[str, Rights]] = {
    "shared.CacheEntry": FREE,
    "accounts.User": Rights(insert=True, delete=True, update=("*",)),
    "accounts.OutgoingMail": FREE,
    "accounts.NameWord": FREE,
    "accounts.LoginSession": FREE,
    "accounts.LoginMark": Rights(insert=True, delete=True),
    "accounts.Relationship": Rights(
        insert=True,
        delete=True,
        update=("kind", "declared_at", "confirmed_at", "refused_at", "ended_at"),
    ),
    "accounts.DataExport": FREE,
    "accounts.RetiredName": Rights(insert=True, delete=True),
    "accounts.User_groups": READ,
    "accounts.User_user_permissions": READ,
    "account.EmailAddress": FREE,
    "account.EmailConfirmation": FREE,
    "mfa.Authenticator": FREE,
    "admin.LogEntry": READ,
    "auth.Group": READ,
    "auth.Group_permissions": READ,
    "auth.Permission": READ,
    "contenttypes.ContentType": READ,
    "sessions.Session": FREE,
    "django_tasks_database.DBTaskResult": FREE,
    "worker.Heartbeat": FREE,
    "worker.Upkeep": FREE,
    # Only a map's displayed name can change, when moderators hide it, and whether the gallery shows
    # it. A map that was stored for a game has the time of the last one, and is deleted if there is
    # none.
    "maps.StoredChart": Rights(insert=True, update=("name", "listed", "created_at"), delete=True),
    "maps.Certificate": WRITE_ONCE,
    "maps.ShippedChart": WRITE_ONCE,
    "maps.SavedMap": WRITE_ONCE,
    "maps.MapPreview": Rights(insert=True, delete=True),
    "games.StoredRules": WRITE_ONCE,
    "games.Game": Rights(
        insert=True,
        delete=True,
        update=(
            *("world", "status", "options", "private", "rated", "code", "master", "branch"),
            *("ending", "suspended_reason", "coins", "record_length", "record_head"),
            *("seat_secret", "character_secret"),
            *("started_at", "finished_at", "version", "watchable", "creator"),
        ),
    ),
    "games.Seat": Rights(
        insert=True,
        # A player may leave a seat only before the game starts: see `db_triggers`.
        delete=True,
        update=(
            *("game", "power", "number", "user", "bot", "country", "colors", "vacated_at"),
            *("finished_at", "ready_at", "reserved"),
        ),
    ),
    "games.GameTemplate": Rights(
        insert=True, update=("title", "map", "speed", "press", "edition", "active")
    ),
    "games.NextGame": Rights(
        insert=True,
        update=(*("waiting", "opens_with", "muster_at", "due_at", "lease_until", "with_bots"),),
    ),
    "games.Tenure": Rights(insert=True, delete=True, update=("user", "until_at", "left")),
    "games.Invitation": Rights(insert=True, delete=True, update=("invited_at", "withdrawn_at")),
    "games.PersonFollow": Rights(insert=True, delete=True),
    "games.GameFollow": Rights(insert=True, delete=True),
    "games.Unfollowable": Rights(insert=True, delete=True),
    "games.Phase": Rights(
        insert=True,
        delete=True,
        update=(
            *("civil_disorder", "opens_at", "due_at", "adjudicate_at"),
            *("fixed_deadline", "grace_at", "locked_at"),
            *("lease_until", "lease_owner", "attempts", "processed_at", "results"),
            *("superseded_at", "open", "sealed_bots"),
        ),
    ),
    "games.PhaseFigures": Rights(insert=True, delete=True),
    "games.PlayerFigures": Rights(
        insert=True,
        delete=True,
        update=(
            *("turns", "missed", "games", "left", "running"),
            *("finished", "won", "shared", "unrated"),
        ),
    ),
    "games.CountryFigures": FREE,
    "games.WorldFigures": FREE,
    "games.RivalFigures": FREE,
    "games.RatingKind": Rights(insert=True, update=("kind",)),
    "games.RatingRequest": Rights(insert=True, delete=True),
    "games.RatedGame": Rights(insert=True, delete=True),
    "games.RatingChange": Rights(insert=True, delete=True),
    "games.PersonRating": Rights(insert=True, delete=True, update=("listed",)),
    "games.PowerRating": Rights(insert=True, delete=True),
    "games.Annulment": Rights(insert=True, delete=True),
    "games.HiddenRating": Rights(insert=True, delete=True),
    "games.Receipt": Rights(insert=True, delete=True),
    "games.RecordLine": Rights(insert=True, delete=True),
    "games.SaveReceipt": Rights(insert=True, delete=True, update=("user",)),
    "games.SigningKey": Rights(insert=True, update=("retired_at",)),
    "games.Attendance": Rights(insert=True, delete=True, update=("user", "excused")),
    "games.Event": Rights(insert=True, delete=True, update=("waiting",)),
    "games.LogEntry": Rights(insert=True, delete=True, update=("by",)),
    "games.Draft": FREE,
    "games.OrderRow": FREE,
    "games.ConditionalOrders": FREE,
    "games.Submission": FREE,
    "games.TalkDone": Rights(insert=True, delete=True),
    "games.Standing": FREE,
    "games.FeaturedGame": FREE,
    "games.BotPlan": Rights(
        insert=True,
        delete=True,
        update=(
            "bot",
            "orders",
            "fell_back",
            "until",
            "attempts",
            "lease_until",
            "bound",
            "broken",
        ),
    ),
    "games.Vote": Rights(
        insert=True,
        delete=True,
        update=("open", "closes_at", "closed_at", "outcome", "agreed", "against", "asked_by"),
    ),
    "games.Ballot": Rights(insert=True, delete=True, update=("yes", "cast_at")),
    "press.Conversation": Rights(insert=True, update=("last", "last_at")),
    "press.Membership": Rights(
        insert=True,
        update=("last", "read", "read_before", "unread", "muted_at", "active_at"),
    ),
    "press.Send": Rights(insert=True, update=("unnoticed",)),
    # Only notes can be blanked, when a person deletes the account: see `db_triggers`.
    "press.Message": Rights(insert=True, update=("subject", "body")),
    # When a person deletes the account, maps that were never sent are deleted. Rows of `SentMap`
    # protect all others; they are deleted only with notes: see `db_triggers`.
    "press.ConferenceMap": Rights(insert=True, delete=True),
    "press.SentMap": Rights(insert=True, delete=True),
    # The row is deleted once its message has been published.
    "press.WaitingMessage": Rights(insert=True, delete=True),
    "press.HiddenMessage": WRITE_ONCE,
    # Old rows are deleted with their notices.
    "press.PressEvent": Rights(insert=True, delete=True, update=("waiting",)),
    "press.Document": Rights(insert=True, update=("text", "fixed_at", "changed_at")),
    "press.DocumentCopy": WRITE_ONCE,
    "press.Signature": WRITE_ONCE,
    "press.Proposal": Rights(insert=True, update=("state", "alternative", "closed_at")),
    "press.ProposalAnswer": WRITE_ONCE,
    # The row is deleted once the bot has answered or failed.
    "press.PendingReply": Rights(insert=True, delete=True, update=("due_at", "attempts")),
    "press.PendingTalk": Rights(insert=True, delete=True),
    "press.LedgerEntry": WRITE_ONCE,
    "press.LedgerMark": Rights(insert=True, update=("judged", "open")),
    "press.SeatMute": FREE,
    "press.Block": FREE,
    "press.PressSettings": FREE,
    "press.OpeningConsent": FREE,
    "press.OpenConversation": Rights(insert=True, update=("ended_at", "last")),
    "press.PressVersion": Rights(insert=True, update=("number",)),
    "press.Case": Rights(
        insert=True,
        update=("stage", "open", "assigned_to", "assigned_at", "taken_by", "taken_at"),
    ),
    "press.Report": WRITE_ONCE,
    "press.Decision": WRITE_ONCE,
    "press.Appeal": WRITE_ONCE,
    "press.Inspection": WRITE_ONCE,
    "press.PressLimit": Rights(insert=True, update=("until",)),
    "press.AuditEntry": WRITE_ONCE,
    "press.TextCase": Rights(
        insert=True,
        update=(
            *("stage", "open", "assigned_to", "assigned_at"),
            *("judged_by", "judged_at", "reason", "text"),
        ),
    ),
    "press.TextReport": WRITE_ONCE,
    "api.Token": FREE,
    "api.KeptAnswer": FREE,
    "api.AppGrant": FREE,
    "api.AppToken": FREE,
    "allauth_idp_oidc.Client": FREE,
    "allauth_idp_oidc.Token": FREE,
    "announcements.Announcement": FREE,
    "announcements.Dismissal": FREE,
    "notices.Notice": FREE,
    "notices.Delivery": FREE,
    "notices.Destination": FREE,
    "notices.Reminder": FREE,
    "notices.NoticeSettings": FREE,
    "notices.PushKey": WRITE_ONCE,
    **{f"{one.label}.{model}": FREE for one in list_extras() for model in one.free_models},
}
"""The rights on every table of the site, by model; a test fails if a new table is missing here."""


def list_unclassified() -> list[str]:
    """Return the labels of the models that `RIGHTS` does not list."""
    return [label for label in _find_models() if label not in RIGHTS]


def renew_rights() -> str:
    """Give the site's role exactly the rights on the tables that it needs, and renew the triggers.

    The current connection must be the owner's. A role that does not exist yet is created with the
    password in the site's address. Returns the role's name; blank, without changes, if no owner is
    set. Raises `ValueError` with a sentence that says what is missing.
    """
    if settings.OWNER_DATABASE is None:
        return ""
    if missing := list_unclassified():
        raise ValueError(f"no rights are defined for {', '.join(missing)}")
    renew = _renew_postgresql if connection.vendor == "postgresql" else _renew_mysql
    site = settings.DATABASES["default"]
    try:
        with connection.cursor() as cursor:
            return renew(cursor, site)
    except DatabaseError as error:
        reason = str(error).strip().splitlines()[0]
        raise ValueError(
            f"the rights of the site's role {site['USER']} could not be renewed: {reason}"
        ) from error


def _renew_postgresql(cursor: CursorWrapper, site: Mapping[str, Any]) -> str:
    rows = _ask_site(site, "SELECT session_user")
    role = _require_role(cursor, rows[0][0] if rows else site["USER"])
    cursor.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [role])
    if cursor.fetchone() is None:
        # The server never sees the password, which its log could show.
        hide = connection.connection.pgconn.encrypt_password
        hidden = hide(str(site["PASSWORD"]).encode(), role.encode()).decode()
        words = f" PASSWORD '{hidden}'" if site["PASSWORD"] else ""
        _create_role(cursor, f'CREATE ROLE "{role}" LOGIN', words)
    # The site sees all changes of its rights at once.
    with transaction.atomic():
        for statement in _write_rights(role, connection.ops.quote_name(site["NAME"])):
            cursor.execute(statement)
    for statement in db_triggers.write_postgresql(role):
        cursor.execute(statement)
    return role


def _write_rights(role: str, database: str) -> Iterator[str]:
    # In PostgreSQL 14 and older, the schema may belong to a superuser, who then must do this.
    yield (
        "DO $$ BEGIN REVOKE CREATE ON SCHEMA public FROM PUBLIC;"
        " EXCEPTION WHEN insufficient_privilege THEN"
        " RAISE WARNING 'Everyone may still create tables: the schema public is not yours.';"
        " END $$"
    )
    yield f'REVOKE ALL ON ALL TABLES IN SCHEMA public FROM "{role}"'
    yield f'GRANT CONNECT ON DATABASE {database} TO "{role}"'
    yield f'GRANT USAGE ON SCHEMA public TO "{role}"'
    for table, rights in _list_rights().items():
        yield f'GRANT {_format(rights)} ON "{table}" TO "{role}"'


def _renew_mysql(cursor: CursorWrapper, site: Mapping[str, Any]) -> str:
    # An account without rights cannot enter the database.
    outside = {**site, "NAME": ""}
    rows = _ask_site(outside, "SELECT CURRENT_USER()")
    role, _, host = (rows[0][0] if rows else f"{site['USER']}@%").rpartition("@")
    user = f"'{_require_role(cursor, role)}'@'{host}'"
    if not rows:
        password = connection.connection.escape(site["PASSWORD"])
        _create_role(cursor, f"CREATE USER IF NOT EXISTS {user}", f" IDENTIFIED BY {password}")
    wanted, present = _list_rights(), _list_present(outside, site["NAME"], user)
    for name in sorted({*wanted, *present}):
        table = f"{connection.ops.quote_name(site['NAME'])}.{connection.ops.quote_name(name)}"
        if surplus := present.get(name, set()) - wanted.get(name, set()):
            cursor.execute(f"REVOKE {_format(surplus)} ON {table} FROM {user}")
        if new := wanted.get(name, set()) - present.get(name, set()):
            cursor.execute(f"GRANT {_format(new)} ON {table} TO {user}")
    # Now that it has its rights on tables, it can lose those on the whole database.
    for schema, is_grantable in _ask_site(outside, _WHOLE_DATABASE, [site["NAME"], user]):
        place = f"{connection.ops.quote_name(schema)}.* FROM {user}"
        cursor.execute(f"REVOKE ALL PRIVILEGES ON {place}")
        if is_grantable == "YES":
            cursor.execute(f"REVOKE GRANT OPTION ON {place}")
    cursor.execute(
        "SELECT trigger_name, action_statement FROM information_schema.triggers"
        " WHERE trigger_schema = DATABASE()"
    )
    old = dict(cursor.fetchall())
    for name, when, body in db_triggers.write_mysql(role):
        if old.get(name) != body:
            cursor.execute(f"DROP TRIGGER IF EXISTS {name}")
            cursor.execute(f"CREATE TRIGGER {name} {when} {body}")
    return role


def _list_present(site: Mapping[str, Any], database: str, user: str) -> dict[str, set[Right]]:
    """Return the account's rights on each table, which only it and administrators can read."""
    present: dict[str, set[Right]] = {}
    values = [database, user] * 2
    for table, verb, column in _ask_site(site, _PRESENT, values, must_answer=True):
        present.setdefault(table, set()).add((verb, column))
    return present


def _ask_site(
    site: Mapping[str, Any], query: str, values: Sequence[str] = (), *, must_answer: bool = False
) -> list[tuple[Any, ...]]:
    """Return what the database answers to the site's role; nothing if it cannot log in."""
    try:
        with closing(open_connection(site)) as asking, asking.cursor() as cursor:
            cursor.execute(query, values)
            return list(cursor.fetchall())
    except DatabaseError:
        if must_answer:
            raise
        return []


def _require_role(cursor: CursorWrapper, name: str) -> str:
    """Return the name; raise `ValueError` if it is not safe in SQL, or the owner's own."""
    if not NAME.fullmatch(name):
        raise ValueError(
            f"{name!r} cannot be the name of the site's role: use letters, digits and _, at most 31"
        )
    cursor.execute("SELECT CURRENT_USER")
    owner = str(cursor.fetchone()[0]).partition("@")[0]
    if owner == name:
        raise ValueError(
            f"the site logs in as {name}, the owner of the tables: give it its own role"
        )
    return name


def _create_role(cursor: CursorWrapper, statement: str, password: str) -> None:
    """Run the statement with the password; raise `ValueError` if the owner may not."""
    try:
        cursor.execute(statement + password)
    except DatabaseError:
        raise ValueError(
            "the site's role cannot log in, and the owner of the tables may not create it: let an "
            f"administrator of the database server run {statement}, and set its password"
        ) from None


def _list_rights() -> dict[str, set[Right]]:
    """Return the rights that the site needs on each table."""
    needed: dict[str, set[Right]] = {"django_migrations": {("SELECT", "")}}
    for label, model in _find_models().items():
        rights = RIGHTS[label]
        verbs = {"SELECT": True, "INSERT": rights.insert, "DELETE": rights.delete}
        columns = [name if name == "*" else _find_column(model, name) for name in rights.update]
        needed[model._meta.db_table] = {
            *((verb, "") for verb, is_needed in verbs.items() if is_needed),
            *(("UPDATE", column.strip("*")) for column in columns),
        }
    return needed


def _format(rights: Iterable[Right]) -> str:
    """Return the rights as GRANT and REVOKE list them."""
    columns: dict[str, list[str]] = {}
    for verb, column in sorted(rights):
        columns.setdefault(verb if column else f"{verb} ", []).append(column)
    quote = connection.ops.quote_name
    return ", ".join(
        f"{verb} ({', '.join(map(quote, names))})" if names != [""] else verb.strip()
        for verb, names in columns.items()
    )


def _find_models() -> dict[str, type[Model]]:
    models = apps.get_models(include_auto_created=True)
    return {model._meta.label: model for model in models if model._meta.managed}


def _find_column(model: type[Model], name: str) -> str:
    field = model._meta.get_field(name)
    column: str | None = getattr(field, "column", None)
    if column is None:
        raise FieldDoesNotExist(f"{model._meta.label} has no column for {name!r}")
    return column
