"""Build the relief: ranges along typed lines, folded like those of generated maps."""

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from europe.drawing import HEIGHT, WIDTH, project
from numpy.typing import NDArray
from shapely import Polygon, contains_xy, union_all

from diplomaccloud.atlas.generator.random_streams import Noise
from diplomaccloud.judge.drawing.chart import Point, Relief

COLUMNS, ROWS = 364, 295
"""As fine as the relief of a generated map: one point for about 3.5 map units."""

_FOLD_WIDTH = 52.0
"""From one crest to the next, in map units."""

_BEND_REACH, _BEND_BREADTH = 20.0, 80.0
"""How far ranges are bent away from their typed lines, and over what distance, in map units."""

_FOOT_BREADTH = 2.3
"""Distance of the foot of a range from its line, in units of its breadth."""

_LOW_RANGE_EXPONENT = 0.5
"""Raises low ranges, so that they are visible beside the Alps."""

_MAX_PLAIN, _MIN_RANGE = 0.2, 0.8
"""Land less mountainous than the first is a plain; land more mountainous than the second is all
range."""

Grid = NDArray[np.float64]
# height 0-1 | breadth in map units | longitude latitude, …
_RANGES = """
1.0 17 | 6.5 44.2, 6.9 45.2, 7.2 46, 9 46.4, 10.5 46.8, 12.5 47.1, 14.5 47.3, 15.6 47.5
0.8 13 | -1.2 43, 0.2 42.7, 1.6 42.5, 2.7 42.4
0.8 15 | 18 49.4, 20 49.2, 22.5 48.9, 24.2 48.2, 25.4 47.2, 26.3 46.2, 26 45.6, 24.5 45.5, 22.8 45.2
0.75 20 | 6.5 59.6, 8 61.2, 9.5 62.3, 12.5 63.7, 14 65, 16 66.8, 18 68.1, 20.5 69, 24 69.9
1.0 16 | 38.5 44, 40.5 43.6, 42.5 43.2, 44.5 42.7, 47 42
0.8 24 | -8.5 30.8, -6.5 31.8, -4 33, -1 34.2, 2 34.9, 5 35.3, 7.8 35.6
0.6 11 | 8.3 44.5, 10 44.3, 11.5 43.9, 12.8 43.1, 13.5 42.3, 14.5 41.5, 15.5 40.6, 16.2 39.4
0.7 15 | 14 45.8, 15.5 44.8, 17 43.9, 18.6 43.1, 20 42.4, 20.6 41.2, 21 40, 21.8 38.9
0.6 12 | 22.8 43.3, 24.5 42.75, 26.5 42.8, 27.4 42.8
0.55 11 | 23.2 42, 24.2 41.7, 25.4 41.5
0.75 16 | 29.5 37.2, 31 37.4, 33 36.9, 34.6 37.4, 36 38
0.7 15 | 31.5 40.7, 34 41.1, 36.5 40.5, 38.5 40.5, 40.5 40.7
0.85 20 | 38.5 39.3, 40.5 39.4, 42.5 39.6, 44.2 39.7, 44 38
0.5 13 | 36.3 34, 36.4 35.2, 35.6 33
0.45 18 | 31 38.6, 33.5 39, 36 38.8
0.5 15 | 2.5 44.2, 3 45.2, 3 45.8
0.4 10 | 7.1 48.2, 6.4 46.9, 5.9 46.2
0.35 9 | 8.2 48, 8.5 48.6
0.45 10 | 12.8 50.4, 14 50.8, 15.6 50.8, 16.8 50.2
0.4 10 | 12.5 49.5, 13.5 48.95
0.3 13 | 8 50.4, 9.8 50.7, 10.8 51.7
0.6 13 | -6.5 43.05, -5 43.05, -3.5 43
0.5 14 | -6.3 40.3, -5 40.5, -3.6 41, -2.3 41.4
0.4 12 | -1 40.3, -1.8 41.6
0.6 12 | -4.2 37, -3.2 37.1, -2.2 37.8, -1.2 38.3
0.35 12 | -5.5 38.5, -4 38.4
0.45 12 | -5 56.8, -4.4 57.4, -3.6 57, -4.8 57.9
0.3 9 | -2.3 54.6, -2.1 53.6
0.4 10 | -3.8 52.9, -3.6 52
0.3 8 | -9.5 52, -8.8 52.1
0.55 14 | -19.5 64.9, -17.5 64.5, -22 65.7
0.3 24 | 30 67.5, 35 67.7
0.2 40 | 33 57, 36 53.5
0.15 40 | 25 63, 28 64
0.35 11 | 43.5 34.6, 46 35.5, 47 33.5
0.5 9 | 9 39.9, 9.1 42.2, 9.05 42.5
0.45 8 | 14 37.8, 15 37.8
0.5 7 | 24 35.25, 25.5 35.1
0.45 7 | 32.8 34.95, 33.3 34.9
0.4 14 | 20 31.5, 22 32.3
0.5 22 | 37 30, 38 32
0.5 14 | 57 56, 58.5 59, 59.5 61.5, 60 64, 62 66, 65 68
"""


def make_relief(land: Sequence[Polygon], seed: int) -> Relief:
    """Return the elevation of `land`, zero on water; always the same for one seed.

    The land between the ranges is level, and ranges end where the coast cuts them.
    """
    xs, ys = np.meshgrid(
        (np.arange(COLUMNS) + 0.5) * WIDTH / COLUMNS, (np.arange(ROWS) + 0.5) * HEIGHT / ROWS
    )
    places = np.stack([xs.ravel(), ys.ravel()], axis=1)
    bend, second_bend, ridge = (
        Noise.from_random(np.random.default_rng(seed + i)) for i in range(3)
    )
    shifts = [noise.sum_octaves(places / _BEND_BREADTH, 2) for noise in (bend, second_bend)]
    bent = places + _BEND_REACH * np.stack(shifts, axis=1)
    dry = contains_xy(union_all(land), xs, ys).ravel()
    heights = _measure_mountains(bent) * ridge.raise_folds(bent / _FOLD_WIDTH)
    values = np.where(dry, np.clip(np.rint(1 + 254 * heights), 1, 255), 0)
    return Relief(COLUMNS, ROWS, values.astype(np.uint8).tobytes())


def _measure_mountains(places: Grid) -> Grid:
    """Return how mountainous the land is at `places` (n×2), from 0 on plains to 1 in a range."""
    level = np.ones(len(places))
    for strength, breadth, line in _parse_ranges():
        away = _measure_distances(places[:, 0], places[:, 1], line) / (breadth * _FOOT_BREADTH)
        level *= 1 - strength**_LOW_RANGE_EXPONENT * np.exp(-(away**2))
    share = np.clip((1 - level - _MAX_PLAIN) / (_MIN_RANGE - _MAX_PLAIN), 0, 1)
    return np.asarray(share * share * (3 - 2 * share))


def _parse_ranges() -> list[tuple[float, float, list[Point]]]:
    """Return the strength, breadth and projected line of each range."""
    ranges = []
    for row in _RANGES.strip().splitlines():
        head, tail = row.split("|")
        strength, breadth = map(float, head.split())
        points = [item.split() for item in tail.split(",")]
        ranges.append((strength, breadth, [project((float(x), float(y))) for x, y in points]))
    return ranges


def _measure_distances(xs: Grid, ys: Grid, line: Sequence[Point]) -> Grid:
    """Return the distance of each point from `line`."""
    nearest = np.full_like(xs, math.inf)
    for (ax, ay), (bx, by) in pairwise(line):
        dx, dy = bx - ax, by - ay
        along = np.clip(((xs - ax) * dx + (ys - ay) * dy) / (dx * dx + dy * dy), 0, 1)
        nearest = np.minimum(nearest, np.hypot(xs - ax - along * dx, ys - ay - along * dy))
    return nearest
