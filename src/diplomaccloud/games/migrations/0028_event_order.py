from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0027_bound_plans")]

    operations = [
        migrations.RemoveIndex(model_name="event", name="event_public"),
        migrations.AddIndex(
            model_name="event",
            index=models.Index(fields=["game", "seat", "id"], name="event_public"),
        ),
    ]
