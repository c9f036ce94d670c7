from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("maps", "0002_certificates"),
    ]

    operations = [
        migrations.RenameModel("KeptMap", "SavedMap"),
        migrations.AlterField(
            "savedmap",
            "chart",
            models.ForeignKey(
                on_delete=models.deletion.PROTECT, related_name="saves", to="maps.storedchart"
            ),
        ),
        # The new constraint comes first: on MySQL its index serves the foreign key, too.
        migrations.AddConstraint(
            "savedmap",
            models.UniqueConstraint(fields=("user", "chart"), name="saved_map_once"),
        ),
        migrations.RemoveConstraint("savedmap", "kept_map_once"),
    ]
