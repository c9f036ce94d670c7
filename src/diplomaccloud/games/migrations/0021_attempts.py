"""Count the attempts to process a phase."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """Count the attempts to process a phase that have not ended."""

    dependencies = [("games", "0020_signing_key")]

    operations = [
        migrations.AddField(
            "phase", "attempts", models.PositiveSmallIntegerField(default=0, db_default=0)
        )
    ]
