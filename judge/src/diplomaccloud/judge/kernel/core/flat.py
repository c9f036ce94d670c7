"""Tables of many rows as one row, and masks as words. Never compiled: the masks are long."""

from collections.abc import Iterable, Sequence

from .codes import WORD


def list_bits(size: int) -> list[int]:
    """Return the mask of each number below `size`, in its word."""
    return [1 << number % WORD for number in range(size)]


def find_starts(rows: Iterable[Sequence[int]]) -> list[int]:
    """Return where each row begins when all are joined, and where the last ends."""
    starts, end = [0], 0
    for row in rows:
        end += len(row)
        starts.append(end)
    return starts


def join_rows(rows: Iterable[Sequence[int]]) -> list[int]:
    """Return all rows as one."""
    return [number for row in rows for number in row]


def split_masks(masks: Iterable[int], words: int) -> list[int]:
    """Return masks as words of `WORD` bits, the lowest first."""
    low = (1 << WORD) - 1
    return [mask >> word * WORD & low for mask in masks for word in range(words)]
