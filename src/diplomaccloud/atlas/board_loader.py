"""Finds the board that a name, a file or an inline map stands for."""

import json
from collections import OrderedDict
from pathlib import Path

from diplomaccloud.atlas.chartfile import MOST_TEXT, ChartError, chart_from_json
from diplomaccloud.atlas.validation import Fault
from diplomaccloud.judge.board import Board
from diplomaccloud.judge.codec.boards import board_from_json
from diplomaccloud.judge.standard.europe import standard_board

MOST_PROVINCES = 2_000
"""Boards larger than this are refused: the judge is made for up to 512 provinces."""

KEPT = 8
"""How many boards are kept, so that a stream of requests on one map reads it once."""


def board_from_data(data: object) -> Board:
    """Return the board of a chart, or the board itself, that the JSON value `data` describes.

    Raises `ValueError` naming the place at fault.
    """
    if not isinstance(data, dict):
        raise _refusal("is not an object")
    inner = data.get("board") if "board" in data else data
    provinces = inner.get("provinces") if isinstance(inner, dict) else None
    if isinstance(provinces, list) and len(provinces) > MOST_PROVINCES:
        raise _refusal(f"has more than {MOST_PROVINCES} provinces")
    return chart_from_json(data).board if "board" in data else board_from_json(data)


class BoardShelf:
    """Boards by what stands for them: `standard`, a chart file's path, or an inline map.

    Called with the value of a request's `map`; raises `ValueError` if it stands for none.
    The boards used last are kept, a file's for as long as it is not changed.
    """

    def __init__(self, *, files: bool = True) -> None:
        self._files = files
        self._kept: OrderedDict[str, Board] = OrderedDict()

    def __call__(self, name: object) -> Board:
        """Return the board that `name` stands for."""
        if name == "standard":
            return standard_board()
        if isinstance(name, dict):
            text = json.dumps(name, sort_keys=True, separators=(",", ":"))
            return self._find(text, name)
        if not isinstance(name, str) or not self._files:
            raise _refusal("is neither 'standard' nor a chart")
        return self._of_file(name)

    def _of_file(self, name: str) -> Board:
        try:
            path = Path(name)
            stat = path.stat()
            if stat.st_size > MOST_TEXT:
                raise _refusal(f"{name[:80]!r} is longer than {MOST_TEXT} bytes")
            stamp = f"{name}\0{stat.st_mtime_ns}\0{stat.st_size}"
            if stamp not in self._kept and not path.is_file():
                raise _refusal(f"{name[:80]!r} is not a file")
            data = None if stamp in self._kept else json.loads(path.read_text(encoding="utf-8"))
        except OSError as error:
            problem = error.strerror or "it cannot be read"
            raise _refusal(f"no chart file {name[:80]!r} ({problem})") from error
        except (ValueError, RecursionError) as error:
            if isinstance(error, ChartError):
                raise
            raise _refusal(f"{name[:80]!r} is not JSON") from error
        return self._find(stamp, data)

    def _find(self, key: str, data: object) -> Board:
        if key not in self._kept:
            self._kept[key] = board_from_data(data)
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return self._kept[key]


def _refusal(message: str) -> ChartError:
    return ChartError([Fault("map", message)])
