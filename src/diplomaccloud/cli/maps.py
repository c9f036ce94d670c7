"""`diplomaccloud map`: maps made, checked and measured."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from diplomaccloud.cli.common import find_map

if TYPE_CHECKING:
    from diplomaccloud.cli.common import Commands


def add(commands: "Commands") -> None:
    """Add the commands."""
    maps = commands.add_parser("map", help="make maps").add_subparsers(required=True)
    make = maps.add_parser("make", help="make a map from a seed")
    make.add_argument("--seed", required=True, help="any text")
    make.add_argument("--players", type=int, default=7, help="2 to 10")
    make.add_argument("-o", "--output", type=Path, required=True, help="FILE.svg, .png or .json")
    make.set_defaults(run=_make)


def _make(options: argparse.Namespace) -> int:
    from diplomaccloud.atlas.chartfile import dump_chart  # noqa: PLC0415
    from diplomaccloud.atlas.render import render_map, render_png  # noqa: PLC0415

    suffix = options.output.suffix
    if suffix not in (".svg", ".png", ".json"):
        raise ValueError(f"cannot write {suffix or 'a file without ending'}: use .svg, .png, .json")
    chart = find_map(f"seed:{options.seed}", options.players)
    if suffix == ".json":
        options.output.write_text(dump_chart(chart), encoding="utf-8")
    elif suffix == ".svg":
        options.output.write_text(render_map(chart), encoding="utf-8")
    else:
        options.output.write_bytes(render_png(render_map(chart), 1600))
    return 0
