"""Single lines that users write and everyone can read: names and status messages."""

import unicodedata

_INVISIBLE = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Characters that count as letters or symbols but print nothing."""


def clean_name(text: str) -> str:
    """Return the name of a map, a world, a country or a draft as `clean_line` does."""
    return clean_line(text, "A name")


def clean_line(text: str, what: str) -> str:
    """Return the text in a normal form with single spaces.

    Raises `ValueError` for characters that cannot be printed.

    Control characters, marks for the direction of writing and invisible letters could make one
    name look like another, and a map file cannot hold them. The error says `what` the text is.
    """
    line = " ".join(unicodedata.normalize("NFC", text).split())
    if not line.isprintable() or _INVISIBLE & set(line):
        raise ValueError(f"{what} may contain only letters, digits and punctuation.")
    return line
