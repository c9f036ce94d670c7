"""Give each game that has started a standing, which a worker fills in after new positions."""

from typing import Any

import django.db.models.deletion
from django.db import migrations, models

_GAMES_AT_ONCE = 1000
_OUTDATED = "0"
"""A version of pictures that no release draws."""


def add_standings(apps: Any, _schema_editor: object) -> None:
    """Add the rows of games that have started."""
    games = apps.get_model("games", "Game").objects
    standings = apps.get_model("games", "Standing")
    newest = games.order_by("-pk").values_list("pk", flat=True).first() or 0
    for start in range(0, newest + 1, _GAMES_AT_ONCE):
        keys = games.filter(pk__gte=start, pk__lt=start + _GAMES_AT_ONCE).order_by()
        started = keys.exclude(started_at=None).values_list("pk", flat=True)
        rows = [standings(game_id=key, drawn=_OUTDATED) for key in started]
        # A process of the new release may have added some.
        standings.objects.bulk_create(rows, ignore_conflicts=True)


class Migration(migrations.Migration):
    dependencies = [("games", "0012_next_games")]

    operations = [
        migrations.CreateModel(
            name="Standing",
            fields=[
                (
                    "game",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="standing",
                        serialize=False,
                        to="games.game",
                    ),
                ),
                ("changes", models.PositiveIntegerField(default=1)),
                ("position_hash", models.CharField(blank=True, max_length=64)),
                ("drawn", models.CharField(blank=True, max_length=20)),
                ("phase", models.CharField(blank=True, max_length=8)),
                ("strengths", models.JSONField(default=dict)),
                ("gained", models.JSONField(default=dict)),
            ],
            options={"indexes": [models.Index(fields=["drawn"], name="standing_drawn")]},
        ),
        migrations.RunPython(add_standings, migrations.RunPython.noop),
    ]
