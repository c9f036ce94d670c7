"""Splits text into tokens: words in lower case, `-` for every kind of dash, `/` before a coast."""

import re
import unicodedata

from diplomaccloud.judge.notation.errors import NotationError

MAX_LENGTH = 300
"""The longest order that is read, in characters."""

MAX_LINE = 4_000
"""The longest line of several orders that is read, in characters."""

_TOKEN = re.compile(r"[a-z0-9]+|[-/]")
_ALIKE = str.maketrans(
    {
        **dict.fromkeys("‐‑‒–—―−→⇒➔", "-"),
        **dict.fromkeys("’‘ʼ`´", "'"),
        "æ": "ae",
        "œ": "oe",
        "ø": "o",
        "ł": "l",
        "đ": "d",
        "ð": "d",
        "ß": "ss",
        "Æ": "AE",
        "Œ": "OE",
        "Ø": "O",
        "Ł": "L",
        "Đ": "D",
        "Ð": "D",
        "(": "/",
        "[": "/",
        ")": " ",
        "]": " ",
        "\t": " ",
        "\r": " ",
        "\n": " ",
    }
)
_STRANGE = re.compile(r"[^a-z0-9 /.,:;'\"*!_-]")
_ARROW = re.compile(r"[-=]*>|--+")
_POSSESSIVE = re.compile(r"'s\b")


def plain(text: str) -> str:
    """Return `text` in lower case without accents, with one kind of dash and bracket."""
    decomposed = unicodedata.normalize("NFKD", text.translate(_ALIKE)).lower()
    bare = "".join(letter for letter in decomposed if not unicodedata.combining(letter))
    return _POSSESSIVE.sub("", _ARROW.sub("-", bare))


def tokens_of(text: str, longest: int = MAX_LENGTH) -> list[str]:
    """Return the tokens of one order, or of a line of orders `longest` characters long.

    Raises `NotationError` for text too long to be an order and for a character that no
    order is written with (a control character, a letter of another alphabet).
    """
    if len(text) > longest:
        what = "an order" if longest == MAX_LENGTH else "a line of orders"
        raise NotationError(f"{what} has at most {longest} characters, this has {len(text)}")
    simple = plain(text)
    if strange := _STRANGE.search(simple):
        letter = strange.group()
        name = unicodedata.name(letter, f"U+{ord(letter):04X}").lower()
        raise NotationError(f"orders are not written with the character {letter!r} ({name})")
    return _TOKEN.findall(simple)


def name_tokens(name: str) -> tuple[str, ...]:
    """Return the tokens of a province's or power's name, without `the`."""
    words = _TOKEN.findall(plain(name))
    return tuple(word for word in words if word != "the" or len(words) == 1)
