"""Games that only bots still play: their pace, their last year, and their log entry.

Players who are out of a game like to see how it ends, so the bots play it out, up to a limit.
"""

import datetime as dt

from diplomaccloud.games.actions.log import write_log
from diplomaccloud.games.models import Game, Phase
from diplomaccloud.games.options.options import MAX_BOTS_ONLY_YEARS
from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.phases import Season, Stage
from diplomaccloud.judge.position import Position

PACE = dt.timedelta(seconds=3)
"""How long a movement phase with orders of bots alone stays open.

It must be long enough to watch and to pause, and for a worker to serve hundreds of such games.
"""


def bots_time(stage: Stage) -> dt.timedelta:
    """Return how long a phase of `stage` stays open if only bots have something to order."""
    return PACE if stage is Stage.MOVEMENT else dt.timedelta()


def last_bots_only_year(game: Game) -> int:
    """Return the last year that a game without people may reach."""
    last = game.board.first_year + MAX_BOTS_ONLY_YEARS - 1
    return min(last, game.options.ends.last_year or last)


def is_bots_only_time_up(game: Game, after: Position, disorder: frozenset[str]) -> bool:
    """Return whether the years of a game without people are over in the position `after`.

    Decided before each Spring, after builds: the game continues for a person who has units then
    or can still build, but not for someone who might take over a vacant seat. `disorder` are the
    powers without a player.
    """
    coming = after.phase
    if coming.stage is not Stage.MOVEMENT or coming.season is not Season.SPRING:
        return False
    if coming.year <= last_bots_only_year(game):
        return False
    return not _people_play(game, after, disorder)


def log_bots_only(phase: Phase, now: dt.datetime) -> None:
    """Log, once on each branch of the game, that no person plays any more."""
    game, position = phase.game, phase.position
    key, disorder = f"alone {game.branch}", frozenset(phase.civil_disorder)
    if _people_play(game, position, disorder) or game.log.filter(key=key).exists():
        return
    vacant = game.seats.filter(user=None, bot="").values_list("power", flat=True)
    last = max(last_bots_only_year(game), position.phase.year)
    said = "Only bots are left, and they play on by themselves"
    if _play(game, position, list(vacant), disorder):
        said = "No player is left, and the game continues until someone takes a vacant country"
    write_log(
        game=game,
        phase=phase,
        kind="alone",
        key=key,
        text=f"{said}, until {last} at the latest.",
        now=now,
    )


def _people_play(game: Game, position: Position, disorder: frozenset[str]) -> bool:
    seats = game.seats.exclude(user=None).values_list("power", flat=True)
    return _play(game, position, list(seats), disorder)


def _play(
    game: Game, position: Position, seats: list[str | None], disorder: frozenset[str]
) -> bool:
    """Return whether one of the seats, named by their first powers, has a power that can go on."""
    powers = _able(game.board_at(position.phase), position) - disorder
    players = game.players_at(position.phase)
    return any(played[0] in seats and powers.intersection(played) for played in players)


def _able(board: Board, position: Position) -> set[Power]:
    """Return the powers that have units, or a home center to build in."""
    pieces = [*position.units, *(one.unit for one in position.dislodged)]
    homes = {
        power
        for power, codes in board.home_centers.items()
        if any(position.centers.get(code) == power for code in codes)
    }
    return homes.union(unit.power for unit in pieces)
