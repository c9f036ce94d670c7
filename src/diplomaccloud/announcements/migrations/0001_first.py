import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Announcement",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("news", "News"), ("maintenance", "Maintenance")], max_length=12
                    ),
                ),
                (
                    "audience",
                    models.CharField(
                        choices=[
                            ("everybody", "everybody"),
                            ("accounts", "people with an account"),
                            ("players", "players of running games"),
                            ("masters", "game masters of running games"),
                        ],
                        max_length=10,
                    ),
                ),
                ("text", models.TextField()),
                ("starts_at", models.DateTimeField()),
                ("ends_at", models.DateTimeField(db_index=True)),
                ("maintenance_at", models.DateTimeField(null=True)),
                ("withdrawn_at", models.DateTimeField(null=True)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("ends_at__gt", models.F("starts_at"))),
                        name="announcement_order",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("kind", "news"), ("maintenance_at", None)),
                            models.Q(("kind", "maintenance"), ("maintenance_at__isnull", False)),
                            _connector="OR",
                        ),
                        name="maintenance_has_time",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Dismissal",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "announcement",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="announcements.announcement",
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
                "constraints": [
                    models.UniqueConstraint(fields=("user", "announcement"), name="dismissed_once")
                ],
            },
        ),
    ]
