"""Reads the lines of a record one by one, and checks the size, form and hash of each."""

import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

from diplomaccloud.judge.codec import Json
from diplomaccloud.judge.protocol.answers import read_json
from diplomaccloud.record.chain import canonical_text, hash_text

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

MAX_LINE_SIZE = 4 * 1024 * 1024
"""The longest line in bytes; the largest board takes a quarter of it."""


@dataclass(frozen=True, slots=True)
class RawLine:
    """A well-formed line of a file with the right hash; `place` counts from 1."""

    place: int
    data: Json
    number: int
    previous: str
    hash: str
    kind: str


@dataclass(frozen=True, slots=True)
class BadLine:
    """A damaged line, and what is wrong with it."""

    place: int
    fault: str


def read_lines(source: BinaryIO) -> Iterator[RawLine | BadLine]:
    """Yield the lines of a record, holding only one in memory."""
    place = 0
    while raw := source.readline(MAX_LINE_SIZE + 1):
        place += 1
        if len(raw) <= MAX_LINE_SIZE:
            yield _read_line(place, raw)
            continue
        yield BadLine(place, f"it is longer than {MAX_LINE_SIZE} bytes")
        while raw and not raw.endswith(b"\n"):
            raw = source.readline(MAX_LINE_SIZE)


def _read_line(place: int, raw: bytes) -> RawLine | BadLine:
    try:
        return _read_data(place, _read_json_line(raw))
    except ValueError as error:
        return BadLine(place, str(error))


def _read_json_line(raw: bytes) -> Json:
    """Return the object on a line; raise `ValueError` if the line is not in canonical form."""
    if not raw.isascii():
        raise ValueError("it contains a byte that is not ASCII")
    if not raw.endswith(b"\n"):
        raise ValueError("it has no line ending, so the file was cut off here")
    data = read_json(raw)
    if not isinstance(data, dict):
        raise ValueError("it is not a JSON object")
    try:
        is_canonical = f"{canonical_text(data)}\n".encode() == raw
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if not is_canonical:
        raise ValueError("it is not in canonical form (sorted keys, no spaces, ASCII)")
    return data


def _read_data(place: int, data: Json) -> RawLine:
    claimed, number, previous, kind = (data.get(key) for key in ("hash", "n", "prev", "kind"))
    if not isinstance(claimed, str) or not isinstance(previous, str) or not isinstance(kind, str):
        raise ValueError("it is not a line of a record, which must have hash, kind, n and prev")
    if isinstance(number, bool) or not isinstance(number, int):
        raise ValueError("n is not a whole number")
    bare = {key: value for key, value in data.items() if key != "hash"}
    if hash_text(canonical_text(bare)) != claimed:
        raise ValueError("it has been changed: its hash is not the hash of the rest of the line")
    return RawLine(place, data, number, previous, claimed, kind)


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
