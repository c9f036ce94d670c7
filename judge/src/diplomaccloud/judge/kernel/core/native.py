"""What C does in its own way: memory, buffers, bits, random numbers, and the interpreter's lock.

`native.pxd` has the same functions in C.
"""

import dataclasses
from array import array
from collections.abc import Iterable, MutableSequence, Sequence
from typing import Any, TypeVar, cast

_WORD = (1 << 64) - 1

_Value = TypeVar("_Value")


def ints(keep: list[object], values: Iterable[int]) -> list[int]:
    """Return a table of integers; in C, `keep` owns its memory."""
    return list(values)


def masks(keep: list[object], values: Iterable[int]) -> list[int]:
    """Return a table of masks; in C, `keep` owns its memory."""
    return list(values)


def no_ints() -> list[int]:
    """Return a table without room, for `grow_ints`."""
    return []


def no_masks() -> list[int]:
    """Return a table without room, for `grow_masks`."""
    return []


def grow_ints(rows: list[int], size: int) -> list[int]:
    """Return the table with room for `size` integers, or nothing if there is no memory."""
    rows.extend([0] * (size - len(rows)))
    return rows


def grow_masks(rows: list[int], size: int) -> list[int]:
    """Return the table with room for `size` masks, or nothing if there is no memory."""
    return grow_ints(rows, size)


def copy_ints(rows: list[int], size: int) -> "array[int]":
    """Return the first `size` integers as an array."""
    return array("i", rows[:size])


def copy_bytes(rows: list[int], size: int) -> bytes:
    """Return the first `size` integers as bytes."""
    return array("i", rows[:size]).tobytes()


def fill(target: MutableSequence[int], at: int, size: int, value: int) -> None:
    """Set `size` integers from `at` on to `value`, which is 0 or -1."""
    target[at : at + size] = array("i", [value]) * size


def copy(
    target: MutableSequence[int], at: int, source: Sequence[int], start: int, size: int
) -> None:
    """Copy `size` integers of `source` from `start` on to `target` from `at` on."""
    target[at : at + size] = array("i", source[start : start + size])


def free_ints(rows: list[int]) -> None:
    """Free a table that `grow_ints` returned."""


def free_masks(rows: list[int]) -> None:
    """Free a table that `grow_masks` returned."""


def sort_masks(rows: list[int], size: int) -> None:
    """Sort the first `size` masks."""
    rows[:size] = sorted(rows[:size])


def find_lowest(mask: int) -> int:
    """Return the number of the lowest bit of a mask that is not empty."""
    return (mask & -mask).bit_length() - 1


def count_bits(mask: int) -> int:
    """Return how many bits of a mask are set."""
    return mask.bit_count()


def bit(number: int) -> int:
    """Return the mask of one bit of a word."""
    return 1 << number


def draw_number(seeds: MutableSequence[int], n: int, below: int) -> int:
    """Return a number below `below`, by splitmix64 with the state `seeds[n]`."""
    seeds[n] = z = (seeds[n] + 0x9E3779B97F4A7C15) & _WORD
    z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & _WORD
    z = ((z ^ z >> 27) * 0x94D049BB133111EB) & _WORD
    return ((z ^ z >> 31) >> 32) * below >> 32


def find_fields(kind: type) -> tuple[Any, ...]:
    """Return the fields of a frozen class with slots, which set them in C."""
    return tuple([getattr(kind, field.name) for field in dataclasses.fields(kind)])


def read_field(value: object, field: Any) -> Any:
    """Return what a value has in one of the fields of its class; in C, without a search."""
    return field.__get__(value)


def build_value(
    kind: type[_Value],
    fields: tuple[object, ...],
    first: object,
    second: object,
    third: object,
    fourth: object,
) -> _Value:
    """Return a value of a frozen class with at most four fields; in C, without calling it."""
    return kind(*(first, second, third, fourth)[: len(fields)])


def set_fields(kind: type[_Value], fields: tuple[Any, ...], values: tuple[object, ...]) -> _Value:
    """Return a value of a class with slots that has these values in its fields."""
    made = object.__new__(kind)
    for field, value in zip(fields, values, strict=True):
        field.__set__(made, value)
    return made


def open_values(size: int) -> list[Any]:
    """Return room for values, all of which `put_value` must set; in C, a tuple."""
    return [None] * size


def put_value(values: list[Any], at: int, value: object) -> None:
    """Set a value, once."""
    values[at] = value


def close_values(values: list[Any]) -> tuple[Any, ...]:
    """Return the values as a tuple."""
    return tuple(values)


def release_lock() -> int:
    """Let other threads run; return what `restore_lock` needs."""
    return 0


def restore_lock(thread: int) -> None:
    """End what `release_lock` began."""


# The buffers that callers pass: `array`, `memoryview`, or anything else with a buffer. A view must
# live as long as its numbers are used.


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
