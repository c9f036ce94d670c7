"""Which of many shapes can meet at all: those whose boxes overlap."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from shapely import STRtree

MOST_PAIRS = 400_000
"""Of more pairs no more are looked at. All the straight lines of a map of 400 provinces make
140,000, each pair counted twice and each line with itself."""

_AT_ONCE = 4_000_000
"""So many pairs can be held in memory."""

Shapes = NDArray[np.object_]
Indices = NDArray[np.int64]


class TooManyPairsError(Exception):
    """Shapes that lie too much over one another; `busiest` is the index of one over many."""

    def __init__(self, busiest: int) -> None:
        self.busiest = busiest
        super().__init__(busiest)


def pairs(shapes: Shapes, most: int = MOST_PAIRS) -> Iterator[tuple[Indices, Indices]]:
    """Yield the pairs whose boxes overlap, each once, as their indices: in parts, for memory.

    Raises `TooManyPairsError` after more than `most`.
    """
    tree = STRtree(shapes)
    chunk = max(1, min(_AT_ONCE, 2 * most) // max(1, len(shapes)))
    left = most
    for start in range(0, len(shapes), chunk):
        ones, others = tree.query(shapes[start : start + chunk])
        ones, others = ones[:left] + start, others[:left]
        apart = ones < others
        if apart.any():
            yield ones[apart], others[apart]
        left -= len(ones)
        if left <= 0:
            raise TooManyPairsError(int(np.argmax(np.bincount(ones))))
