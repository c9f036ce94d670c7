"""How often a worker has begun to weigh the answer of a bot."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """Add the column."""

    dependencies = [("press", "0010_bot_talks")]

    operations = [
        migrations.AddField(
            "pendingreply", "attempts", models.PositiveSmallIntegerField(default=0, db_default=0)
        ),
    ]
