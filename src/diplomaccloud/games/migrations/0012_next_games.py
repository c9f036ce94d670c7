"""Add the next games, with the templates of a new site."""

from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

DEFAULTS = (
    (1, "Europe, a turn a day", "standard", "daily", "full"),
    (2, "A new world, live this evening", "new", "evening", "none"),
)
"""The templates of a new site, which its host can change: slot, title, map, speed and press."""


def add_templates(apps: Any, _schema_editor: object) -> None:
    """Add the templates of a new site."""
    names = ("slot", "title", "map", "speed", "press")
    rows = apps.get_model("games", "GameTemplate").objects
    for values in DEFAULTS:
        rows.create(**dict(zip(names, values, strict=True)), edition="2000")


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0011_results_by_country"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterField(
            model_name="game",
            name="creator",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.CreateModel(
            name="GameTemplate",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("slot", models.PositiveSmallIntegerField(unique=True)),
                ("title", models.CharField(max_length=60)),
                ("map", models.CharField(max_length=64)),
                ("speed", models.CharField(max_length=12)),
                (
                    "press",
                    models.CharField(
                        choices=[
                            ("full", "full"),
                            ("public", "public"),
                            ("rulebook", "rulebook"),
                            ("none", "none"),
                        ],
                        max_length=8,
                    ),
                ),
                ("edition", models.CharField(max_length=8)),
                ("active", models.BooleanField(default=True)),
            ],
            options={
                "ordering": ("slot",),
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("slot__gte", 1), ("slot__lte", 3)), name="template_slot"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="NextGame",
            fields=[
                (
                    "game",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="next_game",
                        serialize=False,
                        to="games.game",
                    ),
                ),
                ("waiting", models.BooleanField(null=True)),
                ("opens_with", models.PositiveSmallIntegerField(default=4)),
                ("muster_at", models.DateTimeField(null=True)),
                ("due_at", models.DateTimeField(null=True)),
                ("lease_until", models.DateTimeField(null=True)),
                ("with_bots", models.JSONField(default=list)),
                ("rated", models.BooleanField(default=True)),
                (
                    "template",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="games",
                        to="games.gametemplate",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["waiting", "due_at"], name="next_game_due")],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("template", "waiting"), name="next_game_waiting"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("waiting", True), ("waiting__isnull", True), _connector="OR"
                        ),
                        name="next_game_state",
                    ),
                ],
            },
        ),
        migrations.RunPython(add_templates, migrations.RunPython.noop),
    ]
