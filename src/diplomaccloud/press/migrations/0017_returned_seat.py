from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("press", "0016_assigned_cases")]

    operations = [
        migrations.AddField(
            model_name="decision",
            name="seat_returned",
            field=models.BooleanField(null=True),
        ),
    ]
