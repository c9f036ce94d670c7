"""Stage 8: home and neutral centers, placed so that the powers have like chances."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from diplomaccloud.atlas.generator.balance import NEUTRALS, Balance
from diplomaccloud.atlas.generator.board_layout import Layout
from diplomaccloud.atlas.generator.mesh import Ints
from diplomaccloud.atlas.generator.possible_starts import PlacementError, Sites, find_sites, nearest
from diplomaccloud.atlas.generator.random_streams import draw_index, draw_indices

_STARTS, _KEPT = 8, 2
_ROUGH, _FINE = 14, 60
_OPTIONS = 128
_SWAPS = 40
_HEATS = (12.0, 20.0)
_TRIES = 60
_NEAR, _RIVAL = 11, 3
"""Moves beyond which all starts are as good, and within which a power is a rival."""

_ROOMY = 14
"""Lands for a power from which on the powers could lie too far apart to meet."""


@dataclass(frozen=True)
class Centers:
    """Where each power starts: its home centers, which of them hold fleets, its country.

    `countries` are further provinces of each power without a center.
    """

    homes: tuple[tuple[int, ...], ...]
    fleets: tuple[frozenset[int], ...]
    countries: tuple[tuple[int, ...], ...]
    neutrals: tuple[int, ...]


def place_centers(layout: Layout, players: int, rng: np.random.Generator) -> Centers:
    """Return homes and neutral centers for `players`, balanced by annealing.

    Raises `PlacementError` if so many homes do not fit, or no placement keeps the hard
    constraints.
    """
    sites = find_sites(layout)
    searches = [_Search(layout, sites, players, rng) for _ in range(_STARTS)]
    hopeful = _cheapest([search.begin() for search in searches])[:_KEPT]
    refined = [searches[number].refine(_FINE) for number in hopeful]
    broken, chosen, neutrals = searches[hopeful[_cheapest(refined)[0]]].result()
    if broken:
        raise PlacementError("the centers break a hard constraint")
    homes = tuple(tuple(home) for home in sites.members[chosen].tolist())
    fleets = tuple(sites.fleets(site) for site in chosen.tolist())
    kept = tuple(sorted(neutrals.tolist()))
    return Centers(homes, fleets, countries_of(layout, homes, kept), kept)


def _cheapest(costs: Sequence[float]) -> list[int]:
    return sorted(range(len(costs)), key=lambda number: costs[number])


def _scattered(layout: Layout, sites: Sites, players: int, rng: np.random.Generator) -> Ints:
    """Return a start per power, none touching another.

    They are far from one another, but no farther than rivals should be where there is room.
    """
    roomy = layout.lands > _ROOMY * players
    for attempt in range(_TRIES):
        chosen = [draw_index(rng, len(sites.members))]
        while len(chosen) < players:
            tried = draw_indices(rng, len(sites.members), 24)
            free = tried[~sites.clash(tried, np.array(chosen))].tolist()
            if not free:
                break
            gaps = [_merit(nearest(sites, one, chosen), roomy=roomy) for one in free]
            # Packed, not spread, when room is short: every second try takes the nearest.
            chosen.append(free[int(np.argmax(gaps) if attempt % 2 == 0 else np.argmin(gaps))])
        taken = len(set(sites.members[chosen].ravel().tolist()))
        if len(chosen) == players and layout.lands - taken >= NEUTRALS * players:
            return np.array(chosen)
    raise PlacementError(f"no room for the homes of {players} powers")


def _merit(gap: int, *, roomy: bool) -> int:
    return -abs(gap - _RIVAL) if roomy else min(gap, _NEAR)


class _Search:
    """Simulated annealing over the starts and the neutral centers.

    Each step compares many options for one power's start, or every move of one neutral
    center, and takes the best; for starts, chance blurs the costs, less and less.
    """

    def __init__(
        self, layout: Layout, sites: Sites, players: int, rng: np.random.Generator
    ) -> None:
        self._sites = sites
        self._rng = rng
        self._lands = layout.lands
        self._balance = Balance(sites, players)
        self._part = self._balance.home_part(_scattered(layout, sites, players, rng)[None])
        self._neutrals = np.zeros(0, dtype=np.int64)
        self._settled = False

    def begin(self) -> float:
        """Spread the powers and give them neutral centers; return what that costs."""
        players = len(self._chosen)
        for step in range(_ROUGH):
            self._move_home(step % players, _HEATS[0] * (1 - step / _ROUGH) ** 2)
        free = self._free()
        count = NEUTRALS * players
        self._neutrals = free[np.sort(draw_indices(self._rng, len(free), count, distinct=True))]
        return self._settle(_SWAPS, self._cost())

    def refine(self, steps: int) -> float:
        """Change starts and neutral centers in turn; return the cost of the best found."""
        best = (self._settle(_SWAPS, self._cost()), self._part, self._neutrals)
        for step in range(steps):
            cost = self._move_home(
                draw_index(self._rng, len(self._chosen)), _HEATS[1] * (1 - step / steps) ** 2
            )
            cost = self._settle(2, cost)
            if cost < best[0]:
                best = (cost, self._part, self._neutrals)
        cost, self._part, self._neutrals = best
        self._settled = False
        return self._settle(_SWAPS, cost)

    def result(self) -> tuple[float, Ints, Ints]:
        """Return how much of the hard constraints is broken, the starts and the neutrals."""
        broken = float(self._balance.measured(self._part, self._neutrals)[1][0])
        return broken, self._chosen, self._neutrals

    @property
    def _chosen(self) -> Ints:
        return np.asarray(self._part.chosen[0])

    def _free(self) -> Ints:
        """Return the lands that are no center."""
        used = np.zeros(self._lands, dtype=bool)
        used[self._sites.members[self._chosen].ravel()] = True
        used[self._neutrals] = True
        return np.flatnonzero(~used)

    def _cost(self) -> float:
        return float(self._balance.cost(self._part, self._neutrals)[0])

    def _move_home(self, who: int, heat: float) -> float:
        """Give one power the best of many starts, its own among them; return what it costs."""
        options = self._options(who)
        chosen = np.repeat(self._chosen[None], len(options), axis=0)
        chosen[:, who] = options
        part = self._balance.home_part(chosen)
        if len(self._neutrals):
            costs = self._balance.cost(part, self._neutrals)
        else:
            costs = self._balance.rough(part, self._free())
        best = int(np.argmin(costs + heat * self._rng.random(len(options))))
        self._settled = self._settled and options[best] == options[0]
        self._part = part.option(best)
        return float(costs[best])

    def _options(self, who: int) -> Ints:
        """Return starts for one power that fit beside the others, the present one first."""
        sites, own = self._sites, self._chosen[who]
        close = np.concatenate([sites.with_member[home] for home in sites.members[own].tolist()])
        half = _OPTIONS // 2
        tried = np.concatenate(
            [
                close[draw_indices(self._rng, len(close), half)],
                draw_indices(self._rng, len(sites.rim), half),
            ]
        )
        others = np.concatenate([self._chosen[:who], self._chosen[who + 1 :]])
        taken = np.zeros(self._lands, dtype=bool)
        taken[self._neutrals] = True
        fits = ~(sites.clash(tried, others) | taken[sites.members[tried]].any(axis=1))
        return np.concatenate([[own], tried[fits]])

    def _settle(self, most: int, cost: float) -> float:
        """Move the neutral centers, one at a time, as long as that helps.

        `cost` is what the placement costs now; returns what it costs then.
        """
        for _ in range(most):
            if self._settled:
                break
            free = self._free()
            costs = self._balance.swap_costs(self._part, self._neutrals, free)
            row, column = divmod(int(np.argmin(costs)), len(free))
            if not costs[row, column] < cost:
                self._settled = True
                break
            cost = float(costs[row, column])
            self._neutrals = self._neutrals.copy()
            self._neutrals[row] = free[column]
        return cost


def countries_of(
    layout: Layout, homes: Sequence[tuple[int, ...]], neutrals: Sequence[int]
) -> tuple[tuple[int, ...], ...]:
    """Return up to two more provinces per power that touch its homes and no other country."""
    lands = [set(home) for home in homes]
    for _ in range(2):
        for who, own in enumerate(lands):
            foreign = set().union(*(lands[:who] + lands[who + 1 :]))
            open_to = [
                land
                for land in range(layout.lands)
                if land not in own | foreign | set(neutrals)
                and layout.touching[land] & own
                and not layout.touching[land] & foreign
            ]
            if open_to:
                own.add(max(open_to, key=lambda land: (len(layout.touching[land] & own), -land)))
    return tuple(tuple(sorted(own - set(home))) for own, home in zip(lands, homes, strict=True))
