"""Stage 8: home and neutral centers, placed so that the powers have like chances."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from diplomaccloud.atlas.generator.balance import HOMES, NEUTRALS, Balance, Sites
from diplomaccloud.atlas.generator.board import FAR, Layout

_STEPS = 10000
_TRIES = 60


class PlacementError(ValueError):
    """There is no room for the centers."""


@dataclass(frozen=True)
class Centers:
    """Where each power starts: its home centers, which of them hold fleets, its country.

    `countries` are further provinces of each power without a center. `fairness` has the
    measured figures by name.
    """

    homes: tuple[tuple[int, ...], ...]
    fleets: tuple[frozenset[int], ...]
    countries: tuple[tuple[int, ...], ...]
    neutrals: tuple[int, ...]
    fairness: dict[str, float]


def place_centers(layout: Layout, players: int, rng: np.random.Generator) -> Centers:
    """Return homes and neutral centers for `players`, balanced by annealing.

    Raises `PlacementError` if so many homes do not fit.
    """
    sites = _sites(layout)
    chosen = _scattered(layout, sites, players, rng)
    search = _Search(layout, sites, chosen, rng)
    search.anneal()
    figures = search.balance.figures(search.chosen, search.neutrals)
    homes = tuple(tuple(int(m) for m in sites.members[site]) for site in search.chosen)
    countries = _countries(layout, homes, search.neutrals)
    fleets = tuple(sites.fleets[site] for site in search.chosen)
    return Centers(homes, fleets, countries, tuple(sorted(search.neutrals)), figures)


def _sites(layout: Layout) -> Sites:
    walks: list[set[int]] = [set() for _ in range(layout.lands)]
    for one, other in layout.walks:
        walks[one].add(other)
        walks[other].add(one)
    triples = sorted(
        {
            tuple(sorted((land, *pair)))
            for land in range(layout.lands)
            for pair in combinations(sorted(walks[land]), HOMES - 1)
        }
    )
    marches, voyages = np.array(layout.marches), np.array(layout.voyages)[:, : layout.lands]
    members, fleets, reach = [], [], []
    for triple in triples:
        # A fleet starts only where there is one coast, so that nobody need choose.
        harbours = [land for land in triple if len(layout.coasts[land]) == 1]
        for size in (1, 2):
            for berths in combinations(harbours, size):
                rows = [voyages[m] if m in berths else marches[m] for m in triple]
                members.append(triple)
                fleets.append(frozenset(berths))
                reach.append(np.minimum.reduce(rows))
    if not members:
        raise PlacementError("no three provinces that touch have a harbour")
    inside = tuple(_bits(triple) for triple in members)
    around = tuple(
        _bits(triple) | _bits([t for m in triple for t in layout.touching[m] if t < layout.lands])
        for triple in members
    )
    return Sites(np.array(members), tuple(fleets), np.array(reach), inside, around)


def _bits(provinces: Sequence[int]) -> int:
    found = 0
    for province in provinces:
        found |= 1 << province
    return found


def _scattered(layout: Layout, sites: Sites, players: int, rng: np.random.Generator) -> list[int]:
    """Return a start per power, far from one another and none touching another."""
    for attempt in range(_TRIES):
        chosen = [int(rng.integers(len(sites.members)))]
        while len(chosen) < players:
            tried = rng.integers(len(sites.members), size=24).tolist()
            free = [one for one in tried if not any(sites.clash(one, old) for old in chosen)]
            if not free:
                break
            gaps = [
                sum(
                    min(FAR // 9, int(sites.reach[old][sites.members[one]].min())) for old in chosen
                )
                + 3 * min(int(sites.reach[old][sites.members[one]].min()) for old in chosen)
                for one in free
            ]
            # Packed, not spread, when room is short: every second try takes the nearest.
            pick = int(np.argmax(gaps)) if attempt % 2 == 0 else int(np.argmin(gaps))
            chosen.append(free[pick])
        taken = len({int(m) for site in chosen for m in sites.members[site]})
        if len(chosen) == players and layout.lands - taken >= NEUTRALS * players:
            return chosen
    raise PlacementError(f"no room for the homes of {players} powers")


class _Search:
    """Simulated annealing over the starts and the neutral centers."""

    def __init__(
        self, layout: Layout, sites: Sites, chosen: list[int], rng: np.random.Generator
    ) -> None:
        self.chosen = chosen
        self._sites = sites
        self.balance = Balance(sites, len(chosen))
        self._lands = layout.lands
        self._rng = rng
        self._players = len(chosen)
        near: dict[int, list[int]] = {}
        for site, members in enumerate(sites.members.tolist()):
            for member in members:
                near.setdefault(member, []).append(site)
        self._with_member = near
        taken = {int(m) for site in chosen for m in sites.members[site]}
        free = [land for land in range(layout.lands) if land not in taken]
        picked = rng.permutation(len(free))[: NEUTRALS * self._players]
        self.neutrals: list[int] = [free[place] for place in picked.tolist()]

    def anneal(self) -> None:
        """Change one thing at a time, keeping what is better or not much worse."""
        cost = self.balance.cost(self.chosen, self.neutrals)
        best = (cost, self.chosen, self.neutrals)
        for step in range(_STEPS):
            heat = 0.3 * (1 - step / _STEPS) ** 2
            changed = self._moved_home() if self._rng.random() < 0.45 else self._moved_neutral()
            if changed is None:
                continue
            new = self.balance.cost(*changed)
            # Threshold acceptance: like Metropolis, without logarithms.
            if new < cost + heat * self._rng.random():
                cost, (self.chosen, self.neutrals) = new, changed
                if cost < best[0]:
                    best = (cost, self.chosen, self.neutrals)
        _, self.chosen, self.neutrals = best

    def _moved_neutral(self) -> tuple[list[int], list[int]] | None:
        land = int(self._rng.integers(self._lands))
        homes = {int(m) for site in self.chosen for m in self._sites.members[site]}
        if land in self.neutrals or land in homes:
            return None
        neutrals = list(self.neutrals)
        neutrals[int(self._rng.integers(len(neutrals)))] = land
        return self.chosen, neutrals

    def _moved_home(self) -> tuple[list[int], list[int]] | None:
        who = int(self._rng.integers(self._players))
        members = self._sites.members[self.chosen[who]]
        if self._rng.random() < 0.85:
            near = self._with_member[int(members[int(self._rng.integers(HOMES))])]
            site = near[int(self._rng.integers(len(near)))]
        else:
            site = int(self._rng.integers(len(self._sites.members)))
        others = self.chosen[:who] + self.chosen[who + 1 :]
        if any(self._sites.clash(site, other) for other in others):
            return None
        chosen = [*self.chosen[:who], site, *self.chosen[who + 1 :]]
        return chosen, self._cleared(chosen)

    def _cleared(self, chosen: list[int]) -> list[int]:
        """Return the neutral centers with those that became homes moved elsewhere."""
        homes = {int(m) for site in chosen for m in self._sites.members[site]}
        taken = homes | set(self.neutrals)
        free = [land for land in range(self._lands) if land not in taken]
        return [
            free.pop(int(self._rng.integers(len(free)))) if land in homes else land
            for land in self.neutrals
        ]


def _countries(
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
