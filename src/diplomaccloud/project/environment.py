"""What the environment says: each variable read once, with a safe default."""

import contextlib
import os
import secrets
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

PREFIX = "DIPLOMACCLOUD_"


def text(name: str, default: str = "") -> str:
    """Return the variable `DIPLOMACCLOUD_<name>`, or `default` if it is unset or blank."""
    return os.environ.get(PREFIX + name, "").strip() or default


def flag(name: str) -> bool:
    """Return whether the variable says yes: `1`, `true`, `yes` or `on`."""
    return text(name).lower() in {"1", "true", "yes", "on"}


def words(name: str, default: str = "") -> list[str]:
    """Return the variable's words, separated by commas or spaces."""
    return text(name, default).replace(",", " ").split()


def number(name: str) -> int:
    """Return the variable as a whole number, 0 if it is unset; raise `ImproperlyConfigured`."""
    given = text(name, "0")
    if not (given.isascii() and given.isdigit()):
        raise ImproperlyConfigured(f"{PREFIX}{name} is a whole number, not {given[:20]!r}.")
    return int(given)


def database_url() -> str:
    """Return the address of the database, or a blank for the SQLite file.

    `DATABASE_URL` without our prefix counts too, since that is what hosts set.
    """
    return text("DATABASE_URL") or os.environ.get("DATABASE_URL", "").strip()


def secret_key(directory: Path) -> str:
    """Return the signing key: the variable `SECRET_KEY`, or one kept in `directory`.

    The first call makes the file, readable by its owner alone; of two processes that start at
    once both read the key of the one that came first.
    """
    if given := text("SECRET_KEY"):
        return given
    path = directory / "secret-key"
    if not path.exists():
        directory.mkdir(parents=True, exist_ok=True)
        draft = directory / f"secret-key.{os.getpid()}"
        draft.touch(mode=0o600)
        draft.write_text(secrets.token_urlsafe(50), encoding="ascii")
        with contextlib.suppress(FileExistsError):
            path.hardlink_to(draft)
        draft.unlink()
    return path.read_text(encoding="ascii").strip()
