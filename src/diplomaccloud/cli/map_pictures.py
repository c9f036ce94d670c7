"""`diplomaccloud map draw`, and the files that the commands of `map` write."""

import argparse
import json
import os
import sys
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

from diplomaccloud.cli.common import show_progress_during
from diplomaccloud.judge.cli.commands import write_atomically

if TYPE_CHECKING:
    from diplomaccloud.judge.cli import Commands
    from diplomaccloud.judge.drawing.chart import Chart
    from diplomaccloud.judge.game import Game
    from diplomaccloud.judge.position import Position
    from diplomaccloud.judge.results import Resolution

_PICTURES: Final = (".svg", ".png", ".pdf")
_FILES: Final = (*_PICTURES, ".json")
_STYLES: Final = ("parchment", "modern", "engraving", "high-contrast", "ink")
_AT_NIGHT: Final = ("parchment", "modern")
"""The styles that have other colors for the night."""
_MIN_WIDTH: Final = 100
_WIDTH: Final = 1600
_MAX_WIDTH: Final = 6400
"""The widest PNG in pixels, as on the site."""


def add_picture_options(command: argparse.ArgumentParser, *, map_file: bool = True) -> None:
    """Add the output file and the options that say how a picture looks.

    If `map_file`, the output can be a map file too.
    """
    endings = list_endings(map_file=map_file)
    command.add_argument("-o", "--output", type=Path, required=True, help=f"FILE{endings}")
    command.add_argument(
        "--width",
        type=_parse_width,
        metavar="PIXELS",
        help=f"of a PNG, {_MIN_WIDTH} to {_MAX_WIDTH} (default: {_WIDTH})",
    )
    command.add_argument(
        "--sheet",
        metavar="NAME",
        help="of a PDF: turn or slips for orders, or poster-a3, -a2, -a1, tiles-a3, -a2, -a1"
        " (default: turn for a game, poster-a3 for a map)",
    )
    command.add_argument(
        "--style", choices=_STYLES, default=_STYLES[0], help=f"default: {_STYLES[0]}"
    )
    command.add_argument(
        "--night", action="store_true", help=f"dark colors, for {' and '.join(_AT_NIGHT)}"
    )
    amount = command.add_mutually_exclusive_group()
    amount.add_argument(
        "--decoration",
        action="store_const",
        const="full",
        default="auto",
        help="draw a title, a compass, a scale and country names on a map without a title, too",
    )
    amount.add_argument(
        "--plain",
        action="store_const",
        const="plain",
        dest="decoration",
        help="draw none of these (default: only on a map that has a title)",
    )


def list_endings(*, map_file: bool) -> str:
    """Return the endings of the files that can be written, for a sentence."""
    *most, last = _FILES if map_file else _PICTURES
    return f"{', '.join(most)} or {last}"


def _parse_width(text: str) -> int:
    try:
        width = int(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text[:20]!r} is not a number of pixels") from error
    if not _MIN_WIDTH <= width <= _MAX_WIDTH:
        raise argparse.ArgumentTypeError(f"{width} is not between {_MIN_WIDTH} and {_MAX_WIDTH}")
    return width


def check_output(options: argparse.Namespace, *, map_file: bool = True) -> None:
    """Raise `ValueError` before a map is made if it cannot be written as the options say."""
    output: Path = options.output
    ending, endings = output.suffix, list_endings(map_file=map_file)
    if ending not in (_FILES if map_file else _PICTURES):
        raise ValueError(f"cannot write {ending or 'a file without extension'}: use {endings}")
    if options.width is not None and ending != ".png":
        raise ValueError(f"--width is for .png files, not {ending}")
    if options.night and options.style not in _AT_NIGHT:
        raise ValueError(f"--night is for {' and '.join(_AT_NIGHT)}, not {options.style}")
    if options.sheet is not None:
        _require_sheet(options.sheet, ending)
    if not output.parent.is_dir():
        raise ValueError(f"there is no folder {str(output.parent)!r}")
    if output.is_dir():
        raise ValueError(f"{str(output)!r} is a folder")
    # The new file is first written next to an existing one and then replaces it.
    if not os.access(output.parent, os.W_OK | os.X_OK):
        raise ValueError(f"the folder {str(output.parent.resolve())!r} is not writable")
    if output.exists() and not os.access(output, os.W_OK):
        raise ValueError(f"{str(output)!r} is not writable")


def _require_sheet(name: str, ending: str) -> None:
    from diplomaccloud.atlas.printing.sheets import Sheet  # noqa: PLC0415

    if ending != ".pdf":
        raise ValueError(f"--sheet is for .pdf files, not {ending}")
    if name not in set(Sheet):
        raise ValueError(f"there is no sheet {name[:20]!r} (choose from: {', '.join(Sheet)})")


@dataclass(frozen=True, slots=True)
class Shown:
    """What a picture shows: a position, and with `resolution`, how its orders ended.

    `sheet` is what to print of it unless the options say.
    """

    chart: "Chart"
    position: "Position"
    resolution: "Resolution | None" = None
    sheet: str = "poster-a3"


def write_map(chart: "Chart", options: argparse.Namespace) -> None:
    """Write `chart` as a map file, or as a picture of the starting position."""
    from diplomaccloud.atlas.chartfile import dump_chart  # noqa: PLC0415
    from diplomaccloud.judge.position import starting_position  # noqa: PLC0415

    if options.output.suffix == ".json":
        write_atomically(options.output, dump_chart(chart).encode())
    else:
        _write_picture(Shown(chart, starting_position(chart.board)), options)


def _write_picture(shown: Shown, options: argparse.Namespace) -> None:
    from diplomaccloud.atlas.printing.pdf import (  # noqa: PLC0415
        draw_content,
        render_large_png,
        render_sheet,
    )
    from diplomaccloud.atlas.printing.sheets import Content, Sheet  # noqa: PLC0415
    from diplomaccloud.judge.drawing.decoration import Decoration  # noqa: PLC0415

    style = f"{options.style}-night" if options.night else options.style
    content = Content(
        shown.chart,
        shown.position,
        shown.resolution,
        style=style,
        decoration=Decoration(options.decoration),
    )
    match options.output.suffix:
        case ".svg":
            written = draw_content(content).encode()
        case ".png":
            written = render_large_png(content, options.width or _WIDTH)
        case _:
            (written,) = render_sheet(Sheet(options.sheet or shown.sheet), content)
    write_atomically(options.output, written)


def add_draw(commands: "Commands") -> None:
    """Add the command."""
    draw = commands.add_parser("draw", help="draw a map file, or a turn of a saved game")
    draw.add_argument(
        "file", help="a map file, or a game in any format that `convert` reads, also as .gz"
    )
    draw.add_argument(
        "--phase", metavar="NAME", help="of a game, e.g. F1903M (default: its newest results)"
    )
    draw.add_argument("--map", metavar="FILE", help="the map file of a game (default: Europe)")
    add_picture_options(draw, map_file=False)
    draw.set_defaults(run=_run_draw)


def _run_draw(options: argparse.Namespace) -> int:
    """Draw the file."""
    check_output(options, map_file=False)
    shown = _read_shown(options)
    with show_progress_during("drawing"):
        _write_picture(shown, options)
    return 0


def _read_shown(options: argparse.Namespace) -> Shown:
    """Return what the options ask for; raise `OSError` or `ValueError`."""
    from diplomaccloud.judge.drawing.picture import find_chart  # noqa: PLC0415
    from diplomaccloud.judge.position import starting_position  # noqa: PLC0415

    chart = _find_map(options.file)
    if chart is not None:
        for name in ("phase", "map"):
            if getattr(options, name) is not None:
                raise ValueError(f"--{name} is for games, and {options.file!r} is a map file")
        return Shown(chart, starting_position(chart.board))
    game = _read_game(options.file)
    chart = find_chart(game.board)
    if options.map is not None:
        chart = _require_map(options.map)
        if chart.board != game.board:
            raise ValueError(f"the game was played on another board than that of {options.map!r}")
    return _choose_phase(chart, game, options.phase)


def _choose_phase(chart: "Chart", game: "Game", phase: str | None) -> Shown:
    """Return a phase with its results, or the phase that the game has come to."""
    for turn in reversed(game.turns):
        if phase in {None, turn.phase}:
            return Shown(chart, turn.position, turn.resolution, "turn")
    if phase in {None, game.phase}:
        return Shown(chart, game.position, sheet="turn")
    first = game.turns[0].phase if game.turns else game.phase
    raise ValueError(f"the game has no phase {phase[:20]!r}: it goes from {first} to {game.phase}")


def _find_map(name: str) -> "Chart | None":
    """Return the map in a file; `None` if the file is not JSON with a board and shapes.

    Raises `ValueError` with the first fault of a map file, or `OSError`.
    """
    from diplomaccloud.atlas.chartfile import ChartError, check_chart  # noqa: PLC0415

    content = read_map_file(name)
    try:
        data = json.loads(content)
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, dict) or not {"board", "shapes"} & data.keys():
        return None
    try:
        return check_chart(content)
    except ChartError as error:
        raise ValueError(f"{name}: {error.faults[0]}") from error


def _require_map(name: str) -> "Chart":
    chart = _find_map(name)
    if chart is None:
        raise ValueError(f"{name!r} is not a map file")
    return chart


def _read_game(name: str) -> "Game":
    """Return the only game in a file; raise `ValueError` if there is none, or several."""
    from diplomaccloud.judge.exchange.files import read_games  # noqa: PLC0415

    try:
        saved = list(islice(read_games(name), 2))
    except ValueError as error:
        raise ValueError(f"{name}: {error}; expected a map file or a saved game") from error
    if not saved:
        raise ValueError(f"{name}: the file has no game")
    only = saved[0]
    # What is no file of games at all also falls into several parts.
    if len(saved) > 1 and only.game is not None:
        raise ValueError(f"{name}: the file has several games; draw one at a time")
    if only.game is None or not only.is_complete:
        reason = only.errors[0] if only.errors else "it has no phases"
        no_game = "the file has no map and no game that can be read"
        problem = no_game if only.game is None else "the game cannot be read"
        raise ValueError(f"{name}: {problem}: {reason}")
    return only.game


def read_map_file(name: str) -> bytes:
    """Return the content of the file `name` (`-`: standard input); raise `OSError`.

    Reads at most one byte more than the allowed size.
    """
    from diplomaccloud.judge.drawing.map_file import MAX_FILE_SIZE  # noqa: PLC0415

    if name == "-":
        return sys.stdin.buffer.read(MAX_FILE_SIZE + 1)
    with Path(name).open("rb") as file:
        return file.read(MAX_FILE_SIZE + 1)
