"""The judge's subcommands: `judge`, `convert`, `draw`, `replay` and `schema`."""

import argparse
import contextlib
import gzip
import json
import os
import sys
import traceback
import zlib
from collections import deque
from dataclasses import asdict
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast

from diplomaccloud.judge.version import tell_install

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Future
    from io import BufferedReader
    from typing import BinaryIO

    from diplomaccloud.judge.cli import Commands
    from diplomaccloud.judge.drawing.picture import Picture
    from diplomaccloud.judge.exchange.reading import SavedGame
    from diplomaccloud.judge.game import Game
    from diplomaccloud.judge.protocol import Boards


_T = TypeVar("_T")
_R = TypeVar("_R")

_MAX_POSITION = 8_000_000
"""The longest file with a position or orders, in bytes."""
_MAX_JOBS = 256
"""The most processes, because all are started at once."""


def add_judge(commands: "Commands") -> None:
    """Add the command."""
    judge = commands.add_parser(
        "judge", help="adjudicate positions: read and write one JSON object per line"
    )
    judge.add_argument("--explain", action="store_true", help="add an explanation to each result")
    judge.add_argument(
        "--maps", type=Path, metavar="DIR", help="a folder with map files that requests may name"
    )
    judge.set_defaults(run=_run_judge)


def _run_judge(options: argparse.Namespace) -> int:
    """Answer each line of standard input."""
    from diplomaccloud.judge.protocol import serve_lines  # noqa: PLC0415
    from diplomaccloud.judge.protocol.boards import BoardLoader  # noqa: PLC0415

    try:
        serve_lines(
            sys.stdin.buffer,
            sys.stdout.buffer,
            BoardLoader(options.maps),
            explain=options.explain,
            report=traceback.print_exception,
        )
    except BrokenPipeError:
        _ignore_output()
    return 0


def add_convert(commands: "Commands") -> None:
    """Add the command."""
    convert = commands.add_parser(
        "convert", help="convert games: records, plain text, saved games of the diplomacy package"
    )
    convert.add_argument(
        "file", help="games in any of these formats, or compressed as .gz; - is standard input"
    )
    convert.add_argument(
        "--to", required=True, choices=("text", "record", "diplomacy"), help="the format to write"
    )
    convert.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="output file (default: standard output)"
    )
    convert.add_argument(
        "--errors", type=Path, metavar="FILE", help="what is wrong, as one JSON object per line"
    )
    convert.add_argument(
        "--strict", action="store_true", help="stop at the first bad game, and write no output file"
    )
    convert.add_argument("--jobs", type=int, default=1, metavar="N", help="processes (default: 1)")
    convert.set_defaults(run=_run_convert)


def _run_convert(options: argparse.Namespace) -> int:
    """Write each good game once it is read, name the bad ones, and return 1 if there are any."""
    from diplomaccloud.judge.exchange.files import convert_part, split_games  # noqa: PLC0415

    if not 1 <= options.jobs <= _MAX_JOBS:
        raise ValueError(f"--jobs must be from 1 to {_MAX_JOBS}")
    if options.output and options.output == options.errors:
        raise ValueError("--output and --errors name the same file")
    parts = split_games(sys.stdin.buffer if options.file == "-" else options.file)
    done = _map_in_order(partial(convert_part, options.to), parts, options.jobs)
    games, bad, is_damaged = 0, 0, False
    with contextlib.ExitStack() as files:
        report = options.errors and files.enter_context(open_atomically(options.errors))
        files.enter_context(contextlib.suppress(_NoOutputError))
        output = sys.stdout.buffer
        if options.output:
            output = files.enter_context(open_atomically(options.output))
        try:
            for saved, text in chain.from_iterable(done):
                games, bad = games + 1, bad + (not text)
                _write(output, text)
                _name_errors(games, saved, report)
                if bad and options.strict:
                    raise _NoOutputError
        except ValueError as error:
            # The file cannot be read on, but its good games can be kept.
            if not games or options.strict:
                raise
            sys.stderr.write(f"diplomaccloud: after game {games}: {error}\n")
            is_damaged = True
        if not games:
            raise ValueError("there is no game in the file")
        if games == bad:
            raise _NoOutputError
    if bad:
        sys.stderr.write(f"diplomaccloud: not converted: {bad} of {games} games\n")
    return 1 if bad or is_damaged else 0


def _name_errors(number: int, saved: "SavedGame", report: "BinaryIO | None") -> None:
    """Write what is wrong with a game to `report` or, if there is none, to standard error."""
    for error in saved.errors:
        if report is None:
            sys.stderr.write(f"diplomaccloud: game {number}: {error}\n")
        else:
            about = {"number": number, "name": saved.name, **asdict(error)}
            report.write(json.dumps(about).encode() + b"\n")


class _NoOutputError(Exception):
    """There is nothing to write, so an output file keeps its content."""


def _write(output: "BinaryIO", text: str) -> None:
    """Write at once, for a program that reads it; exit without an error when it has ended."""
    try:
        output.write(text.encode())
        output.flush()
    except BrokenPipeError:
        _ignore_output()
        raise SystemExit(0) from None


def _ignore_output() -> None:
    """Keep Python from writing to a closed pipe at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _map_in_order(work: "Callable[[_T], _R]", items: "Iterable[_T]", jobs: int) -> "Iterator[_R]":
    """Yield the result of `work` for each of `items`, from several processes if there are `jobs`.

    Only a few items are read ahead. An error of `items` comes after the results before it.
    """
    if jobs == 1:
        yield from map(work, items)
        return
    from concurrent.futures import (  # noqa: PLC0415 most runs need one process
        BrokenExecutor,
        ProcessPoolExecutor,
    )

    with ProcessPoolExecutor(jobs) as pool:
        waiting: deque[Future[_R]] = deque()
        fault: ValueError | None = None
        try:
            try:
                for item in items:
                    waiting.append(pool.submit(work, item))
                    if len(waiting) > 4 * jobs:
                        yield waiting.popleft().result()
            except ValueError as error:
                fault = error
            while waiting:
                yield waiting.popleft().result()
        except BrokenExecutor as error:
            reason = "one of the processes has ended before its work was done"
            raise ChildProcessError(reason) from error
        if fault is not None:
            raise fault


def add_draw(commands: "Commands") -> None:
    """Add the command."""
    draw = commands.add_parser("draw", help="draw a position, or orders and their results")
    draw.add_argument(
        "position",
        help="a position as text, a request or a game as JSON, or a file with one of them; "
        "- is standard input",
    )
    draw.add_argument(
        "--orders", metavar="TEXT", help="orders such as 'FRANCE: A PAR - BUR', or a file with them"
    )
    draw.add_argument("--map", type=Path, metavar="FILE", help="a map file (default: Europe)")
    draw.add_argument("--rules", metavar="EDITION", default="2000", help="default: 2000")
    draw.add_argument("--width", type=int, default=900, help="in pixels (default: 900)")
    draw.add_argument("--labels", choices=("names", "codes", "none"), help="default: what fits")
    draw.add_argument("--dark", action="store_true", help="colors for the night")
    draw.add_argument("--patterns", action="store_true", help="a pattern over each country")
    draw.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="an .svg or .png file (default: SVG)"
    )
    draw.set_defaults(run=_run_draw)


def _run_draw(options: argparse.Namespace) -> int:
    """Draw the position; with orders, also their results."""
    picture = _draw(options)
    if options.output is None:
        sys.stdout.write(f"{picture}\n")
    else:
        write_atomically(options.output, picture.to_bytes(options.output.suffix))
    return 0


def _draw(options: argparse.Namespace) -> "Picture":
    from diplomaccloud.judge.notation.sheets import parse_sheets  # noqa: PLC0415

    style = {name: getattr(options, name) for name in ("width", "labels", "dark", "patterns")}
    game = _make_game(_read_argument(options.position), options)
    if options.orders is not None:
        text = _read_argument(options.orders)
        for power, sheet in parse_sheets(text, game.board, game.position, rules=game.rules).items():
            for error in sheet.errors:
                raise ValueError(f"orders: {power}: line {error.line}: {error.message}")
            game.order(power, sheet.orders)
        if not game.orders:
            raise ValueError("orders: expected the name of a power, a colon and its orders")
    return game.adjudicate().picture(**style) if game.orders else game.picture(**style)


def _make_game(text: str, options: argparse.Namespace) -> "Game":
    """Return a game at the position in `text`, with the orders of a request."""
    from diplomaccloud.judge.game import Game, read_map  # noqa: PLC0415
    from diplomaccloud.judge.protocol.boards import BoardLoader  # noqa: PLC0415
    from diplomaccloud.judge.protocol.requests import read_request  # noqa: PLC0415

    world = None if options.map is None else read_map(_read_start(options.map))
    if not text.lstrip().startswith("{"):
        return Game(world, options.rules, position=text)
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"the position is not JSON: {error}") from error
    if "record" in data:
        return Game.from_json(data, world)
    boards = BoardLoader() if world is None else lambda _: world.board
    request = read_request(data, boards)
    game = Game(world or request.board, request.rules, position=request.position, seed=request.seed)
    for power, texts in request.texts.items():
        game.order(power, texts)
    return game


def _read_argument(text: str) -> str:
    """Return the content of the file that `text` names, or `text` if it names none."""
    if text == "-":
        content = sys.stdin.buffer.read(_MAX_POSITION + 1)
    else:
        try:
            content = _read_start(text)
        except (OSError, ValueError):
            if text.endswith((".txt", ".json")):
                raise
            return text
    if len(content) > _MAX_POSITION:
        raise ValueError(f"{text[:80]} is longer than {_MAX_POSITION} bytes")
    try:
        # Editors on Windows write a byte-order mark.
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"{text[:80]} is not UTF-8 text") from error


def _read_start(name: str | Path) -> bytes:
    """Return the content of a file, or one byte more than is allowed; a device may have no end."""
    with open(name, "rb") as file:  # noqa: PTH123 a path cannot have every text
        return file.read(_MAX_POSITION + 1)


def add_schema(commands: "Commands") -> None:
    """Add the command."""
    schema = commands.add_parser("schema", help="print the JSON Schema of a format, or list them")
    schema.add_argument(
        "name", nargs="?", help="a format, e.g. position (default: list all formats)"
    )
    schema.set_defaults(run=_run_schema)


def _run_schema(options: argparse.Namespace) -> int:
    """Print the schema, or the names of all formats."""
    from diplomaccloud.judge.schemas import list_schemas, read_schema  # noqa: PLC0415

    if options.name is None:
        sys.stdout.write("".join(f"{name}\n" for name in list_schemas()))
    else:
        sys.stdout.write(read_schema(options.name))
    return 0


def add_replay(commands: "Commands") -> None:
    """Add the command."""
    replay = add_replay_parser(commands, "adjudicate the record of a game again, and compare")
    replay.set_defaults(run=_run_replay)


def add_replay_parser(commands: "Commands", about: str) -> argparse.ArgumentParser:
    """Return a parser of `replay` with the arguments for records of version 1."""
    replay = commands.add_parser("replay", help=about)
    replay.add_argument(
        "file", help="JSON or JSON lines, or compressed as .gz; - is standard input"
    )
    replay.add_argument(
        "--maps",
        type=Path,
        metavar="DIR",
        help="a folder with map files that a version 1 record may name",
    )
    return replay


def _run_replay(options: argparse.Namespace) -> int:
    """Print the differences of the record; return 1 if there are any."""
    from diplomaccloud.judge.protocol.boards import BoardLoader  # noqa: PLC0415

    with open_record(options.file) as source:
        opening = source.peek(1)
        if b'"hash":"' in opening and b'"prev":"' in opening:
            raise ValueError(
                "this is a record of version 2, with hashes and signatures; to check them, "
                f"in a checkout: {tell_install('record')}"
            )
        return replay_plain(source, BoardLoader(options.maps))


@contextlib.contextmanager
def open_record(name: str) -> "Iterator[BufferedReader]":
    """Open a file, a compressed file or standard input; raise `ValueError` if it is damaged."""
    if name == "-":
        yield cast("BufferedReader", sys.stdin.buffer)
        return
    opener = gzip.open if name.endswith(".gz") else open
    try:
        with opener(name, "rb") as file:
            yield cast("BufferedReader", file)
    except (EOFError, zlib.error) as error:
        raise ValueError(f"{name} is damaged: {error}") from error


def replay_plain(source: "BinaryIO", boards: "Boards") -> int:
    """Adjudicate a record of version 1 again, print what differs, and return the exit status."""
    from diplomaccloud.judge.protocol import read_record, replay  # noqa: PLC0415

    replayed = replay(read_record(source), boards)
    if not replayed.games:
        raise ValueError("there is no record in the file")
    for difference in replayed.differences:
        sys.stdout.write(f"{difference}\n")
    print_totals(replayed.games, replayed.phases, len(replayed.differences))
    return 1 if replayed.differences else 0


def print_totals(games: int, phases: int, differences: int) -> None:
    """Print what a replay has compared."""
    sys.stdout.write(f"{games} games, {phases} phases adjudicated, {differences} differences\n")


def write_atomically(path: Path, content: bytes) -> None:
    """Write the file at `path`, leaving it unchanged after an error or an interruption."""
    with open_atomically(path) as file:
        file.write(content)


@contextlib.contextmanager
def open_atomically(path: Path) -> "Iterator[BinaryIO]":
    """Open a file that replaces the one at `path` at the end, unless there is an error."""
    target = path.resolve()
    if target.exists() and not target.is_file():
        # A device or a pipe cannot be replaced, so it is written directly.
        with target.open("wb") as file:
            yield file
        return
    part = target.with_name(f".{os.getpid()}-{zlib.crc32(os.fsencode(target.name)):08x}.part")
    try:
        with part.open("wb") as file:
            yield file
        part.replace(target)
    except OSError as error:
        if error.strerror is None or error.filename not in {None, str(part)}:
            # Another file is at fault, or none: what is written is read from it.
            raise
        # It names the part, which nobody asked for.
        raise OSError(error.errno, error.strerror, str(path)) from error
    finally:
        part.unlink(missing_ok=True)
