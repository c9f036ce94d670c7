"""How unlike the powers' chances may be on the board of a map, as the specification has it."""

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
"""The greatest coefficient of variation of figures of `atlas.fairness`, as medians of many maps."""
