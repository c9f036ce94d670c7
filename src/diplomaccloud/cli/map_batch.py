"""`diplomaccloud map batch`: makes the maps that come with a release."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from diplomaccloud.cli.common import parse_natural, parse_positive

if TYPE_CHECKING:
    from diplomaccloud.judge.cli import Commands
    from diplomaccloud.maps.batch import Collection, Job, Result

_MAX_MISSES: Final = 12
"""After this number of maps in a row that are left out, the command ends."""


def add(commands: "Commands") -> None:
    """Add the command."""
    batch = commands.add_parser(
        "batch",
        help="make the certified maps that come with a release (takes hours)",
        description="Make maps for all numbers of players on all landforms, measure them, and add"
        " those that are even enough to a file. The file is complete after each map: stop the"
        " command at any time, and start it again to continue.",
    )
    batch.add_argument(
        "-o", "--output", type=Path, help="the file (default: that of this installation)"
    )
    batch.add_argument(
        "--keep",
        type=Path,
        default=Path("build/batch"),
        help="folder for unfinished maps and their games (default: build/batch)",
    )
    batch.add_argument(
        "--players",
        type=parse_positive,
        nargs="+",
        metavar="N",
        help="only these numbers of players",
    )
    batch.add_argument(
        "--maps",
        type=parse_natural,
        metavar="N",
        help="try at most N maps; 0 only draws outdated pictures, and reports",
    )
    batch.add_argument(
        "--jobs", type=parse_positive, default=1, help="number of processes (default: 1)"
    )
    batch.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Make the maps and report; return 1 if a map is missing or a bound is not met."""
    from diplomaccloud.bots.kernel import SLOW_KERNEL  # noqa: PLC0415
    from diplomaccloud.maps.batch import WANTED, Collection, redraw_outdated  # noqa: PLC0415
    from diplomaccloud.maps.gallery_file import (  # noqa: PLC0415
        SHIPPED_MAPS,
        ShippedMaps,
        write_shipped_maps,
    )

    if SLOW_KERNEL and options.maps != 0:
        raise ValueError(f"without the compiled kernel, this would take days: {SLOW_KERNEL}")
    for players in options.players or ():
        if players not in WANTED:
            numbers = ", ".join(map(str, sorted(WANTED)))
            raise ValueError(f"--players: {players} is not among {numbers}")
    path = options.output or SHIPPED_MAPS
    if not path.absolute().parent.is_dir():
        raise ValueError(f"-o: {str(path.absolute().parent)!r} is not a folder")
    shipped = ShippedMaps(path)
    before = [shipped.read(key) for key in shipped.hashes]
    wanted = {players: WANTED[players] for players in options.players or WANTED}
    collection = Collection(list(redraw_outdated(before)), dict(shipped.tries), wanted)
    if collection.maps != before:
        write_shipped_maps(path, collection.maps, collection.tries)
    left, misses = options.maps, 0
    while misses < _MAX_MISSES and (jobs := collection.choose_jobs()[:left]):
        kept = len(collection.maps)
        _try(jobs, collection, path, options)
        left = None if left is None else left - len(jobs)
        misses = misses + len(jobs) if len(collection.maps) == kept else 0
    lines = collection.describe()
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    return int(any(";" in line for line in lines))


def _try(
    jobs: "list[Job]", collection: "Collection", path: Path, options: argparse.Namespace
) -> None:
    """Do the jobs, and write the file after each of them."""
    from diplomaccloud.cli.tables import run_in_processes  # noqa: PLC0415
    from diplomaccloud.maps.batch import make_batch_map  # noqa: PLC0415
    from diplomaccloud.maps.gallery_file import write_shipped_maps  # noqa: PLC0415

    keep: Path = options.keep
    keep.mkdir(parents=True, exist_ok=True)
    for result in run_in_processes(make_batch_map, [(job, keep) for job in jobs], options.jobs):
        reason = collection.add(result)
        write_shipped_maps(path, collection.maps, collection.tries)
        for kept in keep.glob(f"{result.job.name}.*"):
            kept.unlink()
        sys.stdout.write(f"{_describe(result)}{f' left out: {reason}' if reason else ' kept'}\n")
        sys.stdout.flush()


def _describe(result: "Result") -> str:
    from diplomaccloud.maps.batch import measure_ratio  # noqa: PLC0415

    if result.made is None:
        return f"{result.job.name}:"
    ratio = measure_ratio(result.made.measurement)
    return f"{result.job.name}: {result.made.hash[:8]}, spread {ratio:.2f} of Europe's;"
