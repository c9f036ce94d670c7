"""Create the table of heartbeats, or take over the one that the app `clock` made.

The app was called `clock` until 0.2. A site that upgrades keeps the time of the last heartbeat,
by which the worker finds out how long the site was down.
"""

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.recorder import MigrationRecorder
from django.db.migrations.state import StateApps

OLD_APP = "clock"
OLD_TABLE = "clock_heartbeat"


def create_or_rename_table(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Leave `worker_heartbeat` in the database, with the rows of `clock_heartbeat` if any.

    Safe to run again: MariaDB keeps a rename even if the migration is interrupted after it.
    """
    connection = schema_editor.connection
    heartbeat = apps.get_model("worker", "Heartbeat")
    tables = connection.introspection.table_names()
    if heartbeat._meta.db_table in tables:
        return
    if OLD_TABLE in tables:
        schema_editor.alter_db_table(heartbeat, OLD_TABLE, heartbeat._meta.db_table)
    else:
        schema_editor.create_model(heartbeat)


def remove_traces_of_clock(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Rename the content type, so that permissions stay with it, and forget old migrations."""
    connection = schema_editor.connection
    content_types = apps.get_model("contenttypes", "ContentType").objects.using(connection.alias)
    content_types.filter(app_label=OLD_APP).update(app_label="worker")
    MigrationRecorder(connection).migration_qs.filter(app=OLD_APP).delete()


def delete_table(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    schema_editor.delete_model(apps.get_model("worker", "Heartbeat"))


class Migration(migrations.Migration):
    initial = True

    dependencies = [("contenttypes", "0002_remove_content_type_name")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.CreateModel(
                    name="Heartbeat",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        ("owner", models.CharField(max_length=40, unique=True)),
                        ("seen_at", models.DateTimeField()),
                    ],
                ),
            ],
        ),
        migrations.RunPython(create_or_rename_table, delete_table, atomic=False),
        migrations.RunPython(remove_traces_of_clock, migrations.RunPython.noop),
    ]
