"""Who stands where among the players: by what the game counts, shared if tied."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from diplomaccloud.games.models import Game
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.victory import Measure


@dataclass(frozen=True, slots=True)
class Standing:
    """What a player has on the board."""

    powers: Collection[Power]
    centers: int
    units: int


def ranks_of(game: Game, standings: Mapping[int, Standing]) -> dict[int, int]:
    """Return each player's rank, equal for equal strength; winners share the first."""
    measure = game.measure
    winners = frozenset(game.ending.winners if game.ending else ())

    def worth(one: Standing) -> tuple[bool, int]:
        if winners.intersection(one.powers):
            return True, 0
        return False, one.units if measure is Measure.PIECES else one.centers

    worths = {key: worth(one) for key, one in standings.items()}
    return {key: 1 + sum(other > mine for other in worths.values()) for key, mine in worths.items()}
