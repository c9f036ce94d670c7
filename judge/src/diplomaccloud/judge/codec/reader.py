"""Reads untrusted JSON values; errors give the path of the part at fault."""

import re
from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import TypeVar

Json = dict[str, object]
"""A JSON object made of plain values."""

MAX_LIST = 20_000
MAX_TEXT = 2_000
MAX_LINE = 80
MAX_WORD = 64
MAX_INTEGER = 1_000_000

_T = TypeVar("_T")
_Member = TypeVar("_Member", bound=StrEnum)


class CodecError(ValueError):
    """JSON that does not describe the expected value; the message names the part at fault."""


class Node:
    """One JSON value and the path that leads to it, such as `arcs[3].points`.

    Each method returns the value if it has the right type, and otherwise raises `CodecError`.
    Nothing is converted silently: `true` is not a number, and `"1"` is not an integer.
    """

    __slots__ = ("_key", "_under", "_value")

    def __init__(self, value: object, key: str | int = "", under: "Node | None" = None) -> None:
        self._value = value
        self._key = key
        self._under = under

    @property
    def _path(self) -> str:
        """The path, which is built only if there is an error."""
        if self._under is None:
            return str(self._key)
        if isinstance(self._key, int):
            return f"{self._under._path}[{self._key}]"
        return self._under._below(self._key)

    def error(self, what: str) -> CodecError:
        """Return an error that says `what` is wrong with this value."""
        return CodecError(f"{self._path or 'value'}: {what}")

    def __getitem__(self, key: str) -> "Node":
        """Return the value under `key` of an object."""
        if not isinstance(self._value, dict):
            raise self.error("not an object")
        if key not in self._value:
            raise CodecError(f"{self._below(key)}: missing")
        return Node(self._value[key], key, self)

    def _below(self, key: str) -> str:
        return f"{self._path}.{key}" if self._path else key

    def __contains__(self, key: str) -> bool:
        return isinstance(self._value, dict) and key in self._value

    @property
    def value(self) -> object:
        """The unchecked value as received."""
        return self._value

    def entries(self, most: int = MAX_LIST) -> Iterator[tuple["Node", "Node"]]:
        """Yield the keys and values of an object, both untrusted."""
        if not isinstance(self._value, dict):
            raise self.error("not an object")
        if len(self._value) > most:
            raise self.error(f"must have at most {most} members, not {len(self._value)}")
        path = self._path or "value"
        for key, value in self._value.items():
            yield Node(key, f"{path}: key"), Node(value, str(key)[:24], self)

    def items(self, count: int | None = None, *, most: int = MAX_LIST) -> list["Node"]:
        """Return the members of a list, exactly `count` if given, otherwise up to `most`."""
        value = self._value
        if not isinstance(value, list | tuple):
            raise self.error("not a list")
        if len(value) > most or (count is not None and len(value) != count):
            raise self.error(f"must have {count or f'at most {most}'} members, not {len(value)}")
        return [Node(member, i, self) for i, member in enumerate(value)]

    def several(self, read: Callable[["Node"], _T], *, most: int = MAX_LIST) -> tuple[_T, ...]:
        """Return the result of `read` for each member of a list of up to `most`."""
        return tuple(read(node) for node in self.items(most=most))

    def is_null(self) -> bool:
        """Return whether this is `null`."""
        return self._value is None

    def text(self, most: int = MAX_TEXT) -> str:
        """Return text of at most `most` characters."""
        if not isinstance(self._value, str):
            raise self.error("not a text")
        if len(self._value) > most:
            raise self.error(f"longer than {most} characters")
        return self._value

    def line(self, pattern: re.Pattern[str] | None = None, most: int = MAX_LINE) -> str:
        """Return printable text of at most `most` characters that fully matches `pattern`."""
        text = self.text(most)
        if not text.isprintable():
            raise self.error("holds a character that cannot be printed")
        if pattern is not None and pattern.fullmatch(text) is None:
            raise self.error(f"cannot be {text[:24]!r}")
        return text

    def word(self) -> str:
        """Return a short printable text without a slash, such as a code or a key."""
        text = self.text()
        self._check_word(text)
        return text

    def _check_word(self, text: str) -> None:
        if not text or len(text) > MAX_WORD or not text.isprintable() or "/" in text:
            raise self.error(f"not a code: {text[:20]!r}")

    def place(self) -> str:
        """Return a location: a code, or a code and a coast separated by a slash."""
        text = self.text()
        for part in text.split("/", 1):
            self._check_word(part)
        return text

    def truth(self) -> bool:
        """Return true or false."""
        if not isinstance(self._value, bool):
            raise self.error("neither true nor false")
        return self._value

    def integer(self, low: int = -MAX_INTEGER, high: int = MAX_INTEGER) -> int:
        """Return a whole number from `low` to `high`."""
        if isinstance(self._value, bool) or not isinstance(self._value, int):
            raise self.error("not a whole number")
        if not low <= self._value <= high:
            raise self.error(f"not from {low} to {high}")
        return self._value

    def number(self, low: float, high: float) -> float:
        """Return a number from `low` to `high`, both finite."""
        if isinstance(self._value, bool) or not isinstance(self._value, int | float):
            raise self.error("not a number")
        # Compared before conversion: a huge integer does not fit in a float. NaN fails here too.
        if not low <= self._value <= high:
            raise self.error(f"not from {low:g} to {high:g}")
        return float(self._value)

    def member(self, kind: type[_Member]) -> _Member:
        """Return the member of `kind` that the text names."""
        text = self.text()
        try:
            return kind(text)
        except ValueError:
            raise self.error(f"{text[:20]!r} is not one of {', '.join(kind)}") from None


def open_versioned(data: object, version: int) -> Node:
    """Return a node for `data` if its `v` is `version`; otherwise raise `CodecError`."""
    node = Node(data)
    if node["v"].integer() != version:
        raise CodecError(f"v: version {node['v'].integer()} is not supported, only {version}")
    return node
