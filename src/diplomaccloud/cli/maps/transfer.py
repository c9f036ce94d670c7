"""`diplomaccloud map import` and `map export`: transfer maps to and from a site's gallery."""

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from diplomaccloud.cli.maps.make import check_output, write_map
from diplomaccloud.cli.maps.validate import print_faults, read_map_file

if TYPE_CHECKING:
    from diplomaccloud.cli.common import Commands

_MIN_HASH_LENGTH = 6


def add(commands: "Commands") -> None:
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
    export_command.add_argument(
        "-o", "--output", type=Path, required=True, help="FILE.svg, .png or .json"
    )
    export_command.add_argument("--night", action="store_true", help="use dark colors")
    export_command.set_defaults(run=_export)
    for command in (import_command, export_command):
        command.add_argument(
            "--data", type=Path, default=Path("data"), help="the data folder of the site"
        )


def _import(options: argparse.Namespace) -> int:
    from diplomaccloud.atlas.chartfile import ChartError  # noqa: PLC0415

    content = read_map_file(options.file)
    _set_up_site(options.data)
    from django.utils import timezone  # noqa: PLC0415 not before Django is set up

    from diplomaccloud.maps.import_page import import_map  # noqa: PLC0415

    try:
        key = import_map(content, name=options.name, now=timezone.now())
    except ChartError as error:
        return print_faults(options.file, [str(fault) for fault in error.faults], error.unlisted)
    sys.stdout.write(f"{key}\n")
    return 0


def _export(options: argparse.Namespace) -> int:
    check_output(options.output)
    _set_up_site(options.data)
    from diplomaccloud.maps.library import find_chart  # noqa: PLC0415
    from diplomaccloud.maps.models import StoredChart  # noqa: PLC0415

    prefix = options.hash.lower()
    if len(prefix) < _MIN_HASH_LENGTH or set(prefix) - set("0123456789abcdef"):
        raise ValueError(
            f"{options.hash!r} must be at least {_MIN_HASH_LENGTH} digits of a map's hash"
        )
    rows = StoredChart.objects.filter(content_hash__startswith=prefix)
    hashes = list(rows.values_list("content_hash", flat=True)[:2])
    if not hashes:
        raise ValueError(f"no map has a hash that starts with {options.hash!r}")
    if len(hashes) > 1:
        raise ValueError(f"several maps have a hash that starts with {options.hash!r}")
    write_map(find_chart(hashes[0]), options.output, night=options.night)
    return 0


def _set_up_site(data: Path) -> None:
    """Set up Django for the site in `data`; raise `ValueError` if there is no site."""
    import django  # noqa: PLC0415
    from django.core.exceptions import ImproperlyConfigured  # noqa: PLC0415

    from diplomaccloud.project.environment import read_database_url  # noqa: PLC0415
    from diplomaccloud.project.play import build_environment  # noqa: PLC0415

    # Check this first, because setting up Django would create files in the folder.
    if not data.is_dir() or not (read_database_url() or (data / "diplomaccloud.sqlite3").is_file()):
        raise ValueError(f"there is no site in {str(data)!r} (choose its folder with --data)")
    os.environ.update(build_environment("127.0.0.1", data.resolve()))
    try:
        django.setup()
    except ImproperlyConfigured as error:
        raise ValueError(str(error)) from error
    from django.db import connection  # noqa: PLC0415

    if "maps_storedchart" not in connection.introspection.table_names():
        raise ValueError(f"there is no site in {str(data)!r} (choose its folder with --data)")
