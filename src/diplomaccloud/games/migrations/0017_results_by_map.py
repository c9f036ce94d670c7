"""Results on each new world; a task counts them for the games that are over."""

from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from diplomaccloud.games.results.actions import recount_in_background


def count_finished_games(apps: Any, _schema_editor: object) -> None:
    """Leave a task that counts in small steps, while the site runs."""
    if apps.get_model("games", "CountryFigures").objects.filter(is_europe=False).exists():
        recount_in_background.enqueue(1, True)


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0016_featured_game"),
        ("maps", "0001_squashed_0004_previews"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="WorldFigures",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("country", models.CharField(blank=True, max_length=100)),
                ("games", models.IntegerField(default=0)),
                ("solos", models.IntegerField(default=0)),
                ("draws", models.IntegerField(default=0)),
                ("survived", models.IntegerField(default=0)),
                ("defeated", models.IntegerField(default=0)),
                (
                    "chart",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="maps.storedchart",
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
                "indexes": [
                    models.Index(fields=["user", "country", "games"], name="figures_worlds")
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("user", "chart", "country"), name="figures_of_world"
                    )
                ],
            },
        ),
        migrations.RunPython(count_finished_games, migrations.RunPython.noop),
    ]
