"""Every start that a power could have on a board: three homes, and which of them hold fleets."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from diplomaccloud.atlas.generator.board_layout import FAR, Layout
from diplomaccloud.atlas.generator.mesh import Bools, Int16s, Ints, UnitSets

HOMES = 3
_BERTHS = ((0,), (1,), (2,), (0, 1), (0, 2), (1, 2))
"""Which of three homes may hold fleets: one or two of them."""


class PlacementError(ValueError):
    """There is no room for the centers."""


@dataclass(frozen=True)
class Sites:
    """Every possible start of one power, by number; provinces as `Layout` numbers them.

    `members`: c×3 land provinces that hang together. `berths`: c×3, which of them hold
    fleets, `sailing`: c, how many do. `reach`: c×lands, the moves that the nearest of the
    three units needs. `early`: c×lands, which of the units can be there after the first year, a
    bit for each. `steps`: c×provinces, the steps by land or sea from the nearest home.
    `near`: c×lands, the homes and what touches them. `rim`: c, how many provinces touch the
    homes from outside.
    `with_member`: for each land, the starts that it is a home of.
    """

    members: Ints
    berths: Bools
    sailing: Ints
    reach: Int16s
    early: UnitSets
    steps: Int16s
    near: Bools
    rim: Ints
    with_member: tuple[Ints, ...]

    def clash(self, options: Ints, others: Ints) -> Bools:
        """Return which of `options` share or touch a home of one of `others`."""
        homes = self.members[others].ravel()
        return np.asarray(self.near[options[:, None], homes].any(axis=1))

    def fleets(self, site: int) -> frozenset[int]:
        """Return the homes of `site` that hold fleets."""
        return frozenset(self.members[site][self.berths[site]].tolist())


def find_sites(layout: Layout) -> Sites:
    """Return the starts possible on `layout`; raises `PlacementError` if there are none.

    A fleet starts only where there is one coast, so that nobody need choose.
    """
    triples = _triples(layout)
    harbour = np.array([len(runs) == 1 for runs in layout.coasts])
    rows, berths = [], []
    for homes in _BERTHS:
        fit = np.flatnonzero(harbour[triples][:, homes].all(axis=1))
        held = np.zeros((len(fit), HOMES), dtype=bool)
        held[:, homes] = True
        rows.append(fit)
        berths.append(held)
    order = np.argsort(np.concatenate(rows), kind="stable")
    triple, held = np.concatenate(rows)[order], np.concatenate(berths)[order]
    if not len(triple):
        raise PlacementError("no three provinces that touch have a harbour")
    return _measured(layout, triples, triple, held)


def _triples(layout: Layout) -> Ints:
    """Return every three land provinces of which one touches the two others."""
    walks: list[list[int]] = [[] for _ in range(layout.lands)]
    for one, other in layout.walks:
        walks[one].append(other)
        walks[other].append(one)
    found = {
        tuple(sorted((land, *pair)))
        for land in range(layout.lands)
        for pair in combinations(sorted(walks[land]), HOMES - 1)
    }
    return np.array(sorted(found), dtype=np.int64).reshape(-1, HOMES)


def _measured(layout: Layout, triples: Ints, triple: Ints, berths: Bools) -> Sites:
    lands = layout.lands
    members = triples[triple]
    sails = layout.voyages[:lands, :lands]
    ways = np.stack([layout.marches, sails]).astype(np.int16)
    moves = [ways[berths[:, home].astype(np.int64), members[:, home]] for home in range(HOMES)]
    reach = np.minimum(np.minimum(moves[0], moves[1]), moves[2])
    early = sum((far <= 2).astype(np.uint8) << home for home, far in enumerate(moves))
    around: Bools = np.less_equal(layout.steps[triples], 1).max(axis=1)
    rim = around.sum(axis=1) - HOMES
    steps = layout.steps.astype(np.int16)[triples].min(axis=1)
    return Sites(
        members,
        berths,
        berths.sum(axis=1),
        reach,
        np.asarray(early, dtype=np.uint8),
        steps[triple],
        around[triple][:, :lands],
        rim[triple],
        _by_member(members, lands),
    )


def _by_member(members: Ints, lands: int) -> tuple[Ints, ...]:
    order = np.argsort(members.ravel(), kind="stable")
    cuts = np.searchsorted(members.ravel()[order], np.arange(1, lands))
    return tuple(np.split(order // HOMES, cuts))


def nearest(sites: Sites, site: int, others: Sequence[int]) -> int:
    """Return the least moves from `site` to a home of `others`."""
    homes = sites.members[list(others)].ravel()
    return int(sites.reach[site][homes].min(initial=FAR))
