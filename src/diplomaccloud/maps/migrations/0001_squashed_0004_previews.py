"""Create the tables of maps, as migrations that are gone did: see `shared/upgrades.py`."""

import django.core.validators
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("accounts", "0001_squashed_0013_hidden_name"),
    ]

    operations = [
        migrations.CreateModel(
            name="MapPreview",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=64, unique=True)),
                ("owner", models.CharField(max_length=60)),
                ("content", models.BinaryField()),
                ("made_at", models.DateTimeField(db_index=True)),
            ],
            options={
                "indexes": [models.Index(fields=["owner", "made_at"], name="preview_owner")],
            },
        ),
        migrations.CreateModel(
            name="StoredChart",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "content_hash",
                    models.CharField(
                        max_length=64,
                        unique=True,
                        validators=[django.core.validators.RegexValidator("\\A[0-9a-f]{64}\\Z")],
                    ),
                ),
                ("name", models.CharField(max_length=60)),
                ("players", models.PositiveSmallIntegerField()),
                ("provinces", models.PositiveSmallIntegerField()),
                ("centers", models.PositiveSmallIntegerField()),
                ("seed", models.CharField(blank=True, max_length=100)),
                ("maker", models.CharField(max_length=60)),
                ("text", models.TextField()),
                ("created_at", models.DateTimeField()),
            ],
            options={
                "ordering": ("-created_at", "-pk"),
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("players__gte", 2), ("players__lte", 10)),
                        name="chart_players",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="SavedMap",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("created_at", models.DateTimeField()),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "chart",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="saves",
                        to="maps.storedchart",
                    ),
                ),
            ],
            options={
                "ordering": ("-created_at", "-pk"),
                "constraints": [
                    models.UniqueConstraint(fields=("user", "chart"), name="saved_map_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="Certificate",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("bot", models.CharField(max_length=20)),
                ("games", models.PositiveIntegerField()),
                ("engine", models.CharField(max_length=20)),
                ("spread", models.FloatField()),
                ("numbers", models.JSONField()),
                ("created_at", models.DateTimeField()),
                (
                    "chart",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="certificates",
                        to="maps.storedchart",
                    ),
                ),
            ],
            options={
                "ordering": ("-created_at", "-pk"),
                "constraints": [
                    models.UniqueConstraint(
                        fields=("chart", "bot", "engine"), name="certificate_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("games__gt", 0), ("spread__gte", 0)),
                        name="certificate_numbers",
                    ),
                ],
            },
        ),
    ]
