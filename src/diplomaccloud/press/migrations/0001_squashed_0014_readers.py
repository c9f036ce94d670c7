"""Create the tables of press, as migrations that are gone did: see `shared/upgrades.py`."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import diplomaccloud.press.moderation.models
import diplomaccloud.press.proposals.wording


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("accounts", "0001_squashed_0013_hidden_name"),
        ("games", "0001_squashed_0028_event_order"),
        ("maps", "0001_squashed_0004_previews"),
    ]

    operations = [
        migrations.CreateModel(
            name="Decision",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("on_appeal", models.BooleanField(default=False)),
                ("by_master", models.BooleanField(default=False)),
                (
                    "outcome",
                    models.CharField(
                        choices=[
                            ("none", "No action"),
                            ("warning", "Warning"),
                            ("limited", "Press limited"),
                            ("removed", "Removed from the game"),
                            ("banned", "Banned from the site"),
                        ],
                        max_length=12,
                    ),
                ),
                ("reason", models.CharField(max_length=1000)),
                ("until", models.DateTimeField(null=True)),
                ("at", models.DateTimeField()),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Case",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "key",
                    models.CharField(
                        default=diplomaccloud.press.moderation.models.make_key,
                        max_length=12,
                        unique=True,
                    ),
                ),
                (
                    "stage",
                    models.CharField(
                        choices=[
                            ("open", "Open"),
                            ("decided", "Decided"),
                            ("appealed", "Appealed"),
                            ("final", "Final"),
                        ],
                        default="open",
                        max_length=12,
                    ),
                ),
                ("open", models.BooleanField(default=True, null=True)),
                ("opened_at", models.DateTimeField()),
                ("taken_at", models.DateTimeField(null=True)),
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
                    "taken_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["stage", "opened_at", "id"], name="case_queue"),
                    models.Index(fields=["taken_by", "stage"], name="case_taken"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Conversation",
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
                        choices=[
                            ("seats", "seats"),
                            ("public", "public"),
                            ("gray", "gray"),
                            ("master", "master"),
                            ("notes", "notes"),
                            ("pregame", "pregame"),
                            ("people", "people"),
                        ],
                        max_length=8,
                    ),
                ),
                ("key", models.CharField(max_length=200, unique=True)),
                ("last", models.PositiveIntegerField(default=0)),
                ("last_at", models.DateTimeField()),
                (
                    "game",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="games.game",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["game", "kind"], name="conversation_game")],
            },
        ),
        migrations.CreateModel(
            name="LedgerMark",
            fields=[
                (
                    "game",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="games.game",
                    ),
                ),
                ("judged", models.PositiveIntegerField(default=0)),
                ("open", models.BooleanField(db_index=True, default=True, null=True)),
            ],
        ),
        migrations.CreateModel(
            name="Message",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("subject", models.CharField(blank=True, max_length=256)),
                ("body", models.TextField(blank=True)),
                ("attached", models.CharField(blank=True, default="", max_length=8)),
                ("at", models.DateTimeField()),
                (
                    "author",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "conversation",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="messages",
                        to="press.conversation",
                    ),
                ),
                (
                    "phase",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="games.phase",
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
                (
                    "tenure",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="games.tenure",
                    ),
                ),
            ],
            options={
                "ordering": ("conversation", "number"),
                "constraints": [
                    models.UniqueConstraint(
                        fields=("conversation", "number"), name="message_number"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="PressSettings",
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
                ("personal", models.BooleanField(default=True)),
            ],
        ),
        migrations.CreateModel(
            name="Send",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=32)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("seats", "seats"),
                            ("public", "public"),
                            ("gray", "gray"),
                            ("master", "master"),
                            ("notes", "notes"),
                            ("pregame", "pregame"),
                            ("people", "people"),
                        ],
                        max_length=8,
                    ),
                ),
                ("digest", models.CharField(max_length=64)),
                ("copies", models.PositiveSmallIntegerField()),
                ("opened", models.PositiveSmallIntegerField(default=0)),
                ("subject", models.CharField(blank=True, max_length=256)),
                ("body", models.TextField(blank=True)),
                ("at", models.DateTimeField()),
                ("unnoticed", models.BooleanField(null=True)),
                (
                    "author",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="games.game",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["author", "game", "at"], name="send_limits"),
                    models.Index(fields=["author", "at", "id"], name="send_sent"),
                    models.Index(fields=["unnoticed", "id"], name="send_unnoticed"),
                ],
                "constraints": [models.UniqueConstraint(fields=("author", "key"), name="send_key")],
            },
        ),
        migrations.CreateModel(
            name="Appeal",
            fields=[
                (
                    "decision",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="appeal",
                        serialize=False,
                        to="press.decision",
                    ),
                ),
                ("text", models.CharField(max_length=1000)),
                ("at", models.DateTimeField()),
            ],
        ),
        migrations.AddField(
            model_name="decision",
            name="case",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="decisions",
                to="press.case",
            ),
        ),
        migrations.CreateModel(
            name="AuditEntry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField()),
                (
                    "act",
                    models.CharField(
                        choices=[
                            ("appointed", "Appointed"),
                            ("dismissed", "Dismissed"),
                            ("taken", "Taken"),
                            ("returned", "Returned"),
                            ("decided", "Decided"),
                            ("inspected", "Inspected"),
                            ("blanked", "Blanked"),
                            ("hidden", "Hidden"),
                            ("kept", "Kept"),
                            ("restored", "Restored"),
                        ],
                        max_length=12,
                    ),
                ),
                ("detail", models.CharField(blank=True, max_length=1000)),
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
                    "person",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "case",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="press.case",
                    ),
                ),
            ],
            options={
                "ordering": ("-pk",),
            },
        ),
        migrations.CreateModel(
            name="ConferenceMap",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("title", models.CharField(max_length=40)),
                ("powers", models.TextField(blank=True)),
                ("orders", models.PositiveSmallIntegerField()),
                ("marks", models.PositiveSmallIntegerField()),
                ("steps", models.PositiveSmallIntegerField()),
                ("content", models.TextField()),
                ("at", models.DateTimeField()),
                (
                    "author",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="games.game",
                    ),
                ),
                (
                    "made_in",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="games.phase",
                    ),
                ),
                (
                    "parent",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="press.conferencemap",
                    ),
                ),
                (
                    "phase",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="games.phase",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("game", "author", "number"), name="map_number")
                ],
            },
        ),
        migrations.CreateModel(
            name="OpenConversation",
            fields=[
                (
                    "conversation",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="press.conversation",
                    ),
                ),
                ("ended_at", models.DateTimeField()),
                ("last", models.PositiveIntegerField()),
            ],
        ),
        migrations.CreateModel(
            name="Document",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("text", models.TextField()),
                ("fixed_at", models.DateTimeField(null=True)),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="games.game",
                    ),
                ),
                (
                    "seat",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="games.seat",
                    ),
                ),
                (
                    "tenure",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="games.tenure",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Inspection",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "what",
                    models.CharField(
                        choices=[("conversation", "Conversation"), ("name", "Name")], max_length=12
                    ),
                ),
                ("reason", models.CharField(max_length=1000)),
                ("at", models.DateTimeField()),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "case",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="inspections",
                        to="press.case",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Membership",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("first", models.PositiveIntegerField()),
                ("since", models.PositiveIntegerField()),
                ("last", models.PositiveIntegerField(null=True)),
                ("read", models.PositiveIntegerField(default=0)),
                ("read_before", models.PositiveIntegerField(db_default=0, default=0)),
                ("unread", models.PositiveIntegerField(default=0)),
                ("muted_at", models.DateTimeField(null=True)),
                ("active_at", models.DateTimeField(null=True)),
                (
                    "conversation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="memberships",
                        to="press.conversation",
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
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("pk",),
                "indexes": [
                    models.Index(fields=["user", "active_at", "id"], name="membership_person"),
                    models.Index(fields=["user", "unread"], name="membership_unread"),
                    models.Index(fields=["seat", "last"], name="membership_seat"),
                    models.Index(fields=["conversation", "user"], name="membership_reader"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("seat__isnull", False), ("tenure__isnull", False)),
                            models.Q(
                                ("seat__isnull", True),
                                ("tenure__isnull", True),
                                ("user__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="membership_holder",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="SentMap",
            fields=[
                (
                    "message",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="sent_map",
                        serialize=False,
                        to="press.message",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="HiddenMessage",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
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
                (
                    "message",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="hidden",
                        to="press.message",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("user", "message"), name="hidden_message")
                ],
            },
        ),
        migrations.CreateModel(
            name="DocumentCopy",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "document",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="copies",
                        to="press.document",
                    ),
                ),
                (
                    "message",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="document",
                        to="press.message",
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="case",
            name="message",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="cases",
                to="press.message",
            ),
        ),
        migrations.CreateModel(
            name="OpeningConsent",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("ended_at", models.DateTimeField()),
                ("last", models.PositiveIntegerField()),
                (
                    "conversation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="press.conversation",
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
                    models.UniqueConstraint(fields=("user", "conversation"), name="opening_consent")
                ],
            },
        ),
        migrations.CreateModel(
            name="PendingTalk",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("due_at", models.DateTimeField(db_index=True)),
                (
                    "phase",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="games.phase",
                    ),
                ),
                (
                    "seat",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="games.seat",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("phase", "seat"), name="pending_talk_seat")
                ],
            },
        ),
        migrations.CreateModel(
            name="PressEvent",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("kind", models.CharField(max_length=20)),
                ("key", models.CharField(max_length=120)),
                ("data", models.JSONField(default=dict)),
                ("at", models.DateTimeField()),
                ("waiting", models.BooleanField(default=True, null=True)),
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
                    "message",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="press.message",
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
            ],
            options={
                "indexes": [models.Index(fields=["waiting", "id"], name="press_event_waiting")],
                "constraints": [
                    models.UniqueConstraint(fields=("key", "user"), name="press_event_key")
                ],
            },
        ),
        migrations.CreateModel(
            name="PressVersion",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("place", models.PositiveBigIntegerField()),
                ("number", models.PositiveIntegerField(default=0)),
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
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("place", "user"), name="press_version")
                ],
            },
        ),
        migrations.CreateModel(
            name="Proposal",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("terms", models.JSONField()),
                (
                    "state",
                    models.CharField(
                        default=diplomaccloud.press.proposals.wording.ProposalState["OPEN"],
                        max_length=10,
                    ),
                ),
                ("alternative", models.PositiveSmallIntegerField(null=True)),
                ("closed_at", models.DateTimeField(null=True)),
                (
                    "counters",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="press.proposal",
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="games.game",
                    ),
                ),
                (
                    "message",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="proposal",
                        to="press.message",
                    ),
                ),
                (
                    "phase",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="games.phase",
                    ),
                ),
                (
                    "seat",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="games.seat",
                    ),
                ),
                (
                    "tenure",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="games.tenure",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["game", "state", "id"], name="proposal_game"),
                    models.Index(fields=["phase", "seat"], name="proposal_limit"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("closed_at__isnull", True), ("state", "open")),
                            models.Q(
                                models.Q(("state", "open"), _negated=True),
                                ("closed_at__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="proposal_closed",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="PendingReply",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("due_at", models.DateTimeField(db_index=True)),
                ("attempts", models.PositiveSmallIntegerField(db_default=0, default=0)),
                (
                    "seat",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="games.seat",
                    ),
                ),
                (
                    "proposal",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="press.proposal",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("proposal", "seat"), name="pending_reply_seat")
                ],
            },
        ),
        migrations.CreateModel(
            name="LedgerEntry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("findings", models.JSONField()),
                ("final", models.BooleanField()),
                (
                    "phase",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="games.phase",
                    ),
                ),
                (
                    "proposal",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="ledger",
                        to="press.proposal",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("proposal", "phase"), name="ledger_phase")
                ],
            },
        ),
        migrations.CreateModel(
            name="ProposalAnswer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("answer", models.CharField(max_length=10)),
                ("alternative", models.PositiveSmallIntegerField(default=0)),
                ("at", models.DateTimeField()),
                (
                    "proposal",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="answers",
                        to="press.proposal",
                    ),
                ),
                (
                    "seat",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="games.seat",
                    ),
                ),
                (
                    "tenure",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="games.tenure",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("proposal", "seat"), name="proposal_answer_seat"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Report",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "grounds",
                    models.CharField(
                        choices=[
                            ("abuse", "Insults or harassment"),
                            ("threat", "A threat outside the game"),
                            ("cheating", "Cheating: several accounts, or a deal outside the game"),
                            ("private", "Personal data about someone"),
                            ("spam", "Spam or advertising"),
                            ("other", "Something else"),
                        ],
                        max_length=12,
                    ),
                ),
                ("note", models.CharField(blank=True, max_length=1000)),
                ("evidence", models.JSONField()),
                ("digest", models.CharField(max_length=64)),
                ("at", models.DateTimeField()),
                (
                    "case",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="reports",
                        to="press.case",
                    ),
                ),
                (
                    "message",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="press.message",
                    ),
                ),
                (
                    "reporter",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["reporter", "at"], name="report_limits")],
                "constraints": [
                    models.UniqueConstraint(fields=("reporter", "message"), name="report_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="SeatMute",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField()),
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
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="games.tenure",
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
                "constraints": [models.UniqueConstraint(fields=("user", "seat"), name="seat_mute")],
            },
        ),
        migrations.CreateModel(
            name="WaitingMessage",
            fields=[
                (
                    "send",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="waiting",
                        serialize=False,
                        to="press.send",
                    ),
                ),
                ("at", models.DateTimeField(db_index=True)),
            ],
        ),
        migrations.AddField(
            model_name="message",
            name="send",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="messages",
                to="press.send",
            ),
        ),
        migrations.CreateModel(
            name="Signature",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField()),
                (
                    "document",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="signatures",
                        to="press.document",
                    ),
                ),
                (
                    "phase",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="games.phase",
                    ),
                ),
                (
                    "seat",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="games.seat",
                    ),
                ),
                (
                    "tenure",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="games.tenure",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("document", "seat"), name="document_signature_seat"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="TextCase",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "key",
                    models.CharField(
                        default=diplomaccloud.press.moderation.models.make_key,
                        max_length=12,
                        unique=True,
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("name", "screen name"),
                            ("status", "status message"),
                            ("map", "map name"),
                        ],
                        max_length=12,
                    ),
                ),
                ("text", models.CharField(max_length=140)),
                (
                    "stage",
                    models.CharField(
                        choices=[
                            ("open", "Open"),
                            ("kept", "Kept"),
                            ("hidden", "Hidden"),
                            ("restored", "Restored"),
                        ],
                        default="open",
                        max_length=12,
                    ),
                ),
                ("open", models.BooleanField(default=True, null=True)),
                ("opened_at", models.DateTimeField()),
                ("judged_at", models.DateTimeField(null=True)),
                ("reason", models.CharField(blank=True, default="", max_length=1000)),
                (
                    "chart",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="maps.storedchart",
                    ),
                ),
                (
                    "judged_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["stage", "opened_at", "id"], name="text_queue")],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("person", "kind", "text", "open"), name="text_open"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="TextReport",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "grounds",
                    models.CharField(
                        choices=[
                            ("abuse", "Insults or harassment"),
                            ("threat", "A threat outside the game"),
                            ("cheating", "Cheating: several accounts, or a deal outside the game"),
                            ("private", "Personal data about someone"),
                            ("spam", "Spam or advertising"),
                            ("other", "Something else"),
                        ],
                        max_length=12,
                    ),
                ),
                ("note", models.CharField(blank=True, max_length=1000)),
                ("at", models.DateTimeField()),
                (
                    "case",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="reports",
                        to="press.textcase",
                    ),
                ),
                (
                    "reporter",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["reporter", "at"], name="text_report_limits")],
                "constraints": [
                    models.UniqueConstraint(fields=("reporter", "case"), name="text_report_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="PressLimit",
            fields=[
                (
                    "decision",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="limit",
                        serialize=False,
                        to="press.decision",
                    ),
                ),
                ("until", models.DateTimeField()),
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
                "indexes": [models.Index(fields=["user", "until"], name="press_limit")],
            },
        ),
        migrations.CreateModel(
            name="Block",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField()),
                (
                    "blocked",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
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
                "constraints": [models.UniqueConstraint(fields=("user", "blocked"), name="block")],
            },
        ),
        migrations.AddConstraint(
            model_name="decision",
            constraint=models.UniqueConstraint(fields=("case", "on_appeal"), name="decision_once"),
        ),
        migrations.AddField(
            model_name="sentmap",
            name="map",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="sent",
                to="press.conferencemap",
            ),
        ),
        migrations.AddConstraint(
            model_name="case",
            constraint=models.UniqueConstraint(fields=("message", "open"), name="case_open"),
        ),
        migrations.AddField(
            model_name="waitingmessage",
            name="game",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="games.game"
            ),
        ),
    ]
