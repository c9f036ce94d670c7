"""The command `diplomaccloud`: play, judge, replay, arena, map, manage."""

import argparse
import contextlib
import gzip
import os
import sys
import traceback
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

from diplomaccloud import __version__

if TYPE_CHECKING:
    from diplomaccloud.atlas.chart import Chart


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status."""
    options = _parser().parse_args(arguments)
    try:
        return int(options.run(options))
    except (ValueError, OSError) as problem:
        sys.stderr.write(f"diplomaccloud: {problem}\n")
        return 2
    except KeyboardInterrupt:
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="diplomaccloud", description="Play Diplomacy.")
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    play = commands.add_parser("play", help="serve the site on this machine, demo games included")
    play.add_argument("--host", default="127.0.0.1", help="address to listen on")
    play.add_argument("--port", type=_port, default=8000, help="port to listen on")
    play.add_argument("--data", type=Path, default=Path("data"), help="where everything is kept")
    play.add_argument("--reset", action="store_true", help="move old data aside and start afresh")
    play.set_defaults(run=_play)

    judge = commands.add_parser(
        "judge", help="judge positions: one JSON object a line in, one a line out"
    )
    judge.add_argument("--explain", action="store_true", help="add a tree of causes to each result")
    judge.set_defaults(run=_judge)

    replay = commands.add_parser("replay", help="adjudicate the record of a game again")
    replay.add_argument("file", help="JSON, JSON lines or either in .gz; - is standard input")
    replay.set_defaults(run=_replay)

    arena = commands.add_parser("arena", help="let bots play and print how they fared")
    arena.add_argument("--map", default="standard", help="standard, FILE.json or seed:TEXT")
    arena.add_argument("--players", type=int, default=7, help="powers on a map made from a seed")
    arena.add_argument("--bots", default="greedy", help="names with commas, dealt out in turn")
    arena.add_argument("--games", type=_positive, default=20)
    arena.add_argument("--until", type=_positive, default=1925, help="last year of a game")
    arena.add_argument("--seed", default="1", help="text; the same seed plays the same games")
    arena.set_defaults(run=_arena)

    maps = commands.add_parser("map", help="make maps").add_subparsers(required=True)
    make = maps.add_parser("make", help="make a map from a seed")
    make.add_argument("--seed", required=True, help="any text")
    make.add_argument("--players", type=int, default=7, help="2 to 10")
    make.add_argument("-o", "--output", type=Path, required=True, help="FILE.svg, .png or .json")
    make.set_defaults(run=_map_make)

    manage = commands.add_parser("manage", help="Django's own commands", add_help=False)
    manage.add_argument("arguments", nargs=argparse.REMAINDER)
    manage.set_defaults(run=_manage)
    return parser


def _port(text: str) -> int:
    number = int(text)
    if not 0 < number < 65536:
        raise argparse.ArgumentTypeError(f"{text} is not a port (1 to 65535)")
    return number


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not above 0")
    return number


# Each command imports what it needs: judging a file must not wait for a web framework.


def _play(options: argparse.Namespace) -> int:
    from diplomaccloud.project.play import play  # noqa: PLC0415

    return play(
        host=options.host, port=options.port, data=options.data.resolve(), reset=options.reset
    )


def _judge(options: argparse.Namespace) -> int:
    from diplomaccloud.atlas.boards import BoardShelf  # noqa: PLC0415
    from diplomaccloud.judge.protocol import serve_lines  # noqa: PLC0415

    try:
        serve_lines(
            sys.stdin.buffer,
            sys.stdout.buffer,
            BoardShelf(),
            explain=options.explain,
            report=traceback.print_exception,
        )
    except BrokenPipeError:
        # Whoever read the answers has gone; nothing is left to be written at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _replay(options: argparse.Namespace) -> int:
    from diplomaccloud.atlas.boards import BoardShelf  # noqa: PLC0415
    from diplomaccloud.judge.protocol import read_record, replay  # noqa: PLC0415

    with contextlib.ExitStack() as opened:
        source: BinaryIO = sys.stdin.buffer
        if options.file != "-":
            path = Path(options.file)
            opener = gzip.open if path.suffix == ".gz" else open
            source = cast("BinaryIO", opened.enter_context(opener(path, "rb")))
        try:
            found = replay(read_record(source), BoardShelf())
        except (EOFError, zlib.error) as problem:
            raise ValueError(f"{options.file} is damaged: {problem}") from problem
    for difference in found.differences:
        sys.stdout.write(f"{difference}\n")
    agreed = "no difference" if not found.differences else f"{len(found.differences)} differ"
    sys.stdout.write(f"{found.games} games, {found.phases} phases judged: {agreed}\n")
    return 1 if found.differences else 0


def _arena(options: argparse.Namespace) -> int:
    from diplomaccloud.bots import BOTS  # noqa: PLC0415
    from diplomaccloud.bots.arena import play_games, report  # noqa: PLC0415

    names = options.bots.split(",")
    if unknown := [name for name in names if name not in BOTS]:
        raise ValueError(f"no bot is called {unknown[0]!r} (there are: {', '.join(BOTS)})")
    board = _chart(options.map, options.players).board
    bots = [BOTS[name] for name in names]
    played = []
    for game in play_games(
        board, bots, games=options.games, until=options.until, seed=options.seed
    ):
        played.append(game)
        _progress(f"{len(played)} of {options.games} games")
    _progress("")
    sys.stdout.write(report(board, played) + "\n")
    return 0


def _map_make(options: argparse.Namespace) -> int:
    from diplomaccloud.atlas.chartfile import dump_chart  # noqa: PLC0415
    from diplomaccloud.atlas.render import render_map, render_png  # noqa: PLC0415

    suffix = options.output.suffix
    if suffix not in (".svg", ".png", ".json"):
        raise ValueError(f"cannot write {suffix or 'a file without ending'}: use .svg, .png, .json")
    chart = _chart(f"seed:{options.seed}", options.players)
    if suffix == ".json":
        options.output.write_text(dump_chart(chart), encoding="utf-8")
    elif suffix == ".svg":
        options.output.write_text(render_map(chart), encoding="utf-8")
    else:
        options.output.write_bytes(render_png(render_map(chart), 1600))
    return 0


def _chart(name: str, players: int) -> "Chart":
    from diplomaccloud.atlas.chartfile import load_chart  # noqa: PLC0415
    from diplomaccloud.atlas.standard import standard_chart  # noqa: PLC0415

    if name == "standard":
        return standard_chart()
    if name.startswith("seed:"):
        from diplomaccloud.atlas.generator import make_chart  # noqa: PLC0415

        return make_chart(name.removeprefix("seed:"), players)
    if name.endswith(".json"):
        return load_chart(Path(name).read_text(encoding="utf-8"))
    raise ValueError(f"no map is called {name!r} (write standard, FILE.json or seed:TEXT)")


def _progress(text: str) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{text}")


def _manage(options: argparse.Namespace) -> int:
    from django.core.management import execute_from_command_line  # noqa: PLC0415

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "diplomaccloud.project.settings")
    execute_from_command_line(["diplomaccloud manage", *options.arguments])
    return 0
