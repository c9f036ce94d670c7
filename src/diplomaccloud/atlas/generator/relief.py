"""Stage 2: the height of the ground, below and above the sea."""

from dataclasses import dataclass

import numpy as np

from diplomaccloud.atlas.generator.mesh import Floats, Ints

# Sixteen directions written out: sines may differ by a bit between machines.
_QUARTER = ((1.0, 0.0), (0.92388, 0.38268), (0.70711, 0.70711), (0.38268, 0.92388))
_TURNS = tuple(turned for x, y in _QUARTER for turned in ((x, y), (-y, x), (-x, -y), (y, -x)))
_DIRECTIONS = np.array(_TURNS)
_TABLE = 256


@dataclass(frozen=True)
class Noise:
    """Gradient noise in about -1…1, smooth over a distance of one."""

    table: Ints

    @classmethod
    def drawn(cls, rng: np.random.Generator) -> "Noise":
        """Return noise with a lattice drawn from `rng`."""
        return cls(rng.permutation(_TABLE))

    def at(self, points: Floats) -> Floats:
        """Return the noise at `points` (n×2)."""
        corner = np.floor(points)
        inside = points - corner
        cell = corner.astype(np.int64)
        ease = inside * inside * inside * (inside * (inside * 6 - 15) + 10)
        near_left = self._pull(cell, inside, 0, 0)
        near_right = self._pull(cell, inside, 1, 0)
        far_left = self._pull(cell, inside, 0, 1)
        far_right = self._pull(cell, inside, 1, 1)
        near = near_left + ease[:, 0] * (near_right - near_left)
        far = far_left + ease[:, 0] * (far_right - far_left)
        return np.asarray(1.5 * (near + ease[:, 1] * (far - near)))

    def _pull(self, cell: Ints, inside: Floats, right: int, down: int) -> Floats:
        column = (cell[:, 0] + right) % _TABLE
        row = (cell[:, 1] + down) % _TABLE
        direction = _DIRECTIONS[self.table[(self.table[column] + row) % _TABLE] % 16]
        x, y = inside[:, 0] - right, inside[:, 1] - down
        return np.asarray(direction[:, 0] * x + direction[:, 1] * y)

    def layered(self, points: Floats, octaves: int, gain: float = 0.5) -> Floats:
        """Return `octaves` layers of noise, each twice as fine and `gain` times as strong."""
        total, strength = np.zeros(len(points)), 1.0
        for octave in range(octaves):
            total += strength * self.at(points * 2.0**octave + 17.3 * octave)
            strength *= gain
        return total


@dataclass(frozen=True)
class Terrain:
    """The ground as a function of the place.

    `cores`: k×3, the centres and radii of the continents; `sides`: how strongly the ground
    falls off towards the left, right, upper and lower side; `scale`: the width of the
    broadest forms. Lengths in map units.
    """

    size: tuple[float, float]
    scale: float
    cores: Floats
    sides: Floats
    warp: tuple[Noise, Noise]
    broad: Noise
    ridge: Noise

    def height(self, points: Floats) -> Floats:
        """Return the height at `points` (n×2), in no unit; the sea level is chosen later."""
        places = self._warped(points)
        height = self.broad.layered(places / self.scale, 5, 0.55)
        return height + self._cores(places) - self._fall(places)

    def mountains(self, points: Floats) -> Floats:
        """Return how mountainous the land is at `points`, from 0 on plains to 1 on ridges."""
        places = self._warped(points) / (0.42 * self.scale)
        folds = 1 - np.abs(self.ridge.layered(places, 4, 0.55))
        lift = 0.5 + 0.5 * self.broad.at(places * 0.6 + 41.7)
        return np.asarray(np.clip(folds * folds * (0.35 + 0.9 * lift), 0.0, 1.0))

    def _warped(self, points: Floats) -> Floats:
        across, down = (noise.layered(points / (0.8 * self.scale), 3) for noise in self.warp)
        return points + 0.32 * self.scale * np.stack([across, down], axis=1)

    def _cores(self, places: Floats) -> Floats:
        lift = np.zeros(len(places))
        for x, y, radius in self.cores.tolist():
            apart = ((places[:, 0] - x) ** 2 + (places[:, 1] - y) ** 2) / (radius * radius)
            lift = np.maximum(lift, 1 - apart)
        return np.asarray(0.45 * lift)

    def _fall(self, points: Floats) -> Floats:
        fall = np.zeros(len(points))
        for axis in (0, 1):
            far = self.size[axis]
            for side, gap in ((0, points[:, axis]), (1, far - points[:, axis])):
                near = np.clip(1 - gap / (0.22 * far), 0.0, 1.0)
                fall += self.sides[2 * axis + side] * near * near
        return fall


def make_terrain(
    rng: np.random.Generator, size: tuple[float, float], players: int, breadth: float
) -> Terrain:
    """Return ground for `players`; `breadth` is the width of a province in map units."""
    warp = (Noise.drawn(rng), Noise.drawn(rng))
    broad, ridge = Noise.drawn(rng), Noise.drawn(rng)
    scale = (2.4 + rng.random()) * breadth
    # Some sides are open sea, over others the land runs off the map.
    sides = np.where(rng.random(4) < 0.6, 0.5 + 0.9 * rng.random(4), 0.1 * rng.random(4))
    return Terrain(size, scale, _scattered(rng, size, players), sides, warp, broad, ridge)


def _scattered(rng: np.random.Generator, size: tuple[float, float], players: int) -> Floats:
    count = 2 + players // 2
    extent = np.array(size)
    reach = float(np.sqrt(size[0] * size[1] / count))
    chosen: list[Floats] = []
    for _ in range(count):
        tried = (0.08 + 0.84 * rng.random((8, 2))) * extent
        gaps = [min((float(np.abs(one - old).sum()) for old in chosen), default=0) for one in tried]
        chosen.append(tried[int(np.argmax(gaps))])
    radii = reach * (0.4 + 0.5 * rng.random(count))
    return np.column_stack([np.array(chosen), radii])
