"""The order in which the players of a game rank, by the game's rules."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from diplomaccloud.endings import Measure
from diplomaccloud.games.table.models import Game
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.position import Position


@dataclass(frozen=True, slots=True)
class Strength:
    """A player's units and centers on the board."""

    powers: Collection[Power]
    centers: int
    units: int


def measure_strength(position: Position, powers: Collection[Power]) -> Strength:
    """Return the total strength of `powers` in `position`."""
    return Strength(
        powers,
        sum(len(position.centers_of(power)) for power in powers),
        sum(len(position.units_of(p)) + len(position.dislodged_of(p)) for p in powers),
    )


def rank_players(game: Game, strengths: Mapping[int, Strength]) -> dict[int, int]:
    """Return each player's rank; equal strength means equal rank, and winners share first place."""
    measure = game.measure
    winners = frozenset(game.ending.winners if game.ending else ())

    def score(strength: Strength) -> tuple[bool, int]:
        if winners.intersection(strength.powers):
            return True, 0
        return False, strength.units if measure is Measure.PIECES else strength.centers

    scores = {key: score(strength) for key, strength in strengths.items()}
    return {
        key: 1 + sum(rival > value for rival in scores.values()) for key, value in scores.items()
    }
