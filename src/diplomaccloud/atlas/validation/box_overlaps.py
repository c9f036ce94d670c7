"""Find the shapes that may meet, i.e. the pairs with overlapping bounding boxes."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from shapely import STRtree

MAX_PAIRS = 400_000
"""The search stops after this many pairs. All straight lines of a map of 400 provinces have
140,000, counting each pair twice and each line with itself."""

_MAX_PAIRS_IN_MEMORY = 4_000_000

Shapes = NDArray[np.object_]
Indices = NDArray[np.int64]


class TooManyPairsError(Exception):
    """Too many shapes overlap; `busiest` is the index of a shape that overlaps many others."""

    def __init__(self, busiest: int) -> None:
        self.busiest = busiest
        super().__init__(busiest)


def find_pairs(shapes: Shapes, limit: int = MAX_PAIRS) -> Iterator[tuple[Indices, Indices]]:
    """Yield the indices of the pairs with overlapping boxes, each pair once, in batches.

    Raises `TooManyPairsError` after more than `limit` pairs.
    """
    tree = STRtree(shapes)
    chunk = max(1, min(_MAX_PAIRS_IN_MEMORY, 2 * limit) // max(1, len(shapes)))
    remaining = limit
    for start in range(0, len(shapes), chunk):
        ones, others = tree.query(shapes[start : start + chunk])
        ones, others = ones[:remaining] + start, others[:remaining]
        apart = ones < others
        if apart.any():
            yield ones[apart], others[apart]
        remaining -= len(ones)
        if remaining <= 0:
            raise TooManyPairsError(int(np.argmax(np.bincount(ones))))
