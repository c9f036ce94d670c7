"""Stage 11: a place in each province for its name, its units and its star."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import fsum

import numpy as np
from scipy.ndimage import distance_transform_cdt, distance_transform_edt

from diplomaccloud.atlas.chart import Point
from diplomaccloud.atlas.generator.lettering import width_of
from diplomaccloud.atlas.generator.mesh import Bools, Floats, Ints
from diplomaccloud.atlas.generator.raster import PIXEL

USUAL = 13.0
SIZES = (USUAL, 12.0, 11.0, 10.0, 9.0)
CLOSE = SIZES[:4]
OPEN = (17.0, 16.0, 15.0, 14.0)
"""Sizes for seas, which have more room, before the others are tried."""

SPACING = 0.05
"""Between the letters of a sea's name, in font sizes."""

LINE = 1.12
BADGE = (28.0, 21.0)
STAR = (14.0, 14.0)
_SEAT = (19.0, 19.0)
"""A star in its owner's colors, ringed and signed: what is left free where there is room."""

_MARK = (16.0, 11.0)
"""The letters that name a coast."""

_NEARER = 4.0
"""How much nearer to its own coast than to another a fleet stands at least."""

_CODE_WIDTH = 36.0
_GAP = 3.0
_LEANINGS = ((1, 2), (-1, 2), (1, -2), (-1, -2), (2, 1), (2, -1), (-2, 1), (-2, -1))
"""Ways down and across to pack things, where they fit in no better order."""

Size = tuple[float, float]
_Block = tuple[Size, Mapping[str, Point]]
"""Things printed as one: the size of all, and the centre of each from the upper left."""


@dataclass(frozen=True)
class Berth:
    """Where a fleet stands on one of several coasts, and where one driven out of there."""

    unit: Point
    dislodged: Point


@dataclass(frozen=True)
class Places:
    """Where things stand in one province; `size` 0 means that only the code fits.

    Whatever may stand there at once is apart: a unit driven out from whoever took its place, on
    whatever coast.
    """

    label: Point
    lines: tuple[str, ...]
    size: float
    unit: Point
    dislodged: Point
    star: Point | None
    coasts: tuple[Berth, ...]


class CrowdedError(ValueError):
    """A province has no room for what must stand in it."""


def label_box(lines: Sequence[str], size: float, spacing: float = 0.0) -> Size:
    """Return the size of a printed name; as wide as a code at least, which may replace it."""
    if not lines or size <= 0:
        return _CODE_WIDTH, USUAL * 1.25
    width = max(width_of(line, size) + len(line) * spacing * size for line in lines) + 3
    return max(width, _CODE_WIDTH), max(size * LINE * len(lines), USUAL * 1.25)


def place(
    owners: Ints,
    province: int,
    name: str,
    center: bool,
    coasts: Sequence[Sequence[Point]],
    *,
    at_sea: bool = False,
) -> Places:
    """Return places in `province` on the grid `owners` that are clear of one another.

    `coasts` are the points along each of its coasts if they are split. Raises `CrowdedError`.
    """
    room = _Room(owners, province, coasts)
    spacing = SPACING if at_sea else 0.0
    larger = OPEN if at_sea else ()
    for layouts, printings in (
        (_together, _printings(name, (*larger, *CLOSE))),
        (_apart, _printings(name, SIZES)),
        (_apart, iter([((), 0.0)])),
        (_packed, iter([((), 0.0)])),
    ):
        for lines, size in printings:
            box = label_box(lines, size, spacing)
            for layout in layouts(box, center):
                spots = room.packed(layout) if layouts is _packed else room.arranged(layout)
                found = None if spots is None else _settled(room, spots, box)
                if found is not None:
                    return replace(found, lines=lines, size=size)
    raise CrowdedError(f"{name} has no room")


def _settled(room: "_Room", spots: Mapping[str, Point], name: Size) -> Places | None:
    """Return `spots` with fleets on split coasts; `None` if there is no room for those.

    A unit driven out is moved where it must make room for them.
    """
    places = Places(
        spots["label"], (), 0.0, spots["unit"], spots["dislodged"], spots.get("star"), ()
    )
    if not room.split:
        return places
    printed = [(places.label, name)]
    if places.star is not None:
        printed.append((places.star, STAR))
    unit, away = (places.unit, BADGE), (places.dislodged, BADGE)
    mark = (places.unit, _MARK)
    # Where there is room, no unit of the province hides a coast's mark.
    for clear in ([*printed, mark], [*printed, mark, away], printed, [*printed, away]):
        try:
            fleets = room.harbours(clear)
            taken = [*printed, unit, *((fleet, BADGE) for fleet in fleets)]
            outs = [room.nearest(BADGE, at, taken) for at in (places.unit, *fleets)]
        except CrowdedError:
            continue
        berths = tuple(Berth(*both) for both in zip(fleets, outs[1:], strict=True))
        return replace(places, dislodged=outs[0], coasts=berths)
    return None


def _printings(name: str, sizes: Sequence[float]) -> Iterator[tuple[tuple[str, ...], float]]:
    """Yield ways to print `name`: in one line or two, large or small."""
    words = name.split()
    broken = (" ".join(words[:-2] or words[:1]), " ".join(words[-2:] if words[2:] else words[1:]))
    for size in sizes:
        yield (name,), size
        if len(words) > 1:
            yield broken, size


def _things(label: Size, center: bool, star: Size = _SEAT) -> tuple[_Block, _Block, _Block, _Block]:
    """Return the name, the marks that stand in a row, that row with a dislodged unit, and it."""
    away: tuple[str, Size] = ("dislodged", BADGE)
    marks: list[tuple[str, Size]] = [("unit", BADGE)]
    if center:
        marks.insert(0, ("star", star))
    name: _Block = (label, {"label": (label[0] / 2, label[1] / 2)})
    return name, _row(marks), _row([*marks, away]), _row([away])


def _stars(center: bool) -> tuple[Size, ...]:
    """Return the sizes of a star to try, which are all the same where there is none."""
    return (_SEAT, STAR) if center else (STAR,)


def _together(label: Size, center: bool) -> Iterator[tuple[_Block, ...]]:
    """Yield arrangements with the name beside the unit, the finest first."""
    # What always stands there is set in the middle, and a dislodged unit where room is left.
    for star in _stars(center):
        name, marks, wide, alone = _things(label, center, star)
        yield _stacked(name, marks), alone
        yield _stacked(marks, name), alone
        yield (_stacked(name, wide),)
        yield (_stacked(wide, name),)
        yield _beside(marks, name), alone


def _apart(label: Size, center: bool) -> Iterator[tuple[_Block, ...]]:
    """Yield arrangements with each thing where there is room for it."""
    badge = _row([("unit", BADGE)])
    for size in _stars(center):
        name, marks, _, alone = _things(label, center, size)
        yield name, marks, alone
        if center:
            star = _row([("star", size)])
            yield name, badge, star, alone
            yield name, badge, alone, star


def _packed(label: Size, center: bool) -> Iterator[tuple[_Block, ...]]:
    """Yield orders in which to pack things where room is short."""
    name, _, _, alone = _things(label, center)
    badge = _row([("unit", BADGE)])
    star = (_row([("star", STAR)]),) if center else ()
    yield name, badge, alone, *star
    yield badge, alone, name, *star
    yield badge, name, alone, *star


def _row(things: Sequence[tuple[str, Size]]) -> _Block:
    height = max(size[1] for _, size in things)
    centres, x = {}, 0.0
    for thing, (width, _) in things:
        centres[thing] = (x + width / 2, height / 2)
        x += width + _GAP
    return (x - _GAP, height), centres


def _stacked(upper: _Block, lower: _Block) -> _Block:
    (wide, tall), (wide_below, tall_below) = upper[0], lower[0]
    width = max(wide, wide_below)
    centres = {thing: (x + (width - wide) / 2, y) for thing, (x, y) in upper[1].items()}
    for thing, (x, y) in lower[1].items():
        centres[thing] = (x + (width - wide_below) / 2, y + tall + 1)
    return (width, tall + tall_below + 1), centres


def _beside(left: _Block, right: _Block) -> _Block:
    (wide, tall), (wide_right, tall_right) = left[0], right[0]
    height = max(tall, tall_right)
    centres = {thing: (x, y + (height - tall) / 2) for thing, (x, y) in left[1].items()}
    for thing, (x, y) in right[1].items():
        centres[thing] = (x + wide + _GAP, y + (height - tall_right) / 2)
    return (wide + _GAP + wide_right, height), centres


class _Room:
    """The pixels of one province, one pixel in from its border."""

    def __init__(self, owners: Ints, province: int, coasts: Sequence[Sequence[Point]] = ()) -> None:
        rows, columns = np.nonzero(owners == province)
        if not len(rows):
            raise CrowdedError(f"province {province} has no pixel")
        self._top, self._left = int(rows.min()), int(columns.min())
        window = owners[self._top : int(rows.max()) + 1, self._left : int(columns.max()) + 1]
        padded = np.pad(window == province, 1)
        # What stands here is upright, so depth is counted in upright squares.
        self._depth = np.asarray(distance_transform_cdt(padded, "chessboard"))[1:-1, 1:-1]
        self._free: Bools = self._depth > 1
        middle = np.array([rows.mean() - self._top, columns.mean() - self._left])
        down, across = np.indices(window.shape)
        far = np.sqrt((down - middle[0]) ** 2 + (across - middle[1]) ** 2)
        # As deep inside as possible, and of equal depths the one nearest to the middle.
        self._merit = self._depth - 0.25 * far
        self._shores = [_middle(coast) for coast in coasts]
        self._nearer = self._by_coast(coasts)

    @property
    def split(self) -> bool:
        """Whether there are several coasts."""
        return bool(self._shores)

    def packed(self, layout: Sequence[_Block]) -> dict[str, Point] | None:
        """Return the centre of each thing with every block set as far to one side as it can."""
        down, across = np.indices(self._free.shape)
        for lean in _LEANINGS:
            merit = np.asarray(lean[0] * down + lean[1] * across, dtype=np.float64)
            spots = self.arranged(layout, merit)
            if spots is not None:
                return spots
        return None

    def arranged(
        self, layout: Sequence[_Block], lean: Floats | None = None
    ) -> dict[str, Point] | None:
        """Return the centre of each thing with every block set where it stands best.

        That is in the middle and then near by, or where `lean` has most.
        """
        free, spots = self._free.copy(), dict[str, Point]()
        anchor: Point | None = None
        for size, centres in layout:
            merit = self._merit if anchor is None else -self._far_from(anchor)
            merit = merit if lean is None else lean
            corner = _best(free, size, merit)
            if corner is None:
                return None
            row, column = corner
            high, wide = _extent(size)
            # One pixel more, so that things do not even touch.
            free[max(row - 1, 0) : row + high + 1, max(column - 1, 0) : column + wide + 1] = False
            for thing, (x, y) in centres.items():
                spots[thing] = self._point(row + y / PIXEL, column + x / PIXEL)
            anchor = spots.get("unit", spots[next(iter(centres))])
        return spots

    def harbours(self, printed: Sequence[tuple[Point, Size]]) -> tuple[Point, ...]:
        """Return a place for a fleet at each coast, clear of `printed` and of one another."""
        found: list[Point] = []
        for shore, near in zip(self._shores, self._nearer, strict=True):
            taken = [*printed, *((fleet, BADGE) for fleet in found)]
            found.append(self.nearest(BADGE, shore, taken, near))
        return tuple(found)

    def nearest(
        self,
        size: Size,
        spot: Point,
        printed: Sequence[tuple[Point, Size]],
        where: Bools | None = None,
    ) -> Point:
        """Return the place for something of `size` nearest to `spot`, clear of `printed`.

        Its middle is one of the pixels `where`, if they are given.
        """
        free = self._free.copy()
        for (x, y), (wide, high) in printed:
            top = int(np.floor((y - high / 2) / PIXEL)) - self._top - 1
            bottom = int(np.ceil((y + high / 2) / PIXEL)) - self._top + 1
            left = int(np.floor((x - wide / 2) / PIXEL)) - self._left - 1
            right = int(np.ceil((x + wide / 2) / PIXEL)) - self._left + 1
            free[max(top, 0) : max(bottom, 0), max(left, 0) : max(right, 0)] = False
        merit = -self._far_from(spot)
        corner = _best(free, size, merit if where is None else np.where(where, merit, -np.inf))
        if corner is None:
            raise CrowdedError("there is no room for a unit")
        return self._point(corner[0] + size[1] / 2 / PIXEL, corner[1] + size[0] / 2 / PIXEL)

    def _by_coast(self, coasts: Sequence[Sequence[Point]]) -> list[Bools]:
        """Return for each of `coasts` the pixels that are nearer to it than to the others."""
        ways = []
        for coast in coasts:
            points = np.floor(np.array(coast) / PIXEL).astype(np.int64)
            rows = np.clip(points[:, 1] - self._top, 0, self._free.shape[0] - 1)
            columns = np.clip(points[:, 0] - self._left, 0, self._free.shape[1] - 1)
            away = np.ones(self._free.shape, dtype=bool)
            away[rows, columns] = False
            ways.append(np.asarray(distance_transform_edt(away)))
        return [
            way + _NEARER / PIXEL <= np.minimum.reduce(ways[:number] + ways[number + 1 :])
            for number, way in enumerate(ways)
        ]

    def _far_from(self, point: Point) -> Floats:
        down, across = np.indices(self._free.shape)
        x, y = point[0] / PIXEL - self._left, point[1] / PIXEL - self._top
        return np.asarray(np.sqrt((down - y) ** 2 + (across - x) ** 2))

    def _point(self, row: float, column: float) -> Point:
        return round((column + self._left) * PIXEL, 1), round((row + self._top) * PIXEL, 1)


def _middle(coast: Sequence[Point]) -> Point:
    """Return the point of `coast` that is nearest to the mean of all."""
    x, y = (fsum(axis) / len(coast) for axis in zip(*coast, strict=True))
    return min(coast, key=lambda point: (point[0] - x) ** 2 + (point[1] - y) ** 2)


def _extent(size: Size) -> tuple[int, int]:
    return int(np.ceil(size[1] / PIXEL)), int(np.ceil(size[0] / PIXEL))


def _best(free: Bools, size: Size, merit: Floats) -> tuple[int, int] | None:
    """Return the upper left pixel of the free box of `size` whose middle has most merit."""
    high, wide = _extent(size)
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
