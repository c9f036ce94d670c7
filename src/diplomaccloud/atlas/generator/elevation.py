"""Stage 2: the height of the ground, below and above the sea."""

from dataclasses import dataclass

import numpy as np

from diplomaccloud.atlas.generator.mesh import Floats, Ints

# Sixteen directions written out: sines may differ by a bit between machines.
_QUARTER = ((1.0, 0.0), (0.92388, 0.38268), (0.70711, 0.70711), (0.38268, 0.92388))
_TURNS = tuple(turned for x, y in _QUARTER for turned in ((x, y), (-y, x), (-x, -y), (y, -x)))
_ACROSS, _DOWN = np.array(_TURNS).T.copy()
_TABLE = 256
_RANGES = 0.7
_CALM, _ROUGH = 0.06, 0.2
_SPURS, _SPUR_WIDTH, _SPUR_LIFT = 0.45, 0.26, 0.5


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
        (left, x), (top, y) = (_split(points[:, axis]) for axis in (0, 1))
        ease_x, ease_y = (one * one * one * (one * (one * 6 - 15) + 10) for one in (x, y))
        near, far = (self.table[(left + right) % _TABLE] for right in (0, 1))
        upper = self._pull(near + top, x, y)
        upper += ease_x * (self._pull(far + top, x - 1, y) - upper)
        lower = self._pull(near + top + 1, x, y - 1)
        lower += ease_x * (self._pull(far + top + 1, x - 1, y - 1) - lower)
        return np.asarray(1.5 * (upper + ease_y * (lower - upper)))

    def _pull(self, corner: Ints, x: Floats, y: Floats) -> Floats:
        direction = self.table[corner % _TABLE] % 16
        return np.asarray(_ACROSS[direction] * x + _DOWN[direction] * y)

    def layered(self, points: Floats, octaves: int, gain: float = 0.5) -> Floats:
        """Return `octaves` layers of noise, each twice as fine and `gain` times as strong."""
        total, strength = np.zeros(len(points)), 1.0
        for octave in range(octaves):
            total += strength * self.at(points * 2.0**octave + 17.3 * octave)
            strength *= gain
        return total


def _split(values: Floats) -> tuple[Ints, Floats]:
    """Return the whole part and the rest of each of `values`."""
    whole = np.floor(values)
    return whole.astype(np.int64), values - whole


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
    spur: Noise

    def height(self, points: Floats) -> Floats:
        """Return the height at `points` (n×2), in no unit; the sea level is chosen later."""
        places = self._warped(points)
        rough = np.clip(0.5 + 1.5 * self.spur.at(places / self.scale + 91.3), 0.0, 1.0)
        height = self.broad.layered(places / self.scale, 3, 0.55)
        fine = self.broad.layered(8 * places / self.scale + 51.9, 2, 0.55)
        height += (_CALM + _ROUGH * rough) * fine + rough * self._spurs(places)
        return height + self._cores(places) - self._fall(places)

    def mountains(self, points: Floats) -> Floats:
        """Return how mountainous the land is at `points`, from 0 on plains to 1 on ridges."""
        places = self._warped(points) / (0.42 * self.scale)
        folds = 1 - np.abs(self.ridge.layered(places, 4, 0.55))
        return np.asarray(np.clip(folds * folds * (0.25 + self.ranges(points)), 0.0, 1.0))

    def ranges(self, points: Floats) -> Floats:
        """Return where ranges are: 0 on the plains, 1 amid a range, smooth between."""
        places = self._warped(points) / (_RANGES * self.scale)
        share = np.clip(0.42 + 1.15 * self.broad.layered(places + 41.7, 2), 0.0, 1.0)
        return np.asarray(share * share * (3 - 2 * share))

    def shifts(self, points: Floats) -> Floats:
        """Return by how much the forms of the ground are bent out of place (n×2)."""
        across, down = (noise.layered(points / (0.8 * self.scale), 3) for noise in self.warp)
        return 0.32 * self.scale * np.stack([across, down], axis=1)

    def _spurs(self, places: Floats) -> Floats:
        """Return the lift of narrow tongues of land, and of inlets below zero."""
        along = places / (_SPURS * self.scale)
        crease = np.clip(1 - np.abs(self.spur.at(along)) / _SPUR_WIDTH, 0.0, 1.0)
        side = np.clip(4 * self.spur.at(0.45 * along + 23.1), -1.0, 1.0)
        return np.asarray(_SPUR_LIFT * crease * side)

    def _warped(self, points: Floats) -> Floats:
        return points + self.shifts(points)

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
    cores = _scattered(rng, size, players)
    return Terrain(size, scale, cores, sides, warp, broad, ridge, Noise.drawn(rng))


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
