"""Rows for drafts, receipts, votes, tenures and the log, beside what was there."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    """Rows for drafts, receipts, votes, tenures and the log, beside what was there."""

    dependencies = [
        ("games", "0001_first"),
        ("maps", "0001_first"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Attendance",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("ordered", models.BooleanField()),
                ("excused", models.BooleanField(default=False)),
            ],
        ),
        migrations.CreateModel(
            name="Ballot",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("yes", models.BooleanField()),
                ("cast_at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="Draft",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=30)),
                ("live", models.BooleanField(null=True)),
                ("saved_at", models.DateTimeField()),
            ],
            options={
                "ordering": ("pk",),
            },
        ),
        migrations.CreateModel(
            name="Invitation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("invited_at", models.DateTimeField()),
                ("withdrawn_at", models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name="LogEntry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("kind", models.CharField(max_length=20)),
                ("key", models.CharField(max_length=80)),
                ("text", models.TextField()),
                ("reason", models.TextField(blank=True)),
                ("data", models.JSONField(default=dict)),
                ("at", models.DateTimeField()),
            ],
            options={
                "ordering": ("pk",),
            },
        ),
        migrations.CreateModel(
            name="Motion",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("kind", models.CharField(max_length=10)),
                ("data", models.JSONField(default=dict)),
                ("open", models.BooleanField(null=True)),
                ("opened_at", models.DateTimeField()),
                ("closes_at", models.DateTimeField()),
                ("closed_at", models.DateTimeField(null=True)),
                ("outcome", models.CharField(blank=True, max_length=10)),
            ],
            options={
                "ordering": ("pk",),
            },
        ),
        migrations.CreateModel(
            name="Plan",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("written", models.TextField()),
                ("canonical", models.JSONField()),
                ("saved_at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="Receipt",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("text", models.TextField(blank=True)),
                ("salt", models.CharField(max_length=64)),
                ("digest", models.CharField(max_length=64)),
                ("issued_at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="Tenure",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("bot", models.CharField(blank=True, max_length=20)),
                ("since_at", models.DateTimeField()),
                ("until_at", models.DateTimeField(null=True)),
                ("left", models.CharField(blank=True, max_length=12)),
            ],
            options={
                "ordering": ("pk",),
            },
        ),
        migrations.AddField(
            model_name="game",
            name="line",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="game",
            name="master",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="game",
            name="options",
            field=models.JSONField(null=True),
        ),
        migrations.AddField(
            model_name="phase",
            name="adjudicate_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="phase",
            name="disorder",
            field=models.JSONField(default=dict),
        ),
        migrations.AddField(
            model_name="phase",
            name="exact",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="phase",
            name="line",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="phase",
            name="locked_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="phase",
            name="superseded_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="seat",
            name="color",
            field=models.CharField(blank=True, max_length=7),
        ),
        migrations.AddField(
            model_name="seat",
            name="vacated_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="submission",
            name="ahead",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="submission",
            name="vote",
            field=models.CharField(blank=True, max_length=10),
        ),
        migrations.AddField(
            model_name="attendance",
            name="phase",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="attendances",
                to="games.phase",
            ),
        ),
        migrations.AddField(
            model_name="attendance",
            name="seat",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="attendances",
                to="games.seat",
            ),
        ),
        migrations.AddField(
            model_name="attendance",
            name="user",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="attendances",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="ballot",
            name="seat",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="games.seat"
            ),
        ),
        migrations.AddField(
            model_name="draft",
            name="phase",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="drafts", to="games.phase"
            ),
        ),
        migrations.AddField(
            model_name="draft",
            name="seat",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="drafts", to="games.seat"
            ),
        ),
        migrations.AddField(
            model_name="orderrow",
            name="draft",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="orders",
                to="games.draft",
            ),
        ),
        migrations.AddField(
            model_name="invitation",
            name="game",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="invitations",
                to="games.game",
            ),
        ),
        migrations.AddField(
            model_name="invitation",
            name="user",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="invitations",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="logentry",
            name="by",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="logentry",
            name="game",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="log", to="games.game"
            ),
        ),
        migrations.AddField(
            model_name="logentry",
            name="phase",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="log",
                to="games.phase",
            ),
        ),
        migrations.AddField(
            model_name="motion",
            name="game",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="motions", to="games.game"
            ),
        ),
        migrations.AddField(
            model_name="motion",
            name="phase",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="motions",
                to="games.phase",
            ),
        ),
        migrations.AddField(
            model_name="motion",
            name="seat",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="motions", to="games.seat"
            ),
        ),
        migrations.AddField(
            model_name="ballot",
            name="motion",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="ballots",
                to="games.motion",
            ),
        ),
        migrations.AddField(
            model_name="plan",
            name="phase",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="plans", to="games.phase"
            ),
        ),
        migrations.AddField(
            model_name="plan",
            name="seat",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="plans", to="games.seat"
            ),
        ),
        migrations.AddField(
            model_name="receipt",
            name="phase",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="receipts",
                to="games.phase",
            ),
        ),
        migrations.AddField(
            model_name="receipt",
            name="seat",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="receipts",
                to="games.seat",
            ),
        ),
        migrations.AddField(
            model_name="tenure",
            name="seat",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="tenures", to="games.seat"
            ),
        ),
        migrations.AddField(
            model_name="tenure",
            name="user",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="tenures",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddIndex(
            model_name="attendance",
            index=models.Index(fields=["user", "ordered"], name="attendance_counts"),
        ),
        migrations.AddConstraint(
            model_name="attendance",
            constraint=models.UniqueConstraint(fields=("phase", "seat"), name="attendance_seat"),
        ),
        migrations.AddConstraint(
            model_name="draft",
            constraint=models.UniqueConstraint(fields=("phase", "seat", "name"), name="draft_name"),
        ),
        migrations.AddConstraint(
            model_name="draft",
            constraint=models.UniqueConstraint(fields=("phase", "seat", "live"), name="draft_live"),
        ),
        migrations.AddConstraint(
            model_name="invitation",
            constraint=models.UniqueConstraint(fields=("game", "user"), name="invitation_user"),
        ),
        migrations.AddConstraint(
            model_name="logentry",
            constraint=models.UniqueConstraint(fields=("game", "key"), name="log_key"),
        ),
        migrations.AddConstraint(
            model_name="motion",
            constraint=models.UniqueConstraint(fields=("game", "kind", "open"), name="motion_open"),
        ),
        migrations.AddConstraint(
            model_name="motion",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("closed_at__isnull", True), ("open", True), ("outcome", "")),
                    models.Q(
                        ("closed_at__isnull", False),
                        ("open__isnull", True),
                        models.Q(("outcome", ""), _negated=True),
                    ),
                    _connector="OR",
                ),
                name="motion_closed",
            ),
        ),
        migrations.AddConstraint(
            model_name="ballot",
            constraint=models.UniqueConstraint(fields=("motion", "seat"), name="ballot_seat"),
        ),
        migrations.AddConstraint(
            model_name="plan",
            constraint=models.UniqueConstraint(fields=("phase", "seat"), name="plan_seat"),
        ),
        migrations.AddConstraint(
            model_name="receipt",
            constraint=models.UniqueConstraint(fields=("phase", "seat"), name="receipt_seat"),
        ),
        migrations.AddConstraint(
            model_name="tenure",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("bot", ""), ("user__isnull", False)),
                    models.Q(("user__isnull", True), models.Q(("bot", ""), _negated=True)),
                    _connector="OR",
                ),
                name="tenure_person_or_bot",
            ),
        ),
    ]
