"""`diplomaccloud backup` and `diplomaccloud restore`: copy a whole site to a file, and back."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from diplomaccloud.cli.common import parse_natural
from diplomaccloud.cli.manage import enter_site
from diplomaccloud.cli.replay import LATE

if TYPE_CHECKING:
    from diplomaccloud.cli.common import Commands


def add(commands: "Commands") -> None:
    """Add both commands."""
    backup = commands.add_parser(
        "backup",
        help="back up a running site to one file",
        description="Copy the database and the signing key of a site to one file, even while "
        "people play. Keep the file as safe as the site, because it contains all secrets.",
    )
    backup.add_argument("file", type=Path, metavar="FILE", help="a new file")
    backup.set_defaults(run=run_backup)
    restore = commands.add_parser(
        "restore",
        help="restore a site from a backup, and verify it",
        description="Restore a backup to the directory DIPLOMACCLOUD_DATA and the database "
        "DATABASE_URL, and adjudicate some of its games again. Restore only your own "
        "backups: on a database server, the SQL in them is executed.",
    )
    restore.add_argument("file", type=Path, metavar="FILE", help="a file from `backup`")
    restore.add_argument("--replace", action="store_true", help="overwrite an existing site")
    restore.add_argument(
        "--games",
        type=parse_natural,
        default=20,
        help="how many games to adjudicate again (default: 20)",
    )
    restore.set_defaults(run=run_restore)


def run_backup(options: argparse.Namespace) -> int:
    """Write a backup."""
    enter_site(needs_site=True)
    from diplomaccloud.project.backup.making import describe_size, make_backup  # noqa: PLC0415

    warnings = make_backup(options.file)
    sys.stdout.write(f"{options.file}: {describe_size(options.file)}\n")
    sys.stdout.write("".join(f"{warning}\n" for warning in warnings))
    return 0


def run_restore(options: argparse.Namespace) -> int:
    """Restore a backup; return 1 if a game in it does not match its record.

    Returns `LATE` if all games match, but the record of one does not prove its start.
    """
    enter_site(needs_site=False)
    from django.db import connection  # noqa: PLC0415

    from diplomaccloud.project.backup.restoring import restore_backup  # noqa: PLC0415

    manifest, replayed = restore_backup(options.file, replace=options.replace, sample=options.games)
    write = sys.stdout.write
    write(f"Restored the site of {manifest.made_at}, release {manifest.release}.\n")
    write(f"{replayed.games} games with {replayed.phases} phases were adjudicated again: ")
    write("all are as recorded.\n" if not replayed.faults else "these differ.\n")
    write("".join(f"  {fault}\n" for fault in replayed.faults))
    write("".join(f"  {late}\n" for late in replayed.late))
    if "secret-key" not in manifest.files:
        write("Set DIPLOMACCLOUD_SECRET_KEY to the old key: sessions and app codes need it.\n")
    if connection.vendor != "sqlite":
        write("Run `diplomaccloud dbgrants` for the site's role, as after an upgrade.\n")
    write("Everything after that time is lost; tell the players. Never start the old site again.\n")
    return 1 if replayed.faults else LATE if replayed.late else 0
