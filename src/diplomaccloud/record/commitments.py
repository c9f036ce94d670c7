"""Secrets that a game commits to before using them, and the random choices drawn from them."""

import hashlib
from collections.abc import Sequence
from enum import StrEnum

from diplomaccloud.judge.board import Power

SECRET_LENGTH = 64
"""The length of a secret: 32 random bytes as hexadecimal digits, `secrets.token_hex(32)`."""


class Purpose(StrEnum):
    """What a secret is for."""

    DRAW = "draw"
    COIN = "coin"
    JUDGE = "judge"
    BOTS = "bots"


def commit(purpose: str, secret: str) -> str:
    """Return the commitment to a secret: the SHA-256 of the purpose, a line feed and the secret."""
    return hashlib.sha256(f"{purpose}\n{secret}".encode()).hexdigest()


def draw_powers(secret: str, powers: Sequence[Power], seats: int) -> tuple[Power, ...]:
    """Return the power of each seat, in the order of the seats.

    The powers are sorted by the SHA-256 of the secret, a line feed and the power. `powers` holds
    the first power of every player.
    """
    if len(powers) != seats:
        raise ValueError(f"there are {len(powers)} powers for {seats} seats")
    return tuple(sorted(powers, key=lambda power: _mix(secret, power)))


def bot_seed(secret: str, power: Power) -> str:
    """Return the seed of the bot that plays `power`, for `random.Random`.

    It is the secret, a slash and the power.
    """
    return f"{secret}/{power}"


def judge_seed(secret: str) -> str:
    """Return the seed of the judge's random choices, which is the secret itself."""
    return secret


def _mix(secret: str, power: Power) -> str:
    return hashlib.sha256(f"{secret}\n{power}".encode()).hexdigest()
