"""A ballot belongs to the tenure in which it was cast, and a closed vote has its final count."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    """Add the columns; `0009_votes_filled` fills them, since PostgreSQL wants two transactions."""

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("games", "0007_secrets"),
    ]

    operations = [
        migrations.AddField(
            "ballot",
            "tenure",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="games.tenure",
            ),
        ),
        migrations.RemoveConstraint("ballot", "ballot_seat"),
        migrations.AddConstraint(
            "ballot",
            models.UniqueConstraint(fields=("vote", "tenure"), name="ballot_tenure"),
        ),
        migrations.AddField(
            "vote",
            "asked_by",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField("vote", "agreed", models.PositiveSmallIntegerField(null=True)),
        migrations.AddField("vote", "against", models.PositiveSmallIntegerField(null=True)),
        migrations.AlterField(
            "vote",
            "seat",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="votes",
                to="games.seat",
            ),
        ),
    ]
