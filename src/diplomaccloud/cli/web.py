"""`diplomaccloud web`: serves the pages of a site whose workers run separately."""

import argparse
import os
from typing import TYPE_CHECKING

from diplomaccloud.cli.common import parse_port

if TYPE_CHECKING:
    from diplomaccloud.cli.common import Commands


def add(commands: "Commands") -> None:
    """Add the command."""
    web = commands.add_parser(
        "web",
        help="serve the pages of a site whose workers run separately",
        description="Serve only the pages: run `manage worker` and `manage mapmaker` as separate "
        "processes. Settings are read from environment variables.",
    )
    web.add_argument("--host", default="127.0.0.1", help="address to listen on")
    web.add_argument("--port", type=parse_port, default=8000, help="port to listen on")
    web.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Replace this process with the web server."""
    import django  # noqa: F401, PLC0415 fail here, before anything is written

    from diplomaccloud.project.play import build_web_command  # noqa: PLC0415

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "diplomaccloud.project.settings")
    command = build_web_command(options.host, options.port)
    os.execv(command[0], command)  # noqa: S606 so that signals reach it
