"""Choose the colors of a map and assign them, so that neighboring powers differ most."""

from collections.abc import Sequence
from itertools import combinations
from math import fsum

import numpy as np

from diplomaccloud.atlas.chart import Point
from diplomaccloud.atlas.generator.random_streams import draw_index
from diplomaccloud.atlas.palette import color_difference, color_sets

_MAX_DIFFERENCE = 60.0
"""Colors that differ more than this, in ΔE76, are all equally easy to distinguish."""

_ROUNDING = 1e-9
"""Improvements smaller than this may come from rounding."""


def choose_palette(count: int, rng: np.random.Generator) -> tuple[str, ...]:
    """Return one of the sets of `count` colors; all are equally likely."""
    sets = color_sets(count)
    return sets[draw_index(rng, len(sets))]


def assign_colors(colors: Sequence[str], middles: Sequence[Point]) -> tuple[str, ...]:
    """Return one of `colors` per power; `middles` are the middles of their countries."""
    palette = list(colors)
    differences = {
        (first, second): min(color_difference(first, second), _MAX_DIFFERENCE)
        for first in palette
        for second in palette
    }
    weights = {
        (first, second): 1
        / ((first_spot[0] - second_spot[0]) ** 2 + (first_spot[1] - second_spot[1]) ** 2 + 1)
        for first, first_spot in enumerate(middles)
        for second, second_spot in enumerate(middles)
        if first < second
    }

    def rate_palette() -> float:
        return fsum(
            weight * differences[palette[first], palette[second]]
            for (first, second), weight in weights.items()
        )

    best, improved = rate_palette(), True
    while improved:
        improved = False
        for first, second in combinations(range(len(palette)), 2):
            palette[first], palette[second] = palette[second], palette[first]
            if (new := rate_palette()) > best * (1 + _ROUNDING):
                best, improved = new, True
            else:
                palette[first], palette[second] = palette[second], palette[first]
    return tuple(palette)
