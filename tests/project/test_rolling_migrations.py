"""From the release after 0.2 on, old and new processes can run together on a migrated database."""

import pytest
from django.db import migrations, models
from django.db.migrations.loader import MigrationLoader
from tests.project.rolling_migrations import MARK, list_contractions


def test_every_later_migration_only_expands():
    loader = MigrationLoader(None)
    later = [
        migration
        for migration in loader.disk_migrations.values()
        if migration.__module__.startswith("diplomaccloud.") and not migration.initial
    ]
    assert later
    assert [fault for migration in later for fault in list_contractions(migration)] == []


def make(*operations, reason=""):
    migration = migrations.Migration("0099_x", "games")
    migration.operations = list(operations)
    setattr(migration, MARK, reason)
    return list_contractions(migration)


@pytest.mark.parametrize(
    "operation",
    [
        migrations.RemoveField("game", "world"),
        migrations.RenameField("game", "world", "planet"),
        migrations.DeleteModel("game"),
        migrations.AddField("game", "x", models.IntegerField(default=0)),
        migrations.AddConstraint("game", models.UniqueConstraint(fields=("x",), name="x")),
        migrations.RunSQL("DROP TABLE games_game"),
        migrations.SeparateDatabaseAndState([migrations.RemoveField("game", "world")], []),
    ],
    ids=lambda operation: type(operation).__name__,
)
def test_what_old_processes_would_not_survive_is_refused_unless_it_is_marked(operation):
    (fault,) = make(operation)
    assert fault.startswith("games.0099_x ")
    assert make(operation, reason="Nothing reads it since 0.3.") == []
    assert make(operation, reason="It is fine.") == [fault]


def test_expanding_is_free():
    thing = migrations.CreateModel("Thing", [("id", models.BigAutoField(primary_key=True))])
    own = migrations.AddConstraint("thing", models.UniqueConstraint(fields=("x",), name="x"))
    new = [
        migrations.AddField("game", "x", models.IntegerField(null=True)),
        migrations.AddField("game", "y", models.IntegerField(db_default=0)),
        migrations.AddIndex("game", models.Index(fields=("x",), name="x")),
        migrations.RunPython(migrations.RunPython.noop),
    ]
    assert make(thing, own, *new) == []
