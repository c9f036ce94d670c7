"""Which messages of a conversation a person can read, and how they are numbered for that person.

The messages of a conversation are numbered from 1 without gaps. A person who can read only some of
them also sees them numbered from 1, because a gap would reveal how much the others wrote.
"""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ranges:
    """Ranges of stored numbers, ascending, inclusive, and without overlap."""

    parts: tuple[tuple[int, int], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.parts)

    def __contains__(self, number: int) -> bool:
        return any(first <= number <= last for first, last in self.parts)

    @property
    def last(self) -> int:
        """The highest number in the ranges, 0 if they are empty."""
        return self.parts[-1][1] if self.parts else 0

    @property
    def count(self) -> int:
        """How many numbers are in the ranges."""
        return sum(last - first + 1 for first, last in self.parts)

    def shown(self, number: int) -> int:
        """Return how many numbers in the ranges are at most `number`."""
        return sum(min(last, number) - first + 1 for first, last in self.parts if first <= number)

    def stored(self, shown: int) -> int:
        """Return the stored number that the person sees as `shown`.

        A number below the first gives 0, and a number above the last gives the last one.
        """
        if shown <= 0:
            return 0
        for first, last in self.parts:
            if shown <= last - first + 1:
                return first + shown - 1
            shown -= last - first + 1
        return self.last


def merge_ranges(parts: Iterable[tuple[int, int]]) -> Ranges:
    """Return the union of ranges. Those that end before they start are empty."""
    merged: list[tuple[int, int]] = []
    for first, last in sorted(part for part in parts if part[0] <= part[1]):
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(last, merged[-1][1]))
        else:
            merged.append((first, last))
    return Ranges(tuple(merged))
