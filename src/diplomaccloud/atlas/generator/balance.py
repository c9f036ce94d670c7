"""Measure how equal the powers' chances are, for many placements of centers at once.

These are the measurements of `atlas.fairness`, which measures one finished board. Here they are
integers in arrays (options × powers), so that a search can compare hundreds of options in one step
and every machine gets the same result.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import combinations
from math import ceil
from typing import Any

import numpy as np

from diplomaccloud.atlas.fairness import (
    DISTANCE_WEIGHT,
    HOLD_WEIGHT,
    NEAREST_WEIGHT,
    PART,
    RAID_UNIT,
    RAIDS,
)
from diplomaccloud.atlas.generator.borders import Layout
from diplomaccloud.atlas.generator.mesh import Bools, Floats, Int16s, Ints, UnitSets, round_to_grid

# Every possible start of a power: two to four home centers, and which of them hold fleets.

USUAL_HOMES = 3
"""The home centers of every power on a map with equal homes."""

HOMES = (2, USUAL_HOMES, 4)
"""The numbers of home centers that a power may have."""

_MAX_HOMES = HOMES[-1]
_NO_HOME = -1
"""Fills the rows of powers with fewer homes."""

_FLEETS = {2: (1,), 3: (1, 2), 4: (1, 2)}
"""How many homes may hold fleets, by the number of homes."""

_MIN_INNER_BORDERS = 4
"""The fewest borders between four homes; chains and stars have three."""


class PlacementError(ValueError):
    """The centers do not fit on the board."""


@dataclass(frozen=True)
class PossibleStarts:
    """Every possible start of one power, by number; provinces as `Layout` numbers them.

    `homes`: c×4, connected land provinces in order, then -1. `sizes`: c, how many there are; starts
    with fewer homes come first. `has_fleet`: c×4, which homes hold fleets. `fleet_counts`: c, how
    many do. `moves`: c×lands, the moves that the nearest of the units needs. `first_year_units`:
    c×lands, which units can arrive in the first year, one bit for each. `steps`: c×provinces, the
    steps by land or sea from the nearest home. `touches`: c×lands, the homes and the provinces that
    touch them. `border_counts`: c, how many provinces touch the homes from outside. `starts_with`:
    for each number of homes and each land, the starts of this size that include it as a home.
    """

    homes: Ints
    sizes: Ints
    has_fleet: Bools
    fleet_counts: Ints
    moves: Int16s
    first_year_units: UnitSets
    steps: Int16s
    touches: Bools
    border_counts: Ints
    starts_with: Mapping[int, tuple[Ints, ...]]

    def list_homes(self, starts: Ints | int) -> Ints:
        """Return the homes of one or several starts, one after the other."""
        homes = self.homes[starts].ravel()
        return np.asarray(homes[homes != _NO_HOME])

    def find_sharing(self, start: int) -> Ints:
        """Return the starts of the same size that share a home with `start`, some repeatedly."""
        starts_with = self.starts_with[int(self.sizes[start])]
        return np.concatenate([starts_with[home] for home in self.list_homes(start).tolist()])

    def find_range(self, size: int) -> tuple[int, int]:
        """Return the first start with `size` homes, and the one after the last."""
        first, last = np.searchsorted(self.sizes, [size, size + 1])
        return int(first), int(last)

    def find_clashes(self, options: Ints, others: Ints) -> Bools:
        """Return which of `options` share or touch a home of one of `others`."""
        homes = np.zeros(self.touches.shape[1], dtype=bool)
        homes[self.list_homes(others)] = True
        return np.asarray((self.touches[options] & homes).any(axis=1))

    def find_taken(self, options: Ints, lands: Bools) -> Bools:
        """Return which of `options` have a home among `lands`."""
        # The last home of smaller starts is -1, which would stand for the last land.
        return np.asarray(
            (lands[self.homes[options]] & (self.homes[options] != _NO_HOME)).any(axis=1)
        )

    def fleet_homes(self, start: int) -> frozenset[int]:
        """Return the homes of `start` that hold fleets."""
        return frozenset(self.homes[start][self.has_fleet[start]].tolist())


def find_possible_starts(layout: Layout, sizes: Iterable[int] = HOMES) -> PossibleStarts:
    """Return the starts with one of `sizes` as number of homes that `layout` allows.

    Four homes are compact. A fleet starts only in a province with a single coast, so that its coast
    needs no choice, and not at a lake.
    """
    sets: dict[int, Ints] = {}
    neighbors: list[set[int]] = [set() for _ in range(layout.lands)]
    for first, second in layout.army_borders:
        if first in layout.wild:
            continue
        neighbors[first].add(second)
        neighbors[second].add(first)
    grown: set[tuple[int, ...]] = {
        (land,) for land in range(layout.lands) if land not in layout.wild
    }
    for size in range(2, max(sizes) + 1):
        grown = {
            tuple(sorted((*homes, near)))
            for homes in grown
            for home in homes
            for near in neighbors[home].difference(homes)
        }
        sets[size] = np.array(sorted(grown), dtype=np.int64).reshape(-1, size)
    if _MAX_HOMES in sets:
        touching = layout.steps == 1
        inner = sum(
            touching[sets[_MAX_HOMES][:, first], sets[_MAX_HOMES][:, second]].astype(np.int64)
            for first, second in combinations(range(_MAX_HOMES), 2)
        )
        sets[_MAX_HOMES] = sets[_MAX_HOMES][inner >= _MIN_INNER_BORDERS]
    return _join_starts([_list_starts(layout, sets[size]) for size in sorted(sizes)])


def _list_starts(layout: Layout, sets: Ints) -> PossibleStarts:
    """Return the starts whose homes are one of `sets` (rows of lands)."""
    size, rows, fleets = sets.shape[1], [], []
    # No fleet leaves a lake.
    is_harbor = np.array(
        [
            len(runs) == 1 and layout.lakes.isdisjoint(layout.neighbors[land])
            for land, runs in enumerate(layout.coasts)
        ]
    )
    for count in _FLEETS[size]:
        for homes in combinations(range(size), count):
            fitting = np.flatnonzero(is_harbor[sets][:, homes].all(axis=1))
            has_fleet = np.zeros((len(fitting), size), dtype=bool)
            has_fleet[:, homes] = True
            rows.append(fitting)
            fleets.append(has_fleet)
    order = np.argsort(np.concatenate(rows), kind="stable")
    row, has_fleet = np.concatenate(rows)[order], np.concatenate(fleets)[order]
    return _measure_starts(layout, sets, row, has_fleet)


def _measure_starts(layout: Layout, sets: Ints, row: Ints, has_fleet: Bools) -> PossibleStarts:
    """Return the measurements of each start of one size.

    `row`: for each start, its homes as a row of `sets`. `has_fleet`: which of them hold fleets.
    """
    lands, size = layout.lands, sets.shape[1]
    homes = sets[row]
    fleet_moves = layout.fleet_moves[:lands, :lands]
    army_and_fleet_moves = np.stack([layout.army_moves, fleet_moves]).astype(np.int16)
    moves = [
        army_and_fleet_moves[has_fleet[:, home].astype(np.int64), homes[:, home]]
        for home in range(size)
    ]
    nearest, first_year_units = moves[0], np.zeros(moves[0].shape, dtype=np.uint8)
    for home, count in enumerate(moves):
        nearest = np.minimum(nearest, count)
        first_year_units |= (count <= 2).astype(np.uint8) << home
    around: Bools = np.less_equal(layout.steps[sets], 1).max(axis=1)
    steps = layout.steps.astype(np.int16)[sets].min(axis=1)
    by_home = np.argsort(homes.ravel(), kind="stable")
    cuts = np.searchsorted(homes.ravel()[by_home], np.arange(1, lands))
    padding = (0, 0), (0, _MAX_HOMES - size)
    return PossibleStarts(
        np.pad(homes, padding, constant_values=_NO_HOME),
        np.full(len(row), size),
        np.pad(has_fleet, padding),
        has_fleet.sum(axis=1),
        nearest,
        first_year_units,
        steps[row],
        around[row][:, :lands],
        (around.sum(axis=1) - size)[row],
        {size: tuple(np.split(by_home // size, cuts))},
    )


def _join_starts(groups: Sequence[PossibleStarts]) -> PossibleStarts:
    """Return the starts of all `groups`, each of one size, as one."""
    starts_with: dict[int, tuple[Ints, ...]] = {}
    first = 0
    for group in groups:
        for size, numbers in group.starts_with.items():
            starts_with[size] = tuple(first + own for own in numbers)
        first += len(group.homes)
    arrays: dict[str, Any] = {
        part.name: np.concatenate([getattr(group, part.name) for group in groups])
        for part in fields(PossibleStarts)
        if part.name != "starts_with"
    }
    return PossibleStarts(**arrays, starts_with=starts_with)


# The measurements of placements.


FLEET_SHARE = (0.36, 0.52)
"""The least and greatest share of fleets among the starting units."""

CONTESTED = (0.45, 0.80)
"""The least and greatest share of neutral centers that several powers can reach early."""

WILD_SHARE = 0.25
"""The share of the neutral centers that a land mass in which no power starts must have."""

_PARTS = np.array([0] + [PART // count for count in range(1, 65)], dtype=np.int16)
_PARTS_AS_FLOATS = _PARTS.astype(np.float32)
_UNIT_COUNTS = np.array([bits.bit_count() for bits in range(2**_MAX_HOMES)], dtype=np.int16)
"""The number of units in each set of units."""

_MAX_DISTANCE = 20
"""Centers farther away than this many steps count as this far."""

_EXPOSURE = np.array([0, 8, 4, 2, 1] + [0] * 95, dtype=np.int16)
"""How much a center draws a power into the fighting, by its distance in steps."""

_RAID_STRENGTHS = np.array([*RAIDS, *[RAIDS[-1]] * (100 - len(RAIDS))], dtype=np.int32)
EVEN_SHARE = 100 * PART
"""An equal share of the centers, in the unit of predicted shares."""

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
"""The coefficients of variation that the search aims for.

They keep the medians over many maps below the targets of the specification, and balance the
measures that best predict a power's success. The first six depend only on the homes, except that
neutral centers add to the exposure and to the predicted share.
"""
_SHARED_MOVES = 12
"""The moves to threaten are counted in twelfths, because two to four homes share them."""

_SCALES = {
    "moves_to_threaten": (19, 20, 21),
    "enemy_homes_three_moves": (25, 20, 17),
    "voronoi_share": (24, 20, 18),
    "frontier": (23, 20, 19),
    "exposure": (23, 20, 18),
    "predicted_share": (1, 1, 1),
    "neutrals_reached": (18, 20, 23),
    "neutrals_two_moves": (15, 20, 27),
    "neutral_share": (15, 20, 27),
    "distance_to_win": (18, 20, 22),
}
"""What each measure counts for a power with two, three and four homes.

The scaled measures are to be equal. So a power with four homes is more exposed and has fewer
neutral centers near by, and one with two homes is sheltered. In games of the greedy bot on 40 maps,
powers with two, three and four homes have 0.82, 1.01 and 1.14 equal shares; without these scales,
they had 0.62, 1.02 and 1.33.
"""

# The columns of the figures, in the order of `AIMS`.
_THREATS, _ENEMY_HOMES, _VORONOI, _FRONTIER, _EXPOSED, _PREDICTED = range(6)
_REACHED, _TWO_MOVES, _NEUTRAL_SHARE, DISTANCE_COLUMN = range(6, 10)
_HOME_FIGURES = 6
_OWN_HOME = 99
"""A placeholder for the moves from a power to its own homes, which it does not threaten."""

NEAR = 3
"""Moves or steps within which an enemy home counts as near."""

FAR = 4
"""The steps from the nearest home beyond which a province is far away."""

MAX_FAR_SHARE = 0.05
"""The greatest share of provinces that are far away."""

_WEIGHTS = np.array([1 / (aim * aim) for aim in AIMS.values()])[:, None]
_FAULT_COST = 20.0
"""The cost of breaking a hard constraint, where a variation equal to its aim costs 1."""


@dataclass(frozen=True)
class HomeFigures:
    """The measurements of k options that depend only on the homes.

    `starts`: k×powers, the starts. `to_homes`: powers×k×homes of all powers, in steps. `values`:
    powers×6×k, the first of `AIMS`. `broken`: k, how badly the hard constraints are broken.
    `faults`: powers×k, how many of these faults each power has.
    """

    starts: Ints
    to_homes: Int16s
    values: Floats
    broken: Floats
    faults: Ints

    def select(self, number: int) -> "HomeFigures":
        """Return the measurements of one option."""
        cut = slice(number, number + 1)
        return HomeFigures(
            self.starts[cut],
            self.to_homes[:, cut],
            self.values[:, :, cut],
            self.broken[cut],
            self.faults[:, cut],
        )


class Balance:
    """Measures placements: the starts of the powers and the neutral centers."""

    def __init__(
        self,
        possible: PossibleStarts,
        sizes: Sequence[int],
        centers: int,
        gathering: tuple[Collection[int], int] = ((), 0),
        wild: Collection[int] = (),
    ) -> None:
        """Prepare to measure powers with `sizes` homes on a board with this many `centers`.

        `gathering`: land provinces, and how many powers need a home among them. `wild`: land
        provinces which need a share of the neutral centers, if there are any.
        """
        self._starts = possible
        self._players = players = len(sizes)
        self._wins = centers // 2 + 1
        self._sizes = np.array(sizes)
        lands, self._gathered = gathering
        at_gathering = np.zeros(possible.touches.shape[1], dtype=bool)
        at_gathering[sorted(lands)] = True
        self._wild = np.zeros(possible.touches.shape[1], dtype=bool)
        self._wild[sorted(wild)] = True
        self._gathers = possible.find_taken(np.arange(len(possible.homes)), at_gathering)
        self._own = np.repeat(np.eye(players, dtype=bool), sizes, axis=1)[:, None, :]
        # Where the homes of each power start among all homes, and where all are in padded rows.
        self._first = np.cumsum(self._sizes) - self._sizes
        self._slots = np.flatnonzero((np.arange(_MAX_HOMES) < self._sizes[:, None]).ravel())
        scales = np.array([*_SCALES.values()], dtype=np.float64).T
        self._scales = scales[self._sizes - HOMES[0]][:, :, None]

    def measure_homes(self, starts: Ints) -> HomeFigures:
        """Return the measurements of k options of homes (k×powers starts)."""
        possible, players, count = self._starts, self._players, len(starts)
        rows = starts.T[:, :, None]
        homes = possible.homes[starts].reshape(1, count, -1)[:, :, self._slots]
        to_homes = possible.steps[rows, homes]
        raids = np.where(self._own, _OWN_HOME, possible.moves[rows, homes])
        steps = possible.steps[starts.T]
        values = np.empty((players, _HOME_FIGURES, count))
        threats = raids.min(axis=0)
        values[:, _THREATS] = _SHARED_MOVES // self._sizes[:, None] * self._sum_homes(threats).T
        # A power's own homes are within three steps too. They are at distance 0, which adds no
        # exposure.
        values[:, _ENEMY_HOMES] = (to_homes <= NEAR).sum(axis=2) - self._sizes[:, None]
        nearest = steps.min(axis=0)
        values[:, _VORONOI] = _sum_shares(steps == nearest)
        values[:, _FRONTIER] = possible.border_counts[starts.T]
        values[:, _EXPOSED] = 2 * _EXPOSURE[to_homes].sum(axis=2)
        # How many homes each power is likely to hold, in parts. In `raids`, a power is too far from
        # its own homes to threaten them.
        held = PART * RAID_UNIT // (RAID_UNIT + _RAID_STRENGTHS[raids].sum(axis=0))
        values[:, _PREDICTED] = HOLD_WEIGHT * self._sum_homes(held).T
        far = (nearest > FAR).mean(axis=1)
        faults = self._count_home_faults(raids, to_homes)
        fleets = possible.fleet_counts[starts].sum(axis=1) / self._sizes.sum()
        outside = _distance_outside(fleets, FLEET_SHARE) + np.maximum(far - MAX_FAR_SHARE, 0)
        missing = np.maximum(self._gathered - self._gathers[starts].sum(axis=1), 0)
        broken = faults.sum(axis=0) + missing + 10 * outside
        return HomeFigures(starts, to_homes, values, broken, faults)

    def _count_home_faults(self, raids: Ints, to_homes: Int16s) -> Ints:
        """Return how badly each power breaks the limits on rivals (powers×k)."""
        players = self._players
        threatened = self._sum_homes(raids <= NEAR)
        rivals = (threatened | threatened.transpose(2, 1, 0)).sum(axis=2)
        near = self._sum_homes(to_homes <= NEAR).sum(axis=2) - 1
        low, high = rival_limits(players)
        return np.asarray(
            np.maximum(low - rivals, 0)
            + np.maximum(rivals - high, 0)
            + np.maximum(min_reachable_rivals(players) - threatened.sum(axis=2), 0)
            + np.maximum(near - max_near_powers(players), 0)
        )

    def _sum_homes(self, values: Ints | Bools) -> Ints | Bools:
        """Return the sum over the homes of each power (the last axis), or whether any is true."""
        add = np.logical_or if values.dtype == bool else np.add
        return np.asarray(add.reduceat(values, self._first, axis=-1))

    def estimate_costs(self, figures: HomeFigures, free: Ints) -> Floats:
        """Return the cost of each option of homes before there are neutral centers.

        All `free` lands that the powers could reach stand in for the centers among them.
        """
        # Select whole rows first: selecting single numbers takes several times as long.
        reach, steps = (
            rows[figures.starts.T][:, :, free] for rows in (self._starts.moves, self._starts.steps)
        )
        values = np.empty((self._players, len(AIMS), len(figures.starts)))
        values[:, :_HOME_FIGURES] = figures.values
        values[:, _REACHED] = _sum_shares(reach <= 2)
        values[:, _TWO_MOVES] = _sum_shares(steps <= 2)
        values[:, _NEUTRAL_SHARE] = values[:, DISTANCE_COLUMN] = steps.sum(axis=2)
        return self._weigh_costs(values, figures.broken)

    def measure_costs(self, figures: HomeFigures, neutrals: Ints) -> Floats:
        """Return how unequal the chances are with these `neutrals`, for each option of homes."""
        return self._weigh_costs(*self.measure(figures, neutrals))

    def measure(self, figures: HomeFigures, neutrals: Ints) -> tuple[Floats, Floats]:
        """Return the measurements (powers×10×k), and how badly hard constraints are broken (k)."""
        rows = figures.starts.T[:, :, None]
        early = self._starts.first_year_units[rows, neutrals]
        reached = early > 0
        steps = self._starts.steps[rows, neutrals]
        to_centers = np.sort(np.concatenate([figures.to_homes, steps], axis=2), axis=2)
        values = np.empty((self._players, len(AIMS), len(figures.starts)))
        values[:, :_HOME_FIGURES] = figures.values
        values[:, _EXPOSED] += _EXPOSURE[steps].sum(axis=2)
        values[:, _REACHED] = reached_counts = reached.sum(axis=2)
        values[:, _TWO_MOVES] = _sum_shares(steps <= 2)
        values[:, _NEUTRAL_SHARE] = _sum_shares(steps == steps.min(axis=0))
        values[:, DISTANCE_COLUMN] = np.minimum(to_centers[:, :, : self._wins], _MAX_DISTANCE).sum(
            axis=2
        )
        _add_predicted_shares(values)
        claims = reached.sum(axis=0)
        taken = np.minimum(reached_counts, _UNIT_COUNTS[np.bitwise_or.reduce(early, axis=2)])
        broken = _count_neutral_faults(
            taken, (claims == 0).sum(axis=1), (claims > 1).sum(axis=1), len(neutrals)
        )
        wild = self._count_missing(self._wild[neutrals].sum(), len(neutrals))
        return values, figures.broken + broken + wild

    def _count_missing(self, wild: Ints, neutrals: int) -> Ints:
        """Return how many more than `wild` of the `neutrals` the wild lands need."""
        needed = ceil(WILD_SHARE * neutrals) if self._wild.any() else 0
        return np.asarray(np.maximum(needed - wild, 0))

    def scale(self, values: Floats) -> Floats:
        """Return measurements (powers×10×k) relative to what powers of each size should have."""
        return np.asarray(self._scales * values)

    def _weigh_costs(self, values: Floats, broken: Floats) -> Floats:
        """Return the weighted sum of squared variations (powers×10×k), and the cost of faults (k).

        Sums of integers are exact. Everything else is rounded to the grid, so neither the machine
        nor the order of summing matters.
        """
        values = self.scale(values)
        total = values.sum(axis=0)
        squares = len(values) * (values * values).sum(axis=0) - total * total
        scale = np.maximum(total * total, 1.0)
        # Only differences between shares are predicted, so use the mean that shares must have.
        scale[_PREDICTED] = (len(values) * EVEN_SHARE) ** 2
        return round_to_grid((_WEIGHTS * squares / scale).sum(axis=0)) + _FAULT_COST * broken

    def list_faulty(self, figures: HomeFigures, neutrals: Ints) -> Ints:
        """Return the powers that break a limit on rivals or cannot take two neutral centers early.

        Without `neutrals`, only the limits on rivals count.
        """
        faulty = figures.faults[:, 0] > 0
        if len(neutrals):
            early = self._starts.first_year_units[figures.starts[0][:, None], neutrals]
            reached = (early > 0).sum(axis=1)
            faulty |= np.minimum(reached, _UNIT_COUNTS[np.bitwise_or.reduce(early, axis=1)]) < 2
        return np.flatnonzero(faulty)

    def list_near_powers(self, figures: HomeFigures, power: int) -> Ints:
        """Return the powers with a home within a few steps of a home of `power`, and itself."""
        near = self._sum_homes(figures.to_homes[power, 0] <= NEAR + 1)
        return np.flatnonzero(near)

    def measure_swap_costs(
        self, figures: HomeFigures, neutrals: Ints, free: Ints, moved: Ints | None = None
    ) -> Floats:
        """Return the cost of moving each neutral center (rows) to each `free` land (columns).

        `moved`: the positions in `neutrals` of those that may move; by default all.
        """
        costs = self._weigh_costs(*self.measure_swaps(figures, neutrals, free, moved))
        return costs.reshape(-1, len(free))

    def measure_swaps(
        self, figures: HomeFigures, neutrals: Ints, free: Ints, moved: Ints | None = None
    ) -> tuple[Floats, Floats]:
        """Return the result of `measure` after moving each neutral center to each `free` land.

        `moved`: the positions in `neutrals` of those that move; by default all. The moves of the
        first center come first. `figures` has one option of homes. Every figure is
        a sum over the neutral centers, so a swap removes one term and adds another.
        """
        count, starts = len(neutrals), figures.starts[0][:, None]
        moved = np.arange(count) if moved is None else moved
        lands = np.concatenate([neutrals, free])
        early = self._starts.first_year_units[starts, lands]
        reached = early > 0
        steps = self._starts.steps[starts, lands]
        claims = reached.sum(axis=0)
        nearest = _share_out(steps == steps.min(axis=0))
        sums = np.stack([_EXPOSURE[steps], reached, _share_out(steps <= 2), nearest], axis=1)
        swapped = _sum_after_swaps(sums, count, moved)
        values = np.empty((self._players, len(AIMS), len(moved) * len(free)))
        values[:, :_HOME_FIGURES] = figures.values
        values[:, _EXPOSED] += swapped[:, 0]
        values[:, _REACHED : _NEUTRAL_SHARE + 1] = swapped[:, 1:]
        values[:, DISTANCE_COLUMN] = self._sum_swapped_distances(figures, steps, count, moved)
        _add_predicted_shares(values)
        alone, contested = _sum_after_swaps(np.stack([claims == 0, claims > 1]), count, moved)
        taken = np.minimum(swapped[:, 1], _UNIT_COUNTS[_merge_after_swaps(early, count, moved)])
        broken = _count_neutral_faults(taken, alone, contested, count)
        wild = _sum_after_swaps(self._wild[lands], count, moved)
        return values, figures.broken + broken + self._count_missing(wild, count)

    def _sum_swapped_distances(
        self, figures: HomeFigures, steps: Ints, count: int, moved: Ints
    ) -> Ints:
        """Return, for each swap, the sum of the distances to enough centers for victory.

        It is summed over lengths: for each length, the number of centers still missing within it.
        Before the first step, all but the homes are missing.
        """
        to_homes = figures.to_homes[:, 0]
        near = np.sort(np.concatenate([to_homes, steps[:, :count]], axis=1), axis=1)
        # Allow for one more center, because a swap may remove one of the nearest.
        last = near[:, min(self._wins, near.shape[1] - 1)]
        lengths = np.arange(1, max(2, min(_MAX_DISTANCE, int(last.max()))))[:, None]
        have = (to_homes[:, None] <= lengths).sum(axis=2)
        within = _sum_after_swaps(steps[:, None] <= lengths, count, moved)
        missing = np.maximum(self._wins - have[:, :, None] - within, 0)
        return np.asarray(missing.sum(axis=1) + self._wins - self._sizes[:, None])


_FEW_POWERS = 10


def rival_limits(players: int) -> tuple[int, int]:
    """Return the least and greatest number of rivals within three moves."""
    return min(2, players - 1), 4


def max_near_powers(players: int) -> int:
    """Return the greatest number of powers within three steps of a power, by any unit.

    Among many powers, those in the middle of the map have neighbors on all sides.
    """
    return 4 if players <= _FEW_POWERS else 6


def min_reachable_rivals(players: int) -> int:
    """Return the minimum number of rivals that a power's own units must reach in three moves."""
    return 2 if players > 3 else 1


def _add_predicted_shares(values: Floats) -> None:
    """Add the effect of neutral centers and of the distance to victory to the predicted shares."""
    values[:, _PREDICTED] += NEAREST_WEIGHT * values[:, _NEUTRAL_SHARE]
    values[:, _PREDICTED] += DISTANCE_WEIGHT * PART * values[:, DISTANCE_COLUMN]


def _share_out(having: Bools) -> Ints:
    """Return the parts of each thing (last axis) for each power (first axis) that has it."""
    return np.asarray(having * _PARTS[having.sum(axis=0, dtype=np.int8)])


def _sum_shares(having: Bools) -> Floats:
    """Return each power's total share (first axis) of all things (last axis) in each option."""
    whole = _PARTS_AS_FLOATS[having.sum(axis=0, dtype=np.int8)]
    # A matrix product is the fastest sum. It is exact, because all values are integers below 2**24.
    # Now and then the library looks at numbers beside the arrays, and warns about them.
    with np.errstate(invalid="ignore"):
        sums = having.transpose(1, 0, 2).astype(np.float32) @ whole[:, :, None]
    return np.asarray(sums[:, :, 0].T)


def _sum_after_swaps(summand: Ints | Bools, count: int, moved: Ints) -> Ints:
    """Return the sum over the first `count` items after swapping each `moved` with each later one.

    Items are on the last axis.
    """
    each = summand.astype(np.int32)
    remaining = each[..., :count].sum(axis=-1, keepdims=True) - each[..., moved]
    swapped = remaining[..., :, None] + each[..., None, count:]
    return np.asarray(swapped.reshape(*each.shape[:-1], -1))


def _merge_after_swaps(early: UnitSets, count: int, moved: Ints) -> UnitSets:
    """Return the units that have a center to take, after each swap as in `_sum_after_swaps`."""
    sets = np.zeros((len(early), count + 1), dtype=np.uint8)
    before, after = sets.copy(), sets
    np.bitwise_or.accumulate(early[:, :count], axis=1, out=before[:, 1:])
    np.bitwise_or.accumulate(early[:, count - 1 :: -1], axis=1, out=after[:, 1:])
    remaining = (before[:, :-1] | after[:, -2::-1])[:, moved]
    return np.asarray((remaining[:, :, None] | early[:, None, count:]).reshape(len(early), -1))


def _count_neutral_faults(taken: Ints, alone: Ints, contested: Ints, count: int) -> Floats:
    """Return how badly k options break the constraints on neutral centers.

    `taken` (powers×k): the lesser of the number of centers that a power can take in the first year
    and of the number of its units that can take one. Two units can take two centers unless one of
    these numbers is smaller.
    """
    outside = _distance_outside(contested / count, CONTESTED)
    return np.asarray(np.maximum(2 - taken, 0).sum(axis=0) + alone + 10 * outside)


def _distance_outside(values: Floats, limits: tuple[float, float]) -> Floats:
    return np.asarray(np.maximum(limits[0] - values, 0) + np.maximum(values - limits[1], 0))
