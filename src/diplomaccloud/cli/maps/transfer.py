"""`diplomaccloud map import` and `map export`: maps into a site's gallery and out of it."""

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from diplomaccloud.cli.maps.make import check_output, write_map
from diplomaccloud.cli.maps.validate import name_faults, read_map_file

if TYPE_CHECKING:
    from diplomaccloud.cli.common import Commands

_LEAST_HASH = 6


def add(commands: "Commands") -> None:
    """Add the commands."""
    bring = commands.add_parser("import", help="put a map file into the gallery of a site")
    bring.add_argument("file", help="FILE.json; - is standard input")
    bring.add_argument("--name", default="", help="the map's name, if not the one in the file")
    bring.set_defaults(run=_import)
    take = commands.add_parser("export", help="write a map of the gallery as a file or picture")
    take.add_argument("hash", help="the map's hash, or how it begins")
    take.add_argument("-o", "--output", type=Path, required=True, help="FILE.svg, .png or .json")
    take.add_argument("--night", action="store_true", help="draw it in dark colors")
    take.set_defaults(run=_export)
    for command in (bring, take):
        command.add_argument(
            "--data", type=Path, default=Path("data"), help="where the site keeps everything"
        )


def _import(options: argparse.Namespace) -> int:
    from diplomaccloud.atlas.chartfile import ChartError  # noqa: PLC0415

    content = read_map_file(options.file)
    _open_site(options.data)
    from django.utils import timezone  # noqa: PLC0415 not before Django is set up

    from diplomaccloud.maps.import_page import import_map  # noqa: PLC0415

    try:
        key = import_map(content, name=options.name, now=timezone.now())
    except ChartError as error:
        return name_faults(options.file, [str(one) for one in error.faults], error.unlisted)
    sys.stdout.write(f"{key}\n")
    return 0


def _export(options: argparse.Namespace) -> int:
    check_output(options.output)
    _open_site(options.data)
    from diplomaccloud.maps.library import find_chart  # noqa: PLC0415
    from diplomaccloud.maps.models import StoredChart  # noqa: PLC0415

    begins = options.hash.lower()
    if len(begins) < _LEAST_HASH or set(begins) - set("0123456789abcdef"):
        raise ValueError(f"{options.hash!r} is not {_LEAST_HASH} or more digits of a map's hash")
    rows = StoredChart.objects.filter(content_hash__startswith=begins)
    found = list(rows.values_list("content_hash", flat=True)[:2])
    if len(found) != 1:
        many = "several maps begin" if found else "no map begins"
        raise ValueError(f"{many} with {options.hash!r}")
    write_map(find_chart(found[0]), options.output, night=options.night)
    return 0


def _open_site(data: Path) -> None:
    """Prepare Django for the site that is kept in `data`; raises `ValueError` if none is."""
    import django  # noqa: PLC0415
    from django.core.exceptions import ImproperlyConfigured  # noqa: PLC0415

    from diplomaccloud.project.environment import read_database_url  # noqa: PLC0415
    from diplomaccloud.project.play import build_environment  # noqa: PLC0415

    # Asked before Django is set up, which would make files in a folder that is no site's.
    if not data.is_dir() or not (read_database_url() or (data / "diplomaccloud.sqlite3").is_file()):
        raise ValueError(f"there is no site in {str(data)!r} (say where with --data)")
    os.environ.update(build_environment("127.0.0.1", data.resolve()))
    try:
        django.setup()
    except ImproperlyConfigured as error:
        raise ValueError(str(error)) from error
    from django.db import connection  # noqa: PLC0415

    if "maps_storedchart" not in connection.introspection.table_names():
        raise ValueError(f"there is no site in {str(data)!r} (say where with --data)")
