"""Measure how equal the chances of the powers are on a board, before the first move.

Each measurement has one value per power. A board is fair if these values are similar, so each
measurement is reported as their coefficient of variation (standard deviation over mean).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import sqrt

from diplomaccloud.judge.board import Board, Power, ProvinceCode, UnitKind, province_of
from diplomaccloud.judge.geography import count_steps, geography

_UNREACHABLE = 99
"""The distance to provinces that a power cannot reach."""

_MAX_STEPS = 20
"""Centers farther away count as this far."""

_EXPOSURE = {1: 8, 2: 4, 3: 2, 4: 1}
"""How much a center draws a power into the fighting, by its distance in steps."""

PART = 2520
"""A share of something among up to ten powers is a whole number of these parts."""

RAID_UNIT = 4096
RAIDS = tuple(RAID_UNIT * 3**moves // 5**moves for moves in range(21))
"""How much an enemy unit threatens a home, by its distance in moves: 0.6 to that power."""

HOLD_WEIGHT, DISTANCE_WEIGHT, NEAREST_WEIGHT = 150, 9, 23
"""What a safe home, a step to victory and a near neutral center add, in hundredths of a share.

Fitted once to the results of the greedy bot on 56 generated maps (392 powers); they explain 0.40
of the variance of the shares on other maps. A longer way to victory helps, because powers far
from the centers are far from the fighting.
"""


@dataclass(frozen=True)
class _Chances:
    """The distances and neighbors from which a board is measured."""

    board: Board

    @cached_property
    def neutrals(self) -> tuple[ProvinceCode, ...]:
        """The neutral centers."""
        homes = {code for codes in self.board.home_centers.values() for code in codes}
        return tuple(code for code in self.board.centers if code not in homes)

    @cached_property
    def moves(self) -> Mapping[Power, Mapping[ProvinceCode, int]]:
        """For each power, the moves that its nearest starting unit needs to each province."""
        return {info.power: _count_moves(self.board, info.power) for info in self.board.powers}

    @cached_property
    def steps(self) -> Mapping[Power, Mapping[ProvinceCode, int]]:
        """For each power, the steps by land or sea from its nearest home to each province."""
        around = geography(self.board).around
        return {
            power: count_steps(around, homes) for power, homes in self.board.home_centers.items()
        }

    @cached_property
    def least_distances(self) -> Mapping[ProvinceCode, int]:
        """The steps by land or sea from the nearest home of any power to each province."""
        homes = [home for homes in self.board.home_centers.values() for home in homes]
        return count_steps(geography(self.board).around, homes)

    @cached_property
    def prospects(self) -> Mapping[Power, Fraction]:
        """For each power, its predicted share in units of an equal share, relative to the mean."""
        return {
            power: Fraction(HOLD_WEIGHT, 100) * self.count_safe_homes(power)
            + Fraction(DISTANCE_WEIGHT, 100) * distance_to_win(self, power)
            + Fraction(NEAREST_WEIGHT, 100) * neutral_share(self, power)
            for power in self.moves
        }

    def count_safe_homes(self, power: Power) -> Fraction:
        """Return how many homes `power` is likely to keep; near enemies reduce it."""
        enemies = [moves for rival, moves in self.moves.items() if rival != power]
        threats = (
            sum(RAIDS[min(moves.get(home, _UNREACHABLE), _MAX_STEPS)] for moves in enemies)
            for home in self.board.home_centers[power]
        )
        return sum(
            (Fraction(PART * RAID_UNIT // (RAID_UNIT + t), PART) for t in threats), Fraction(0)
        )

    def list_foreign_homes(self, power: Power) -> tuple[ProvinceCode, ...]:
        """Return the homes of the other powers."""
        homes = self.board.home_centers
        return tuple(code for rival in homes if rival != power for code in homes[rival])

    def distance(self, power: Power, code: ProvinceCode) -> int:
        """Return the steps by land or sea from `power` to `code`."""
        return self.steps[power].get(code, _UNREACHABLE)

    def reaches_in_first_year(self, power: Power, code: ProvinceCode) -> bool:
        """Return whether a unit of `power` can be in `code` after the first year."""
        return self.moves[power].get(code, _UNREACHABLE) <= 2

    def is_near(self, power: Power, code: ProvinceCode) -> bool:
        """Return whether `code` is within two steps by land or sea of a home of `power`."""
        return self.distance(power, code) <= 2

    def is_nearest(self, power: Power, code: ProvinceCode) -> bool:
        """Return whether no power is nearer to `code` than `power`."""
        return self.distance(power, code) == self.least_distances.get(code, _UNREACHABLE)

    def sum_shares(
        self,
        condition: Callable[[Power, ProvinceCode], bool],
        power: Power,
        codes: Iterable[ProvinceCode],
    ) -> Fraction:
        """Return the sum of the shares that `power` has of `codes`, each split among the powers.

        Only powers that meet `condition` have a share.
        """
        shares = (
            Fraction(1, sum(condition(rival, code) for rival in self.steps))
            for code in codes
            if condition(power, code)
        )
        return sum(shares, Fraction(0))


def neutrals_reached(chances: _Chances, power: Power) -> int:
    """Return how many neutral centers a unit can reach within the first year."""
    return sum(chances.reaches_in_first_year(power, code) for code in chances.neutrals)


def neutrals_two_moves(chances: _Chances, power: Power) -> Fraction:
    """Return the neutral centers within two steps, each split among the powers that near."""
    return chances.sum_shares(chances.is_near, power, chances.neutrals)


def neutral_share(chances: _Chances, power: Power) -> Fraction:
    """Return the neutral centers that no other power is nearer to; ties split a center."""
    return chances.sum_shares(chances.is_nearest, power, chances.neutrals)


def moves_to_threaten(chances: _Chances, power: Power) -> Fraction:
    """Return the moves an enemy unit needs to reach a home, averaged over all homes."""
    enemies = [moves for rival, moves in chances.moves.items() if rival != power]
    homes = chances.board.home_centers[power]
    total = sum(min(moves.get(code, _UNREACHABLE) for moves in enemies) for code in homes)
    return Fraction(total, max(len(homes), 1))


def distance_to_win(chances: _Chances, power: Power) -> int:
    """Return the sum of the steps to the nearest centers needed to win."""
    distances = sorted(
        min(chances.distance(power, code), _MAX_STEPS) for code in chances.board.centers
    )
    return sum(distances[: chances.board.victory_centers])


def enemy_homes_three_moves(chances: _Chances, power: Power) -> int:
    """Return how many homes of other powers are within three steps."""
    return sum(chances.distance(power, code) <= 3 for code in chances.list_foreign_homes(power))


def voronoi_share(chances: _Chances, power: Power) -> Fraction:
    """Return the provinces that no other power is nearer to; ties split a province."""
    return chances.sum_shares(chances.is_nearest, power, chances.board.by_code)


def frontier(chances: _Chances, power: Power) -> int:
    """Return how many provinces touch the homes from outside."""
    around, homes = geography(chances.board).around, chances.board.home_centers[power]
    return len({near for code in homes for near in around[code]} - set(homes))


def exposure(chances: _Chances, power: Power) -> int:
    """Return the weight of the nearby centers; enemy homes count twice."""
    weights = {
        code: _EXPOSURE.get(chances.distance(power, code), 0) for code in chances.board.centers
    }
    return sum(weights[code] for code in chances.neutrals) + 2 * sum(
        weights[code] for code in chances.list_foreign_homes(power)
    )


def predicted_share(chances: _Chances, power: Power) -> Fraction:
    """Return the predicted share of the centers of `power` in games of bots."""
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


def fairness(board: Board) -> dict[str, float]:
    """Return the coefficient of variation of each measurement, rounded, with the prefix `cv_`.

    Also returns `contested_neutrals`, the share of the neutral centers that two or more powers
    can reach in the first year, and `fleet_share`, the share of fleets among the units.
    """
    chances = _Chances(board)
    powers = [info.power for info in board.powers]
    figures = {
        f"cv_{name}": variation([Fraction(count(chances, power)) for power in powers])
        for name, count in FIGURES.items()
    }
    contested = sum(
        sum(chances.reaches_in_first_year(power, code) for power in powers) > 1
        for code in chances.neutrals
    )
    fleets = sum(start.kind is UnitKind.FLEET for start in board.starts)
    figures["contested_neutrals"] = contested / max(len(chances.neutrals), 1)
    figures["fleet_share"] = fleets / max(len(board.starts), 1)
    return {name: round(value, 4) for name, value in figures.items()}


def variation(values: Sequence[Fraction]) -> float:
    """Return the standard deviation of `values` over their mean; 0 if the mean is 0."""
    total = sum(values, Fraction(0))
    if not total:
        return 0.0
    squares = len(values) * sum((value * value for value in values), Fraction(0))
    return sqrt(squares / (total * total) - 1)


def _count_moves(board: Board, power: Power) -> Mapping[ProvinceCode, int]:
    moves_to: dict[ProvinceCode, int] = {}
    for start in board.starts:
        if start.power != power:
            continue
        if start.kind is UnitKind.ARMY:
            reached = [*count_steps(board.army_neighbors, [ProvinceCode(start.location)]).items()]
        else:
            places = count_steps(board.fleet_neighbors, [start.location])
            reached = [(province_of(place), moves) for place, moves in places.items()]
        for code, moves in reached:
            moves_to[code] = min(moves, moves_to.get(code, _UNREACHABLE))
    return moves_to


BOARD_TARGETS: Mapping[str, float] = {
    "neutrals_two_moves": 0.10,
    "neutral_share": 0.10,
    "moves_to_threaten": 0.07,
    "distance_to_win": 0.04,
    "enemy_homes_three_moves": 0.12,
    "voronoi_share": 0.14,
    "frontier": 0.15,
}
"""The largest coefficients of variation that the specification allows, as medians of many maps."""
