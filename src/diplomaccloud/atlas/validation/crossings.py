"""Find crossing lines, by comparing straight pieces so that even tangled lines are fast."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from shapely import LineString, intersection, intersects, is_simple, linestrings, touches

from diplomaccloud.atlas.validation.box_overlaps import (
    Indices,
    Shapes,
    TooManyPairsError,
    find_pairs,
)
from diplomaccloud.atlas.validation.chart_schema import MAX_ARCS, ChartData
from diplomaccloud.atlas.validation.faults import Faults

_MAX_CROSSINGS = 200
"""The search stops after this many pairs of arcs that cross."""

_BATCH_SIZE = 4_000
"""How many pairs are compared at once."""

_MAX_LOCATED, _MAX_LOCATED_PAIRS = 10, 20_000
"""Limits on finding the place where a line crosses itself: lines, and pairs of pieces per line."""

_MAX_PARALLEL_SINE = 1e-9
"""A smaller sine may be a rounded zero; this is far above the rounding errors of floats."""

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class _Pieces:
    """The straight pieces of all arcs in order, without those of zero length.

    `ends`: n×2×2 floats; `outer`: n×2, whether that end is an end of the arc; `arcs`: the index
    of the arc of each piece; `shapes`: n lines.
    """

    ends: Floats
    outer: Flags
    arcs: Indices
    shapes: Shapes


def find_crossings(data: ChartData, faults: Faults) -> None:
    """Add arcs that cross themselves, and pairs that meet elsewhere than at ends of both."""
    if all(arc is None for arc in data["arcs"]):
        return
    pieces = _split_arcs(data)
    _find_self_crossings(data, pieces, faults)
    reported: set[tuple[int, int]] = set()
    try:
        for firsts, seconds in find_pairs(pieces.shapes):
            apart = pieces.arcs[firsts] != pieces.arcs[seconds]
            for first, second in _find_crossing_pieces(
                firsts[apart], seconds[apart], pieces, reported
            ):
                both = int(pieces.arcs[first]), int(pieces.arcs[second])
                if both not in reported:
                    where = _describe_place(pieces.shapes[first], pieces.shapes[second])
                    faults.add(f"arcs[{both[0]}].points", f"crosses arcs[{both[1]}]{where}")
                reported.add(both)
                if len(reported) == _MAX_CROSSINGS:
                    faults.add("arcs", "too many lines cross: the search stopped here")
                    return
    except TooManyPairsError as error:
        at = f"arcs[{pieces.arcs[error.busiest]}].points"
        faults.add(at, "overlaps too many lines: the search for crossings stopped here")


def _split_arcs(data: ChartData) -> _Pieces:
    ends, outer, arcs = [], [], []
    for i, arc in enumerate(data["arcs"]):
        if arc is None:
            continue
        points = np.array(arc["points"]).reshape(-1, 2)
        piece = np.stack([points[:-1], points[1:]], axis=1)
        piece = piece[(piece[:, 0] != piece[:, 1]).any(axis=1)]
        ends.append(piece)
        # An inner point that lies where the arc ends is reported by the arc's crossing itself.
        outer.append((piece == points[0]).all(axis=2) | (piece == points[-1]).all(axis=2))
        arcs.append(np.full(len(piece), i))
    together = np.concatenate(ends)
    shapes = np.asarray(linestrings(together), dtype=object)
    return _Pieces(together, np.concatenate(outer), np.concatenate(arcs), shapes)


def _find_crossing_pieces(
    firsts: Indices, seconds: Indices, pieces: _Pieces, reported: Collection[tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    """Yield pairs that meet elsewhere than at an end of both arcs, without arcs in `reported`."""
    for start in range(0, len(firsts), _BATCH_SIZE):
        first, second = firsts[start : start + _BATCH_SIZE], seconds[start : start + _BATCH_SIZE]
        if reported:
            arcs = pieces.arcs[first] * MAX_ARCS + pieces.arcs[second]
            new = ~np.isin(arcs, [first * MAX_ARCS + second for first, second in reported])
            first, second = first[new], second[new]
        meets = _find_meetings(first, second, pieces)
        yield from zip(first[meets].tolist(), second[meets].tolist(), strict=True)


def _find_meetings(firsts: Indices, seconds: Indices, pieces: _Pieces) -> Flags:
    joined, along = _find_common_ends(firsts, seconds, pieces)
    meets = np.zeros(len(firsts), dtype=bool)
    free = np.flatnonzero(~joined)
    meets[free] = intersects(pieces.shapes[firsts[free]], pieces.shapes[seconds[free]])
    # Pieces with an end in common can have more in common only if one lies along the other.
    risky = np.flatnonzero(along)
    meets[risky] = ~touches(pieces.shapes[firsts[risky]], pieces.shapes[seconds[risky]])
    return meets


def _find_common_ends(firsts: Indices, seconds: Indices, pieces: _Pieces) -> tuple[Flags, Flags]:
    """Return which pairs share an end of both arcs, and which of these may lie along each other."""
    joined = np.zeros(len(firsts), dtype=bool)
    along = np.zeros(len(firsts), dtype=bool)
    for i in (0, 1):
        for j in (0, 1):
            same = pieces.outer[firsts, i] & pieces.outer[seconds, j]
            same &= (pieces.ends[firsts, i] == pieces.ends[seconds, j]).all(axis=1)
            joined |= same
            way = pieces.ends[firsts, 1 - i] - pieces.ends[firsts, i]
            to = pieces.ends[seconds, 1 - j] - pieces.ends[seconds, j]
            lengths = np.hypot(*way.T) * np.hypot(*to.T)
            sine = np.abs(way[:, 0] * to[:, 1] - way[:, 1] * to[:, 0])
            along |= same & ((way * to).sum(axis=1) >= 0) & (sine <= _MAX_PARALLEL_SINE * lengths)
    return joined, along


def _find_self_crossings(data: ChartData, pieces: _Pieces, faults: Faults) -> None:
    numbers = [i for i, arc in enumerate(data["arcs"]) if arc is not None]
    lines = np.array(
        [
            linestrings(np.array(arc["points"]).reshape(-1, 2))
            for arc in data["arcs"]
            if arc is not None
        ],
        dtype=object,
    )
    simple = np.asarray(is_simple(lines))
    for count, k in enumerate(np.flatnonzero(~simple).tolist()):
        first, last = np.searchsorted(pieces.arcs, [numbers[k], numbers[k] + 1])
        where = _locate_self_crossing(pieces.shapes[first:last]) if count < _MAX_LOCATED else ""
        faults.add(f"arcs[{numbers[k]}].points", f"the line crosses itself{where}")


def _locate_self_crossing(shapes: Shapes) -> str:
    """Return where the line of these pieces crosses itself; empty if that takes too long."""
    try:
        for firsts, seconds in find_pairs(shapes, _MAX_LOCATED_PAIRS):
            # Pieces that follow one another cross only if one goes back along the other.
            after = (seconds - firsts == 1) | (seconds - firsts == len(shapes) - 1)
            meets = np.zeros(len(firsts), dtype=bool)
            meets[~after] = intersects(shapes[firsts[~after]], shapes[seconds[~after]])
            meets[after] = ~touches(shapes[firsts[after]], shapes[seconds[after]])
            if meets.any():
                first = int(np.argmax(meets))
                return _describe_place(shapes[firsts[first]], shapes[seconds[first]])
    except TooManyPairsError:
        pass
    return ""


def _describe_place(first: LineString, second: LineString) -> str:
    """Return where two meeting lines meet: ` at (x, y)`."""
    at = intersection(first, second).representative_point()
    return "" if at.is_empty else f" at ({at.x:.1f}, {at.y:.1f})"
