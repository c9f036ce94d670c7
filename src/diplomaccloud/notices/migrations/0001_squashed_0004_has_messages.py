"""Create the tables of notices, as migrations that are gone did: see `shared/upgrades.py`."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("accounts", "0001_squashed_0013_hidden_name"),
        ("games", "0001_squashed_0028_event_order"),
        ("press", "0001_squashed_0014_readers"),
    ]

    operations = [
        migrations.CreateModel(
            name="NoticeSettings",
            fields=[
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("choices", models.JSONField(default=dict)),
                ("quiet_from", models.TimeField(null=True)),
                ("quiet_until", models.TimeField(null=True)),
                ("zone", models.CharField(default="UTC", max_length=60)),
                ("last_reminder_passes", models.BooleanField(default=True)),
                ("with_text", models.BooleanField(default=False)),
                ("calendar_key", models.CharField(max_length=43, null=True, unique=True)),
            ],
        ),
        migrations.CreateModel(
            name="PushKey",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public", models.CharField(max_length=88)),
                ("private", models.CharField(max_length=44)),
                ("created_at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="Destination",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("channel", models.CharField(max_length=10)),
                ("address", models.TextField()),
                ("digest", models.CharField(max_length=64)),
                ("label", models.CharField(blank=True, max_length=80)),
                ("secret", models.JSONField(default=dict)),
                ("origin", models.CharField(max_length=300)),
                ("session", models.CharField(blank=True, db_index=True, max_length=64)),
                ("created_at", models.DateTimeField()),
                ("confirmed_at", models.DateTimeField(null=True)),
                ("asked_at", models.DateTimeField(null=True)),
                ("failing_since", models.DateTimeField(null=True)),
                ("off_at", models.DateTimeField(null=True)),
                ("has_messages", models.BooleanField(db_default=True, default=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="destinations",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("pk",),
                "constraints": [
                    models.UniqueConstraint(
                        fields=("user", "channel", "digest"), name="destination_address"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Notice",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("kind", models.CharField(max_length=16)),
                ("key", models.CharField(max_length=120)),
                ("number", models.PositiveIntegerField(null=True)),
                ("data", models.JSONField(default=dict)),
                ("created_at", models.DateTimeField(db_index=True)),
                ("read_at", models.DateTimeField(null=True)),
                ("useful_until", models.DateTimeField()),
                (
                    "game",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="games.game",
                    ),
                ),
                (
                    "membership",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="press.membership",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="notices",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("-pk",),
                "indexes": [
                    models.Index(fields=["user", "id"], name="notice_list"),
                    models.Index(fields=["user", "read_at", "number"], name="notice_news"),
                    models.Index(fields=["membership", "number"], name="notice_talk"),
                ],
                "constraints": [models.UniqueConstraint(fields=("user", "key"), name="notice_key")],
            },
        ),
        migrations.CreateModel(
            name="Delivery",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "Waiting"),
                            ("mailed", "Mailed"),
                            ("sent", "Sent"),
                            ("dropped", "Dropped"),
                            ("failed", "Failed"),
                        ],
                        default="waiting",
                        max_length=8,
                    ),
                ),
                ("due_at", models.DateTimeField(null=True)),
                ("tries", models.PositiveSmallIntegerField(default=0)),
                ("mail", models.BigIntegerField(db_index=True, null=True)),
                ("finished_at", models.DateTimeField(null=True)),
                (
                    "destination",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="deliveries",
                        to="notices.destination",
                    ),
                ),
                (
                    "notice",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="deliveries",
                        to="notices.notice",
                    ),
                ),
            ],
            options={
                "ordering": ("pk",),
                "indexes": [models.Index(fields=["state", "due_at"], name="delivery_due")],
                "constraints": [
                    models.UniqueConstraint(fields=("notice", "destination"), name="delivery_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="Reminder",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("sequence", models.PositiveIntegerField()),
                ("due_at", models.DateTimeField()),
                ("hours", models.PositiveSmallIntegerField()),
                ("at", models.DateTimeField(db_index=True)),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="games.game",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("game", "sequence", "due_at", "hours"), name="reminder_once"
                    )
                ],
            },
        ),
    ]
