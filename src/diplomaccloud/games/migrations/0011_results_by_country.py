"""Results by country and against rivals; a task counts them for the games that are over."""

from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from diplomaccloud.games.results.actions import recount_in_background


def count_finished_games(apps: Any, _schema_editor: object) -> None:
    """Leave a task that counts in small steps, while the site runs."""
    if apps.get_model("games", "Game").objects.filter(status="finished").exists():
        recount_in_background.enqueue(1, True)


class Migration(migrations.Migration):
    dependencies = [
        ("django_tasks_database", "0021_conditional_partial_index_ordering"),
        ("games", "0010_following"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="CountryFigures",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("is_europe", models.BooleanField()),
                ("country", models.CharField(blank=True, max_length=100)),
                ("games", models.IntegerField(default=0)),
                ("solos", models.IntegerField(default=0)),
                ("draws", models.IntegerField(default=0)),
                ("survived", models.IntegerField(default=0)),
                ("defeated", models.IntegerField(default=0)),
                (
                    "user",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["user", "games"], name="figures_favorites")],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("user", "is_europe", "country"), name="figures_of_country"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="RivalFigures",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("games", models.IntegerField(default=0)),
                ("ahead", models.IntegerField(default=0)),
                ("behind", models.IntegerField(default=0)),
                (
                    "other",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["user", "games"], name="figures_rivals")],
                "constraints": [
                    models.UniqueConstraint(fields=("user", "other"), name="figures_of_rival")
                ],
            },
        ),
        migrations.RunPython(count_finished_games, migrations.RunPython.noop),
    ]
