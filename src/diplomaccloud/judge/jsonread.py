"""Reads JSON values that nobody vouches for, and says where they are wrong."""

from collections.abc import Iterator
from enum import StrEnum
from typing import TypeVar

Json = dict[str, object]
"""A JSON object made of plain values."""

LONGEST_LIST = 20_000
LONGEST_TEXT = 2_000
LONGEST_WORD = 64

_Member = TypeVar("_Member", bound=StrEnum)


class CodecError(ValueError):
    """JSON that does not describe the value asked for; names the part at fault."""


class Node:
    """One JSON value and the path that leads to it."""

    __slots__ = ("_path", "_value")

    def __init__(self, value: object, path: str = "") -> None:
        self._value = value
        self._path = path

    def error(self, what: str) -> CodecError:
        """Return the error that says `what` is wrong with this value."""
        return CodecError(f"{self._path or 'value'}: {what}")

    def __getitem__(self, key: str) -> "Node":
        """Return the value under `key` of an object."""
        if not isinstance(self._value, dict):
            raise self.error("not an object")
        path = f"{self._path}.{key}" if self._path else key
        if key not in self._value:
            raise CodecError(f"{path}: missing")
        return Node(self._value[key], path)

    def __contains__(self, key: str) -> bool:
        return isinstance(self._value, dict) and key in self._value

    @property
    def value(self) -> object:
        """The value as it came, unchecked."""
        return self._value

    def key(self, text: str) -> "Node":
        """Return a key of this object as a value to be read."""
        return Node(text, f"{self._path}: key")

    def entries(self) -> Iterator[tuple[str, "Node"]]:
        """Yield the keys, each a word, and values of an object."""
        if not isinstance(self._value, dict) or len(self._value) > LONGEST_LIST:
            raise self.error("not an object, or too long")
        for key in self._value:
            self.key(key).word()
            yield key, self[key]

    def items(self, count: int | None = None) -> list["Node"]:
        """Return the members of a list, which must be `count` if that is given."""
        value = self._value
        if not isinstance(value, list | tuple):
            raise self.error("not a list")
        if len(value) > LONGEST_LIST or (count is not None and len(value) != count):
            raise self.error(f"{len(value)} members where {count or LONGEST_LIST} are allowed")
        return [Node(member, f"{self._path}[{i}]") for i, member in enumerate(value)]

    def is_null(self) -> bool:
        """Return whether this is `null`."""
        return self._value is None

    def text(self) -> str:
        """Return a text of bounded length."""
        if not isinstance(self._value, str):
            raise self.error("not a text")
        if len(self._value) > LONGEST_TEXT:
            raise self.error("text too long")
        return self._value

    def word(self) -> str:
        """Return a short printable text without a slash, such as a code or key."""
        text = self.text()
        if not text or len(text) > LONGEST_WORD or not text.isprintable() or "/" in text:
            raise self.error(f"not a code: {text[:20]!r}")
        return text

    def place(self) -> str:
        """Return a location: a code, or a code and coast with a slash between."""
        text = self.text()
        for part in text.split("/", 1):
            Node(part, self._path).word()
        return text

    def truth(self) -> bool:
        """Return true or false."""
        if not isinstance(self._value, bool):
            raise self.error("neither true nor false")
        return self._value

    def integer(self) -> int:
        """Return a whole number."""
        if isinstance(self._value, bool) or not isinstance(self._value, int):
            raise self.error("not a whole number")
        if abs(self._value) > 1_000_000:
            raise self.error("number too large")
        return self._value

    def member(self, kind: type[_Member]) -> _Member:
        """Return the member of `kind` that the text names."""
        text = self.text()
        try:
            return kind(text)
        except ValueError:
            raise self.error(f"no {kind.__name__}: {text[:20]!r}") from None
