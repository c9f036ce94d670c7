"""The secrets of a game; the game's record commits to each before it is used."""

import hashlib
import secrets
from collections.abc import Callable

NewSecret = Callable[[], str]
"""A function that returns a new secret, like `make_secret`."""


def make_secret() -> str:
    """Return 32 random bytes as hexadecimal digits."""
    return secrets.token_hex(32)


def derive_secret(seed: str, purpose: str) -> str:
    """Return a secret for one purpose, derived from a secret seed.

    Revealing it says nothing about the secrets for other purposes.
    """
    return hashlib.sha256(f"{purpose}\n{seed}".encode()).hexdigest()
