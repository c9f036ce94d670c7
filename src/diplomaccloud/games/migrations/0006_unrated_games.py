from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0005_phase_grace_at")]

    operations = [
        migrations.AddField(
            model_name="playerfigures",
            name="unrated",
            field=models.IntegerField(db_default=0, default=0),
        ),
    ]
