"""`diplomaccloud ladder`: rates bots over time, from the results of the arena."""

import argparse
import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from diplomaccloud.judge.cli.commands import write_atomically

if TYPE_CHECKING:
    from diplomaccloud.judge.cli import Commands
    from diplomaccloud.ladder.ratings import Ladder


def add(commands: "Commands") -> None:
    """Add the command."""
    ladder = commands.add_parser("ladder", help="rate bots by their games in the arena")
    actions = ladder.add_subparsers(required=True, metavar="ACTION")
    games = actions.add_parser("add", help="rate games that have no ratings yet")
    games.add_argument("ladder", type=Path, help="ladder file; created if it does not exist")
    games.add_argument("results", type=Path, nargs="+", help="files written by `arena --results`")
    games.set_defaults(run=run_add)
    show = actions.add_parser("show", help="print the ratings, best first")
    show.add_argument("ladder", type=Path, help="ladder file")
    show.add_argument("--json", action="store_true", help="print the ratings as JSON")
    show.set_defaults(run=run_show)
    publish = actions.add_parser("publish", help="write the file that a site shows at /ladder/")
    publish.add_argument("ladder", type=Path, help="ladder file")
    publish.add_argument(
        "records", type=Path, nargs="*", help="sample games: files written by `arena --record`"
    )
    publish.add_argument(
        "--to",
        type=Path,
        required=True,
        metavar="FILE",
        help="output file: ladder.json in the site's data directory",
    )
    publish.set_defaults(run=run_publish)


def run_add(options: argparse.Namespace) -> int:
    """Rate the games, or leave the file unchanged if any of them cannot be read."""
    from diplomaccloud.cli.tables import read_results  # noqa: PLC0415
    from diplomaccloud.ladder.ratings import Ladder, add_games, dump_ladder  # noqa: PLC0415

    ladder = _read(options.ladder) if options.ladder.exists() else Ladder()
    runs = [read_results(path) for path in options.results]
    day = datetime.now(UTC).date().isoformat()
    for path, (heading, tallies) in zip(options.results, runs, strict=True):
        count = add_games(ladder, heading, tallies, day)
        sys.stdout.write(f"{path}: {count} games rated\n")
    write_atomically(options.ladder, dump_ladder(ladder).encode())
    return 0


def run_show(options: argparse.Namespace) -> int:
    """Print the ratings."""
    ranked = _read(options.ladder).rank()
    if options.json:
        data = {
            name: {"rating": each.value, "mu": each.mu, "sigma": each.sigma, "games": each.games}
            for name, each in ranked
        }
        sys.stdout.write(json.dumps({"bots": data}) + "\n")
        return 0
    width = max((len(name) for name, _ in ranked), default=0)
    lines = [f"{'':{width}}  rating     mu  sigma  games"]
    lines += [
        f"{name:{width}}  {each.value:6.2f}  {each.mu:5.2f}  {each.sigma:5.2f}  {each.games:5}"
        for name, each in ranked
    ]
    sys.stdout.write("\n".join(lines) + "\n")
    return 0


def run_publish(options: argparse.Namespace) -> int:
    """Write the file for the site, or leave it unchanged if anything cannot be read."""
    from diplomaccloud.judge.codec import CodecError  # noqa: PLC0415
    from diplomaccloud.ladder import published as ladders  # noqa: PLC0415

    ladder, samples = _read(options.ladder), []
    for path in options.records:
        try:
            samples += ladders.read_samples(path)
        except (CodecError, UnicodeDecodeError) as error:
            raise ValueError(f"{path} has no sample games: {error}") from error
    published = ladders.publish(ladder, samples)
    write_atomically(options.to, ladders.dump_published(published).encode())
    sys.stdout.write(
        f"{options.to}: {len(published.bots)} bots, {len(published.samples)} sample games\n"
    )
    return 0


def _read(path: Path) -> "Ladder":
    from diplomaccloud.judge.codec import CodecError  # noqa: PLC0415
    from diplomaccloud.ladder.ratings import load_ladder  # noqa: PLC0415

    try:
        return load_ladder(path.read_text(encoding="utf-8"))
    except (CodecError, UnicodeDecodeError) as error:
        raise ValueError(f"{path} cannot be read as a ladder: {error}") from error
