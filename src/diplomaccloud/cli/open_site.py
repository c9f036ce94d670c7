"""The one way in which commands find a site: `--data`, then `DIPLOMACCLOUD_DATA`, then `./data`.

Its database is that of `DIPLOMACCLOUD_DATABASE_URL` or `DATABASE_URL`, or else the SQLite file in
the data directory.
"""

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

_OPTION: Final = "--data"


def add_data_option(parser: argparse.ArgumentParser) -> None:
    """Add the option that names a site."""
    parser.add_argument(
        _OPTION,
        type=Path,
        metavar="DIR",
        help="the data directory of the site (default: DIPLOMACCLOUD_DATA, or ./data)",
    )


def take_data_option(words: Sequence[str]) -> tuple[Path | None, list[str]]:
    """Return the value of the option among the words for Django, and the other words."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    add_data_option(parser)
    options, others = parser.parse_known_args(words)
    return options.data, others


@dataclass(frozen=True, slots=True)
class Site:
    """A site, or the place where one can be created."""

    directory: Path
    database: Mapping[str, Any]
    """Django's settings of the database."""

    @property
    def file(self) -> Path | None:
        """The SQLite file, or None if the database is on a server."""
        return Path(self.database["NAME"]) if "sqlite" in self.database["ENGINE"] else None

    def require(self) -> None:
        """Raise `ValueError` if there is no site; one whose database is on a server may exist."""
        try:
            if self.file is None or self.file.is_file():
                return
        except PermissionError:
            raise ValueError(
                f"this user may not read the site in {str(self.directory)!r}: run the command as "
                "its owner, or with diplomaccloud-site as root"
            ) from None
        place = str(self.directory if self.file.parent == self.directory else self.file)
        raise ValueError(
            f"there is no site in {place!r} (choose another place with {_OPTION}, or create a site "
            "with `diplomaccloud manage migrate`)"
        )

    def create_directory(self) -> None:
        """Create the data directory if it is missing; raise `ValueError` if that is impossible."""
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise ValueError(
                f"the directory {str(self.directory)!r} cannot be created: {reason} (choose "
                f"another with {_OPTION} or DIPLOMACCLOUD_DATA)"
            ) from None

    def describe(self) -> str:
        """Return a sentence that says where the site is, without secrets."""
        if self.file is None:
            host = self.database["HOST"] or "this machine"
            return (
                f"The site is in {self.directory}, its database {self.database['NAME']} on {host}."
            )
        if self.file.parent != self.directory:
            return f"The site is in {self.directory}, its database in {self.file}."
        return f"The site is in {self.directory}."

    def use(self) -> None:
        """Make this process and its children use the site, and say so on standard error."""
        from diplomaccloud.project.variables import (  # noqa: PLC0415
            DATA,
            belongs_to_play,
            describe_doubts,
        )

        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "diplomaccloud.project.settings")
        os.environ[DATA.variable] = str(self.directory)
        if not belongs_to_play():  # which has said it already
            lines = [*describe_doubts(), self.describe()]
            sys.stderr.write("".join(f"{line}\n" for line in lines))


def find_site(data: Path | None) -> Site:
    """Return the site of the option `--data`, or that of the environment.

    Raises `ValueError` if a setting is wrong.
    """
    from django.core.exceptions import ImproperlyConfigured  # noqa: PLC0415

    from diplomaccloud.project.databases import parse_database_url  # noqa: PLC0415
    from diplomaccloud.project.variables import (  # noqa: PLC0415
        DATA,
        DATABASE_URL,
        require_valid_settings,
    )

    try:
        require_valid_settings()
    except ImproperlyConfigured as error:
        raise ValueError(str(error)) from error
    directory = (data or Path(DATA.read())).resolve()
    default = directory / "diplomaccloud.sqlite3"
    return Site(directory, parse_database_url(DATABASE_URL.read(), default=default))


def open_site(data: Path | None, *, needs_tables: bool = True) -> None:
    """Set Django up for a site that exists.

    Raises `ValueError` if there is none, if a setting is wrong, or if its database does not answer
    or has no tables, unless the command can do without them.
    """
    site = find_site(data)
    site.require()
    load_site(site)
    if needs_tables:
        require_tables()


def load_site(site: Site) -> None:
    """Set Django up for a site; raise `ValueError` if a setting is wrong."""
    import django  # noqa: PLC0415
    from django.core.exceptions import ImproperlyConfigured  # noqa: PLC0415

    site.use()
    try:
        django.setup()
    except ImproperlyConfigured as error:
        raise ValueError(str(error)) from error


def require_database() -> None:
    """Raise `ValueError` if the database does not answer."""
    from django.conf import settings  # noqa: PLC0415
    from django.db import DatabaseError, connection  # noqa: PLC0415

    from diplomaccloud.project.databases import try_connection  # noqa: PLC0415
    from diplomaccloud.project.variables import DATABASE_URL, OWNER_DATABASE_URL  # noqa: PLC0415

    try:
        try_connection()
    except DatabaseError as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        fix = "start it" if connection.vendor != "sqlite" else "check the file and its rights"
        owner = settings.OWNER_DATABASE
        is_owner = owner and owner["USER"] == connection.settings_dict["USER"]
        name = (OWNER_DATABASE_URL if is_owner else DATABASE_URL).name_variable()
        raise ValueError(
            f"the database does not answer: {reason} ({fix}, or correct {name})"
        ) from None


def require_tables() -> None:
    """Raise `ValueError` if the database does not answer, or lacks the site's tables."""
    from django.db import connection  # noqa: PLC0415

    require_database()
    if "games_game" not in connection.introspection.table_names():
        raise ValueError(
            "the database has no tables yet (create them with `diplomaccloud manage migrate`)"
        )
