"""Games that go on though no person plays any more: how fast, how long, and what is told of it.

Whoever is out of a game likes to see its end, so the bots play it out; but it has an end.
"""

import datetime as dt

from diplomaccloud.games.actions.log import write_log
from diplomaccloud.games.models import Game, Phase
from diplomaccloud.games.options.options import MAX_BOTS_ONLY_YEARS
from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.phases import Season, Stage
from diplomaccloud.judge.position import Position

PACE = dt.timedelta(seconds=3)
"""How long a movement phase stays open in which only bots order.

Long enough to be seen and paused, and for a worker to serve hundreds of such games.
"""


def bots_time(stage: Stage) -> dt.timedelta:
    """Return how long a phase of `stage` is open in which nobody but bots has to order."""
    return PACE if stage is Stage.MOVEMENT else dt.timedelta()


def last_bots_only_year(game: Game) -> int:
    """Return the last year of a game that no person plays any more, if it gets so far."""
    last = game.board.first_year + MAX_BOTS_ONLY_YEARS - 1
    return min(last, game.options.ends.last_year or last)


def is_bots_only_time_up(game: Game, after: Position, disorder: frozenset[str]) -> bool:
    """Return whether the years of a game without people are over in the position `after`.

    Asked before each Spring, when whoever could build has built: a person is waited for who has
    units then, or may still build. Nobody is waited for to take a vacant seat. `disorder` are
    the powers without a player.
    """
    coming = after.phase
    if coming.stage is not Stage.MOVEMENT or coming.season is not Season.SPRING:
        return False
    if coming.year <= last_bots_only_year(game):
        return False
    return not _people_play(game, after, disorder)


def log_bots_only(phase: Phase, now: dt.datetime) -> None:
    """Write into the log, once in each line of the game, that no person plays any more."""
    game, position = phase.game, phase.position
    key, disorder = f"alone {game.branch}", frozenset(phase.civil_disorder)
    if _people_play(game, position, disorder) or game.log.filter(key=key).exists():
        return
    vacant = game.seats.filter(user=None, bot="").values_list("power", flat=True)
    last = max(last_bots_only_year(game), position.phase.year)
    said = "Nobody but bots is left: they play on by themselves"
    if _play(game, position, list(vacant), disorder):
        said = "No player is left: until somebody takes a vacant country the game goes on without"
    write_log(
        game=game,
        phase=phase,
        kind="alone",
        key=key,
        text=f"{said}, until {last} at the longest.",
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
