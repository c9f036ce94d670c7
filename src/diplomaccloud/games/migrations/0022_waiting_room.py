"""Canceled games, and the ready marks of the waiting room."""

from django.db import migrations, models
from django.db.models import Q

_STATUSES = ("forming", "running", "finished", "canceled")
_NOT_STARTED = ("forming", "canceled")


class Migration(migrations.Migration):
    """Allow a fourth status, of games that never started."""

    dependencies = [("games", "0021_attempts")]

    operations = [
        migrations.AddField("seat", "ready_at", models.DateTimeField(null=True)),
        migrations.AlterField(
            "game",
            "status",
            models.CharField(
                choices=[(status, status.capitalize()) for status in _STATUSES],
                default="forming",
                max_length=8,
            ),
        ),
        migrations.RemoveConstraint("game", "game_status"),
        migrations.RemoveConstraint("game", "game_started"),
        migrations.AddConstraint(
            "game",
            models.CheckConstraint(condition=Q(status__in=list(_STATUSES)), name="game_status"),
        ),
        migrations.AddConstraint(
            "game",
            models.CheckConstraint(
                condition=Q(status__in=_NOT_STARTED, started_at__isnull=True)
                | ~Q(status__in=_NOT_STARTED) & Q(started_at__isnull=False),
                name="game_started",
            ),
        ),
    ]
