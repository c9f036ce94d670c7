"""Where the secrets of a game come from; each is committed to in the game's record before use."""

import hashlib
import secrets
from collections.abc import Callable

NewSecret = Callable[[], str]
"""Returns a secret that was never used before, like `make_secret`."""


def make_secret() -> str:
    """Return 32 random bytes as hexadecimal digits."""
    return secrets.token_hex(32)


def derive_secret(seed: str, purpose: str) -> str:
    """Return the secret for one purpose that follows from a secret seed.

    When it is revealed, it says nothing about the secrets for other purposes.
    """
    return hashlib.sha256(f"{purpose}\n{seed}".encode()).hexdigest()
