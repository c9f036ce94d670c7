"""Stage 6: who touches whom, on foot and at sea, and which coasts are split."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import shortest_path

from diplomaccloud.atlas.generator.borders import OUTSIDE, Line, find_rings, group_lines_by_owner
from diplomaccloud.atlas.generator.mesh import Ints, Mesh

Place: TypeAlias = tuple[int, int]
"""A province and the number of one of its coasts (0 for a sea or a coast that is whole)."""

FAR = 99
"""More moves than any journey takes: no way at all."""


@dataclass(frozen=True)
class Layout:
    """The board before it has names: provinces by number, the `lands` first, then the `seas`.

    `coasts` has the lines of each coast of each land province. `walks` are the pairs between
    which an army may move, `sails` those between which a fleet may.
    """

    lands: int
    seas: int
    coasts: tuple[tuple[frozenset[int], ...], ...]
    coast_names: tuple[tuple[str, ...], ...]
    walks: tuple[tuple[int, int], ...]
    sails: tuple[tuple[Place, Place], ...]

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
    def touching(self) -> tuple[frozenset[int], ...]:
        """For each province, those that some unit can move to."""
        found: list[set[int]] = [set() for _ in range(self.count)]
        pairs = [*self.walks, *((here[0], there[0]) for here, there in self.sails)]
        for one, other in pairs:
            found[one].add(other)
            found[other].add(one)
        return tuple(frozenset(touched) for touched in found)

    @cached_property
    def steps(self) -> Ints:
        """The steps between any two provinces by land or sea, whatever the unit."""
        pairs = [*self.walks, *((here[0], there[0]) for here, there in self.sails)]
        return _steps(np.array(sorted(set(pairs)), dtype=np.int64), self.count)

    @cached_property
    def marches(self) -> Ints:
        """The moves an army needs from each land province (rows) to each other."""
        return _steps(np.array(self.walks, dtype=np.int64).reshape(-1, 2), self.lands)

    @cached_property
    def voyages(self) -> Ints:
        """The moves a fleet needs from each province (rows) to each, from its best coast."""
        places = [place for province in range(self.count) for place in self.places(province)]
        number = {place: index for index, place in enumerate(places)}
        sails = np.array([[number[here], number[there]] for here, there in self.sails])
        province = np.array([place[0] for place in places])
        found = np.full((self.count, self.count), FAR)
        steps = _steps(sails.reshape(-1, 2), len(places))
        np.minimum.at(found, (province[:, None], province[None, :]), steps)
        return found


def _steps(pairs: Ints, count: int) -> Ints:
    """Return the least number of steps between any two of `count` places, `FAR` if none do."""
    ways = csr_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(count, count))
    found = shortest_path(ways, method="D", directed=False, unweighted=True)
    return np.asarray(np.minimum(found, FAR), dtype=np.int64)


def make_layout(mesh: Mesh, lines: Sequence[Line], lands: int, seas: int) -> Layout:
    """Return the adjacency that `lines` make.

    A coast is the longest run of lines with water beyond around an outline. Two coastal
    provinces touch for fleets where the border between them ends at a coast of both.
    """
    own = group_lines_by_owner(lines, lands + seas)
    coasts = tuple(_coasts(lines, land, own[land], lands) for land in range(lands))
    coast_of = {
        (land, line): number
        for land, runs in enumerate(coasts)
        for number, run in enumerate(runs)
        for line in run
    }
    walks: set[tuple[int, int]] = set()
    sails: set[tuple[Place, Place]] = set()
    for index, line in enumerate(lines):
        low, high = sorted((line.left, line.right))
        if low == OUTSIDE:
            continue
        if high < lands:
            walks.add((low, high))
        else:
            sails.add(((low, coast_of.get((low, index), 0)), (high, 0)))
    sails |= _along_the_coast(lines, lands, coast_of)
    names = tuple(_coast_names(mesh, lines, runs) for runs in coasts)
    return Layout(lands, seas, coasts, names, tuple(sorted(walks)), tuple(sorted(sails)))


def _coasts(
    lines: Sequence[Line], land: int, own: Sequence[int], lands: int
) -> tuple[frozenset[int], ...]:
    runs: list[frozenset[int]] = []
    for ring in find_rings(lines, land, own):
        numbers = [ref if ref >= 0 else ~ref for ref in ring]
        wet = [max(lines[number].left, lines[number].right) >= lands for number in numbers]
        if all(wet):
            runs.append(frozenset(numbers))
            continue
        first = wet.index(False)
        run: list[int] = []
        # Begun at a dry line, so that no run is cut in two.
        for place in (*range(first, len(ring)), *range(first)):
            if wet[place]:
                run.append(numbers[place])
            elif run:
                runs.append(frozenset(run))
                run = []
        if run:
            runs.append(frozenset(run))
    return tuple(runs)


def _along_the_coast(
    lines: Sequence[Line], lands: int, coast_of: dict[tuple[int, int], int]
) -> set[tuple[Place, Place]]:
    shores: dict[tuple[int, int], int] = {}
    for (land, index), coast in coast_of.items():
        for vertex in (lines[index].vertices[0], lines[index].vertices[-1]):
            shores[(land, vertex)] = coast
    found: set[tuple[Place, Place]] = set()
    for line in lines:
        low, high = sorted((line.left, line.right))
        if low == OUTSIDE or high >= lands:
            continue
        for vertex in (line.vertices[0], line.vertices[-1]):
            if (low, vertex) in shores and (high, vertex) in shores:
                found.add(((low, shores[(low, vertex)]), (high, shores[(high, vertex)])))
    return found


def _coast_names(
    mesh: Mesh, lines: Sequence[Line], runs: Sequence[frozenset[int]]
) -> tuple[str, ...]:
    """Return `NC` and `SC` or `EC` and `WC` for two coasts, nothing for one."""
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
