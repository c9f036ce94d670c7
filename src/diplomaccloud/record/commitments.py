"""Secrets that a game commits to, the choices drawn from them, and the digests that hide orders."""

import hashlib
from collections.abc import Mapping, Sequence
from enum import StrEnum

from diplomaccloud.judge.board import Power

SECRET_LENGTH = 64
"""The length of a secret: 32 random bytes as hexadecimal digits, `secrets.token_hex(32)`."""


class Purpose(StrEnum):
    """What a secret is for."""

    DRAW = "draw"
    SEATS = "seats"
    CHARACTERS = "characters"
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


def draw_numbers(secret: str, seats: int) -> tuple[int, ...]:
    """Return the number of each seat, in the order in which the seats were taken.

    The places in this order, from 1, are sorted by the SHA-256 of the secret, a line feed and the
    place; the first gets number 1.
    """
    ranked = sorted(range(1, seats + 1), key=lambda place: _mix(secret, str(place)))
    return tuple(ranked.index(place) + 1 for place in range(1, seats + 1))


def place_proof(secret: str, place: int, number: int) -> str:
    """Return the text behind the commitment to the number of a place.

    It is `place`, a salt that tells nothing about other places, the place and the number, each on
    a line.
    """
    return f"place\n{_mix(secret, f'salt {place}')}\n{place}\n{number}"


def commit_places(secret: str, seats: int) -> tuple[str, ...]:
    """Return the SHA-256 of each place's proof, for the player who has taken it to check."""
    proofs = (
        place_proof(secret, place, number)
        for place, number in enumerate(draw_numbers(secret, seats), start=1)
    )
    return tuple(hashlib.sha256(proof.encode()).hexdigest() for proof in proofs)


def bot_seed(secret: str, power: Power) -> str:
    """Return the seed of the bot that plays `power`, for `random.Random`.

    It is the secret, a slash and the power.
    """
    return f"{secret}/{power}"


def judge_seed(secret: str) -> str:
    """Return the seed of the judge's random choices, which is the secret itself."""
    return secret


def _mix(secret: str, what: str) -> str:
    return hashlib.sha256(f"{secret}\n{what}".encode()).hexdigest()


NO_ORDERS = "NO ORDERS"
NOTHING = "NOTHING"
_CONDITIONAL = "CONDITIONAL "


def orders_text(
    *,
    game: str,
    sequence: int,
    phase: str,
    seat: int,
    powers: Sequence[Power],
    orders: Mapping[Power, Sequence[str]],
) -> str:
    """Return the orders of a seat in a phase as the text for receipts and digests.

    `powers` are the powers of the seat, starting with its own. The orders of each power are
    canonical texts in the sequence in which they are adjudicated.
    """
    lines = [f"{power} {order}" for power in powers for order in orders.get(power, ())]
    return "\n".join([f"orders {game} {sequence} {phase} seat {seat}", *(lines or [NO_ORDERS])])


def sealed_text(
    *,
    game: str,
    sequence: int,
    phase: str,
    seat: int,
    conditional: Mapping[Power, str],
    draw_vote: str,
) -> str:
    """Return a seat's other decisions in a phase, which stay private, as text.

    `conditional` holds the conditional orders of the seat's powers; `draw_vote` is `draw`,
    `surrender` or blank.
    """
    lines = [f"{_CONDITIONAL}{power} {text}" for power, text in conditional.items() if text]
    if draw_vote:
        lines.append(f"VOTE {draw_vote.upper()}")
    return "\n".join([f"sealed {game} {sequence} {phase} seat {seat}", *(lines or [NOTHING])])


def has_conditional_orders(sealed: str) -> bool:
    """Return whether a seat's sealed text contains conditional orders."""
    return any(line.startswith(_CONDITIONAL) for line in sealed.splitlines())


def salted_digest(salt: str, text: str) -> str:
    """Return the SHA-256 in hexadecimal of the salt, a line feed and the text in UTF-8."""
    return hashlib.sha256(f"{salt}\n{text}".encode()).hexdigest()
