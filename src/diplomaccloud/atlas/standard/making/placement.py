"""Where name, unit, dislodged unit and star stand in each province.

Every province is rastered, one cell a map unit. A layout is a set of boxes around one point;
for each candidate all points where it fits are found at once from sums over the raster.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray
from shapely import Polygon, contains_xy, prepare

from diplomaccloud.atlas.chart import Anchors, Point
from diplomaccloud.atlas.standard.making.source import DrawingError
from diplomaccloud.judge.board import Location, Province, Terrain

UNIT = (28.0, 22.0)
STAR = (15.0, 15.0)
LETTER = 0.53
"""Width of an average letter, in font sizes."""

LINE = 1.12
"""From one line of a name to the next, in font sizes."""

_GAP = 2.0
_LAND_SIZES = (13.0, 12.5, 12.0, 11.5, 11.0, 10.5, 10.0, 9.5, 9.0, 8.5, 8.0)
_SEA_SIZES = (16.0, 15.0, 14.0, 13.5, 13.0, 12.5, 12.0, 11.5, 11.0, 10.5, 10.0, 9.0)
_MARGINS = (2, 3, 4, 5, 7, 9)
"""Room around a layout in map units: the first is a must, the others are tried in turn."""

_ASIDE = (0, -8, 8, -16, 16)
"""How far a name may stand to the side of what it names, in map units."""
_FAIR = 5
"""So many of the sizes are preferred to any tidier order of the parts."""

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Box:
    """A box by its centre, width and height, in map units."""

    x: float
    y: float
    width: float
    height: float

    def meets(self, other: "Box") -> bool:
        """Return whether the two overlap."""
        return (
            abs(self.x - other.x) < (self.width + other.width) / 2
            and abs(self.y - other.y) < (self.height + other.height) / 2
        )


@dataclass(frozen=True, slots=True)
class Layout:
    """Boxes of a province; relative to one point, or placed on the map."""

    lines: tuple[str, ...]
    size: float
    label: Box
    unit: Box
    dislodged: Box | None
    star: Box | None
    cost: float = 0.0

    @property
    def boxes(self) -> tuple[Box, ...]:
        """All boxes, the label first."""
        found = (self.label, self.unit, self.dislodged, self.star)
        return tuple(box for box in found if box is not None)

    def moved(self, x: float, y: float) -> "Layout":
        """Return the layout around `(x, y)`."""
        label, unit, dislodged, star = (
            None if box is None else replace(box, x=box.x + x, y=box.y + y)
            for box in (self.label, self.unit, self.dislodged, self.star)
        )
        assert label is not None  # noqa: S101 - for the type checker
        assert unit is not None  # noqa: S101
        return replace(self, label=label, unit=unit, dislodged=dislodged, star=star)


class Raster:
    """The cells inside a polygon, with a border of cells outside."""

    def __init__(self, polygon: Polygon) -> None:
        left, top, right, bottom = polygon.bounds
        self.left, self.top = int(left) - 2, int(top) - 2
        width, height = int(right) - self.left + 3, int(bottom) - self.top + 3
        xs, ys = np.meshgrid(np.arange(width) + self.left, np.arange(height) + self.top)
        prepare(polygon)
        self.inside: Mask = contains_xy(polygon, xs, ys)
        sums = np.cumsum(np.cumsum(~self.inside, axis=0, dtype=np.int64), axis=1)
        self._outside = np.pad(sums, ((1, 0), (1, 0)))

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.inside.shape[0], self.inside.shape[1]

    def holds(self, box: Box) -> bool:
        """Return whether `box` lies inside."""
        left, top = box.x - box.width / 2 - self.left, box.y - box.height / 2 - self.top
        right, bottom = left + box.width, top + box.height
        rows, columns = self.shape
        if left < 0 or top < 0 or right >= columns or bottom >= rows:
            return False
        return bool(self.inside[int(top) : int(bottom) + 1, int(left) : int(right) + 1].all())

    def fits(self, box: Box, margin: int) -> Mask:
        """Return the cells around which `box`, grown by `margin`, lies inside."""
        half_x = int(np.ceil(box.width / 2)) + margin
        half_y = int(np.ceil(box.height / 2)) + margin
        rows, columns = self.shape
        found = np.zeros((rows, columns), dtype=bool)
        if rows <= 2 * half_y or columns <= 2 * half_x:
            return found
        sums = self._outside
        tall, wide = 2 * half_y + 1, 2 * half_x + 1
        out = sums[tall:, wide:] - sums[:-tall, wide:] - sums[tall:, :-wide] + sums[:-tall, :-wide]
        found[half_y : half_y + out.shape[0], half_x : half_x + out.shape[1]] = out == 0
        return _shifted(found, round(box.x), round(box.y))


def _shifted(mask: Mask, dx: int, dy: int) -> Mask:
    """Return `mask` read at an offset: true where `mask` is true `(dx, dy)` further on."""
    rows, columns = mask.shape
    found = np.zeros_like(mask)
    to_y, to_x = slice(max(0, -dy), rows - max(0, dy)), slice(max(0, -dx), columns - max(0, dx))
    from_y, from_x = slice(max(0, dy), rows + min(0, dy)), slice(max(0, dx), columns + min(0, dx))
    if abs(dy) < rows and abs(dx) < columns:
        found[to_y, to_x] = mask[from_y, from_x]
    return found


def place_anchors(
    province: Province, polygon: Polygon, hints: Mapping[str, Point]
) -> tuple[Anchors, Layout]:
    """Return the anchors of `province` in its largest `polygon`, near the typed `hints`.

    A name that fits at no size is given size 0, and the layout holds its code.
    """
    raster = Raster(polygon)
    layout = _best(province, raster, hints[province.code])
    taken = [layout.label, *([layout.star] if layout.star else [])]
    dislodged = layout.dislodged or _nearest(
        raster, UNIT, (layout.unit.x, layout.unit.y), [*taken, layout.unit]
    )
    units = {Location(province.code): _rounded(layout.unit)}
    for place in province.fleet_locations:
        if place != province.code:
            units[place] = _rounded(_nearest(raster, UNIT, hints[place], taken))
    anchors = Anchors(
        label=_rounded(layout.label),
        label_lines=layout.lines,
        label_size=layout.size,
        units=units,
        dislodged=_rounded(dislodged),
        star=_rounded(layout.star) if layout.star else None,
    )
    return anchors, replace(layout, dislodged=dislodged)


def label_box(lines: Sequence[str], size: float) -> tuple[float, float]:
    """Return width and height of a name printed in `lines`."""
    width = max(map(len, lines)) * size * LETTER
    return width, size * (LINE * (len(lines) - 1) + 0.95)


def _best(province: Province, raster: Raster, hint: Point) -> Layout:
    sizes = _SEA_SIZES if province.terrain is Terrain.SEA else _LAND_SIZES
    for some in (sizes[:_FAIR], sizes[_FAIR:]):
        for crowded in (False, True):
            for size in some:
                layouts = list(_layouts(province, size, crowded=crowded))
                if found := _roomiest(layouts, raster, hint):
                    return found
        for size in some:
            if scattered := _scattered(province, raster, hint, size):
                return scattered
    raise DrawingError(f"{province.code}: its name, unit and star do not fit")


def _roomiest(layouts: Sequence[Layout], raster: Raster, hint: Point) -> Layout | None:
    """Return the layout that fits with the widest margin."""
    best = None
    for margin in _MARGINS:
        if (found := _fitted(layouts, raster, hint, margin)) is None:
            break
        best = found
    return best


def _fitted(layouts: Sequence[Layout], raster: Raster, hint: Point, margin: int) -> Layout | None:
    """Return the cheapest layout that fits with `margin`, as near to `hint` as it can."""
    fits = cache(lambda box: raster.fits(box, margin))
    found: list[tuple[float, Layout]] = []
    for layout in layouts:
        mask = np.logical_and.reduce([fits(box) for box in layout.boxes])
        rows, columns = np.nonzero(mask)
        if rows.size:
            xs, ys = columns + raster.left, rows + raster.top
            away = np.hypot(xs - hint[0], ys - hint[1])
            i = int(away.argmin())
            moved = layout.moved(float(xs[i]), float(ys[i]))
            found.append((float(away[i]) + layout.cost, moved))
    return min(found, key=lambda one: one[0])[1] if found else None


def _scattered(province: Province, raster: Raster, hint: Point, size: float) -> Layout | None:
    """Return a layout of boxes each where there is room, as near to one another as they can."""
    found: list[tuple[float, Layout]] = []
    for lines in _splits(province.name):
        box = Box(0, 0, *label_box(lines, size))
        rows, columns = np.nonzero(raster.fits(box, 1))
        for row, column in list(zip(rows.tolist(), columns.tolist(), strict=True))[::5]:
            label = replace(box, x=column + raster.left, y=row + raster.top)
            unit = _nearest(raster, UNIT, (label.x, label.y), [label])
            star = _nearest(raster, STAR, (unit.x, unit.y), [label, unit])
            boxes = [label, unit] + [star] * province.center
            if all(raster.holds(one) for one in boxes) and not _overlap(boxes):
                away = np.hypot(label.x - hint[0], label.y - hint[1]) / 2
                away += np.hypot(label.x - unit.x, label.y - unit.y)
                layout = Layout(lines, size, label, unit, None, star if province.center else None)
                found.append((float(away), layout))
    return min(found, key=lambda one: one[0])[1] if found else None


def _overlap(boxes: Sequence[Box]) -> bool:
    return any(one.meets(other) for one, other in combinations(boxes, 2))


def _layouts(province: Province, size: float, *, crowded: bool) -> Iterator[Layout]:
    """Yield layouts around `(0, 0)`; a crowded one leaves the dislodged unit for later."""
    for lines in _splits(province.name):
        width, height = label_box(lines, size)
        tall = len(lines) * 6.0
        for row, cost in _rows(province, crowded=crowded):
            span = max(box.x + box.width / 2 for box in row.values()) * 2
            deep = max(box.y + box.height / 2 for box in row.values()) * 2
            for side, aside in product((1, -1), _ASIDE):
                label = Box(aside, -side * (deep + _GAP) / 2, width, height)
                total = cost + tall + (side < 0) * 3 + abs(aside) / 4
                yield _stacked(lines, size, label, row, side * (height + _GAP) / 2, total)
            for side in (1, -1):
                label = Box(-side * (span + _GAP) / 2, 0, width, height)
                off = side * (width + _GAP) / 2
                moved = {key: replace(box, x=box.x + off) for key, box in row.items()}
                yield _stacked(lines, size, label, moved, 0.0, cost + tall + 12)


def _stacked(
    lines: tuple[str, ...],
    size: float,
    label: Box,
    row: Mapping[str, Box],
    down: float,
    cost: float,
) -> Layout:
    moved = {key: replace(box, y=box.y + down) for key, box in row.items()}
    return Layout(
        lines, size, label, moved["unit"], moved.get("dislodged"), moved.get("star"), cost
    )


def _rows(province: Province, *, crowded: bool) -> Iterator[tuple[dict[str, Box], float]]:
    """Yield arrangements of star, unit and dislodged unit around `(0, 0)`, and their costs."""
    names = ["unit"] + ["star"] * province.center + ["dislodged"] * (not crowded)
    orders = [["star", "unit", "dislodged"], ["dislodged", "unit", "star"]]
    for cost, order in enumerate(orders):
        kept = [name for name in order if name in names]
        yield _along(kept, flat=True), cost * 2.0
        for lean in (0, -7, 7):
            yield _leaning(_along(kept, flat=False), lean), cost * 2.0 + 8 + abs(lean) / 4
    if len(names) == 3:
        yield _corner(1, 1), 4.0
        yield _corner(-1, 1), 5.0
        yield _corner(1, -1), 6.0
        yield _corner(-1, -1), 7.0


def _along(names: Sequence[str], *, flat: bool) -> dict[str, Box]:
    sizes = [STAR if name == "star" else UNIT for name in names]
    lengths = [size[0 if flat else 1] for size in sizes]
    at = -(sum(lengths) + _GAP * (len(names) - 1)) / 2
    found = {}
    for name, size, length in zip(names, sizes, lengths, strict=True):
        centre = at + length / 2
        found[name] = Box(*((centre, 0.0) if flat else (0.0, centre)), *size)
        at += length + _GAP
    return found


def _leaning(column: Mapping[str, Box], lean: float) -> dict[str, Box]:
    """Return `column` with its upper half moved by `lean` and its lower half against it."""
    return {
        key: replace(box, x=lean * (box.y > 0) - lean * (box.y < 0)) for key, box in column.items()
    }


def _corner(right: int, down: int) -> dict[str, Box]:
    """Return the dislodged unit over or under the unit, the star at their side."""
    off = (UNIT[1] + _GAP) / 2
    aside = (STAR[0] + _GAP) / 2
    star_x = -right * (UNIT[0] + _GAP) / 2
    return {
        "unit": Box(right * aside, down * off, *UNIT),
        "dislodged": Box(right * aside, -down * off, *UNIT),
        "star": Box(star_x, down * off, *STAR),
    }


def _splits(name: str) -> list[tuple[str, ...]]:
    """Return `name` in one, two and three lines, in all ways that keep its words whole."""
    words = name.split(" ")
    found = []
    for count in range(min(3, len(words))):
        for cuts in combinations(range(1, len(words)), count):
            ends = [0, *cuts, len(words)]
            pairs = zip(ends, ends[1:], strict=False)
            found.append(tuple(" ".join(words[a:b]) for a, b in pairs))
    return found


def _nearest(
    raster: Raster, size: tuple[float, float], target: Point, taken: Sequence[Box]
) -> Box:
    """Return a box near `target`, inside and clear of `taken` as far as that can be had."""
    box = Box(0, 0, *size)
    small = Box(0, 0, size[0] * 0.6, size[1] * 0.6)
    for inside in (raster.fits(box, 1), raster.fits(small, 0), raster.inside):
        clear = inside.copy()
        rows, columns = np.indices(clear.shape)
        xs, ys = columns + raster.left, rows + raster.top
        for other in taken:
            clear &= (np.abs(xs - other.x) >= (size[0] + other.width) / 2 + 1) | (
                np.abs(ys - other.y) >= (size[1] + other.height) / 2 + 1
            )
        if clear.any():
            away = np.where(clear, np.hypot(xs - target[0], ys - target[1]), np.inf)
            row, column = np.unravel_index(int(away.argmin()), away.shape)
            return replace(box, x=float(xs[row, column]), y=float(ys[row, column]))
    return replace(box, x=target[0], y=target[1])


def _rounded(box: Box) -> Point:
    return round(box.x, 1), round(box.y, 1)
