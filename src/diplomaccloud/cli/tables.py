"""The tables of an arena run: their maps and tasks, the processes, and the file of results."""

import argparse
import gzip
import json
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from typing import BinaryIO, Self, TypeVar

from diplomaccloud.bots import find_bot
from diplomaccloud.bots.arena import (
    BATCH_SIZE,
    Fixture,
    find_lockstep,
    play_fixtures,
    play_game,
    require_others,
    round_games,
    seat_games,
)
from diplomaccloud.bots.standings import Tally, read_tally, tally_from_json, tally_to_json
from diplomaccloud.bots.talks.press_table import PressTable, seat_diplomats
from diplomaccloud.cli.common import find_map, show_progress
from diplomaccloud.judge.board import Board
from diplomaccloud.judge.codec import CodecError, Node
from diplomaccloud.judge.rules import DEFAULT
from diplomaccloud.record.arena import Played, dump_arena_game

_find_bot = cache(find_bot)
_Task = TypeVar("_Task")
_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class TextTable:
    """A map of the run, with the name from the command line and the number of games on it."""

    name: str
    board: Board
    games: int


@dataclass(frozen=True, slots=True)
class Task:
    """Games that one process plays; `names` are the names of their records, if they are recorded.

    Bots are sent to the process by name, for all powers of each game, with the game's seed. With
    `press`, they negotiate.
    """

    map: str
    board: Board
    until: int
    fixtures: tuple[tuple[tuple[str, ...], str], ...]
    names: tuple[str, ...] = ()
    press: bool = False


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """The result of a game, and the lines of its record if the game was recorded."""

    tally: Tally
    record: tuple[str, ...] = ()


def require_bots(names: Sequence[str], *, one_of: bool) -> None:
    """Raise `ValueError` if a bot does not exist, or if `one_of` has only one bot."""
    bots = [_find_bot(name).name for name in names]
    if one_of:
        require_others(bots)


def lay_tables(options: argparse.Namespace) -> list[TextTable]:
    """Return the tables of a run.

    Raises `ValueError` if a map is given twice, or the number of powers or the year does not fit.
    """
    names = [name for text in options.map or ["standard"] for name in text.split(",")]
    bots = [_find_bot(name).name for name in options.bots.split(",")]
    tables = []
    for number, name in enumerate(names, start=1):
        show_progress(f"map {number} of {len(names)}")
        if names.count(name) > 1:
            raise ValueError(f"--map: {name!r} is given twice")
        board = _find_board(name, options)
        tables.append(
            TextTable(name, board, round_games(board, bots, options.games, one_of=options.one_of))
        )
    return tables


def _find_board(name: str, options: argparse.Namespace) -> Board:
    players = 7 if options.players is None else options.players
    try:
        board = find_map(name, players).board
    except CodecError as error:
        raise ValueError(f"{name}: {error}") from error
    powers, first = len(board.powers), board.first_year
    if options.players not in {None, powers}:
        raise ValueError(
            f"--players {players}: the map {name!r} has {powers} powers "
            "(--players applies only to maps made from a seed, for example seed:atlantis)"
        )
    if options.until < first:
        raise ValueError(f"--until {options.until}: the first year of a game is {first}")
    return board


def make_tasks(
    tables: Sequence[TextTable],
    names: Sequence[str],
    one_of: bool,
    until: int,
    seed: str,
    *,
    recorded: bool,
    first: int,
    press: bool = False,
) -> Iterator[Task]:
    """Yield the tasks of a run in order, skipping its first games."""
    bots = [_find_bot(name) for name in names]
    number = 0
    for table in tables:
        skipped = min(table.games, max(0, first - number))
        seated = seat_games(table.board, [bot.name for bot in bots], seed, one_of=one_of)
        fixtures = islice(seated, skipped, table.games)
        together = not (recorded or press) and find_lockstep(bots) is not None
        at = number + skipped
        while chosen := tuple(islice(fixtures, BATCH_SIZE if together else 1)):
            seats = tuple((tuple(fixture.bots.values()), fixture.seed) for fixture in chosen)
            wanted = (f"arena {seed}/{at}",) if recorded else ()
            yield Task(table.name, table.board, until, seats, wanted, press)
            at += len(chosen)
        number += table.games


def play_tasks(tasks: Iterator[Task], processes: int | None) -> Iterator[PlayedGame]:
    """Play all tasks in several processes, and yield the games in order.

    Raises `ValueError` if a process ended before its games.
    """
    for games in run_in_processes(_play_task, tasks, processes):
        yield from games


def run_in_processes(
    function: Callable[[_Task], _Result], tasks: Iterable[_Task], processes: int | None
) -> Iterator[_Result]:
    """Yield what `function` returns for each task, in order, from several processes.

    Raises `ValueError` if a process ended early.
    """
    waiting = list(tasks)
    wanted = min(processes or count_cores(), len(waiting))
    if wanted <= 1:
        yield from map(function, waiting)
        return
    # Spawn processes on every system: a forked process could hold locks of its parent.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(wanted, context, initializer=_follow_parent)
    try:
        yield from pool.map(function, waiting)
    except BrokenProcessPool as error:
        raise ValueError("a game process was killed, perhaps because memory ran out") from error
    finally:
        # After an interruption, don't wait for unfinished games.
        for process in multiprocessing.active_children():
            process.terminate()
        pool.shutdown(cancel_futures=True)


def count_cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _follow_parent() -> None:
    """Make this game process end when its parent ends, for any reason."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()

    def wait() -> None:
        if parent is not None:
            parent.join()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def _play_task(task: Task) -> list[PlayedGame]:
    powers = list(task.board.power_info)
    fixtures = [
        Fixture(dict(zip(powers, names, strict=True)), seed) for names, seed in task.fixtures
    ]
    if not (task.names or task.press):
        games = play_fixtures(task.board, fixtures, _find_bot, until=task.until)
        return [PlayedGame(read_tally(game, task.map)) for game in games]
    names = task.names or ("",) * len(fixtures)
    return [_play_alone(task, *each) for each in zip(fixtures, names, strict=True)]


def _play_alone(task: Task, fixture: Fixture, name: str) -> PlayedGame:
    """Play a game in which bots negotiate, or that is recorded under this name."""
    phases: list[Played] = []
    bots = {power: _find_bot(name) for power, name in fixture.bots.items()}
    diplomats = seat_diplomats(bots) if task.press else {}
    game = play_game(
        task.board,
        bots,
        seed=fixture.seed,
        until=task.until,
        watch=phases.append if name else None,
        table=PressTable(task.board, diplomats) if task.press else None,
    )
    if not name:
        return PlayedGame(read_tally(game, task.map))
    lines = dump_arena_game(
        task.board,
        DEFAULT,
        phases,
        name=name,
        seed=fixture.seed,
        bots=game.bots,
        until=task.until,
        talkers=diplomats,
    )
    return PlayedGame(read_tally(game, task.map), tuple(lines))


# The file in which an arena run saves its finished games, so that a killed run can resume.
#
# The first line holds what all games have in common, and every other line is a game. If a record is
# written, it is always ahead of this file: each line contains the length of the record after its
# game.


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
        heading = json.loads(line)
    except (ValueError, RecursionError):
        heading = None
    if not isinstance(heading, dict) or heading.get("format") != _FORMAT:
        raise ValueError(f"{path} is not a file of results")
    if heading.get("v") != _VERSION:
        raise ValueError(f"{path} has results version {heading.get('v')!r}, not {_VERSION}")
    for key, value in (wanted or {}).items():
        if heading.get(key) != value:
            raise ValueError(
                f"{path} has games of another run: {key} is {_shorten(heading.get(key))} there "
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
