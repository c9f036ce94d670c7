"""The twelve landforms: what a map looks like from afar, as measurements and rules.

A `Ground` is the little that the rules need to know of a map. `read_ground` finds it in a finished
chart, `trace_ground` in the generator's borders, before there are homes, names or a drawing.

A *land mass* is connected by lines between land provinces, whether armies can cross them or not. An
*island power* has all its home centers on a land mass without a home center of another power.
A *pass* is an open border between ranges: at each end of it there is impassable land or a border
that is closed to armies.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import combinations, pairwise
from math import ceil, fsum, hypot
from typing import TYPE_CHECKING, TypeAlias

from diplomaccloud.judge.board import Board, BorderKind, Terrain, province_of
from diplomaccloud.judge.drawing.chart import ArcKind, Chart, Point, Ring

if TYPE_CHECKING:
    from diplomaccloud.atlas.generator.borders import BorderLine

Area: TypeAlias = int
"""The number of a province, or of an impassable space."""

Pair: TypeAlias = frozenset[Area]
"""Two areas that touch."""

OUTSIDE: Area = -1
"""The number of the space outside the frame."""

MAX_LAKE = 4
"""The most seas of a lake."""


class Landform(StrEnum):
    """The shape of a world."""

    CONTINENTS = "continents"
    PANGAEA = "pangaea"
    ARCHIPELAGO = "archipelago"
    INLAND_SEA = "inland-sea"
    ISTHMUS = "isthmus"
    PENINSULAS = "peninsulas"
    GREAT_RIVER = "great-river"
    HIGHLANDS = "highlands"
    POLAR = "polar"
    NEW_WORLD = "new-world"
    OLD_EUROPE = "old-europe"
    GLOBE = "globe"

    @property
    def label(self) -> str:
        """The name as printed: `Inland Sea`."""
        return " ".join(word.capitalize() for word in self.value.split("-"))


# A map names its landform in `maker`, after the program: "generator 8, landform isthmus".

_MAKER_PART = "landform "


def find_landform(name: str) -> Landform:
    """Return the landform with this name; raise `ValueError` that lists all of them."""
    try:
        return Landform(name)
    except ValueError:
        quoted = ascii(name if len(name) <= 40 else f"{name[:37]}...")
        raise ValueError(f"{quoted} is not a landform: choose {', '.join(Landform)}") from None


def name_landform(maker: str, landform: Landform) -> str:
    """Return `maker` with the name of `landform`."""
    return f"{maker}, {_MAKER_PART}{landform}"


def landform_of(maker: str) -> Landform | None:
    """Return the landform that a chart's `maker` names, or `None`.

    Raises `ValueError` for an unknown one.
    """
    for part in maker.split(", "):
        if part.startswith(_MAKER_PART):
            return find_landform(part.removeprefix(_MAKER_PART))
    return None


class Surface(StrEnum):
    """What an area is: land that armies enter, land that nobody enters, or water."""

    LAND = "land"
    IMPASSABLE = "impassable"
    SEA = "sea"


@dataclass(frozen=True, slots=True)
class Line:
    """A line between two junctions, or a closed line.

    `sides`: the areas beside it, `OUTSIDE` beyond the frame. `ends`: its junctions, which are any
    values that are equal where lines meet. `length`: in any unit that all lines share.
    """

    sides: tuple[Area, Area]
    ends: tuple[object, object]
    length: float


@dataclass(frozen=True)
class Ground:
    """What the rules of the landforms look at; areas are numbered from 0.

    `sizes`: the area of each, in any unit. `middles`: the middle of each, as shares of the width
    and height of the map. `closed`: pairs of land provinces that touch and that armies cannot
    pass. `rivers`: the borders along each navigable river. `canals`: land provinces through which
    fleets pass. `split`: provinces with several coasts. `joined`: pairs that a lettered passage
    from the left edge to the right edge joins. `players`: the number of powers. `homes`: the home
    centers of each power, empty if they are not placed yet, as then are the `neutrals`, the centers
    that nobody owns.
    """

    surfaces: tuple[Surface, ...]
    lines: tuple[Line, ...]
    sizes: tuple[float, ...]
    middles: tuple[Point, ...]
    players: int
    closed: frozenset[Pair] = frozenset()
    rivers: tuple[frozenset[Pair], ...] = ()
    canals: frozenset[Area] = frozenset()
    split: frozenset[Area] = frozenset()
    joined: tuple[Pair, ...] = ()
    homes: tuple[frozenset[Area], ...] = ()
    neutrals: frozenset[Area] = frozenset()

    def find_areas(self, *surfaces: Surface) -> tuple[Area, ...]:
        """Return the areas with one of these surfaces."""
        return tuple(area for area, found in enumerate(self.surfaces) if found in surfaces)

    @cached_property
    def lands(self) -> tuple[Area, ...]:
        """The land provinces, without impassable land."""
        return self.find_areas(Surface.LAND)

    @cached_property
    def touching(self) -> tuple[frozenset[Area], ...]:
        """The areas that share a line with each area."""
        touching: list[set[Area]] = [set() for _ in self.surfaces]
        for first, second in (line.sides for line in self.lines):
            if OUTSIDE not in (first, second) and first != second:
                touching[first].add(second)
                touching[second].add(first)
        return tuple(map(frozenset, touching))

    @cached_property
    def at_frame(self) -> frozenset[Area]:
        """The areas at the frame."""
        sides = (line.sides for line in self.lines if OUTSIDE in line.sides)
        return frozenset(area for pair in sides for area in pair if area != OUTSIDE)

    @cached_property
    def masses(self) -> tuple[frozenset[Area], ...]:
        """The land masses, the largest first, as land provinces."""
        return _find_parts(self.touching, self.lands)

    @cached_property
    def waters(self) -> tuple[frozenset[Area], ...]:
        """The groups of connected seas, the largest first."""
        return _find_parts(self.touching, self.find_areas(Surface.SEA))

    @cached_property
    def ranges(self) -> tuple[frozenset[Area], ...]:
        """The pieces of impassable land, the one with the most spaces first."""
        return _find_parts(self.touching, self.find_areas(Surface.IMPASSABLE))

    @cached_property
    def lakes(self) -> tuple[frozenset[Area], ...]:
        """The waters off the frame that no line joins with others, if they are small."""
        return tuple(
            water for water in self.waters if len(water) <= MAX_LAKE and not water & self.at_frame
        )

    @cached_property
    def bridges(self) -> tuple[Area, ...]:
        """The land provinces that alone hold two large parts of the land together."""
        least = _BRIDGE_SHARE * len(self.lands)
        return tuple(
            land
            for mass in self.masses
            if len(mass) > 2 * least
            for land in sorted(mass)
            if len(self.touching[land] & mass) > 1
            and sum(len(part) >= least for part in _find_parts(self.touching, mass - {land})) > 1
        )

    @cached_property
    def enclosed_seas(self) -> tuple[frozenset[Area], ...]:
        """All groups of seas off the frame that meet other seas at up to two borders.

        The smallest are first; some contain others.
        """
        groups = _find_pockets(self.touching, self.waters, whole=True)
        return tuple(group for group in groups if not group & self.at_frame)

    @cached_property
    def peninsulas(self) -> tuple[frozenset[Area], ...]:
        """All peninsulas, as land provinces; the smallest are first, and some contain others.

        A peninsula is no more than half of its land mass.
        """
        sizes = {land: len(mass) for mass in self.masses for land in mass}
        return tuple(
            group
            for group in _find_pockets(self.touching, self.masses)
            if _MIN_PENINSULA <= len(group) <= sizes[min(group)] / 2
            # Lengths are sums of fractions, which may miss the limit by a rounding.
            and self.measure_coast(group) >= _PENINSULA_COAST * self.measure_rim(group) * (1 - 1e-9)
        )

    @cached_property
    def passes(self) -> frozenset[Pair]:
        """The open borders between ranges."""
        at_range: set[object] = set()
        for line in self.lines:
            solid = (self._is_impassable(area) for area in line.sides)
            if any(solid) or frozenset(line.sides) in self.closed:
                at_range.update(line.ends)
        lands = frozenset(self.lands)
        return frozenset(
            frozenset(line.sides)
            for line in self.lines
            if lands.issuperset(line.sides)
            and frozenset(line.sides) not in self.closed
            and at_range.issuperset(line.ends)
        )

    @cached_property
    def island_powers(self) -> tuple[int, ...]:
        """The numbers of the powers that are alone on their islands."""
        found = []
        for mass in self.masses:
            here = [power for power, homes in enumerate(self.homes) if homes & mass]
            if len(here) == 1 and self.homes[here[0]] <= mass:
                found += here
        return tuple(sorted(found))

    @property
    def mass(self) -> float:
        """The share of the land provinces in the largest land mass."""
        return self.share_of_land(self.masses[0]) if self.masses else 0.0

    def share_of_land(self, group: Collection[Area]) -> float:
        """Return the share of the land provinces in `group`."""
        return len(group) / len(self.lands)

    @property
    def impassable_share(self) -> float:
        """The share of all land, by area, that is impassable."""
        return self.measure_share([area for piece in self.ranges for area in piece])

    def measure_share(self, group: Collection[Area]) -> float:
        """Return the share of all land, by area, in `group`."""
        dry = self.find_areas(Surface.LAND, Surface.IMPASSABLE)
        whole = fsum(self.sizes[area] for area in dry)
        return fsum(self.sizes[area] for area in group) / (whole or 1.0)

    @property
    def land_at_frame(self) -> float:
        """The share of the frame, by length, that is land."""
        frame = [line for line in self.lines if OUTSIDE in line.sides]
        land = fsum(line.length for line in frame if not self._is_sea(max(line.sides)))
        return land / (fsum(line.length for line in frame) or 1.0)

    def measure_rim(self, group: Collection[Area]) -> float:
        """Return the length of the line around `group`."""
        return fsum(line.length for line, _ in self._find_rim(group))

    def measure_coast(self, group: Collection[Area]) -> float:
        """Return the length of the line between the land in `group` and water."""
        return fsum(line.length for line, beyond in self._find_rim(group) if self._is_sea(beyond))

    def _find_rim(self, group: Collection[Area]) -> Iterator[tuple[Line, Area]]:
        """Yield each line around `group`, with the area beyond it."""
        inside = frozenset(group)
        for area in inside:
            for line in self._lines_at[area]:
                first, second = line.sides
                beyond = second if first == area else first
                if beyond not in inside:
                    yield line, beyond

    @cached_property
    def _lines_at(self) -> tuple[tuple[Line, ...], ...]:
        """The lines around each area."""
        lines: list[list[Line]] = [[] for _ in self.surfaces]
        for line in self.lines:
            for area in line.sides:
                if area != OUTSIDE:
                    lines[area].append(line)
        return tuple(map(tuple, lines))

    def count_powers_at(self, areas: Collection[Area]) -> int:
        """Return how many powers have a home center in one of `areas`."""
        return sum(not homes.isdisjoint(areas) for homes in self.homes)

    def find_shores(self, seas: Collection[Area]) -> frozenset[Area]:
        """Return the land provinces that touch one of `seas`."""
        near = frozenset().union(*(self.touching[sea] for sea in seas))
        return near.intersection(self.lands)

    def _is_sea(self, area: Area) -> bool:
        return area != OUTSIDE and self.surfaces[area] is Surface.SEA

    def _is_impassable(self, area: Area) -> bool:
        return area != OUTSIDE and self.surfaces[area] is Surface.IMPASSABLE


def choose_disjoint(groups: Sequence[frozenset[Area]]) -> tuple[frozenset[Area], ...]:
    """Return as many of `groups`, sorted by size, as do not overlap."""
    chosen: list[frozenset[Area]] = []
    for group in groups:
        if all(group.isdisjoint(other) for other in chosen):
            chosen.append(group)
    return tuple(chosen)


def _find_parts(
    touching: Sequence[frozenset[Area]], areas: Collection[Area]
) -> tuple[frozenset[Area], ...]:
    """Return the connected parts of `areas`: the largest first, then by their least number."""
    remaining, parts = set(areas), []
    while remaining:
        queue = [remaining.pop()]
        for area in queue:
            near = touching[area] & remaining
            remaining -= near
            queue += near
        parts.append(frozenset(queue))
    return tuple(sorted(parts, key=lambda part: (-len(part), min(part))))


_MAX_POCKETS = 4_000
"""Maps have some dozens of pockets, but a ring of 500 provinces would have 250,000."""


def _find_pockets(
    touching: Sequence[frozenset[Area]],
    parts: Sequence[frozenset[Area]],
    *,
    whole: bool = False,
) -> tuple[frozenset[Area], ...]:
    """Return the smallest connected groups with one or two borders to the rest of their part.

    With `whole`, the parts are groups, too. The smallest groups come first.
    """
    found: set[int] = set()
    for part in parts:
        found |= _find_pockets_of(touching, part)
        if whole:
            found.add(sum(1 << area for area in part))
    smallest = sorted(found, key=lambda group: (group.bit_count(), group))[:_MAX_POCKETS]
    return tuple(
        frozenset(area for area in range(group.bit_length()) if group >> area & 1)
        for group in smallest
    )


def _find_pockets_of(touching: Sequence[frozenset[Area]], part: frozenset[Area]) -> set[int]:
    """Return the groups of the connected `part`, each as the sum of 2 to the number of each area.

    On a tree that spans the part, each other border closes a cycle. The sets of cycles through two
    borders are equal if, and only if, the two together cut the part in two; a border on no cycle
    does so alone (Pritchard and Thurimella, "Fast computation of small cuts via cycle space
    sampling", 2011). Here, sets of cycles and of areas are bits of whole numbers.
    """
    root = min(part)
    parents, order = {root: root}, [root]
    for area in order:
        for near in sorted(touching[area] & part):
            if near not in parents:
                parents[near] = area
                order.append(near)
    others = [
        (area, near)
        for area in order
        for near in touching[area] & part
        if area < near and near != parents[area] and area != parents[near]
    ]
    # Each area but the root stands for the border to its parent.
    cycles, below = dict.fromkeys(order, 0), {area: 1 << area for area in order}
    for number, pair in enumerate(others):
        for area in pair:
            cycles[area] ^= 1 << number
    for area in reversed(order[1:]):
        cycles[parents[area]] ^= cycles[area]
        below[parents[area]] |= below[area]
    everything, cuts = below[root], defaultdict[int, list[int]](list)
    for area in order[1:]:
        cuts[cycles[area]].append(below[area])
    found: set[int] = set()
    for through, sides in cuts.items():
        if through.bit_count() < 2:
            # No cycle, or one whose own border completes the cut.
            found.update(side for one in sides for side in (one, everything ^ one))
        for first, second in combinations(sides, 2):
            between = first ^ second
            if through:
                found.update((between, everything ^ between))
            else:
                # Of two borders on no cycle, only what lies between them is connected.
                found.add(between if first & second else everything ^ between)
    return found


# Find the ground in a chart, or in the generator's borders.


def trace_ground(
    surfaces: Sequence[Surface],
    lines: Sequence["BorderLine"],
    lengths: Sequence[float],
    sizes: Sequence[float],
    middles: Sequence[Point],
    *,
    players: int,
) -> Ground:
    """Return the ground within the generator's border `lines`, which have these `lengths`.

    `sizes` and `middles`: as for `Ground`. Other members can be added with `replace`.
    """
    ways = (((line.left, line.right), line.vertices) for line in lines)
    return Ground(
        surfaces=tuple(surfaces),
        lines=tuple(
            Line(sides, (way[0], way[-1]), float(length))
            for (sides, way), length in zip(ways, lengths, strict=True)
        ),
        sizes=tuple(map(float, sizes)),
        middles=tuple((float(x), float(y)) for x, y in middles),
        players=players,
    )


def number_areas(board: Board) -> dict[str | None, Area]:
    """Return the number of each province and then of each impassable space, by code."""
    codes = (*board.by_code, *(code for code, _ in board.impassable))
    return {code: number for number, code in enumerate(codes)}


def read_ground(chart: Chart) -> Ground:
    """Return the ground of a finished chart."""
    board, numbers = chart.board, number_areas(chart.board)
    outlines: dict[str, list[Sequence[Ring]]] = defaultdict(list)
    for shape in chart.shapes:
        outlines[shape.province] += shape.polygons
    for code, rings in chart.scenery:
        outlines[code].append(rings)
    measured = [_measure_outlines(chart, outlines[code or ""]) for code in numbers]
    surfaces = [
        Surface.SEA if province.terrain is Terrain.SEA else Surface.LAND
        for province in board.provinces
    ] + [Surface.IMPASSABLE for _ in board.impassable]
    lines = tuple(
        Line(
            (numbers.get(arc.left, OUTSIDE), numbers.get(arc.right, OUTSIDE)),
            (arc.points[0], arc.points[-1]),
            fsum(hypot(to_x - x, to_y - y) for (x, y), (to_x, to_y) in pairwise(arc.points)),
        )
        for arc in chart.arcs
        # The rest are islets without a province.
        if arc.left != arc.right
        and (arc.kind is ArcKind.FRAME or None not in (arc.left, arc.right))
    )
    walks = {frozenset(numbers[code] for code in border) for border in board.army_borders}
    lands = {n for n, surface in enumerate(surfaces) if surface is Surface.LAND}
    return Ground(
        surfaces=tuple(surfaces),
        lines=lines,
        sizes=tuple(size for size, _ in measured),
        middles=tuple((x / chart.size[0], y / chart.size[1]) for _, (x, y) in measured),
        players=len(board.powers),
        closed=frozenset(frozenset(line.sides) for line in lines if lands.issuperset(line.sides))
        - walks,
        rivers=_find_rivers(chart, numbers),
        canals=frozenset(
            numbers[shape.province]
            for shape in chart.shapes
            if numbers[shape.province] in lands
            and not board.by_code[shape.province].coasts
            and _count_shores(chart, shape.polygons[0][0]) > 1
        ),
        split=frozenset(numbers[p.code] for p in board.provinces if p.coasts),
        joined=_find_joined_edges(chart, numbers),
        homes=tuple(
            frozenset(numbers[home] for home in homes) for homes in board.home_centers.values()
        ),
        neutrals=frozenset(numbers[p.code] for p in board.provinces if p.center and p.home is None),
    )


def _find_rivers(chart: Chart, numbers: Mapping[str | None, Area]) -> tuple[frozenset[Pair], ...]:
    """Return the borders along each navigable river: those whose lines meet are of one river."""
    borders = {
        frozenset(numbers[province_of(end)] for end in (rule.first, rule.second))
        for rule in chart.board.border_rules
        if rule.kind is BorderKind.RIVER
    }
    # The borders that meet at each junction.
    meeting: dict[object, set[Pair]] = defaultdict(set)
    for arc in chart.arcs:
        pair = frozenset(numbers.get(side, OUTSIDE) for side in (arc.left, arc.right))
        if pair in borders:
            for end in (arc.points[0], arc.points[-1]):
                meeting[end].add(pair)
    ordered = sorted(borders, key=sorted)
    number = {pair: index for index, pair in enumerate(ordered)}
    touching: list[set[int]] = [set() for _ in ordered]
    for pairs in meeting.values():
        for pair in pairs:
            touching[number[pair]].update(number[other] for other in pairs if other != pair)
    parts = _find_parts([frozenset(near) for near in touching], range(len(ordered)))
    return tuple(frozenset(ordered[index] for index in part) for part in parts)


def _find_joined_edges(chart: Chart, numbers: Mapping[str | None, Area]) -> tuple[Pair, ...]:
    """Return the pairs that lettered passages from the left edge to the right edge join."""
    edges = {0.0, chart.size[0]}
    return tuple(
        frozenset(numbers[province_of(end)] for end in passage.ends)
        for passage in chart.passages
        if passage.mark
        and any({start[0], end[0]} == edges for start, end in pairwise(passage.points))
    )


def _measure_outlines(chart: Chart, polygons: Sequence[Sequence[Ring]]) -> tuple[float, Point]:
    """Return the area within `polygons` and its middle."""
    sums: list[tuple[float, float, float]] = []
    for polygon in polygons:
        for number, ring in enumerate(polygon):
            points = chart.outline(ring)
            triangles = [
                ((x * to_y - to_x * y) / 2, (x + to_x) / 3, (y + to_y) / 3)
                for (x, y), (to_x, to_y) in zip(points, (*points[1:], points[0]), strict=True)
            ]
            # A ring may go either way, and holes are taken away.
            is_positive = fsum(area for area, _, _ in triangles) > 0
            sign = 1 if is_positive == (number == 0) else -1
            sums += ((sign * area, x, y) for area, x, y in triangles)
    size = fsum(area for area, _, _ in sums)
    across, down = (fsum(one[0] * one[axis] for one in sums) for axis in (1, 2))
    return size, (across / (size or 1.0), down / (size or 1.0))


def _count_shores(chart: Chart, ring: Ring) -> int:
    """Return how many stretches of coast there are around `ring`."""
    wet = [chart.arcs[ref if ref >= 0 else ~ref].kind is ArcKind.COAST for ref in ring]
    return sum(not before and here for before, here in pairwise((wet[-1], *wet)))


# The rules of the landforms, in three parts, because the generator makes the land first.

_BRIDGE_SHARE = 0.3
"""A province is a bridge if, without it, two parts have at least this share of all land."""

_MIN_PENINSULA, _PENINSULA_COAST = 3, 0.6
"""The fewest provinces of a peninsula, and the least share of coast around it."""

_CONTINENT_SHARE = 0.2
_PANGAEA_MASS = _ISTHMUS_MASS = 0.9
_ARCHIPELAGO_MASS = 0.25
_POLAR_MASS = 0.8
_ICE_CAP_SHARE = 0.03
"""The least share of all land that an ice cap has; Switzerland is none."""

_EUROPE_MASS = (0.7, 0.9)
_INLAND_SEAS = 5
_MIN_PENINSULAS, _PENINSULA_POWERS = 4, 4
_RIVER_BORDERS, _RIVER_POWERS = 6, 3
_RANGE_SHARE, _MIN_RANGES, _MIN_PASSES, _MIN_LAKES = 0.06, 2, 3, 2
_EUROPE_PLAYERS, _EUROPE_HOMES, _EUROPE_PENINSULAS = 4, 4, 2
_JOINED_EDGES = 4

_Rule: TypeAlias = Callable[[Ground], Iterator[str]]


def find_landform_faults(ground: Ground, landform: Landform) -> tuple[str, ...]:
    """Return a sentence for each part of the rule of `landform` that `ground` misses."""
    return (
        *find_land_faults(ground, landform),
        *find_terrain_faults(ground, landform),
        *find_power_faults(ground, landform),
    )


def find_named_faults(chart: Chart) -> tuple[str, ...]:
    """Return what `chart` misses of the rule of the landform that it names: `Isthmus: …`.

    Raises `ValueError` for an unknown landform.
    """
    landform = landform_of(chart.maker)
    if landform is None:
        return ()
    faults = find_landform_faults(read_ground(chart), landform)
    return tuple(f"{landform.label}: {fault}" for fault in faults)


def find_land_faults(ground: Ground, landform: Landform) -> tuple[str, ...]:
    """Return what the forms of land and sea miss; they need no homes and no terrain."""
    return _apply(_LAND_RULES, ground, landform)


def find_terrain_faults(ground: Ground, landform: Landform) -> tuple[str, ...]:
    """Return what impassable land, passes, lakes, rivers, canals and lettered passages miss."""
    return _apply(_TERRAIN_RULES, ground, landform)


def find_power_faults(ground: Ground, landform: Landform) -> tuple[str, ...]:
    """Return what the home centers and the neutral centers miss."""
    return _apply(_POWER_RULES, ground, landform)


def _apply(rules: Mapping[Landform, _Rule], ground: Ground, landform: Landform) -> tuple[str, ...]:
    return tuple(rules[landform](ground)) if landform in rules else ()


def _require_mass(
    ground: Ground, minimum: float | None = None, maximum: float | None = None
) -> Iterator[str]:
    start = f"The largest land mass has {ground.mass:.0%} of the land provinces"
    if minimum is not None and ground.mass < minimum:
        yield f"{start}, less than {minimum:.0%}."
    if maximum is not None and ground.mass > maximum:
        yield f"{start}, more than {maximum:.0%}."


def _require_number(number: int, minimum: int, one: str, several: str) -> Iterator[str]:
    if number < minimum:
        there = f"There is {number}" if number == 1 else f"There are {number or 'no'}"
        yield f"{there} {one if number == 1 else several}; at least {minimum} must exist."


def _check_continents(ground: Ground) -> Iterator[str]:
    large = sum(ground.share_of_land(mass) >= _CONTINENT_SHARE for mass in ground.masses)
    if large not in (2, 3):
        yield (
            f"{large} land mass{'es' * (large != 1)} with at least {_CONTINENT_SHARE:.0%} of the"
            " land provinces; there must be two or three."
        )


def _check_pangaea(ground: Ground) -> Iterator[str]:
    yield from _require_mass(ground, _PANGAEA_MASS)
    dry = [area for area in ground.at_frame if ground.surfaces[area] is not Surface.SEA]
    if dry:
        yield f"The land reaches the frame in {len(dry)} place{'s' * (len(dry) != 1)}."


def _check_archipelago(ground: Ground) -> Iterator[str]:
    yield from _require_mass(ground, maximum=_ARCHIPELAGO_MASS)


def _check_inland_sea(ground: Ground) -> Iterator[str]:
    largest = max(map(len, ground.enclosed_seas), default=0)
    if largest < _INLAND_SEAS:
        yield (
            f"The largest enclosed sea has {largest} sea province{'s' * (largest != 1)}, less than"
            f" {_INLAND_SEAS}."
        )


def _check_isthmus(ground: Ground) -> Iterator[str]:
    yield from _require_mass(ground, _ISTHMUS_MASS)
    if (number := len(ground.bridges)) != 1:
        yield (
            f"{number or 'No'} land province{'s' * (number != 1)} hold"
            f"{'s' * (number == 1)} two large parts of the land together; exactly one must."
        )


def _check_isthmus_canal(ground: Ground) -> Iterator[str]:
    if not ground.canals.intersection(ground.bridges):
        yield "No canal leads through the isthmus."


def _check_peninsulas(ground: Ground) -> Iterator[str]:
    number = len(choose_disjoint(ground.peninsulas))
    yield from _require_number(number, _MIN_PENINSULAS, "peninsula", "peninsulas")


def _check_river(ground: Ground) -> Iterator[str]:
    longest = max(map(len, ground.rivers), default=0)
    if longest < _RIVER_BORDERS:
        yield (
            f"The longest navigable river follows {longest} border{'s' * (longest != 1)}, less than"
            f" {_RIVER_BORDERS}."
        )


def _check_highlands(ground: Ground) -> Iterator[str]:
    if ground.impassable_share < _RANGE_SHARE:
        yield (
            f"{ground.impassable_share:.1%} of the land is impassable, less than"
            f" {_RANGE_SHARE:.0%}."
        )
    yield from _require_number(
        len(ground.ranges), _MIN_RANGES, "impassable range", "impassable ranges"
    )
    yield from _require_number(
        len(ground.passes), _MIN_PASSES, "pass between ranges", "passes between ranges"
    )
    yield from _require_number(len(ground.lakes), _MIN_LAKES, "lake", "lakes")


def _check_polar(ground: Ground) -> Iterator[str]:
    yield from _require_mass(ground, _POLAR_MASS)


def _check_ice_cap(ground: Ground) -> Iterator[str]:
    caps = [
        cap
        for cap in ground.ranges
        if ground.measure_share(cap) >= _ICE_CAP_SHARE and _is_central(ground, cap)
    ]
    if not caps:
        yield (
            f"No impassable land of at least {_ICE_CAP_SHARE:.0%} of the land has its middle in the"
            " middle third of the map."
        )
    elif not any(_is_inland(ground, cap) for cap in caps):
        yield "The ice cap in the middle third of the map is not surrounded by land."


def _is_central(ground: Ground, group: Collection[Area]) -> bool:
    size = fsum(ground.sizes[area] for area in group) or 1.0
    middle = (
        fsum(ground.sizes[area] * ground.middles[area][axis] for area in group) / size
        for axis in (0, 1)
    )
    return all(1 / 3 <= place <= 2 / 3 for place in middle)


def _is_inland(ground: Ground, group: Collection[Area]) -> bool:
    """Return whether there is only land around `group`."""
    at_frame = ground.at_frame.intersection(group)
    around = frozenset().union(*(ground.touching[area] for area in group))
    return not at_frame and all(ground.surfaces[area] is not Surface.SEA for area in around)


def _check_europe(ground: Ground) -> Iterator[str]:
    if ground.players < _EUROPE_PLAYERS:
        yield (
            f"There are {ground.players} players; {Landform.OLD_EUROPE.label} needs at least"
            f" {_EUROPE_PLAYERS}."
        )
    yield from _require_mass(ground, *_EUROPE_MASS)
    number = len(choose_disjoint(ground.peninsulas))
    yield from _require_number(number, _EUROPE_PENINSULAS, "peninsula", "peninsulas")
    if not ground.enclosed_seas:
        yield "No sea is enclosed."


def _check_globe(ground: Ground) -> Iterator[str]:
    yield from _require_number(
        len(ground.joined),
        _JOINED_EDGES,
        "lettered passage from the left edge to the right edge",
        "lettered passages from the left edge to the right edge",
    )


_LAND_RULES: Mapping[Landform, _Rule] = {
    Landform.CONTINENTS: _check_continents,
    Landform.PANGAEA: _check_pangaea,
    Landform.ARCHIPELAGO: _check_archipelago,
    Landform.INLAND_SEA: _check_inland_sea,
    Landform.ISTHMUS: _check_isthmus,
    Landform.PENINSULAS: _check_peninsulas,
    Landform.POLAR: _check_polar,
    Landform.OLD_EUROPE: _check_europe,
}
_TERRAIN_RULES: Mapping[Landform, _Rule] = {
    Landform.ISTHMUS: _check_isthmus_canal,
    Landform.GREAT_RIVER: _check_river,
    Landform.HIGHLANDS: _check_highlands,
    Landform.POLAR: _check_ice_cap,
    Landform.GLOBE: _check_globe,
}


def _check_island_powers(ground: Ground) -> Iterator[str]:
    alone = len(ground.island_powers)
    if 2 * alone < ground.players:
        yield f"{alone} of {ground.players} powers are alone on their islands, less than half."


def _find_inland_shores(ground: Ground) -> Iterator[frozenset[Area]]:
    """Yield the shores of each inland sea."""
    seas = (sea for sea in ground.enclosed_seas if len(sea) >= _INLAND_SEAS)
    return map(ground.find_shores, seas)


def _check_inland_powers(ground: Ground) -> Iterator[str]:
    most = max(map(ground.count_powers_at, _find_inland_shores(ground)), default=0)
    if 3 * most < 2 * ground.players:
        yield (
            f"{most} of {ground.players} powers have a home center at the inland sea, less than two"
            " thirds."
        )


def _check_peninsula_powers(ground: Ground) -> Iterator[str]:
    number = ground.count_powers_at(frozenset().union(*ground.peninsulas))
    minimum = min(_PENINSULA_POWERS, ground.players)
    if number < minimum:
        yield f"{number} of at least {minimum} powers have a home center on a peninsula."


def _find_great_banks(ground: Ground) -> Iterator[frozenset[Area]]:
    """Yield the land provinces along each great river."""
    rivers = (river for river in ground.rivers if len(river) >= _RIVER_BORDERS)
    return (frozenset().union(*river) for river in rivers)


def _check_river_powers(ground: Ground) -> Iterator[str]:
    most = max(map(ground.count_powers_at, _find_great_banks(ground)), default=0)
    minimum = min(_RIVER_POWERS, ground.players)
    if most < minimum:
        yield f"{most} of at least {minimum} powers have a home center at the great river."


def _check_new_world(ground: Ground) -> Iterator[str]:
    most = max((sum(homes <= mass for homes in ground.homes) for mass in ground.masses), default=0)
    if 10 * most < 7 * ground.players:
        yield f"{most} of {ground.players} powers are on one land mass, less than 70%."
    empty = [mass for mass in ground.masses if not ground.count_powers_at(mass)]
    found = max((len(ground.neutrals & mass) for mass in empty), default=0)
    if 4 * found < len(ground.neutrals) or not found:
        yield (
            f"A land mass without a home center has up to {found} of {len(ground.neutrals)} neutral"
            " centers, less than a quarter."
        )


def _check_europe_powers(ground: Ground) -> Iterator[str]:
    if not ground.island_powers:
        yield "No power is alone on its island."
    if all(len(homes) < _EUROPE_HOMES for homes in ground.homes):
        yield f"No power has {_EUROPE_HOMES} home centers."


_POWER_RULES: Mapping[Landform, _Rule] = {
    Landform.ARCHIPELAGO: _check_island_powers,
    Landform.INLAND_SEA: _check_inland_powers,
    Landform.PENINSULAS: _check_peninsula_powers,
    Landform.GREAT_RIVER: _check_river_powers,
    Landform.NEW_WORLD: _check_new_world,
    Landform.OLD_EUROPE: _check_europe_powers,
}


def find_gathering(ground: Ground, landform: Landform) -> tuple[frozenset[Area], int]:
    """Return land provinces, and how many powers need a home center there for this landform.

    The number is 0 if the landform has no such rule.
    """
    if landform is Landform.INLAND_SEA:
        return max(_find_inland_shores(ground), key=len, default=frozenset()), ceil(
            2 * ground.players / 3
        )
    if landform is Landform.GREAT_RIVER:
        banks = max(_find_great_banks(ground), key=len, default=frozenset())
        return banks, min(_RIVER_POWERS, ground.players)
    if landform is Landform.PENINSULAS:
        return frozenset().union(*ground.peninsulas), min(_PENINSULA_POWERS, ground.players)
    if landform is Landform.NEW_WORLD:
        return ground.masses[0], ceil(7 * ground.players / 10)
    return frozenset(), 0
