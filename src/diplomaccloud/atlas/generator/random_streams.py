"""Random numbers: a separate stream for each stage and attempt, and gradient noise."""

import hashlib
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from diplomaccloud.atlas.generator.mesh import Floats, Ints


def random_stream(seed: str, stage: str, attempt: int = 0) -> np.random.Generator:
    """Return the random stream for one attempt at `stage`.

    A stage can be repeated with another `attempt` without changing the stages before it. Draw only
    uniform numbers from it: those are the same on every machine.
    """
    digest = hashlib.sha256(f"{seed}\0{stage}\0{attempt}".encode()).digest()
    return np.random.Generator(np.random.PCG64(int.from_bytes(digest, "big")))


def draw_index(rng: np.random.Generator, count: int) -> int:
    """Return a random integer from 0 up to, but not including, `count`."""
    return int(rng.random() * count)


def draw_indices(
    rng: np.random.Generator, count: int, size: int, *, distinct: bool = False
) -> NDArray[np.int64]:
    """Return `size` random integers below `count`, all different if `distinct`."""
    if distinct:
        return np.argsort(rng.random(count), kind="stable")[:size]
    return (rng.random(size) * count).astype(np.int64)


# Gradient noise, the source of irregular shapes: hills, mountain ranges, bends of coasts.


# Sixteen directions written out, because the last bit of a sine differs between machines.
_QUARTER = ((1.0, 0.0), (0.92388, 0.38268), (0.70711, 0.70711), (0.38268, 0.92388))
_DIRECTIONS = tuple(turned for x, y in _QUARTER for turned in ((x, y), (-y, x), (-x, -y), (y, -x)))
_ACROSS, _DOWN = np.array(_DIRECTIONS).T.copy()
_TABLE_SIZE = 256
_SCALE = 1.5
"""Brings the noise to a range of about -1…1."""

_OCTAVE_SHIFT, _FOLD_SHIFT = 17.3, 31.7
"""Offset between layers of noise, so that their lattices do not coincide."""

_FOLD_LAYERS, _FOLD_GAIN = 3, 0.5


@dataclass(frozen=True)
class Noise:
    """Gradient noise of about -1…1 that varies smoothly over a distance of 1."""

    table: Ints

    @classmethod
    def from_random(cls, rng: np.random.Generator) -> "Noise":
        """Return noise with a lattice drawn from `rng`."""
        return cls(rng.permutation(_TABLE_SIZE))

    @cached_property
    def _directions(self) -> tuple[Floats, Floats]:
        """How far the plane through each corner of the table rises across and down."""
        direction = self.table % len(_DIRECTIONS)
        return _ACROSS[direction], _DOWN[direction]

    def at(self, points: Floats) -> Floats:
        """Return the noise at `points` (n×2)."""
        (left, x), (top, y) = (_split(points[:, axis]) for axis in (0, 1))
        ease_x, ease_y = (_ease(share) for share in (x, y))
        near, far = (self.table[(left + right) % _TABLE_SIZE] for right in (0, 1))
        upper = self._slope(near + top, x, y)
        upper += ease_x * (self._slope(far + top, x - 1, y) - upper)
        lower = self._slope(near + top + 1, x, y - 1)
        lower += ease_x * (self._slope(far + top + 1, x - 1, y - 1) - lower)
        return np.asarray(_SCALE * (upper + ease_y * (lower - upper)))

    def sum_octaves(self, points: Floats, octaves: int, gain: float = 0.5) -> Floats:
        """Return the sum of `octaves` layers, each twice as fine and `gain` times as strong."""
        total, strength = np.zeros(len(points)), 1.0
        for octave in range(octaves):
            total += strength * self.at(points * 2.0**octave + _OCTAVE_SHIFT * octave)
            strength *= gain
        return total

    def raise_folds(self, points: Floats) -> Floats:
        """Return crests with steep sides at `points`, from about 0 in valleys to 1."""
        total, strength, whole = np.zeros(len(points)), 1.0, 0.0
        for layer in range(_FOLD_LAYERS):
            crest = 1 - np.abs(self.at(points * 2.0**layer + _FOLD_SHIFT * layer))
            total += strength * crest * crest
            whole += strength
            strength *= _FOLD_GAIN
        return total / whole

    def _slope(self, corner: Ints, x: Floats, y: Floats) -> Floats:
        """Return the value at `(x, y)` of the plane through a lattice `corner`."""
        across, down = self._directions
        place = corner % _TABLE_SIZE
        return np.asarray(across[place] * x + down[place] * y)


def _split(values: Floats) -> tuple[Ints, Floats]:
    """Return the integer part and the fraction of each of `values`."""
    whole = np.floor(values)
    return whole.astype(np.int64), values - whole


def _ease(share: Floats) -> Floats:
    """Return a smooth step from 0 to 1, with a first and second derivative of 0 at both ends."""
    return np.asarray(share * share * share * (share * (share * 6 - 15) + 10))
