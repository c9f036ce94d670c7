"""Games that go on though no person plays any more: how fast, how long, and what is told of it.

Whoever is out of a game likes to see its end, so the bots play it out; but it has an end.
"""

import datetime as dt

from diplomaccloud.games.actions.ledger import write_log
from diplomaccloud.games.models import Game, Phase
from diplomaccloud.games.options import BOTS_YEARS
from diplomaccloud.games.records import board_of, options_of, players_of, position_of
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.judge.phases import Season, Stage
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.votes import players_left

PACE = dt.timedelta(seconds=3)
"""How long a movement phase stays open in which only bots order.

Long enough to be seen and paused, and for a worker to serve hundreds of such games.
"""


def bots_time(stage: Stage) -> dt.timedelta:
    """Return how long a phase of `stage` is open in which nobody but bots has to order."""
    return PACE if stage is Stage.MOVEMENT else dt.timedelta()


def last_year_alone(game: Game) -> int:
    """Return the last year of a game that no person plays any more, if it gets so far."""
    last = board_of(game).first_year + BOTS_YEARS - 1
    return min(last, options_of(game).ends.last_year or last)


def is_up_alone(game: Game, after: Position, disorder: frozenset[str]) -> bool:
    """Return whether the years of a game without people are over in the position `after`.

    Asked before each Spring, when whoever could build has built: a person who has no units
    then is not waited for. `disorder` are the powers without a player.
    """
    coming = after.phase
    if coming.stage is not Stage.MOVEMENT or coming.season is not Season.SPRING:
        return False
    if coming.year <= last_year_alone(game):
        return False
    moving = {unit.power for unit in after.units} - disorder
    people = game.seats.exclude(user=None).values_list("power", flat=True)
    return not _play(game, coming, list(people), moving)


def tell_alone(phase: Phase, now: dt.datetime) -> None:
    """Write into the log, once in each line of the game, that only bots play on."""
    game, position = phase.game, position_of(phase)
    key = f"alone {game.line}"
    left = set(players_left(position)) - set(phase.disorder)
    seats = list(game.seats.filter(bot="").values_list("power", flat=True))
    if _play(game, position.phase, seats, left) or game.log.filter(key=key).exists():
        return
    last = max(last_year_alone(game), position.phase.year)
    write_log(
        game=game,
        phase=phase,
        kind="alone",
        key=key,
        text=f"Nobody but bots is left: they play on by themselves, until {last} at the longest.",
        now=now,
    )


def _play(game: Game, when: JudgePhase, seats: list[str | None], powers: set[Power]) -> bool:
    """Return whether one of the seats, named by their first powers, plays one of the `powers`."""
    return any(
        played[0] in seats and powers.intersection(played) for played in players_of(game, when)
    )
