"""Names that people give to maps, worlds and countries, shown to everybody else."""

import unicodedata

_UNSEEN = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Characters that count as letters or signs but print as nothing."""


def clean_name(text: str) -> str:
    """Return the name in one spelling, single-spaced; raise `ValueError` for what is no text.

    Control characters, marks that turn the direction of writing and blank letters could make
    one name pass for another, and a map file takes no character that cannot be printed.
    """
    name = " ".join(unicodedata.normalize("NFC", text).split())
    if not name.isprintable() or _UNSEEN & set(name):
        raise ValueError("A name holds letters, digits and punctuation only.")
    return name
