"""`diplomaccloud manage`: runs the site's own commands and Django's."""

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
Manage the site in the directory DIPLOMACCLOUD_DATA, or in ./data if that is not set.

  migrate                update the database, or create it
  worker                 process due phases and send mail until stopped
  mapmaker               draw, certify and make maps until stopped
  release SLUG           resume a suspended game
  recount                compare stored statistics of people and games with the facts
  changepassword NAME    set a new password for a user

`diplomaccloud manage help` lists all commands, including Django's.
`diplomaccloud manage help COMMAND` shows the options of a command."""
_CREATES_SITE: Final = "migrate"
_WORKS_WITHOUT_SITE: Final = frozenset(
    {"check", "collectstatic", "diffsettings", "findstatic", "help", "makemigrations", "version"}
)
"""Commands that do not need a site."""


def add(commands: "Commands") -> None:
    """Add the command."""
    manage = commands.add_parser(
        "manage",
        help="manage a site: workers, database, passwords",
        usage="diplomaccloud manage [-h] COMMAND ...",
        description=_ABOUT,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    manage.add_argument("arguments", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    manage.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run the command; raise `ValueError` if it needs a site and there is none."""
    from django.core.exceptions import ImproperlyConfigured  # noqa: PLC0415

    from diplomaccloud.project.connections import raise_descriptor_limit  # noqa: PLC0415

    raise_descriptor_limit()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "diplomaccloud.project.settings")
    command, *rest = options.arguments or ["help"]
    needs_no_site = command in _WORKS_WITHOUT_SITE or "--help" in rest or "-h" in rest
    try:
        if command == _CREATES_SITE or _has_site():
            _execute(options.arguments)
        elif needs_no_site:
            with _temporary_data():
                _execute(options.arguments)
        else:
            raise _no_site()
    except ImproperlyConfigured as error:
        raise ValueError(str(error)) from error
    return 0


def enter_site(*, needs_site: bool) -> None:
    """Set Django up for the site; raise `ValueError` if a setting is wrong or there is no site."""
    import django  # noqa: PLC0415
    from django.core.exceptions import ImproperlyConfigured  # noqa: PLC0415

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "diplomaccloud.project.settings")
    try:
        if needs_site and not _has_site():
            raise _no_site()
        django.setup()
    except ImproperlyConfigured as error:
        raise ValueError(str(error)) from error


def _no_site() -> ValueError:
    return ValueError(
        f"there is no site in {_read_directory()!r} (set DIPLOMACCLOUD_DATA to its directory, or "
        "create a site with `diplomaccloud manage migrate`)"
    )


def _read_directory() -> str:
    from diplomaccloud.project.environment import read_text  # noqa: PLC0415

    return read_text("DATA", "data")


def _has_site() -> bool:
    """Return whether there is a database file; a database on a server is assumed to exist."""
    from diplomaccloud.project.databases import parse_database_url  # noqa: PLC0415
    from diplomaccloud.project.environment import read_database_url  # noqa: PLC0415

    settings = parse_database_url(
        read_database_url(), default=Path(_read_directory()) / "diplomaccloud.sqlite3"
    )
    return "sqlite" not in settings["ENGINE"] or Path(settings["NAME"]).is_file()


@contextmanager
def _temporary_data() -> Iterator[None]:
    # Django creates a directory for logs at start-up, which a help command must not leave behind.
    with tempfile.TemporaryDirectory() as directory:
        os.environ["DIPLOMACCLOUD_DATA"] = directory
        yield


def _execute(arguments: Sequence[str]) -> None:
    """Run Django's command; raise `ValueError` if the database lacks the site's tables."""
    from django.core.management import execute_from_command_line  # noqa: PLC0415
    from django.db import DatabaseError, connection  # noqa: PLC0415

    try:
        execute_from_command_line(["diplomaccloud manage", *arguments])
    except DatabaseError:
        if "migrate" in arguments or "games_game" in connection.introspection.table_names():
            raise
        raise ValueError(
            "the database has no tables yet (create them with `diplomaccloud manage migrate`)"
        ) from None
