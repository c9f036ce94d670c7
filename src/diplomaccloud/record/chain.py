"""The chain: JSON lines that each contain the hash of the line before. See `docs/record.md`."""

import datetime as dt
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

Body = dict[str, object]
"""The content of a line, without its number, its hash, and the hash of the line before."""

FIRST = ""
"""The `prev` of the first line, which has no line before it."""


@dataclass(frozen=True, slots=True)
class ChainLine:
    """A line of a record, without its line ending, and its hash."""

    number: int
    text: str
    hash: str


def canonical_text(value: object) -> str:
    """Return the only JSON text that a record may use for `value`: sorted, compact, ASCII."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def hash_text(text: str) -> str:
    """Return the SHA-256 of `text` as UTF-8, in 64 hexadecimal digits."""
    return hashlib.sha256(text.encode()).hexdigest()


def make_line(body: Mapping[str, object], *, number: int, previous: str) -> ChainLine:
    """Return `body` as line `number` of a record; `previous` is the hash of the line before.

    The hash is the SHA-256 of the line's canonical text without the member `hash`.
    """
    numbered = {**body, "n": number, "prev": previous}
    digest = hash_text(canonical_text(numbered))
    return ChainLine(number, canonical_text({**numbered, "hash": digest}), digest)


def make_lines(
    bodies: Iterable[Mapping[str, object]], *, after: ChainLine | None = None
) -> Iterator[ChainLine]:
    """Yield `bodies` as consecutive lines that follow the line `after`."""
    for body in bodies:
        number, previous = (after.number, after.hash) if after else (0, FIRST)
        after = make_line(body, number=number + 1, previous=previous)
        yield after


def format_time(at: dt.datetime) -> str:
    """Return an aware time in the form of records: `2026-11-22T13:42:34.123456Z`."""
    return at.astimezone(dt.UTC).replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"


def parse_time(text: str) -> dt.datetime:
    """Return the time that `format_time` wrote as `text`; raise `ValueError` for other text."""
    at = dt.datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=dt.UTC)
    if format_time(at) != text:
        raise ValueError(f"not a time: {text[:40]!r} (write 2026-11-22T13:42:34.123456Z)")
    return at
