"""Create the tables of games, as migrations that are gone did: see `shared/upgrades.py`."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps
from django.utils import timezone

from diplomaccloud.record.signatures import make_key


def make_first_key(apps: StateApps, _schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Make the key with which a new site signs records and receipts."""
    key = make_key()
    apps.get_model("games", "SigningKey").objects.create(
        key_id=key.key_id, public=key.public, private=key.private, created_at=timezone.now()
    )


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("accounts", "0001_squashed_0013_hidden_name"),
        ("maps", "0001_squashed_0004_previews"),
    ]

    operations = [
        migrations.CreateModel(
            name="PlayerFigures",
            fields=[
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
                ("turns", models.IntegerField(default=0)),
                ("missed", models.IntegerField(default=0)),
                ("games", models.IntegerField(default=0)),
                ("left", models.IntegerField(default=0)),
                ("running", models.IntegerField(default=0)),
                ("finished", models.IntegerField(default=0)),
                ("won", models.IntegerField(default=0)),
                ("shared", models.IntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name="SigningKey",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key_id", models.CharField(max_length=16, unique=True)),
                ("public", models.CharField(max_length=64)),
                ("private", models.CharField(max_length=64)),
                ("created_at", models.DateTimeField()),
                ("retired_at", models.DateTimeField(null=True)),
            ],
            options={
                "ordering": ("pk",),
            },
        ),
        migrations.CreateModel(
            name="StoredRules",
            fields=[
                ("digest", models.CharField(max_length=64, primary_key=True, serialize=False)),
                ("rules", models.JSONField()),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="Game",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("slug", models.CharField(max_length=16, unique=True)),
                ("world", models.CharField(max_length=40)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("forming", "Forming"),
                            ("running", "Running"),
                            ("finished", "Finished"),
                            ("canceled", "Canceled"),
                        ],
                        default="forming",
                        max_length=8,
                    ),
                ),
                ("options", models.JSONField()),
                ("private", models.BooleanField(default=False)),
                ("watchable", models.BooleanField(default=True)),
                ("code", models.CharField(max_length=16)),
                ("seed", models.CharField(blank=True, max_length=64)),
                ("draw_secret", models.CharField(blank=True, max_length=64)),
                ("coins", models.JSONField(default=dict)),
                ("created_at", models.DateTimeField()),
                ("started_at", models.DateTimeField(null=True)),
                ("finished_at", models.DateTimeField(null=True)),
                ("branch", models.PositiveIntegerField(default=0)),
                ("ending", models.JSONField(null=True)),
                ("suspended_reason", models.TextField(blank=True)),
                ("record_length", models.PositiveIntegerField(default=0)),
                ("record_head", models.CharField(blank=True, max_length=64)),
                ("version", models.IntegerField(default=0)),
                (
                    "chart",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, to="maps.storedchart"
                    ),
                ),
                (
                    "creator",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "master",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "rule_set",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="games.storedrules",
                    ),
                ),
            ],
            options={
                "ordering": ("-created_at", "-pk"),
                "indexes": [
                    models.Index(fields=["status", "private", "id"], name="game_lists"),
                    models.Index(
                        fields=["status", "private", "watchable", "id"], name="game_watchable"
                    ),
                    models.Index(fields=["master", "status", "id"], name="game_mastered"),
                    models.Index(fields=["code"], name="game_codes"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("status__in", ["forming", "running", "finished", "canceled"])
                        ),
                        name="game_status",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("started_at__isnull", True),
                                ("status__in", ("forming", "canceled")),
                            ),
                            models.Q(
                                models.Q(("status__in", ("forming", "canceled")), _negated=True),
                                ("started_at__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="game_started",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("ending__isnull", False),
                                ("finished_at__isnull", False),
                                ("status", "finished"),
                            ),
                            models.Q(
                                models.Q(("status", "finished"), _negated=True),
                                ("finished_at__isnull", True),
                            ),
                            _connector="OR",
                        ),
                        name="game_finished",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Phase",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("sequence", models.PositiveIntegerField()),
                ("branch", models.PositiveIntegerField(default=0)),
                ("name", models.CharField(max_length=8)),
                ("position", models.JSONField()),
                ("civil_disorder", models.JSONField(default=dict)),
                ("engine", models.CharField(max_length=20)),
                ("map_hash", models.CharField(max_length=64)),
                ("judge_secret", models.CharField(blank=True, max_length=64)),
                ("bots_secret", models.CharField(blank=True, max_length=64)),
                ("opens_at", models.DateTimeField()),
                ("due_at", models.DateTimeField()),
                ("adjudicate_at", models.DateTimeField()),
                ("fixed_deadline", models.BooleanField(default=False)),
                ("locked_at", models.DateTimeField(null=True)),
                ("lease_until", models.DateTimeField(null=True)),
                ("lease_owner", models.CharField(blank=True, max_length=40)),
                ("attempts", models.PositiveSmallIntegerField(db_default=0, default=0)),
                ("processed_at", models.DateTimeField(null=True)),
                ("results", models.JSONField(null=True)),
                ("superseded_at", models.DateTimeField(null=True)),
                ("open", models.BooleanField(default=True, null=True)),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="phases",
                        to="games.game",
                    ),
                ),
                (
                    "rule_set",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="games.storedrules",
                    ),
                ),
            ],
            options={
                "ordering": ("game", "sequence"),
                "indexes": [
                    models.Index(fields=["open", "adjudicate_at"], name="phase_due_rows"),
                    models.Index(fields=["open", "locked_at", "due_at"], name="phase_lock_rows"),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("game", "sequence"), name="phase_sequence"),
                    models.UniqueConstraint(fields=("game", "branch", "name"), name="phase_name"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("processed_at__isnull", True), ("results__isnull", True)),
                            models.Q(
                                ("locked_at__isnull", False),
                                ("processed_at__isnull", False),
                                ("results__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="phase_processed",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("due_at__gte", models.F("opens_at"))), name="phase_due"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("adjudicate_at__gte", models.F("due_at"))),
                        name="phase_adjudicate",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Seat",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("power", models.CharField(max_length=40, null=True)),
                ("number", models.PositiveSmallIntegerField(null=True)),
                ("bot", models.CharField(blank=True, max_length=20)),
                ("country", models.CharField(blank=True, max_length=30)),
                ("colors", models.JSONField(default=dict)),
                ("vacated_at", models.DateTimeField(null=True)),
                ("finished_at", models.DateTimeField(null=True)),
                ("ready_at", models.DateTimeField(null=True)),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="seats",
                        to="games.game",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="seats",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("pk",),
                "indexes": [
                    models.Index(fields=["user", "finished_at", "id"], name="seat_games"),
                    models.Index(fields=["finished_at", "vacated_at"], name="seat_vacant"),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("game", "power"), name="seat_power"),
                    models.UniqueConstraint(fields=("game", "user"), name="seat_user"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("bot", ""), ("user__isnull", False), ("vacated_at__isnull", True)
                            ),
                            models.Q(
                                ("user__isnull", True),
                                ("vacated_at__isnull", True),
                                models.Q(("bot", ""), _negated=True),
                            ),
                            models.Q(
                                ("bot", ""), ("user__isnull", True), ("vacated_at__isnull", False)
                            ),
                            _connector="OR",
                        ),
                        name="seat_holder",
                    ),
                ],
            },
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
                ("salt", models.CharField(blank=True, max_length=64)),
                ("digest", models.CharField(blank=True, max_length=64)),
                ("sealed_text", models.TextField(blank=True)),
                ("sealed_salt", models.CharField(blank=True, max_length=64)),
                ("sealed_digest", models.CharField(blank=True, max_length=64)),
                ("issued_at", models.DateTimeField()),
                (
                    "phase",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="receipts",
                        to="games.phase",
                    ),
                ),
                (
                    "seat",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="receipts",
                        to="games.seat",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("phase", "seat"), name="receipt_seat")
                ],
            },
        ),
        migrations.CreateModel(
            name="Event",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("kind", models.CharField(max_length=20)),
                ("key", models.CharField(max_length=80)),
                ("data", models.JSONField(default=dict)),
                ("created_at", models.DateTimeField()),
                ("waiting", models.BooleanField(null=True)),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="events",
                        to="games.game",
                    ),
                ),
                (
                    "seat",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="games.seat",
                    ),
                ),
            ],
            options={
                "ordering": ("pk",),
                "indexes": [
                    models.Index(fields=["game", "seat", "id"], name="event_public"),
                    models.Index(fields=["waiting", "id"], name="event_waiting"),
                ],
                "constraints": [models.UniqueConstraint(fields=("game", "key"), name="event_key")],
            },
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
                (
                    "phase",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="drafts",
                        to="games.phase",
                    ),
                ),
                (
                    "seat",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="drafts",
                        to="games.seat",
                    ),
                ),
            ],
            options={
                "ordering": ("pk",),
                "constraints": [
                    models.UniqueConstraint(fields=("phase", "seat", "name"), name="draft_name"),
                    models.UniqueConstraint(fields=("phase", "seat", "live"), name="draft_live"),
                ],
            },
        ),
        migrations.CreateModel(
            name="ConditionalOrders",
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
                (
                    "phase",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="conditional_orders",
                        to="games.phase",
                    ),
                ),
                (
                    "seat",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="conditional_orders",
                        to="games.seat",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("phase", "seat"), name="conditional_orders_seat"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="BotPlan",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("bot", models.CharField(max_length=20)),
                ("orders", models.JSONField(default=list)),
                ("fell_back", models.BooleanField(default=False)),
                ("until", models.DateTimeField(null=True)),
                ("attempts", models.PositiveSmallIntegerField(db_default=0, default=0)),
                ("lease_until", models.DateTimeField(null=True)),
                ("bound", models.JSONField(null=True)),
                ("broken", models.JSONField(default=list)),
                (
                    "phase",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="bot_plans",
                        to="games.phase",
                    ),
                ),
                (
                    "seat",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="bot_plans",
                        to="games.seat",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["until"], name="bot_plan_thinking")],
                "constraints": [
                    models.UniqueConstraint(fields=("phase", "seat"), name="bot_plan_seat")
                ],
            },
        ),
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
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="attendances",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "phase",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="attendances",
                        to="games.phase",
                    ),
                ),
                (
                    "seat",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="attendances",
                        to="games.seat",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["user", "ordered"], name="attendance_counts")],
                "constraints": [
                    models.UniqueConstraint(fields=("phase", "seat"), name="attendance_seat")
                ],
            },
        ),
        migrations.CreateModel(
            name="SaveReceipt",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
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
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
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
                "indexes": [models.Index(fields=["phase", "seat"], name="save_receipt_seat")],
            },
        ),
        migrations.CreateModel(
            name="Submission",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("saved_at", models.DateTimeField(null=True)),
                ("ready_at", models.DateTimeField(null=True)),
                ("by_conditional_orders", models.BooleanField(default=False)),
                ("draw_vote", models.CharField(blank=True, max_length=10)),
                (
                    "phase",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="submissions",
                        to="games.phase",
                    ),
                ),
                (
                    "seat",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="submissions",
                        to="games.seat",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("phase", "seat"), name="submission_seat")
                ],
            },
        ),
        migrations.CreateModel(
            name="TalkDone",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField()),
                (
                    "phase",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="talk_done",
                        to="games.phase",
                    ),
                ),
                (
                    "seat",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="talk_done",
                        to="games.seat",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("phase", "seat"), name="talk_done")
                ],
            },
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
                (
                    "seat",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="tenures",
                        to="games.seat",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="tenures",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("pk",),
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("bot", ""), ("user__isnull", False)),
                            models.Q(("user__isnull", True), models.Q(("bot", ""), _negated=True)),
                            _connector="OR",
                        ),
                        name="tenure_person_or_bot",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Vote",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("by_master", models.BooleanField(db_default=False, default=False)),
                ("kind", models.CharField(max_length=10)),
                ("data", models.JSONField(default=dict)),
                ("open", models.BooleanField(null=True)),
                ("opened_at", models.DateTimeField()),
                ("closes_at", models.DateTimeField()),
                ("closed_at", models.DateTimeField(null=True)),
                ("outcome", models.CharField(blank=True, max_length=10)),
                ("agreed", models.PositiveSmallIntegerField(null=True)),
                ("against", models.PositiveSmallIntegerField(null=True)),
                (
                    "asked_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="votes",
                        to="games.game",
                    ),
                ),
                (
                    "phase",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="votes",
                        to="games.phase",
                    ),
                ),
                (
                    "seat",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="votes",
                        to="games.seat",
                    ),
                ),
            ],
            options={
                "ordering": ("pk",),
                "indexes": [models.Index(fields=["open", "closes_at"], name="vote_late")],
                "constraints": [
                    models.UniqueConstraint(fields=("game", "kind", "open"), name="vote_open"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("closed_at__isnull", True), ("open", True), ("outcome", "")),
                            models.Q(
                                ("closed_at__isnull", False),
                                ("open__isnull", True),
                                models.Q(("outcome", ""), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="vote_closed",
                    ),
                ],
            },
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
                (
                    "seat",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="games.seat",
                    ),
                ),
                (
                    "tenure",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="games.tenure",
                    ),
                ),
                (
                    "vote",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="ballots",
                        to="games.vote",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("vote", "tenure"), name="ballot_tenure")
                ],
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
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="invitations",
                        to="games.game",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="invitations",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("game", "user"), name="invitation_user")
                ],
            },
        ),
        migrations.CreateModel(
            name="OrderRow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("unit", models.CharField(max_length=20)),
                ("written", models.CharField(max_length=200)),
                ("canonical", models.JSONField()),
                ("saved_at", models.DateTimeField()),
                (
                    "draft",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="orders",
                        to="games.draft",
                    ),
                ),
            ],
            options={
                "ordering": ("pk",),
                "constraints": [
                    models.UniqueConstraint(fields=("draft", "unit"), name="order_unit")
                ],
            },
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
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="log",
                        to="games.game",
                    ),
                ),
                (
                    "phase",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="log",
                        to="games.phase",
                    ),
                ),
            ],
            options={
                "ordering": ("pk",),
                "constraints": [models.UniqueConstraint(fields=("game", "key"), name="log_key")],
            },
        ),
        migrations.CreateModel(
            name="RecordLine",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
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
                "constraints": [
                    models.UniqueConstraint(fields=("game", "number"), name="record_number")
                ],
            },
        ),
        migrations.RunPython(make_first_key, migrations.RunPython.noop),
    ]
