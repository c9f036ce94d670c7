"""Randomness: one stream of numbers per stage and attempt, all from one seed text."""

import hashlib

import numpy as np


def stream(seed: str, stage: str, attempt: int = 0) -> np.random.Generator:
    """Return the random stream of one attempt at `stage`.

    A stage can be made again with another `attempt` without touching the stages before it.
    Callers draw only uniform numbers and integers: these are the same on every machine.
    """
    digest = hashlib.sha256(f"{seed}\0{stage}\0{attempt}".encode()).digest()
    return np.random.Generator(np.random.PCG64(int.from_bytes(digest, "big")))
