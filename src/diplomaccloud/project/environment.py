"""Environment variables: how a setting is declared and read.

The settings of the site are declared in `variables`, those of an extra in its `Extra.settings`.
This module imports nothing heavy. `pydantic-settings` would take 4.8 MB in each process.
"""

import contextlib
import os
import re
import secrets
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Generic, TypeVar
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from diplomaccloud.shared.files import sync_folder, write_durably

PREFIX: Final = "DIPLOMACCLOUD_"
_SHOWN: Final = 20
"""How many characters of a wrong value an error shows."""
_HOST: Final = re.compile(
    r"\*|\.?[\w-][\w.-]*|\[[0-9a-fA-F:.]+\]|[0-9a-fA-F]*:[0-9a-fA-F.]*:[0-9a-fA-F:.]*"
)
"""Any host, a name, a name with all below it, or an address of IPv6."""
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Kind(Generic[Value]):
    """A kind of values: what the documentation calls it, and how to parse a text."""

    label: str
    parse: Callable[[str], Value]
    """Raises `ValueError` with the rest of a sentence, such as "must be a whole number", or
    `ImproperlyConfigured` with a whole sentence that names the variable."""


@dataclass(frozen=True, slots=True)
class Setting(Generic[Value]):
    """An environment variable that changes the site."""

    name: str
    """Without the prefix."""
    kind: Kind[Value]
    meaning: str
    """A sentence."""
    example: str
    """A value that can be used, perhaps with other names and passwords."""
    default: str = ""
    """What is parsed if the variable is unset or blank."""
    is_secret: bool = False
    """Whether the value must never be shown."""
    section: str = ""
    """The part of `docs/operations.md` that says more."""
    alias: str = ""
    """Another variable, without our prefix, that works too because hosting services set it."""

    @property
    def variable(self) -> str:
        """The name of the environment variable."""
        return PREFIX + self.name

    def read(self) -> Value:
        """Return the value; raise `ImproperlyConfigured` with a valid example if it is wrong."""
        text = self._find_text()
        try:
            return self.kind.parse(text or self.default)
        except ImproperlyConfigured as error:
            raise self.build_error(str(error)) from None
        except ValueError as error:
            shown = "" if self.is_secret else f", not {_shorten(text)}"
            raise self.build_error(f"{self.name_variable()} {error}{shown}.") from None

    def is_set(self) -> bool:
        """Return whether the variable has a value."""
        return bool(self._find_text())

    def describe(self) -> str:
        """Return the assignment of a setting that is set, without a secret."""
        value = "(secret)" if self.is_secret else self._find_text()
        return f"{self.name_variable()}={value}"

    def build_error(self, sentence: str) -> ImproperlyConfigured:
        """Return the error with a valid example."""
        return ImproperlyConfigured(
            f"{sentence} For example: {self.name_variable()}={quote_value(self.example)}"
        )

    def name_variable(self) -> str:
        """Return the name of the variable that has the value."""
        has_own = os.environ.get(self.variable, "").strip()
        return self.alias if self.alias and not has_own else self.variable

    def _find_text(self) -> str:
        return os.environ.get(self.name_variable(), "").strip()


def quote_value(value: str) -> str:
    """Return a value as it stands in a file of settings, which a shell reads in the same way."""
    is_plain = all(sign.isalnum() or sign in "_-.,:/@%+=" for sign in value)
    if is_plain:
        return value
    escaped = "".join(f"\\{sign}" if sign in '"\\$`' else sign for sign in value)
    return f'"{escaped}"'


def _shorten(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…")


def _parse_flag(text: str) -> bool:
    if text.lower() in {"1", "true", "yes", "on"}:
        return True
    if text.lower() in {"0", "false", "no", "off"}:
        return False
    raise ValueError("must be 1 or 0")


def _parse_number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise ValueError("must be a whole number")
    return int(text)


def _split_words(text: str) -> list[str]:
    return text.replace(",", " ").split()


def _parse_hosts(text: str) -> list[str]:
    hosts = _split_words(text)
    if not all(map(_HOST.fullmatch, hosts)):
        raise ValueError("must be host names alone, without https://, ports and slashes")
    return hosts


def _parse_origins(text: str) -> list[str]:
    origins = _split_words(text)
    for origin in origins:
        try:
            parts = urlsplit(origin)
            is_origin = bool(parts.hostname) and origin == f"{parts.scheme}://{parts.netloc}"
            _ = parts.port
        except ValueError:
            is_origin = False
        if not is_origin or parts.scheme not in {"http", "https"}:
            raise ValueError("must begin with https:// and end after the host name or the port")
    return origins


def _parse_link(text: str) -> str:
    if not text:
        return ""
    try:
        parts = urlsplit(text)
        is_link = parts.scheme in {"http", "https"} and bool(parts.hostname)
    except ValueError:
        is_link = False
    if not is_link or not text.isascii() or not text.isprintable() or " " in text:
        raise ValueError("must be a link that begins with https://")
    return text


def parse_folder(text: str) -> str:
    """Return the path of a folder, which can be missing; raise `ValueError` if it cannot be one."""
    if not text:
        return ""
    path = Path(text)
    with contextlib.suppress(OSError):  # perhaps another user may read it
        nearest = next(place for place in (path, *path.parents) if place.exists())
        if not nearest.is_dir():
            raise ValueError("must be a folder, or the path of a new one")
    return text


TEXT: Final = Kind("text", str)
FOLDER: Final = Kind("folder", parse_folder)
FLAG: Final = Kind("`1` or `0`", _parse_flag)
NUMBER: Final = Kind("whole number", _parse_number)
HOSTS: Final = Kind("host names", _parse_hosts)
ORIGINS: Final = Kind("origins", _parse_origins)
LINK: Final = Kind("link", _parse_link)


def choose_from(*choices: str) -> Kind[str]:
    """Return the kind of values that are one of these words, in any case."""

    def parse(text: str) -> str:
        for choice in choices:
            if text.lower() == choice.lower():
                return choice
        raise ValueError(f"must be one of {', '.join(choices)}")

    return Kind(", ".join(f"`{choice}`" for choice in choices), parse)


def checked_by(label: str, check: Callable[[str], object]) -> Kind[str]:
    """Return the kind of texts that `check` accepts."""

    def parse(text: str) -> str:
        check(text)
        return text

    return Kind(label, parse)


def load_secret_key(given: str, directory: Path) -> str:
    """Return the signing key: `given`, or the key stored in `directory` if that is blank.

    The first call creates the file, which only its owner can read. If two processes start at the
    same time, both read the key that the first one created.
    """
    if given:
        return given
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
