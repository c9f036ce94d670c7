"""Detects the version of a record from its first bytes."""

import io
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

OPENING_SIZE = 64 * 1024
_MARKS = (b'"hash":"', b'"kind":"', b'"n":', b'"prev":"', b'"commits":{', b'"rules_hash":"')
"""Members of version 2 lines. Two of them are enough, so that a damaged line is recognized too."""


def read_opening(source: BinaryIO) -> tuple[bool, BinaryIO]:
    """Return whether a record has version 2, and a stream of the whole record."""
    # A pipe may return the first bytes in several chunks.
    parts: list[bytes] = []
    missing = OPENING_SIZE
    while missing and (part := source.read(missing)):
        parts.append(part)
        missing -= len(part)
    begun = b"".join(parts)
    is_chain = sum(mark in begun for mark in _MARKS) > 1
    return is_chain, io.BufferedReader(_Rewound(begun, source), OPENING_SIZE)


class _Rewound(io.RawIOBase):
    """A stream that starts with the bytes that have already been read from it."""

    def __init__(self, begun: bytes, source: BinaryIO) -> None:
        self._begun, self._source = io.BytesIO(begun), source

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        view = memoryview(buffer)
        part = self._begun.read(len(view)) or self._source.read(len(view))
        view[: len(part)] = part
        return len(part)
