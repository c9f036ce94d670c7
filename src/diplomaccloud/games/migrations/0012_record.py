"""The record of a game as a chain of lines, signing keys, and receipts of saves."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

_KEY = models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")


class Migration(migrations.Migration):
    """Add tables and columns; games that are there already stay without such a record."""

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("games", "0011_outage_limits"),
    ]

    operations = [
        migrations.AddField("game", "record_head", models.CharField(blank=True, max_length=64)),
        migrations.AddField("game", "record_length", models.PositiveIntegerField(default=0)),
        migrations.AddField("seat", "number", models.PositiveSmallIntegerField(null=True)),
        migrations.AddField("receipt", "sealed_text", models.TextField(blank=True)),
        migrations.AddField("receipt", "sealed_salt", models.CharField(blank=True, max_length=64)),
        migrations.AddField(
            "receipt", "sealed_digest", models.CharField(blank=True, max_length=64)
        ),
        migrations.AlterField("receipt", "salt", models.CharField(blank=True, max_length=64)),
        migrations.AlterField("receipt", "digest", models.CharField(blank=True, max_length=64)),
        migrations.CreateModel(
            "SigningKey",
            fields=[
                ("id", _KEY),
                ("key_id", models.CharField(max_length=16, unique=True)),
                ("public", models.CharField(max_length=64)),
                ("private", models.CharField(max_length=64)),
                ("created_at", models.DateTimeField()),
                ("retired_at", models.DateTimeField(null=True)),
            ],
            options={"ordering": ("pk",)},
        ),
        migrations.CreateModel(
            "RecordLine",
            fields=[
                ("id", _KEY),
                ("number", models.PositiveIntegerField()),
                ("kind", models.CharField(max_length=12)),
                ("text", models.TextField()),
                ("hash", models.CharField(max_length=64)),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="record_lines",
                        to="games.game",
                    ),
                ),
            ],
            options={
                "ordering": ("game", "number"),
                "constraints": (
                    models.UniqueConstraint(fields=("game", "number"), name="record_number"),
                ),
            },
        ),
        migrations.CreateModel(
            "SaveReceipt",
            fields=[
                ("id", _KEY),
                ("at", models.DateTimeField()),
                ("text", models.TextField()),
                ("salt", models.CharField(max_length=32)),
                ("digest", models.CharField(max_length=64)),
                ("signature", models.CharField(max_length=128)),
                (
                    "phase",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="save_receipts",
                        to="games.phase",
                    ),
                ),
                (
                    "seat",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="save_receipts",
                        to="games.seat",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "key",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="games.signingkey",
                    ),
                ),
            ],
            options={
                "ordering": ("pk",),
                "indexes": (models.Index(fields=("phase", "seat"), name="save_receipt_seat"),),
            },
        ),
    ]
