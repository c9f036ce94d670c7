"""Games with only bots left: their pace, their last year, and their log entry.

Players who are out of a game like to see how it ends, so the bots keep playing, up to a limit.
"""

import datetime as dt

from diplomaccloud.games.actions.log import write_log
from diplomaccloud.games.models import Game, Phase
from diplomaccloud.games.options.options import MAX_BOTS_ONLY_YEARS
from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.phases import Season, Stage
from diplomaccloud.judge.position import Position

PACE = dt.timedelta(seconds=3)
"""How long a movement phase stays open if only bots have something to order.

This must be long enough for people to watch and pause the game, and for a worker to handle
hundreds of these games.
"""


def bots_time(stage: Stage) -> dt.timedelta:
    """Return how long a phase of `stage` stays open if only bots have something to order."""
    return PACE if stage is Stage.MOVEMENT else dt.timedelta()


def last_bots_only_year(game: Game) -> int:
    """Return the last year that a game with only bots can reach."""
    last = game.board.first_year + MAX_BOTS_ONLY_YEARS - 1
    return min(last, game.options.ends.last_year or last)


def is_bots_only_time_up(game: Game, after: Position, disorder: frozenset[str]) -> bool:
    """Return whether a game with only bots has reached its last year in the position `after`.

    This can be true only before a Spring, after builds. The game continues if a person has units or
    can still build then, but not because someone might take over a vacant seat. `disorder` holds
    the powers without a player.
    """
    upcoming = after.phase
    if upcoming.stage is not Stage.MOVEMENT or upcoming.season is not Season.SPRING:
        return False
    if upcoming.year <= last_bots_only_year(game):
        return False
    return not _has_people(game, after, disorder)


def log_bots_only(phase: Phase, now: dt.datetime) -> None:
    """Log, once on each branch of the game, that no person is still playing."""
    game, position = phase.game, phase.position
    key, disorder = f"alone {game.branch}", frozenset(phase.civil_disorder)
    if _has_people(game, position, disorder) or game.log.filter(key=key).exists():
        return
    vacant = game.seats.filter(user=None, bot="").values_list("power", flat=True)
    last = max(last_bots_only_year(game), position.phase.year)
    text = f"Only bots are left. They play on until {last} at the latest."
    if _is_played(game, position, list(vacant), disorder):
        text = (
            "No player is left. The game continues until someone takes a vacant country, but no "
            f"later than {last}."
        )
    write_log(
        game=game,
        phase=phase,
        kind="alone",
        key=key,
        text=text,
        now=now,
    )


def _has_people(game: Game, position: Position, disorder: frozenset[str]) -> bool:
    seats = game.seats.exclude(user=None).values_list("power", flat=True)
    return _is_played(game, position, list(seats), disorder)


def _is_played(
    game: Game, position: Position, seats: list[str | None], disorder: frozenset[str]
) -> bool:
    """Return whether a seat, given by its first power, has a power that is still in the game."""
    powers = _powers_in_game(game.board_at(position.phase), position) - disorder
    players = game.players_at(position.phase)
    return any(played[0] in seats and powers.intersection(played) for played in players)


def _powers_in_game(board: Board, position: Position) -> set[Power]:
    """Return the powers that have units, or a home center to build in."""
    pieces = [*position.units, *(dislodged.unit for dislodged in position.dislodged)]
    homes = {
        power
        for power, codes in board.home_centers.items()
        if any(position.centers.get(code) == power for code in codes)
    }
    return homes.union(unit.power for unit in pieces)
