"""Randomness: one stream of numbers per stage and attempt, all from one seed text."""

import hashlib

import numpy as np
from numpy.typing import NDArray


def stream(seed: str, stage: str, attempt: int = 0) -> np.random.Generator:
    """Return the random stream of one attempt at `stage`.

    A stage can be made again with another `attempt` without touching the stages before it.
    Callers draw only uniform numbers: these are the same on every machine.
    """
    digest = hashlib.sha256(f"{seed}\0{stage}\0{attempt}".encode()).digest()
    return np.random.Generator(np.random.PCG64(int.from_bytes(digest, "big")))


def below(rng: np.random.Generator, count: int) -> int:
    """Return a whole number from 0 up to, not including, `count`."""
    return int(rng.random() * count)


def picked(
    rng: np.random.Generator, count: int, size: int, *, apart: bool = False
) -> NDArray[np.int64]:
    """Return `size` whole numbers below `count`; if `apart`, no two alike."""
    if apart:
        return np.argsort(rng.random(count), kind="stable")[:size]
    return (rng.random(size) * count).astype(np.int64)
