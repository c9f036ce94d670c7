"""`diplomaccloud manage`: the site's own commands and Django's."""

import argparse
import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from diplomaccloud.cli.common import Commands

_ABOUT: Final = """\
Look after a site: the one whose directory DIPLOMACCLOUD_DATA names, ./data otherwise.

  migrate                bring the database up to date, or make a new one
  worker                 process due phases until told to stop
  mapmaker               draw, certify and make maps until told to stop
  release SLUG           give a game that was put aside back to the clock
  changepassword NAME    choose a new password for somebody

`diplomaccloud manage help` lists Django's other commands too, and
`diplomaccloud manage help COMMAND` says what one takes."""
_MAKER: Final = "migrate"
_ANYWHERE: Final = frozenset(
    {"check", "collectstatic", "diffsettings", "findstatic", "help", "makemigrations", "version"}
)
"""Commands that ask nothing of a site."""


def add(commands: "Commands") -> None:
    """Add the command."""
    manage = commands.add_parser(
        "manage",
        help="look after a site: workers, database, passwords",
        usage="diplomaccloud manage [-h] COMMAND ...",
        description=_ABOUT,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    manage.add_argument("arguments", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    manage.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run the command; raises `ValueError` where there is no site for it."""
    from django.core.exceptions import ImproperlyConfigured  # noqa: PLC0415

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "diplomaccloud.project.settings")
    command, *rest = options.arguments or ["help"]
    asks_nothing = command in _ANYWHERE or "--help" in rest or "-h" in rest
    try:
        if command == _MAKER or _site_is_there():
            _execute(options.arguments)
        elif asks_nothing:
            with _nowhere():
                _execute(options.arguments)
        else:
            raise ValueError(
                f"there is no site in {_directory()!r} (say where with DIPLOMACCLOUD_DATA, or "
                "make one with `diplomaccloud manage migrate`)"
            )
    except ImproperlyConfigured as fault:
        raise ValueError(str(fault)) from fault
    return 0


def _directory() -> str:
    from diplomaccloud.project.environment import read_text  # noqa: PLC0415

    return read_text("DATA", "data")


def _site_is_there() -> bool:
    """Return whether there is a database, asked without making one; servers are not asked."""
    from diplomaccloud.project.databases import parse_database_url  # noqa: PLC0415
    from diplomaccloud.project.environment import read_database_url  # noqa: PLC0415

    settings = parse_database_url(
        read_database_url(), default=Path(_directory()) / "diplomaccloud.sqlite3"
    )
    return "sqlite" not in settings["ENGINE"] or Path(settings["NAME"]).is_file()


@contextmanager
def _nowhere() -> Iterator[None]:
    # Django's set-up makes a directory for logs, which a question need not leave behind.
    with tempfile.TemporaryDirectory() as directory:
        os.environ["DIPLOMACCLOUD_DATA"] = directory
        yield


def _execute(arguments: Sequence[str]) -> None:
    """Run Django's command; raises `ValueError` if the database has none of our tables."""
    from django.core.management import execute_from_command_line  # noqa: PLC0415
    from django.db import DatabaseError, connection  # noqa: PLC0415

    try:
        execute_from_command_line(["diplomaccloud manage", *arguments])
    except DatabaseError:
        if "migrate" in arguments or "games_game" in connection.introspection.table_names():
            raise
        raise ValueError(
            "the database has no tables yet (make them with `diplomaccloud manage migrate`)"
        ) from None
