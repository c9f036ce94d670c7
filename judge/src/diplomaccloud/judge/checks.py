"""Checks the types of arguments; errors name the part at fault."""

from collections.abc import Iterable
from typing import TypeVar

_T = TypeVar("_T")

MAX_ECHO = 80
"""How many characters of a wrong value an error quotes."""


def describe(value: object) -> str:
    """Return `value` as a short text; never raise, even if its `repr` fails."""
    if isinstance(value, str):
        return value[:MAX_ECHO]
    try:
        return repr(value)[:MAX_ECHO]
    except Exception:
        return type(value).__name__


def require_type(name: str, value: object, kind: type) -> None:
    """Raise `TypeError` unless `value`, which is passed as `name`, is a `kind`."""
    if not isinstance(value, kind):
        article = "an" if kind.__name__[0] in "AEIO" else "a"
        wanted = f"{article} {kind.__name__}"
        raise TypeError(f"{name}: expected {wanted}, not {describe(value)!r}")


def require_text(name: str, value: object) -> None:
    """Raise `TypeError` unless `value`, which is passed as `name`, is text."""
    if not isinstance(value, str):
        raise TypeError(f"{name}: expected text, not {type(value).__name__}")


def require_whole_number(name: str, value: object, least: int, most: int) -> None:
    """Raise `TypeError` or `ValueError` unless `value` is a whole number within these limits."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name}: expected a whole number, not {type(value).__name__}")
    if not least <= value <= most:
        raise ValueError(f"{name}: expected a number from {least} to {most}")


def require_list(name: str, value: Iterable[_T]) -> Iterable[_T]:
    """Return `value`; raise `TypeError` if it is text or not iterable."""
    if isinstance(value, str | bytes | bytearray) or not isinstance(value, Iterable):
        raise TypeError(f"{name}: expected a list, not {type(value).__name__}")
    return value


def require_pair(name: str, value: object) -> None:
    """Raise `TypeError` unless `value`, which is passed as `name`, is a pair of strings."""
    if not isinstance(value, tuple) or len(value) != 2:
        raise TypeError(f"{name}: expected a pair of strings, not {describe(value)}")
    for number, text in enumerate(value):
        require_text(f"{name}[{number}]", text)
