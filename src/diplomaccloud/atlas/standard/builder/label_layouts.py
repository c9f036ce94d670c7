"""The ways in which name, unit, dislodged unit and star can be arranged around one another."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise, product

from diplomaccloud.judge.board import Province

UNIT = (28.0, 22.0)
STAR = (15.0, 15.0)
LETTER_WIDTH = 0.53
"""Width of an average letter, in font sizes."""

LINE_HEIGHT = 1.12
"""From one line of a name to the next, in font sizes."""

_GAP = 2.0
_SIDE_SHIFTS = (0, -8, 8, -16, 16)
"""How far a name may be shifted to the side, in map units."""


@dataclass(frozen=True, slots=True)
class Box:
    """A box, given by its center, width and height in map units."""

    x: float
    y: float
    width: float
    height: float

    def move(self, x: float, y: float) -> "Box":
        """Return the box moved by `(x, y)`."""
        return replace(self, x=self.x + x, y=self.y + y)

    def overlaps(self, other: "Box") -> bool:
        """Return whether the two boxes overlap."""
        return (
            abs(self.x - other.x) < (self.width + other.width) / 2
            and abs(self.y - other.y) < (self.height + other.height) / 2
        )


@dataclass(frozen=True, slots=True)
class Layout:
    """The boxes of a province, relative to one point or placed on the map."""

    lines: tuple[str, ...]
    size: float
    label: Box
    unit: Box
    dislodged: Box | None = None
    star: Box | None = None
    cost: float = 0.0

    @property
    def boxes(self) -> tuple[Box, ...]:
        """All boxes, the label first."""
        optional_boxes = (self.label, self.unit, self.dislodged, self.star)
        return tuple(box for box in optional_boxes if box is not None)

    def move(self, x: float, y: float) -> "Layout":
        """Return the layout moved by `(x, y)`."""
        return replace(
            self,
            label=self.label.move(x, y),
            unit=self.unit.move(x, y),
            dislodged=self.dislodged and self.dislodged.move(x, y),
            star=self.star and self.star.move(x, y),
        )


def measure_label(lines: Sequence[str], size: float) -> tuple[float, float]:
    """Return the width and height of a name printed in `lines`."""
    width = max(map(len, lines)) * size * LETTER_WIDTH
    return width, size * (LINE_HEIGHT * (len(lines) - 1) + 0.95)


def list_layouts(province: Province, size: float, *, crowded: bool) -> Iterator[Layout]:
    """Yield layouts around `(0, 0)`; a `crowded` one leaves the dislodged unit for later."""
    for lines in split_name(province.name):
        width, height = measure_label(lines, size)
        tall = len(lines) * 6.0
        for row, cost in _list_rows(province, crowded=crowded):
            span = max(box.x + box.width / 2 for box in row.values()) * 2
            deep = max(box.y + box.height / 2 for box in row.values()) * 2
            for side, shift in product((1, -1), _SIDE_SHIFTS):
                label = Box(shift, -side * (deep + _GAP) / 2, width, height)
                total = cost + tall + (side < 0) * 3 + abs(shift) / 4
                moved_row = _move_boxes(row, 0.0, side * (height + _GAP) / 2)
                yield Layout(lines, size, label, **moved_row, cost=total)
            for side in (1, -1):
                label = Box(-side * (span + _GAP) / 2, 0, width, height)
                moved_row = _move_boxes(row, side * (width + _GAP) / 2, 0.0)
                yield Layout(lines, size, label, **moved_row, cost=cost + tall + 12)


def _move_boxes(row: Mapping[str, Box], x: float, y: float) -> dict[str, Box]:
    return {name: box.move(x, y) for name, box in row.items()}


def _list_rows(province: Province, *, crowded: bool) -> Iterator[tuple[dict[str, Box], float]]:
    """Yield arrangements of star, unit and dislodged unit around `(0, 0)`, with their costs."""
    names = ["unit"] + ["star"] * province.center + ["dislodged"] * (not crowded)
    orders = [["star", "unit", "dislodged"], ["dislodged", "unit", "star"]]
    for cost, order in enumerate(orders):
        used = [name for name in order if name in names]
        yield _line_up(used, flat=True), cost * 2.0
        for lean in (0, -7, 7):
            yield _lean_column(_line_up(used, flat=False), lean), cost * 2.0 + 8 + abs(lean) / 4
    if len(names) == 3:
        yield _build_corner(1, 1), 4.0
        yield _build_corner(-1, 1), 5.0
        yield _build_corner(1, -1), 6.0
        yield _build_corner(-1, -1), 7.0


def _line_up(names: Sequence[str], *, flat: bool) -> dict[str, Box]:
    """Return boxes for `names` in a row, or in a column if not `flat`, around `(0, 0)`."""
    sizes = [STAR if name == "star" else UNIT for name in names]
    lengths = [size[0 if flat else 1] for size in sizes]
    at = -(sum(lengths) + _GAP * (len(names) - 1)) / 2
    boxes = {}
    for name, size, length in zip(names, sizes, lengths, strict=True):
        center = at + length / 2
        boxes[name] = Box(*((center, 0.0) if flat else (0.0, center)), *size)
        at += length + _GAP
    return boxes


def _lean_column(column: Mapping[str, Box], lean: float) -> dict[str, Box]:
    """Return `column` with its upper half shifted by `lean`, and its lower half the other way."""
    return {
        key: replace(box, x=lean * (box.y > 0) - lean * (box.y < 0)) for key, box in column.items()
    }


def _build_corner(right: int, down: int) -> dict[str, Box]:
    """Return the dislodged unit above or below the unit, with the star beside them."""
    off = (UNIT[1] + _GAP) / 2
    aside = (STAR[0] + _GAP) / 2
    star_x = -right * (UNIT[0] + _GAP) / 2
    return {
        "unit": Box(right * aside, down * off, *UNIT),
        "dislodged": Box(right * aside, -down * off, *UNIT),
        "star": Box(star_x, down * off, *STAR),
    }


def split_name(name: str) -> list[tuple[str, ...]]:
    """Return `name` in one, two and three lines, in all ways that keep its words whole."""
    words = name.split(" ")
    splits = []
    for count in range(min(3, len(words))):
        for cuts in combinations(range(1, len(words)), count):
            ends = [0, *cuts, len(words)]
            pairs = pairwise(ends)
            splits.append(tuple(" ".join(words[a:b]) for a, b in pairs))
    return splits
