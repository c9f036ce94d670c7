"""Messages remember what they carry, and may have no text."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """Adds a column."""

    dependencies = [("press", "0001_first")]

    operations = [
        migrations.AddField(
            model_name="message",
            name="attached",
            field=models.CharField(blank=True, default="", max_length=8),
        ),
        migrations.AlterField(
            model_name="message",
            name="body",
            field=models.TextField(blank=True),
        ),
    ]
