"""Who stands where among the players: by what the game counts, shared if tied."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from diplomaccloud.games.models import Game
from diplomaccloud.games.records import options_of, rules_of
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.rules import Victory
from diplomaccloud.judge.victory import Measure


@dataclass(frozen=True, slots=True)
class Standing:
    """What a player has on the board."""

    powers: Collection[Power]
    centers: int
    units: int


def measure_of(game: Game) -> Measure:
    """Return what the game ranks its players by: what decides when its time is up, else its rules.

    The 1961 rules count pieces, all others supply centers.
    """
    ends = options_of(game).ends
    if ends.last_year is not None or ends.turns is not None or ends.date is not None:
        return ends.measure
    return Measure.PIECES if rules_of(game).victory is Victory.PIECES else Measure.CENTERS


def ranks_of(game: Game, standings: Mapping[int, Standing]) -> dict[int, int]:
    """Return each player's rank, equal for equal strength; winners share the first."""
    measure = measure_of(game)
    winners = frozenset(game.ending["winners"] if game.ending else ())

    def worth(one: Standing) -> tuple[bool, int]:
        if winners.intersection(one.powers):
            return True, 0
        return False, one.units if measure is Measure.PIECES else one.centers

    worths = {key: worth(one) for key, one in standings.items()}
    return {key: 1 + sum(other > mine for other in worths.values()) for key, mine in worths.items()}
