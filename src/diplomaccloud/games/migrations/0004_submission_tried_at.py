from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0003_seat_and_character_secrets")]

    operations = [
        migrations.AddField(
            model_name="submission",
            name="tried_at",
            field=models.DateTimeField(null=True),
        ),
    ]
