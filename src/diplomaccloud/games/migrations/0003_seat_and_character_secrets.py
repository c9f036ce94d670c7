from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0002_late_draws")]

    operations = [
        migrations.AddField(
            model_name="game",
            name="seat_secret",
            field=models.CharField(blank=True, db_default="", max_length=64),
        ),
        migrations.AddField(
            model_name="game",
            name="character_secret",
            field=models.CharField(blank=True, db_default="", max_length=64),
        ),
        migrations.AddField(
            model_name="phase", name="sealed_bots", field=models.JSONField(null=True)
        ),
    ]
