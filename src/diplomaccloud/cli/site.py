"""Commands for a site: `play`, `web`, `manage`, `backup`, `restore` and `doctor`."""

import argparse
import datetime as dt
import json
import os
import re
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final

from diplomaccloud.cli.common import parse_natural, parse_port, parse_positive
from diplomaccloud.cli.open_site import (
    add_data_option,
    find_site,
    load_site,
    open_site,
    require_database,
    require_tables,
    take_data_option,
)
from diplomaccloud.record.command import LATE

if TYPE_CHECKING:
    from diplomaccloud.judge.cli import Commands
    from diplomaccloud.worker.record_samples import Replayed


def add_play(commands: "Commands") -> None:
    """Add the command."""
    play = commands.add_parser("play", help="serve the site on this machine, with demo games")
    place = play.add_mutually_exclusive_group()
    place.add_argument(
        "--host",
        default="127.0.0.1",
        help="address to listen on; 0.0.0.0 lets friends in the same network play",
    )
    place.add_argument(
        "--domain",
        metavar="NAME",
        help="serve this name with HTTPS, by Caddy: friends can play from anywhere",
    )
    play.add_argument(
        "--port", type=parse_port, help="port to listen on (default: 8000, with --domain 443)"
    )
    add_data_option(play)
    play.add_argument(
        "--reset",
        action="store_true",
        help="move old data to another directory and start with an empty site",
    )
    play.set_defaults(run=_run_play)


def _run_play(options: argparse.Namespace) -> int:
    """Serve until stopped."""
    import django  # noqa: F401, PLC0415 fail here, before anything is written

    from diplomaccloud.project.caddy import HTTPS_PORT  # noqa: PLC0415
    from diplomaccloud.project.play import play  # noqa: PLC0415

    site = find_site(options.data)
    site.use()
    return play(
        host=options.host,
        port=options.port or (HTTPS_PORT if options.domain else 8000),
        data=site.directory,
        reset=options.reset,
        domain=options.domain or "",
    )


def add_web(commands: "Commands") -> None:
    """Add the command."""
    web = commands.add_parser(
        "web",
        help="serve the pages of a site whose workers run separately",
        description="Serve only the pages: run `manage worker` as a separate process. "
        "Settings are read from environment variables.",
    )
    web.add_argument("--host", default="127.0.0.1", help="address to listen on")
    web.add_argument("--port", type=parse_port, default=8000, help="port to listen on")
    add_data_option(web)
    web.set_defaults(run=_run_web)


def _run_web(options: argparse.Namespace) -> int:
    """Replace this process with the web server; raise `ValueError` if a setting is wrong."""
    from django.conf import settings  # noqa: PLC0415
    from django.core.exceptions import ImproperlyConfigured  # noqa: PLC0415

    from diplomaccloud.project.play import build_web_command  # noqa: PLC0415

    site = find_site(options.data)
    site.require()
    site.use()
    try:
        _ = settings.DATA_DIR  # the server would show a traceback, again and again
    except ImproperlyConfigured as error:
        raise ValueError(str(error)) from error
    command = build_web_command(options.host, options.port)
    os.execv(command[0], command)  # noqa: S606 so that signals reach it


_ABOUT: Final = """\
Manage the site in the directory of `--data DIR`, in DIPLOMACCLOUD_DATA or in ./data.

  migrate                update the database, or create it
  worker                 process due phases, send mail and make maps until stopped
  release SLUG           resume a suspended game
  recount                compare stored statistics of people and games with the facts
  nextgame               list or change the games that the site opens itself
  changepassword NAME    set a new password for a user

`diplomaccloud manage help` lists all commands, including Django's.
`diplomaccloud manage help COMMAND` shows the options of a command."""
_CREATES_SITE: Final = "migrate"
_NEEDS_OWNER: Final = frozenset({"migrate", "blankmessage"})
"""Commands that the owner of the tables runs, if the settings say how it logs in."""
_NOT_OWNER: Final = r"must be owner|permission denied|command denied"
"""What PostgreSQL and MariaDB say to a role that does not own the tables."""
_WORKS_WITHOUT_SITE: Final = frozenset(
    {"check", "collectstatic", "diffsettings", "findstatic", "help", "makemigrations", "version"}
)
"""Commands that do not need a site."""


def add_manage(commands: "Commands") -> None:
    """Add the command."""
    manage = commands.add_parser(
        "manage",
        help="manage a site: workers, database, passwords",
        usage="diplomaccloud manage [-h] COMMAND ...",
        description=_ABOUT,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    manage.add_argument("arguments", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    manage.set_defaults(run=_run_manage)


def _run_manage(options: argparse.Namespace) -> int:
    """Run the command; raise `ValueError` if it needs a site and there is none."""
    from django.core.exceptions import ImproperlyConfigured  # noqa: PLC0415

    from diplomaccloud.project.connections import raise_descriptor_limit  # noqa: PLC0415

    raise_descriptor_limit()
    data, words = take_data_option(options.arguments)
    command, *rest = words or ["help"]
    needs_no_site = command in _WORKS_WITHOUT_SITE or "--help" in rest or "-h" in rest
    site = find_site(data)
    if not needs_no_site:
        site.create_directory() if command == _CREATES_SITE else site.require()
        site.use()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "diplomaccloud.project.settings")
    try:
        _execute(words)
    except ImproperlyConfigured as error:
        raise ValueError(str(error)) from error
    return 0


def _execute(arguments: Sequence[str]) -> None:
    """Run Django's command; raise `ValueError` if the database does not answer or has no tables."""
    import django  # noqa: PLC0415
    from django.core.management import execute_from_command_line  # noqa: PLC0415
    from django.db import DatabaseError, OperationalError  # noqa: PLC0415

    from diplomaccloud.project.databases import (  # noqa: PLC0415
        OWNER_NEEDED,
        connect_as_owner,
        describe_refusal,
    )

    command = arguments[0] if arguments else "help"
    try:
        with connect_as_owner() if command in _NEEDS_OWNER else nullcontext():
            if command in _NEEDS_OWNER and not {"--help", "-h"} & {*arguments}:
                django.setup()
                require_database()
            execute_from_command_line(["diplomaccloud manage", *arguments])
            if command == _CREATES_SITE:
                _renew_rights()
    except DatabaseError as error:
        if command == _CREATES_SITE and re.search(_NOT_OWNER, str(error)):
            raise ValueError(f"the site's role may not change the tables: {OWNER_NEEDED}") from None
        require_database() if command == _CREATES_SITE else require_tables()
        if command == _CREATES_SITE and isinstance(error, OperationalError):
            raise ValueError(describe_refusal(error)) from None
        raise


def _renew_rights() -> None:
    """Let the site's role use all tables, once there are all."""
    from django.conf import settings  # noqa: PLC0415
    from django.db import connection  # noqa: PLC0415
    from django.db.migrations.executor import MigrationExecutor  # noqa: PLC0415

    if settings.OWNER_DATABASE is None:
        return
    from diplomaccloud.project.grants import renew_rights  # noqa: PLC0415 needs the models

    executor = MigrationExecutor(connection)
    if not executor.migration_plan(executor.loader.graph.leaf_nodes()):
        sys.stdout.write(f"The role {renew_rights()} has the rights that the site needs.\n")


def add_backup(commands: "Commands") -> None:
    """Add the command."""
    backup = commands.add_parser(
        "backup",
        help="back up a running site to one file",
        description="Copy the database and the signing key of a site to one file, even while "
        "people play. Keep the file as safe as the site, because it contains all secrets.",
    )
    backup.add_argument(
        "file", type=Path, metavar="FILE", help="a new file, or a folder, where it gets a name"
    )
    backup.add_argument(
        "--keep",
        type=parse_positive,
        metavar="N",
        help="then keep only the newest N backups in the folder that this site named",
    )
    add_data_option(backup)
    backup.set_defaults(run=run_backup)


def add_restore(commands: "Commands") -> None:
    """Add the command."""
    restore = commands.add_parser(
        "restore",
        help="restore a site from a backup, and verify it",
        description="Restore a backup to the data directory and the database "
        "DATABASE_URL, and adjudicate some of its games again. Restore only your own "
        "backups: on a database server, the SQL in them is executed.",
    )
    restore.add_argument("file", type=Path, metavar="FILE", help="a file from `backup`")
    purpose = restore.add_mutually_exclusive_group()
    purpose.add_argument("--replace", action="store_true", help="overwrite an existing site")
    purpose.add_argument(
        "--trial",
        action="store_true",
        help="restore into a temporary database beside the site, which keeps running; FILE can be "
        "a folder, of which the newest backup is tried",
    )
    restore.add_argument(
        "--games",
        type=parse_natural,
        default=20,
        help="how many games to adjudicate again (default: 20)",
    )
    add_data_option(restore)
    restore.set_defaults(run=run_restore)


def run_backup(options: argparse.Namespace) -> int:
    """Write a backup."""
    open_site(options.data)
    from django.utils import timezone  # noqa: PLC0415

    from diplomaccloud.project.backup import describe_size, make_backup  # noqa: PLC0415
    from diplomaccloud.project.backup_folder import (  # noqa: PLC0415
        name_backup,
        note_done,
        remove_older,
    )
    from diplomaccloud.project.databases import connect_as_owner  # noqa: PLC0415
    from diplomaccloud.worker.models import Upkeep  # noqa: PLC0415

    given, is_folder = options.file, options.file.is_dir()
    if options.keep and not is_folder:
        raise ValueError(f"--keep needs a folder for the backups, and {given} is none")
    file = name_backup(given, timezone.now()) if is_folder else given
    with connect_as_owner():
        warnings = make_backup(file)
    sys.stdout.write(f"{file}: {describe_size(file)}\n")
    warnings.append(note_done(Upkeep.Kind.BACKUP))
    sys.stdout.write("".join(f"{warning}\n" for warning in warnings if warning))
    if options.keep:
        removed = remove_older(file, options.keep)
        sys.stdout.write("".join(f"{path}: removed\n" for path in removed))
    return 0


def run_restore(options: argparse.Namespace) -> int:
    """Restore a backup, or only try it; return 1 if a game in it does not match its record.

    Returns `LATE` if all games match, but the record of one does not prove its start.
    """
    site = find_site(options.data)
    site.require() if options.trial else site.create_directory()
    load_site(site)
    if options.trial:
        return _try_backup(options)
    from django.conf import settings  # noqa: PLC0415
    from django.db import connection  # noqa: PLC0415

    from diplomaccloud.project.backup import restore_backup  # noqa: PLC0415
    from diplomaccloud.project.backup_folder import note_done  # noqa: PLC0415
    from diplomaccloud.project.databases import connect_as_owner  # noqa: PLC0415
    from diplomaccloud.worker.models import Upkeep  # noqa: PLC0415

    with connect_as_owner():
        manifest, replayed = restore_backup(
            options.file, replace=options.replace, sample=options.games
        )
        # The database that knew of this backup has just been replaced.
        made_at = dt.datetime.fromisoformat(manifest.made_at)
        warning = note_done(Upkeep.Kind.BACKUP, made_at)
    write = sys.stdout.write
    write(f"{warning}\n" if warning else "")
    write(f"Restored the site of {manifest.made_at}, release {manifest.release}.\n")
    _describe_games(replayed)
    if "secret-key" not in manifest.files:
        write("Set DIPLOMACCLOUD_SECRET_KEY to the old key: sessions and app codes need it.\n")
    if connection.vendor != "sqlite" and settings.OWNER_DATABASE is None:
        write(
            "If the site logs in as another role, it has no rights yet: set "
            "DIPLOMACCLOUD_OWNER_DATABASE_URL and run `diplomaccloud manage migrate`.\n"
        )
    write("Everything after that time is lost; tell the players. Never start the old site again.\n")
    return _rate(replayed)


def _try_backup(options: argparse.Namespace) -> int:
    """Restore a backup beside the site, note the date if it is good, and remove it again."""
    from diplomaccloud.project.backup_folder import find_newest, note_done  # noqa: PLC0415
    from diplomaccloud.project.backup_trial import try_backup  # noqa: PLC0415
    from diplomaccloud.project.databases import connect_as_owner  # noqa: PLC0415
    from diplomaccloud.worker.models import Upkeep  # noqa: PLC0415

    file = find_newest(options.file) if options.file.is_dir() else options.file
    with connect_as_owner():
        manifest, replayed = try_backup(file, sample=options.games)
    sys.stdout.write(
        f"{file} can be restored. It has the site of {manifest.made_at}, "
        f"release {manifest.release}.\n"
    )
    _describe_games(replayed)
    if not replayed.faults and (warning := note_done(Upkeep.Kind.TRIAL)):
        sys.stdout.write(f"{warning}\n")
    sys.stdout.write("The temporary database was removed, and the site has not changed.\n")
    return _rate(replayed)


def _describe_games(replayed: "Replayed") -> None:
    write = sys.stdout.write
    write(f"{replayed.games} games with {replayed.phases} phases were adjudicated again: ")
    write("all are as recorded.\n" if not replayed.faults else "these differ.\n")
    write("".join(f"  {fault}\n" for fault in replayed.faults))
    write("".join(f"  {late}\n" for late in replayed.late))


def _rate(replayed: "Replayed") -> int:
    return 1 if replayed.faults else LATE if replayed.late else 0


_MARKS = ("ok", "ATTENTION", "WRONG")


def add_doctor(commands: "Commands") -> None:
    """Add the command."""
    doctor = commands.add_parser(
        "doctor",
        help="check a site, and suggest fixes",
        description="Check the settings, the database, the machine and the services of a site. "
        "The exit status is 0 if all is well, 1 if something needs attention, and 2 if something "
        "is wrong.",
    )
    doctor.add_argument("--url", help="also visit the site at this address, and check its headers")
    doctor.add_argument("--json", action="store_true", help="print the findings as JSON")
    add_data_option(doctor)
    doctor.set_defaults(run=_run_doctor)


def _run_doctor(options: argparse.Namespace) -> int:
    """Print the findings; return the level of the worst one."""
    open_site(options.data, needs_tables=False)
    from diplomaccloud.project import doctor as site  # noqa: PLC0415

    findings = list(
        chain(
            site.check_settings(),
            site.check_files(),
            site.check_limits(),
            site.check_database(),
            site.check_services(),
            site.check_mail(),
            site.check_visit(options.url) if options.url else (),
        )
    )
    if options.json:
        rows = [asdict(finding) | {"level": finding.level.name.lower()} for finding in findings]
        sys.stdout.write(f"{json.dumps(rows, indent=1)}\n")
    else:
        for finding in findings:
            mark = _MARKS[finding.level]
            sys.stdout.write(f"{mark:<10}{finding.part}: {finding.what}\n")
            if finding.fix:
                sys.stdout.write(f"{'':<10}{finding.fix}\n")
    return max(finding.level for finding in findings)
