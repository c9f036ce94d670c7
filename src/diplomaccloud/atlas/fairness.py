"""How equal the chances of the powers are on a board, before the first move.

Each figure has one value per power; a figure is fair where the values are alike, so it is
reported as their coefficient of variation (standard deviation over mean).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import sqrt

from diplomaccloud.judge.board import Board, Location, Power, ProvinceCode, UnitKind, province_of
from diplomaccloud.judge.geography import count_steps, geography

_NEVER = 99
_LONGEST = 20
"""Steps beyond which a center counts for no farther away."""
_EXPOSURE = {1: 8, 2: 4, 3: 2, 4: 1}
"""How much a center so many steps away draws a power into the fighting."""

PART = 2520
"""Shares of something among up to ten powers are whole numbers of such parts."""
RAID_UNIT = 4096
RAIDS = tuple(RAID_UNIT * 3**moves // 5**moves for moves in range(21))
"""What an enemy unit so many moves away threatens a home with: 0.6 to the power of the moves."""
HOLD_WEIGHT, DISTANCE_WEIGHT, NEAREST_WEIGHT = 150, 9, 23
"""Hundredths of an equal share that a home held, a step to victory and a neutral center add.

Fitted once on what the greedy bot came to on 56 generated maps (392 powers); they explain 0.40
of the variance of the shares, on maps left out of the fit. Fewer than the steps to the centers
are far from the fighting: a longer way to victory helps.
"""


@dataclass(frozen=True)
class _Chances:
    """What the figures of one board are counted from."""

    board: Board

    @cached_property
    def neutrals(self) -> tuple[ProvinceCode, ...]:
        """The centers that are nobody's home."""
        homes = {code for codes in self.board.home_centers.values() for code in codes}
        return tuple(code for code in self.board.centers if code not in homes)

    @cached_property
    def moves(self) -> Mapping[Power, Mapping[ProvinceCode, int]]:
        """For each power the moves its nearest starting unit needs to each province."""
        return {info.power: _moves(self.board, info.power) for info in self.board.powers}

    @cached_property
    def steps(self) -> Mapping[Power, Mapping[ProvinceCode, int]]:
        """For each power the steps by land or sea from its nearest home to each province."""
        around = geography(self.board).around
        return {
            power: count_steps(around, homes) for power, homes in self.board.home_centers.items()
        }

    @cached_property
    def prospects(self) -> Mapping[Power, Fraction]:
        """For each power its predicted share of the centers, in equal shares, but for the mean."""
        return {
            power: Fraction(HOLD_WEIGHT, 100) * self.held(power)
            + Fraction(DISTANCE_WEIGHT, 100) * distance_to_win(self, power)
            + Fraction(NEAREST_WEIGHT, 100) * neutral_share(self, power)
            for power in self.moves
        }

    def held(self, power: Power) -> Fraction:
        """Return how many homes `power` is likely to keep: less the nearer the enemies are."""
        enemies = [moves for other, moves in self.moves.items() if other != power]
        threats = (
            sum(RAIDS[min(moves.get(home, _NEVER), _LONGEST)] for moves in enemies)
            for home in self.board.home_centers[power]
        )
        return sum(
            (Fraction(PART * RAID_UNIT // (RAID_UNIT + t), PART) for t in threats), Fraction(0)
        )

    def foreign(self, power: Power) -> tuple[ProvinceCode, ...]:
        """Return the homes of the other powers."""
        homes = self.board.home_centers
        return tuple(code for other in homes if other != power for code in homes[other])

    def far(self, power: Power, code: ProvinceCode) -> int:
        """Return the steps by land or sea from `power` to `code`."""
        return self.steps[power].get(code, _NEVER)

    def soon(self, power: Power, code: ProvinceCode) -> bool:
        """Return whether a unit of `power` can be in `code` after the first year."""
        return self.moves[power].get(code, _NEVER) <= 2

    def near(self, power: Power, code: ProvinceCode) -> bool:
        """Return whether `code` is within two steps by land or sea of a home of `power`."""
        return self.far(power, code) <= 2

    def first(self, power: Power, code: ProvinceCode) -> bool:
        """Return whether nobody is nearer to `code` than `power`."""
        return self.far(power, code) == min(self.far(other, code) for other in self.steps)

    def part(
        self, having: Callable[[Power, ProvinceCode], bool], power: Power, code: ProvinceCode
    ) -> Fraction:
        """Return the part of `code` that `power` has, shared with all others `having` it."""
        if not having(power, code):
            return Fraction(0)
        return Fraction(1, sum(having(other, code) for other in self.steps))


def neutrals_reached(chances: _Chances, power: Power) -> int:
    """Return how many neutral centers a unit can reach within the first year."""
    return sum(chances.soon(power, code) for code in chances.neutrals)


def neutrals_two_moves(chances: _Chances, power: Power) -> Fraction:
    """Return the neutral centers within two steps, each shared by all powers as near as that."""
    return sum((chances.part(chances.near, power, code) for code in chances.neutrals), Fraction(0))


def neutral_share(chances: _Chances, power: Power) -> Fraction:
    """Return the neutral centers nearer to no other power, shared where several are as near."""
    return sum((chances.part(chances.first, power, code) for code in chances.neutrals), Fraction(0))


def moves_to_threaten(chances: _Chances, power: Power) -> Fraction:
    """Return the moves until an enemy unit can be in a home, the mean of all the homes."""
    enemies = [moves for other, moves in chances.moves.items() if other != power]
    homes = chances.board.home_centers[power]
    total = sum(min(moves.get(code, _NEVER) for moves in enemies) for code in homes)
    return Fraction(total, max(len(homes), 1))


def distance_to_win(chances: _Chances, power: Power) -> int:
    """Return the sum of the steps to as many centers as win, the nearest ones."""
    far = sorted(min(chances.far(power, code), _LONGEST) for code in chances.board.centers)
    return sum(far[: chances.board.victory_centers])


def enemy_homes_three_moves(chances: _Chances, power: Power) -> int:
    """Return how many homes of other powers are within three steps."""
    return sum(chances.far(power, code) <= 3 for code in chances.foreign(power))


def voronoi_share(chances: _Chances, power: Power) -> Fraction:
    """Return the provinces nearer to no other power, shared where several are as near."""
    codes = chances.board.by_code
    return sum((chances.part(chances.first, power, code) for code in codes), Fraction(0))


def frontier(chances: _Chances, power: Power) -> int:
    """Return how many provinces touch the homes from outside."""
    around, homes = geography(chances.board).around, chances.board.home_centers[power]
    return len({near for code in homes for near in around[code]} - set(homes))


def exposure(chances: _Chances, power: Power) -> int:
    """Return the weight of the centers near by, enemy homes counting twice."""
    drawn = {code: _EXPOSURE.get(chances.far(power, code), 0) for code in chances.board.centers}
    return sum(drawn[code] for code in chances.neutrals) + 2 * sum(
        drawn[code] for code in chances.foreign(power)
    )


def predicted_share(chances: _Chances, power: Power) -> Fraction:
    """Return the share of the centers that the power would come to among bots, as predicted."""
    prospects = chances.prospects
    mean = sum(prospects.values(), Fraction(0)) / len(prospects)
    return (1 + prospects[power] - mean) / len(prospects)


FIGURES: Mapping[str, Callable[[_Chances, Power], int | Fraction]] = {
    "neutrals_reached": neutrals_reached,
    "neutrals_two_moves": neutrals_two_moves,
    "neutral_share": neutral_share,
    "moves_to_threaten": moves_to_threaten,
    "distance_to_win": distance_to_win,
    "enemy_homes_three_moves": enemy_homes_three_moves,
    "voronoi_share": voronoi_share,
    "frontier": frontier,
    "exposure": exposure,
    "predicted_share": predicted_share,
}


def counts(board: Board) -> dict[str, dict[Power, float]]:
    """Return for each figure, by name, its value for each power."""
    chances = _Chances(board)
    return {
        name: {info.power: float(count(chances, info.power)) for info in board.powers}
        for name, count in FIGURES.items()
    }


def fairness(board: Board) -> dict[str, float]:
    """Return the coefficient of variation of each figure by name, `cv_` before it, rounded.

    Also `contested_neutrals`, the share of the neutral centers that two powers or more can
    reach in the first year, and `fleet_share`, that of the fleets among the units.
    """
    chances = _Chances(board)
    powers = [info.power for info in board.powers]
    found = {
        f"cv_{name}": variation([Fraction(count(chances, power)) for power in powers])
        for name, count in FIGURES.items()
    }
    contested = sum(
        sum(chances.soon(power, code) for power in powers) > 1 for code in chances.neutrals
    )
    fleets = sum(start.kind is UnitKind.FLEET for start in board.starts)
    found["contested_neutrals"] = contested / max(len(chances.neutrals), 1)
    found["fleet_share"] = fleets / max(len(board.starts), 1)
    return {name: round(value, 4) for name, value in found.items()}


def variation(values: Sequence[Fraction]) -> float:
    """Return the standard deviation of `values` over their mean; 0 where the mean is."""
    total = sum(values, Fraction(0))
    if not total:
        return 0.0
    squares = len(values) * sum((value * value for value in values), Fraction(0))
    return sqrt(squares / (total * total) - 1)


def _moves(board: Board, power: Power) -> Mapping[ProvinceCode, int]:
    found: dict[ProvinceCode, int] = {}
    for start in board.starts:
        if start.power == power:
            for place, moves in _journeys(board, start.kind, start.location).items():
                code = province_of(place)
                found[code] = min(moves, found.get(code, _NEVER))
    return found


def _journeys(board: Board, kind: UnitKind, start: Location) -> Mapping[Location, int]:
    if kind is UnitKind.FLEET:
        return count_steps(board.fleet_neighbors, [start])
    walks = count_steps(board.army_neighbors, [ProvinceCode(start)])
    return {Location(code): moves for code, moves in walks.items()}
