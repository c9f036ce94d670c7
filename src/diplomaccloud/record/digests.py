"""The orders of a seat as text, and the salted digests that hide the text until it is public."""

import hashlib
from collections.abc import Mapping, Sequence

from diplomaccloud.judge.board import Power

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
