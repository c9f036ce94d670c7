"""Values that a process remembers by what they were made from."""

from collections.abc import Callable, Hashable
from functools import lru_cache
from typing import Any, Generic, TypeVar

_Key = TypeVar("_Key", bound=Hashable)
_Value = TypeVar("_Value")


class Remembered(Generic[_Key, _Value]):
    """Up to `size` values by key; the ones that were not asked for the longest are forgotten.

    It is for values that are made from more than their keys, such as a row or a chart, which a
    cached function would keep, too, as its arguments.
    """

    def __init__(self, size: int) -> None:
        self._boxes: Any = lru_cache(size)(lambda _key: [])

    def find_or_make(self, key: _Key, make: Callable[[], _Value]) -> _Value:
        """Return the value of a key, which is made if it is not known."""
        box: list[_Value] = self._boxes(key)
        if not box:
            box.append(make())
        return box[0]

    def find(self, key: _Key) -> _Value | None:
        """Return the value of a key, or None if it is not known."""
        box: list[_Value] = self._boxes(key)
        return box[0] if box else None

    def keep(self, key: _Key, value: _Value) -> None:
        """Remember the value of a key."""
        self._boxes(key)[:] = [value]

    def clear(self) -> None:
        """Forget all values."""
        self._boxes.cache_clear()
