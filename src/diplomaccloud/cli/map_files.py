"""`diplomaccloud map`: make, draw, check, measure and transfer maps."""

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from diplomaccloud.cli.common import show_progress_during
from diplomaccloud.cli.map_batch import add as add_batch
from diplomaccloud.cli.map_certify import add as add_certify
from diplomaccloud.cli.map_pictures import (
    add_draw,
    add_picture_options,
    check_output,
    read_map_file,
    write_map,
)
from diplomaccloud.cli.map_table import add as add_table
from diplomaccloud.cli.open_site import add_data_option, open_site

if TYPE_CHECKING:
    from diplomaccloud.judge.cli import Commands
    from diplomaccloud.judge.drawing.chart import Chart


def add_make(commands: "Commands") -> None:
    """Add the command."""
    make = commands.add_parser("make", help="make a map from a seed")
    make.add_argument(
        "--seed", required=True, help="any text; the same text always makes the same map"
    )
    make.add_argument("--players", type=int, default=7, help="2 to 34")
    make.add_argument("--provinces", type=int, help="number of provinces, 10 to 20 for each player")
    make.add_argument("--sea", type=float, help="share of seas, 0.17 to 0.45")
    make.add_argument(
        "--landform", help="the shape of the world, such as pangaea; by default drawn from the seed"
    )
    make.add_argument(
        "--homes",
        default="varied",
        help="home centers per power: varied (2 to 4, the default) or equal (3)",
    )
    make.add_argument(
        "--certify",
        action="store_true",
        help="choose homes and centers with test games, and print how even the map is (minutes)",
    )
    add_picture_options(make)
    make.set_defaults(run=_run_make)


def _run_make(options: argparse.Namespace) -> int:
    """Make the map and write it."""
    check_output(options)
    if not options.seed.strip():
        raise ValueError("--seed must not be empty; enter any text")
    chart = _make_even_map(options) if options.certify else _make_map(options)
    with show_progress_during("drawing the map"):
        write_map(chart, options)
    if options.certify:
        _print_certificate(chart, options.output)
    return 0


def _make_map(options: argparse.Namespace) -> "Chart":
    from diplomaccloud.atlas.generator.pipeline import GenerationError, make_chart  # noqa: PLC0415

    try:
        with show_progress_during("making the map") as stage:
            return make_chart(
                options.seed,
                options.players,
                provinces=options.provinces,
                sea=options.sea,
                landform=options.landform,
                homes=options.homes,
                progress=stage,
            )
    except GenerationError as error:
        raise ValueError(str(error)) from error


def _make_even_map(options: argparse.Namespace) -> "Chart":
    """Return the map on the same land with the most even homes and centers in test games."""
    from diplomaccloud.maps.factory import make_fair_map  # noqa: PLC0415

    with show_progress_during("playing test games") as stage:
        return make_fair_map(
            [options.seed],
            options.players,
            provinces=options.provinces,
            sea=options.sea,
            landform=options.landform,
            homes=options.homes,
            progress=stage,
        )


def _print_certificate(chart: "Chart", output: Path) -> None:
    """Measure how even `chart` is in new games, and print the result."""
    from diplomaccloud.atlas.chartfile import content_hash  # noqa: PLC0415
    from diplomaccloud.cli.map_certify import measure_chart, print_measurement  # noqa: PLC0415

    keep = Path(f"{output}.games")
    print_measurement(chart, measure_chart(chart, content_hash(chart), keep))
    keep.unlink()


def add_validate(commands: "Commands") -> None:
    """Add the command."""
    validate = commands.add_parser("validate", help="list all faults of a map file")
    validate.add_argument("file", help="FILE.json; - is standard input")
    validate.add_argument(
        "--published",
        action="store_true",
        help="also check the constraints for published maps",
    )
    validate.set_defaults(run=_run_validate)


def _run_validate(options: argparse.Namespace) -> int:
    """Print the faults and return 1, or print a summary of a valid map and return 0."""
    from diplomaccloud.atlas.chartfile import ChartError, check_chart, content_hash  # noqa: PLC0415
    from diplomaccloud.atlas.landforms import find_named_faults, landform_of  # noqa: PLC0415

    try:
        chart = check_chart(read_map_file(options.file))
    except ChartError as error:
        lines = [str(fault) for fault in error.faults]
        return print_faults(options.file, lines, error.unlisted)
    broken = [*find_named_faults(chart)]
    if options.published:
        broken += _find_broken_constraints(chart)
    if broken:
        return print_faults(options.file, broken)
    board, landform = chart.board, landform_of(chart.maker)
    shape = "" if landform is None else f"{landform.label}, "
    sys.stdout.write(
        f"{options.file}: no fault. {chart.world}: {shape}{len(board.powers)} powers,"
        f" {len(board.provinces)} provinces, {len(board.centers)} centers,"
        f" {content_hash(chart)}\n"
    )
    return 0


def print_faults(name: str, lines: list[str], unlisted: int = 0) -> int:
    """Print the faults of the file `name`, one per line, and return the exit status 1."""
    count = len(lines) + unlisted
    more = [f"… and {unlisted:,} more"] if unlisted else []
    summary = f"{name}: {count:,} fault{'s' * (count != 1)}"
    sys.stdout.write("\n".join([*lines, *more, summary]) + "\n")
    return 1


def _find_broken_constraints(chart: "Chart") -> list[str]:
    from diplomaccloud.atlas.generator.constraints import find_faults  # noqa: PLC0415

    return [str(fault) for fault in find_faults(chart)]


_MIN_HASH_LENGTH = 6


def add_transfer(commands: "Commands") -> None:
    """Add the commands."""
    import_command = commands.add_parser("import", help="add a map file to the gallery of a site")
    import_command.add_argument("file", help="FILE.json; - is standard input")
    import_command.add_argument(
        "--name", default="", help="the map's name (default: the name in the file)"
    )
    import_command.set_defaults(run=_import)
    export_command = commands.add_parser(
        "export", help="write a map from the gallery as a file or picture"
    )
    export_command.add_argument("hash", help="the map's hash, or its first digits")
    add_picture_options(export_command)
    export_command.set_defaults(run=_export)
    for command in (import_command, export_command):
        add_data_option(command)


def _import(options: argparse.Namespace) -> int:
    from diplomaccloud.atlas.chartfile import ChartError  # noqa: PLC0415

    content = read_map_file(options.file)
    open_site(options.data)
    from django.utils import timezone  # noqa: PLC0415 not before Django is set up

    from diplomaccloud.maps.views import import_map  # noqa: PLC0415

    try:
        key = import_map(content, name=options.name, now=timezone.now())
    except ChartError as error:
        return print_faults(options.file, [str(fault) for fault in error.faults], error.unlisted)
    sys.stdout.write(f"{key}\n")
    return 0


def _export(options: argparse.Namespace) -> int:
    check_output(options)
    open_site(options.data)
    chart, _ = find_stored_map(options.hash)
    write_map(chart, options)
    return 0


def find_stored_map(text: str) -> "tuple[Chart, str]":
    """Return the map on the site whose hash starts with `text`, and its whole hash.

    Raises `ValueError` unless there is exactly one.
    """
    from diplomaccloud.maps.library import find_whole_chart  # noqa: PLC0415
    from diplomaccloud.maps.models import StoredChart  # noqa: PLC0415

    prefix = text.lower()
    if len(prefix) < _MIN_HASH_LENGTH or set(prefix) - set("0123456789abcdef"):
        raise ValueError(f"{text!r} must be at least {_MIN_HASH_LENGTH} digits of a map's hash")
    rows = StoredChart.objects.filter(content_hash__startswith=prefix)
    hashes = list(rows.values_list("content_hash", flat=True)[:2])
    if not hashes:
        raise ValueError(f"no map has a hash that starts with {text!r}")
    if len(hashes) > 1:
        raise ValueError(f"several maps have a hash that starts with {text!r}")
    return find_whole_chart(hashes[0]), hashes[0]


def add_schema(commands: "Commands") -> None:
    """Add the command."""
    schema = commands.add_parser("schema", help="print the JSON Schema of map files")
    schema.set_defaults(run=_run_schema)


def _run_schema(options: argparse.Namespace) -> int:
    """Print the schema."""
    from diplomaccloud.atlas.validation.chart_schema import json_schema  # noqa: PLC0415

    del options
    sys.stdout.write(json.dumps(json_schema(), indent=2) + "\n")
    return 0


def add(commands: "Commands") -> None:
    """Add the commands."""
    maps = commands.add_parser("map", help="make, draw, check, measure and transfer maps")
    subcommands = maps.add_subparsers(required=True, metavar="COMMAND")
    making = (add_make, add_draw, add_validate, add_certify, add_table)
    for add_command in (*making, add_batch, add_transfer, add_schema):
        add_command(subcommands)
