"""Add figures per person and the columns and indexes by which pages find their rows."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    """Add the columns; `0015_figures_filled` fills them, since PostgreSQL wants two transactions."""

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("games", "0013_seat_numbers"),
    ]

    operations = [
        migrations.CreateModel(
            "PlayerFigures",
            [
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="figures",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                *(
                    (name, models.IntegerField(default=0))
                    for name in (
                        *("turns", "missed", "games", "left"),
                        *("running", "finished", "won", "shared"),
                    )
                ),
            ],
        ),
        migrations.AddField("game", "version", models.IntegerField(default=0)),
        migrations.AddField("game", "watchable", models.BooleanField(default=True)),
        # Without its default, which would have to be taken back from most rows.
        migrations.AddField("phase", "open", models.BooleanField(null=True)),
        migrations.AddField("seat", "finished_at", models.DateTimeField(null=True)),
    ]
