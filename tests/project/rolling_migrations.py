"""Finds migrations that would break the previous release while both releases run.

In a rolling upgrade the database is migrated first, and processes of the old release keep running
for a while. So a migration may only add to what exists. What nothing uses anymore is dropped one
release later, by a migration that says so with `contracts`.
"""

import re
from collections.abc import Iterator

from django.db import migrations
from django.db.migrations.operations.base import Operation
from django.db.models import Field, ManyToManyField
from django.db.models.fields import NOT_PROVIDED

MARK = "contracts"
"""A migration's text that says since which release nothing uses what it drops."""
_REASON = re.compile(r"since \d+\.\d+")
_CONTRACTIONS = {
    migrations.RemoveField: "drops a column",
    migrations.RenameField: "renames a column",
    migrations.DeleteModel: "drops a table",
    migrations.RenameModel: "renames a table",
    migrations.AlterModelTable: "renames a table",
    migrations.AlterUniqueTogether: "may refuse rows",
    migrations.AddConstraint: "may refuse rows",
    migrations.RunSQL: "cannot be judged",
}


def list_contractions(migration: migrations.Migration) -> list[str]:
    """Return what in the migration breaks processes of the release before, unless it is marked."""
    if _REASON.search(getattr(migration, MARK, "")):
        return []
    made = {
        operation.name_lower
        for operation in migration.operations
        if isinstance(operation, migrations.CreateModel)
    }
    return [
        f"{migration.app_label}.{migration.name} {reason}: {operation.describe()}"
        for operation in _flatten(migration.operations)
        if getattr(operation, "model_name_lower", "") not in made
        and (reason := _find_reason(operation))
    ]


def _flatten(operations: list[Operation]) -> Iterator[Operation]:
    for operation in operations:
        if isinstance(operation, migrations.SeparateDatabaseAndState):
            yield from _flatten(operation.database_operations)
        else:
            yield operation


def _find_reason(operation: Operation) -> str:
    """Return why the previous release may break; blank if it does not."""
    if isinstance(operation, migrations.AddField) and not _may_be_left_out(operation.field):
        return "adds a column that old processes do not fill (give it null=True or a db_default)"
    return next(
        (reason for kind, reason in _CONTRACTIONS.items() if isinstance(operation, kind)), ""
    )


def _may_be_left_out(field: Field) -> bool:
    """Return whether a row can be added by a program that does not know the column."""
    return (
        field.null
        or field.generated
        or isinstance(field, ManyToManyField)
        or field.db_default is not NOT_PROVIDED
    )
