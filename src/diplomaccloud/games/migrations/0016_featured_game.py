import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0015_titles_of_next_games")]

    operations = [
        migrations.CreateModel(
            name="FeaturedGame",
            fields=[
                (
                    "slot",
                    models.PositiveSmallIntegerField(default=1, primary_key=True, serialize=False),
                ),
                ("chosen_at", models.DateTimeField()),
                ("drawn", models.CharField(max_length=20)),
                ("turn", models.CharField(max_length=64)),
                ("light", models.TextField()),
                ("dark", models.TextField()),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="games.game",
                    ),
                ),
                (
                    "phase",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="games.phase",
                    ),
                ),
            ],
        ),
        migrations.AddIndex(
            model_name="phase",
            index=models.Index(fields=["open", "opens_at"], name="phase_newest"),
        ),
    ]
