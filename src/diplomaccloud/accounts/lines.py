"""Lines that people write and everybody else reads: names, and what one says of oneself."""

import unicodedata

_UNSEEN = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Characters that count as letters or signs but print as nothing."""


def clean_name(text: str) -> str:
    """Return the name of a map, a world, a country or a draft, as `clean_line` does."""
    return clean_line(text, "A name")


def clean_line(text: str, what: str) -> str:
    """Return the text in one spelling, single-spaced; raise `ValueError` for what is no text.

    Control characters, marks that turn the direction of writing and blank letters could make
    one name pass for another, and a map file takes no character that cannot be printed. `what`
    it is stands in the error.
    """
    line = " ".join(unicodedata.normalize("NFC", text).split())
    if not line.isprintable() or _UNSEEN & set(line):
        raise ValueError(f"{what} holds letters, digits and punctuation only.")
    return line
