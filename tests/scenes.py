"""Scenes that many tests start from: built once, then inserted as rows.

A scene, e.g. a running game, takes many statements to build. The first test that needs it builds
it, and the rows that this added, changed or deleted are noted. A later test in the same situation
gets exactly these rows, one statement a table.
"""

import copy
import datetime as dt
import functools
import itertools
from dataclasses import dataclass, field

from django.apps import apps
from django.db import connection, transaction
from django.utils import timezone

MAX_AGE = dt.timedelta(seconds=20)
"""How old a scene may be: its game has just begun."""
READS = ("SELECT", "SAVEPOINT", "RELEASE", "PRAGMA", "EXPLAIN", "SET ", "BEGIN")


@dataclass(frozen=True)
class Change:
    """What a scene changed in a table: keys of rows to delete, and rows to insert."""

    table: str
    columns: tuple[str, ...]
    deleted: tuple[object, ...]
    inserted: tuple[tuple[object, ...], ...]


@dataclass
class Scene:
    """The rows of a scene, when it was built, and what its builder returned."""

    built_at: dt.datetime
    value: object
    changes: list[Change]

    def is_fresh(self):
        return abs(timezone.now() - self.built_at) < MAX_AGE


@dataclass
class Stage:
    """What the running test has in its database, as far as scenes made it."""

    layers: tuple = ()
    is_known: bool = True
    """Whether scenes alone have written: rows of a test's own may be in the way of others."""
    scenes: dict[tuple, Scene] = field(default_factory=dict)
    first: dict[str, tuple] = field(default_factory=dict)
    """The tables before any test: see `read_tables`."""

    def clear(self):
        """Forget the rows of the last test, which have been rolled back."""
        self.layers, self.is_known = (), True

    def restore_first_rows(self):
        """Put back the rows that there were before any test."""
        with transaction.atomic():  # rows may refer to rows of later tables
            for change in compare_tables(read_tables(), self.first):
                insert_rows(change)

    def watch(self, execute, sql, params, many, context):
        """Note that something was written: a wrapper around each statement."""
        if self.is_known and not sql.startswith(READS):
            self.is_known = False
        return execute(sql, params, many, context)

    def set(self, build, *key):
        """Return what `build` returns, with its rows in the database; `key` says which scene."""
        # A test without a transaction of its own may have changed the tables themselves.
        if not (self.is_known and connection.in_atomic_block):
            return build()
        self.layers = (*self.layers, (build.__module__, build.__qualname__, *key))
        scene = self.scenes.get(self.layers)
        if scene is not None and scene.is_fresh():
            for change in scene.changes:
                insert_rows(change)
        else:
            # Scenes on top of this one may refer to its rows, which can get other keys now.
            depth = len(self.layers)
            for layers in [layers for layers in self.scenes if layers[:depth] == self.layers]:
                del self.scenes[layers]
            before, built_at = read_tables(), timezone.now()
            scene = Scene(built_at, build(), [])
            scene.changes += compare_tables(before, read_tables())
            self.scenes[self.layers] = scene
        self.is_known = True
        return scene.value


stage = Stage()


def scene(build):
    """Return the function of a fixture with its rows inserted where it has run before.

    Its arguments are fixtures, and each is a scene or only reads. What it returns is copied for
    each test, so it refers to no row that a test fetches itself.
    """

    @functools.wraps(build)
    def set_scene(*args, **kwargs):
        def play():
            return build(*args, **kwargs)

        functools.update_wrapper(play, build)
        return copy.deepcopy(stage.set(play))

    return set_scene


def record_changes(build):
    """Return the changes that `build` makes to the tables."""
    before = read_tables()
    build()
    return list(compare_tables(before, read_tables()))


def read_tables():
    """Return, by table, the names of its columns and its rows by key."""
    tables = {}
    with connection.cursor() as cursor:
        for model in apps.get_models(include_auto_created=True):
            fields = [row for row in model._meta.local_concrete_fields if not row.generated]
            # The key comes first.
            columns = tuple(
                row.column for row in sorted(fields, key=lambda row: not row.primary_key)
            )
            names = ", ".join(map(connection.ops.quote_name, columns))
            table = connection.ops.quote_name(model._meta.db_table)
            cursor.execute(f"SELECT {names} FROM {table}")  # noqa: S608 - names of our own
            tables[model._meta.db_table] = (
                columns,
                {row[0]: tuple(row) for row in cursor.fetchall()},
            )
    return tables


def compare_tables(before, after):
    """Yield the changes between two states of the tables."""
    for table, (columns, rows) in after.items():
        old = before[table][1]
        inserted = tuple(row for key, row in rows.items() if old.get(key) != row)
        deleted = tuple(key for key, row in old.items() if rows.get(key) != row)
        if inserted or deleted:
            yield Change(table, columns, deleted, inserted)


def insert_rows(change):
    """Make the change again. Rows may refer to rows of later tables."""
    table = connection.ops.quote_name(change.table)
    names = ", ".join(map(connection.ops.quote_name, change.columns))
    places = ", ".join(["%s"] * len(change.columns))
    with connection.constraint_checks_disabled(), connection.cursor() as cursor:
        if change.deleted:
            key, marks = (
                connection.ops.quote_name(change.columns[0]),
                ", ".join(["%s"] * len(change.deleted)),
            )
            cursor.execute(f"DELETE FROM {table} WHERE {key} IN ({marks})", change.deleted)  # noqa: S608
        if change.inserted:
            marks = ", ".join([f"({places})"] * len(change.inserted))
            cursor.execute(
                f"INSERT INTO {table} ({names}) VALUES {marks}",  # noqa: S608
                list(itertools.chain.from_iterable(change.inserted)),
            )
