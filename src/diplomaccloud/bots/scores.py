"""The score of a power at the end of a game."""

from collections.abc import Mapping

from diplomaccloud.judge.board import Power


def score_centers(centers: Mapping[Power, int], winner: Power | None, power: Power) -> float:
    """Return the sum-of-squares score of `power`: its share of squares, or 1 for a solo."""
    if winner is not None:
        return float(power == winner)
    return centers[power] ** 2 / (sum(count**2 for count in centers.values()) or 1)
