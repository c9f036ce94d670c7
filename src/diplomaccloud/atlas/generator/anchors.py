"""Stage 11: find a place in each province for its name, its units and its star."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import fsum

import numpy as np
from scipy.ndimage import distance_transform_cdt, distance_transform_edt

from diplomaccloud.atlas.generator.borders import PIXEL
from diplomaccloud.atlas.generator.mesh import Bools, Floats, Ints
from diplomaccloud.judge.drawing.chart import Point

# The free space of a province in pixels, and the best places for things in it.

Size = tuple[float, float]
Block = tuple[Size, Mapping[str, Point]]
"""Things placed together: their total size, and the center of each relative to the upper left."""

BADGE = (28.0, 21.0)
"""The size of a unit, dislodged or not."""

_MIN_NEARER = 4.0
"""How much nearer a fleet must stand to its own coast than to another, in map units."""

_PACKING_DIRECTIONS = ((1, 2), (-1, 2), (1, -2), (-1, -2), (2, 1), (2, -1), (-2, 1), (-2, -1))
"""Directions (down, across) in which things are packed if no better layout fits."""


class CrowdedError(ValueError):
    """A province has no space for everything that must be printed in it."""


class FreeSpace:
    """The pixels of one province, at least one pixel away from its border.

    `shores` has the middle of each coast, if there are several.
    """

    def __init__(self, owners: Ints, province: int, coasts: Sequence[Sequence[Point]] = ()) -> None:
        rows, columns = np.nonzero(owners == province)
        if not len(rows):
            raise CrowdedError(f"province {province} has no pixel")
        self._top, self._left = int(rows.min()), int(columns.min())
        window = owners[self._top : int(rows.max()) + 1, self._left : int(columns.max()) + 1]
        padded = np.zeros((window.shape[0] + 2, window.shape[1] + 2), dtype=bool)
        padded[1:-1, 1:-1] = window == province
        # Printed things are upright rectangles, so depth is measured in upright squares.
        self._depth = np.asarray(distance_transform_cdt(padded, "chessboard"))[1:-1, 1:-1]
        self._free: Bools = self._depth > 1
        middle = np.array([rows.mean() - self._top, columns.mean() - self._left])
        down, across = self._pixels()
        far = np.sqrt((down - middle[0]) ** 2 + (across - middle[1]) ** 2)
        # Prefer pixels deep inside, and among equally deep ones those near the middle.
        self._merit = self._depth - 0.25 * far
        self.shores = [_find_middle(coast) for coast in coasts]
        self._nearer = self._find_nearer_pixels(coasts)

    def pack_blocks(self, layout: Sequence[Block]) -> dict[str, Point] | None:
        """Return the center of each thing with every block moved as far to one side as possible."""
        down, across = self._pixels()
        for direction in _PACKING_DIRECTIONS:
            merit = np.asarray(direction[0] * down + direction[1] * across, dtype=np.float64)
            spots = self.arrange_blocks(layout, merit)
            if spots is not None:
                return spots
        return None

    def arrange_blocks(
        self, layout: Sequence[Block], preference: Floats | None = None
    ) -> dict[str, Point] | None:
        """Return the center of each thing with every block where it fits best.

        The first block goes to the middle and each later one near the one before; with
        `preference`, each goes where that is highest. Return `None` if a block does not fit.
        """
        free, spots = self._free.copy(), dict[str, Point]()
        anchor: Point | None = None
        for size, centers in layout:
            merit = self._merit if anchor is None else -self._measure_distances(anchor)
            merit = merit if preference is None else preference
            corner = _find_best_box(free, size, merit)
            if corner is None:
                return None
            row, column = corner
            high, wide = _count_pixels(size)
            # One pixel more, so that things do not even touch.
            free[max(row - 1, 0) : row + high + 1, max(column - 1, 0) : column + wide + 1] = False
            for thing, (x, y) in centers.items():
                spots[thing] = self._to_map_point(row + y / PIXEL, column + x / PIXEL)
            anchor = spots.get("unit", spots[next(iter(centers))])
        return spots

    def place_fleets(self, printed: Sequence[tuple[Point, Size]]) -> tuple[Point, ...]:
        """Return a place for a fleet at each coast, clear of `printed` and of the other fleets."""
        fleets: list[Point] = []
        for shore, near in zip(self.shores, self._nearer, strict=True):
            taken = [*printed, *((fleet, BADGE) for fleet in fleets)]
            fleets.append(self.find_nearest(BADGE, shore, taken, near))
        return tuple(fleets)

    def find_nearest(
        self,
        size: Size,
        spot: Point,
        printed: Sequence[tuple[Point, Size]],
        allowed: Bools | None = None,
    ) -> Point:
        """Return the place for something of `size` nearest to `spot`, clear of `printed`.

        Its center is one of the `allowed` pixels, if they are given. Raises `CrowdedError`.
        """
        free = self._free.copy()
        for (x, y), (wide, high) in printed:
            top = int(np.floor((y - high / 2) / PIXEL)) - self._top - 1
            bottom = int(np.ceil((y + high / 2) / PIXEL)) - self._top + 1
            left = int(np.floor((x - wide / 2) / PIXEL)) - self._left - 1
            right = int(np.ceil((x + wide / 2) / PIXEL)) - self._left + 1
            free[max(top, 0) : max(bottom, 0), max(left, 0) : max(right, 0)] = False
        merit = -self._measure_distances(spot)
        corner = _find_best_box(
            free, size, merit if allowed is None else np.where(allowed, merit, -np.inf)
        )
        if corner is None:
            raise CrowdedError("there is no room for a unit")
        return self._to_map_point(corner[0] + size[1] / 2 / PIXEL, corner[1] + size[0] / 2 / PIXEL)

    def _find_nearer_pixels(self, coasts: Sequence[Sequence[Point]]) -> list[Bools]:
        """Return, for each of `coasts`, the pixels nearer to it than to the others."""
        distances = []
        for coast in coasts:
            points = np.floor(np.array(coast) / PIXEL).astype(np.int64)
            rows = np.clip(points[:, 1] - self._top, 0, self._free.shape[0] - 1)
            columns = np.clip(points[:, 0] - self._left, 0, self._free.shape[1] - 1)
            away = np.ones(self._free.shape, dtype=bool)
            away[rows, columns] = False
            distances.append(np.asarray(distance_transform_edt(away)))
        return [
            distance + _MIN_NEARER / PIXEL
            <= np.minimum.reduce(distances[:number] + distances[number + 1 :])
            for number, distance in enumerate(distances)
        ]

    def _pixels(self) -> tuple[Ints, Ints]:
        """Return the row (n×1) and the column (1×n) of the pixels."""
        high, wide = self._free.shape
        return np.arange(high)[:, None], np.arange(wide)[None, :]

    def _measure_distances(self, point: Point) -> Floats:
        """Return the distance of each pixel from `point`, in pixels."""
        down, across = self._pixels()
        x, y = point[0] / PIXEL - self._left, point[1] / PIXEL - self._top
        return np.asarray(np.sqrt((down - y) ** 2 + (across - x) ** 2))

    def _to_map_point(self, row: float, column: float) -> Point:
        return round((column + self._left) * PIXEL, 1), round((row + self._top) * PIXEL, 1)


def _find_middle(coast: Sequence[Point]) -> Point:
    """Return the point of `coast` nearest to the mean of all its points."""
    x, y = (fsum(axis) / len(coast) for axis in zip(*coast, strict=True))
    return min(coast, key=lambda point: (point[0] - x) ** 2 + (point[1] - y) ** 2)


def _count_pixels(size: Size) -> tuple[int, int]:
    """Return the rows and columns that something of `size` takes up."""
    return int(np.ceil(size[1] / PIXEL)), int(np.ceil(size[0] / PIXEL))


def _find_best_box(free: Bools, size: Size, merit: Floats) -> tuple[int, int] | None:
    """Return the upper left pixel of the free box of `size` whose middle has the most merit."""
    high, wide = _count_pixels(size)
    rows, columns = free.shape[0] - high + 1, free.shape[1] - wide + 1
    if rows <= 0 or columns <= 0:
        return None
    total = np.zeros((free.shape[0] + 1, free.shape[1] + 1), dtype=np.int32)
    total[1:, 1:] = free.cumsum(axis=0, dtype=np.int32).cumsum(axis=1, dtype=np.int32)
    inside = (
        total[high:, wide:] - total[:-high, wide:] - total[high:, :-wide] + total[:-high, :-wide]
    )
    middles = merit[high // 2 : high // 2 + rows, wide // 2 : wide // 2 + columns]
    fits = (inside == high * wide) & (middles > -np.inf)
    if not fits.any():
        return None
    row, column = divmod(int(np.argmax(np.where(fits, middles, -np.inf))), columns)
    return row, column


# The things in a province, and how they are arranged.


USUAL_SIZE = 13.0
LABEL_SIZES = (USUAL_SIZE, 12.0, 11.0, 10.0, 9.0)
"""Font sizes of names, the preferred ones first."""

COMPACT_SIZES = LABEL_SIZES[:4]
"""The sizes tried with the unit directly beside the name."""

SEA_SIZES = (17.0, 16.0, 15.0, 14.0)
"""Sizes tried first for seas, which have more space."""

LETTER_SPACING = 0.05
"""Space between the letters of a sea's name, in font sizes."""

LINE_HEIGHT = 1.12
"""From one line of a name to the next, in font sizes."""

STAR = (14.0, 14.0)
_LARGE_STAR = (19.0, 19.0)
"""The space for a star with its owner's colors, ring and letter, reserved where it fits."""

_COAST_MARK = (16.0, 11.0)
"""The letters that name a coast."""

_CODE_WIDTH = 36.0
"""The width of a three-letter code, which may replace a name."""

_MIN_HEIGHT = 1.25
"""The least height of a name, in usual font sizes."""

_GAP = 3.0
"""Space between things in a row, in map units."""


@dataclass(frozen=True)
class Places:
    """The positions of things in one province; `size` 0 means that only the code fits.

    `coasts`: where a fleet stands on each of several coasts, and where when it is dislodged. Things
    that can be there at the same time don't overlap, including a dislodged unit and the unit that
    took its place on any coast.
    """

    label: Point
    lines: tuple[str, ...]
    size: float
    unit: Point
    dislodged: Point
    star: Point | None
    coasts: tuple[tuple[Point, Point], ...]


def measure_label(lines: Sequence[str], size: float, spacing: float = 0.0) -> Size:
    """Return the size of a printed name; at least that of a code, which may replace it."""
    if not lines or size <= 0:
        return _CODE_WIDTH, USUAL_SIZE * _MIN_HEIGHT
    widths = (
        size * fsum(_WIDTHS.get(letter, _DEFAULT_WIDTH) for letter in line)
        + len(line) * spacing * size
        for line in lines
    )
    width = max(widths) + 3
    return max(width, _CODE_WIDTH), max(size * LINE_HEIGHT * len(lines), USUAL_SIZE * _MIN_HEIGHT)


def find_places(
    owners: Ints,
    province: int,
    name: str,
    center: bool,
    coasts: Sequence[Sequence[Point]],
    *,
    at_sea: bool = False,
) -> Places:
    """Return places in `province` on the grid `owners` that do not overlap.

    `coasts`: the points along each of its coasts, if there are several. Raises `CrowdedError`.
    """
    space = FreeSpace(owners, province, coasts)
    spacing = LETTER_SPACING if at_sea else 0.0
    larger = SEA_SIZES if at_sea else ()
    for layouts, printings in (
        (_list_compact_layouts, _list_printings(name, (*larger, *COMPACT_SIZES))),
        (_list_loose_layouts, _list_printings(name, LABEL_SIZES)),
        (_list_loose_layouts, iter([((), 0.0)])),
        (_list_packing_orders, iter([((), 0.0)])),
    ):
        for lines, size in printings:
            box = measure_label(lines, size, spacing)
            for layout in layouts(box, center):
                spots = (
                    space.pack_blocks(layout)
                    if layouts is _list_packing_orders
                    else space.arrange_blocks(layout)
                )
                places = None if spots is None else _place_coast_fleets(space, spots, box)
                if places is not None:
                    return replace(places, lines=lines, size=size)
    raise CrowdedError(f"{name} has no space")


def _place_coast_fleets(space: FreeSpace, spots: Mapping[str, Point], name: Size) -> Places | None:
    """Return `spots` with fleets added on split coasts; `None` if there is no space for the fleets.

    A dislodged unit is moved if it is in their way.
    """
    places = Places(
        spots["label"], (), 0.0, spots["unit"], spots["dislodged"], spots.get("star"), ()
    )
    if not space.shores:
        return places
    printed = [(places.label, name)]
    if places.star is not None:
        printed.append((places.star, STAR))
    unit, dislodged_unit = (places.unit, BADGE), (places.dislodged, BADGE)
    mark = (places.unit, _COAST_MARK)
    # Prefer places where no unit of the province hides the mark of a coast.
    for clear in (
        [*printed, mark],
        [*printed, mark, dislodged_unit],
        printed,
        [*printed, dislodged_unit],
    ):
        try:
            fleets = space.place_fleets(clear)
            taken = [*printed, unit, *((fleet, BADGE) for fleet in fleets)]
            dislodged = [space.find_nearest(BADGE, at, taken) for at in (places.unit, *fleets)]
        except CrowdedError:
            continue
        coasts = tuple(zip(fleets, dislodged[1:], strict=True))
        return replace(places, dislodged=dislodged[0], coasts=coasts)
    return None


def _list_printings(name: str, sizes: Sequence[float]) -> Iterator[tuple[tuple[str, ...], float]]:
    """Yield ways to print `name`: in one line or two, the largest first."""
    words = name.split()
    broken = (" ".join(words[:-2] or words[:1]), " ".join(words[-2:] if words[2:] else words[1:]))
    for size in sizes:
        yield (name,), size
        if len(words) > 1:
            yield broken, size


def _build_blocks(
    label: Size, center: bool, star: Size = _LARGE_STAR
) -> tuple[Block, Block, Block, Block]:
    """Return four blocks: name, marks, marks with a dislodged unit, and the dislodged unit alone.

    The marks are the star, if there is one, and the unit, side by side.
    """
    dislodged = ("dislodged", BADGE)
    marks = [("star", star), ("unit", BADGE)] if center else [("unit", BADGE)]
    name: Block = (label, {"label": (label[0] / 2, label[1] / 2)})
    return name, _build_row(marks), _build_row([*marks, dislodged]), _build_row([dislodged])


def _list_compact_layouts(label: Size, center: bool) -> Iterator[tuple[Block, ...]]:
    """Yield layouts with the name beside the unit, the best first."""
    # Permanent marks go in the middle, and a dislodged unit wherever there is space left.
    for star in (_LARGE_STAR, STAR) if center else (STAR,):
        name, marks, wide, alone = _build_blocks(label, center, star)
        yield _stack_blocks(name, marks), alone
        yield _stack_blocks(marks, name), alone
        yield (_stack_blocks(name, wide),)
        yield (_stack_blocks(wide, name),)
        yield _join_blocks(marks, name), alone


def _list_loose_layouts(label: Size, center: bool) -> Iterator[tuple[Block, ...]]:
    """Yield layouts with each thing wherever there is space for it."""
    badge = _build_row([("unit", BADGE)])
    for size in (_LARGE_STAR, STAR) if center else (STAR,):
        name, marks, _, alone = _build_blocks(label, center, size)
        yield name, marks, alone
        if center:
            star = _build_row([("star", size)])
            yield name, badge, star, alone
            yield name, badge, alone, star


def _list_packing_orders(label: Size, center: bool) -> Iterator[tuple[Block, ...]]:
    """Yield orders in which to pack things if space is short."""
    name, _, _, alone = _build_blocks(label, center)
    badge = _build_row([("unit", BADGE)])
    star = (_build_row([("star", STAR)]),) if center else ()
    yield name, badge, alone, *star
    yield badge, alone, name, *star
    yield badge, name, alone, *star


def _build_row(things: Sequence[tuple[str, Size]]) -> Block:
    """Return a block of `things` side by side, centered vertically."""
    height = max(size[1] for _, size in things)
    centers, x = {}, 0.0
    for thing, (width, _) in things:
        centers[thing] = (x + width / 2, height / 2)
        x += width + _GAP
    return (x - _GAP, height), centers


def _stack_blocks(upper: Block, lower: Block) -> Block:
    """Return a block with `upper` above `lower`, centered horizontally."""
    (wide, tall), (wide_below, tall_below) = upper[0], lower[0]
    width = max(wide, wide_below)
    centers = {thing: (x + (width - wide) / 2, y) for thing, (x, y) in upper[1].items()}
    for thing, (x, y) in lower[1].items():
        centers[thing] = (x + (width - wide_below) / 2, y + tall + 1)
    return (width, tall + tall_below + 1), centers


def _join_blocks(left: Block, right: Block) -> Block:
    """Return a block with `left` and `right` side by side, centered vertically."""
    (wide, tall), (wide_right, tall_right) = left[0], right[0]
    height = max(tall, tall_right)
    centers = {thing: (x, y + (height - tall) / 2) for thing, (x, y) in left[1].items()}
    for thing, (x, y) in right[1].items():
        centers[thing] = (x + wide + _GAP, y + (height - tall_right) / 2)
    return (wide + _GAP + wide_right, height), centers


_WIDTHS = {
    letter: width / 1000
    for letters, width in (
        ("lijI'", 300), ("tf", 330), (" ", 250), ("r", 395), ("s", 424), ("c", 444), ("e", 479),
        ("az", 500), ("x", 516), ("S", 525), ("o", 546), ("bgkyF", 556), ("vq", 565), ("hn", 582),
        ("puP", 603), ("dBELT", 613), ("J", 333), ("RXYZ", 668), ("CVK", 724), ("G", 763),
        ("ADUOQ", 786), ("wHN", 834), ("m", 883), ("MW", 1000),
    )
    for letter in letters
}  # fmt: skip
"""Widths of letters in an old-style serif face, in font sizes."""

_DEFAULT_WIDTH = 0.6
"""The width of any other letter."""
