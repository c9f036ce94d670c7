"""What the rows of older games were moved from is dropped."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """What the rows of older games were moved from is dropped."""

    dependencies = [
        ("games", "0003_life_moved"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="game",
            name="game_lengths",
        ),
        migrations.RemoveConstraint(
            model_name="orderrow",
            name="order_unit",
        ),
        migrations.RemoveConstraint(
            model_name="phase",
            name="phase_name",
        ),
        migrations.RemoveConstraint(
            model_name="phase",
            name="phase_processed",
        ),
        migrations.RemoveConstraint(
            model_name="seat",
            name="seat_person_or_bot",
        ),
        migrations.RemoveIndex(
            model_name="phase",
            name="phase_due_rows",
        ),
        migrations.AlterField(
            model_name="game",
            name="options",
            field=models.JSONField(),
        ),
        migrations.AlterField(
            model_name="phase",
            name="adjudicate_at",
            field=models.DateTimeField(),
        ),
        migrations.AlterField(
            model_name="orderrow",
            name="draft",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="orders", to="games.draft"
            ),
        ),
        migrations.RemoveField(
            model_name="game",
            name="build_seconds",
        ),
        migrations.RemoveField(
            model_name="game",
            name="end_year",
        ),
        migrations.RemoveField(
            model_name="game",
            name="fill_with",
        ),
        migrations.RemoveField(
            model_name="game",
            name="movement_seconds",
        ),
        migrations.RemoveField(
            model_name="game",
            name="retreat_seconds",
        ),
        migrations.RemoveField(
            model_name="orderrow",
            name="phase",
        ),
        migrations.RemoveField(
            model_name="orderrow",
            name="seat",
        ),
        migrations.AddIndex(
            model_name="phase",
            index=models.Index(fields=["processed_at", "adjudicate_at"], name="phase_due_rows"),
        ),
        migrations.AddIndex(
            model_name="phase",
            index=models.Index(fields=["locked_at", "due_at"], name="phase_lock_rows"),
        ),
        migrations.AddConstraint(
            model_name="phase",
            constraint=models.UniqueConstraint(fields=("game", "line", "name"), name="phase_name"),
        ),
        migrations.AddConstraint(
            model_name="phase",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("processed_at__isnull", True), ("results__isnull", True)),
                    models.Q(
                        ("locked_at__isnull", False),
                        ("processed_at__isnull", False),
                        ("results__isnull", False),
                    ),
                    _connector="OR",
                ),
                name="phase_processed",
            ),
        ),
        migrations.AddConstraint(
            model_name="phase",
            constraint=models.CheckConstraint(
                condition=models.Q(("adjudicate_at__gte", models.F("due_at"))),
                name="phase_adjudicate",
            ),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("bot", ""), ("user__isnull", False), ("vacated_at__isnull", True)),
                    models.Q(
                        ("user__isnull", True),
                        ("vacated_at__isnull", True),
                        models.Q(("bot", ""), _negated=True),
                    ),
                    models.Q(("bot", ""), ("user__isnull", True), ("vacated_at__isnull", False)),
                    _connector="OR",
                ),
                name="seat_holder",
            ),
        ),
        migrations.AddConstraint(
            model_name="orderrow",
            constraint=models.UniqueConstraint(fields=("draft", "unit"), name="order_unit"),
        ),
    ]
