"""`diplomaccloud manage`: Django's own commands."""

import argparse
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from diplomaccloud.cli.common import Commands


def add(commands: "Commands") -> None:
    """Add the command."""
    manage = commands.add_parser("manage", help="Django's own commands", add_help=False)
    manage.add_argument("arguments", nargs=argparse.REMAINDER)
    manage.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run the command of Django's."""
    from django.core.management import execute_from_command_line  # noqa: PLC0415

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "diplomaccloud.project.settings")
    execute_from_command_line(["diplomaccloud manage", *options.arguments])
    return 0
