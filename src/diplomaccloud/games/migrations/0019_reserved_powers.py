from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0018_phase_figures"),
    ]

    operations = [
        migrations.AddField(
            model_name="seat",
            name="reserved",
            field=models.CharField(blank=True, db_default="", default="", max_length=40),
        ),
        migrations.AddField(
            model_name="invitation",
            name="reserved",
            field=models.CharField(blank=True, db_default="", default="", max_length=40),
        ),
    ]
