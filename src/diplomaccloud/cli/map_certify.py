"""`diplomaccloud map certify`: measures how even a map is, and checks such a measurement."""

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from diplomaccloud.cli.common import Progress, parse_positive
from diplomaccloud.cli.open_site import add_data_option, open_site
from diplomaccloud.judge.cli.commands import write_atomically

if TYPE_CHECKING:
    from collections.abc import Sequence

    from diplomaccloud.judge.cli import Commands
    from diplomaccloud.judge.drawing.chart import Chart
    from diplomaccloud.maps.measurement import Measurement, Series

_SAMPLE = 5
STANDARD = "standard"


def add(commands: "Commands") -> None:
    """Add the command."""
    certify = commands.add_parser(
        "certify", help="let several bots play on a map, and say how even its powers are (minutes)"
    )
    certify.add_argument("map", metavar="MAP", help="FILE.json, `standard`, or a hash on a site")
    certify.add_argument(
        "-o", "--output", type=Path, help="write the certificate to this file; required for a FILE"
    )
    certify.add_argument(
        "--jobs", type=parse_positive, default=1, help="number of processes (default: 1)"
    )
    certify.add_argument(
        "--keep",
        type=Path,
        help="keep finished games in this file, from which the next run resumes"
        " (default: OUTPUT.games, until the certificate is written)",
    )
    certify.add_argument(
        "--check",
        nargs="?",
        const="",
        metavar="CERTIFICATE",
        help="instead, play some of the games of this certificate again, and compare;"
        " for a hash, the certificate on the site",
    )
    certify.add_argument(
        "--sample",
        type=parse_positive,
        default=_SAMPLE,
        help=f"with --check: how many games of each bot (default: {_SAMPLE})",
    )
    certify.add_argument(
        "--scale",
        action="store_true",
        help="with `standard`: more games, for the scale that all maps are compared with",
    )
    add_data_option(certify)
    certify.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Measure the map or check its certificate, and print the result."""
    from diplomaccloud.atlas.chartfile import ChartError, content_hash  # noqa: PLC0415
    from diplomaccloud.bots.kernel import SLOW_KERNEL  # noqa: PLC0415
    from diplomaccloud.cli.map_files import print_faults  # noqa: PLC0415

    if options.scale and options.map != STANDARD:
        raise ValueError("--scale measures the map `standard` alone")
    is_stored = not (options.map == STANDARD or options.map.endswith(".json"))
    if not is_stored and options.check == "":
        raise ValueError("--check takes the file of the certificate, unless a site has it")
    if not is_stored and options.check is None and options.output is None:
        raise ValueError("-o says where to write the certificate")
    for path in (options.output, options.keep):
        if path is not None and not path.absolute().parent.is_dir():
            raise ValueError(f"there is no folder {str(path.absolute().parent)!r}")
    if SLOW_KERNEL:
        sys.stderr.write(f"{SLOW_KERNEL}\n")
    if is_stored:
        return _run_stored(options)
    try:
        chart = _read_chart(options.map)
    except ChartError as error:
        return print_faults(options.map, [str(fault) for fault in error.faults], error.unlisted)
    key = content_hash(chart)
    if options.check is not None:
        return _check(chart, key, _read_certificate(Path(options.check)), options)
    found = _measure(chart, key, options)
    print_measurement(chart, found)
    return 0


def _run_stored(options: argparse.Namespace) -> int:
    """Measure or check a map of the site."""
    from diplomaccloud.cli.map_files import find_stored_map  # noqa: PLC0415

    open_site(options.data)
    from django.utils import timezone  # noqa: PLC0415 not before Django is set up

    from diplomaccloud.maps.certification import (  # noqa: PLC0415
        find_games_file,
        find_measurement,
        require_measurable,
        store_measurement,
    )

    chart, key = find_stored_map(options.map)
    if options.check is not None:
        found = _read_certificate(Path(options.check)) if options.check else find_measurement(key)
        if found is None:
            raise ValueError(f"the map {key[:8]} has no certificate on this site")
        return _check(chart, key, found, options)
    require_measurable(key)
    found = _measure(chart, key, options, find_games_file(key))
    store_measurement(found, now=timezone.now())
    print_measurement(chart, found)
    return 0


def _read_chart(name: str) -> "Chart":
    from diplomaccloud.atlas.chartfile import check_chart  # noqa: PLC0415
    from diplomaccloud.cli.map_pictures import read_map_file  # noqa: PLC0415
    from diplomaccloud.judge.drawing.europe import standard_chart  # noqa: PLC0415

    return standard_chart() if name == STANDARD else check_chart(read_map_file(name))


def _read_certificate(path: Path) -> "Measurement":
    from diplomaccloud.maps.measurement import measurement_from_json  # noqa: PLC0415

    try:
        return measurement_from_json(json.loads(path.read_bytes()))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path}: {error}") from error


def _measure(
    chart: "Chart", key: str, options: argparse.Namespace, keep: Path | None = None
) -> "Measurement":
    """Play the games that are missing, write the certificate and return it."""
    from diplomaccloud.maps.measurement import SCALE_PLAN, measurement_to_json  # noqa: PLC0415

    output: Path | None = options.output
    path = options.keep or keep or Path(f"{output}.games")
    plan = SCALE_PLAN if options.scale else ()
    found = measure_chart(chart, key, path, jobs=options.jobs, plan=plan)
    if output is not None:
        text = json.dumps(measurement_to_json(found), indent=1)
        write_atomically(output, f"{text}\n".encode())
    if options.keep is None:
        path.unlink(missing_ok=True)
    return found


def measure_chart(
    chart: "Chart", key: str, keep: Path, *, jobs: int = 1, plan: "Sequence[Series]" = ()
) -> "Measurement":
    """Return the measurement of a map with the hash `key`, by default with the usual plan.

    Finished games are kept in the file `keep`; those that are there already are not played again.
    """
    import datetime as dt  # noqa: PLC0415

    from diplomaccloud.cli.tables import run_in_processes  # noqa: PLC0415
    from diplomaccloud.maps.measurement import (  # noqa: PLC0415
        GamesFile,
        choose_seed,
        list_batches,
        plan_measurement,
        play_batch,
        summarize,
    )
    from diplomaccloud.version import __version__  # noqa: PLC0415

    board, seed = chart.board, choose_seed(key)
    powers = list(board.power_info)
    plan = plan or plan_measurement(len(powers))
    total = sum(games for _, games in plan)
    with Progress("games", total) as progress, GamesFile(keep, key, seed, len(powers)) as file:
        progress.start_from(sum(min(len(file.games[bot]), wanted) for bot, wanted in plan))
        batches = list(list_batches(board, plan, file.games, seed=seed))
        played = run_in_processes(play_batch, batches, jobs)
        for batch, ends in zip(batches, played, strict=True):
            for counts in ends:
                file.add(batch.bot, counts)
                progress.count()
        games = {bot: file.games[bot][:wanted] for bot, wanted in plan}
    today = dt.datetime.now(dt.UTC).date()
    return summarize(key, powers, games, seed=seed, engine=__version__, date=today)


def _check(chart: "Chart", key: str, found: "Measurement", options: argparse.Namespace) -> int:
    """Compare a sample of the games and all numbers; return 1 if something differs."""
    from diplomaccloud.maps.measurement import (  # noqa: PLC0415
        find_differences,
        measurement_to_json,
        recompute,
    )

    if found.map != key or found.powers != tuple(chart.board.power_info):
        raise ValueError(f"the certificate is that of the map {found.map[:8]}, not of {key[:8]}")
    faults = []
    if measurement_to_json(recompute(found)) != measurement_to_json(found):
        faults.append("the numbers do not follow from the games")
    count = sum(min(options.sample, len(row.games)) for row in found.rows)
    with Progress("games", count) as progress:
        for bot, number, is_same in find_differences(chart.board, found, options.sample):
            progress.count()
            if not is_same:
                faults.append(f"{bot}, game {number}: ends differently")
    if faults:
        sys.stdout.write("\n".join(faults) + "\n")
        return 1
    sys.stdout.write(f"{count} games were played again and ended as the certificate says.\n")
    return 0


def print_measurement(chart: "Chart", found: "Measurement") -> None:
    """Print the measurement of a map, compared with Europe unless it is Europe."""
    from diplomaccloud.judge.drawing.europe import standard_chart  # noqa: PLC0415
    from diplomaccloud.maps.fairness import describe_in_text  # noqa: PLC0415
    from diplomaccloud.maps.measurement import load_scale  # noqa: PLC0415

    scale = None if chart.board == standard_chart().board else load_scale()
    sys.stdout.write("\n".join(describe_in_text(chart, found, scale)) + "\n")
