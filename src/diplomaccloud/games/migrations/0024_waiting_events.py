"""Events wait until their notices are written; those of before count as handled."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """Add the mark, NULL for every event that there is, and the index that finds the waiting."""

    dependencies = [("games", "0023_talk_done")]

    operations = [
        migrations.AddField("event", "waiting", models.BooleanField(null=True)),
        migrations.AddIndex("event", models.Index(fields=["waiting", "id"], name="event_waiting")),
    ]
