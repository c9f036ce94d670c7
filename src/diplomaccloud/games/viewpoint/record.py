"""A game's record, which can be replayed without the site, and the game's statistics."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby

from django.db.models import QuerySet

from diplomaccloud.games.models import Phase
from diplomaccloud.games.viewpoint.rows import GameRows
from diplomaccloud.games.viewpoint.statistics import Played, Tally, count_deeds
from diplomaccloud.games.viewpoint.written_orders import read_all_written
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.protocol import dump_record
from diplomaccloud.judge.results import Resolution


def dump_game(rows: GameRows) -> Iterator[str]:
    """Yield the lines of the record, which `diplomaccloud replay` can adjudicate again offline.

    The orders of processed phases and the secrets of their lots are public; the seed becomes public
    once the game is over. If the board changes during a game, a second heading follows.
    """
    written, seeds = read_all_written(rows), _read_seeds(rows)
    for board, phases in groupby(
        _read_played(rows.processed), lambda played: rows.game.board_at(played[0].phase)
    ):
        yield from dump_record(
            board,
            rows.game.rules,
            map(_with_orders, phases),
            name=rows.game.slug,
            seed=rows.game.seed if rows.is_finished else "",
            seeds=seeds,
            written=written,
        )


def _read_seeds(rows: GameRows) -> dict[str, str]:
    """Return the public seeds of processed phases, by the phase's short name."""
    return {
        phase.name: phase.seed
        for phase in rows.processed.defer("position", "results")
        if phase.judge_secret or rows.is_finished
    }


@lru_cache(maxsize=256)
def tally_phases(game_id: int, sequences: tuple[int, ...]) -> Tally:
    """Return the statistics of processed phases of a game; reads only a few kilobytes.

    Processed phases never change and sequence numbers are never reused, so a tally is valid
    until another phase is processed.
    """
    return count_deeds(_read_played(Phase.objects.filter(game=game_id, sequence__in=sequences)))


def _read_played(phases: QuerySet[Phase]) -> list[Played]:
    rows = phases.order_by("sequence")
    return [(row.position, row.resolution) for row in rows]


def _with_orders(played: Played) -> tuple[Position, tuple[Order, ...], Resolution]:
    position, resolution = played
    orders = tuple(result.order for result in resolution.results if not result.implicit)
    return position, orders, resolution
