"""Games in the formats of other programs: `read_games` and `write_games`; see `docs/exchange.md`.

This package is private; its public interface is the command `diplomaccloud convert`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping

from diplomaccloud.judge.exchange.plain_text import read_text_games, write_text_game
from diplomaccloud.judge.exchange.records import read_record_games, write_record_game
from diplomaccloud.judge.exchange.saved_games import read_saved_game, write_saved_game
from diplomaccloud.judge.exchange.steps import ExchangeError
from diplomaccloud.judge.exchange.webdiplomacy_history import is_history, read_history
from diplomaccloud.judge.game import Game
from diplomaccloud.judge.protocol.answers import read_json

__all__ = ["FORMATS", "MAX_SIZE", "ExchangeError", "read_games", "write_games"]

MAX_SIZE = 256 * 1024 * 1024
"""The size in bytes of the largest file that is read."""

Writer = Callable[[Game, str], Iterable[str]]

FORMATS: Mapping[str, Writer] = {
    "text": write_text_game,
    "record": write_record_game,
    "diplomacy": write_saved_game,
}
"""The functions that write the lines of a game, by format."""


def read_games(content: bytes) -> Iterator[tuple[str, Game]]:
    """Yield each game in `content` with its name, whatever the format.

    Formats are detected by content: JSON with `record` or `kind` is a record. JSON with `phases` is
    a webDiplomacy history if it says so in `file`, and otherwise a saved game of the package
    `diplomacy`. Anything else is plain text. Raises `ExchangeError`.
    """
    if len(content) > MAX_SIZE:
        raise ExchangeError(f"the file is longer than {MAX_SIZE} bytes")
    if not content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"{", b"[{")):
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = content.count(b"\n", 0, error.start) + 1
            raise ExchangeError(f"line {line} is not UTF-8") from error
        yield from read_text_games(text)
        return
    values = list(_read_values(content))
    first = values[0][1]
    if is_history(first):
        for place, value in values:
            yield read_history(value, place)
        return
    if isinstance(first, dict) and not {"record", "kind"} & first.keys() and "phases" in first:
        for place, value in values:
            yield read_saved_game(value, place)
        return
    yield from read_record_games(values)


def write_games(games: Iterable[tuple[str, Game]], name: str) -> Iterator[str]:
    """Yield the lines of `games` in the format `name`.

    Raises `ExchangeError` for a game that the format cannot hold.
    """
    if name not in FORMATS:
        raise ExchangeError(f"there is no format {name[:20]!r} (choose from: {', '.join(FORMATS)})")
    for title, game in games:
        yield from FORMATS[name](game, title)


def _read_values(content: bytes) -> Iterator[tuple[str, object]]:
    """Yield the JSON values of a file with their lines: one value in all, or one on each line."""
    try:
        whole = read_json(content)
    except ValueError as error:
        if b"\n" not in content.strip():
            raise ExchangeError(f"line 1: {error}") from error
    else:
        members = whole if isinstance(whole, list) else [whole]
        for number, member in enumerate(members):
            yield (f"[{number}]" if isinstance(whole, list) else ""), member
        return
    for number, line in enumerate(content.splitlines(), start=1):
        if line.strip():
            try:
                yield f"line {number}", read_json(line)
            except ValueError as error:
                raise ExchangeError(f"line {number}: {error}") from error
