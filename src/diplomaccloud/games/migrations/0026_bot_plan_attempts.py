"""How often a bot has begun to think, and until when one worker lets it."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """Add the columns."""

    dependencies = [("games", "0025_bot_plans")]

    operations = [
        migrations.AddField(
            "botplan", "attempts", models.PositiveSmallIntegerField(default=0, db_default=0)
        ),
        migrations.AddField("botplan", "lease_until", models.DateTimeField(null=True)),
    ]
