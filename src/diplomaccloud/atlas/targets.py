"""Limits on how much the powers' chances may differ on a board, from the specification."""

from collections.abc import Mapping

BOARD_TARGETS: Mapping[str, float] = {
    "neutrals_two_moves": 0.10,
    "neutral_share": 0.10,
    "moves_to_threaten": 0.07,
    "distance_to_win": 0.04,
    "enemy_homes_three_moves": 0.12,
    "voronoi_share": 0.14,
    "frontier": 0.15,
}
"""The largest allowed coefficients of variation from `atlas.fairness`, as medians of many maps."""
