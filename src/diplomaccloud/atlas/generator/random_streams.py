"""Random numbers: a separate stream for each stage and attempt, all derived from one seed."""

import hashlib

import numpy as np
from numpy.typing import NDArray


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
