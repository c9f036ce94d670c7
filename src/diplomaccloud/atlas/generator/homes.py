"""Stage 8: home and neutral centers, placed so that the powers have like chances."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from diplomaccloud.atlas.generator.board import FAR, Layout

HOMES = 3
NEUTRALS = 2
FLEET_SHARE = (0.36, 0.52)
CONTESTED = (0.45, 0.80)
_STEPS = 6000
_TRIES = 60
# A share of a neutral is 1/n where n powers reach it; in these parts it is a whole number.
_WHOLE = 2520

_Counts = NDArray[np.int64]


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


@dataclass(frozen=True)
class _Sites:
    """Every possible start of one power, by number.

    `members`: c×3 land provinces; `reach`: c×lands, the moves that the nearest of the three
    units needs; `inside` and `around` are bit sets of the members and of what touches them.
    """

    members: _Counts
    fleets: tuple[frozenset[int], ...]
    reach: _Counts
    inside: tuple[int, ...]
    around: tuple[int, ...]

    def clash(self, one: int, other: int) -> bool:
        """Return whether two starts share or touch a province."""
        return bool(self.inside[one] & self.around[other])


def place_centers(layout: Layout, players: int, rng: np.random.Generator) -> Centers:
    """Return homes and neutral centers for `players`, balanced by annealing.

    Raises `PlacementError` if so many homes do not fit.
    """
    sites = _sites(layout)
    chosen = _scattered(layout, sites, players, rng)
    search = _Search(layout, sites, chosen, rng)
    search.anneal()
    homes = tuple(tuple(int(m) for m in sites.members[site]) for site in search.chosen)
    countries = _countries(layout, homes, search.neutrals)
    fleets = tuple(sites.fleets[site] for site in search.chosen)
    return Centers(homes, fleets, countries, tuple(sorted(search.neutrals)), search.figures())


def _sites(layout: Layout) -> _Sites:
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
    return _Sites(np.array(members), tuple(fleets), np.array(reach), inside, around)


def _bits(provinces: Sequence[int]) -> int:
    found = 0
    for province in provinces:
        found |= 1 << province
    return found


def _scattered(layout: Layout, sites: _Sites, players: int, rng: np.random.Generator) -> list[int]:
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
        self, layout: Layout, sites: _Sites, chosen: list[int], rng: np.random.Generator
    ) -> None:
        self.chosen = chosen
        self._sites = sites
        self._lands = layout.lands
        self._rng = rng
        self._players = len(chosen)
        near: dict[int, list[int]] = {}
        for site, members in enumerate(sites.members.tolist()):
            for member in members:
                near.setdefault(member, []).append(site)
        self._with_member = near
        self._wins = (HOMES + NEUTRALS) * self._players // 2 + 1
        taken = {int(m) for site in chosen for m in sites.members[site]}
        free = [land for land in range(layout.lands) if land not in taken]
        picked = rng.permutation(len(free))[: NEUTRALS * self._players]
        self.neutrals: list[int] = [free[place] for place in picked.tolist()]

    def anneal(self) -> None:
        """Change one thing at a time, keeping what is better or not much worse."""
        cost = self._cost(self.chosen, self.neutrals)
        best = (cost, self.chosen, self.neutrals)
        for step in range(_STEPS):
            heat = 0.5 * (1 - step / _STEPS) ** 3
            changed = self._moved_home() if self._rng.random() < 0.45 else self._moved_neutral()
            if changed is None:
                continue
            new = self._cost(*changed)
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

    def _cost(self, chosen: list[int], neutrals: list[int]) -> float:
        measured = self._measured(chosen, neutrals)
        return (
            3.0 * measured["cv_neutrals_two_moves"]
            + 2.0 * measured["cv_neutral_share"]
            + 1.5 * measured["cv_moves_to_threaten"]
            + 4.0 * measured["cv_distance_to_win"]
            + 1.0 * measured["cv_enemy_homes_three_moves"]
            + measured["broken"]
        )

    def figures(self) -> dict[str, float]:
        """Return the measured figures of the placement found, rounded."""
        measured = self._measured(self.chosen, self.neutrals)
        return {name: round(value, 4) for name, value in measured.items() if name != "broken"}

    def _measured(self, chosen: list[int], neutrals: list[int]) -> dict[str, float]:
        reach = self._sites.reach[chosen]
        homes = self._sites.members[chosen].ravel()
        reached = reach[:, neutrals] <= 2
        claims = reached.sum(axis=0)
        early = reached.sum(axis=1)
        share = (reached * (_WHOLE // np.maximum(claims, 1))).sum(axis=1)
        to_homes = reach[:, homes]
        raids = to_homes.reshape(self._players, self._players, HOMES).min(axis=2)
        # Beside the diagonal: how soon each power stands before a home of each other one.
        threats = np.minimum(raids, raids.T) + FAR * np.eye(self._players, dtype=np.int64)
        nearest = np.sort(np.minimum(threats, 9), axis=1)[:, : min(3, self._players - 1)]
        enemies = (to_homes <= 3).sum(axis=1) - HOMES
        rivals = (threats <= 3).sum(axis=1)
        win = np.sort(np.concatenate([to_homes, reach[:, neutrals]], axis=1), axis=1)
        to_win = np.minimum(win, 20)[:, : self._wins].sum(axis=1)
        fleets = sum(len(self._sites.fleets[site]) for site in chosen) / (HOMES * self._players)
        contested = float((claims >= 2).sum()) / len(neutrals)
        broken = (
            2.0 * float((claims == 0).sum())
            + 2.0 * float(np.maximum(2 - early, 0).sum())
            + 2.0 * float(_outside(rivals, *rivals_wanted(self._players)).sum())
            + 20.0 * max(0.0, CONTESTED[0] - contested, contested - CONTESTED[1])
            + 20.0 * max(0.0, FLEET_SHARE[0] - fleets, fleets - FLEET_SHARE[1])
        )
        return {
            "broken": broken,
            "cv_neutrals_two_moves": _variation(early),
            "cv_neutral_share": _variation(share),
            "cv_moves_to_threaten": _variation(nearest.sum(axis=1)),
            "cv_distance_to_win": _variation(to_win),
            "cv_enemy_homes_three_moves": _variation(enemies),
            "contested_neutrals": contested,
            "fleet_share": fleets,
        }


def rivals_wanted(players: int) -> tuple[int, int]:
    """Return the least and the greatest number of rivals within three moves."""
    return min(2, players - 1), 4


def _outside(values: _Counts, low: int, high: int) -> _Counts:
    return np.maximum(low - values, 0) + np.maximum(values - high, 0)


def _variation(values: _Counts) -> float:
    """Return the coefficient of variation; whole numbers, so the same on every machine."""
    count, total = len(values), int(values.sum())
    if total == 0:
        return 0.0
    squares = count * int((values * values).sum()) - total * total
    return float(np.sqrt(squares)) / total


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
