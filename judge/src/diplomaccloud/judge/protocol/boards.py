"""Loads the board that a request or a record names: the standard one, a file or an inline map."""

import json
from collections import OrderedDict
from pathlib import Path

from diplomaccloud.judge.board import Board
from diplomaccloud.judge.codec import CodecError, board_from_json
from diplomaccloud.judge.standard.europe import standard_board

MAX_FILE_SIZE = 8_000_000
"""The longest map file in bytes; longer ones are rejected unread."""

CACHE_SIZE = 8
"""How many boards are cached, so that a series of requests on one map reads it once."""


class BoardLoader:
    """Loads boards by name: `standard`, a chart file in a folder, or an inline map.

    Call it with the value of a request's `map`; it raises `ValueError` if that is not a map. Only
    files inside `folder` are opened (none if it is not set), and errors do not reveal which other
    files exist. Recent boards are cached; boards from files only until the file changes. Of a map
    with a drawing, only the board is read.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = None if folder is None else folder.resolve()
        self._cache: OrderedDict[str, Board] = OrderedDict()

    def __call__(self, name: object) -> Board:
        """Return the board for `name`."""
        if name == "standard":
            return standard_board()
        if isinstance(name, dict):
            text = json.dumps(name, sort_keys=True, separators=(",", ":"))
            return self._find_or_build(text, name)
        if not isinstance(name, str) or self._folder is None:
            raise _map_error("is neither 'standard' nor a chart")
        return self._load_file(self._folder, name)

    def _load_file(self, folder: Path, name: str) -> Board:
        try:
            path = (folder / name).resolve()
            if not path.is_relative_to(folder):
                raise _map_error(f"{name[:80]!r} is not in the folder of maps")
            stat = path.stat()
            if stat.st_size > MAX_FILE_SIZE:
                raise _map_error(f"{name[:80]!r} is longer than {MAX_FILE_SIZE} bytes")
            stamp = f"{name}\0{stat.st_mtime_ns}\0{stat.st_size}"
            if stamp not in self._cache and not path.is_file():
                raise _map_error(f"{name[:80]!r} is not a file")
            data = None if stamp in self._cache else json.loads(path.read_text(encoding="utf-8"))
        except OSError as error:
            problem = error.strerror or "it cannot be read"
            raise _map_error(f"no chart file {name[:80]!r} ({problem})") from error
        except (ValueError, RecursionError) as error:
            if isinstance(error, CodecError):
                raise
            raise _map_error(f"{name[:80]!r} is not JSON") from error
        return self._find_or_build(stamp, data)

    def _find_or_build(self, key: str, data: object) -> Board:
        if key not in self._cache:
            self._cache[key] = self._read_board(data)
            if len(self._cache) > CACHE_SIZE:
                self._cache.popitem(last=False)
        self._cache.move_to_end(key)
        return self._cache[key]

    def _read_board(self, data: object) -> Board:
        """Return the board in a JSON value; raise `CodecError` with the path of the fault."""
        if not isinstance(data, dict):
            raise _map_error("is not an object")
        return self.read_map(data) if "board" in data else board_from_json(data)

    def read_map(self, data: dict[str, object]) -> Board:
        """Return the board of a map with a drawing."""
        return board_from_json(data["board"])


def _map_error(message: str) -> CodecError:
    return CodecError(f"map: {message}")
