"""Place name, unit, dislodged unit and star in each province."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations, pairwise, product

import numpy as np
from europe.drawing import DrawingError
from numpy.typing import NDArray
from shapely import Polygon, contains_xy, prepare

from diplomaccloud.judge.board import Location, Province, Terrain
from diplomaccloud.judge.drawing.chart import Anchors, Point

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


# A province as cells, one per map unit, into which boxes are fitted.

Mask = NDArray[np.bool_]


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
        """The numbers of rows and columns."""
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
        """Return the cells around which `box`, enlarged by `margin`, lies inside."""
        half_x = int(np.ceil(box.width / 2)) + margin
        half_y = int(np.ceil(box.height / 2)) + margin
        rows, columns = self.shape
        fitting = np.zeros((rows, columns), dtype=bool)
        if rows <= 2 * half_y or columns <= 2 * half_x:
            return fitting
        sums = self._outside
        tall, wide = 2 * half_y + 1, 2 * half_x + 1
        out = sums[tall:, wide:] - sums[:-tall, wide:] - sums[tall:, :-wide] + sums[:-tall, :-wide]
        fitting[half_y : half_y + out.shape[0], half_x : half_x + out.shape[1]] = out == 0
        return _shift_mask(fitting, round(box.x), round(box.y))


def _shift_mask(mask: Mask, dx: int, dy: int) -> Mask:
    """Return `mask` read at an offset: true where `mask` is true `(dx, dy)` farther on."""
    rows, columns = mask.shape
    shifted = np.zeros_like(mask)
    to_y, to_x = slice(max(0, -dy), rows - max(0, dy)), slice(max(0, -dx), columns - max(0, dx))
    from_y, from_x = slice(max(0, dy), rows + min(0, dy)), slice(max(0, dx), columns + min(0, dx))
    if abs(dy) < rows and abs(dx) < columns:
        shifted[to_y, to_x] = mask[from_y, from_x]
    return shifted


def find_nearest_box(
    raster: Raster, size: tuple[float, float], target: Point, taken: Sequence[Box]
) -> Box:
    """Return a box near `target`, inside the province and clear of `taken` as far as possible."""
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
            row, column = divmod(int(away.argmin()), away.shape[1])
            return replace(box, x=float(column + raster.left), y=float(row + raster.top))
    return replace(box, x=target[0], y=target[1])


# Place name, unit, dislodged unit and star in each province.
#
# Every province becomes a raster with one cell per map unit. A layout is a set of boxes around one
# point; sums over the raster give all points where a layout fits at once.

_LAND_SIZES = (13.0, 12.5, 12.0, 11.5, 11.0, 10.5, 10.0, 9.5, 9.0, 8.5, 8.0)
_SEA_SIZES = (16.0, 15.0, 14.0, 13.5, 13.0, 12.5, 12.0, 11.5, 11.0, 10.5, 10.0, 9.0)
_MARGINS = (2, 3, 4, 5, 7, 9)
"""Space around a layout in map units: the first is required, the others are tried in turn."""

_PREFERRED_SIZES = 5
"""This many of the largest sizes are preferred to any tidier arrangement."""


def place_anchors(
    provinces: Sequence[Province], polygons: Mapping[str, Polygon], hints: Mapping[str, Point]
) -> dict[str, Anchors]:
    """Return the anchors of all `provinces`, by code, each near its hint in the drawing.

    `polygons`: their largest parts. Name, unit and star fit inside. Fleets on a split coast and
    dislodged units may overlap a border where there is no other way.
    """
    rasters = {code: Raster(polygon) for code, polygon in polygons.items()}
    layouts = {p.code: _find_best_layout(p, rasters[p.code], hints[p.code]) for p in provinces}
    taken = [box for layout in layouts.values() for box in layout.boxes]
    return {
        p.code: _build_anchors(p, layouts[p.code], rasters[p.code], hints, taken) for p in provinces
    }


def _build_anchors(
    province: Province,
    layout: Layout,
    raster: Raster,
    hints: Mapping[str, Point],
    taken: list[Box],
) -> Anchors:
    """Return the anchors of `layout`; boxes that it leaves open are added to `taken`."""
    units = {Location(province.code): _round_center(layout.unit)}
    for place in province.fleet_locations:
        if province.coasts:
            taken.append(find_nearest_box(raster, UNIT, hints[place], taken))
            units[place] = _round_center(taken[-1])
    dislodged = layout.dislodged
    if dislodged is None:
        dislodged = find_nearest_box(raster, UNIT, (layout.unit.x, layout.unit.y), taken)
        taken.append(dislodged)
    return Anchors(
        label=_round_center(layout.label),
        label_lines=layout.lines,
        label_size=layout.size,
        units=units,
        dislodged=_round_center(dislodged),
        star=_round_center(layout.star) if layout.star else None,
    )


def _find_best_layout(province: Province, raster: Raster, hint: Point) -> Layout:
    """Return the layout with the largest name that fits; raises `DrawingError` if none does."""
    sizes = _SEA_SIZES if province.terrain is Terrain.SEA else _LAND_SIZES
    for group in (sizes[:_PREFERRED_SIZES], sizes[_PREFERRED_SIZES:]):
        for crowded in (False, True):
            for size in group:
                layouts = list(list_layouts(province, size, crowded=crowded))
                if layout := _find_roomiest(layouts, raster, hint):
                    return layout
        for size in group:
            if scattered := _scatter_boxes(province, raster, hint, size):
                return scattered
    raise DrawingError(f"{province.code}: its name, unit and star do not fit")


def _find_roomiest(layouts: Sequence[Layout], raster: Raster, hint: Point) -> Layout | None:
    """Return the layout that fits with the widest margin."""
    best = None
    for margin in _MARGINS:
        if (layout := _fit_layouts(layouts, raster, hint, margin)) is None:
            break
        best = layout
    return best


def _fit_layouts(
    layouts: Sequence[Layout], raster: Raster, hint: Point, margin: int
) -> Layout | None:
    """Return the cheapest layout that fits with `margin`, as close to `hint` as possible."""
    fits = cache(lambda box: raster.fits(box, margin))
    fitting: list[tuple[float, Layout]] = []
    for layout in layouts:
        mask = np.logical_and.reduce([fits(box) for box in layout.boxes])
        rows, columns = np.nonzero(mask)
        if rows.size:
            xs, ys = columns + raster.left, rows + raster.top
            away = np.hypot(xs - hint[0], ys - hint[1])
            i = int(away.argmin())
            moved = layout.move(float(xs[i]), float(ys[i]))
            fitting.append((float(away[i]) + layout.cost, moved))
    return min(fitting, key=lambda candidate: candidate[0])[1] if fitting else None


def _scatter_boxes(province: Province, raster: Raster, hint: Point, size: float) -> Layout | None:
    """Return a layout with each box wherever there is space, as close together as possible."""
    fitting: list[tuple[float, Layout]] = []
    for lines in split_name(province.name):
        box = Box(0, 0, *measure_label(lines, size))
        rows, columns = np.nonzero(raster.fits(box, 1))
        for row, column in list(zip(rows.tolist(), columns.tolist(), strict=True))[::5]:
            label = replace(box, x=column + raster.left, y=row + raster.top)
            unit = find_nearest_box(raster, UNIT, (label.x, label.y), [label])
            star = find_nearest_box(raster, STAR, (unit.x, unit.y), [label, unit])
            boxes = [label, unit] + [star] * province.center
            if all(raster.holds(box) for box in boxes) and not _has_overlap(boxes):
                away = np.hypot(label.x - hint[0], label.y - hint[1]) / 2
                away += np.hypot(label.x - unit.x, label.y - unit.y)
                layout = Layout(lines, size, label, unit, star=star if province.center else None)
                fitting.append((float(away), layout))
    return min(fitting, key=lambda candidate: candidate[0])[1] if fitting else None


def _has_overlap(boxes: Sequence[Box]) -> bool:
    return any(first.overlaps(second) for first, second in combinations(boxes, 2))


def _round_center(box: Box) -> Point:
    return round(box.x, 1), round(box.y, 1)
