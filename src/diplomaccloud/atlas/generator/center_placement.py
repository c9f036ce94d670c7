"""Stage 8: place home and neutral centers so that the powers have similar chances."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from diplomaccloud.atlas.generator.balance import (
    HOMES,
    USUAL_HOMES,
    Balance,
    PlacementError,
    PossibleStarts,
    find_possible_starts,
)
from diplomaccloud.atlas.generator.borders import Layout
from diplomaccloud.atlas.generator.mesh import Bools, Ints
from diplomaccloud.atlas.generator.random_streams import draw_index, draw_indices

_SEARCHES, _REFINED = 8, 2
"""The number of searches to start, and the number of best ones to continue."""

_ROUGH_STEPS, _FINE_STEPS = 14, 60
"""Steps of annealing before and after there are neutral centers."""

_MAX_OPTIONS = 128
"""Starts compared at each step."""

_MANY_POWERS = 12
"""With more powers than this, there are fewer searches, and each compares fewer options."""

_FEW_SEARCHES, _FEW_REFINED, _FEW_OPTIONS = 2, 1, 48
_STEPS_PER_POWER = 2, 6
"""Steps of annealing with many powers, before and after there are neutral centers."""

_REPAIRS_PER_POWER, _REPAIR_HEAT = 5, 2.0
"""The most steps, with many powers, to repair those that break a constraint, and their heat."""

_MAX_MOVED, _MAX_TARGETS = 12, 24
"""With many powers, the neutral centers and lands compared when a center moves."""

_MAX_SWAPS = 40
"""Moves of neutral centers at the start and at the end of a search."""

_START_HEATS = (12.0, 20.0)
"""Annealing temperatures at the start, before and after there are neutral centers."""

_CANDIDATES = 24
"""Starts drawn for each power, before a search begins."""

_MAX_TRIES = 60
"""Attempts to fit the homes of all powers on the board."""

_PACKING_STEPS = 30
"""Attempts for each power to fit many homes on the board."""

_MAX_TOUCHED = 24
"""About as many lands as the homes of a power can touch."""

_MAX_GAP, _RIVAL_GAP = 11, 3
"""The moves beyond which a larger gap is no better, and within which a power is a rival."""

_ROOMY_LANDS = 14
"""With more lands than this per power, powers could lie too far apart to meet."""

_MAX_UNUSUAL_SHARE = 3 / 7
"""At most about this share of the powers has four homes, and at most this share has two."""

_MAX_COUNTRY = 2
"""The most provinces of a country without a center."""


class HomeRule(StrEnum):
    """How many homes the powers have."""

    VARIED = "varied"
    """Two to four."""
    EQUAL = "equal"
    """Three."""


@dataclass(frozen=True)
class CenterCounts:
    """How many centers a map has: the `homes` of each power, and all `centers` with those."""

    homes: tuple[int, ...]
    centers: int

    @property
    def neutrals(self) -> int:
        """The number of neutral centers."""
        return self.centers - sum(self.homes)


def draw_homes(
    players: int, rule: HomeRule, rng: np.random.Generator, *, needs_large: bool = False
) -> tuple[int, ...]:
    """Return the number of homes of each power, in any order.

    At least one power has another number than three, and about as many have two homes as have
    four. Two powers have equally many. With `needs_large`, at least one power has four.
    """
    if rule is HomeRule.EQUAL:
        return (USUAL_HOMES,) * players
    if players == 2:
        return (HOMES[draw_index(rng, len(HOMES))],) * players
    most = max(int(players * _MAX_UNUSUAL_SHARE), 1)
    small, large = (draw_index(rng, most + 1) for _ in range(2))
    small, large = min(small, large + 1), min(large, small + 1)
    large = max(large, int(needs_large or not small))
    return (HOMES[-1],) * large + (USUAL_HOMES,) * (players - small - large) + (HOMES[0],) * small


@dataclass(frozen=True)
class Centers:
    """The home centers of each power, which of them hold fleets, and its country.

    `countries`: further provinces of each power, without a center.
    """

    homes: tuple[tuple[int, ...], ...]
    fleets: tuple[frozenset[int], ...]
    countries: tuple[tuple[int, ...], ...]
    neutrals: tuple[int, ...]

    @property
    def count(self) -> int:
        """The number of all centers."""
        return sum(map(len, self.homes)) + len(self.neutrals)


def place_centers(layout: Layout, counts: CenterCounts, rng: np.random.Generator) -> Centers:
    """Return home and neutral centers in the numbers of `counts`, balanced by simulated annealing.

    Raises `PlacementError` if the homes don't fit, or no placement meets the hard constraints.
    """
    possible = find_possible_starts(layout, set(counts.homes))
    many = len(counts.homes) > _MANY_POWERS
    starting, kept = (_FEW_SEARCHES, _FEW_REFINED) if many else (_SEARCHES, _REFINED)
    searches = [_CenterSearch(layout, possible, counts, rng) for _ in range(starting)]
    hopeful = _sort_by_cost([search.place_first() for search in searches])[:kept]
    refined = [searches[number].refine() for number in hopeful]
    broken, starts, neutrals = searches[hopeful[_sort_by_cost(refined)[0]]].result()
    if broken:
        raise PlacementError("the centers break a hard constraint")
    homes = tuple(tuple(possible.list_homes(start).tolist()) for start in starts.tolist())
    fleets = tuple(possible.fleet_homes(start) for start in starts.tolist())
    centers = tuple(sorted(neutrals.tolist()))
    countries = choose_countries(layout, homes, centers, draw_country_sizes(len(homes), rng))
    return Centers(homes, fleets, countries, centers)


def _sort_by_cost(costs: Sequence[float]) -> list[int]:
    return sorted(range(len(costs)), key=lambda number: costs[number])


def _draw_starts(
    layout: Layout, possible: PossibleStarts, counts: CenterCounts, rng: np.random.Generator
) -> Ints:
    """Return a start for each power, none touching another.

    They lie far apart but, if there is room, not too far apart to be rivals.
    """
    players = len(counts.homes)
    roomy = layout.lands > _ROOMY_LANDS * players
    ranges = [possible.find_range(size) for size in counts.homes]
    if any(first == last for first, last in ranges):
        raise PlacementError("too few provinces touch one another")
    for attempt in range(_MAX_TRIES):
        starts = [ranges[0][0] + draw_index(rng, ranges[0][1] - ranges[0][0])]
        for first, last in ranges[1:]:
            near = np.asarray(possible.touches[starts].any(axis=0))
            taken = possible.find_taken(np.arange(first, last), near)
            taken |= _find_banned(layout, possible, np.arange(first, last), len(starts), players)
            free = first + np.flatnonzero(~taken)
            if not len(free):
                break
            fitting = free[draw_indices(rng, len(free), _CANDIDATES)]
            # The fewest moves from each start to a home of another power.
            nearest = possible.moves[fitting][:, possible.list_homes(np.array(starts))].min(axis=1)
            gaps = -abs(nearest - _RIVAL_GAP) if roomy else np.minimum(nearest, _MAX_GAP)
            # If space is short, pack the starts: every second try leaves the most lands free.
            packed = (possible.touches[fitting] & ~near).sum(axis=1)
            best = np.argmax(gaps) if attempt % 2 == 0 else np.argmin(packed)
            starts.append(int(fitting[best]))
        if len(starts) == players and layout.lands >= counts.centers:
            return np.array(starts)
    raise PlacementError(f"no room for the homes of {players} powers")


def _find_banned(
    layout: Layout, possible: PossibleStarts, tried: Ints, power: int, players: int
) -> Bools:
    """Return which of the starts `tried` are not for `power`: the isle is for the middle one.

    The middle one of the powers, which are sorted by their homes, nearly always has three.
    """
    if not layout.isle:
        return np.zeros(len(tried), dtype=bool)
    # Homes are connected, so they are all on the isle or all off it.
    on_isle = np.isin(possible.homes[tried, 0], sorted(layout.isle))
    return np.asarray(on_isle != (power == players // 2))


def _pack_starts(
    layout: Layout, possible: PossibleStarts, sizes: Sequence[int], rng: np.random.Generator
) -> Ints:
    """Return a start for each power of `sizes`, none touching another, on a crowded board.

    Each power takes the place where it displaces the fewest others, which then look for another.
    """
    ranges = [possible.find_range(size) for size in sizes]
    starts = np.full(len(sizes), -1)
    waiting = list(range(len(sizes)))
    for _ in range(_PACKING_STEPS * len(sizes)):
        if not waiting:
            return starts
        power = waiting.pop(draw_index(rng, len(waiting)))
        first, last = ranges[power]
        tried = first + draw_indices(rng, last - first, _CANDIDATES)
        placed = np.flatnonzero(starts >= 0)
        # Which of the placed powers each start would touch.
        clashes = np.stack(
            [possible.find_clashes(tried, starts[[other]]) for other in placed]
            or [np.zeros(len(tried), dtype=bool)]
        )
        banned = _find_banned(layout, possible, tried, power, len(sizes))
        if banned.all():
            waiting.append(power)
            continue
        costs = clashes.sum(axis=0) + possible.touches[tried].sum(axis=1) / _MAX_TOUCHED
        costs = np.where(banned, np.inf, costs)
        best = int(np.argmin(costs + rng.random(len(tried))))
        starts[power] = tried[best]
        displaced = placed[clashes[:, best]] if len(placed) else placed
        starts[displaced] = -1
        waiting += displaced.tolist()
    raise PlacementError(f"no room for the homes of {len(sizes)} powers")


class _CenterSearch:
    """Simulated annealing over the starts and the neutral centers.

    Each step compares many options for one power's start, or every move of one neutral center, and
    takes the best. For starts, random noise blurs the costs, less and less.
    """

    def __init__(
        self,
        layout: Layout,
        possible: PossibleStarts,
        counts: CenterCounts,
        rng: np.random.Generator,
    ) -> None:
        self._possible = possible
        self._rng = rng
        self._layout = layout
        self._counts = counts
        self._balance = Balance(
            possible, counts.homes, counts.centers, layout.gathering, layout.wild
        )
        self._many = len(counts.homes) > _MANY_POWERS
        starts = (
            _pack_starts(layout, possible, counts.homes, rng)
            if self._many
            else _draw_starts(layout, possible, counts, rng)
        )
        self._figures = self._balance.measure_homes(starts[None])
        self._max_options = _FEW_OPTIONS if self._many else _MAX_OPTIONS
        self._neutrals = np.zeros(0, dtype=np.int64)
        self._is_settled = False

    def place_first(self) -> float:
        """Spread the powers, give them neutral centers and return the cost."""
        players = len(self._starts)
        steps = _STEPS_PER_POWER[0] * players if self._many else _ROUGH_STEPS
        for step in range(steps):
            self._move_home(step % players, _START_HEATS[0] * (1 - step / steps) ** 2)
        if self._many:
            # Neutral centers will leave few other homes to move to.
            self._repair(0.0)
        free = self._free_lands()
        drawn = draw_indices(self._rng, len(free), self._counts.neutrals, distinct=True)
        self._neutrals = free[np.sort(drawn)]
        return self._move_neutrals(_MAX_SWAPS, self._measure_cost())

    def refine(self) -> float:
        """Change starts and neutral centers alternately; return the cost of the best placement."""
        cost = self._move_neutrals(_MAX_SWAPS, self._measure_cost())
        best = cost, self._figures, self._neutrals
        steps = _STEPS_PER_POWER[1] * len(self._starts) if self._many else _FINE_STEPS
        for step in range(steps):
            heat = (_REPAIR_HEAT if self._many else _START_HEATS[1]) * (1 - step / steps) ** 2
            cost = self._move_home(self._choose_power(step), heat)
            cost = self._move_neutrals(1 if self._many else 2, cost)
            if cost < best[0]:
                best = (cost, self._figures, self._neutrals)
        cost, self._figures, self._neutrals = best
        self._is_settled = False
        cost = self._move_neutrals(_MAX_SWAPS, cost)
        return self._repair(cost) if self._many else cost

    def _repair(self, cost: float) -> float:
        """Move the powers that break a constraint, or their neighbors; return the cost."""
        for step in range(_REPAIRS_PER_POWER * len(self._starts)):
            if not self.count_faults():
                break
            faulty = self._balance.list_faulty(self._figures, self._neutrals)
            power = moving = self._choose_power(1)
            if step % 2:
                rivals = self._balance.list_near_powers(self._figures, power)
                moving = int(rivals[draw_index(self._rng, len(rivals))])
            cost = self._move_home(moving, _REPAIR_HEAT, over_neutrals=True)
            if len(self._neutrals):
                cost = self._move_displaced(moving, cost)
                cost = self._move_neutrals(2, cost, power if len(faulty) else None)
        return cost

    def _move_displaced(self, power: int, cost: float) -> float:
        """Move the neutral centers on homes of `power` to the best free lands; return the cost."""
        homes = self._possible.list_homes(self._starts[power])
        for number in np.flatnonzero(np.isin(self._neutrals, homes)):
            free = self._free_lands()
            costs = self._balance.measure_swap_costs(
                self._figures, self._neutrals, free, np.array([number])
            )
            self._neutrals = self._neutrals.copy()
            self._neutrals[number] = free[np.argmin(costs)]
            cost = float(costs.min())
        return cost

    def result(self) -> tuple[float, Ints, Ints]:
        """Return how badly the hard constraints are broken, the starts, and the neutral centers."""
        return self.count_faults(), self._starts, self._neutrals

    def count_faults(self) -> float:
        """Return how badly the hard constraints are broken."""
        if not len(self._neutrals):
            return float(self._figures.broken[0])
        return float(self._balance.measure(self._figures, self._neutrals)[1][0])

    @property
    def _starts(self) -> Ints:
        return np.asarray(self._figures.starts[0])

    def _free_lands(self) -> Ints:
        """Return the lands without a center."""
        used = np.zeros(self._layout.lands, dtype=bool)
        used[self._possible.list_homes(self._starts)] = True
        used[self._neutrals] = True
        return np.flatnonzero(~used)

    def _measure_cost(self) -> float:
        return float(self._balance.measure_costs(self._figures, self._neutrals)[0])

    def _choose_power(self, step: int) -> int:
        """Return a power to move; with many, every second time one that breaks a constraint."""
        if self._many and step % 2:
            faulty = self._balance.list_faulty(self._figures, self._neutrals)
            if len(faulty):
                return int(faulty[draw_index(self._rng, len(faulty))])
        return draw_index(self._rng, len(self._starts))

    def _move_home(self, power: int, heat: float, *, over_neutrals: bool = False) -> float:
        """Give `power` the best of many starts, including its own; return the cost."""
        options = self._list_options(power, over_neutrals=over_neutrals)
        starts = np.repeat(self._starts[None], len(options), axis=0)
        starts[:, power] = options
        figures = self._balance.measure_homes(starts)
        if len(self._neutrals):
            costs = self._balance.measure_costs(figures, self._neutrals)
        else:
            costs = self._balance.estimate_costs(figures, self._free_lands())
        best = int(np.argmin(costs + heat * self._rng.random(len(options))))
        self._is_settled = self._is_settled and options[best] == options[0]
        self._figures = figures.select(best)
        return float(costs[best])

    def _list_options(self, power: int, *, over_neutrals: bool) -> Ints:
        """Return starts for `power` that fit beside the others, its present one first.

        Unless `over_neutrals`, their homes are not neutral centers.
        """
        possible, start = self._possible, self._starts[power]
        near = possible.find_sharing(start)
        first, last = possible.find_range(self._counts.homes[power])
        half = self._max_options // 2
        beside = near[draw_indices(self._rng, len(near), half)]
        anywhere = first + draw_indices(self._rng, last - first, half)
        tried = np.concatenate([beside, anywhere])
        others = np.delete(self._starts, power)
        taken = np.zeros(self._layout.lands, dtype=bool)
        taken[self._neutrals] = not over_neutrals
        fits = ~(possible.find_clashes(tried, others) | possible.find_taken(tried, taken))
        fits &= ~_find_banned(self._layout, possible, tried, power, len(self._starts))
        return np.concatenate([[start], tried[fits]])

    def _move_neutrals(self, max_moves: int, cost: float, power: int | None = None) -> float:
        """Move up to `max_moves` neutral centers, one at a time, while that reduces the cost.

        `cost` is the cost before; returns the cost afterward. With `power`, they only move to where
        it can be in the first year.
        """
        for _ in range(max_moves):
            if self._is_settled:
                break
            free, moved = self._free_lands(), np.arange(len(self._neutrals))
            if power is not None:
                free = free[self._possible.first_year_units[self._starts[power], free] > 0]
                if not len(free):
                    break
            if self._many:
                moved = moved[draw_indices(self._rng, len(moved), _MAX_MOVED, distinct=True)]
                free = free[draw_indices(self._rng, len(free), _MAX_TARGETS, distinct=True)]
            costs = self._balance.measure_swap_costs(self._figures, self._neutrals, free, moved)
            row, column = divmod(int(np.argmin(costs)), len(free))
            if not costs[row, column] < cost:
                if self._many:
                    continue
                self._is_settled = True
                break
            cost = float(costs[row, column])
            self._neutrals = self._neutrals.copy()
            self._neutrals[moved[row]] = free[column]
        return cost


def draw_country_sizes(players: int, rng: np.random.Generator) -> list[int]:
    """Return how many provinces without a center each country may have."""
    return [draw_index(rng, _MAX_COUNTRY + 1) for _ in range(players)]


def choose_countries(
    layout: Layout,
    homes: Sequence[tuple[int, ...]],
    neutrals: Sequence[int],
    sizes: Sequence[int],
) -> tuple[tuple[int, ...], ...]:
    """Return more provinces for each country, at most `sizes`; countries do not touch."""
    lands = [set(home) for home in homes]
    for turn in range(_MAX_COUNTRY):
        for power, country in enumerate(lands):
            if turn >= sizes[power]:
                continue
            foreign = set().union(*(lands[:power] + lands[power + 1 :]))
            candidates = [
                land
                for land in range(layout.lands)
                if land not in country | foreign | set(neutrals)
                and layout.neighbors[land] & country
                and not layout.neighbors[land] & foreign
            ]
            if candidates:
                country.add(max(candidates, key=lambda x: (len(layout.neighbors[x] & country), -x)))
    return tuple(
        tuple(sorted(country - set(home))) for country, home in zip(lands, homes, strict=True)
    )
