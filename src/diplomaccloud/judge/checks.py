"""Checks the types of what callers pass, and says which part of it is wrong."""

from collections.abc import Iterable
from typing import TypeVar

_T = TypeVar("_T")

MAX_ECHO = 80
"""How much of a wrong value an error repeats, in characters."""


def describe(value: object) -> str:
    """Return `value` as a short text; never raise, even if it cannot describe itself."""
    if isinstance(value, str):
        return value[:MAX_ECHO]
    try:
        return repr(value)[:MAX_ECHO]
    except Exception:
        return type(value).__name__


def require_type(name: str, value: object, kind: type) -> None:
    """Raise `TypeError` unless `value`, which is passed as `name`, is of `kind`."""
    if not isinstance(value, kind):
        article = "an" if kind.__name__[0] in "AEIO" else "a"
        wanted = f"{article} {kind.__name__}"
        raise TypeError(f"{name}: {wanted} is needed, not {describe(value)!r}")


def require_text(name: str, value: object) -> None:
    """Raise `TypeError` unless `value`, which is passed as `name`, is a text."""
    if not isinstance(value, str):
        raise TypeError(f"{name}: a text is needed, not {type(value).__name__}")


def require_whole_number(name: str, value: object, least: int, most: int) -> None:
    """Raise `TypeError` or `ValueError` unless `value` is a whole number in these limits."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name}: a whole number is needed, not {type(value).__name__}")
    if not least <= value <= most:
        raise ValueError(f"{name}: a number from {least} to {most} is needed")


def require_list(name: str, value: Iterable[_T]) -> Iterable[_T]:
    """Return `value`, which has members; raise `TypeError` if it is a text or has none."""
    if isinstance(value, str | bytes | bytearray) or not isinstance(value, Iterable):
        raise TypeError(f"{name}: a list is needed, not {type(value).__name__}")
    return value


def require_pair(name: str, value: object) -> None:
    """Raise `TypeError` unless `value`, which is passed as `name`, is a pair of texts."""
    if not isinstance(value, tuple) or len(value) != 2:
        raise TypeError(f"{name}: a pair of texts is needed, not {describe(value)}")
    for number, text in enumerate(value):
        require_text(f"{name}[{number}]", text)
