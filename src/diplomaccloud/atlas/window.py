"""A rectangle on a map."""

from dataclasses import dataclass

from diplomaccloud.atlas.chart import Point

_EDGE = 24.0
"""How far from the edge the middle of a name or unit must be, in map units."""


@dataclass(frozen=True, slots=True)
class Window:
    """A rectangle on a map, in map units: its left, top, right and bottom edges."""

    left: int
    top: int
    right: int
    bottom: int

    def move(self, point: Point) -> Point:
        """Return `point` of the whole map as a point of the cut map."""
        return round(point[0] - self.left, 1), round(point[1] - self.top, 1)

    def has_room(self, point: Point) -> bool:
        """Return whether a name or a unit may have its center at `point`."""
        x, y = point
        inside_x = self.left + _EDGE <= x <= self.right - _EDGE
        return inside_x and self.top + _EDGE / 2 <= y <= self.bottom - _EDGE / 2
