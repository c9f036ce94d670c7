"""Checking the text of a message: plain, normalized text that is safe to display."""

import unicodedata
from typing import Final

from diplomaccloud.press.table.errors import BadText

MAX_BODY: Final = 10_000
MAX_SUBJECT: Final = 256
"""In characters of normal form C; each line break counts as one."""
MAX_REASON: Final = 1_000
"""In characters, for the note of a report, the reason for a decision, and an appeal."""
MAX_COMBINING: Final = 10
"""How many combining marks may follow each other. More would be drawn over other lines."""
_LINE_BREAKS: Final = ("\r\n", "\r", "\x85", "\u2028", "\u2029")
_BIDI: Final = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Embeddings, overrides and isolates, which could make one sentence look like another."""
_CONTROL, _SURROGATE, _MARK = "Cc", "Cs", "M"


def clean_body(text: str, *, required: bool = True) -> str:
    """Return the cleaned body of a message; raise `BadText`, even if it is missing."""
    body = _normalize("body", text).strip("\n\t ")
    if not body and required:
        raise BadText("body", "Write a message first.")
    _require_length("body", body, MAX_BODY, "A message")
    _require_harmless("body", body, "\n\t")
    return body


def clean_subject(text: str) -> str:
    """Return the subject of a message as one line, blank for none; raise `BadText`."""
    subject = " ".join(_normalize("subject", text).split())
    _require_length("subject", subject, MAX_SUBJECT, "A subject")
    _require_harmless("subject", subject, "")
    return subject


def _normalize(field: str, text: str) -> str:
    for place, character in enumerate(text):
        # Checked first: a surrogate has no normal form and cannot be stored or printed.
        if unicodedata.category(character) == _SURROGATE:
            raise _fault(field, text, place)
    for line_break in _LINE_BREAKS:
        text = text.replace(line_break, "\n")
    return unicodedata.normalize("NFC", text)


def _require_length(field: str, text: str, most: int, what: str) -> None:
    if len(text) > most:
        raise BadText(
            field,
            f"{what} can have at most {most:,} characters. "
            f"Yours has {len(text):,}. Shorten it by {len(text) - most:,}.",
        )


def _require_harmless(field: str, text: str, allowed: str) -> None:
    marks = 0
    for place, character in enumerate(text):
        category = unicodedata.category(character)
        marks = marks + 1 if category.startswith(_MARK) else 0
        control = category == _CONTROL and character not in allowed
        if control or character in _BIDI:
            raise _fault(field, text, place)
        if marks > MAX_COMBINING:
            raise BadText(
                field,
                f"More than {MAX_COMBINING} accents or marks follow one another "
                f"{_locate(text, place)}. Delete some of them.",
            )


def _fault(field: str, text: str, place: int) -> BadText:
    character = text[place]
    name = unicodedata.name(character, "").lower()
    code = f"U+{ord(character):04X}"
    described = f"{code}, {name}" if name else code
    return BadText(
        field, f"The character {described} cannot be sent. It is {_locate(text, place)}; delete it."
    )


def _locate(text: str, place: int) -> str:
    """Return where a character is, by line and column, both counted from 1."""
    before = text[:place]
    line, column = before.count("\n") + 1, place - (before.rfind("\n") + 1) + 1
    return f"in line {line} at character {column}"
