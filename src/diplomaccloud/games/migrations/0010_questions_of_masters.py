"""A vote says whether a game master who plays asked it."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """Add the column, with a default in the database for servers of the previous release."""

    dependencies = [("games", "0009_votes_filled")]

    operations = [
        migrations.AddField(
            "vote", "by_master", models.BooleanField(default=False, db_default=False)
        ),
    ]
