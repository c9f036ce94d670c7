"""The rights of the site's database role on each table, and the SQL that grants them.

The role cannot delete or rewrite history or change a table's columns; migrations run as the
owner. Column rights protect values that are fixed when a row is created. Triggers, which apply only
to this role, protect the history of games: processed phases, and the orders and flags in them.
Only the games of guests, who have no account, can be deleted or moved to an account.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from django.apps import apps
from django.core.exceptions import FieldDoesNotExist
from django.db.models import Model

from diplomaccloud.project import db_triggers
from diplomaccloud.project.extras import list_extras

NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,30}")
VENDORS: Final = ("postgresql", "mysql")


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
            *("finished_at", "ready_at"),
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


def build_script(vendor: str, *, role: str, database: str) -> str:
    """Return a script for `psql` or `mysql`, to run as the owner after every upgrade.

    Raises `ValueError` for an unknown vendor or a name that is not safe in SQL.
    """
    if vendor not in VENDORS:
        raise ValueError(f"the vendor must be {' or '.join(VENDORS)}, not {vendor!r}")
    for name in (role, database):
        if not NAME.fullmatch(name):
            raise ValueError(f"{name!r} is not a valid name: use letters, digits and _, at most 31")
    if missing := list_unclassified():
        raise ValueError(f"no rights are defined for {', '.join(missing)}")
    lines = (
        _write_postgresql(role, database)
        if vendor == "postgresql"
        else _write_mysql(role, database)
    )
    return "\n".join(lines) + "\n"


def _write_postgresql(role: str, database: str) -> Iterator[str]:
    yield f"-- psql -v ON_ERROR_STOP=1 {database} < this; then, in psql: \\password {role}"
    yield "DO $$ BEGIN"
    yield f"  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{role}') THEN"
    yield "    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = current_user"
    yield "        AND (rolsuper OR rolcreaterole)) THEN"
    yield f"      RAISE EXCEPTION 'There is no role {role}, and % cannot create it.', current_user"
    yield f"        USING HINT = 'Let a superuser run: CREATE ROLE \"{role}\" LOGIN;';"
    yield "    END IF;"
    yield f'    CREATE ROLE "{role}" LOGIN;'
    yield "  END IF;"
    yield "END $$;"
    # In PostgreSQL 14 and older, the schema may belong to a superuser, who then must do this.
    yield "DO $$ BEGIN"
    yield "  REVOKE CREATE ON SCHEMA public FROM PUBLIC;"
    yield "EXCEPTION WHEN insufficient_privilege THEN"
    yield "  RAISE WARNING 'Everyone may still create tables: the schema public is not yours.';"
    yield "END $$;"
    yield f'REVOKE ALL ON ALL TABLES IN SCHEMA public FROM "{role}";'
    yield f'GRANT CONNECT ON DATABASE "{database}" TO "{role}";'
    yield f'GRANT USAGE ON SCHEMA public TO "{role}";'
    for table, rights in _list_rights('"'):
        yield f'GRANT {rights} ON "{table}" TO "{role}";'
    yield from db_triggers.write_postgresql(role)


def _write_mysql(role: str, database: str) -> Iterator[str]:
    user = f"'{role}'@'%'"
    yield f"-- mysql {database} < this; then: ALTER USER {user} IDENTIFIED BY '...';"
    yield f"CREATE USER IF NOT EXISTS {user};"
    yield f"REVOKE ALL PRIVILEGES, GRANT OPTION FROM {user};"
    for table, rights in _list_rights("`"):
        yield f"GRANT {rights} ON `{database}`.`{table}` TO {user};"
    yield from db_triggers.write_mysql(role)


def _list_rights(quote: str) -> Iterator[tuple[str, str]]:
    """Yield each table with its rights in SQL."""
    yield "django_migrations", "SELECT"
    for label, model in _find_models().items():
        rights = RIGHTS[label]
        words = ["SELECT"]
        if rights.insert:
            words.append("INSERT")
        if rights.update == ("*",):
            words.append("UPDATE")
        elif rights.update:
            columns = ", ".join(
                f"{quote}{_find_column(model, name)}{quote}" for name in rights.update
            )
            words.append(f"UPDATE ({columns})")
        if rights.delete:
            words.append("DELETE")
        yield model._meta.db_table, ", ".join(words)


def _find_models() -> dict[str, type[Model]]:
    models = apps.get_models(include_auto_created=True)
    return {model._meta.label: model for model in models if model._meta.managed}


def _find_column(model: type[Model], name: str) -> str:
    field = model._meta.get_field(name)
    column: str | None = getattr(field, "column", None)
    if column is None:
        raise FieldDoesNotExist(f"{model._meta.label} has no column for {name!r}")
    return column
