"""Stage 11: find a place in each province for its name, its units and its star."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import fsum

from diplomaccloud.atlas.chart import Point
from diplomaccloud.atlas.generator.free_space import BADGE, Block, CrowdedError, FreeSpace, Size
from diplomaccloud.atlas.generator.mesh import Ints

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
class FleetSpot:
    """Where a fleet stands on one of several coasts, and where it stands when dislodged."""

    unit: Point
    dislodged: Point


@dataclass(frozen=True)
class Places:
    """The positions of things in one province; `size` 0 means that only the code fits.

    Things that can be there at the same time don't overlap, including a dislodged unit and the
    unit that took its place on any coast.
    """

    label: Point
    lines: tuple[str, ...]
    size: float
    unit: Point
    dislodged: Point
    star: Point | None
    coasts: tuple[FleetSpot, ...]


def measure_label(lines: Sequence[str], size: float, spacing: float = 0.0) -> Size:
    """Return the size of a printed name; at least that of a code, which may replace it."""
    if not lines or size <= 0:
        return _CODE_WIDTH, USUAL_SIZE * _MIN_HEIGHT
    width = max(measure_width(line, size) + len(line) * spacing * size for line in lines) + 3
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
    if not space.is_split:
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
        coast_spots = tuple(FleetSpot(*both) for both in zip(fleets, dislodged[1:], strict=True))
        return replace(places, dislodged=dislodged[0], coasts=coast_spots)
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
    dislodged: tuple[str, Size] = ("dislodged", BADGE)
    marks: list[tuple[str, Size]] = [("unit", BADGE)]
    if center:
        marks.insert(0, ("star", star))
    name: Block = (label, {"label": (label[0] / 2, label[1] / 2)})
    return name, _build_row(marks), _build_row([*marks, dislodged]), _build_row([dislodged])


def _star_sizes(center: bool) -> tuple[Size, ...]:
    """Return the star sizes to try; without a star, one size that has no effect."""
    return (_LARGE_STAR, STAR) if center else (STAR,)


def _list_compact_layouts(label: Size, center: bool) -> Iterator[tuple[Block, ...]]:
    """Yield layouts with the name beside the unit, the best first."""
    # Permanent marks go in the middle, and a dislodged unit wherever there is space left.
    for star in _star_sizes(center):
        name, marks, wide, alone = _build_blocks(label, center, star)
        yield _stack_blocks(name, marks), alone
        yield _stack_blocks(marks, name), alone
        yield (_stack_blocks(name, wide),)
        yield (_stack_blocks(wide, name),)
        yield _join_blocks(marks, name), alone


def _list_loose_layouts(label: Size, center: bool) -> Iterator[tuple[Block, ...]]:
    """Yield layouts with each thing wherever there is space for it."""
    badge = _build_row([("unit", BADGE)])
    for size in _star_sizes(center):
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


def measure_width(text: str, size: float) -> float:
    """Return the width of `text` printed at `size`, in map units, without its halo."""
    return size * fsum(_WIDTHS.get(letter, _DEFAULT_WIDTH) for letter in text)
