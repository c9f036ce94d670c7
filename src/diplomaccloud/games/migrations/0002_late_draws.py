"""Records of games that were created and started in one step lack the draw of powers: add it.

No line can be added before others. The added line says that it is late, and verifying begins there.
"""

from typing import Any

from django.db import migrations
from django.utils import timezone

from diplomaccloud.judge.board import Power
from diplomaccloud.judge.standard.setups import setups
from diplomaccloud.record.chain import ChainLine, make_lines
from diplomaccloud.record.lines import DrawnSeat, Kind, draw_line

GAMES_AT_ONCE = 200


def add_late_draws(apps: Any, _: object) -> None:
    """Add the draw at the end of each record that lacks it."""
    game_rows, line_rows, seat_rows, tenure_rows = (
        apps.get_model("games", name) for name in ("Game", "RecordLine", "Seat", "Tenure")
    )
    started = game_rows.objects.filter(record_length__gt=0, started_at__isnull=False)
    games = started.exclude(
        pk__in=line_rows.objects.filter(kind=Kind.DRAW).values("game")
    ).order_by("pk")
    after = 0
    while batch := list(games.filter(pk__gt=after)[:GAMES_AT_ONCE]):
        for game in batch:
            seats = [
                DrawnSeat(
                    _find_powers(game.options.get("setup", ""), seat.power),
                    tenure_rows.objects.filter(seat=seat).order_by("pk").first().bot,
                )
                for seat in seat_rows.objects.filter(game=game).order_by("number")
            ]
            body = draw_line(secret=game.draw_secret, seats=seats, late=True, at=timezone.now())
            last = ChainLine(game.record_length, "", game.record_head)
            (line,) = make_lines([body], after=last)
            line_rows.objects.create(
                game=game, number=line.number, kind=Kind.DRAW, text=line.text, hash=line.hash
            )
            game_rows.objects.filter(pk=game.pk).update(
                record_length=line.number, record_head=line.hash
            )
        after = batch[-1].pk


def _find_powers(setup: str, first: str) -> tuple[Power, ...]:
    """Return the powers of the player whose first power this is."""
    if setup:
        return next(tuple(powers) for powers in setups()[setup].players if powers[0] == first)
    return (Power(first),)


class Migration(migrations.Migration):
    dependencies = [("games", "0001_squashed_0028_event_order")]

    operations = [migrations.RunPython(add_late_draws, migrations.RunPython.noop)]
