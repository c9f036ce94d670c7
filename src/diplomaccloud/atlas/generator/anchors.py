"""Stage 11: a place in each province for its name, its units and its star."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from diplomaccloud.atlas.chart import Point
from diplomaccloud.atlas.generator.free_space import BADGE, Block, CrowdedError, Room, Size
from diplomaccloud.atlas.generator.mesh import Ints
from diplomaccloud.atlas.generator.text_width import measure_width

USUAL = 13.0
SIZES = (USUAL, 12.0, 11.0, 10.0, 9.0)
CLOSE = SIZES[:4]
OPEN = (17.0, 16.0, 15.0, 14.0)
"""Sizes for seas, which have more room, before the others are tried."""

SPACING = 0.05
"""Between the letters of a sea's name, in font sizes."""

LINE = 1.12
STAR = (14.0, 14.0)
_SEAT = (19.0, 19.0)
"""A star in its owner's colors, ringed and signed: what is left free where there is room."""

_MARK = (16.0, 11.0)
"""The letters that name a coast."""

_CODE_WIDTH = 36.0
_GAP = 3.0


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


def label_box(lines: Sequence[str], size: float, spacing: float = 0.0) -> Size:
    """Return the size of a printed name; as wide as a code at least, which may replace it."""
    if not lines or size <= 0:
        return _CODE_WIDTH, USUAL * 1.25
    width = max(measure_width(line, size) + len(line) * spacing * size for line in lines) + 3
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
    room = Room(owners, province, coasts)
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


def _settled(room: Room, spots: Mapping[str, Point], name: Size) -> Places | None:
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


def _things(label: Size, center: bool, star: Size = _SEAT) -> tuple[Block, Block, Block, Block]:
    """Return the name, the marks that stand in a row, that row with a dislodged unit, and it."""
    away: tuple[str, Size] = ("dislodged", BADGE)
    marks: list[tuple[str, Size]] = [("unit", BADGE)]
    if center:
        marks.insert(0, ("star", star))
    name: Block = (label, {"label": (label[0] / 2, label[1] / 2)})
    return name, _row(marks), _row([*marks, away]), _row([away])


def _stars(center: bool) -> tuple[Size, ...]:
    """Return the sizes of a star to try, which are all the same where there is none."""
    return (_SEAT, STAR) if center else (STAR,)


def _together(label: Size, center: bool) -> Iterator[tuple[Block, ...]]:
    """Yield arrangements with the name beside the unit, the finest first."""
    # What always stands there is set in the middle, and a dislodged unit where room is left.
    for star in _stars(center):
        name, marks, wide, alone = _things(label, center, star)
        yield _stacked(name, marks), alone
        yield _stacked(marks, name), alone
        yield (_stacked(name, wide),)
        yield (_stacked(wide, name),)
        yield _beside(marks, name), alone


def _apart(label: Size, center: bool) -> Iterator[tuple[Block, ...]]:
    """Yield arrangements with each thing where there is room for it."""
    badge = _row([("unit", BADGE)])
    for size in _stars(center):
        name, marks, _, alone = _things(label, center, size)
        yield name, marks, alone
        if center:
            star = _row([("star", size)])
            yield name, badge, star, alone
            yield name, badge, alone, star


def _packed(label: Size, center: bool) -> Iterator[tuple[Block, ...]]:
    """Yield orders in which to pack things where room is short."""
    name, _, _, alone = _things(label, center)
    badge = _row([("unit", BADGE)])
    star = (_row([("star", STAR)]),) if center else ()
    yield name, badge, alone, *star
    yield badge, alone, name, *star
    yield badge, name, alone, *star


def _row(things: Sequence[tuple[str, Size]]) -> Block:
    height = max(size[1] for _, size in things)
    centres, x = {}, 0.0
    for thing, (width, _) in things:
        centres[thing] = (x + width / 2, height / 2)
        x += width + _GAP
    return (x - _GAP, height), centres


def _stacked(upper: Block, lower: Block) -> Block:
    (wide, tall), (wide_below, tall_below) = upper[0], lower[0]
    width = max(wide, wide_below)
    centres = {thing: (x + (width - wide) / 2, y) for thing, (x, y) in upper[1].items()}
    for thing, (x, y) in lower[1].items():
        centres[thing] = (x + (width - wide_below) / 2, y + tall + 1)
    return (width, tall + tall_below + 1), centres


def _beside(left: Block, right: Block) -> Block:
    (wide, tall), (wide_right, tall_right) = left[0], right[0]
    height = max(tall, tall_right)
    centres = {thing: (x, y + (height - tall) / 2) for thing, (x, y) in left[1].items()}
    for thing, (x, y) in right[1].items():
        centres[thing] = (x + wide + _GAP, y + (height - tall_right) / 2)
    return (wide + _GAP + wide_right, height), centres
