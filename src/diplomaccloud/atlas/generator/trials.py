"""Placements that are tried before one is drawn: boards without names, and small changes.

For those who choose placements by play: such a board takes milliseconds, where a whole map
takes half a second.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from diplomaccloud.atlas.chart import Chart
from diplomaccloud.atlas.generator.assembly import Ready, make_board
from diplomaccloud.atlas.generator.balance import Balance
from diplomaccloud.atlas.generator.homes import Centers, countries_of, place_centers
from diplomaccloud.atlas.generator.making import OpenLand
from diplomaccloud.atlas.generator.mesh import Floats, Ints
from diplomaccloud.atlas.generator.names import Names, PowerName
from diplomaccloud.atlas.generator.sites import HOMES, PlacementError, find_sites
from diplomaccloud.judge.board import Board, ProvinceCode

_SLACK = 5.0
"""How much worse, in squares of an aim, a change may make the figures of the board."""

_EXPOSED, _DISTANT = -0.45, 0.13
"""What one more enemy at the door, and one more step to victory, do to a power's share.

In equal shares; fitted on what the greedy bot came to on placements made by this generator.
"""


@dataclass(frozen=True)
class Placement:
    """The start of each power, by the numbers of `Sites`, and the neutral centers."""

    starts: tuple[int, ...]
    neutrals: tuple[int, ...]


class Trials:
    """One land and the placements that are tried on it; the same for the same land."""

    def __init__(self, land: OpenLand) -> None:
        """Find the starts that are possible on `land`."""
        self._land = land
        self._layout = land.land.layout
        self._players = land.order.players
        self._sites = find_sites(self._layout)
        self._balance = Balance(self._sites, self._players)

    def placement(self, number: int) -> Placement | None:
        """Return the placement of that number, from 0; `None` if nothing comes of it."""
        rng = self._land.stream(f"placement {number}")
        try:
            centers = place_centers(self._layout, self._players, rng)
        except PlacementError:
            return None
        starts = zip(centers.homes, centers.fleets, strict=True)
        return Placement(tuple(self._numbers[start] for start in starts), centers.neutrals)

    def board(self, placement: Placement) -> Board:
        """Return the board of a placement, its provinces and powers numbered, not named."""
        ready = self._ready(placement)
        return make_board(ready, self._names, [ProvinceCode(one) for one in self._names.codes])

    def chart(self, placement: Placement, kind: str) -> Chart | None:
        """Return the finished map, its maker ending in `kind`; `None` if it has a fault."""
        return self._land.chart(self._ready(placement), kind)

    def changes(self, placement: Placement) -> list[Placement]:
        """Return the placements that differ in one start or one neutral center.

        Those only that keep the hard constraints and leave the figures about as even. Of a
        start at least two homes stay.
        """
        starts, neutrals = np.array(placement.starts), np.array(placement.neutrals)
        cost = float(self._balance.cost(self._balance.home_part(starts[None]), neutrals)[0])
        return [
            *self._moved_neutrals(starts, neutrals, cost + _SLACK),
            *self._moved_starts(starts, neutrals, cost + _SLACK),
        ]

    def outlook(self, placement: Placement) -> Floats:
        """Return what is foretold of the share of each power, in equal shares, but for the mean.

        Only differences between placements on one land mean something.
        """
        starts = np.array(placement.starts)
        homes, players = self._sites.members[starts], self._players
        part = self._balance.home_part(starts[None])
        figures = self._balance.measured(part, np.array(placement.neutrals))[0]
        reach = self._sites.reach[starts].astype(np.float64)
        near = 0.5 ** np.maximum(reach[:, homes] - 1, 0)
        near[np.arange(players), np.arange(players)] = 0
        exposed = near.sum(axis=(0, 2))
        return np.asarray(_EXPOSED * exposed + _DISTANT * figures[:, 9, 0])

    def _moved_neutrals(self, starts: Ints, neutrals: Ints, most: float) -> Iterator[Placement]:
        used = set(self._sites.members[starts].ravel().tolist()) | set(neutrals.tolist())
        free = np.array([land for land in range(self._layout.lands) if land not in used])
        part = self._balance.home_part(starts[None])
        costs = self._balance.swap_costs(part, neutrals, free)
        for row, column in np.argwhere(costs <= most).tolist():
            moved = neutrals.copy()
            moved[row] = free[column]
            yield from self._sound(starts, moved)

    def _moved_starts(self, starts: Ints, neutrals: Ints, most: float) -> Iterator[Placement]:
        for who in range(self._players):
            options = self._options(starts, who, neutrals)
            if not len(options):
                continue
            chosen = np.repeat(starts[None], len(options), axis=0)
            chosen[:, who] = options
            costs = self._balance.cost(self._balance.home_part(chosen), neutrals)
            for row in np.flatnonzero(costs <= most).tolist():
                yield from self._sound(chosen[row], neutrals)

    def _options(self, starts: Ints, who: int, neutrals: Ints) -> Ints:
        """Return the other starts for one power with two homes or three of the present one."""
        sites = self._sites
        own = sites.members[starts[who]]
        near = np.concatenate([sites.with_member[home] for home in own.tolist()])
        options, homes_kept = np.unique(near, return_counts=True)
        fits = (homes_kept >= HOMES - 1) & (options != starts[who])
        fits &= ~sites.clash(options, np.delete(starts, who))
        fits &= ~np.isin(sites.members[options], neutrals).any(axis=1)
        return np.asarray(options[fits])

    def _sound(self, starts: Ints, neutrals: Ints) -> Iterator[Placement]:
        part = self._balance.home_part(starts[None])
        if not self._balance.measured(part, neutrals)[1][0]:
            yield Placement(tuple(starts.tolist()), tuple(sorted(neutrals.tolist())))

    def _ready(self, placement: Placement) -> Ready:
        land, centers = self._land.land, self._centers(placement)
        return Ready(land.mesh, land.terrain, land.division, land.lines, land.layout, centers)

    def _centers(self, placement: Placement) -> Centers:
        sites = self._sites
        homes = tuple(tuple(sites.members[start].tolist()) for start in placement.starts)
        fleets = tuple(sites.fleets(start) for start in placement.starts)
        countries = countries_of(self._layout, homes, placement.neutrals)
        return Centers(homes, fleets, countries, placement.neutrals)

    @cached_property
    def _numbers(self) -> dict[tuple[tuple[int, ...], frozenset[int]], int]:
        """The number of each start by its homes and those that hold fleets."""
        members = self._sites.members.tolist()
        return {(tuple(homes), self._sites.fleets(n)): n for n, homes in enumerate(members)}

    @cached_property
    def _names(self) -> Names:
        """Numbers in the place of names."""
        keys = [chr(ord("A") + power) for power in range(self._players)]
        codes = tuple(f"{number:03}" for number in range(self._layout.count))
        return Names("", tuple(PowerName(key, key, key) for key in keys), codes, codes)
