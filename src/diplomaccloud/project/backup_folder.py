"""A folder of backups that the site names itself, and removes when they are old.

Such a file is recognized by its name and by the site in its manifest, so that files of other sites
or with names of people's own stay.
"""

import datetime as dt
import re
from pathlib import Path
from typing import Final

from django.db import DatabaseError
from django.utils import timezone

from diplomaccloud.project.backup import BackupError, identify_site, open_archive
from diplomaccloud.worker.models import Upkeep

_NAME: Final = re.compile(r"diplomaccloud-\d{4}-\d\d-\d\d-\d{6}\.backup")


def name_backup(folder: Path, now: dt.datetime) -> Path:
    """Return the path of a new backup in a folder."""
    return folder / f"diplomaccloud-{now.astimezone(dt.UTC):%Y-%m-%d-%H%M%S}.backup"


def list_own(folder: Path) -> list[Path]:
    """Return this site's backups in a folder, the newest first.

    Damaged files are left out.
    """
    site = identify_site()
    named = [path for path in folder.iterdir() if _NAME.fullmatch(path.name)]
    # The names begin with the date.
    return sorted((path for path in named if _read_site(path) == site), reverse=True)


def _read_site(path: Path) -> str | None:
    if path.is_symlink() or not path.is_file():
        return None
    try:
        with open_archive(path, verify=False) as archive:
            return archive.manifest.site
    except (BackupError, OSError):
        return None


def find_newest(folder: Path) -> Path:
    """Return this site's newest backup in a folder; raise `BackupError` if there is none."""
    if found := list_own(folder):
        return found[0]
    raise BackupError(f"{folder} contains no backup that this site has named: give a file")


def remove_older(new: Path, keep: int) -> list[Path]:
    """Remove all but the newest `keep` of this site's backups beside `new`, and return those.

    `new` stays even if its name is not the newest, because the clock was wrong once.
    """
    others = [path for path in list_own(new.parent) if path.name != new.name]
    old = others[keep - 1 :]
    for path in old:
        path.unlink(missing_ok=True)  # another backup may remove it at the same time
    return old


def note_done(kind: Upkeep.Kind, at: dt.datetime | None = None) -> str:
    """Store when a backup or a trial succeeded, now or `at`; return a warning if it is impossible.

    The work is done, so it does not fail without its note.
    """
    try:
        Upkeep.objects.update_or_create(kind=kind, defaults={"done_at": at or timezone.now()})
    except DatabaseError as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
        return f"The doctor will not know of this, because its date could not be stored: {reason}"
    return ""
