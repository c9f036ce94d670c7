"""Opens the buffers that callers pass: `array`, `memoryview`, or anything else with a buffer.

`buffers.pxd` has the same functions in C. A view must live as long as its numbers are used.
"""

from collections.abc import MutableSequence
from typing import cast


def open_ints(buffer: object, writable: bool) -> memoryview:
    """Return a view of 32-bit integers; raise `ValueError` for any other buffer."""
    view = memoryview(buffer)  # type: ignore[arg-type]
    require_format(view, "i", 4)
    if writable:
        require_writable(view)
    return view


def open_seeds(buffer: object) -> memoryview:
    """Return a writable view of unsigned 64-bit integers; raise `ValueError` for any other."""
    view = memoryview(buffer)  # type: ignore[arg-type]
    require_format(view, "QL", 8)
    require_writable(view)
    return view


def require_format(view: memoryview, formats: str, size: int) -> None:
    """Raise `ValueError` unless the buffer is one row of a format and a size in bytes."""
    if (
        view.ndim != 1
        or view.itemsize != size
        or view.format not in formats
        or not view.c_contiguous
    ):
        raise ValueError(f"a flat buffer of format {formats[0]!r} is needed, not {view.format!r}")


def require_writable(view: memoryview) -> None:
    """Raise `ValueError` if the buffer cannot be written."""
    if view.readonly:
        raise ValueError("the buffer is read-only")


def get_ints(view: memoryview) -> MutableSequence[int]:
    """Return the integers of a view that `open_ints` returned."""
    return cast("MutableSequence[int]", view)


def get_seeds(view: memoryview) -> MutableSequence[int]:
    """Return the integers of a view that `open_seeds` returned."""
    return cast("MutableSequence[int]", view)
