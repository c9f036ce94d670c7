"""`diplomaccloud web`: serves the pages of a site whose processes run apart."""

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
        help="serve the pages of a site whose workers run apart",
        description="Serve the pages and nothing else: `manage worker` and `manage mapmaker` are "
        "processes of their own. The settings are environment variables.",
    )
    web.add_argument("--host", default="127.0.0.1", help="address to listen on")
    web.add_argument("--port", type=parse_port, default=8000, help="port to listen on")
    web.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Become the web server."""
    import django  # noqa: F401, PLC0415 without it nothing must be written

    from diplomaccloud.project.play import build_web_command  # noqa: PLC0415

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "diplomaccloud.project.settings")
    command = build_web_command(options.host, options.port)
    os.execv(command[0], command)  # noqa: S606 so that signals reach it
