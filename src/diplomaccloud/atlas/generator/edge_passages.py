"""Join the left edge of a map to its right edge by lettered passages, as around a globe."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from diplomaccloud.atlas.generator.borders import BorderLine
from diplomaccloud.atlas.generator.mesh import Floats, Ints, Mesh, distances
from diplomaccloud.judge.drawing.chart import Point
from diplomaccloud.judge.drawing.sizes import MAP_SIZE

_MARGIN, _STUB, _STEP = 14.0, 44.0, 6.0
"""How far a passage keeps from the ends of what its provinces share of the edges, how far it
reaches into them, and the distance between the heights compared; in plain units, as of letters."""

_SPACING = 46.0
"""The least distance between two letters, in plain units."""

_CLEAR = 21.0
"""Half the height of the space without names and units around a letter, in plain units."""

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True)
class EdgePassage:
    """A passage from the province `left` at the left edge to `right` at the right edge.

    `points`: its line, from inside `left` over both edges into `right`.
    """

    left: int
    right: int
    points: tuple[Point, Point, Point, Point]
    mark: str


def find_edge_passages(
    mesh: Mesh, owner: Ints, lines: Sequence[BorderLine], counts: tuple[int, int]
) -> tuple[EdgePassage, ...]:
    """Return a passage for each two lands or two seas that lie opposite each other at the edges.

    `counts`: the numbers of lands and seas. The passages are lettered from the top.
    Provinces that touch on the map need no passage.
    """
    lands, seas = counts
    touching = {frozenset((line.left, line.right)) for line in lines}
    size, scale = mesh.size, max(mesh.size) / MAP_SIZE
    at_left, at_right = (_list_stretches(mesh, owner, x) for x in (0.0, size[0]))
    shared = [
        (min(lower, bottom) - max(upper, top), (left, right), max(upper, top))
        for left, upper, lower in at_left
        for right, top, bottom in at_right
        if (left < lands) == (right < lands)
        and max(left, right) < lands + seas
        and frozenset((left, right)) not in touching
    ]
    ways: dict[tuple[int, int], float] = {}
    for length, pair, start in sorted(shared, reverse=True):
        ends = start + _MARGIN * scale, start + length - _MARGIN * scale
        height = _choose_height(mesh, owner, pair, ends, scale)
        if height is None or pair in ways or pair[0] == pair[1]:
            continue
        if all(abs(height - other) >= _SPACING * scale for other in ways.values()):
            ways[pair] = height
    ordered = sorted(ways, key=lambda pair: ways[pair])
    return tuple(
        EdgePassage(*pair, _build_line(size, ways[pair], _STUB * scale), mark)
        for pair, mark in zip(ordered, _LETTERS, strict=False)
    )


def _list_stretches(mesh: Mesh, owner: Ints, x: float) -> list[tuple[int, float, float]]:
    """Return the provinces along the edge at `x` from the top, each with its ends there."""
    edges = np.flatnonzero(mesh.cells[:, 1] < 0)
    ends = mesh.vertices[mesh.ends[edges]]
    along = (ends[:, :, 0] == x).all(axis=1)
    heights = np.sort(ends[along, :, 1], axis=1)
    owners = owner[mesh.cells[edges[along], 0]]
    stretches: list[tuple[int, float, float]] = []
    for row in np.argsort(heights[:, 0], kind="stable").tolist():
        upper, lower = heights[row].tolist()
        province = int(owners[row])
        if stretches and stretches[-1][0] == province:
            upper = stretches.pop()[1]
        stretches.append((province, upper, lower))
    return stretches


def _choose_height(
    mesh: Mesh, owner: Ints, pair: tuple[int, int], ends: tuple[float, float], scale: float
) -> float | None:
    """Return the height between `ends` nearest to their middle at which both stubs have room."""
    upper, lower = ends
    if lower < upper:
        return None
    middle = (upper + lower) / 2
    steps = int((lower - upper) / 2 / (_STEP * scale))
    offsets = sorted(range(-steps, steps + 1), key=lambda step: (abs(step), step))
    for offset in offsets:
        height = middle + offset * _STEP * scale
        spots = np.array([*_list_spots(mesh.size, height, scale)])
        owners = owner[_find_cells(mesh, spots)].reshape(2, -1)
        if (owners == np.array(pair)[:, None]).all():
            return round(height, 1)
    return None


def _list_spots(size: tuple[float, float], height: float, scale: float) -> Iterator[Point]:
    """Yield places in and around the stub at the left edge, then at the right edge."""
    reach = (_STUB + _MARGIN / 2) * scale
    for x, side in ((0.0, 1), (size[0], -1)):
        for share in (0.25, 0.5, 0.75, 1.0):
            for off in (-1.0, 0.0, 1.0):
                yield x + side * share * reach, height + off * _MARGIN / 2 * scale


def _find_cells(mesh: Mesh, spots: Floats) -> Ints:
    """Return the cell at each of `spots`."""
    return np.array([int(np.argmin(distances(mesh.sites, spot[None]))) for spot in spots])


def _build_line(
    size: tuple[float, float], height: float, reach: float
) -> tuple[Point, Point, Point, Point]:
    stub = round(reach, 1)
    wide = size[0]
    return (stub, height), (0.0, height), (wide, height), (round(wide - stub, 1), height)


def list_clear_boxes(
    size: tuple[float, float], passages: Sequence[EdgePassage]
) -> Iterator[tuple[float, float, float, float]]:
    """Yield the left, upper, right and lower side of each space in which nothing is printed."""
    half = _CLEAR * max(size) / MAP_SIZE
    for passage in passages:
        start, _, _, end = passage.points
        yield 0.0, start[1] - half, start[0], start[1] + half
        yield end[0], end[1] - half, size[0], end[1] + half
