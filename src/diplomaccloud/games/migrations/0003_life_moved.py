"""Older games go on: lengths become a schedule, orders the live draft, holders tenures."""

from typing import Any

from django.db import migrations
from django.db.models import F

DAY = 86_400
CAPS = {
    "extension": 3 * DAY,
    "extensions": 7 * DAY,
    "pause": 14 * DAY,
    "pauses": 30 * DAY,
    "credit_after": 300,
}


def move(apps: Any, _editor: Any) -> None:
    """Fill the rows and fields of the migration before from those of the one after."""
    _options(apps.get_model("games", "Game"))
    _phases(apps.get_model("games", "Phase"))
    _drafts(apps.get_model("games", "OrderRow"), apps.get_model("games", "Draft"))
    _tenures(apps.get_model("games", "Seat"), apps.get_model("games", "Tenure"))


def _options(games: Any) -> None:
    for game in games.objects.iterator():
        game.options = _agreed(game)
        game.save(update_fields=["options"])


def _agreed(game: Any) -> dict[str, object]:
    """Return the options of a game in the words of the day of this migration."""
    return {
        "v": 1,
        "schedule": {
            "v": 1,
            "kind": "interval",
            "early": True,
            "opening": 0,
            "grace": 0,
            "caps": CAPS,
            "movement": game.movement_seconds,
            "retreats": game.retreat_seconds,
            "adjustments": game.build_seconds,
            "days": None,
        },
        "setup": "",
        "fill_with": game.fill_with,
        "press": "full",
        "watch": "anyone",
        "anonymous": False,
        "start": "creator",
        "master": "software",
        "ends": {
            "centers": None,
            "last_year": game.end_year,
            "turns": None,
            "date": None,
            "measure": "centers",
        },
        "missed": {"limit": 0, "substitute": ""},
        "preset": "",
    }


def _phases(phases: Any) -> None:
    phases.objects.update(adjudicate_at=F("due_at"), locked_at=F("processed_at"))


def _drafts(rows: Any, drafts: Any) -> None:
    for row in rows.objects.order_by("pk").iterator():
        draft, _ = drafts.objects.get_or_create(
            phase_id=row.phase_id,
            seat_id=row.seat_id,
            live=True,
            defaults={"name": "Orders", "saved_at": row.saved_at},
        )
        row.draft = draft
        row.save(update_fields=["draft"])


def _tenures(seats: Any, tenures: Any) -> None:
    for seat in seats.objects.exclude(power=None).select_related("game").iterator():
        tenures.objects.create(
            seat=seat, user_id=seat.user_id, bot=seat.bot, since_at=seat.game.started_at
        )


class Migration(migrations.Migration):
    """Older games go on: lengths become a schedule, orders the live draft, holders tenures."""

    dependencies = [("games", "0002_life_rows")]

    operations = [migrations.RunPython(move, migrations.RunPython.noop)]
