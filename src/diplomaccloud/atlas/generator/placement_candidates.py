"""Placements that are tried before one is drawn: boards without names, and small changes.

For those who choose placements by play: such a board takes milliseconds, where a whole map
takes half a second.
"""

from functools import cached_property

import numpy as np

from diplomaccloud.atlas.chart import Chart
from diplomaccloud.atlas.generator.assembly import Ready, make_board
from diplomaccloud.atlas.generator.balance import Balance
from diplomaccloud.atlas.generator.center_placement import Centers, countries_of, place_centers
from diplomaccloud.atlas.generator.mesh import Floats
from diplomaccloud.atlas.generator.names import Names, PowerName
from diplomaccloud.atlas.generator.pipeline import OpenLand
from diplomaccloud.atlas.generator.placement_changes import Changes, Placement
from diplomaccloud.atlas.generator.possible_starts import PlacementError, find_sites
from diplomaccloud.judge.board import Board, ProvinceCode

_EXPOSED, _DISTANT = -0.45, 0.13
"""What one more enemy at the door, and one more step to victory, do to a power's share.

In equal shares; fitted on what the greedy bot came to on placements made by this generator.
"""


class Trials:
    """One land and the placements that are tried on it; the same for the same land."""

    def __init__(self, land: OpenLand) -> None:
        """Find the starts that are possible on `land`."""
        self._land = land
        self._layout = land.land.layout
        self._players = land.order.players
        self._sites = find_sites(self._layout)
        self._balance = Balance(self._sites, self._players)
        self._changes = Changes(self._sites, self._balance)

    def placement(self, number: int) -> Placement | None:
        """Return the placement of that number, from 0; `None` if nothing comes of it.

        Its figures are brought to their targets, as near as small changes can.
        """
        rng = self._land.stream(f"placement {number}")
        try:
            centers = place_centers(self._layout, self._players, rng)
        except PlacementError:
            return None
        starts = zip(centers.homes, centers.fleets, strict=True)
        drawn = Placement(tuple(self._numbers[start] for start in starts), centers.neutrals)
        return self._changes.improved(drawn)

    def board(self, placement: Placement) -> Board:
        """Return the board of a placement, its provinces and powers numbered, not named."""
        ready = self._ready(placement)
        return make_board(ready, self._names, [ProvinceCode(one) for one in self._names.codes])

    def chart(self, placement: Placement, kind: str) -> Chart | None:
        """Return the finished map, its maker ending in `kind`; `None` if it has a fault."""
        return self._land.chart(self._ready(placement), kind)

    def changes(self, placement: Placement) -> list[Placement]:
        """Return placements that differ a little, the board's figures within limits."""
        return self._changes.near(placement)

    def excess(self, placement: Placement) -> float:
        """Return by how much figures of the board are over their targets, summed, in targets."""
        return self._changes.excess(placement)

    def predicted_shares(self, placement: Placement) -> Floats:
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

    def _ready(self, placement: Placement) -> Ready:
        land, centers = self._land.land, self._centers(placement)
        return Ready(land.mesh, land.elevation, land.division, land.lines, land.layout, centers)

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
