"""Builds messages from tokens and brackets."""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from diplomaccloud.daide.language.tokens import Message, Word

Part: TypeAlias = int | tuple[int, ...] | list["Part"]
"""A token, a message to insert as is, or a list to put in brackets."""


def compose(*parts: Part) -> Message:
    """Return the message made of these parts: lists go in brackets, tuples are inserted as is."""
    return tuple(_flatten(parts))


def _flatten(parts: Sequence[Part]) -> Iterator[int]:
    for part in parts:
        if isinstance(part, list):
            yield int(Word.BRA)
            yield from _flatten(part)
            yield int(Word.KET)
        elif isinstance(part, tuple):
            yield from part
        else:
            yield int(part)


def are_brackets_paired(message: Message) -> bool:
    """Return whether all brackets in the message are paired."""
    depth = 0
    for token in message:
        depth += (token == Word.BRA) - (token == Word.KET)
        if depth < 0:
            return False
    return depth == 0


def find_end(message: Message, start: int) -> int:
    """Return the index of the bracket that closes the one at `start`; all must be paired."""
    depth = 0
    for at in range(start, len(message)):
        depth += (message[at] == Word.BRA) - (message[at] == Word.KET)
        if depth == 0:
            return at
    return len(message)
