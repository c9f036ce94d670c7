"""Game records that are read to verify the database or a copy of it, and not shown to anyone."""

import random
from collections.abc import Collection, Iterator

from diplomaccloud.games.models import Game, Status
from diplomaccloud.games.viewpoint.chain import dump_chain, read_record_end
from diplomaccloud.games.viewpoint.record import dump_game
from diplomaccloud.games.viewpoint.rows import GameRows
from diplomaccloud.games.viewpoint.visibility import Viewer

_STARTED = (Status.RUNNING, Status.FINISHED)


def list_sample(size: int) -> list[str]:
    """Return the addresses of at most `size` games: the newest, and a spread of older ones."""
    started = Game.objects.filter(status__in=_STARTED)
    newest = list(started.order_by("-pk").values_list("pk", flat=True)[: size - size // 2])
    last = newest[0] if newest else 0
    # Not `ORDER BY random()`, which would read every row.
    others = [
        started.filter(pk__gte=last * number // (size // 2)).order_by("pk").values_list("pk")[:1]
        for number in range(size // 2)
    ]
    return _list_slugs({*newest, *(key for found in others for (key,) in found)})


def draw_sample(size: int, most_lines: int | None = None) -> list[str]:
    """Return the addresses of at most `size` games with records that short, drawn at random."""
    started = Game.objects.filter(status__in=_STARTED).order_by("pk")
    if most_lines is not None:
        started = started.filter(record_length__lte=most_lines)
    last = started.values_list("pk", flat=True).last() or 0
    draws = [random.randint(1, last) for _ in range(size)] if last else []
    found = [
        started.filter(pk__gte=number).values_list("pk", flat=True).first() for number in draws
    ]
    return _list_slugs({key for key in found if key is not None})


def _list_slugs(keys: Collection[int]) -> list[str]:
    return list(Game.objects.filter(pk__in=keys).order_by("pk").values_list("slug", flat=True))


def read_record(slug: str) -> Iterator[str]:
    """Return the lines of a game's record, without anyone's own receipts."""
    game = Game.objects.select_related("chart", "creator", "master").get(slug=slug)
    rows = GameRows.of_known(game, Viewer(None), game.newest_phase(), list(game.seats.all()))
    end = read_record_end(rows)
    return dump_chain(rows, end) if end else dump_game(rows)
