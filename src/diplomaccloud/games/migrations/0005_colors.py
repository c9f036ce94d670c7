"""A player of several powers chooses a color for each."""

from typing import Any

from django.db import migrations, models


def move(apps: Any, _editor: Any) -> None:
    """Give each color that was chosen to the one power of its seat."""
    seats = apps.get_model("games", "Seat").objects.exclude(power=None).exclude(color="")
    for seat in seats.iterator():
        seat.colors = {seat.power: seat.color}
        seat.save(update_fields=["colors"])


class Migration(migrations.Migration):
    """A player of several powers chooses a color for each."""

    dependencies = [("games", "0004_life_kept")]

    operations = [
        migrations.AddField(model_name="seat", name="colors", field=models.JSONField(default=dict)),
        migrations.RunPython(move, migrations.RunPython.noop),
        migrations.RemoveField(model_name="seat", name="color"),
    ]
