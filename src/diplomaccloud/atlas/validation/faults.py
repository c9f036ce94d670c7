"""Faults of a file: the path of each and what is wrong there."""

from collections.abc import Iterator
from dataclasses import dataclass, field

MAX_LISTED_FAULTS = 1_000
"""How many faults are listed; further ones are only counted."""

MAX_UNLISTED_FAULTS = 10_000
"""After counting this many further faults the validation stops."""


class TooManyFaultsError(Exception):
    """The file has too many faults to continue the validation."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of the value at `path`, e.g. `board.provinces[12].code`."""

    path: str
    message: str

    def __str__(self) -> str:
        return f"{self.path or 'chart'}: {self.message}"


@dataclass(slots=True)
class Faults:
    """The faults so far, in the order in which they were found.

    `unlisted` counts further faults beyond `MAX_LISTED_FAULTS`, up to `MAX_UNLISTED_FAULTS`.
    """

    _listed: list[Fault] = field(default_factory=list)
    unlisted: int = 0

    def add(self, path: str, message: str) -> None:
        """Add a fault; raises `TooManyFaultsError` when the limit is reached."""
        if len(self._listed) < MAX_LISTED_FAULTS:
            self._listed.append(Fault(path, message))
            return
        self.unlisted += 1
        if self.unlisted >= MAX_UNLISTED_FAULTS:
            raise TooManyFaultsError

    def has_fault_in(self, path: str) -> bool:
        """Return whether the value at `path` or a part of it has a fault."""
        return any(fault.path.startswith(path) for fault in self._listed)

    def __iter__(self) -> Iterator[Fault]:
        return iter(self._listed)

    def __len__(self) -> int:
        return len(self._listed) + self.unlisted


def quote_text(text: str) -> str:
    """Return `text` in quotes, shortened and safe to print on any terminal."""
    return ascii(text if len(text) <= 40 else f"{text[:37]}...")


def join_path(path: str, key: str) -> str:
    """Return the path of the member `key` of the object at `path`."""
    name = key if key.isascii() and key.replace("_", "").isalnum() else quote_text(key)
    return f"{path}.{name}" if path else name
