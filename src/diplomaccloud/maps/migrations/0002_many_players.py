from django.db import migrations


class Migration(migrations.Migration):
    """A map has as many powers as a board may have, which its reader checks."""

    dependencies = (("maps", "0001_squashed_0004_previews"),)

    operations = (migrations.RemoveConstraint(model_name="storedchart", name="chart_players"),)
