import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0006_unrated_games"),
        ("press", "0018_reports_of_players"),
    ]

    operations = [
        migrations.AddField(
            model_name="auditentry",
            name="game",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="games.game",
            ),
        ),
        migrations.AlterField(
            model_name="auditentry",
            name="act",
            field=models.CharField(
                choices=[
                    ("appointed", "Appointed"),
                    ("dismissed", "Dismissed"),
                    ("assigned", "Assigned"),
                    ("taken", "Taken"),
                    ("returned", "Returned"),
                    ("decided", "Decided"),
                    ("inspected", "Inspected"),
                    ("blanked", "Blanked"),
                    ("hidden", "Hidden"),
                    ("kept", "Kept"),
                    ("restored", "Restored"),
                    ("frozen", "Frozen"),
                    ("unfrozen", "Unfrozen"),
                    ("paused", "Paused"),
                    ("unpaused", "Unpaused"),
                ],
                max_length=12,
            ),
        ),
    ]
