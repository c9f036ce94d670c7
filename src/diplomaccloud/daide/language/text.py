"""Messages in readable form, with three-letter names: `NME ('Albert') ('v6')`."""

import re
from collections.abc import Iterator

from diplomaccloud.daide.language.errors import MessageError
from diplomaccloud.daide.language.tokens import (
    MAX_NUMBER,
    MAX_TOKEN,
    MIN_NUMBER,
    Message,
    Word,
    decode_number,
    encode_number,
    encode_text,
    is_number,
    is_text,
)
from diplomaccloud.daide.language.vocabulary import STANDARD, Vocabulary

_PIECE = re.compile(
    r"""\s*(?:
    (\() | (\))
    | '((?:[^']|'')*)'
    | (-?\d{1,5})(?!\w)
    | (0x[\da-f]{1,4})(?!\w)
    | (\w+)
    )""",
    re.IGNORECASE | re.ASCII | re.VERBOSE,
)


def write_text(message: Message, vocabulary: Vocabulary = STANDARD) -> str:
    """Return the message as text for `read_text`; unknown tokens are in hexadecimal."""
    text = ""
    for word in _write_words(message, vocabulary):
        glued = not text or text.endswith("(") or word == ")"
        text += word if glued else f" {word}"
    return text


def _write_words(message: Message, vocabulary: Vocabulary) -> Iterator[str]:
    letters = ""
    for token in message:
        if is_text(token) and 0x20 <= token & 0xFF < 0x7F:
            letters += chr(token & 0xFF)
            continue
        if letters:
            yield _quote(letters)
            letters = ""
        yield _write_token(token, vocabulary)
    if letters:
        yield _quote(letters)


def _quote(letters: str) -> str:
    return "'" + letters.replace("'", "''") + "'"


def _write_token(token: int, vocabulary: Vocabulary) -> str:
    if token == Word.BRA:
        return "("
    if token == Word.KET:
        return ")"
    if is_number(token):
        return str(decode_number(token))
    name = vocabulary.names.get(token, "")
    # On other boards, a name may start with a digit and would be read as a number.
    return name if name[:1].isalpha() else f"{token:#06x}"


def read_text(text: str, vocabulary: Vocabulary = STANDARD) -> Message:
    """Return the tokens in a text; raise `MessageError` at the first word that is not a token."""
    tokens: list[int] = []
    at = 0
    text = text.rstrip()
    while at < len(text):
        match = _PIECE.match(text, at)
        if match is None:
            raise MessageError(len(tokens), f"no token begins with {text[at : at + 12]!r}")
        tokens += _read_piece(match, len(tokens), vocabulary)
        at = match.end()
    return tuple(tokens)


def _read_piece(match: re.Match[str], at: int, vocabulary: Vocabulary) -> Message:
    opening, closing, letters, number, digits, word = match.groups()
    if opening or closing:
        return (int(Word.BRA if opening else Word.KET),)
    if letters is not None:
        return encode_text(letters.replace("''", "'"))
    if number:
        value = int(number)
        if not MIN_NUMBER <= value <= MAX_NUMBER:
            raise MessageError(at, f"{value} is not from {MIN_NUMBER} to {MAX_NUMBER}")
        return (encode_number(value),)
    token = int(digits, 16) if digits else vocabulary.tokens.get(word.upper())
    if token is None or token > MAX_TOKEN:
        raise MessageError(at, f"{word[:12]!r} is not a token")
    return (token,)
