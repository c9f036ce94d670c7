"""Lines that cross: looked for between straight pieces, so that tangles cost little, too."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from shapely import LineString, intersection, intersects, is_simple, linestrings, touches

from diplomaccloud.atlas.validation.box_overlaps import Indices, Shapes, TooManyPairsError, pairs
from diplomaccloud.atlas.validation.chart_data import ChartData
from diplomaccloud.atlas.validation.chart_schema import MOST_ARCS
from diplomaccloud.atlas.validation.faults import Faults

_MOST_MEETINGS = 200
"""After so many pairs of arcs that meet no more are looked for."""

_STEP = 4_000
"""So many pairs are compared at once."""

_MOST_OWN, _MOST_OWN_PAIRS = 10, 20_000
"""Of so many lines that cross themselves it is told where, by so many pairs of their pieces."""

_ALONG = 1e-9
"""Sines less than this may be rounded ones of nought: it is far above the rounding of floats."""

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class _Pieces:
    """The straight pieces of all arcs, in their order, those without length left out.

    `ends`: n×2×2 floats; `outer`: n×2, whether that end is an end of the arc; `arcs`: n whole
    numbers, whose piece it is; `shapes`: n lines.
    """

    ends: Floats
    outer: Flags
    arcs: Indices
    shapes: Shapes


def find_crossings(data: ChartData, found: Faults) -> None:
    """Add arcs that cross themselves, and pairs that meet elsewhere than at ends of both."""
    if all(arc is None for arc in data["arcs"]):
        return
    pieces = _pieces(data)
    _find_self_crossings(data, pieces, found)
    told: set[tuple[int, int]] = set()
    try:
        for ones, others in pairs(pieces.shapes):
            apart = pieces.arcs[ones] != pieces.arcs[others]
            for one, other in _crossing(ones[apart], others[apart], pieces, told):
                both = int(pieces.arcs[one]), int(pieces.arcs[other])
                if both not in told:
                    where = _where(pieces.shapes[one], pieces.shapes[other])
                    found.add(f"arcs[{both[0]}].points", f"meets arcs[{both[1]}]{where}")
                told.add(both)
                if len(told) == _MOST_MEETINGS:
                    found.add("arcs", "more of the lines may meet: no more were looked for")
                    return
    except TooManyPairsError as error:
        at = f"arcs[{pieces.arcs[error.busiest]}].points"
        found.add(at, "lies over so many lines that no more crossings were looked for")


def _pieces(data: ChartData) -> _Pieces:
    ends, outer, arcs = [], [], []
    for i, arc in enumerate(data["arcs"]):
        if arc is None:
            continue
        points = np.array(arc["points"]).reshape(-1, 2)
        held = np.stack([points[:-1], points[1:]], axis=1)
        held = held[(held[:, 0] != held[:, 1]).any(axis=1)]
        ends.append(held)
        # An inner point that lies where the arc ends is told by the arc's crossing itself.
        outer.append((held == points[0]).all(axis=2) | (held == points[-1]).all(axis=2))
        arcs.append(np.full(len(held), i))
    together = np.concatenate(ends)
    shapes = np.asarray(linestrings(together), dtype=object)
    return _Pieces(together, np.concatenate(outer), np.concatenate(arcs), shapes)


def _crossing(
    ones: Indices, others: Indices, pieces: _Pieces, told: Collection[tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    """Yield pairs that meet elsewhere than at an end of both arcs, unless these arcs are `told`."""
    for start in range(0, len(ones), _STEP):
        first, second = ones[start : start + _STEP], others[start : start + _STEP]
        if told:
            arcs = pieces.arcs[first] * MOST_ARCS + pieces.arcs[second]
            new = ~np.isin(arcs, [one * MOST_ARCS + other for one, other in told])
            first, second = first[new], second[new]
        meets = _meet(first, second, pieces)
        yield from zip(first[meets].tolist(), second[meets].tolist(), strict=True)


def _meet(ones: Indices, others: Indices, pieces: _Pieces) -> Flags:
    joined, along = _joined(ones, others, pieces)
    meets = np.zeros(len(ones), dtype=bool)
    free = np.flatnonzero(~joined)
    meets[free] = intersects(pieces.shapes[ones[free]], pieces.shapes[others[free]])
    # Pieces with an end in common can have more in common only if one lies along the other.
    risky = np.flatnonzero(along)
    meets[risky] = ~touches(pieces.shapes[ones[risky]], pieces.shapes[others[risky]])
    return meets


def _joined(ones: Indices, others: Indices, pieces: _Pieces) -> tuple[Flags, Flags]:
    """Return which pairs share an end of both their arcs, and which of these may lie along."""
    joined = np.zeros(len(ones), dtype=bool)
    along = np.zeros(len(ones), dtype=bool)
    for i in (0, 1):
        for j in (0, 1):
            same = pieces.outer[ones, i] & pieces.outer[others, j]
            same &= (pieces.ends[ones, i] == pieces.ends[others, j]).all(axis=1)
            joined |= same
            way = pieces.ends[ones, 1 - i] - pieces.ends[ones, i]
            to = pieces.ends[others, 1 - j] - pieces.ends[others, j]
            lengths = np.hypot(*way.T) * np.hypot(*to.T)
            sine = np.abs(way[:, 0] * to[:, 1] - way[:, 1] * to[:, 0])
            along |= same & ((way * to).sum(axis=1) >= 0) & (sine <= _ALONG * lengths)
    return joined, along


def _find_self_crossings(data: ChartData, pieces: _Pieces, found: Faults) -> None:
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
        where = _self_crossing(pieces.shapes[first:last]) if count < _MOST_OWN else ""
        found.add(f"arcs[{numbers[k]}].points", f"the line crosses itself{where}")


def _self_crossing(shapes: Shapes) -> str:
    """Return where the line of these pieces crosses itself; empty if that takes too long."""
    try:
        for ones, others in pairs(shapes, _MOST_OWN_PAIRS):
            # Pieces that follow one another cross only if one goes back along the other.
            after = (others - ones == 1) | (others - ones == len(shapes) - 1)
            meets = np.zeros(len(ones), dtype=bool)
            meets[~after] = intersects(shapes[ones[~after]], shapes[others[~after]])
            meets[after] = ~touches(shapes[ones[after]], shapes[others[after]])
            if meets.any():
                first = int(np.argmax(meets))
                return _where(shapes[ones[first]], shapes[others[first]])
    except TooManyPairsError:
        pass
    return ""


def _where(one: LineString, other: LineString) -> str:
    """Return where two lines meet that do: ` at (x, y)`."""
    at = intersection(one, other).representative_point()
    return "" if at.is_empty else f" at ({at.x:.1f}, {at.y:.1f})"
