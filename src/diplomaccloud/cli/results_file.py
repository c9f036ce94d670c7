"""The file in which an arena run saves its finished games, so that a killed run can resume.

The first line holds what all games have in common, and every other line is a game. If a record is
written, it is always ahead of this file: each line contains the length of the record after its
game.
"""

import gzip
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import BinaryIO, Self

from diplomaccloud.bots.standings import Tally, tally_from_json, tally_to_json
from diplomaccloud.judge.codec.reader import CodecError, Node

_FORMAT = "diplomaccloud arena"
_VERSION = 1


class ResultsFile:
    """The results and the record of a run of `games`, open for appending; either may be missing.

    `kept` holds the finished games. Raises `ValueError` if a file is not a results file, has games
    of another run, is in use by another process, or lacks its record.
    """

    def __init__(
        self, path: Path | None, record: Path | None, run: Mapping[str, object], games: int
    ) -> None:
        self._games = games
        self.kept: list[Tally] = []
        self._path, self._record_path = path, record
        self._file: BinaryIO | None = None
        self._record: BinaryIO | None = None
        self._length = 0
        heading = {"format": _FORMAT, "v": _VERSION, **run, "recorded": record is not None}
        self._heading = json.loads(json.dumps(heading))

    def __enter__(self) -> Self:
        path, record = self._path, self._record_path
        if path is not None and record is not None and path.resolve() == record.resolve():
            raise ValueError(f"{path} cannot hold both the results and the record")
        try:
            end = 0
            if path is not None:
                self._file = path.open("a+b")
                _require_alone(self._file, path)
                end = self._read_kept(path)
            if record is not None:
                self._record = self._open_record(record)
            if self._file is not None:
                self._file.truncate(end)
                if not end:
                    _write(self._file, self._heading)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        for file in (self._record, self._file):
            if file is not None:
                file.close()

    def add(self, tally: Tally, record: Sequence[str]) -> None:
        """Save a game."""
        if self._record is not None and self._record_path is not None:
            content = "".join(f"{line}\n" for line in record).encode()
            if self._record_path.suffix == ".gz":
                # Compress each game separately, so the file can be truncated between games.
                content = gzip.compress(content, mtime=0)
            self._record.write(content)
            self._record.flush()
            self._length += len(content)
        if self._file is not None:
            _write(self._file, tally_to_json(tally) | {"record": self._length})

    def _read_kept(self, path: Path) -> int:
        """Read the finished games, and return the position for the next one."""
        lines = path.read_bytes().splitlines(keepends=True)
        if not lines or (len(lines) == 1 and not lines[0].endswith(b"\n")):
            # The file is empty or has only an incomplete first line.
            begun = json.dumps(self._heading, separators=(",", ":")).encode()
            if lines and not begun.startswith(lines[0]):
                raise ValueError(f"{path} is not a file of results")
            return 0
        read_heading(path, lines[0], self._heading)
        end = len(lines[0])
        for number, line in enumerate(lines[1:], start=2):
            if not line.endswith(b"\n"):
                # The last line is incomplete because the run was killed.
                break
            tally, self._length = _read_line(path, number, line)
            self.kept.append(tally)
            end += len(line)
        if len(self.kept) > self._games:
            raise ValueError(f"{path} has more games than the {self._games} of this run")
        return end

    def _open_record(self, path: Path) -> BinaryIO:
        if not self.kept:
            return path.open("wb")
        if not path.exists() or path.stat().st_size < self._length:
            raise ValueError(f"{path} does not contain the games in {self._path}")
        file = path.open("r+b")
        file.seek(self._length)
        file.truncate()
        return file


def read_results(path: Path) -> tuple[str, list[Tally]]:
    """Return the first line of a results file, which identifies the run, and its games.

    Raises `ValueError` if it is not a results file.
    """
    content = path.read_bytes()
    lines = content.splitlines(keepends=True)
    if not lines:
        raise ValueError(f"{path} is not a file of results")
    read_heading(path, lines[0])
    games = [
        _read_line(path, number, line)[0]
        for number, line in enumerate(lines[1:], start=2)
        if line.endswith(b"\n")
    ]
    return lines[0].decode(), games


def read_heading(path: Path, line: bytes, wanted: Mapping[str, object] | None = None) -> None:
    """Raise `ValueError` unless `line` is the first line of a results file for the run `wanted`."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or found.get("format") != _FORMAT:
        raise ValueError(f"{path} is not a file of results")
    if found.get("v") != _VERSION:
        raise ValueError(f"{path} has results version {found.get('v')!r}, not {_VERSION}")
    for key, value in (wanted or {}).items():
        if found.get(key) != value:
            raise ValueError(
                f"{path} has games of another run: {key} is {_shorten(found.get(key))} there "
                f"and {_shorten(value)} here"
            )


def _write(file: BinaryIO, data: object) -> None:
    file.write(json.dumps(data, separators=(",", ":")).encode() + b"\n")
    file.flush()


def _require_alone(file: BinaryIO, path: Path) -> None:
    """Lock a file until it is closed; raise `ValueError` if another process has locked it."""
    try:
        import fcntl  # noqa: PLC0415 not on all systems
    except ImportError:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise ValueError(f"{path} is in use by another run") from None


def _shorten(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _read_line(path: Path, number: int, line: bytes) -> tuple[Tally, int]:
    try:
        data = json.loads(line)
        return tally_from_json(data), Node(data)["record"].integer(0, 2**62)
    except (CodecError, ValueError, RecursionError) as error:
        raise ValueError(f"{path}: line {number} is not a result: {error}") from error
