"""Choose the terrain along borders: ranges that armies cross only at passes, and rivers for fleets.

Both follow lines between land provinces. They are chosen on the finished borders, before there are
homes, so that the balance of the powers takes them into account.
"""

from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import dist, fsum

import numpy as np

from diplomaccloud.atlas.generator.borders import OUTSIDE, BorderLine, Layout
from diplomaccloud.atlas.generator.mesh import Floats, Mesh
from diplomaccloud.atlas.generator.random_streams import draw_index


@dataclass(frozen=True)
class Range:
    """A chain of border lines along high ground: armies cross the `passes`, not the `ridges`."""

    ridges: tuple[int, ...]
    passes: tuple[int, ...]


@dataclass(frozen=True)
class BorderTerrain:
    """The ranges, and the lines of each river that fleets follow, from its mouth upstream."""

    ranges: tuple[Range, ...] = ()
    rivers: tuple[tuple[int, ...], ...] = ()

    @property
    def ridges(self) -> frozenset[int]:
        """The lines that no army passes."""
        return frozenset(line for one in self.ranges for line in one.ridges)

    @property
    def banks(self) -> frozenset[int]:
        """The lines along rivers."""
        return frozenset(line for river in self.rivers for line in river)


class BorderNet:
    """The lines between provinces, where they meet, and how mountainous each is, from 0 to 1."""

    def __init__(
        self, mesh: Mesh, lines: Sequence[BorderLine], layout: Layout, mountains: Floats
    ) -> None:
        """`mountains`: from 0 to 1 at each site of `mesh`."""
        self.lines = lines
        self.lands = layout.lands
        self.solids = layout.solids
        self._count = layout.count
        self._seas = frozenset(range(layout.lands, layout.count)) - layout.lakes
        self._mesh = mesh
        self.heights = {
            number: _measure_height(mesh, line, mountains) for number, line in enumerate(lines)
        }

    @cached_property
    def inner(self) -> frozenset[int]:
        """The lines between two lands that touch along this line only."""
        pairs = [self.sides(number) for number in range(len(self.lines))]
        counts = Counter(pairs)
        return frozenset(
            number
            for number, (low, high) in enumerate(pairs)
            if low != OUTSIDE and high < self.lands and counts[low, high] == 1
        )

    def sides(self, number: int) -> tuple[int, int]:
        """Return the owners beside a line, the lower number first."""
        line = self.lines[number]
        return min(line.left, line.right), max(line.left, line.right)

    def ends(self, number: int) -> tuple[int, int]:
        """Return the vertices at both ends of a line."""
        return self.lines[number].vertices[0], self.lines[number].vertices[-1]

    def far_end(self, number: int, vertex: int) -> int:
        """Return the other end of a line."""
        first, last = self.ends(number)
        return last if vertex == first else first

    def direction(self, number: int, start: int) -> tuple[float, float]:
        """Return the direction (of length 1) from the end `start` of a line to the other end."""
        (x, y), (to_x, to_y) = self._mesh.vertices[[start, self.far_end(number, start)]].tolist()
        length = ((to_x - x) ** 2 + (to_y - y) ** 2) ** 0.5 or 1.0
        return (to_x - x) / length, (to_y - y) / length

    def places(self, vertices: Sequence[int]) -> list[tuple[float, float]]:
        """Return the points of vertices."""
        return [(x, y) for x, y in self._mesh.vertices[list(vertices)].tolist()]

    @cached_property
    def meeting(self) -> dict[int, tuple[int, ...]]:
        """The lines that meet at each vertex where lines end."""
        meeting: dict[int, list[int]] = {}
        for number in range(len(self.lines)):
            for vertex in self.ends(number):
                meeting.setdefault(vertex, []).append(number)
        return {vertex: tuple(numbers) for vertex, numbers in meeting.items()}

    @cached_property
    def shores(self) -> frozenset[int]:
        """The vertices at water or at the frame where lines end."""
        return frozenset(
            vertex
            for vertex, numbers in self.meeting.items()
            for number in numbers
            if self.sides(number)[0] == OUTSIDE or self.lands <= self.sides(number)[1] < self._count
        )

    @cached_property
    def mouths(self) -> frozenset[int]:
        """The vertices where lines end at a sea that is no lake."""
        return frozenset(
            vertex
            for vertex, numbers in self.meeting.items()
            for number in numbers
            if self._seas.intersection(self.sides(number))
        )

    @cached_property
    def solid_at(self) -> dict[int, int]:
        """The piece of impassable land at each vertex where lines end, if there is one."""
        return {
            vertex: self.sides(number)[1]
            for vertex, numbers in self.meeting.items()
            for number in numbers
            if self.sides(number)[1] >= self._count
        }

    def measure_gap(self, number: int) -> float:
        """Return the distance between both ends of a line."""
        return dist(*self.places(self.ends(number)))

    @cached_property
    def coastal(self) -> frozenset[int]:
        """The land provinces that touch water."""
        pairs = map(self.sides, range(len(self.lines)))
        return frozenset(
            low for low, high in pairs if OUTSIDE < low < self.lands <= high < self._count
        )


def _measure_height(mesh: Mesh, line: BorderLine, mountains: Floats) -> float:
    """Return the mean of `mountains` in the cells along `line`."""
    cells = mesh.cells[list(line.edges)].ravel()
    cells = cells[cells >= 0]
    return fsum(mountains[cells].tolist()) / len(cells)


def choose_terrain(
    net: BorderNet,
    masses: Sequence[frozenset[int]],
    rng: np.random.Generator,
    *,
    great_river: bool = False,
) -> BorderTerrain:
    """Return the ranges and rivers of a map with these land masses; one of them may be great.

    Where there are several pieces of impassable land, the ranges run from one to the next.
    """
    if great_river:
        rivers = cut_great_river(net, rng)
        return BorderTerrain(raise_ranges(net, rng, rivers), rivers)
    ranges = join_massifs(net) if net.solids > 1 else raise_ranges(net, rng)
    return BorderTerrain(ranges, cut_rivers(net, ranges, masses, rng))


# Ranges: chains of borders along the highest ground.

_LANDS_PER_RANGE = 18
_LEVEL_SHARE = 0.15
"""The share of maps without ranges."""

_RANGE_LENGTHS = (2, 3, 3, 4, 5)
_MIN_HEIGHT = 0.2
"""A range continues only along lines at least this high."""

_TURN_COST = 0.35
"""How much higher a line must be that turns back halfway, to continue a range."""

_MAX_DETOUR = 4
"""The moves that an army may need to the other side of a ridge."""

_MIN_WAYS = 2
"""The borders that armies can cross, which each province beside a ridge keeps."""

_PASS_SHARE = 0.75
"""The share of ranges of three borders or more with a pass, even where it is not needed."""


def raise_ranges(
    net: BorderNet, rng: np.random.Generator, rivers: Sequence[Sequence[int]] = ()
) -> tuple[Range, ...]:
    """Return the ranges of a map: most have one for every `_LANDS_PER_RANGE` land provinces.

    They keep off the `rivers`.
    """
    draws = rng.random(3)
    if draws[0] < _LEVEL_SHARE:
        return ()
    count = 1 + int((net.lands / _LANDS_PER_RANGE) * draws[1])
    ways = _OpenWays(net)
    ranges: list[Range] = []
    used = {vertex for river in rivers for number in river for vertex in net.ends(number)}
    for start in sorted(net.inner, key=lambda number: (-net.heights[number], number)):
        if len(ranges) == count or net.heights[start] < _MIN_HEIGHT:
            break
        if used.intersection(net.ends(start)):
            continue
        length = _RANGE_LENGTHS[draw_index(rng, len(_RANGE_LENGTHS))]
        chain = _follow_heights(net, start, length, used)
        raised = _close_chain(net, ways, chain, needs_pass=float(rng.random()) < _PASS_SHARE)
        if raised is not None:
            ranges.append(raised)
            # The next range keeps its distance.
            near = {side for number in chain for side in net.sides(number)}
            used.update(
                vertex
                for number in net.inner
                if near.intersection(net.sides(number))
                for vertex in net.ends(number)
            )
    return tuple(ranges)


def _follow_heights(net: BorderNet, start: int, length: int, used: set[int]) -> tuple[int, ...]:
    """Return up to `length` lines in a row through `start`, along the highest ground."""
    chain = deque([start])
    first, last = net.ends(start)
    passed = {first, last}
    while len(chain) < length:
        options = []
        for at_end, vertex in ((True, last), (False, first)):
            line = chain[-1] if at_end else chain[0]
            back_x, back_y = net.direction(line, vertex)
            for number in net.meeting[vertex]:
                far = net.far_end(number, vertex)
                if number in net.inner and far not in passed | used:
                    x, y = net.direction(number, vertex)
                    # 0 straight ahead, 1 straight back.
                    turn = (1 + x * back_x + y * back_y) / 2
                    merit = net.heights[number] - _TURN_COST * turn
                    options.append((round(merit, 9), -number, at_end, far))
        options = [option for option in options if net.heights[-option[1]] >= _MIN_HEIGHT]
        if not options:
            break
        _, number, at_end, far = max(options)
        passed.add(far)
        if at_end:
            chain.append(-number)
            last = far
        else:
            chain.appendleft(-number)
            first = far
    return tuple(chain)


def _close_chain(
    net: BorderNet, ways: "_OpenWays", chain: tuple[int, ...], *, needs_pass: bool
) -> Range | None:
    """Return the range along `chain` and close its ridges, or `None` if it would have only one."""
    inside = chain[1:-1]
    lowest = min(inside, key=lambda number: (net.heights[number], number), default=-1)
    wanted = [number for number in chain if not (needs_pass and number == lowest)]
    closed = {number for number in wanted if ways.close(*net.sides(number))}
    # A pass has a ridge on both sides.
    kept = list(chain)
    while kept and kept[0] not in closed:
        kept.pop(0)
    while kept and kept[-1] not in closed:
        kept.pop()
    if len(closed) < min(2, len(chain)) or len(chain) == 1:
        for number in closed:
            ways.open(*net.sides(number))
        return None
    ridges = tuple(number for number in kept if number in closed)
    return Range(ridges, tuple(number for number in kept if number not in closed))


_MAX_GAP = 4
"""The most lines of a range between two pieces of impassable land."""

_FEWEST_PASSES = 4
"""With fewer passes between pieces of impassable land, these get spurs behind another pass."""


def join_massifs(net: BorderNet) -> tuple[Range, ...]:
    """Return ranges between the pieces of impassable land, the shortest that join all of them.

    Passes and ridges alternate, so that each pass has high ground on both sides.
    """
    ways, ranges = _OpenWays(net), []
    group = {solid: solid for solid in net.solid_at.values()}
    for _, chain, (first, second) in sorted(_list_chains(net)):
        if group[first] == group[second]:
            continue
        old, new = group[first], group[second]
        group = {solid: new if one == old else one for solid, one in group.items()}
        ridges = tuple(number for number in chain[1::2] if ways.close(*net.sides(number)))
        at_range = {vertex for number in ridges for vertex in net.ends(number)} | {*net.solid_at}
        open_lines = (number for number in chain if number not in ridges)
        passes = (number for number in open_lines if at_range.issuperset(net.ends(number)))
        ranges.append(Range(ridges, tuple(passes)))
    used = {line for one in ranges for line in (*one.ridges, *one.passes)}
    for ridge, way in _list_spurs(net) if ranges else ():
        if sum(len(one.passes) for one in ranges) >= _FEWEST_PASSES:
            break
        if not used.intersection((ridge, way)) and ways.close(*net.sides(ridge)):
            ranges.append(Range((ridge,), (way,)))
            used.update(net.meeting[net.ends(ridge)[0]], net.meeting[net.ends(ridge)[1]])
    return tuple(ranges)


def _list_spurs(net: BorderNet) -> list[tuple[int, int]]:
    """Return the ridges that could continue impassable land, each with the pass before it."""
    spurs = []
    for vertex in net.solid_at:
        for way in net.meeting[vertex]:
            middle = net.far_end(way, vertex)
            if way not in net.inner or middle in net.shores or middle in net.solid_at:
                continue
            back_x, back_y = net.direction(way, middle)
            for ridge in net.meeting[middle]:
                if ridge != way and ridge in net.inner:
                    x, y = net.direction(ridge, middle)
                    turn = (1 + x * back_x + y * back_y) / 2
                    merit = round(net.heights[ridge] - _TURN_COST * turn, 9)
                    spurs.append((-merit, ridge, way))
    return [(ridge, way) for _, ridge, way in sorted(spurs)]


def _list_chains(net: BorderNet) -> Iterator[tuple[float, tuple[int, ...], tuple[int, int]]]:
    """Yield the shortest chain of lines between any two pieces of impassable land.

    The results are its length, its lines, and the pieces.
    """
    for solid in sorted(set(net.solid_at.values())):
        starts = sorted(vertex for vertex, one in net.solid_at.items() if one == solid)
        reached: dict[int, tuple[float, tuple[int, ...]]] = dict.fromkeys(starts, (0.0, ()))
        found: dict[int, tuple[float, tuple[int, ...]]] = {}
        edge = starts
        for _ in range(_MAX_GAP):
            onward = set()
            for vertex in edge:
                length, chain = reached[vertex]
                for number in net.meeting[vertex]:
                    far = net.far_end(number, vertex)
                    way = round(length + net.measure_gap(number), 6), (*chain, number)
                    if number not in net.inner or far in net.shores:
                        continue
                    end = net.solid_at.get(far)
                    if end is None and (far not in reached or way < reached[far]):
                        reached[far] = way
                        onward.add(far)
                    elif end is not None and end > solid and (end not in found or way < found[end]):
                        found[end] = way
            edge = sorted(onward)
        for end, (length, chain) in found.items():
            yield length, chain, (solid, end)


class _OpenWays:
    """Which land provinces armies can walk between, while borders are closed."""

    def __init__(self, net: BorderNet) -> None:
        self._near: dict[int, set[int]] = {land: set() for land in range(net.lands)}
        for number in range(len(net.lines)):
            low, high = net.sides(number)
            if low != OUTSIDE and high < net.lands:
                self.open(low, high)

    def open(self, first: int, second: int) -> None:
        """Open the border between two provinces."""
        self._near[first].add(second)
        self._near[second].add(first)

    def close(self, first: int, second: int) -> bool:
        """Close the border if armies keep other ways that are short enough; return whether."""
        if min(len(self._near[first]), len(self._near[second])) <= _MIN_WAYS:
            return False
        self._near[first].discard(second)
        self._near[second].discard(first)
        if self._is_near(first, second):
            return True
        self.open(first, second)
        return False

    def _is_near(self, first: int, second: int) -> bool:
        """Return whether an army gets from one to the other in `_MAX_DETOUR` moves."""
        reached = {first}
        for _ in range(_MAX_DETOUR):
            reached |= {near for land in reached for near in self._near[land]}
        return second in reached


# Rivers that fleets follow, from a mouth upstream.

_MIN_RIVER_LANDS = 8
"""The land provinces of the smallest land mass with a river."""

_RIVER_LENGTHS = (2, 5)
"""The fewest and the most borders of a river."""

_LOW_GROUND = 0.55
"""Lines higher than this make a river worse, lower ones better."""

_LANDS_PER_RIVER = 22
"""A land mass may have a further river for every this many provinces."""


def cut_rivers(
    net: BorderNet,
    ranges: Sequence[Range],
    masses: Sequence[frozenset[int]],
    rng: np.random.Generator,
) -> tuple[tuple[int, ...], ...]:
    """Return the rivers of a map as lines from the mouth: none or several, on the larger `masses`.

    A river touches the sea at its mouth only, so that no province lies both at the sea and, with
    another shore, at the river.
    """
    ridges = {line for one in ranges for line in (*one.ridges, *one.passes)}
    rivers: list[tuple[int, ...]] = []
    wet = float(rng.random())
    for mass in masses:
        most = 1 + len(mass) // _LANDS_PER_RIVER if len(mass) >= _MIN_RIVER_LANDS else 0
        for _ in range(most):
            draws = rng.random(2)
            if draws[0] >= wet:
                continue
            longest = _RIVER_LENGTHS[0] + int(draws[1] * (_RIVER_LENGTHS[1] - 1))
            used = {side for river in rivers for number in river for side in net.sides(number)}
            courses = [
                course
                for course in _list_courses(net, longest)
                if net.sides(course[0])[0] in mass
                and not ridges.intersection(course)
                and not any(used.intersection(net.sides(number)) for number in course)
            ]
            if courses:
                rivers.append(max(courses, key=lambda course: _rate_course(net, course)))
    return tuple(rivers)


_GREAT_LENGTHS = (6, 12)
"""The fewest and the most borders of a great river."""

_LONGEST_GREAT = 8, 12
"""The most borders of a great river are drawn from this range: shorter ones meet few powers."""

_BENDS = (-15.0, 60.0)
"""How much farther a river must lead for one border less, in map units; drawn from this range.

With many bends, it fills one half of the land; with few, it leads straight through the land.
"""


def cut_great_river(net: BorderNet, rng: np.random.Generator) -> tuple[tuple[int, ...], ...]:
    """Return a long river of drawn length and course, or none if the land is too narrow."""
    draws = rng.random(2)
    shortest, longest = _LONGEST_GREAT
    most = shortest + int(draws[0] * (longest + 1 - shortest))
    courses = [course for course in _list_courses(net, most) if len(course) >= _GREAT_LENGTHS[0]]
    bends = _BENDS[0] + draws[1] * (_BENDS[1] - _BENDS[0])

    def rate(course: tuple[int, ...]) -> tuple[float, tuple[int, ...]]:
        return round(_measure_reach(net, course) + bends * len(course), 6), course

    return (max(courses, key=rate),) if courses else ()


def _measure_reach(net: BorderNet, course: tuple[int, ...]) -> float:
    """Return the distance between the source and the mouth of a river."""
    first, last = net.ends(course[0])
    mouth = last if first in net.ends(course[1]) else first
    return dist(*net.places([mouth, _find_source(net, course)]))


def _rate_course(net: BorderNet, course: tuple[int, ...]) -> tuple[float, tuple[int, ...]]:
    """Return a key that is largest for a long river that rises high and then stays low."""
    low = fsum(_LOW_GROUND - net.heights[number] for number in course[:-1])
    rise = max(net.heights[near] for near in net.meeting[_find_source(net, course)])
    return round(len(course) + low + 2 * rise, 9), course


def _find_source(net: BorderNet, course: Sequence[int]) -> int:
    """Return the vertex where a river begins."""
    first, last = net.ends(course[-1])
    return first if len(course) > 1 and first not in net.ends(course[-2]) else last


def _list_courses(net: BorderNet, longest: int) -> Iterator[tuple[int, ...]]:
    """Yield every course of a river, of at least two lines, from the mouth upstream."""
    for vertex in sorted(net.mouths):
        at_frame = any(net.sides(number)[0] == OUTSIDE for number in net.meeting[vertex])
        for number in () if at_frame else net.meeting[vertex]:
            far = net.far_end(number, vertex)
            if number in net.inner and far not in net.shores:
                yield from _extend_course(net, (number,), far, longest)


def _extend_course(
    net: BorderNet, course: tuple[int, ...], vertex: int, longest: int
) -> Iterator[tuple[int, ...]]:
    if len(course) >= _RIVER_LENGTHS[0]:
        yield course
    if len(course) == longest:
        return
    passed = {side for number in course[:-1] for side in net.sides(number)}
    last = set(net.sides(course[-1]))
    for number in net.meeting[vertex]:
        far = net.far_end(number, vertex)
        new = set(net.sides(number)) - last
        if (
            number not in course
            and number in net.inner
            and far not in net.shores
            # A river does not come back to a province that it has left, and keeps off the coast.
            and not new & (passed | net.coastal)
        ):
            yield from _extend_course(net, (*course, number), far, longest)
