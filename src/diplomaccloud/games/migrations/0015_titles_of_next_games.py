"""Give each next game the title of its template, and drop a column that repeats that of its game."""

from typing import Any

from django.db import migrations, models


def copy_titles(apps: Any, _schema_editor: object) -> None:
    """Copy the titles from the templates."""
    for template in apps.get_model("games", "GameTemplate").objects.all():
        template.games.update(title=template.title)


class Migration(migrations.Migration):
    dependencies = [("games", "0014_ratings")]
    contracts = "No release since 0.2 has had this column."

    operations = [
        migrations.RemoveField("nextgame", "rated"),
        migrations.AddField("nextgame", "title", models.CharField(max_length=60, db_default="")),
        migrations.RunPython(copy_titles, migrations.RunPython.noop),
    ]
