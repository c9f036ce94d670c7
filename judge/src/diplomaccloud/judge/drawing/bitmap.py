"""A coarse raster of a map in which free room is found.

All cells are bits of one integer: a shift and a comparison do the work of thousands of steps, so
that plain Python finds room on a map in milliseconds.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import ceil, floor

from diplomaccloud.judge.drawing.chart import Point
from diplomaccloud.judge.drawing.sizes import Box


class Bitmap:
    """Cells of a map of `size`; `cell` is the side of one.

    A cell is bit `row * stride + column` of `bits`. Half of each row is blank, so that what is
    shifted across the right edge does not come in on the left.
    """

    def __init__(self, size: tuple[float, float], cell: float, bits: int = 0) -> None:
        self.size, self.cell, self.bits = size, cell, bits
        self.columns, self.count = (max(1, round(side / cell)) for side in size)
        self.stride = -(-2 * self.columns // 8) * 8
        self._row = (1 << self.columns) - 1

    def copy(self, bits: int = 0) -> "Bitmap":
        """Return a bitmap of the same map with other `bits`."""
        return Bitmap(self.size, self.cell, bits)

    def invert(self) -> "Bitmap":
        """Return the cells that are not set."""
        return self.copy(self._pack([self._row] * self.count) & ~self.bits)

    def list_rows(self, bits: int) -> Iterator[tuple[int, int]]:
        """Yield the number and the cells of each row of `bits` that is not blank."""
        for number in range(self.count):
            if row := bits >> number * self.stride & self._row:
                yield number, row

    def crop(self, left: int, top: int, right: int, bottom: int) -> "Bitmap":
        """Return these columns and rows as a bitmap of its own."""
        part = Bitmap(((right - left) * self.cell, (bottom - top) * self.cell), self.cell)
        rows = (self.bits >> number * self.stride >> left for number in range(top, bottom))
        part.bits = part._pack([row & part._row for row in rows])
        return part

    def flip_inside(self, lines: Iterable[Sequence[Point]]) -> None:
        """Flip the cells whose centers are inside the closed outlines that `lines` make together.

        A line is any part of an outline. What two outlines share can be left out.
        """
        cell, rows, whole = self.cell, [0] * self.count, self._row
        for points in lines:
            for (x0, y0), (x1, y1) in pairwise(points):
                if y0 < y1:
                    row, stop = ceil(y0 / cell - 0.5), ceil(y1 / cell - 0.5)
                else:
                    row, stop = ceil(y1 / cell - 0.5), ceil(y0 / cell - 0.5)
                for number in range(max(0, row), min(stop, self.count)):
                    x = x0 + ((number + 0.5) * cell - y0) * (x1 - x0) / (y1 - y0)
                    # All cells to the right: a second line flips those behind it back.
                    rows[number] ^= whole & (-1 << max(0, ceil(x / cell - 0.5)))
        self.bits ^= self._pack(rows)

    def set_boxes(self, boxes: Iterable[Box], margin: float = 0.0) -> None:
        """Set the cells that a box touches, or that are less than `margin` away."""
        cell, rows = self.cell, [0] * self.count
        for box in boxes:
            left = max(0, floor((box.left - margin) / cell))
            right = max(left, ceil((box.right + margin) / cell))
            mask = self._row & (-1 << left) & ((1 << right) - 1)
            top, bottom = floor((box.top - margin) / cell), ceil((box.bottom + margin) / cell)
            for number in range(max(0, top), min(bottom, self.count)):
                rows[number] |= mask
        self.bits |= self._pack(rows)

    def set_lines(self, lines: Iterable[Sequence[Point]]) -> None:
        """Set the cells along lines."""
        cell, rows, columns = self.cell, [0] * self.count, self.columns
        for points in lines:
            for (x0, y0), (x1, y1) in pairwise(points):
                steps = int(max(abs(x1 - x0), abs(y1 - y0)) / cell) + 1
                for number in range(steps + 1):
                    column = int((x0 + (x1 - x0) * number / steps) / cell)
                    row = int((y0 + (y1 - y0) * number / steps) / cell)
                    if 0 <= row < self.count and 0 <= column < columns:
                        rows[row] |= 1 << column
        self.bits |= self._pack(rows)

    def widen(self, cells: int) -> None:
        """Set the cells that are at most `cells` away, across and down."""
        whole = self._pack([self._row] * self.count)
        for step in (1, self.stride):
            bits = self.bits
            for number in range(1, cells + 1):
                bits |= self.bits << number * step | self.bits >> number * step
            self.bits = bits & whole

    def find_corners(self, wide: int, high: int) -> int:
        """Return the cells that are the upper left corner of a box of set cells."""
        bits = self.bits
        for side, unit in ((wide, 1), (high, self.stride)):
            reach = 1
            while reach < side:
                step = min(reach, side - reach)
                bits &= bits >> step * unit
                reach += step
        return bits

    def find_emptiest(self, width: float, height: float, most: int) -> Box | None:
        """Return the box of this size in set cells with the most set cells around it.

        At most `most` cells around it count. Returns `None` if there is no room.
        """
        wide, high = ceil(width / self.cell), ceil(height / self.cell)
        low, end, found = 0, most + 1, self.find_corners(wide, high)
        if not found:
            return None
        while end - low > 1:
            around = (low + end) // 2
            if corners := self.find_corners(wide + 2 * around, high + 2 * around):
                low, found = around, corners
            else:
                end = around
        rows = list(self.list_rows(found))
        row, bits = rows[len(rows) // 2]
        columns = [column for column, bit in enumerate(reversed(f"{bits:b}")) if bit == "1"]
        # The cells may be more than the box needs.
        x = (columns[len(columns) // 2] + low + wide / 2) * self.cell
        y = (row + low + high / 2) * self.cell
        return Box(x - width / 2, y - height / 2, x + width / 2, y + height / 2)

    def _pack(self, rows: Sequence[int]) -> int:
        long = self.stride // 8
        return int.from_bytes(b"".join(row.to_bytes(long, "little") for row in rows), "little")
