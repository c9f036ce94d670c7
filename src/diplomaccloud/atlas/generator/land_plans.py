"""Plans of landforms: where a world has cores, arms, basins and channels.

A plan is a rough drawing, made before any noise. `Elevation` bends it and adds hills and bays, so
that no coast shows the simple forms below it. All lengths here are in heights of the map: the map
is `WIDTH` wide and 1 high.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from diplomaccloud.atlas.generator.mesh import Floats, Ints
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

    def height(self, places: Floats) -> Floats:
        """Return the height of the plan at `places` (n×2), which noise has already bent."""
        near = np.stack([_measure_gaps(stroke, places) for stroke in self.strokes])
        masses = np.array([stroke.mass for stroke in self.strokes])
        by_mass = np.stack([near[masses == mass].min(axis=0) for mass in np.unique(masses)])
        by_mass.sort(axis=0)
        height = self.lift * _raise_ground(by_mass[0])
        if len(by_mass) > 1:
            breadth, depth = self.channel
            reach = np.sqrt(by_mass[1]) - np.sqrt(by_mass[0])
            height -= depth * np.clip(1 - reach / breadth, 0.0, 1.0)
        for basin in self.basins:
            height -= 2 * self.lift * np.clip(1 - _measure_gaps(basin, places), 0.0, 1.0)
        for bridge in self.bridges:
            apart = _measure_gaps(bridge, places)
            height = np.maximum(height, self.lift * _raise_ground(apart))
        return np.asarray(height)

    def find_regions(self, places: Floats) -> Ints:
        """Return the number of the region at each of `places`, from 1; 0 outside all regions."""
        region = np.zeros(len(places), dtype=np.int64)
        for number, stroke in enumerate(self.regions, 1):
            region[_measure_gaps(stroke, places) < 1] = number
        return region


def _raise_ground(apart: Floats) -> Floats:
    """Return the lift at squared distances from a stroke: 1 in its middle, 0 at its edge."""
    return np.asarray(np.maximum(1 - apart, _DEEPEST))


def _measure_gaps(stroke: Stroke, places: Floats) -> Floats:
    """Return the squared distance of `places` from the line of `stroke`, in its radii."""
    (x, y), (to_x, to_y) = stroke.start, stroke.end
    across, down = to_x - x, to_y - y
    left, top = places[:, 0] - x, places[:, 1] - y
    length = across * across + down * down
    along = np.clip((left * across + top * down) / length, 0.0, 1.0) if length else 0.0
    left, top = left - along * across, top - along * down
    return np.asarray((left * left + top * top) / (stroke.radius * stroke.radius))


# The plans of the landforms. Each draws only uniform numbers, for the same plan everywhere.


@dataclass(frozen=True)
class _Room:
    """What a plan must find room for; `step` is the breadth of a land province."""

    rng: np.random.Generator
    players: int
    lands: int
    step: float

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


def make_plan(
    landform: Landform, rng: np.random.Generator, players: int, counts: tuple[int, int]
) -> LandPlan:
    """Return a plan of `landform` for `counts` of land provinces and seas."""
    lands, seas = counts
    room = _Room(rng, players, lands, (WIDTH / (lands + SEA_SIZE * seas)) ** 0.5)
    plan = PLANS[landform](room)
    # Every plan can be mirrored both ways.
    mirrored = rng.random(2) < 0.5
    return _mirror_plan(plan, bool(mirrored[0]), bool(mirrored[1]))


SEA_SIZE = 2.2
"""The size of the mean sea, in mean land provinces."""


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
        sides=(
            *((right, left) if across else (left, right)),
            *((lower, upper) if down else (upper, lower)),
        ),
    )


_OCEAN_AROUND = (2.5, 2.5, 2.5, 2.5)
"""The fall-off of the sides of a map whose land keeps off the frame."""


def _plan_continents(room: _Room) -> LandPlan:
    """Return two or three continents, each of two strokes, divided by a broad channel."""
    if room.players > 3 and room.chance(0.5):
        middles = [(0.26, room.draw(0.25, 0.75)), (1.0, 0.2), (1.08, 0.82)]
    else:
        shift = room.draw(-0.1, 0.1)
        middles = [(0.32 + shift, 0.5), (1.1 + shift, 0.5)]
    strokes = []
    for mass, middle in enumerate(middles):
        reach = 0.28 if len(middles) == 2 else 0.2
        hub = room.near(middle, 0.05)
        for _ in range(2):
            strokes.append(Stroke(hub, room.near(hub, reach), room.draw(0.2, 0.3), mass))
    return LandPlan(tuple(strokes), channel=(0.6, 1.3), sides=room.sides(2), hills=0.9)


def _plan_pangaea(room: _Room) -> LandPlan:
    """Return one mass in the middle of the ocean: a bent chain of strokes with a bay or two."""
    y = room.draw(0.35, 0.65)
    chain = [(0.36, y), (room.draw(0.55, 0.85), 1 - y), (WIDTH - 0.36, room.draw(0.35, 0.65))]
    strokes = [Stroke(start, end, room.draw(0.2, 0.3)) for start, end in pairwise(chain)]
    strokes.append(Stroke(chain[1], room.near((WIDTH / 2, y), 0.2), room.draw(0.16, 0.24)))
    bays = []
    for _ in range(1 + room.chance(0.6)):
        mouth = (room.draw(0.3, WIDTH - 0.3), 1.0 if room.chance(0.5) else 0.0)
        bays.append(Stroke(mouth, room.near((mouth[0], 0.5), 0.1), room.draw(0.07, 0.11)))
    return LandPlan(
        tuple(strokes),
        tuple(bays),
        sides=_OCEAN_AROUND,
        lift=0.8,
        hills=1.0,
        mass=(0.93, 1.0),
        off_frame=True,
    )


def _plan_archipelago(room: _Room) -> LandPlan:
    """Return islands of about the same size, far from one another, with channels on all sides."""
    count = max(5, round(room.lands / 5.5))
    spots = _spread_spots(room, count)
    size = (room.lands / count) ** 0.5 * room.step
    strokes = tuple(
        Stroke(spot, room.near(spot, 0.5 * size), room.draw(0.45, 0.6) * size, mass)
        for mass, spot in enumerate(spots)
    )
    return LandPlan(
        strokes,
        channel=(0.8, 2.5),
        sides=(1.5, 1.5, 1.5, 1.5),
        lift=0.8,
        hills=0.6,
        warp=1.0,
        mass=(0.0, 0.24),
    )


def _spread_spots(room: _Room, count: int) -> list[Spot]:
    """Return spots inside the frame, each the farthest from those before it of several."""
    spots: list[Spot] = []
    for _ in range(count):
        tried = [(room.draw(0.12, WIDTH - 0.12), room.draw(0.12, 0.88)) for _ in range(24)]
        gaps = [min(((x - a) ** 2 + (y - b) ** 2 for a, b in spots), default=0.0) for x, y in tried]
        spots.append(tried[gaps.index(max(gaps))])
    return spots


def _plan_inland_sea(room: _Room) -> LandPlan:
    """Return a ring of land around a basin, open to the ocean by one strait."""
    middle = room.near((WIDTH / 2, 0.5), 0.06)
    half = room.draw(0.1, 0.22)
    tilt = room.draw(-0.1, 0.1)
    size = room.draw(0.24, 0.29)
    basin = Stroke((middle[0] - half, middle[1] - tilt), (middle[0] + half, middle[1] + tilt), size)
    ring = [(0.2, 0.2), (WIDTH / 2, 0.12), (1.2, 0.2), (1.26, 0.5), (1.2, 0.8), (WIDTH / 2, 0.88),
            (0.2, 0.8), (0.15, 0.5)]  # fmt: skip
    ring = [room.near(spot, 0.05) for spot in ring]
    strokes = tuple(
        Stroke(start, end, room.draw(0.19, 0.27))
        for start, end in zip(ring, [*ring[1:], ring[0]], strict=True)
    )
    mouth = ring[draw_index(room.rng, len(ring))]
    beyond = (2.2 * mouth[0] - 1.2 * middle[0], 2.2 * mouth[1] - 1.2 * middle[1])
    strait = Stroke(middle, beyond, 0.4 * room.step)
    return LandPlan(strokes, (basin, strait), sides=room.sides(3), lift=0.9, hills=0.65, warp=0.9)


def _plan_isthmus(room: _Room) -> LandPlan:
    """Return two lobes, divided by bays from both sides, with one narrow bridge between them."""
    x, y, step = WIDTH / 2 + room.draw(-0.1, 0.1), room.draw(0.38, 0.62), room.step
    hubs = (0.36, room.draw(0.4, 0.6)), (WIDTH - 0.36, room.draw(0.4, 0.6))
    strokes = [
        Stroke(hub, room.near(hub, 0.22), room.draw(0.22, 0.28)) for hub in hubs for _ in range(3)
    ]
    breadth = room.draw(1.3, 1.6) * step
    gap = 0.5 * step + 0.85 * breadth
    bays = (
        Stroke((x + room.draw(-0.15, 0.15), -0.1), (x, y - gap), breadth),
        Stroke((x + room.draw(-0.15, 0.15), 1.1), (x, y + gap), breadth),
    )
    bridge = Stroke((x - 1.3 * step, y), (x + 1.3 * step, y), 0.62 * step)
    # Across the whole bridge, so that one province reaches from sea to sea.
    waist = Stroke((x, y - step), (x, y + step), 0.42 * step)
    return LandPlan(
        tuple(strokes),
        bays,
        bridges=(bridge,),
        regions=(waist,),
        sides=_OCEAN_AROUND,
        hills=0.6,
        warp=0.7,
        mass=(0.93, 1.0),
        region_sizes=(0.75 / room.lands, 1.4 / room.lands),
        min_parts=(0.34, 0.34),
    )


def _plan_peninsulas(room: _Room) -> LandPlan:
    """Return a core along one side from which arms reach far out into the ocean."""
    count, step = 4 + (room.lands > 45 and room.chance(0.5)), room.step
    reach = WIDTH / count
    core = Stroke((0.0, 0.1), (WIDTH, room.draw(0.05, 0.15)), 0.24)
    arms, regions = [], []
    for number in range(count):
        x = reach * (number + 0.5) + room.draw(-0.12, 0.12) * reach
        tip = (x + room.draw(-0.45, 0.45) * reach, room.draw(0.8, 0.98))
        arms.append(Stroke((x, 0.2), tip, 0.62 * step))
        root = (x + 0.3 * (tip[0] - x), 0.2 + 0.35 * (tip[1] - 0.2) + 0.3 * step)
        regions.append(Stroke(root, tip, 1.1 * step))
    return LandPlan(
        (core, *arms),
        regions=tuple(regions),
        sides=(0.3, 0.3, 0.0, 1.5),
        lift=1.3,
        hills=0.45,
        warp=0.85,
        region_sizes=(3.2 / room.lands, 1.0),
    )


def _plan_great_river(room: _Room) -> LandPlan:
    """Return one broad land, without deep bays, beside the ocean."""
    hub = room.near((WIDTH / 2, 0.5), 0.1)
    ends = [(0.3, room.draw(0.25, 0.75)), (WIDTH - 0.3, room.draw(0.25, 0.75))]
    ends.append((room.draw(0.45, 0.95), 0.1 if room.chance(0.5) else 0.9))
    strokes = [Stroke(hub, end, room.draw(0.3, 0.38)) for end in ends]
    return LandPlan(
        tuple(strokes), sides=room.sides(2), lift=1.1, hills=0.6, warp=0.9, mass=(0.7, 1.0)
    )


PLANS: dict[Landform, Callable[[_Room], LandPlan]] = {
    Landform.CONTINENTS: _plan_continents,
    Landform.PANGAEA: _plan_pangaea,
    Landform.ARCHIPELAGO: _plan_archipelago,
    Landform.INLAND_SEA: _plan_inland_sea,
    Landform.ISTHMUS: _plan_isthmus,
    Landform.PENINSULAS: _plan_peninsulas,
    Landform.GREAT_RIVER: _plan_great_river,
}
"""The landforms that can be made, and their plans."""
