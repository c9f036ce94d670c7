"""Files of games: splits them into games, whatever their format, and reads and writes each.

Files are read as streams: no more than one game is in memory, however large the file.
"""

import codecs
import gzip
import io
import os
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import chain
from json import JSONDecodeError
from typing import IO, Any, BinaryIO, NamedTuple, cast

from diplomaccloud.judge.checks import require_text, require_type
from diplomaccloud.judge.exchange.plain_text import read_text_game, write_text_game
from diplomaccloud.judge.exchange.reading import (
    ExchangeError,
    GameError,
    Reading,
    SavedGame,
    StoppedError,
    read_value,
)
from diplomaccloud.judge.exchange.records import read_record_game, write_record_game
from diplomaccloud.judge.exchange.saved_games import read_saved_game, write_saved_game
from diplomaccloud.judge.exchange.webdiplomacy_history import read_history
from diplomaccloud.judge.game import Game
from diplomaccloud.judge.protocol.answers import DECODER

MAX_GAME = 64 * 1024 * 1024
"""The size in bytes of the largest game that is read."""

_MOST_ODD = 100
"""How many bad values may precede the first that has a format."""

_CHUNK = 64 * 1024
_BOM = codecs.BOM_UTF8
_TOO_LONG = f"the game is longer than {MAX_GAME} bytes"

_NO_FORMAT = "the file has no format that is known"

_READERS: Mapping[str, Callable[..., Any]] = {
    "text": read_text_game,
    "record": read_record_game,
    "diplomacy": read_saved_game,
    "webDiplomacy": read_history,
}
_WRITERS = {"text": write_text_game, "record": write_record_game, "diplomacy": write_saved_game}
WRITTEN = tuple(_WRITERS)
"""The formats that can be written."""

Source = str | os.PathLike[str] | IO[bytes] | IO[str] | Iterable[str] | Iterable[bytes]
"""The name of a file, an open file, or its lines."""

_Values = Iterator[tuple[int, object]]
"""The values in a file, each with its line: bytes with JSON, a value, or what is wrong with it."""


class Part(NamedTuple):
    """The part of a file with one game: its format, and its lines or values with their lines."""

    form: str
    entries: list[tuple[int, object]]


def read_games(source: Source) -> Iterator[SavedGame]:
    """Yield the games in a file one by one, whatever their format.

    `source` is the name of a file, an open file, binary or text, or an iterable of lines; it may be
    compressed by gzip. A game with a fault comes with its errors, and the next one is read. A game
    may have 64 MB. Raises `OSError` for a file that cannot be opened, and `ValueError` for one that
    cannot be split into games, because its format is unknown or its compression damaged.
    """
    number = 1
    for part in split_games(source):
        for saved in read_part(part, number):
            yield saved
            number += 1


def write_game(game: Game, to: str, name: str = "") -> str:
    """Return a game as text in the format `to`: `"text"`, `"record"` or `"diplomacy"`.

    The texts of several games, one after the other, make a file. Raises `ValueError` if there is no
    such format or if it cannot hold the game.
    """
    require_type("game", game, Game)
    require_text("to", to)
    require_text("name", name)
    if to not in WRITTEN:
        raise ExchangeError(f"there is no format {to[:20]!r} (choose from: {', '.join(WRITTEN)})")
    return "".join(f"{line}\n" for line in _WRITERS[to](game, name))


def read_part(part: Part, number: int = 1) -> Iterator[SavedGame]:
    """Yield the game in a part of a file, or several if it leaves out phases, from `number` on."""
    reader = _READERS.get(part.form, read_record_game)
    read: Callable[[Reading], Any] | None = partial(reader, entries=part.entries)
    line, name = part.entries[0][0], ""
    while read is not None:
        reading, rest, is_complete = Reading(line, name), None, False
        try:
            rest = read(reading)
            is_complete = rest is None and bool(reading.game)
        except StoppedError:
            pass
        except ValueError as error:
            reading.note(str(error))
        yield reading.finish(number, part.form, is_complete=is_complete)
        read, line, name, number = rest, reading.at, reading.name, number + 1


def convert_part(to: str, part: Part) -> list[tuple[SavedGame, str]]:
    """Return the games in a part without their phases, each with its text, empty if it is bad."""
    done = []
    for saved in read_part(part):
        text, errors = "", saved.errors
        if saved.game is not None and saved.is_complete:
            try:
                text = write_game(saved.game, to, saved.name)
            except ExchangeError as error:
                message, kind = str(error).removeprefix(f"{error.phase}: "), error.kind
                refused = GameError(saved.line, error.phase, "", "", message, kind)
                errors = (*errors, refused)
        done.append((replace(saved, errors=errors, game=None), text))
    return done


# Splitting.


def split_games(source: Source) -> Iterator[Part]:
    """Yield the parts of a file, each with one game; raise `ValueError` if it cannot be split."""
    with _open_stream(source) as stream:
        try:
            if stream.peek(len(_BOM)).startswith(_BOM):
                stream.read(len(_BOM))
            first = 1
            while (seen := stream.peek(1)) and seen.isspace():
                first += stream.read(len(seen)).count(b"\n")
            if re.match(rb"\s*\[\s*(?:[\[{\]]|\Z)", seen):
                yield from _group(_split_values(stream, b"", first))
            elif seen.lstrip().startswith(b"{"):
                yield from _group(_split_json(stream, first))
            else:
                yield from _split_text(_read_lines(stream, first))
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise ExchangeError(f"the compressed file is damaged: {error}") from error


@contextmanager
def _open_stream(source: Any) -> Iterator[io.BufferedReader]:
    """Open a source as a stream of bytes, decompressed if it is compressed."""
    if isinstance(source, str | os.PathLike):
        with open(source, "rb") as file, _open_stream(file) as stream:  # noqa: PTH123 may be text
            yield stream
        return
    if isinstance(source, bytes | bytearray) or not isinstance(source, Iterable):
        kind = type(source).__name__
        raise TypeError(f"source: expected a file, its name or its lines, not {kind}")
    stream = source if isinstance(source, io.BufferedReader) else io.BufferedReader(_Pieces(source))
    if stream.peek(2).startswith(b"\x1f\x8b"):
        stream = cast("io.BufferedReader", gzip.GzipFile(fileobj=stream))
    yield stream


class _Pieces(io.RawIOBase):
    """A stream of the bytes in a file that is not buffered, in one of text, or in lines."""

    def __init__(self, source: Any) -> None:
        read = getattr(source, "read1", None) or getattr(source, "read", None)
        self._is_file = read is not None
        self._pieces = iter(lambda: read(_CHUNK) or None, None) if read else iter(source)
        self._rest = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._rest:
            piece = next(self._pieces, None)
            if piece is None:
                return 0
            if isinstance(piece, str):
                piece = piece.encode("utf-8", "surrogatepass")
            if not self._is_file and not piece.endswith(b"\n"):
                piece += b"\n"
            self._rest = memoryview(piece)
        size = min(len(buffer), len(self._rest))
        buffer[:size], self._rest = self._rest[:size], self._rest[size:]
        return size


def _read_lines(stream: BinaryIO, number: int) -> Iterator[tuple[int, bytes | ExchangeError]]:
    """Yield the lines that are not blank, counted from `number`."""
    while line := stream.readline(MAX_GAME + 1):
        if len(line) > MAX_GAME and not line.endswith(b"\n"):
            while line and not line.endswith(b"\n"):
                line = stream.readline(_CHUNK)
            yield number, ExchangeError(_TOO_LONG)
        elif not line.isspace():
            yield number, line
        number += 1


def _split_text(lines: Iterator[tuple[int, bytes | ExchangeError]]) -> Iterator[Part]:
    """Yield the games of a text: a tag after a line that is none begins the next."""
    part, size, was_tag = Part("text", []), 0, True
    for number, raw in lines:
        line: str | ExchangeError
        try:
            line = raw if isinstance(raw, ExchangeError) else raw.decode().strip()
        except UnicodeDecodeError:
            line = ExchangeError("the line is not UTF-8")
        if isinstance(raw, bytes):
            text = raw.decode(errors="replace").strip()
            if text.startswith("#"):
                continue
            is_tag = text.startswith("[")
            if is_tag and not was_tag:
                yield part
                part, size = Part("text", []), 0
            was_tag = is_tag or (was_tag and isinstance(line, ExchangeError))
            size += len(raw)
        if size <= MAX_GAME:
            part.entries.append((number, line))
        else:
            part.entries[:] = [(part.entries[0][0], ExchangeError(_TOO_LONG))]
    if part.entries:
        yield part


def _split_json(stream: io.BufferedReader, first: int) -> _Values:
    """Yield the values of JSON lines, or those that take several lines each."""
    lines = _read_lines(stream, first)
    number, line = next(lines)
    if isinstance(line, bytes) and not line.rstrip().endswith(b"}"):
        return _split_values(stream, line, number)
    return chain([(number, line)], lines)


_GAP = re.compile(r"[\s,\[\]]*")
_KEY = re.compile(r'\{\s*("[^"\\]*")\s*:')
_HEADING = re.compile(rb'"record"\s*:\s*"diplomaccloud game"')
_ESCAPED = re.compile("[\udc80-\udcff]")


def _split_values(stream: BinaryIO, head: bytes, line: int) -> _Values:
    """Yield the members of an array, or values one after the other.

    After a damaged value, the next that begins with the same key as the first is read.
    """
    decode = codecs.getincrementaldecoder("utf-8")("surrogateescape").decode
    text, at, is_end, start = decode(head), 0, False, re.compile(r"(?!)")

    def skip_to(end: int) -> None:
        nonlocal at, line
        line += text.count("\n", at, end)
        at = end

    def read_on() -> None:
        nonlocal text, at, is_end
        chunk = stream.read(max(_CHUNK, min(len(text) - at, MAX_GAME)))
        text, at, is_end = text[at:] + decode(chunk, not chunk), 0, not chunk

    while True:
        skip_to(_GAP.match(text, at).end())  # type: ignore[union-attr] # matches everything
        if at == len(text):
            if is_end:
                return
            read_on()
            continue
        if key := not start.groups and _KEY.match(text, at):
            start = re.compile(rf"[,}}\n]\s*(\{{\s*{re.escape(key[1])}\s*:)")
        value: object
        try:
            value, end = DECODER.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            is_short = len(text) - at <= MAX_GAME
            if not is_end and is_short and _is_cut(error, len(text)):
                read_on()
                continue
            value, first = None, line
            while (match := start.search(text, at + 1)) is None and not is_end:
                if len(text) - at > MAX_GAME:
                    value = ExchangeError(_TOO_LONG)
                    skip_to(len(text) - _CHUNK)
                read_on()
            end = match.start(1) if match else len(text)
            yield first, value or text[at:end].encode("utf-8", "surrogateescape")
        else:
            yield (
                line,
                ExchangeError("the value is not UTF-8")
                if _ESCAPED.search(text, at, end)
                else value,
            )
        skip_to(end)


def _is_cut(error: ValueError | RecursionError, length: int) -> bool:
    """Return whether JSON may only lack what follows after `length` characters."""
    if not isinstance(error, JSONDecodeError):
        return False
    return error.msg.startswith("Unterminated string") or error.pos >= length - 16


def _group(values: _Values) -> Iterator[Part]:
    """Yield the games in JSON values, all in the format of the first that has one.

    The values before that one are bad games; with too many, so is the file.
    """
    unknown, has_odd = list[Part](), False
    for line, payload in values:
        value, is_heading = _read_payload(payload)
        if form := "record" if is_heading else _find_format(value):
            yield from unknown
            again = chain([(line, payload)], values)
            if form == "record":
                yield from _group_records(again)
            else:
                yield from (Part(form, [entry]) for entry in again)
            return
        if not isinstance(value, ExchangeError):
            value, has_odd = ExchangeError(_NO_FORMAT), True
        unknown.append(Part("", [(line, value)]))
        if not has_odd:
            yield from unknown
            unknown.clear()
        elif len(unknown) > _MOST_ODD:
            break
    if unknown:
        raise ExchangeError(f"line {unknown[0].entries[0][0]}: {_NO_FORMAT}")


def _group_records(values: _Values) -> Iterator[Part]:
    """Yield the games in records, which may take several values, up to the next heading or id."""
    entries, size, has_heading = list[tuple[int, object]](), 0, False
    name: object = None
    for line, payload in values:
        value, is_heading = _read_payload(payload)
        size += len(payload) if isinstance(payload, bytes) else 0
        named = value.get("id") if isinstance(value, dict) else name
        is_heading = is_heading or (isinstance(value, dict) and "record" in value)
        if entries and (is_heading or (named != name and not has_heading)):
            yield Part("record", entries)
            entries, size = [], 0
        if not entries:
            has_heading, name = is_heading, named
        entries.append((line, value))
        if size > MAX_GAME:
            entries[:] = [(entries[0][0], ExchangeError(_TOO_LONG))]
    if entries:
        yield Part("record", entries)


def _read_payload(payload: object) -> tuple[object, bool]:
    """Return the value or what is wrong with it, and whether it begins a record all the same."""
    is_heading = isinstance(payload, bytes) and bool(_HEADING.search(payload))
    try:
        return read_value(payload), is_heading
    except ValueError as error:
        return ExchangeError(str(error)), is_heading


def _find_format(value: object) -> str:
    """Return the format of a JSON value, or "" if it has none."""
    keys = value.keys() if isinstance(value, dict) else set[str]()
    if isinstance(value, dict) and value.get("file") == "history" and "phases" in keys:
        return "webDiplomacy"
    if {"record", "kind"} & keys or {"phase", "units"} <= keys:
        return "record"
    if "phases" not in keys:
        return ""
    return "diplomacy"
