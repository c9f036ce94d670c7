"""Faults of a file: where, and what is wrong there."""

from collections.abc import Iterator
from dataclasses import dataclass, field

MOST_FAULTS = 1_000
"""Of more faults than these only the number is kept."""

MOST_COUNTED = 10_000
"""With so many more than are kept, a file is looked at no further."""


class EnoughFaultsError(Exception):
    """So many faults are found that more would help nobody."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong: `path` leads to it, such as `board.provinces[12].code`."""

    path: str
    message: str

    def __str__(self) -> str:
        return f"{self.path or 'chart'}: {self.message}"


@dataclass(slots=True)
class Faults:
    """The faults found so far, in the order found.

    `unlisted` counts those beyond `MOST_FAULTS`, up to `MOST_COUNTED`.
    """

    _listed: list[Fault] = field(default_factory=list)
    unlisted: int = 0

    def add(self, path: str, message: str) -> None:
        """Note a fault; raises `EnoughFaultsError` if there are as many as are counted."""
        if len(self._listed) < MOST_FAULTS:
            self._listed.append(Fault(path, message))
            return
        self.unlisted += 1
        if self.unlisted >= MOST_COUNTED:
            raise EnoughFaultsError

    def within(self, path: str) -> bool:
        """Return whether a fault was found in the member at `path`, or in a part of it."""
        return any(fault.path.startswith(path) for fault in self._listed)

    def __iter__(self) -> Iterator[Fault]:
        return iter(self._listed)

    def __len__(self) -> int:
        return len(self._listed) + self.unlisted


def quoted(text: str) -> str:
    """Return `text` in quotes, cut short and safe to print on any terminal."""
    return ascii(text if len(text) <= 40 else f"{text[:37]}...")


def below(path: str, key: str) -> str:
    """Return the path of the member `key` of the object at `path`."""
    name = key if key.isascii() and key.replace("_", "").isalnum() else quoted(key)
    return f"{path}.{name}" if path else name
