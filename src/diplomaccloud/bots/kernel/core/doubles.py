"""Rows of floating-point numbers, and chances; `doubles.pxd` has the same in C."""

from collections.abc import Iterable, MutableSequence
from typing import cast

from diplomaccloud.judge.kernel.core.native import require_format, require_writable

Doubles = MutableSequence[float]
"""A flat row of floating-point numbers."""

CHANCES = 1 << 30
"""How finely chances are drawn."""


def doubles(keep: list[object], values: Iterable[float]) -> list[float]:
    """Return a table of floating-point numbers; in C, `keep` owns its memory."""
    return [float(value) for value in values]


def open_doubles(buffer: object) -> memoryview:
    """Return a writable view of floating-point numbers; raise `ValueError` for any other."""
    view = memoryview(buffer)  # type: ignore[arg-type]
    require_format(view, "d", 8)
    require_writable(view)
    return view


def get_doubles(view: memoryview) -> MutableSequence[float]:
    """Return the numbers of a view that `open_doubles` returned."""
    return cast("MutableSequence[float]", view)
