"""Which colours a map has, and which power gets which: neighbors the easiest to tell apart."""

from collections.abc import Sequence
from itertools import combinations
from math import fsum

import numpy as np

from diplomaccloud.atlas.chart import Point
from diplomaccloud.atlas.generator.random_streams import draw_index
from diplomaccloud.atlas.palette import color_difference, color_sets


def chosen(count: int, rng: np.random.Generator) -> tuple[str, ...]:
    """Return one of the sets of `count` colours, each as likely as any other."""
    sets = color_sets(count)
    return sets[draw_index(rng, len(sets))]


def assigned(colours: Sequence[str], middles: Sequence[Point]) -> tuple[str, ...]:
    """Return one of `colours` per power; `middles` are the middles of their countries."""
    palette = list(colours)
    unlike = {
        (one, other): min(color_difference(one, other), 60.0)
        for one in palette
        for other in palette
    }
    pull = {
        (one, other): 1 / ((here[0] - there[0]) ** 2 + (here[1] - there[1]) ** 2 + 1)
        for one, here in enumerate(middles)
        for other, there in enumerate(middles)
        if one < other
    }

    def merit() -> float:
        return fsum(
            weight * unlike[palette[one], palette[other]] for (one, other), weight in pull.items()
        )

    best, improved = merit(), True
    while improved:
        improved = False
        for one, other in combinations(range(len(palette)), 2):
            palette[one], palette[other] = palette[other], palette[one]
            if (new := merit()) > best * (1 + 1e-9):
                best, improved = new, True
            else:
                palette[one], palette[other] = palette[other], palette[one]
    return tuple(palette)
