"""Fresh secrets for draws, coin flips, bots and lots; old games and open phases use their seed."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """Add the secrets, blank in what was there before."""

    dependencies = [("games", "0006_plain_names")]

    operations = [
        migrations.AddField("game", "coins", models.JSONField(default=dict)),
        migrations.AddField("game", "draw_secret", models.CharField(blank=True, max_length=64)),
        migrations.AlterField("game", "seed", models.CharField(blank=True, max_length=64)),
        migrations.AddField("phase", "bots_secret", models.CharField(blank=True, max_length=64)),
        migrations.AddField("phase", "judge_secret", models.CharField(blank=True, max_length=64)),
    ]
