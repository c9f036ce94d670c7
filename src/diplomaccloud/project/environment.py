"""Environment variables of the site, each with a safe default."""

import contextlib
import os
import secrets
import tempfile
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

from diplomaccloud.shared.files import sync_folder, write_durably

PREFIX = "DIPLOMACCLOUD_"


def read_text(name: str, default: str = "") -> str:
    """Return the variable `DIPLOMACCLOUD_<name>`, or `default` if it is unset or blank."""
    return os.environ.get(PREFIX + name, "").strip() or default


def read_flag(name: str, default: str = "") -> bool:
    """Return whether the variable is `1`, `true`, `yes` or `on`."""
    return read_text(name, default).lower() in {"1", "true", "yes", "on"}


def read_words(name: str, default: str = "") -> list[str]:
    """Return the words of the variable, separated by commas or spaces."""
    return read_text(name, default).replace(",", " ").split()


def read_number(name: str, default: int = 0) -> int:
    """Return the variable as a whole number, or `default`; raise `ImproperlyConfigured`."""
    value = read_text(name, str(default))
    if not (value.isascii() and value.isdigit()):
        raise ImproperlyConfigured(f"{PREFIX}{name} must be a whole number, not {value[:20]!r}.")
    return int(value)


def read_database_url() -> str:
    """Return the URL of the database, or blank for the SQLite file.

    `DATABASE_URL` without our prefix works too, because hosting services set it.
    """
    return read_text("DATABASE_URL") or os.environ.get("DATABASE_URL", "").strip()


def load_secret_key(directory: Path) -> str:
    """Return the signing key: the variable `SECRET_KEY`, or the key stored in `directory`.

    The first call creates the file, which only its owner can read. If two processes start at the
    same time, both read the key that the first one created.
    """
    if key := read_text("SECRET_KEY"):
        return key
    path = directory / "secret-key"
    if not path.exists():
        directory.mkdir(parents=True, exist_ok=True)
        # Not named after the process: processes in two containers may have the same id.
        descriptor, name = tempfile.mkstemp(prefix="secret-key.", dir=directory)
        os.close(descriptor)
        draft = Path(name)
        try:
            write_durably(draft, secrets.token_urlsafe(50).encode("ascii"))
            with contextlib.suppress(FileExistsError):
                path.hardlink_to(draft)
        finally:
            draft.unlink(missing_ok=True)
        sync_folder(directory)
    return path.read_text(encoding="ascii").strip()
