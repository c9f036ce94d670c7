"""Tables and columns get the words of the glossary; no row is changed."""

import django.db.models.deletion
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps
from django.db.models import Q

_TRIGGERS = (
    *("phase_kept", "draft_kept", "draft_late", "orderrow_kept", "orderrow_late"),
    *("plan_kept", "plan_late", "submission_kept", "submission_late"),
    *("game_over", "seat_kept", "seat_drawn", "motion_closed", "ballot_closed"),
)
_VERBS = ("insert", "update", "delete")


def drop_triggers(_apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Drop the triggers, which name the old columns; `dbgrants` makes the new ones."""
    vendor = schema_editor.connection.vendor
    for name in _TRIGGERS:
        if vendor == "postgresql":
            schema_editor.execute(f"DROP FUNCTION IF EXISTS {name}() CASCADE")
        elif vendor == "mysql":
            for verb in _VERBS:
                schema_editor.execute(f"DROP TRIGGER IF EXISTS {name}_{verb}")


class Migration(migrations.Migration):
    """Rename tables and columns; constraints that name a renamed column are made again."""

    dependencies = [("games", "0005_colors")]

    operations = [
        # Not atomic: MariaDB cannot change triggers in a transaction.
        migrations.RunPython(drop_triggers, migrations.RunPython.noop, atomic=False),
        migrations.RemoveConstraint("phase", "phase_name"),
        migrations.RemoveConstraint("plan", "plan_seat"),
        migrations.RemoveConstraint("motion", "motion_open"),
        migrations.RemoveConstraint("motion", "motion_closed"),
        migrations.RemoveConstraint("ballot", "ballot_seat"),
        migrations.RenameField("game", "line", "branch"),
        migrations.RenameField("game", "alarm", "suspended_reason"),
        migrations.RenameField("phase", "line", "branch"),
        migrations.RenameField("phase", "exact", "fixed_deadline"),
        migrations.RenameField("phase", "disorder", "civil_disorder"),
        migrations.RenameField("submission", "ahead", "by_conditional_orders"),
        migrations.RenameField("submission", "vote", "draw_vote"),
        migrations.RenameModel("Plan", "ConditionalOrders"),
        migrations.RenameModel("Motion", "Vote"),
        migrations.RenameField("ballot", "motion", "vote"),
        *(
            migrations.AlterField(
                "conditionalorders",
                key,
                models.ForeignKey(
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="conditional_orders",
                    to=f"games.{key}",
                ),
            )
            for key in ("phase", "seat")
        ),
        *(
            migrations.AlterField(
                "vote",
                key,
                models.ForeignKey(
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="votes",
                    to=f"games.{key}",
                ),
            )
            for key in ("game", "phase", "seat")
        ),
        migrations.AddConstraint(
            "phase",
            models.UniqueConstraint(fields=("game", "branch", "name"), name="phase_name"),
        ),
        migrations.AddConstraint(
            "conditionalorders",
            models.UniqueConstraint(fields=("phase", "seat"), name="conditional_orders_seat"),
        ),
        migrations.AddConstraint(
            "vote",
            models.UniqueConstraint(fields=("game", "kind", "open"), name="vote_open"),
        ),
        migrations.AddConstraint(
            "vote",
            models.CheckConstraint(
                condition=Q(open=True, closed_at__isnull=True, outcome="")
                | Q(open__isnull=True, closed_at__isnull=False) & ~Q(outcome=""),
                name="vote_closed",
            ),
        ),
        migrations.AddConstraint(
            "ballot",
            models.UniqueConstraint(fields=("vote", "seat"), name="ballot_seat"),
        ),
    ]
