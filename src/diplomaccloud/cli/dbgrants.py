"""`diplomaccloud dbgrants`: prints SQL that creates a database role that cannot rewrite history."""

import argparse
import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from diplomaccloud.cli.common import Commands


def add(commands: "Commands") -> None:
    """Add the command."""
    grants = commands.add_parser(
        "dbgrants", help="print SQL that creates a database role that cannot change history"
    )
    grants.add_argument("--vendor", required=True, choices=("postgresql", "mysql"))
    grants.add_argument("--role", default="diplomaccloud_site", help="the role the site logs in as")
    grants.add_argument(
        "--database", default="diplomaccloud", help="name of the database on the server"
    )
    grants.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the script without connecting to a database."""
    import django  # noqa: PLC0415
    from django.conf import settings  # noqa: PLC0415

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "diplomaccloud.project.settings")
    settings.LOGGING_CONFIG = None  # write nothing, not even a log directory
    django.setup()
    from diplomaccloud.project.grants import build_script  # noqa: PLC0415 needs the models

    script = build_script(options.vendor, role=options.role, database=options.database)
    sys.stdout.write(script)
    return 0
