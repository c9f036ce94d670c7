"""What bots that look ahead have planned, and for which of them a phase waits."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """Add the table."""

    dependencies = [("games", "0024_waiting_events")]

    operations = [
        migrations.CreateModel(
            name="BotPlan",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("bot", models.CharField(max_length=20)),
                ("orders", models.JSONField(default=list)),
                ("fell_back", models.BooleanField(default=False)),
                ("until", models.DateTimeField(null=True)),
                (
                    "phase",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="bot_plans",
                        to="games.phase",
                    ),
                ),
                (
                    "seat",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="bot_plans",
                        to="games.seat",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["until"], name="bot_plan_thinking")],
                "constraints": [
                    models.UniqueConstraint(fields=("phase", "seat"), name="bot_plan_seat")
                ],
            },
        ),
    ]
