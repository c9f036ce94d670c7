import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0017_results_by_map"),
    ]

    operations = [
        migrations.CreateModel(
            name="PhaseFigures",
            fields=[
                (
                    "phase",
                    models.OneToOneField(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="figures",
                        serialize=False,
                        to="games.phase",
                    ),
                ),
                ("counts", models.JSONField()),
            ],
        ),
    ]
