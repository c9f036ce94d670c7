"""How equal the chances of the powers are, measured on many placements of centers at once.

The figures are those of `atlas.fairness`, which measures one finished board; here they are
whole numbers in arrays, options × powers, so that a search can compare hundreds of options
in one go and every machine finds the same.
"""

from dataclasses import dataclass

import numpy as np

from diplomaccloud.atlas.fairness import (
    DISTANCE_WEIGHT,
    HOLD_WEIGHT,
    NEAREST_WEIGHT,
    PART,
    RAID_UNIT,
    RAIDS,
)
from diplomaccloud.atlas.generator.mesh import Bools, Floats, Int16s, Ints, UnitSets, round_to_grid
from diplomaccloud.atlas.generator.possible_starts import HOMES, Sites

NEUTRALS = 2
FLEET_SHARE = (0.36, 0.52)
CONTESTED = (0.45, 0.80)
# A share of something is 1/n where n powers have it; in these parts it is a whole number.
_PARTS = np.array([0] + [PART // count for count in range(1, 11)], dtype=np.int16)
_WHOLE = _PARTS.astype(np.float32)
_COUNTS = np.array([bits.bit_count() for bits in range(2**HOMES)], dtype=np.int16)
"""How many units a set of them has."""

_LONGEST = 20
_EXPOSURE = np.array([0, 8, 4, 2, 1] + [0] * 95, dtype=np.int16)
"""How much a center so many steps away draws a power into the fighting."""

_RAIDS = np.array([*RAIDS, *[RAIDS[-1]] * (100 - len(RAIDS))], dtype=np.int32)
EVEN_SHARE = 100 * PART
"""What predicted shares are counted in."""

AIMS = {
    "moves_to_threaten": 0.0625,
    "enemy_homes_three_moves": 0.075,
    "voronoi_share": 0.088,
    "frontier": 0.18,
    "exposure": 0.09,
    "predicted_share": 0.20,
    "neutrals_reached": 0.12,
    "neutrals_two_moves": 0.075,
    "neutral_share": 0.11,
    "distance_to_win": 0.047,
}
"""The coefficients of variation that the search makes for.

Chosen so that the medians over many maps keep below the targets of the specification, and
what tells most of a power's fate is alike too. The first six are known from the homes alone,
but for the part that neutral centers have in the exposure and in the predicted share.
"""

_OF_HOMES, _DRAWN, _PREDICTED = 6, 4, 5
_WEIGHTS = np.array([1 / (aim * aim) for aim in AIMS.values()])[:, None]
_BROKEN = 20.0
"""What breaking a hard constraint costs, in squares of an aim."""


@dataclass(frozen=True)
class HomePart:
    """What the homes alone decide, for k options.

    `chosen`: k×powers, the starts. `to_homes`: powers×k×homes of all, in steps. `values`:
    powers×6×k, the first of `AIMS`. `broken`: k, hard constraints broken.
    """

    chosen: Ints
    to_homes: Int16s
    values: Floats
    broken: Floats

    def option(self, number: int) -> "HomePart":
        """Return one option alone."""
        cut = slice(number, number + 1)
        return HomePart(
            self.chosen[cut], self.to_homes[:, cut], self.values[:, :, cut], self.broken[cut]
        )


class Balance:
    """Measures placements: which starts the powers have, and where the neutral centers lie."""

    def __init__(self, sites: Sites, players: int) -> None:
        self._sites = sites
        self._players = players
        self._wins = (HOMES + NEUTRALS) * players // 2 + 1
        self._own = np.repeat(np.eye(players, dtype=bool), HOMES, axis=1)[:, None, :]

    def home_part(self, chosen: Ints) -> HomePart:
        """Return what k options of homes (k×powers starts) decide."""
        sites, players, options = self._sites, self._players, len(chosen)
        starts = chosen.T[:, :, None]
        homes = sites.members[chosen].reshape(1, options, -1)
        to_homes = sites.steps[starts, homes]
        raids = np.where(self._own, 99, sites.reach[starts, homes])
        steps = sites.steps[chosen.T]
        values = np.empty((players, _OF_HOMES, options))
        threats = raids.min(axis=0)
        values[:, 0] = (threats[:, ::HOMES] + threats[:, 1::HOMES] + threats[:, 2::HOMES]).T
        # Its own homes, too, are within three steps of a power, and at no step: not exposed.
        values[:, 1] = (to_homes <= 3).sum(axis=2) - HOMES
        values[:, 2] = _shares(steps == steps.min(axis=0))
        values[:, 3] = sites.rim[chosen.T]
        values[:, _DRAWN] = 2 * _EXPOSURE[to_homes].sum(axis=2)
        values[:, _PREDICTED] = HOLD_WEIGHT * self._held(raids)
        return HomePart(chosen, to_homes, values, self._broken_homes(chosen, raids, to_homes))

    def _held(self, raids: Ints) -> Ints:
        """Return how many homes each power is likely to keep (powers×k), in parts."""
        # A power is too far from its own homes, in `raids`, to threaten them.
        threats = _RAIDS[raids].sum(axis=0)
        held = PART * RAID_UNIT // (RAID_UNIT + threats)
        return np.asarray((held[:, ::HOMES] + held[:, 1::HOMES] + held[:, 2::HOMES]).T)

    def _broken_homes(self, chosen: Ints, raids: Ints, to_homes: Int16s) -> Floats:
        players = self._players
        threatened = _any_home(raids <= 3)
        rivals = (threatened | threatened.transpose(2, 1, 0)).sum(axis=2)
        near = _any_home(to_homes <= 3).sum(axis=2) - 1
        low, high = rivals_wanted(players)
        broken = (
            np.maximum(low - rivals, 0)
            + np.maximum(rivals - high, 0)
            + np.maximum(preys_wanted(players) - threatened.sum(axis=2), 0)
            + np.maximum(near - high, 0)
        ).sum(axis=0)
        fleets = self._sites.sailing[chosen].sum(axis=1) / (HOMES * players)
        return np.asarray(broken + 10 * _outside(fleets, FLEET_SHARE))

    def rough(self, part: HomePart, free: Ints) -> Floats:
        """Return the cost of each option of homes before there are neutral centers.

        What the powers could reach of all `free` lands stands for the centers among them.
        """
        # Whole rows first: to pick every number by itself takes several times as long.
        reach, steps = (
            rows[part.chosen.T][:, :, free] for rows in (self._sites.reach, self._sites.steps)
        )
        values = np.empty((self._players, len(AIMS), len(part.chosen)))
        values[:, :_OF_HOMES] = part.values
        values[:, 6] = _shares(reach <= 2)
        values[:, 7] = _shares(steps <= 2)
        values[:, 8] = values[:, 9] = steps.sum(axis=2)
        return _cost(values) + _BROKEN * part.broken

    def cost(self, part: HomePart, neutrals: Ints) -> Floats:
        """Return how unequal the chances are with these `neutrals`, for each option of homes."""
        values, broken = self.measured(part, neutrals)
        return _cost(values) + _BROKEN * broken

    def measured(self, part: HomePart, neutrals: Ints) -> tuple[Floats, Floats]:
        """Return the figures (powers×10×k) and how much of the hard constraints is broken (k)."""
        starts = part.chosen.T[:, :, None]
        early = self._sites.early[starts, neutrals]
        reached = early > 0
        steps = self._sites.steps[starts, neutrals]
        to_centers = np.sort(np.concatenate([part.to_homes, steps], axis=2), axis=2)
        values = np.empty((self._players, len(AIMS), len(part.chosen)))
        values[:, :_OF_HOMES] = part.values
        values[:, _DRAWN] += _EXPOSURE[steps].sum(axis=2)
        values[:, 6] = have = reached.sum(axis=2)
        values[:, 7] = _shares(steps <= 2)
        values[:, 8] = _shares(steps == steps.min(axis=0))
        values[:, 9] = np.minimum(to_centers[:, :, : self._wins], _LONGEST).sum(axis=2)
        _predict(values)
        claims = reached.sum(axis=0)
        taken = np.minimum(have, _COUNTS[np.bitwise_or.reduce(early, axis=2)])
        broken = _broken(taken, (claims == 0).sum(axis=1), (claims > 1).sum(axis=1), len(neutrals))
        return values, part.broken + broken

    def swap_costs(self, part: HomePart, neutrals: Ints, free: Ints) -> Floats:
        """Return the cost with each neutral center (rows) moved to each `free` land (columns)."""
        values, broken = self.swaps(part, neutrals, free)
        costs = _cost(values) + _BROKEN * broken
        return costs.reshape(len(neutrals), len(free))

    def swaps(self, part: HomePart, neutrals: Ints, free: Ints) -> tuple[Floats, Floats]:
        """Return what `measured` does for each neutral center moved to each `free` land.

        One center after the other. `part` has one option of homes. Every figure is a sum over
        the neutral centers, so a swap takes one summand away and adds another.
        """
        count, start = len(neutrals), part.chosen[0][:, None]
        lands = np.concatenate([neutrals, free])
        early = self._sites.early[start, lands]
        reached = early > 0
        steps = self._sites.steps[start, lands]
        claims = reached.sum(axis=0)
        nearest = _parts(steps == steps.min(axis=0))
        sums = np.stack([_EXPOSURE[steps], reached, _parts(steps <= 2), nearest], axis=1)
        swapped = _swapped(sums, count)
        values = np.empty((self._players, len(AIMS), count * len(free)))
        values[:, :_OF_HOMES] = part.values
        values[:, _DRAWN] += swapped[:, 0]
        values[:, 6:9] = swapped[:, 1:]
        values[:, 9] = self._swapped_wins(part, steps, count)
        _predict(values)
        alone, contested = _swapped(np.stack([claims == 0, claims > 1]), count)
        taken = np.minimum(swapped[:, 1], _COUNTS[_swapped_units(early, count)])
        broken = _broken(taken, alone, contested, count)
        return values, part.broken + broken

    def _swapped_wins(self, part: HomePart, steps: Ints, count: int) -> Ints:
        """Return for each swap the sum of the least distances to enough centers for victory.

        It is summed over the lengths of way: the centers still missing within that length,
        which before the first step are all but the homes.
        """
        to_homes = part.to_homes[:, 0]
        near = np.sort(np.concatenate([to_homes, steps[:, :count]], axis=1), axis=1)
        # One center more, as a swap may take one of the nearest away.
        last = near[:, min(self._wins, near.shape[1] - 1)]
        lengths = np.arange(1, min(_LONGEST, int(last.max())))[:, None]
        have = (to_homes[:, None] <= lengths).sum(axis=2)
        within = _swapped(steps[:, None] <= lengths, count)
        missing = np.maximum(self._wins - have[:, :, None] - within, 0)
        return np.asarray(missing.sum(axis=1) + self._wins - HOMES)


def rivals_wanted(players: int) -> tuple[int, int]:
    """Return the least and the greatest number of rivals within three moves."""
    return min(2, players - 1), 4


def preys_wanted(players: int) -> int:
    """Return the least number of rivals that a power's own units reach within three moves."""
    return 2 if players > 3 else 1


def _any_home(true: Bools) -> Bools:
    """Return for each power (the last axis) whether that is `true` of one of its homes."""
    return np.asarray(true[:, :, ::HOMES] | true[:, :, 1::HOMES] | true[:, :, 2::HOMES])


def _predict(values: Floats) -> None:
    """Add to the homes held what the way to victory and the neutral centers do for a share."""
    values[:, _PREDICTED] += NEAREST_WEIGHT * values[:, 8]
    values[:, _PREDICTED] += DISTANCE_WEIGHT * PART * values[:, 9]


def _cost(values: Floats) -> Floats:
    """Return the weighted sum of the squares of the variations of figures (powers×10×k).

    Sums of whole numbers are exact; the rest is put on the grid, so that no machine and no
    order of summing makes a difference.
    """
    total = values.sum(axis=0)
    squares = len(values) * (values * values).sum(axis=0) - total * total
    scale = np.maximum(total * total, 1.0)
    # Only differences of shares are predicted: the mean is what it must be.
    scale[_PREDICTED] = (len(values) * EVEN_SHARE) ** 2
    return round_to_grid((_WEIGHTS * squares / scale).sum(axis=0))


def _parts(having: Bools) -> Ints:
    """Return the parts of each thing (the last axis) that each power (the first) has."""
    return np.asarray(having * _PARTS[having.sum(axis=0, dtype=np.int8)])


def _shares(having: Bools) -> Floats:
    """Return what each power (the first axis) has of all things (the last) in each option."""
    whole = _WHOLE[having.sum(axis=0, dtype=np.int8)]
    # A product of matrices is the fastest sum. It is exact: all are whole numbers below 2**24.
    found = having.transpose(1, 0, 2).astype(np.float32) @ whole[:, :, None]
    return np.asarray(found[:, :, 0].T)


def _swapped(summand: Ints | Bools, count: int) -> Ints:
    """Return the sum over the first `count` (the last axis) after each swap with a later one."""
    each = summand.astype(np.int32)
    kept = each[..., :count].sum(axis=-1, keepdims=True) - each[..., :count]
    swapped = kept[..., :, None] + each[..., None, count:]
    return np.asarray(swapped.reshape(*each.shape[:-1], -1))


def _swapped_units(early: UnitSets, count: int) -> UnitSets:
    """Return the units with a center to take, after each swap as in `_swapped`."""
    sets = np.zeros((len(early), count + 1), dtype=np.uint8)
    before, after = sets.copy(), sets
    np.bitwise_or.accumulate(early[:, :count], axis=1, out=before[:, 1:])
    np.bitwise_or.accumulate(early[:, count - 1 :: -1], axis=1, out=after[:, 1:])
    kept = before[:, :-1] | after[:, -2::-1]
    return np.asarray((kept[:, :, None] | early[:, None, count:]).reshape(len(early), -1))


def _broken(taken: Ints, alone: Ints, contested: Ints, count: int) -> Floats:
    """Return how much of the constraints on neutral centers k options break.

    `taken` (powers×k) is the lesser of the centers that a power can take in the first year and
    of the units that can take one: two units take two unless one of these is less.
    """
    outside = _outside(contested / count, CONTESTED)
    return np.asarray(np.maximum(2 - taken, 0).sum(axis=0) + alone + 10 * outside)


def _outside(values: Floats, limits: tuple[float, float]) -> Floats:
    return np.asarray(np.maximum(limits[0] - values, 0) + np.maximum(values - limits[1], 0))
