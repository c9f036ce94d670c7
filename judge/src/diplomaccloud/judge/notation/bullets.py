"""Finds bullets and numbers before the orders in a list."""

import re

_BULLET = re.compile(
    r"\s*(?:\(?\d{1,3}(?:[.:]|\.?\))|\(?[a-z]\)|[•‣▪▸►●○◦■□◆·*+]|[-–—](?=\s))(?!\S*/)\s*",
    re.IGNORECASE,
)
"""A bullet or number before an order in a list: `1.`, `(2)`, `b)`, `-`, `•`."""


def skip_bullet(text: str) -> str:
    """Return `text` without a bullet or number at the start."""
    match = _BULLET.match(text)
    return text[match.end() :] if match else text
