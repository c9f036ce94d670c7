from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

import diplomaccloud.accounts.screen_names
from diplomaccloud.accounts.screen_names import list_search_words

MAX_NAME = 150
AT_ONCE = 1000
POSTGRESQL = (
    "ALTER TABLE accounts_user ALTER folded_name DROP EXPRESSION",
    "ALTER TABLE accounts_user ALTER folded_name DROP NOT NULL,"
    f" ALTER folded_name TYPE varchar({MAX_NAME}), ALTER username TYPE varchar({MAX_NAME}),"
    f" ALTER hidden_name TYPE varchar({MAX_NAME})",
)
MARIADB = (
    f"ALTER TABLE accounts_user MODIFY folded_name varchar({MAX_NAME}) NULL,"
    f" MODIFY username varchar({MAX_NAME}) NOT NULL,"
    f" MODIFY hidden_name varchar({MAX_NAME}) NULL",
)


def widen_columns(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    """Let the site write the key of a name, which the database made of it, and longer names.

    Django can only drop the column and add another. It keeps its name and its values, so that
    processes of the previous release go on reading it. They don't fill it for people who sign up
    with them, so it can be NULL.
    """
    statements = {"postgresql": POSTGRESQL, "mysql": MARIADB}.get(editor.connection.vendor)
    if statements is not None:
        for statement in statements:
            editor.execute(statement)
        return
    user = apps.get_model("accounts", "User")
    changes = []
    for name, null in (("folded_name", True), ("username", False), ("hidden_name", True)):
        old = user._meta.get_field(name)
        new = models.CharField(max_length=MAX_NAME, null=null, unique=True)
        new.set_attributes_from_name(name)
        new.model = user
        changes.append((old, new))
    editor._remake_table(user, alter_fields=changes)  # type: ignore[attr-defined]


def fill_words(apps: StateApps, _editor: BaseDatabaseSchemaEditor) -> None:
    """Save the words of all names, so that searches find them."""
    word = apps.get_model("accounts", "NameWord")
    people = apps.get_model("accounts", "User").objects.filter(guest=False, deleted_at=None)
    last = 0
    while rows := list(
        people.filter(pk__gt=last).order_by("pk").values_list("pk", "username")[:AT_ONCE],
    ):
        word.objects.bulk_create(
            [
                word(user_id=key, word=each)
                for key, name in rows
                for each in list_search_words(name)
            ],
            ignore_conflicts=True,
        )
        last = rows[-1][0]


class Migration(migrations.Migration):
    dependencies = [("accounts", "0019_color_scheme")]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunPython(widen_columns),
            ],
            state_operations=[
                migrations.AlterField(
                    model_name="user",
                    name="folded_name",
                    field=models.CharField(
                        editable=False,
                        max_length=MAX_NAME,
                        null=True,
                        unique=True,
                    ),
                ),
                migrations.AlterField(
                    model_name="user",
                    name="hidden_name",
                    field=models.CharField(
                        editable=False,
                        max_length=MAX_NAME,
                        null=True,
                        unique=True,
                    ),
                ),
                migrations.AlterField(
                    model_name="user",
                    name="username",
                    field=models.CharField(
                        error_messages={"unique": "This screen name is taken."},
                        help_text=diplomaccloud.accounts.screen_names.NAME_HELP,
                        max_length=MAX_NAME,
                        unique=True,
                        validators=[diplomaccloud.accounts.screen_names.check_name],
                        verbose_name="screen name",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="NameWord",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True,
                        primary_key=True,
                        serialize=False,
                        verbose_name="ID",
                    ),
                ),
                ("word", diplomaccloud.accounts.screen_names.WordField(max_length=MAX_NAME)),
                (
                    "user",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=models.CASCADE,
                        related_name="words",
                        to="accounts.user",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["word", "user"], name="word_of_name")],
                "constraints": [models.UniqueConstraint(fields=("user", "word"), name="word_once")],
            },
        ),
        migrations.RunPython(fill_words, migrations.RunPython.noop),
    ]
