"""Which databases this release can upgrade.

The first migration of some apps stands for many older ones, which are gone. Its name says up to
which number: `0001_squashed_0028_event_order`. A database that had run all of them has recorded
it as well, once the last release that had both has migrated it.

Building the models again after each of 63 migrations took half a minute of processor time, at the
first start of `./play` and in each group of tests; squashed migrations take half of that.
"""

import re
from collections.abc import Collection
from pathlib import Path
from pkgutil import iter_modules
from typing import Final

from django.apps import apps

Key = tuple[str, str]
"""The app and the name of a migration."""

BRIDGE: Final = "80c137b1"
"""The last commit that can upgrade older databases."""
TOO_OLD: Final = (
    "the database is too old for this release: upgrade it with commit "
    f"{BRIDGE} first (its `./play` or `diplomaccloud manage migrate`)"
)
PACKAGES: Final = {"slack": "diplomaccloud-slack"}
"""The packages in `extras` that have tables, by app: without one, its data cannot be erased."""
_SQUASHED: Final = re.compile(r"0001_squashed_(\d{4})_")


def is_current(applied: Collection[Key]) -> bool:
    """Return whether the database has exactly the tables of this release, so nothing to migrate.

    It needs no note of an earlier check, which would be wrong once a database is restored.
    """
    return has_all_migrations(applied) and not list_newer(applied)


def has_all_migrations(applied: Collection[Key]) -> bool:
    """Return whether a database with these migrations has the tables of this release."""
    return _list_own() <= set(applied)


def is_too_old(applied: Collection[Key]) -> bool:
    """Return whether the database with these migrations lacks one that replaced its older ones."""
    known = {app for app, _ in applied}
    return any(
        app in known and (app, name) not in applied
        for app, name in _list_own()
        if _SQUASHED.match(name)
    )


def list_newer(applied: Collection[Key]) -> list[Key]:
    """Return which of these migrations only a newer release has, in order."""
    keys = _list_own()
    replaced_up_to = {app: match[1] for app, name in keys if (match := _SQUASHED.match(name))}
    return sorted(
        (app, name) for app, name in set(applied) - keys if name[:4] > replaced_up_to.get(app, "")
    )


def find_missing_package(applied: Collection[Key]) -> str | None:
    """Return the name of a package that made tables of this database but is not installed."""
    present = {app for app, _ in _list_own()}
    absent = sorted({app for app, _ in applied} - present)
    return next((PACKAGES[app] for app in absent if app in PACKAGES), None)


def _list_own() -> set[Key]:
    """Return the migrations that this release has, without importing them."""
    return {
        (config.label, module.name)
        for config in apps.get_app_configs()
        for module in iter_modules([str(Path(config.path, "migrations"))])
        if not module.ispkg
    }
