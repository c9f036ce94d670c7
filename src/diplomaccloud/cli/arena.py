"""`diplomaccloud arena`: plays games among bots and prints their scores."""

import argparse
import gzip
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from diplomaccloud.cli.common import find_map, parse_positive, show_progress

if TYPE_CHECKING:
    from diplomaccloud.bots.arena import Played
    from diplomaccloud.bots.player import Bot
    from diplomaccloud.cli.common import Commands
    from diplomaccloud.judge.board import Board
    from diplomaccloud.record.arena import Played as PlayedPhase


def add(commands: "Commands") -> None:
    """Add the command."""
    arena = commands.add_parser("arena", help="let bots play each other and print their scores")
    arena.add_argument("--map", default="standard", help="standard, FILE.json or seed:TEXT")
    arena.add_argument(
        "--players", type=int, help="number of powers on a map made from a seed (default: 7)"
    )
    arena.add_argument(
        "--bots", default="greedy", help="names separated by commas, assigned to the powers in turn"
    )
    arena.add_argument(
        "--one-of", action="store_true", help="seat the first bot once, and the others around it"
    )
    arena.add_argument("--games", type=parse_positive, default=20)
    arena.add_argument("--until", type=parse_positive, default=1925, help="last year of a game")
    arena.add_argument("--seed", default="1", help="any text; the same seed gives the same games")
    arena.add_argument(
        "--record",
        type=Path,
        metavar="FILE",
        help="write records of the games to FILE, for `replay`; compressed if it ends in .gz",
    )
    arena.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Play the games and print the scores."""
    from diplomaccloud.bots import find_bot  # noqa: PLC0415
    from diplomaccloud.bots.arena import format_report, play_games, seat_one  # noqa: PLC0415
    from diplomaccloud.judge.kernel.selection import KERNEL  # noqa: PLC0415
    from diplomaccloud.judge.kernel.sources import SLOW_KERNEL  # noqa: PLC0415

    bots = [find_bot(name) for name in options.bots.split(",")]
    board = _find_board(options)
    if options.one_of:
        bots = seat_one(board, bots)
    games = play_games(board, bots, games=options.games, until=options.until, seed=options.seed)
    if options.record is not None:
        games = _record_games(board, bots, options)
    played = []
    for game in games:
        played.append(game)
        show_progress(f"{len(played)} of {options.games} games")
    show_progress("")
    if KERNEL.name == "python":
        sys.stdout.write(f"{SLOW_KERNEL}\n\n")
    sys.stdout.write(format_report(board, played) + "\n")
    return 0


def _find_board(options: argparse.Namespace) -> "Board":
    """Return the board; raise `ValueError` for a number of powers or a year that does not fit."""
    players = 7 if options.players is None else options.players
    board = find_map(options.map, players).board
    powers, first = len(board.powers), board.first_year
    if options.players not in {None, powers}:
        raise ValueError(
            f"--players {players}: the map {options.map!r} has {powers} powers "
            "(--players is for maps made from a seed, for example seed:atlantis)"
        )
    if options.until < first:
        raise ValueError(f"--until {options.until}: the first year of a game is {first}")
    return board


def _record_games(
    board: "Board", bots: Sequence["Bot"], options: argparse.Namespace
) -> Iterator["Played"]:
    """Yield the games; write the record of each as soon as it is over."""
    from diplomaccloud.bots.arena import play_game, seat_bots  # noqa: PLC0415
    from diplomaccloud.judge.rules import DEFAULT  # noqa: PLC0415
    from diplomaccloud.record.arena import dump_arena_game  # noqa: PLC0415

    phases: list[PlayedPhase] = []
    opener = gzip.open if options.record.suffix == ".gz" else open
    with opener(options.record, "wt", encoding="utf-8", newline="\n") as file:
        for number in range(options.games):
            seats, seed = seat_bots(board, bots, number), f"{options.seed}/{number}"
            game = play_game(board, seats, seed=seed, until=options.until, watch=phases.append)
            for line in dump_arena_game(
                board,
                DEFAULT,
                phases,
                name=f"arena {seed}",
                seed=seed,
                bots={power: bot.name for power, bot in seats.items()},
                until=options.until,
            ):
                file.write(f"{line}\n")
            phases.clear()
            yield game
