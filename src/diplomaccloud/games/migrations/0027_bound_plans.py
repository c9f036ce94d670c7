"""What bots plan because of their deals."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """Add the columns."""

    dependencies = [("games", "0026_bot_plan_attempts")]

    operations = [
        migrations.AddField("botplan", "bound", models.JSONField(null=True)),
        migrations.AddField("botplan", "broken", models.JSONField(default=list)),
    ]
