"""Plans of landforms: where a world has cores, arms, basins and channels.

A plan is a rough drawing, made before any noise. `Elevation` bends it and adds hills and bays, so
that no coast shows the simple forms below it. All lengths here are in heights of the map: the map
is `WIDTH` wide and 1 high.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import fsum
from typing import Any

import numpy as np

from diplomaccloud.atlas.generator.mesh import Bools, Floats, Ints
from diplomaccloud.atlas.generator.random_streams import draw_index
from diplomaccloud.atlas.landforms import Landform

WIDTH = 1200 / 850
"""The width of a map, in heights of the map."""

Spot = tuple[float, float]

_DEEPEST = -1.0
"""The lift far from all strokes; below it, only noise decides."""


@dataclass(frozen=True)
class Stroke:
    """A stroke with round ends from `start` to `end`, as of a brush of `radius`.

    Strokes of one `mass` run together; a channel divides different masses.
    """

    start: Spot
    end: Spot
    radius: float
    mass: int = 0


@dataclass(frozen=True)
class LandPlan:
    """The shape of a world before noise.

    `strokes` lift the ground and `basins` lower it. A channel of about `channel` (a breadth and a
    depth) lies halfway between two masses; `bridges` cross it. No province reaches across the edge
    of one of the `regions`. `sides`: how strongly the ground
    falls off toward the left, right, upper and lower side. `lift`: the weight of the strokes,
    `hills` that of the broad noise; `warp`: how far noise bends the strokes.

    Land that noise made of the plan is of use only if the share of its largest mass is in `mass`,
    and with `off_frame` if it does not touch the frame. Each region must have land in one piece,
    with a size in `region_sizes`, and the land outside the regions must have parts of at least
    `min_parts`. Sizes are shares of all land.

    `massifs` is impassable land; strokes of one `mass` are one piece. A share of the land in
    `solid` must be impassable, in at least `min_solids` pieces. `crests` are the strokes of the
    mountain ranges that the massifs are part of. `lakes` is where to look for a place for a lake,
    with the size and the direction of the stroke.
    """

    strokes: tuple[Stroke, ...]
    basins: tuple[Stroke, ...] = ()
    bridges: tuple[Stroke, ...] = ()
    regions: tuple[Stroke, ...] = ()
    channel: tuple[float, float] = (0.12, 1.0)
    sides: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    lift: float = 0.9
    hills: float = 0.7
    warp: float = 1.0
    mass: tuple[float, float] = (0.0, 1.0)
    off_frame: bool = False
    region_sizes: tuple[float, float] = (0.0, 0.0)
    min_parts: tuple[float, ...] = ()
    massifs: tuple[Stroke, ...] = ()
    crests: tuple[Stroke, ...] = ()
    lakes: tuple[Stroke, ...] = ()
    solid: tuple[float, float] = (0.0, 1.0)
    min_solids: int = 0

    def height(self, places: Floats) -> Floats:
        """Return the height of the plan at `places` (n×2), which noise has already bent."""
        near = np.stack([measure_gaps(stroke, places) for stroke in self.strokes])
        masses = np.array([stroke.mass for stroke in self.strokes])
        by_mass = np.stack([near[masses == mass].min(axis=0) for mass in np.unique(masses)])
        by_mass.sort(axis=0)
        height = self.lift * _raise_ground(by_mass[0])
        if len(by_mass) > 1:
            breadth, depth = self.channel
            reach = np.sqrt(by_mass[1]) - np.sqrt(by_mass[0])
            height -= depth * np.clip(1 - reach / breadth, 0.0, 1.0)
        for basin in self.basins:
            height -= 2 * self.lift * np.clip(1 - measure_gaps(basin, places), 0.0, 1.0)
        for bridge in self.bridges:
            apart = measure_gaps(bridge, places)
            height = np.maximum(height, self.lift * _raise_ground(apart))
        return np.asarray(height)

    def find_regions(self, places: Floats) -> Ints:
        """Return the number of the region at each of `places`, from 1; 0 outside all regions."""
        region = np.zeros(len(places), dtype=np.int64)
        for number, stroke in enumerate(self.regions, 1):
            region[measure_gaps(stroke, places) < 1] = number
        return region

    def find_massifs(self, places: Floats) -> Bools:
        """Return which of `places` are impassable, wherever there is enough land around them."""
        return _cover(self.massifs, places) > 0

    def find_crests(self, places: Floats) -> Floats:
        """Return how near `places` are to the middle of a mountain range, from 0 to 1."""
        return _cover(self.crests, places)


def _cover(strokes: Sequence[Stroke], places: Floats) -> Floats:
    """Return how deep inside one of `strokes` each of `places` is, from 0 to 1 in the middle."""
    deep = np.zeros(len(places))
    for stroke in strokes:
        deep = np.maximum(deep, 1 - measure_gaps(stroke, places))
    return deep


def _raise_ground(apart: Floats) -> Floats:
    """Return the lift at squared distances from a stroke: 1 in its middle, 0 at its edge."""
    return np.asarray(np.maximum(1 - apart, _DEEPEST))


def measure_gaps(stroke: Stroke, places: Floats) -> Floats:
    """Return the squared distance of `places` from the line of `stroke`, in its radii."""
    (x, y), (to_x, to_y) = stroke.start, stroke.end
    across, down = to_x - x, to_y - y
    left, top = places[:, 0] - x, places[:, 1] - y
    length = across * across + down * down
    along = np.clip((left * across + top * down) / length, 0.0, 1.0) if length else 0.0
    left, top = left - along * across, top - along * down
    return np.asarray((left * left + top * top) / (stroke.radius * stroke.radius))


# The plans of the landforms. Each draws only uniform numbers, for the same plan everywhere.

_Box = tuple[float, float, float, float]
"""The left, upper, right and lower edge of a space for land."""

_Line = tuple[Spot, Spot, float]
"""The ends of a stroke and its radius, in any unit."""


@dataclass(frozen=True)
class _Room:
    """What a plan must find room for.

    `land`: the area of all land. `step`: the breadth of a land province.
    """

    rng: np.random.Generator
    players: int
    lands: int
    land: float

    @property
    def step(self) -> float:
        """The breadth of a land province."""
        return float((self.land / self.lands) ** 0.5)

    def draw(self, low: float, high: float) -> float:
        """Return a number from `low` to `high`."""
        return low + (high - low) * float(self.rng.random())

    def near(self, spot: Spot, reach: float) -> Spot:
        """Return a spot at most `reach` from `spot` in each direction."""
        return spot[0] + self.draw(-reach, reach), spot[1] + self.draw(-reach, reach)

    def chance(self, share: float) -> bool:
        """Return `True` with a probability of `share`."""
        return float(self.rng.random()) < share

    def sides(self, open_sides: int) -> tuple[float, float, float, float]:
        """Return the fall-off of the four sides: that many open ones, in a random order."""
        order = np.argsort(self.rng.random(4), kind="stable")
        falls = [self.draw(0.9, 1.6) if rank < open_sides else 0.0 for rank in range(4)]
        left, right, upper, lower = (falls[int(place)] for place in order)
        return left, right, upper, lower

    def shares(self, count: int, least: float) -> list[float]:
        """Return `count` shares of at least `least` that sum up to 1, the largest first."""
        rests = [self.draw(0.0, 1.0) ** 2 for _ in range(count)]
        free = (1 - count * least) / (fsum(rests) or 1.0)
        return sorted((least + free * rest for rest in rests), reverse=True)


def make_plan(
    landform: Landform, rng: np.random.Generator, players: int, lands: int, share: float
) -> LandPlan:
    """Return a plan of `landform` for `lands` land provinces on a `share` of the map."""
    room = _Room(rng, players, lands, share * WIDTH)
    plan = PLANS[landform](room)
    if landform is not Landform.ARCHIPELAGO:
        plan = replace(plan, basins=(*plan.basins, *_draw_gulfs(room)))
    # Every plan can be mirrored both ways.
    mirrored = rng.random(2) < 0.5
    return _mirror_plan(plan, bool(mirrored[0]), bool(mirrored[1]))


_USUAL_LANDS, _LANDS_PER_GULF = 80, 16
"""The lands that the shores of the plan itself serve, and how many more need another gulf."""


def _draw_gulfs(room: _Room) -> tuple[Stroke, ...]:
    """Return gulfs for a large map, so that all parts of its land have harbors near by."""
    gulfs = max(0, room.lands - _USUAL_LANDS) // _LANDS_PER_GULF
    return tuple(
        Stroke(spot, room.near(spot, 2.5 * room.step), room.draw(0.5, 0.8) * room.step)
        for spot in _spread_spots(room, gulfs)
    )


def _mirror_plan(plan: LandPlan, across: bool, down: bool) -> LandPlan:
    def mirror_spot(spot: Spot) -> Spot:
        return (WIDTH - spot[0] if across else spot[0]), (1 - spot[1] if down else spot[1])

    def mirror_strokes(strokes: tuple[Stroke, ...]) -> tuple[Stroke, ...]:
        return tuple(
            replace(stroke, start=mirror_spot(stroke.start), end=mirror_spot(stroke.end))
            for stroke in strokes
        )

    left, right, upper, lower = plan.sides
    return replace(
        plan,
        strokes=mirror_strokes(plan.strokes),
        basins=mirror_strokes(plan.basins),
        bridges=mirror_strokes(plan.bridges),
        regions=mirror_strokes(plan.regions),
        massifs=mirror_strokes(plan.massifs),
        crests=mirror_strokes(plan.crests),
        lakes=mirror_strokes(plan.lakes),
        sides=(
            *((right, left) if across else (left, right)),
            *((lower, upper) if down else (upper, lower)),
        ),
    )


# The forms of a land mass: lines in any unit, for any direction.


def _draw_lump(room: _Room) -> list[_Line]:
    return [((0.0, 0.0), room.near((0.0, 0.0), 0.6), room.draw(0.35, 0.5)) for _ in range(2)]


def _draw_bar(room: _Room) -> list[_Line]:
    bend, breadth = room.near((0.0, 0.0), 0.35), room.draw(0.18, 0.32)
    return [((-1.0, 0.0), bend, breadth), (bend, (1.0, 0.0), room.draw(0.18, 0.32))]


def _draw_crescent(room: _Room) -> list[_Line]:
    depth, breadth = room.draw(0.7, 1.3), room.draw(0.2, 0.3)
    arc = [(-1.0, 0.0), (-0.75, -0.65), (0.0, -1.0), (0.75, -0.65), (1.0, 0.0)]
    spots = [(x, depth * y) for x, y in arc]
    return [(start, end, breadth) for start, end in pairwise(spots)]


def _draw_horseshoe(room: _Room) -> list[_Line]:
    depth, breadth, gap = room.draw(0.6, 1.0), room.draw(0.2, 0.28), 1 + room.chance(0.5)
    ring = [(0.0, 1.0), (0.7, 0.7), (1.0, 0.0), (0.7, -0.7), (0.0, -1.0), (-0.7, -0.7),
            (-1.0, 0.0), (-0.7, 0.7), (0.0, 1.0)]  # fmt: skip
    spots = [(x, depth * y) for x, y in ring[gap:]]
    return [(start, end, breadth * room.draw(0.8, 1.25)) for start, end in pairwise(spots)]


def _draw_lobes(room: _Room) -> list[_Line]:
    away, breadth = room.draw(0.8, 1.1), room.draw(0.14, 0.2)
    ends = (-away, room.draw(-0.3, 0.3)), (away, room.draw(-0.3, 0.3))
    lobes = [(end, room.near(end, 0.35), room.draw(0.35, 0.55)) for end in ends]
    return [*lobes, (ends[0], ends[1], breadth)]


def _draw_comb(room: _Room) -> list[_Line]:
    count, breadth = 2 + draw_index(room.rng, 3), room.draw(0.18, 0.28)
    lines = [((-1.0, 0.0), (1.0, room.draw(-0.2, 0.2)), breadth)]
    for number in range(count):
        root = (-1 + 2 * (number + room.draw(0.3, 0.7)) / count, 0.0)
        tip = (root[0] + room.draw(-0.3, 0.3), room.draw(0.55, 1.0))
        side = -1 if room.chance(0.3) else 1
        lines.append((root, (tip[0], side * tip[1]), room.draw(0.12, 0.2)))
    return lines


def _draw_star(room: _Room) -> list[_Line]:
    tips = [(1.0, 0.2), (-0.3, 1.0), (-0.8, -0.4), (0.4, -0.9)][: 3 + room.chance(0.4)]
    hub = room.near((0.0, 0.0), 0.2)
    lines = []
    for x, y in tips:
        reach = room.draw(0.6, 1.2)
        lines.append((hub, room.near((reach * x, reach * y), 0.15), room.draw(0.17, 0.32)))
    return lines


def _draw_hook(room: _Room) -> list[_Line]:
    corner = (room.draw(0.6, 1.0), 0.0)
    return [
        ((-0.9, 0.0), corner, room.draw(0.2, 0.36)),
        (corner, (room.draw(0.3, 1.1), room.draw(0.7, 1.3)), room.draw(0.15, 0.3)),
    ]


def _draw_serpent(room: _Room) -> list[_Line]:
    bow, breadth = room.draw(0.45, 0.9), room.draw(0.17, 0.27)
    spots = [(-1.0, -0.3 * bow), (-0.55, -bow), (0.0, 0.0), (0.55, bow), (1.0, 0.3 * bow)]
    return [(start, end, breadth * room.draw(0.8, 1.3)) for start, end in pairwise(spots)]


def _draw_wedge(room: _Room) -> list[_Line]:
    # As broad as a continent at one end, and a long tail at the other.
    bend = room.near((0.2, 0.0), 0.25)
    return [
        ((-0.8, 0.0), room.near((-0.6, 0.0), 0.4), room.draw(0.45, 0.6)),
        ((-0.6, 0.0), bend, room.draw(0.28, 0.38)),
        (bend, room.near((1.3, 0.0), 0.4), room.draw(0.13, 0.2)),
    ]


_Form = Callable[[_Room], list[_Line]]
_FORMS: tuple[_Form, ...] = (
    _draw_lump,
    _draw_bar,
    _draw_crescent,
    _draw_horseshoe,
    _draw_lobes,
    _draw_comb,
    _draw_star,
    _draw_hook,
    _draw_serpent,
    _draw_wedge,
)


def _draw_mass(
    room: _Room,
    box: _Box,
    area: float,
    mass: int = 0,
    forms: Sequence[_Form] = _FORMS,
    *,
    breadth: float = 1.0,
) -> list[Stroke]:
    """Return the strokes of a land mass of one of `forms` with about this `area` inside `box`.

    What would be too long for the box is pressed together. A `breadth` less than 1 makes the form
    longer and narrower.
    """
    lines = forms[draw_index(room.rng, len(forms))](room)
    # A random direction, without trigonometric functions.
    across, down = room.draw(-1.0, 1.0), room.draw(-1.0, 1.0)
    norm = (across * across + down * down) ** 0.5 or 1.0
    across, down = (across / norm, down / norm) if norm > 0.01 else (1.0, 0.0)
    flat = np.array([[*start, *end] for start, end, _ in lines]).reshape(-1, 2)
    flat = np.stack(
        [flat[:, 0] * across - flat[:, 1] * down, flat[:, 0] * down + flat[:, 1] * across], axis=1
    )
    radii = breadth * np.array([radius for _, _, radius in lines])
    gaps = flat[0::2] - flat[1::2]
    lengths = np.sqrt(gaps[:, 0] * gaps[:, 0] + gaps[:, 1] * gaps[:, 1])
    covered = float((2 * radii * lengths).sum() + 3 * radii.max() * radii.max())
    scale = (area / covered) ** 0.5
    flat, radii = scale * flat, scale * radii
    widest = float(radii.max())
    for axis, (low, high) in enumerate(((box[0], box[2]), (box[1], box[3]))):
        free = max(high - low - 2 * widest, 0.0)
        extent = float(np.ptp(flat[:, axis]))
        if extent > free:
            flat[:, axis] *= free / extent
            extent = free
        offset = low + widest + room.draw(0.0, 1.0) * (free - extent)
        flat[:, axis] += offset - float(flat[:, axis].min())
    spots = [(float(x), float(y)) for x, y in flat]
    return [
        Stroke(start, end, float(radius), mass)
        for start, end, radius in zip(spots[0::2], spots[1::2], radii, strict=True)
    ]


def _draw_islands(
    room: _Room,
    strokes: Sequence[Stroke],
    count: int,
    sizes: tuple[float, float],
    gap: float,
    *,
    size: tuple[float, float] = (WIDTH, 1.0),
) -> list[Stroke]:
    """Return up to `count` islands off the coasts of `strokes`, of `sizes` in land provinces.

    Each is at least `gap` from all other land, and each is a mass of its own. `size`: of the map.
    """
    islands: list[Stroke] = []
    first = max((stroke.mass for stroke in strokes), default=-1) + 1
    for _ in range(count):
        radius = (room.draw(*sizes) / 4.5) ** 0.5 * room.step
        tried = np.array(
            [(room.draw(0.06, size[0] - 0.06), room.draw(0.06, size[1] - 0.06)) for _ in range(24)]
        )
        apart = np.min(
            [
                np.sqrt(measure_gaps(stroke, tried)) * stroke.radius - stroke.radius
                for stroke in (*strokes, *islands)
            ],
            axis=0,
        )
        fits = apart - radius >= gap
        if fits.any():
            spot = tried[int(np.argmin(np.where(fits, apart, np.inf)))]
            start = (float(spot[0]), float(spot[1]))
            end = room.near(start, 0.8 * radius)
            islands.append(Stroke(start, end, radius, first + len(islands)))
    return islands


def _inset_map(margin: float) -> _Box:
    """Return the map less `margin`, which is outside where it is negative."""
    return margin, margin, WIDTH - margin, 1 - margin


def _draw_massif(room: _Room, strokes: Sequence[Stroke], chance: float) -> dict[str, Any]:
    """Return the parts of a plan with impassable land in the broadest of `strokes`, or none.

    Where there is too little room for it, there will be less of it, or nothing.
    """
    if not room.chance(chance):
        return {}
    host = max(strokes, key=lambda stroke: stroke.radius)
    # Along the land, where it is broad.
    length = _measure_way((host.start, host.end)) or room.step
    long = min(room.draw(0.3, 4.0) * room.step / length, 1.0)
    first = room.draw(0.0, 1.0 - long)
    start, end = _part_line(host.start, host.end, first, first + long)
    start, end = (room.near(spot, 0.4 * room.step) for spot in (start, end))
    massif = Stroke(start, end, room.draw(0.65, 1.15) * room.step)
    return {"massifs": (massif,), "solid": (0.0, _MOST_SOLID)}


_MOST_SOLID = 0.2
"""The greatest share of the land that is impassable."""


def _draw_outliers(room: _Room, strokes: Sequence[Stroke], share: float) -> list[Stroke]:
    """Return one to three islands with a `share` of all land."""
    lands = share * room.lands
    most = max(1, min(3, int(lands / 2.5)))
    count = 1 if room.chance(0.5) else 1 + draw_index(room.rng, most)
    each = lands / count
    return _draw_islands(room, strokes, count, (0.75 * each, 1.15 * each), 0.06)


def _draw_share(room: _Room, chance: float, low: float, high: float) -> float:
    """Return a share of the land for islands, often 0; always 0 on a small map."""
    share = room.draw(low, high) if room.chance(chance) else 0.0
    return share if room.lands > _FEW_LANDS else 0.0


_OCEAN_AROUND = (2.5, 2.5, 2.5, 2.5)
"""The fall-off of the sides of a map whose land keeps off the frame."""


def _plan_continents(room: _Room) -> LandPlan:
    """Return two or three continents of unlike sizes and forms, and often islands between them."""
    count = 3 if room.players > 3 and room.chance(0.4) else 2
    isles = room.draw(0.0, 0.16) if room.chance(0.6) else 0.0
    shares = room.shares(count, 0.3 if count == 2 else 0.27)
    area = 1.1 * room.land * (1 - isles)
    margin = room.draw(-0.25, 0.08)
    left, upper, right, lower = _inset_map(margin)
    gap = room.draw(0.06, 0.14)
    cut = left + (right - left) * shares[0]
    boxes: list[_Box] = [(left, upper, cut - gap, lower)]
    if count == 3:
        middle = upper + (lower - upper) * shares[1] / (shares[1] + shares[2])
        boxes += [(cut + gap, upper, right, middle - gap), (cut + gap, middle + gap, right, lower)]
    elif room.chance(0.35):
        # One above the other.
        middle = upper + (lower - upper) * (0.25 + 0.5 * shares[0])
        boxes = [(left, upper, right, middle - gap), (left, middle + gap, right, lower)]
    else:
        boxes.append((cut + gap, upper, right, lower))
    strokes = [
        stroke
        for mass, (box, share) in enumerate(zip(boxes, shares, strict=True))
        for stroke in _draw_mass(room, box, area * share, mass, breadth=room.draw(0.7, 1.0))
    ]
    number = round(isles * room.lands / 2.2)
    strokes += _draw_islands(room, strokes, number, (1.6, 3.0), 0.05)
    return LandPlan(
        tuple(strokes),
        channel=(room.draw(0.3, 0.6), 1.3),
        sides=room.sides(draw_index(room.rng, 4)),
        hills=room.draw(0.55, 0.8),
        min_parts=(0.22,) * count,
        **_draw_massif(room, strokes, 0.4),
    )


def _plan_pangaea(room: _Room) -> LandPlan:
    """Return one mass of any form in the ocean, seldom in its middle."""
    breadth = room.draw(0.6, 1.0)
    strokes = _draw_mass(room, _inset_map(0.13), 1.1 * room.land, breadth=breadth)
    bays = []
    for _ in range(draw_index(room.rng, 4)):
        mouth = (room.draw(0.2, WIDTH - 0.2), 1.0 if room.chance(0.5) else 0.0)
        bays.append(Stroke(mouth, room.near((mouth[0], 0.5), 0.2), room.draw(0.05, 0.1)))
    if room.chance(0.5):
        strokes += _draw_islands(room, strokes, 1, (1.6, 2.4), 0.06)
    return LandPlan(
        tuple(strokes),
        tuple(bays),
        channel=(0.2, 1.3),
        sides=_OCEAN_AROUND,
        hills=room.draw(0.5, 0.85),
        mass=(0.92, 1.0),
        off_frame=True,
        **_draw_massif(room, strokes, 0.5),
    )


def _plan_archipelago(room: _Room) -> LandPlan:
    """Return islands of unlike sizes, all over the map, in a ring, in a band or in two groups."""
    count = max(5, round(room.lands / room.draw(4.6, 6.2)))
    # Few islands keep off the frame.
    few = room.lands < _FEW_LANDS
    margin = 0.09 if few else room.draw(-0.02, 0.1)
    spots = _spread_spots(room, count, _draw_waters(room), margin)
    weights = [room.draw(0.55, 1.3) for _ in spots]
    mean = fsum(weights) / count
    strokes: list[Stroke] = []
    for mass, (spot, weight) in enumerate(zip(spots, weights, strict=True)):
        size = (weight / mean * room.lands / count) ** 0.5 * room.step
        end = room.near(spot, room.draw(0.2, 0.9) * size)
        strokes.append(Stroke(spot, end, room.draw(0.4, 0.58) * size, mass))
    return LandPlan(
        tuple(strokes),
        channel=(0.8, 2.5),
        sides=room.sides(2 + draw_index(room.rng, 3) if few else draw_index(room.rng, 5)),
        lift=0.8,
        hills=0.6,
        mass=(0.0, 0.24),
    )


def _draw_waters(room: _Room) -> list[Stroke]:
    """Return waters without islands: none, one large one, a band, or two."""
    kind = draw_index(room.rng, 4)
    if kind == 0:
        return []
    if kind == 1:
        spot = (room.draw(0.3, 1.1), room.draw(0.3, 0.7))
        return [Stroke(spot, room.near(spot, 0.25), room.draw(0.16, 0.24))]
    if kind == 2:
        ends = (room.draw(-0.1, 1.0), -0.1), (room.draw(0.4, 1.5), 1.1)
        return [Stroke(*ends, room.draw(0.08, 0.15))]
    corners = (0.0, room.draw(0.0, 0.3)), (WIDTH, room.draw(0.7, 1.0))
    return [Stroke(corner, room.near(corner, 0.2), room.draw(0.2, 0.32)) for corner in corners]


def _spread_spots(
    room: _Room, count: int, waters: Sequence[Stroke] = (), margin: float = 0.09
) -> list[Spot]:
    """Return spots, `margin` inside the frame, out of `waters`, each far from those before it."""
    spots: list[Spot] = []
    for _ in range(count):
        tried = [
            (room.draw(margin, WIDTH - margin), room.draw(margin, 1 - margin)) for _ in range(24)
        ]
        gaps = [min(((x - a) ** 2 + (y - b) ** 2 for a, b in spots), default=0.0) for x, y in tried]
        for water in waters:
            apart = measure_gaps(water, np.array(tried))
            gaps = [
                gap if far > 1 else -1 / (1 + float(far))
                for gap, far in zip(gaps, apart, strict=True)
            ]
        spots.append(tried[gaps.index(max(gaps))])
    return spots


def _plan_inland_sea(room: _Room) -> LandPlan:
    """Return a ring of land around a basin, open to the ocean by one strait."""
    # The basin needs room for five seas, and the ring for its land.
    wide, high = room.draw(0.75, WIDTH), room.draw(0.8, 1.0)
    left, upper = room.draw(0.0, WIDTH - wide), room.draw(0.0, 1 - high)
    if room.chance(0.3):
        wide, high, left, upper = WIDTH, 1.0, 0.0, 0.0
    ring = [(0.17, 0.14), (0.5, 0.1), (0.83, 0.14), (0.9, 0.5), (0.83, 0.86), (0.5, 0.9),
            (0.17, 0.86), (0.1, 0.5)]  # fmt: skip
    ring = [room.near((left + wide * x, upper + high * y), 0.04) for x, y in ring]
    thickness = [room.draw(0.7, 1.3) for _ in ring]
    heavy = draw_index(room.rng, 8)
    thickness = [
        thick * (1.35 if (number - heavy) % 8 < 3 else 0.88)
        for number, thick in enumerate(thickness)
    ]
    isles = _draw_share(room, 0.5, 0.06, 0.18)
    size = room.land * (1 - isles) / (2 * (wide + high) * fsum(thickness) / 8)
    strokes = [
        Stroke(start, end, max(1.05 * size * thick, 0.8 * room.step))
        for thick, start, end in zip(thickness, ring, [*ring[1:], ring[0]], strict=True)
    ]
    middle = room.near((left + wide / 2, upper + high / 2), 0.05)
    half, tilt = (wide - high) / 2 + room.draw(0.02, 0.1), room.draw(-0.1, 0.1)
    radius = room.draw(0.17, 0.22) * high + 0.03
    start, end = (middle[0] - half, middle[1] - tilt), (middle[0] + half, middle[1] + tilt)
    first, straits = draw_index(room.rng, len(ring)), []
    # Two straits divide the ring.
    for number in (0, 3 + draw_index(room.rng, 3))[
        : 1 + (room.lands > _FEW_LANDS and room.chance(0.4))
    ]:
        mouth = ring[(first + number) % len(ring)]
        beyond = (2.2 * mouth[0] - 1.2 * middle[0], 2.2 * mouth[1] - 1.2 * middle[1])
        straits.append(Stroke(middle, beyond, 0.4 * room.step))
    bridges: tuple[Stroke, ...] = ()
    if room.chance(0.4):
        spot = (room.draw(start[0], end[0]), middle[1])
        bridges = (Stroke(spot, room.near(spot, 0.05), 0.75 * room.step),)
    basin = Stroke(start, end, radius)
    strokes += _draw_outliers(room, [*strokes, basin], isles) if isles else []
    return LandPlan(
        tuple(strokes),
        (basin, *straits),
        bridges=bridges,
        sides=room.sides(draw_index(room.rng, 4)),
        hills=0.5,
        warp=0.9,
    )


def _plan_isthmus(room: _Room) -> LandPlan:
    """Return two lobes, divided by bays from both sides, with one narrow bridge between them."""
    step, upright = room.step, room.chance(0.4)
    wide, high = size = (1.0, WIDTH) if upright else (WIDTH, 1.0)
    share = room.draw(0.4, 0.6)
    x, y = wide * (0.5 + 0.8 * (share - 0.5)), high * room.draw(0.3, 0.7)
    edge = room.draw(-0.1, 0.12)
    boxes = (edge, edge, x - step, high - edge), (x + step, edge, wide - edge, high - edge)
    strokes = []
    for side, box, part in zip((-1, 1), boxes, (share, 1 - share), strict=True):
        lobe = _draw_mass(room, box, 1.05 * room.land * part, forms=_STOUT_FORMS)
        root = (x + side * 1.8 * step, y)
        # Broad enough that the bridge stays the only one.
        nearest = min(
            (spot for stroke in lobe for spot in (stroke.start, stroke.end)),
            key=lambda spot: (spot[0] - root[0]) ** 2 + (spot[1] - root[1]) ** 2,
        )
        strokes += [*lobe, Stroke(root, nearest, 1.2 * step)]
    breadth = room.draw(1.2, 1.5) * step
    gap = 0.5 * step + 0.85 * breadth
    bays = (
        Stroke((x + room.draw(-0.15, 0.15), -0.1), (x, y - gap), breadth),
        Stroke((x + room.draw(-0.15, 0.15), high + 0.1), (x, y + gap), breadth),
    )
    bridge = Stroke((x - 1.3 * step, y), (x + 1.3 * step, y), 0.62 * step)
    # Across the whole bridge, so that one province reaches from sea to sea.
    waist = Stroke((x, y - step), (x, y + step), 0.42 * step)
    massif = _draw_massif(room, strokes, 0.4)
    if room.chance(0.5):
        strokes += _draw_islands(room, strokes, 1 + room.chance(0.3), (1.6, 2.2), 0.06, size=size)
    plan = LandPlan(
        tuple(strokes),
        bays,
        bridges=(bridge,),
        regions=(waist,),
        sides=_OCEAN_AROUND if room.chance(0.5) else room.sides(2),
        hills=0.5,
        warp=0.7,
        mass=(0.92, 1.0),
        region_sizes=(0.75 / room.lands, 1.4 / room.lands),
        min_parts=(0.34, 0.34),
        channel=(0.2, 1.3),
        **massif,
    )
    return _turn_plan(plan) if upright else plan


_STOUT_FORMS = (_draw_lump, _draw_star, _draw_hook, _draw_crescent)
"""Forms without a narrow waist."""


def _turn_plan(plan: LandPlan) -> LandPlan:
    """Return a plan that is `WIDTH` high and 1 wide with its axes exchanged."""

    def turn_strokes(strokes: tuple[Stroke, ...]) -> tuple[Stroke, ...]:
        return tuple(
            replace(stroke, start=stroke.start[::-1], end=stroke.end[::-1]) for stroke in strokes
        )

    left, right, upper, lower = plan.sides
    return replace(
        plan,
        strokes=turn_strokes(plan.strokes),
        basins=turn_strokes(plan.basins),
        bridges=turn_strokes(plan.bridges),
        regions=turn_strokes(plan.regions),
        massifs=turn_strokes(plan.massifs),
        crests=turn_strokes(plan.crests),
        lakes=turn_strokes(plan.lakes),
        sides=(upper, lower, left, right),
    )


def _plan_peninsulas(room: _Room) -> LandPlan:
    """Return a core from which arms reach far out into the ocean, and often islands off them.

    The core lies along one side, in a corner, through the middle with arms to both sides, or off
    all sides with arms all around.
    """
    upright, step = room.chance(0.35), room.step
    size = (1.0, WIDTH) if upright else (WIDTH, 1.0)
    isles = _draw_share(room, 0.6, 0.05, 0.14)
    count = 4 + (room.lands * (1 - isles) > 45 and not upright and room.chance(0.4))
    # On a large map, some arms will not be peninsulas.
    count += min(max(0, room.lands - _USUAL_LANDS) // _LANDS_PER_ARM, 4)
    # Longer arms would have too many provinces with two coasts.
    lengths = [room.draw(4.4, 6.2) * step for _ in range(count)]
    heads = [room.draw(0.62, 1.05) * step for _ in range(count)]
    arms = fsum((0.62 * step + head) * length for head, length in zip(heads, lengths, strict=True))
    # The core has the land that the arms leave.
    rest = max(room.land * (1 - isles) - arms, 0.0)
    place_core = _CORES[draw_index(room.rng, len(_CORES))]
    core, radius, ways, sides = place_core(room, size, rest, lengths)
    strokes, regions = [*core], []
    for (root, tip), head in zip(ways, heads, strict=True):
        far = max(_measure_way((root, tip)), radius + 2 * step)
        start, neck = _part_line(root, tip, (radius + 0.4 * step) / far, 0.55 + 0.4 * radius / far)
        strokes += [Stroke(root, tip, 0.62 * step), Stroke(neck, tip, head)]
        regions.append(Stroke(start, tip, head + 0.5 * step))
    if isles:
        strokes += _draw_islands(
            room, strokes, 1 + draw_index(room.rng, 3), (1.8, 7.0), 0.06, size=size
        )
    plan = LandPlan(
        tuple(strokes),
        regions=tuple(regions),
        channel=(0.25, 1.3),
        sides=sides,
        lift=1.3,
        hills=0.45,
        warp=0.85,
        region_sizes=(3.2 / room.lands, 1.0),
    )
    return _turn_plan(plan) if upright else plan


_Ways = list[tuple[Spot, Spot]]
_Sides = tuple[float, float, float, float]
_Core = tuple[list[Stroke], float, _Ways, _Sides]
"""The strokes of a core, its radius, the root and the tip of each arm, and the sides of the map."""


def _place_core_across(
    room: _Room, size: tuple[float, float], area: float, lengths: Sequence[float]
) -> _Core:
    """Return a core through the middle, with arms to both sides in turn."""
    wide, high = size
    left, right = room.draw(-0.1, 0.2), wide - room.draw(-0.1, 0.2)
    radius = max(area / (right - left), 1.6 * room.step) / 2
    middle, slope = high * room.draw(0.46, 0.54), room.draw(-0.12, 0.12)
    core = Stroke((left, middle - slope), (right, middle + slope), radius)
    first, reach = draw_index(room.rng, 2), (right - left) / len(lengths)
    ways = []
    for number, length in enumerate(lengths):
        x = left + reach * (number + 0.5 + room.draw(-0.12, 0.12))
        y = middle + slope * (2 * number / (len(lengths) - 1) - 1)
        side = -1 if (number + first) % 2 else 1
        far = min(radius + length, 0.5 * high - 0.03)
        ways.append(((x, y), (x + room.draw(-0.45, 0.45) * reach, y + side * far)))
    return [core], radius, ways, (0.0, 0.0, 0.0, 0.0)


def _place_core_beside(
    room: _Room, size: tuple[float, float], area: float, lengths: Sequence[float]
) -> _Core:
    """Return a core along one side, with all arms in about the same direction."""
    wide, high = size
    lean = room.draw(-0.5, 0.5)
    radius = max(area / wide, 1.6 * room.step)
    core = Stroke((0.0, 0.0), (wide, 0.0), radius)
    reach, ways = wide / len(lengths), []
    for number, length in enumerate(lengths):
        x = reach * (number + 0.5 + room.draw(-0.12, 0.12))
        far = min(radius + length * room.draw(0.85, 1.1), 0.92 * high - 0.03)
        tip = x + (lean + room.draw(-0.35, 0.35)) * reach
        ways.append(((x, 0.0), (min(max(tip, 0.05), wide - 0.05), far)))
    return [core], radius, ways, (0.3, 0.3, 0.0, 1.5)


def _place_core_in_corner(
    room: _Room, size: tuple[float, float], area: float, lengths: Sequence[float]
) -> _Core:
    """Return a core along two sides, with arms from both of them and from the corner."""
    wide, high = size
    across, down = wide * room.draw(0.75, 1.0), high * room.draw(0.75, 1.0)
    radius = max(area / (across + down), 1.3 * room.step)
    core = [Stroke((0.0, 0.0), (across, 0.0), radius), Stroke((0.0, 0.0), (0.0, down), radius)]
    beside = 2 if len(lengths) > 4 else 1
    places = [
        ((0.0, (number + 0.75) / beside * 0.8 * down), (1.0, 0.15)) for number in range(beside)
    ]
    above = len(lengths) - beside
    places += [(((number + 0.75) / above * across, 0.0), (0.15, 1.0)) for number in range(above)]
    ways = []
    for (root, (x, y)), length in zip(places, lengths, strict=True):
        far = radius + length
        tip = room.near((root[0] + far * x, root[1] + far * y), 0.08)
        ways.append((root, (min(tip[0], wide - 0.05), min(tip[1], high - 0.05))))
    return core, radius, ways, (0.0, 1.2, 0.0, 1.2)


def _place_core_within(
    room: _Room, size: tuple[float, float], area: float, lengths: Sequence[float]
) -> _Core:
    """Return a core off all sides, with an arm to each corner and sometimes one to a side."""
    wide, high = size
    middle = wide * room.draw(0.42, 0.58), high * room.draw(0.45, 0.55)
    half = wide * room.draw(0.06, 0.16), high * room.draw(-0.06, 0.06)
    long = 4 * half[0]
    radius = max((((long * long + 4 * _PI * area) ** 0.5) - long) / (2 * _PI), 1.1 * room.step)
    ends = [(middle[0] + side * half[0], middle[1] + side * half[1]) for side in (-1, 1)]
    ways = []
    for (right, lower), length in zip(_CORNERS, lengths, strict=False):
        root = ends[right > 0.5]
        corner = wide * (0.1 + 0.8 * right), high * (0.1 + 0.8 * lower)
        corner = room.near(corner, 0.07)
        share = min((radius + length) / _measure_way((root, corner)), 1.0)
        ways.append((root, _part_line(root, corner, share)[0]))
    return [Stroke(ends[0], ends[1], radius)], radius, ways, room.sides(2)


_LANDS_PER_ARM = 30
"""For each of this many lands of a large map, the land gets another arm, up to four."""

_CORNERS = ((0.0, 0.0), (1.0, 1.0), (1.0, 0.0), (0.0, 1.0), (1.0, 0.5), (0.0, 0.5), (0.4, 0.0),
            (0.6, 1.0), (0.6, 0.0))  # fmt: skip
"""Where the arms around a core lead: shares of the width and the height of the map."""

_CORES = (_place_core_across, _place_core_beside, _place_core_in_corner, _place_core_within)


def _part_line(start: Spot, end: Spot, *shares: float) -> list[Spot]:
    """Return the spots at these shares of the way from `start` to `end`."""
    (x, y), (to_x, to_y) = start, end
    return [(x + share * (to_x - x), y + share * (to_y - y)) for share in shares]


def _plan_great_river(room: _Room) -> LandPlan:
    """Return a broad land without deep bays, often with a smaller one or islands beside it."""
    margin, other, isles = room.draw(-0.3, 0.12), 0.0, 0.0
    box = left, upper, right, lower = _inset_map(margin)
    beside: _Box = box
    # Few lands are just enough for the river.
    if room.lands > _RIVER_LANDS and room.chance(0.7):
        other = room.draw(0.08, min(1 - _RIVER_LANDS / room.lands, 0.36))
        gap = room.draw(0.05, 0.12)
        cut, level = right - other * (right - left), lower - other * (lower - upper)
        if room.chance(0.5):
            box, beside = (left, upper, cut - gap, lower), (cut + gap, upper, right, lower)
        else:
            box, beside = (left, upper, right, level - gap), (left, level + gap, right, lower)
    if room.lands > _RIVER_LANDS and room.chance(0.4):
        isles = room.draw(0.03, 0.14)
    area, breadth = 1.05 * room.land * (1 - other - isles), room.draw(0.7, 1.0)
    strokes = _draw_mass(room, box, area, 0, _BROAD_FORMS, breadth=breadth)
    massif = _draw_massif(room, strokes, 0.3)
    if other:
        strokes += _draw_mass(room, beside, 1.1 * room.land * other, 1, breadth=breadth)
    number = round(isles * room.lands / 2.2)
    strokes += _draw_islands(room, strokes, number, (1.6, 3.0), 0.05)
    return LandPlan(
        tuple(strokes),
        channel=(room.draw(0.2, 0.4), 1.3),
        sides=room.sides(draw_index(room.rng, 4)),
        lift=1.1,
        hills=room.draw(0.45, 0.65),
        warp=0.9,
        mass=(min(0.9 * _RIVER_LANDS / room.lands, 0.7), 1.0),
        **massif,
    )


_RIVER_LANDS = 34
"""The lands of the smallest land mass that has room for a great river beside other land."""


def _draw_slab(room: _Room) -> list[_Line]:
    bend = room.near((0.0, 0.0), 0.4)
    return [((-1.0, 0.0), bend, room.draw(0.36, 0.5)), (bend, (1.0, 0.0), room.draw(0.36, 0.5))]


def _draw_elbow(room: _Room) -> list[_Line]:
    corner, breadth = (room.draw(0.5, 0.9), 0.0), room.draw(0.38, 0.5)
    tip = (room.draw(0.3, 1.0), room.draw(0.7, 1.1))
    return [((-0.8, 0.0), corner, breadth), (corner, tip, breadth)]


def _draw_clover(room: _Room) -> list[_Line]:
    tips = [(1.0, 0.2), (-0.4, 0.9), (-0.7, -0.6)]
    hub = room.near((0.0, 0.0), 0.2)
    return [
        (hub, (room.draw(0.6, 1.0) * x, room.draw(0.6, 1.0) * y), room.draw(0.35, 0.48))
        for x, y in tips
    ]


_BROAD_FORMS = (_draw_lump, _draw_slab, _draw_elbow, _draw_clover)
"""Forms in which no place is narrow."""


def _plan_new_world(room: _Room) -> LandPlan:
    """Return an old world and, beyond an ocean, a long new one; many powers need islands, too."""
    upright = room.chance(0.3)
    wide, high = (1.0, WIDTH) if upright else (WIDTH, 1.0)
    share, margin = room.draw(0.18, 0.21), room.draw(-0.2, 0.08)
    shore = wide * room.draw(0.24, 0.3)
    old: _Box = (shore + 0.2, margin, wide - room.draw(-0.1, 0.1), high - margin)
    new: _Box = (room.draw(-0.06, 0.06), 0.02, shore, high - 0.02)
    # Up to 30 % of the powers may start off the old world.
    count = 3 * room.players // 10 if room.players > _OLD_POWERS else 0
    isles = _ISLAND_LANDS * count / room.lands
    strokes = _draw_mass(room, old, 1.05 * room.land * (1 - share - isles), 0)
    massif = _draw_massif(room, strokes, 0.4)
    strokes += _draw_mass(room, new, 1.1 * room.land * share, 1, _LONG_FORMS)
    sizes = _ISLAND_LANDS - 0.5, _ISLAND_LANDS + 0.5
    strokes += _draw_islands(room, strokes, count, sizes, 0.04)
    plan = LandPlan(
        tuple(strokes),
        channel=(room.draw(0.3, 0.5), 1.6),
        sides=room.sides(draw_index(room.rng, 3)),
        hills=0.6,
        mass=(0.72 - isles, 0.84),
        min_parts=(0.72 - isles, 0.14, *(0.8 * _ISLAND_LANDS / room.lands for _ in range(count))),
        **massif,
    )
    return _turn_plan(plan) if upright else plan


_OLD_POWERS, _ISLAND_LANDS = 5, 6.5
"""How many powers an old world has room for, and the lands of an island for another."""

_LONG_FORMS = (_draw_bar, _draw_crescent, _draw_lobes, _draw_comb)


def _plan_globe(room: _Room) -> LandPlan:
    """Return masses of any form around a globe: what leaves at the left returns at the right."""
    count = 2 + draw_index(room.rng, 3 if room.lands > _USUAL_LANDS // 2 else 2)
    shares = room.shares(count, 0.16)
    isles = room.draw(0.0, 0.12)
    strokes = [
        stroke
        for mass, (spot, share) in enumerate(zip(_spread_around(room, count), shares, strict=True))
        for stroke in _draw_mass(
            room,
            (spot[0] - 0.42, spot[1] - 0.42, spot[0] + 0.42, spot[1] + 0.42),
            1.1 * room.land * share * (1 - isles),
            mass,
            breadth=room.draw(0.7, 1.0),
        )
    ]
    around = [_move_stroke(stroke, turn * WIDTH) for turn in (-1, 0, 1) for stroke in strokes]
    massif = _draw_massif(room, strokes, 0.4)
    strokes += _draw_islands(room, around, round(isles * room.lands / 2.4), (1.6, 3.2), 0.05)
    heights = np.linspace(0.0, 1.0, 32)
    # Where the map is cut open, the edges are mostly water, often with some land.
    shifts = [room.draw(0.0, WIDTH) for _ in range(12)]
    wanted = room.draw(0.0, 0.35 if room.lands > _USUAL_LANDS // 2 else 0.15)

    def measure_land(shift: float) -> float:
        places = np.stack([np.full(len(heights), shift), heights], axis=1)
        turns = [places + np.array([turn * WIDTH, 0.0]) for turn in (-1, 0, 1)]
        dry = [measure_gaps(stroke, turn) < 1 for stroke in strokes for turn in turns]
        return float(np.mean(np.any(dry, axis=0)))

    cut = min(shifts, key=lambda shift: abs(measure_land(shift) - wanted))
    around = [
        _move_stroke(stroke, turn * WIDTH - cut) for turn in (-1, 0, 1, 2) for stroke in strokes
    ]
    plan = LandPlan(
        tuple(stroke for stroke in around if _is_near_map(stroke)),
        channel=(room.draw(0.2, 0.5), 1.3),
        sides=(0.0, 0.0, room.draw(0.0, 1.5), room.draw(0.0, 1.5)),
        hills=0.6,
        **massif,
    )
    massifs = tuple(
        _move_stroke(stroke, turn * WIDTH - cut) for turn in (0, 1) for stroke in plan.massifs
    )
    return replace(plan, massifs=massifs)


def _spread_around(room: _Room, count: int) -> list[Spot]:
    """Return spots on a globe that is cut open anywhere, each far from those before it."""
    spots: list[Spot] = []
    for _ in range(count):
        tried = [(room.draw(0.0, WIDTH), room.draw(0.25, 0.75)) for _ in range(16)]
        gaps = [
            min(
                (min((x - a) % WIDTH, (a - x) % WIDTH) ** 2 + (y - b) ** 2 for a, b in spots),
                default=0.0,
            )
            for x, y in tried
        ]
        spots.append(tried[gaps.index(max(gaps))])
    return spots


def _move_stroke(stroke: Stroke, across: float) -> Stroke:
    start, end = ((x + across, y) for x, y in (stroke.start, stroke.end))
    return replace(stroke, start=start, end=end)


def _is_near_map(stroke: Stroke) -> bool:
    """Return whether `stroke` can reach the map, also if noise bends it."""
    ends = stroke.start[0], stroke.end[0]
    reach = stroke.radius + 0.3
    return max(ends) > -reach and min(ends) < WIDTH + reach


def _plan_old_europe(room: _Room) -> LandPlan:
    """Return a mainland at one side, with arms and a basin, and an island of one power off it."""
    upright, step = room.chance(0.3), room.step
    wide, high = size = (1.0, WIDTH) if upright else (WIDTH, 1.0)
    small = room.lands < _USUAL_LANDS / 2
    # On a large map, more of the islands grow together with the mainland.
    isles = room.draw(0.16, 0.22) + 0.05 * (room.lands > 2 * _USUAL_LANDS)
    heads = [room.draw(0.6, 0.9) * step for _ in range(2 + (not small and room.chance(0.5)))]
    # The arms and the shores of the basin have land, too.
    mainland = room.land * (1 - isles) - (5 * len(heads) + 6) * step * step
    # From beyond the right side to somewhere left of the middle.
    start = (wide + 0.05, high * room.draw(0.2, 0.55))
    end = (wide * room.draw(0.42, 0.6), high * room.draw(0.26, 0.46))
    length = wide - end[0]
    radius = (((4 * length * length + 6.3 * mainland) ** 0.5) - 2 * length) / 3.15
    core = Stroke(start, end, radius)
    large = max(1, round(isles * room.lands / 9))
    lands = isles * room.lands / large
    islands = _draw_islands(room, [core], large, (0.85 * lands, lands), 0.8 * step, size=size)
    strokes, regions = [core], []
    for head in heads:
        root, tip = _choose_arm(room, core, [*strokes[1:], *islands], size)
        reach = ((root[0] - tip[0]) ** 2 + (root[1] - tip[1]) ** 2) ** 0.5
        neck, wrist = _part_line(root, tip, (radius + 0.4 * step) / reach, 0.6)
        strokes += [Stroke(root, tip, 0.6 * step), Stroke(wrist, tip, head)]
        regions.append(Stroke(neck, tip, head + 0.5 * step))
    (middle,) = _part_line(start, end, room.draw(0.35, 0.8))
    basin = room.draw(1.2, 1.5) * step * (0.7 if small else 1.0)
    shores, basins = _draw_basin(room, room.near(middle, 0.6 * radius), basin)
    strokes += [*shores, *islands]
    if not small:
        strokes += _draw_islands(
            room, strokes, draw_index(room.rng, 3), (1.4, 2.4), 0.6 * step, size=size
        )
    plan = LandPlan(
        tuple(strokes),
        basins,
        regions=tuple(regions),
        channel=(1.8 * step, 1.4),
        sides=(room.draw(0.8, 1.4), 0.0, room.draw(0.0, 1.0), room.draw(0.8, 1.4)),
        lift=1.1,
        hills=0.4 if small else 0.5,
        warp=0.7 if small else 0.85,
        mass=(0.73, 0.88),
        region_sizes=(3.2 / room.lands, 1.0),
        min_parts=(0.3, 4.2 / room.lands),
        **_draw_massif(room, [core], 0.4),
    )
    return _turn_plan(plan) if upright else plan


def _draw_basin(
    room: _Room, middle: Spot, radius: float
) -> tuple[tuple[Stroke, ...], tuple[Stroke, ...]]:
    """Return a shore around a basin, and the basin itself with a strait out of it."""
    shore = 0.85 * room.step
    wide, high = (room.draw(1.0, 1.35) * radius + 0.9 * shore for _ in range(2))
    ring = [(middle[0] + wide * x, middle[1] + high * y) for x, y in _OCTAGON]
    mouth = draw_index(room.rng, len(ring))
    around = [ring[(mouth + number) % len(ring)] for number in range(1, len(ring))]
    shores = [Stroke(start, end, shore) for start, end in pairwise(around)]
    (beyond,) = _part_line(middle, ring[mouth], 1.6)
    half = max(wide - high, 0.0), max(high - wide, 0.0)
    start, end = ((middle[0] + side * half[0], middle[1] + side * half[1]) for side in (-1, 1))
    return tuple(shores), (Stroke(start, end, radius), Stroke(middle, beyond, 0.35 * room.step))


_OCTAGON = ((1.0, 0.0), (0.7, 0.7), (0.0, 1.0), (-0.7, 0.7), (-1.0, 0.0), (-0.7, -0.7), (0.0, -1.0),
            (0.7, -0.7))  # fmt: skip


def _choose_arm(
    room: _Room, core: Stroke, others: Sequence[Stroke], size: tuple[float, float]
) -> tuple[Spot, Spot]:
    """Return the root and the tip of an arm from `core`, far from `others`, on a map of `size`."""
    step = room.step
    margin = 0.6 * step
    tried = [
        (room.draw(margin, size[0] - margin), room.draw(margin, size[1] - margin))
        for _ in range(48)
    ]
    places = np.array(tried)
    away = (np.sqrt(measure_gaps(core, places)) - 1) * core.radius / step
    apart = np.min(
        [np.sqrt(measure_gaps(one, places)) * one.radius for one in others]
        or [room.rng.random(len(tried))],
        axis=0,
    )
    short, long = _ARM_STEPS
    miss = np.maximum(short - away, 0) + np.maximum(away - long, 0)
    tip = tried[int(np.argmax(apart - 4 * miss))]
    along = [_part_line(core.start, core.end, share)[0] for share in np.linspace(0.1, 1.0, 19)]
    root = min(along, key=lambda spot: (spot[0] - tip[0]) ** 2 + (spot[1] - tip[1]) ** 2)
    return root, tip


_ARM_STEPS = 3.0, 4.6
"""How far an arm of Old Europe reaches out from its mainland, in land provinces."""


def _plan_highlands(room: _Room) -> LandPlan:
    """Return a broad land along ranges: one, two, three that meet, or one around a basin."""
    step, upright = room.step, room.chance(0.4)
    wide, high = (1.0, WIDTH) if upright else (WIDTH, 1.0)
    spines = _SPINES[draw_index(room.rng, len(_SPINES))](room)
    # How much of the map the ranges cross, and where.
    small = room.lands < _FEW_LANDS
    reach = room.draw(0.45, 0.6) if small else room.draw(0.5, 0.76)
    # With little land on a wide sea, they would be too long for it.
    reach *= min((room.land / _HIGH_LAND) ** 0.5, 1.0)
    isles = _draw_share(room, 0.4, 0.04, 0.12)
    left, upper = (room.draw(0.1, 0.9 - reach) for _ in range(2))
    ways = [[(wide * (left + reach * x), high * (upper + reach * y)) for x, y in way]
            for way in spines]  # fmt: skip
    pieces = [piece for way in ways for piece in _cut_way(room, way)]
    lengths = [_measure_way(piece) for piece in pieces]
    solid = room.draw(*_SOLID_SHARE) * room.land
    # Round ends have an area, too.
    radius = min(max(solid / (2.6 * fsum(lengths) or 1.0), 0.5 * step), 0.85 * step)
    radii = [radius * room.draw(0.85, 1.2) for _ in pieces]
    broad = 3.2 if small else 2.6
    strokes = [Stroke(start, end, broad * step) for way in ways for start, end in pairwise(way)]
    margin = 0.05 if small else room.draw(-0.1, 0.1)
    box = margin, margin, wide - margin, high - margin
    forms = _FORMS if room.chance(0.6) and not small else _STOUT_FORMS
    area = room.draw(0.55, 0.8) * (1 - isles) * room.land
    strokes += _draw_mass(room, box, area, forms=forms)
    lakes = _draw_lakes(room, ways, (wide, high))
    # Land around each lake, so that few provinces reach from it to the sea.
    strokes += [replace(lake, radius=broad * step) for lake in lakes]
    strokes += _draw_outliers(room, strokes, isles) if isles else []
    plan = LandPlan(
        tuple(strokes),
        channel=(0.25, 1.3),
        sides=room.sides(draw_index(room.rng, 4)),
        hills=0.35 if small else 0.5,
        warp=0.5 if small else 0.8,
        massifs=tuple(
            Stroke(start, end, broad, number)
            for number, (piece, broad) in enumerate(zip(pieces, radii, strict=True))
            for start, end in pairwise(piece)
        ),
        crests=tuple(
            Stroke(start, end, 1.4 * step) for way in ways for start, end in pairwise(way)
        ),
        lakes=lakes,
        solid=(0.07, 0.2),
        min_solids=2,
    )
    return _turn_plan(plan) if upright else plan


_HIGH_LAND = 0.85
"""The area of land that ranges across the map need."""

_SOLID_SHARE = (0.09, 0.14)
"""The share of the land that ranges cover, if there is room."""


def _measure_way(way: Sequence[Spot]) -> float:
    return fsum(((x - a) ** 2 + (y - b) ** 2) ** 0.5 for (x, y), (a, b) in pairwise(way))


def _cut_way(room: _Room, way: Sequence[Spot]) -> list[list[Spot]]:
    """Return the pieces of a range along `way`, with gaps between them; each has three spots."""
    whole, at, pieces = _measure_way(way), 0.0, []
    while at < whole:
        end = at + room.draw(0.8, 2.1) * room.step
        pieces.append([_find_spot(way, place) for place in (at, (at + end) / 2, end)])
        at = end + room.draw(2.2, 3.0) * room.step
    return pieces


def _find_spot(way: Sequence[Spot], at: float) -> Spot:
    """Return the spot at the distance `at` from the start of `way`, or from its last corner on."""
    for start, end in pairwise(way):
        length = _measure_way((start, end))
        if at <= length or end == way[-1]:
            return _part_line(start, end, at / length)[0]
        at -= length
    return way[-1]


def _draw_lakes(
    room: _Room, ways: Sequence[Sequence[Spot]], size: tuple[float, float]
) -> tuple[Stroke, ...]:
    """Return two or three lakes beside ranges, on a map of `size`."""
    lakes, margin = [], 2.5 * room.step
    for _ in range(2 + (room.lands > _FEW_LANDS and room.chance(0.4))):
        way = ways[draw_index(room.rng, len(ways))]
        x, y = room.near(_find_spot(way, room.draw(0.0, 1.0) * _measure_way(way)), 4 * room.step)
        spot = (
            min(max(x, margin), size[0] - margin),
            min(max(y, margin), size[1] - margin),
        )
        radius = (room.draw(1.05, 1.5) / _PI) ** 0.5 * room.step
        lakes.append(Stroke(spot, room.near(spot, 0.9 * room.step), radius))
    return tuple(lakes)


_FEW_LANDS, _PI = 40, 3.14159


def _draw_long_spine(room: _Room) -> list[list[Spot]]:
    ys = [room.draw(0.15, 0.85) for _ in range(4)]
    return [[(0.0, ys[0]), (0.33, ys[1]), (0.67, ys[2]), (1.0, ys[3])]]


def _draw_twin_spines(room: _Room) -> list[list[Spot]]:
    lean, bend = room.draw(-0.3, 0.3), room.draw(-0.15, 0.15)
    rows = room.draw(0.08, 0.22), room.draw(0.78, 0.92)
    starts = room.draw(0.0, 0.25), room.draw(0.0, 0.25)
    return [
        [(x, y - lean / 2), (x + 0.4, y + bend), (x + 0.75, y + lean / 2)]
        for x, y in zip(starts, rows, strict=True)
    ]


def _draw_forked_spines(room: _Room) -> list[list[Spot]]:
    hub = room.near((0.5, 0.5), 0.12)
    ends = room.near((0.0, 0.3), 0.15), room.near((0.95, 0.1), 0.15), room.near((0.65, 1.0), 0.15)
    first, *others = ends
    # The first range goes through the hub.
    return [[first, hub, others[0]], [_part_line(hub, others[1], 0.45)[0], others[1]]]


def _draw_bowed_spine(room: _Room) -> list[list[Spot]]:
    depth = room.draw(0.6, 1.0)
    bow = [(0.0, 0.95), (0.06, 0.4), (0.35, 0.05), (0.7, 0.08), (0.95, 0.42), (1.0, 0.95)]
    first = draw_index(room.rng, 2)
    return [[room.near((x, depth * y), 0.05) for x, y in bow[first : first + 5]]]


_SPINES = (_draw_long_spine, _draw_twin_spines, _draw_forked_spines, _draw_bowed_spine)
"""The ways of the ranges of a highland, in shares of the width and the height of its land."""


def _plan_polar(room: _Room) -> LandPlan:
    """Return an ice cap near the middle, with a ring of land around it that reaches out.

    It reaches out in arms, in one or two bodies of any form, or as a band across the map.
    """
    step, upright = room.step, room.chance(0.4)
    wide, high = size = (1.0, WIDTH) if upright else (WIDTH, 1.0)
    middle = wide * room.draw(0.375, 0.625), high * room.draw(0.385, 0.615)
    isles = _draw_share(room, 0.6, 0.05, 0.16)
    solid = room.draw(0.05, 0.16) * room.land
    # An oval of any direction.
    half = room.near((0.0, 0.0), 0.9 * solid**0.5)
    long = 2 * (half[0] * half[0] + half[1] * half[1]) ** 0.5
    radius = (((long * long + _PI * solid) ** 0.5) - long) / _PI
    ends = [(middle[0] + side * half[0], middle[1] + side * half[1]) for side in (-1, 1)]
    lobe = room.near(middle, 0.8 * radius)
    cap = Stroke(ends[0], ends[1], radius), Stroke(middle, lobe, 0.95 * radius)
    broad = radius + room.draw(1.1, 1.6) * step
    ring = [replace(stroke, radius=broad) for stroke in cap]
    rest = max(room.land * (1 - isles) - 2 * long * broad - _PI * broad * broad, 0.0)
    reach_out = _POLAR_FORMS[draw_index(room.rng, len(_POLAR_FORMS))]
    strokes = [*ring, *reach_out(room, size, middle, broad, rest)]
    if isles:
        strokes += _draw_islands(
            room, strokes, 1 + draw_index(room.rng, 3), (1.8, 7.5), 0.06, size=size
        )
    plan = LandPlan(
        tuple(strokes),
        channel=(0.2, 1.3),
        sides=room.sides(draw_index(room.rng, 5)),
        hills=0.55,
        warp=0.7,
        mass=(0.82, 1.0),
        massifs=cap,
        solid=(0.05, 0.22),
        min_solids=1,
    )
    return _turn_plan(plan) if upright else plan


def _reach_in_arms(
    room: _Room, size: tuple[float, float], middle: Spot, broad: float, area: float
) -> list[Stroke]:
    """Return three to six arms from the ring of land, which is as `broad`, out to all sides."""
    count = 3 + draw_index(room.rng, 4)
    first, gap = draw_index(room.rng, len(_DIRECTIONS)), len(_DIRECTIONS) / count
    weights = [room.draw(0.3, 1.7) for _ in range(count)]
    arms = []
    for number, weight in enumerate(weights):
        place = first + round(number * gap + room.draw(-0.25, 0.25) * gap)
        x, y = _DIRECTIONS[place % len(_DIRECTIONS)]
        # As far as the frame, or less.
        far = min(room.draw(0.5, 1.15), (0.3 * weight + broad) / 0.5)
        tip = middle[0] + 0.5 * size[0] * far * x, middle[1] + 0.5 * size[1] * far * y
        root = middle[0] + broad * x, middle[1] + broad * y
        reach = max(_measure_way((root, tip)), room.step)
        breadth = area * weight / fsum(weights) / (2 * reach)
        breadth = min(max(breadth, 0.8 * room.step), 1.7 * room.step)
        arms.append(Stroke(root, room.near(tip, 0.06), breadth))
    return arms


def _reach_in_bodies(
    room: _Room, size: tuple[float, float], middle: Spot, broad: float, area: float
) -> list[Stroke]:
    """Return one or two bodies of land of any form beside the ring, each joined to it."""
    edge, (wide, high) = room.draw(-0.3, 0.08), size
    left, upper, right, lower = edge, edge, wide - edge, high - edge
    boxes: list[_Box] = [
        (left, upper, middle[0] - 0.5 * broad, lower),
        (left, upper, right, middle[1] - 0.5 * broad),
        (middle[0] + 0.5 * broad, upper, right, lower),
        (left, middle[1] + 0.5 * broad, right, lower),
    ]
    first, count = draw_index(room.rng, 4), 1 + room.chance(0.4)
    share, strokes = room.draw(0.35, 0.65) if count == 2 else 1.0, []
    for number, part in zip(range(count), (share, 1 - share), strict=False):
        box = boxes[(first + 2 * number) % 4]
        body = _draw_mass(room, box, part * area, breadth=room.draw(0.6, 1.0))
        near = min(
            (spot for stroke in body for spot in (stroke.start, stroke.end)),
            key=lambda spot: (spot[0] - middle[0]) ** 2 + (spot[1] - middle[1]) ** 2,
        )
        strokes += [*body, Stroke(middle, near, 1.3 * room.step)]
    return strokes


def _reach_across(
    room: _Room, size: tuple[float, float], middle: Spot, broad: float, area: float
) -> list[Stroke]:
    """Return a band through the ring from one side of the map to the opposite one, or nearly."""
    x, y = _DIRECTIONS[draw_index(room.rng, len(_DIRECTIONS))]
    strokes: list[Stroke] = []
    for side in (-1, 1):
        bend = room.near((middle[0] + side * 0.3 * x, middle[1] + side * 0.3 * y), 0.08)
        far = 0.5 * side * room.draw(0.75, 1.1)
        tip = room.near((middle[0] + far * size[0] * x, middle[1] + far * size[1] * y), 0.1)
        reach = max(_measure_way((middle, bend, tip)) - broad, room.step)
        breadth = min(max(0.25 * area / reach, 0.8 * room.step), 2.4 * room.step)
        tail = breadth * room.draw(0.8, 1.3)
        strokes += [Stroke(middle, bend, breadth), Stroke(bend, tip, tail)]
    return strokes


_POLAR_FORMS = (_reach_in_arms, _reach_in_bodies, _reach_in_bodies, _reach_across)

_DIRECTIONS = (
    (1.0, 0.0), (0.92, 0.38), (0.71, 0.71), (0.38, 0.92), (0.0, 1.0), (-0.38, 0.92),
    (-0.71, 0.71), (-0.92, 0.38), (-1.0, 0.0), (-0.92, -0.38), (-0.71, -0.71), (-0.38, -0.92),
    (0.0, -1.0), (0.38, -0.92), (0.71, -0.71), (0.92, -0.38),
)  # fmt: skip
"""Directions all around, without trigonometric functions."""


PLANS: dict[Landform, Callable[[_Room], LandPlan]] = {
    Landform.CONTINENTS: _plan_continents,
    Landform.PANGAEA: _plan_pangaea,
    Landform.ARCHIPELAGO: _plan_archipelago,
    Landform.INLAND_SEA: _plan_inland_sea,
    Landform.ISTHMUS: _plan_isthmus,
    Landform.PENINSULAS: _plan_peninsulas,
    Landform.GREAT_RIVER: _plan_great_river,
    Landform.NEW_WORLD: _plan_new_world,
    Landform.OLD_EUROPE: _plan_old_europe,
    Landform.GLOBE: _plan_globe,
    Landform.HIGHLANDS: _plan_highlands,
    Landform.POLAR: _plan_polar,
}
"""The plan of each landform."""
