"""Let a map be stored for a game without being in the gallery."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("maps", "0003_shipped_charts"),)

    operations = (
        migrations.AddField(
            model_name="storedchart",
            name="listed",
            field=models.BooleanField(db_default=True, default=True),
        ),
    )
