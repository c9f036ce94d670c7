"""`diplomaccloud arena`: plays games among bots and prints their scores."""

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from diplomaccloud.cli.common import Progress, parse_positive

if TYPE_CHECKING:
    from collections.abc import Iterator

    from diplomaccloud.bots.standings import Tally
    from diplomaccloud.cli.tables import TextTable
    from diplomaccloud.judge.cli import Commands


def add(commands: "Commands") -> None:
    """Add the command."""
    arena = commands.add_parser("arena", help="let bots play each other, and print their scores")
    arena.add_argument(
        "--map",
        action="append",
        metavar="MAP,...",
        help="standard, FILE.json or seed:TEXT (default: standard); bots play on each map",
    )
    arena.add_argument(
        "--players", type=int, help="number of powers on a map made from a seed (default: 7)"
    )
    arena.add_argument(
        "--bots",
        default="greedy",
        help="names separated by commas; bots move to the next power after each game",
    )
    arena.add_argument(
        "--one-of", action="store_true", help="give the first bot one seat, and the others the rest"
    )
    arena.add_argument(
        "--press",
        action="store_true",
        help="let bots that look ahead negotiate: they offer deals, and keep or break them",
    )
    arena.add_argument(
        "--games",
        type=parse_positive,
        default=20,
        help="games on each map; rounded up so that all bots have the same number of seats",
    )
    arena.add_argument("--until", type=parse_positive, default=1925, help="last year of a game")
    arena.add_argument("--seed", default="1", help="any text; the same seed gives the same games")
    arena.add_argument(
        "--processes", type=parse_positive, help="games at the same time (default: one per core)"
    )
    arena.add_argument(
        "--results",
        type=Path,
        metavar="FILE",
        help="save the results of finished games in FILE; the same command resumes from it",
    )
    arena.add_argument(
        "--record",
        type=Path,
        metavar="FILE",
        help="write records of the games to FILE, for `replay`; compressed if FILE ends in .gz",
    )
    arena.add_argument("--json", action="store_true", help="print scores and intervals as JSON")
    arena.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Play the games and print the scores."""
    from diplomaccloud.bots.kernel import SLOW_KERNEL  # noqa: PLC0415
    from diplomaccloud.bots.standings import (  # noqa: PLC0415
        compute_standings,
        format_report,
        standings_to_json,
        sum_press,
    )
    from diplomaccloud.cli.tables import lay_tables, require_bots  # noqa: PLC0415

    bots = options.bots.split(",")
    require_bots(bots, one_of=options.one_of)
    tables = lay_tables(options)
    with Progress("games", sum(table.games for table in tables)) as progress:
        for table in tables:
            if table.games != options.games:
                progress.say(
                    f"{table.name}: {table.games} games instead of {options.games}, "
                    "so that all bots have the same number of seats"
                )
        tallies = list(_play(tables, bots, options, progress))
    if options.json:
        press = sum_press(tallies)
        scores = standings_to_json(compute_standings(tallies))
        text = json.dumps(scores if press is None else scores | {"press": asdict(press)})
    else:
        text = format_report(tallies)
    if SLOW_KERNEL:
        (sys.stderr if options.json else sys.stdout).write(f"{SLOW_KERNEL}\n\n")
    sys.stdout.write(f"{text}\n")
    return 0


def _play(
    tables: "list[TextTable]", bots: list[str], options: argparse.Namespace, progress: Progress
) -> "Iterator[Tally]":
    """Yield the results of all games in order: saved games first, then new ones."""
    from diplomaccloud.cli.tables import (  # noqa: PLC0415
        PlayedGame,
        ResultsFile,
        make_tasks,
        play_tasks,
    )

    games = sum(table.games for table in tables)
    about = describe_run(tables, options)
    with ResultsFile(options.results, options.record, about, games) as results:
        yield from results.kept
        progress.start_from(len(results.kept))
        job = tables, bots, options.one_of, options.until, options.seed
        tasks = make_tasks(
            *job, recorded=options.record is not None, first=len(results.kept), press=options.press
        )
        game: PlayedGame
        for game in play_tasks(tasks, options.processes):
            results.add(game.tally, game.record)
            progress.count()
            yield game.tally


def describe_run(tables: "list[TextTable]", options: argparse.Namespace) -> dict[str, object]:
    """Return the options that all games of a run share, as JSON values."""
    from diplomaccloud.judge.protocol.records import board_hash  # noqa: PLC0415
    from diplomaccloud.version import __version__  # noqa: PLC0415

    return {
        "version of the program": __version__,
        "maps": [[table.name, board_hash(table.board), table.games] for table in tables],
        "bots": options.bots,
        "one of": options.one_of,
        "until": options.until,
        "seed": options.seed,
        # Files without this key are older than bots that negotiate.
        **({"press": True} if options.press else {}),
    }
