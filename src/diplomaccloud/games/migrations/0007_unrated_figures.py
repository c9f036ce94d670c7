"""Take unrated games out of the figures of finished, won and shared games."""

from collections import Counter, defaultdict
from typing import Any

from django.db import migrations
from django.db.models import F

from diplomaccloud.games.table import log_models as figures

_GAMES_AT_ONCE = 500


def leave_out_unrated(apps: Any, _schema_editor: object) -> None:
    """Count each person's unrated games, and take them out of the other figures."""
    tables = {name: apps.get_model("games", name) for name in ("Game", "Seat", "Tenure")}
    games = tables["Game"].objects.filter(status="finished")
    changes: defaultdict[int, Counter[str]] = defaultdict(Counter)
    newest = games.order_by("-pk").values_list("pk", flat=True).first() or 0
    for start in range(0, newest + 1, _GAMES_AT_ONCE):
        rows = games.filter(pk__gte=start, pk__lt=start + _GAMES_AT_ONCE)
        held = tables["Tenure"].objects.filter(seat__game__in=rows).exclude(user=None).order_by()
        people = Counter(
            game for game, _ in held.values_list("seat__game", "seat").distinct().iterator()
        )
        endings = {
            key: (ending, options["setup"])
            for key, ending, options in rows.values_list("pk", "ending", "options")
            if figures.find_unrated(people[key], ending["reason"], len(ending["winners"]))
        }
        seats = tables["Seat"].objects.filter(game__in=list(endings)).exclude(user=None).order_by()
        for user, key, power in seats.values_list("user", "game", "power"):
            ending, setup = endings[key]
            result = figures.find_result(ending["winners"], power, setup)
            changes[user].update(
                finished=-1,
                unrated=1,
                won=-(result is figures.GameResult.WON),
                shared=-(result is figures.GameResult.SHARED),
            )
    for user, change in changes.items():
        added = {name: F(name) + number for name, number in change.items()}
        apps.get_model("games", "PlayerFigures").objects.filter(user=user).update(**added)


class Migration(migrations.Migration):
    dependencies = [("games", "0006_unrated_games")]

    operations = [migrations.RunPython(leave_out_unrated, migrations.RunPython.noop)]
