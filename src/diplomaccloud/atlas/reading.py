"""Reading of untrusted JSON values: every refusal names the place at fault."""

import math
import re
from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

_T = TypeVar("_T")

MOST_ITEMS = 20_000


class ChartError(ValueError):
    """A chart file that cannot be read; the message names the place at fault."""


class Node:
    """A JSON value and where it stands in the file, such as `arcs[3].points`.

    Each method returns the value if it is of the wanted kind and raises `ChartError`
    otherwise. Nothing is converted silently: `true` is no number, `"1"` no integer.
    """

    __slots__ = ("value", "where")

    def __init__(self, value: object, where: str = "chart") -> None:
        self.value = value
        self.where = where

    def fail(self, message: str) -> ChartError:
        """Return an error that names this place."""
        return ChartError(f"{self.where}: {message}")

    def field(self, name: str) -> "Node":
        """Return the member `name` of an object."""
        if not isinstance(self.value, Mapping):
            raise self.fail("is not an object")
        if name not in self.value:
            raise self.fail(f"has no {name!r}")
        return Node(self.value[name], f"{self.where}.{name}")

    def items(self, most: int = MOST_ITEMS) -> Iterator["Node"]:
        """Yield the members of a list of at most `most`."""
        if not isinstance(self.value, list):
            raise self.fail("is not a list")
        if len(self.value) > most:
            raise self.fail(f"has {len(self.value)} members, more than {most}")
        for index, member in enumerate(self.value):
            yield Node(member, f"{self.where}[{index}]")

    def several(self, read: Callable[["Node"], _T], most: int = MOST_ITEMS) -> tuple[_T, ...]:
        """Return what `read` makes of each member of a list."""
        return tuple(read(node) for node in self.items(most))

    def members(self, most: int = MOST_ITEMS) -> Iterator[tuple[str, "Node"]]:
        """Yield the keys and values of an object of at most `most`."""
        if not isinstance(self.value, Mapping):
            raise self.fail("is not an object")
        if len(self.value) > most:
            raise self.fail(f"has {len(self.value)} members, more than {most}")
        for key, member in self.value.items():
            if not isinstance(key, str):
                raise self.fail("has a key that is not text")
            yield key, Node(member, f"{self.where}.{key[:24]}")

    def text(self, pattern: re.Pattern[str] | None = None, most: int = 80) -> str:
        """Return a printable text of at most `most` characters that matches all of `pattern`."""
        if not isinstance(self.value, str):
            raise self.fail("is not text")
        if len(self.value) > most:
            raise self.fail(f"is longer than {most} characters")
        if not self.value.isprintable():
            raise self.fail("holds a character that cannot be printed")
        if pattern is not None and pattern.fullmatch(self.value) is None:
            raise self.fail(f"cannot be {self.value[:24]!r}")
        return self.value

    def number(self, low: float, high: float) -> float:
        """Return a number from `low` to `high`."""
        if isinstance(self.value, bool) or not isinstance(self.value, int | float):
            raise self.fail("is not a number")
        # Compared before conversion: a huge integer does not fit a float.
        if not low <= self.value <= high or not math.isfinite(self.value):
            raise self.fail(f"is not from {low:g} to {high:g}")
        return float(self.value)

    def integer(self, low: int, high: int) -> int:
        """Return a whole number from `low` to `high`."""
        if isinstance(self.value, bool) or not isinstance(self.value, int):
            raise self.fail("is not a whole number")
        if not low <= self.value <= high:
            raise self.fail(f"is not from {low} to {high}")
        return self.value
