"""`diplomaccloud play`: serves the site on this machine."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from diplomaccloud.cli.common import parse_port

if TYPE_CHECKING:
    from diplomaccloud.cli.common import Commands


def add(commands: "Commands") -> None:
    """Add the command."""
    play = commands.add_parser("play", help="serve the site on this machine, with demo games")
    play.add_argument("--host", default="127.0.0.1", help="address to listen on")
    play.add_argument("--port", type=parse_port, default=8000, help="port to listen on")
    play.add_argument("--data", type=Path, default=Path("data"), help="directory for all data")
    play.add_argument(
        "--reset",
        action="store_true",
        help="move old data to another directory and start with an empty site",
    )
    play.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Serve until stopped."""
    import django  # noqa: F401, PLC0415 fail here, before anything is written

    from diplomaccloud.project.play import play  # noqa: PLC0415

    return play(
        host=options.host, port=options.port, data=options.data.resolve(), reset=options.reset
    )
