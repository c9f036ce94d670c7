"""Add a table of rule sets, to which games and phases refer instead of copying the rules."""

import django.db.models.deletion
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def drop_trigger(_apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Drop the trigger that names the old column; `dbgrants` makes the new one."""
    vendor = schema_editor.connection.vendor
    if vendor == "postgresql":
        schema_editor.execute("DROP FUNCTION IF EXISTS phase_kept() CASCADE")
    elif vendor == "mysql":
        schema_editor.execute("DROP TRIGGER IF EXISTS phase_kept_update")


class Migration(migrations.Migration):
    """Add the columns; `0018_rule_sets_filled` fills them, and the migration after requires them."""

    dependencies = [("games", "0016_figures_indexed")]

    operations = [
        # Not atomic: MariaDB cannot change triggers in a transaction.
        migrations.RunPython(drop_trigger, migrations.RunPython.noop, atomic=False),
        migrations.CreateModel(
            "StoredRules",
            [
                (
                    "digest",
                    models.CharField(max_length=64, primary_key=True, serialize=False),
                ),
                ("rules", models.JSONField()),
            ],
        ),
        *(
            migrations.AddField(
                model,
                "rule_set",
                models.ForeignKey(
                    null=True,
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="+",
                    to="games.storedrules",
                    db_index=db_index,
                ),
            )
            for model, db_index in (("game", True), ("phase", False))
        ),
    ]
