"""Stage 6: which provinces border each other for armies and fleets, and which coasts are split."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import shortest_path

from diplomaccloud.atlas.generator.borders import (
    OUTSIDE,
    BorderLine,
    find_rings,
    group_lines_by_owner,
)
from diplomaccloud.atlas.generator.mesh import Ints, Mesh

Place: TypeAlias = tuple[int, int]
"""A province and the number of one of its coasts (0 for a sea or a single coast)."""

UNREACHABLE = 99
"""More moves than any route takes: there is no route."""


@dataclass(frozen=True)
class Layout:
    """The board before it has names; provinces are numbers, the `lands` first, then the `seas`.

    `coasts`: for each land province, the lines of each of its coasts. `coast_names`: `NC` and so on
    where there are two. `army_borders` and `fleet_borders`: the pairs between which an army or a
    fleet may move.
    """

    lands: int
    seas: int
    coasts: tuple[tuple[frozenset[int], ...], ...]
    coast_names: tuple[tuple[str, ...], ...]
    army_borders: tuple[tuple[int, int], ...]
    fleet_borders: tuple[tuple[Place, Place], ...]

    @property
    def count(self) -> int:
        """The number of provinces."""
        return self.lands + self.seas

    def places(self, province: int) -> tuple[Place, ...]:
        """Return where a fleet may stand in `province`."""
        if province >= self.lands:
            return ((province, 0),)
        return tuple((province, coast) for coast in range(len(self.coasts[province])))

    @cached_property
    def neighbors(self) -> tuple[frozenset[int], ...]:
        """For each province, the provinces that some unit can move to."""
        neighbors: list[set[int]] = [set() for _ in range(self.count)]
        pairs = [*self.army_borders, *((start[0], end[0]) for start, end in self.fleet_borders)]
        for first, second in pairs:
            neighbors[first].add(second)
            neighbors[second].add(first)
        return tuple(frozenset(touched) for touched in neighbors)

    @cached_property
    def steps(self) -> Ints:
        """The number of steps between any two provinces by land or sea, for any unit."""
        pairs = [*self.army_borders, *((start[0], end[0]) for start, end in self.fleet_borders)]
        return _count_steps(np.array(sorted(set(pairs)), dtype=np.int64), self.count)

    @cached_property
    def army_moves(self) -> Ints:
        """The moves that an army needs between land provinces (from rows to columns)."""
        return _count_steps(np.array(self.army_borders, dtype=np.int64).reshape(-1, 2), self.lands)

    @cached_property
    def fleet_moves(self) -> Ints:
        """The moves that a fleet needs between provinces, from its best coast."""
        places = [place for province in range(self.count) for place in self.places(province)]
        number = {place: index for index, place in enumerate(places)}
        links = np.array([[number[start], number[end]] for start, end in self.fleet_borders])
        province = np.array([place[0] for place in places])
        moves = np.full((self.count, self.count), UNREACHABLE)
        steps = _count_steps(links.reshape(-1, 2), len(places))
        np.minimum.at(moves, (province[:, None], province[None, :]), steps)
        return moves


def _count_steps(pairs: Ints, count: int) -> Ints:
    """Return the fewest steps between any two of `count` places, at most `UNREACHABLE`."""
    links = csr_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(count, count))
    steps = shortest_path(links, method="D", directed=False, unweighted=True)
    return np.asarray(np.minimum(steps, UNREACHABLE), dtype=np.int64)


def make_layout(mesh: Mesh, lines: Sequence[BorderLine], lands: int, seas: int) -> Layout:
    """Return the layout that the border `lines` form.

    A coast is the longest unbroken run of lines with water on the other side. Two coastal provinces
    are adjacent for fleets where their border ends at a coast of both.
    """
    own = group_lines_by_owner(lines, lands + seas)
    coasts = tuple(_find_coasts(lines, land, own[land], lands) for land in range(lands))
    coast_of = {
        (land, line): number
        for land, runs in enumerate(coasts)
        for number, run in enumerate(runs)
        for line in run
    }
    army_borders: set[tuple[int, int]] = set()
    fleet_borders: set[tuple[Place, Place]] = set()
    for index, line in enumerate(lines):
        low, high = sorted((line.left, line.right))
        if low == OUTSIDE:
            continue
        if high < lands:
            army_borders.add((low, high))
        else:
            fleet_borders.add(((low, coast_of.get((low, index), 0)), (high, 0)))
    fleet_borders |= _find_coastal_borders(lines, lands, coast_of)
    names = tuple(_name_coasts(mesh, lines, runs) for runs in coasts)
    return Layout(
        lands, seas, coasts, names, tuple(sorted(army_borders)), tuple(sorted(fleet_borders))
    )


def _find_coasts(
    lines: Sequence[BorderLine], land: int, own: Sequence[int], lands: int
) -> tuple[frozenset[int], ...]:
    """Return the coasts of `land`, each as the numbers of its lines."""
    runs: list[frozenset[int]] = []
    for ring in find_rings(lines, land, own):
        numbers = [ref if ref >= 0 else ~ref for ref in ring]
        wet = [max(lines[number].left, lines[number].right) >= lands for number in numbers]
        if all(wet):
            runs.append(frozenset(numbers))
            continue
        first = wet.index(False)
        run: list[int] = []
        # Start at a dry line, so that no run is cut in two.
        for position in (*range(first, len(ring)), *range(first)):
            if wet[position]:
                run.append(numbers[position])
            elif run:
                runs.append(frozenset(run))
                run = []
        if run:
            runs.append(frozenset(run))
    return tuple(runs)


def _find_coastal_borders(
    lines: Sequence[BorderLine], lands: int, coast_of: dict[tuple[int, int], int]
) -> set[tuple[Place, Place]]:
    """Return the pairs of coasts along which a fleet can move between two land provinces."""
    coast_at: dict[tuple[int, int], int] = {}
    for (land, index), coast in coast_of.items():
        for vertex in (lines[index].vertices[0], lines[index].vertices[-1]):
            coast_at[(land, vertex)] = coast
    borders: set[tuple[Place, Place]] = set()
    for line in lines:
        low, high = sorted((line.left, line.right))
        if low == OUTSIDE or high >= lands:
            continue
        for vertex in (line.vertices[0], line.vertices[-1]):
            if (low, vertex) in coast_at and (high, vertex) in coast_at:
                borders.add(((low, coast_at[(low, vertex)]), (high, coast_at[(high, vertex)])))
    return borders


def _name_coasts(
    mesh: Mesh, lines: Sequence[BorderLine], runs: Sequence[frozenset[int]]
) -> tuple[str, ...]:
    """Return `NC` and `SC`, or `EC` and `WC`, for two coasts; nothing for one coast."""
    if len(runs) != 2:
        return ()
    middles = [
        mesh.vertices[[v for line in sorted(run) for v in lines[line].vertices]].mean(axis=0)
        for run in runs
    ]
    across, down = (middles[1] - middles[0]).tolist()
    if abs(down) > abs(across):
        return ("NC", "SC") if down > 0 else ("SC", "NC")
    return ("WC", "EC") if across > 0 else ("EC", "WC")
