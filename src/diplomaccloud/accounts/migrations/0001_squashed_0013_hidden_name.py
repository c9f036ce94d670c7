"""Create the tables of accounts, as migrations that are gone did: see `shared/upgrades.py`."""

import django.contrib.auth.models
import django.contrib.auth.validators
import django.core.validators
import django.db.models.deletion
import django.db.models.functions.text
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [
        migrations.CreateModel(
            name="RetiredName",
            fields=[
                ("digest", models.CharField(max_length=64, primary_key=True, serialize=False)),
            ],
        ),
        migrations.CreateModel(
            name="User",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("password", models.CharField(max_length=128, verbose_name="password")),
                (
                    "last_login",
                    models.DateTimeField(blank=True, null=True, verbose_name="last login"),
                ),
                (
                    "is_superuser",
                    models.BooleanField(
                        default=False,
                        help_text="Designates that this user has all permissions without explicitly assigning them.",
                        verbose_name="superuser status",
                    ),
                ),
                (
                    "email",
                    models.EmailField(blank=True, max_length=254, verbose_name="email address"),
                ),
                (
                    "is_staff",
                    models.BooleanField(
                        default=False,
                        help_text="Designates whether the user can log into this admin site.",
                        verbose_name="staff status",
                    ),
                ),
                (
                    "is_active",
                    models.BooleanField(
                        default=True,
                        help_text="Designates whether this user should be treated as active. Unselect this instead of deleting accounts.",
                        verbose_name="active",
                    ),
                ),
                (
                    "date_joined",
                    models.DateTimeField(
                        default=django.utils.timezone.now, verbose_name="date joined"
                    ),
                ),
                (
                    "username",
                    models.CharField(
                        error_messages={"unique": "This screen name is taken."},
                        help_text="2 to 30 characters: letters, digits and . _ - + @",
                        max_length=30,
                        unique=True,
                        validators=[
                            django.contrib.auth.validators.ASCIIUsernameValidator(
                                message="Use only the letters A to Z, digits and . _ - + @ in a screen name."
                            ),
                            django.core.validators.MinLengthValidator(2),
                        ],
                        verbose_name="screen name",
                    ),
                ),
                (
                    "folded_name",
                    models.GeneratedField(
                        db_persist=True,
                        expression=django.db.models.functions.text.Lower("username"),
                        output_field=models.CharField(max_length=30),
                        unique=True,
                    ),
                ),
                (
                    "name_skeleton",
                    models.CharField(editable=False, max_length=255, null=True, unique=True),
                ),
                (
                    "hidden_name",
                    models.CharField(editable=False, max_length=30, null=True, unique=True),
                ),
                ("status", models.CharField(blank=True, db_default="", default="", max_length=140)),
                ("guest", models.BooleanField(db_default=False, default=False)),
                ("visited_at", models.DateTimeField(null=True)),
                ("moderator", models.BooleanField(db_default=False, default=False)),
                ("banned_at", models.DateTimeField(null=True)),
                ("deleted_at", models.DateTimeField(null=True)),
                (
                    "session_salt",
                    models.CharField(blank=True, db_default="", default="", max_length=12),
                ),
                (
                    "groups",
                    models.ManyToManyField(
                        blank=True,
                        help_text="The groups this user belongs to. A user will get all permissions granted to each of their groups.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.group",
                        verbose_name="groups",
                    ),
                ),
                (
                    "user_permissions",
                    models.ManyToManyField(
                        blank=True,
                        help_text="Specific permissions for this user.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.permission",
                        verbose_name="user permissions",
                    ),
                ),
            ],
            options={
                "verbose_name": "user",
                "verbose_name_plural": "users",
                "abstract": False,
                "indexes": [
                    models.Index(fields=["last_login"], name="user_last_login"),
                    models.Index(fields=["guest", "folded_name"], name="user_names"),
                    models.Index(fields=["guest", "last_login"], name="user_logins"),
                    models.Index(fields=["guest", "id"], name="user_newest"),
                    models.Index(fields=["guest", "visited_at"], name="user_guests"),
                ],
            },
            managers=[
                ("objects", django.contrib.auth.models.UserManager()),
            ],
        ),
        migrations.CreateModel(
            name="LoginSession",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("session_key", models.CharField(max_length=40, unique=True)),
                ("device", models.CharField(max_length=60)),
                ("created_at", models.DateTimeField()),
                ("seen_at", models.DateTimeField(db_index=True)),
                (
                    "user",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["user", "seen_at"], name="session_list")],
            },
        ),
        migrations.CreateModel(
            name="OutgoingMail",
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
                            ("reset request", "Reset Request"),
                            ("reset link", "Reset Link"),
                            ("notices", "Notices"),
                            ("confirmation", "Confirmation"),
                            ("address confirmation", "Address Confirmation"),
                            ("address changed", "Address Changed"),
                        ],
                        max_length=20,
                    ),
                ),
                ("recipient", models.EmailField(max_length=320)),
                ("origin", models.CharField(max_length=300)),
                ("created_at", models.DateTimeField()),
                ("tries", models.PositiveSmallIntegerField(default=0)),
                ("due_at", models.DateTimeField(db_index=True, null=True)),
                ("sent_at", models.DateTimeField(null=True)),
                ("last_error", models.CharField(blank=True, default="", max_length=100)),
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
        ),
    ]
