"""Create the table that says when the site was last looked after."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("worker", "0001_heartbeat")]

    operations = [
        migrations.CreateModel(
            name="Upkeep",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("backup", "Backup"), ("trial", "Trial")],
                        max_length=20,
                        unique=True,
                    ),
                ),
                ("done_at", models.DateTimeField()),
            ],
        ),
    ]
