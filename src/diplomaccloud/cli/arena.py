"""`diplomaccloud arena`: bots against each other."""

import argparse
import sys
from typing import TYPE_CHECKING

from diplomaccloud.cli.common import find_map, positive, show_progress

if TYPE_CHECKING:
    from diplomaccloud.cli.common import Commands


def add(commands: "Commands") -> None:
    """Add the command."""
    arena = commands.add_parser("arena", help="let bots play and print how they fared")
    arena.add_argument("--map", default="standard", help="standard, FILE.json or seed:TEXT")
    arena.add_argument("--players", type=int, default=7, help="powers on a map made from a seed")
    arena.add_argument("--bots", default="greedy", help="names with commas, dealt out in turn")
    arena.add_argument("--games", type=positive, default=20)
    arena.add_argument("--until", type=positive, default=1925, help="last year of a game")
    arena.add_argument("--seed", default="1", help="text; the same seed plays the same games")
    arena.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Play the games and print how the bots fared."""
    from diplomaccloud.bots import BOTS  # noqa: PLC0415
    from diplomaccloud.bots.arena import play_games, report  # noqa: PLC0415

    names = options.bots.split(",")
    if unknown := [name for name in names if name not in BOTS]:
        raise ValueError(f"no bot is called {unknown[0]!r} (there are: {', '.join(BOTS)})")
    board = find_map(options.map, options.players).board
    bots = [BOTS[name] for name in names]
    played = []
    for game in play_games(
        board, bots, games=options.games, until=options.until, seed=options.seed
    ):
        played.append(game)
        show_progress(f"{len(played)} of {options.games} games")
    show_progress("")
    sys.stdout.write(report(board, played) + "\n")
    return 0
