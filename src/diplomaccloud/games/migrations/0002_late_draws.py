"""Records of games that were created and started in one step lack the draw of powers: add it.

No line can be added before others. The added line says that it is late, and verifying begins there.
"""

from typing import Any

from django.db import migrations, transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from diplomaccloud.judge.board import Power
from diplomaccloud.record.chain import ChainLine, make_lines
from diplomaccloud.record.lines import DrawnSeat, LineKind, draw_line
from diplomaccloud.setups import setups


def add_late_draws(apps: Any, _: object) -> None:
    """Add the draw at the end of each record that lacks it."""
    game_rows, line_rows, seat_rows, tenure_rows = (
        apps.get_model("games", name) for name in ("Game", "RecordLine", "Seat", "Tenure")
    )
    drawn = line_rows.objects.filter(game=OuterRef("pk"), kind=LineKind.DRAW)
    games = game_rows.objects.filter(record_length__gt=0, started_at__isnull=False)
    for key in list(games.exclude(Exists(drawn)).order_by("pk").values_list("pk", flat=True)):
        # A worker may write lines meanwhile.
        with transaction.atomic():
            game = game_rows.objects.select_for_update().get(pk=key)
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
                game=game, number=line.number, kind=LineKind.DRAW, text=line.text, hash=line.hash
            )
            game_rows.objects.filter(pk=key).update(
                record_length=line.number, record_head=line.hash
            )


def _find_powers(setup: str, first: str) -> tuple[Power, ...]:
    """Return the powers of the player whose first power this is."""
    if setup:
        return next(tuple(powers) for powers in setups()[setup].players if powers[0] == first)
    return (Power(first),)


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("games", "0001_squashed_0028_event_order")]

    operations = [migrations.RunPython(add_late_draws, migrations.RunPython.noop)]
