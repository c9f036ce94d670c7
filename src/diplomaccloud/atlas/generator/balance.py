"""How equal the chances of the powers are, measured on a placement of centers."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from diplomaccloud.atlas.generator.board import FAR

HOMES = 3
NEUTRALS = 2
FLEET_SHARE = (0.36, 0.52)
CONTESTED = (0.45, 0.80)
# A share of a neutral is 1/n where n powers reach it; in these parts it is a whole number.
_WHOLE = 2520
# Moves beyond these tell no more about the chances.
_LONG, _LONGEST = 9, 20

Counts = NDArray[np.int64]


@dataclass(frozen=True)
class Sites:
    """Every possible start of one power, by number.

    `members`: c×3 land provinces; `reach`: c×lands, the moves that the nearest of the three
    units needs; `inside` and `around` are bit sets of the members and of what touches them.
    """

    members: Counts
    fleets: tuple[frozenset[int], ...]
    reach: Counts
    inside: tuple[int, ...]
    around: tuple[int, ...]

    def clash(self, one: int, other: int) -> bool:
        """Return whether two starts share or touch a province."""
        return bool(self.inside[one] & self.around[other])


@dataclass(frozen=True)
class _Homes:
    """What the homes alone decide; `broken` counts what breaks a hard constraint."""

    reach: Counts
    to_homes: Counts
    broken: float
    figures: dict[str, float]


class Balance:
    """Measures placements: which starts the powers have, and where the neutral centers lie."""

    def __init__(self, sites: Sites, players: int) -> None:
        self._sites = sites
        self._players = players
        self._wins = (HOMES + NEUTRALS) * players // 2 + 1
        self._apart = FAR * np.eye(players, dtype=np.int64)
        self._last: tuple[list[int], _Homes] | None = None

    def cost(self, chosen: list[int], neutrals: list[int]) -> float:
        """Return how unequal the chances are; 2 more for each hard constraint broken."""
        measured, broken = self._measured(chosen, neutrals)
        return (
            3.0 * measured["cv_neutrals_two_moves"]
            + 3.0 * measured["cv_neutral_share"]
            + 2.0 * measured["cv_moves_to_threaten"]
            + 5.0 * measured["cv_distance_to_win"]
            + 1.0 * measured["cv_enemy_homes_three_moves"]
            + broken
        )

    def figures(self, chosen: list[int], neutrals: list[int]) -> dict[str, float]:
        """Return the measured figures by name, rounded."""
        measured, _ = self._measured(chosen, neutrals)
        return {name: round(value, 4) for name, value in measured.items()}

    def _measured(self, chosen: list[int], neutrals: list[int]) -> tuple[dict[str, float], float]:
        homes = self._of_homes(chosen)
        to_neutrals = homes.reach[:, neutrals]
        reached = to_neutrals <= 2
        claims = reached.sum(axis=0)
        early = reached.sum(axis=1)
        share = (reached * (_WHOLE // np.maximum(claims, 1))).sum(axis=1)
        win = np.sort(np.concatenate([homes.to_homes, to_neutrals], axis=1), axis=1)
        to_win = np.minimum(win[:, : self._wins], _LONGEST).sum(axis=1)
        contested = int((claims >= 2).sum()) / len(neutrals)
        broken = (
            homes.broken
            + 2.0 * int((claims == 0).sum())
            + 2.0 * int(np.maximum(2 - early, 0).sum())
            + 20.0 * max(0.0, CONTESTED[0] - contested, contested - CONTESTED[1])
        )
        figures = {
            "cv_neutrals_two_moves": _variation(early),
            "cv_neutral_share": _variation(share),
            "cv_distance_to_win": _variation(to_win),
            "contested_neutrals": contested,
        }
        return figures | homes.figures, broken

    def _of_homes(self, chosen: list[int]) -> _Homes:
        # Most steps of a search move a neutral center and leave the homes as they were.
        if self._last is None or self._last[0] is not chosen:
            self._last = (chosen, self._measured_homes(chosen))
        return self._last[1]

    def _measured_homes(self, chosen: list[int]) -> _Homes:
        players = self._players
        reach = self._sites.reach[chosen]
        to_homes = reach[:, self._sites.members[chosen].ravel()]
        raids = to_homes.reshape(players, players, HOMES).min(axis=2)
        # Beside the diagonal: how soon each power stands before a home of each other one.
        threats = np.minimum(raids, raids.T) + self._apart
        nearest = np.sort(np.minimum(threats, _LONG), axis=1)[:, : min(3, players - 1)]
        enemies = (to_homes <= 3).sum(axis=1) - HOMES
        rivals = (threats <= 3).sum(axis=1)
        fleets = sum(len(self._sites.fleets[site]) for site in chosen) / (HOMES * players)
        low, high = rivals_wanted(players)
        broken = 2.0 * int((np.maximum(low - rivals, 0) + np.maximum(rivals - high, 0)).sum())
        broken += 20.0 * max(0.0, FLEET_SHARE[0] - fleets, fleets - FLEET_SHARE[1])
        figures = {
            "cv_moves_to_threaten": _variation(nearest.sum(axis=1)),
            "cv_enemy_homes_three_moves": _variation(enemies),
            "fleet_share": fleets,
        }
        return _Homes(reach, to_homes, broken, figures)


def rivals_wanted(players: int) -> tuple[int, int]:
    """Return the least and the greatest number of rivals within three moves."""
    return min(2, players - 1), 4


def _variation(values: Counts) -> float:
    """Return the coefficient of variation; whole numbers, so the same on every machine."""
    count, total = len(values), int(values.sum())
    if total == 0:
        return 0.0
    squares = count * int((values * values).sum()) - total * total
    return float(np.sqrt(squares)) / total
