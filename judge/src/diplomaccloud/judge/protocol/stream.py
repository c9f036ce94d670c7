"""A stream of requests: one JSON value per input line, one answer per output line, in order."""

import json
from collections.abc import Callable, Iterator
from typing import BinaryIO

from diplomaccloud.judge.codec.reader import Json
from diplomaccloud.judge.protocol.answers import answer, id_of
from diplomaccloud.judge.protocol.request import Boards, only_standard

MAX_LINE = 16 * 1024 * 1024
"""The longest line that is read, in bytes; it has room for an inline chart."""


def serve_lines(
    source: BinaryIO,
    sink: BinaryIO,
    boards: Boards = only_standard,
    *,
    explain: bool = False,
    report: Callable[[Exception], None] | None = None,
) -> None:
    """Answer every line of `source` at once with a line to `sink`, until `source` ends.

    The answer to an invalid or empty line is `{"id", "error"}`. `report` is called with internal
    errors. Only one line at a time is kept in memory.
    """
    for line in lines_of(source):
        answered = _answer_line(line, boards, explain, report)
        sink.write(_ENCODER.encode(answered).encode() + b"\n")
        sink.flush()


def lines_of(source: BinaryIO) -> Iterator[bytes | None]:
    """Yield the lines of `source` without line breaks, or None for a line that is too long."""
    while line := source.readline(MAX_LINE + 1):
        if len(line) <= MAX_LINE or line.endswith(b"\n"):
            yield line.rstrip(b"\r\n")
            continue
        while line and not line.endswith(b"\n"):
            line = source.readline(MAX_LINE)
        yield None


def read_record(source: BinaryIO) -> Iterator[object]:
    """Yield the JSON values of a record: one on each line, or one in the whole file.

    Raises `ValueError` for text that is not JSON; empty lines are skipped.
    """
    for number, line in enumerate(lines_of(source), start=1):
        if line is None:
            raise ValueError(f"line {number} is longer than {MAX_LINE} bytes")
        if not line.strip():
            continue
        try:
            value = read_json(line)
        except ValueError as error:
            if number > 1:
                raise ValueError(f"line {number}: {error}") from error
            yield read_json(line + b"\n" + source.read(MAX_LINE))
            return
        yield value


def _answer_line(
    line: bytes | None,
    boards: Boards,
    explain: bool,
    report: Callable[[Exception], None] | None,
) -> Json:
    if line is None:
        return {"id": None, "error": f"the line is longer than {MAX_LINE} bytes"}
    try:
        request = read_json(line)
    except ValueError as error:
        return {"id": None, "error": str(error)}
    try:
        return answer(request, boards, explain=explain)
    except Exception as error:
        # An internal error in one position must not stop the adjudication of others.
        if report is not None:
            report(error)
        return {"id": id_of(request), "error": f"internal error: {type(error).__name__}"}


def read_json(text: bytes) -> object:
    """Return the JSON value in `text`; raise `ValueError` if there is none.

    Stricter than `json`: duplicate keys, `NaN` and `Infinity` are refused.
    """
    try:
        return _DECODER.decode(text.decode("utf-8-sig"))
    except RecursionError:
        raise ValueError("not JSON: nested too deep") from None
    except ValueError as error:
        # Python's message is about an interpreter setting, which does not help the sender.
        too_long = str(error).startswith("Exceeds the limit")
        what = "a number too long" if too_long else str(error)[:200]
        raise ValueError(f"not JSON: {what}") from error


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) < len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise ValueError(f"{twice[:40]!r} appears twice in one object")
    return members


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is not a number")


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_no_constant)
_ENCODER = json.JSONEncoder(separators=(",", ":"))
