"""The slow checks before a chart is stored: crossing lines, areas, marks, coasts, measurements."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import inf
from statistics import median

import numpy as np
from numpy.typing import NDArray
from shapely import (
    LineString,
    MultiLineString,
    Polygon,
    STRtree,
    get_num_coordinates,
    intersection,
    intersects,
    is_simple,
    is_valid_reason,
    linestrings,
    points,
    relate_pattern,
    touches,
)
from shapely import Point as Spot
from shapely.geometry.base import BaseGeometry

from diplomaccloud.atlas.fairness import fairness
from diplomaccloud.atlas.survey import size_figures
from diplomaccloud.atlas.validation.borders import (
    Ring,
    build_closed_outlines,
    find_arc,
    list_scenery,
    points_of,
)
from diplomaccloud.atlas.validation.chart_schema import (
    ChartData,
    ShapeData,
    enumerate_valid,
)
from diplomaccloud.atlas.validation.names import find_spelling_faults
from diplomaccloud.atlas.validation.schemas import Faults, join_path
from diplomaccloud.judge.board import BorderKind, Terrain
from diplomaccloud.judge.codec import board_from_json
from diplomaccloud.judge.drawing.chart import ArcKind, Point
from diplomaccloud.judge.drawing.map_file import MAX_ARCS


def find_drawing_and_spelling_faults(data: ChartData, faults: Faults) -> None:
    """Add the faults that are checked only before a chart is stored. This takes a second."""
    find_spelling_faults(data, faults)
    find_geometry_faults(data, faults)
    find_coast_faults(data, faults)
    if not faults:
        find_figure_faults(data, faults)


# Find the shapes that may meet, i.e. the pairs with overlapping bounding boxes.

MAX_PAIRS = 400_000
"""The search stops after this many pairs. All straight lines of a map of 400 provinces have
140,000, counting each pair twice and each line with itself."""

_MAX_PAIRS_IN_MEMORY = 4_000_000

Shapes = NDArray[np.object_]
Indices = NDArray[np.int64]


class TooManyPairsError(Exception):
    """Too many shapes overlap; `busiest` is the index of a shape that overlaps many others."""

    def __init__(self, busiest: int) -> None:
        self.busiest = busiest
        super().__init__(busiest)


def find_pairs(shapes: Shapes, limit: int = MAX_PAIRS) -> Iterator[tuple[Indices, Indices]]:
    """Yield the indices of the pairs with overlapping boxes, each pair once, in batches.

    Raises `TooManyPairsError` after more than `limit` pairs.
    """
    tree = STRtree(shapes)
    chunk = max(1, min(_MAX_PAIRS_IN_MEMORY, 2 * limit) // max(1, len(shapes)))
    remaining = limit
    for start in range(0, len(shapes), chunk):
        ones, others = tree.query(shapes[start : start + chunk])
        ones, others = ones[:remaining] + start, others[:remaining]
        apart = ones < others
        if apart.any():
            yield ones[apart], others[apart]
        remaining -= len(ones)
        if remaining <= 0:
            raise TooManyPairsError(int(np.argmax(np.bincount(ones))))


# The areas of a chart: polygons built from its valid outlines.


@dataclass(frozen=True, slots=True)
class Area:
    """A polygon of a province, an impassable space or an islet.

    `path` is the path of its rings. `owner` is the code of the province or impassable space,
    empty for an islet. `sea` is the sea around an islet that has no hole for the islet.
    """

    path: str
    polygon: Polygon
    owner: str
    sea: str = ""


def build_areas(data: ChartData, faults: Faults) -> list[Area]:
    """Return the areas with valid outlines; add outlines that are not simple shapes."""
    closed = build_closed_outlines(data)
    areas = []
    parts: list[tuple[str, Sequence[Ring | None], str, str]] = [
        (f"shapes[{i}].polygons[{j}]", rings or (), shape["province"], "")
        for i, shape in enumerate_valid(data["shapes"])
        for j, rings in enumerate(shape["polygons"])
    ]
    for i, (owner, rings) in list_scenery(data):
        # The only province on both sides of every arc of the outer ring, if there is one.
        codes: set[str | None] = set()
        for ref in rings[0] or ():
            arc = find_arc(ref, data)
            codes |= {None} if arc is None else {arc["left"], arc["right"]}
        sea = (codes.pop() or "") if len(codes) == 1 else ""
        parts.append((f"scenery[{i}][1]", rings, owner, sea))
    for path, outlined, owner, sea in parts:
        outlines = [closed.get(f"{path}[{k}]") for k in range(len(outlined))]
        polygon = _build_polygon(path, outlines, faults)
        if polygon is not None:
            areas.append(Area(path, polygon, owner, sea))
    return areas


def _build_polygon(
    path: str, outlines: Sequence[Sequence[Point] | None], faults: Faults
) -> Polygon | None:
    rings = [ring for ring in outlines if ring is not None]
    if len(rings) < len(outlines) or not rings:
        return None
    if short := [k for k, ring in enumerate(rings) if len(ring) < 3]:
        faults.add(f"{path}[{short[0]}]", "the ring has no area")
        return None
    polygon = Polygon(rings[0], rings[1:])
    if not polygon.is_valid:
        reason = str(is_valid_reason(polygon)).replace("[", " at (").replace("]", ")")
        faults.add(path, f"the outline is not a simple polygon: {reason}")
        return None
    return polygon


# Find crossing lines, by comparing straight pieces so that even tangled lines are fast.

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
    for i, arc in enumerate_valid(data["arcs"]):
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
    lines = {
        i: linestrings(np.array(arc["points"]).reshape(-1, 2))
        for i, arc in enumerate_valid(data["arcs"])
    }
    simple = np.asarray(is_simple(np.array([*lines.values()], dtype=object)))
    for count, i in enumerate(np.array([*lines])[~simple].tolist()):
        first, last = np.searchsorted(pieces.arcs, [i, i + 1])
        where = _locate_self_crossing(pieces.shapes[first:last]) if count < _MAX_LOCATED else ""
        faults.add(f"arcs[{i}].points", f"the line crosses itself{where}")


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


# Geometric faults: crossing lines, overlapping areas, and areas that belong to no shape.

MIN_SIDE = 100
"""The minimum length of a map's longer side. Pictures are drawn to a tenth of a map unit."""

_MAX_OVERLAP_AREA = 0.5
"""Square map units; a smaller overlap is invisible."""

_MAX_UNCOVERED = 0.001
"""The share of the map that may belong to no shape because of rounding."""

_MAX_LISTED_OVERLAPS = 200
"""How many overlapping pairs are listed; the others are only counted."""

_MAX_COMPARED_POINTS = 5_000_000
"""The total for all pairs that are compared; a map of 400 provinces has 600,000."""

_MAX_POINT_PAIRS = 100_000
"""The area of an overlap is not computed for two areas with more pairs of points."""

_OVERLAP = "2********"
"""The DE-9IM pattern of two areas with a common interior."""


def find_geometry_faults(data: ChartData, faults: Faults) -> None:
    """Add the geometric faults of `data`."""
    if data["size"] is not None and max(data["size"]) < MIN_SIDE:
        width, height = data["size"]
        faults.add(
            "size",
            f"is {width:g} by {height:g} units, which is too coarse to draw: the longer side must "
            f"have at least {MIN_SIDE}, so multiply all coordinates and label sizes",
        )
    find_crossings(data, faults)
    areas = build_areas(data, faults)
    if not _find_overlaps(areas, faults):
        _find_uncovered_area(areas, data, faults)
    _find_wrong_order(areas, data, faults)
    polygons = {area.path: area.polygon for area in areas}
    # The median size of names, or a size in scale with the map if there are none.
    sizes = [shape["label_size"] or 0 for _, shape in enumerate_valid(data["shapes"])]
    scale = max(data["size"] or [_USUAL_SIDE]) / _USUAL_SIDE
    usual = median([size for size in sizes if size > 0] or [_USUAL_SIZE * scale])
    _find_marks_outside(polygons, data, usual, faults)
    _find_misplaced_passages(polygons, data, faults)
    _find_overlapping_marks(data, usual, faults)


def _find_overlaps(areas: Sequence[Area], faults: Faults) -> bool:
    """Add overlapping pairs of areas, and return whether there are any."""
    polygons = np.array([area.polygon for area in areas], dtype=object)
    overlaps = 0
    remaining = _MAX_COMPARED_POINTS
    try:
        for ones, others in find_pairs(polygons):
            both = np.concatenate([ones, others])
            remaining -= int(get_num_coordinates(polygons[both]).sum())
            if remaining < 0:
                raise TooManyPairsError(int(np.argmax(np.bincount(both))))
            overlap = relate_pattern(polygons[ones], polygons[others], _OVERLAP)
            for first, second in zip(ones[overlap].tolist(), others[overlap].tolist(), strict=True):
                message = _describe_overlap(areas[first], areas[second])
                if message and overlaps < _MAX_LISTED_OVERLAPS:
                    faults.add(areas[first].path, message)
                overlaps += bool(message)
    except TooManyPairsError as error:
        at = areas[error.busiest].path
        faults.add(at, "overlaps too many outlines: the search for overlaps stopped here")
        return True
    if overlaps > _MAX_LISTED_OVERLAPS:
        faults.add("shapes", f"{overlaps - _MAX_LISTED_OVERLAPS:,} more pairs of outlines overlap")
    return overlaps > 0


def _describe_overlap(first: Area, second: Area) -> str:
    """Return the fault of two overlapping areas; empty if it is allowed or invisible."""
    if first.sea == second.owner != "" or second.sea == first.owner != "":
        return ""
    sizes = get_num_coordinates([first.polygon, second.polygon])
    if int(sizes[0]) * int(sizes[1]) > _MAX_POINT_PAIRS:
        return f"overlaps {second.path}"
    shared = intersection(first.polygon, second.polygon).area
    return (
        f"overlaps {second.path} by {shared:.1f} square map units"
        if shared > _MAX_OVERLAP_AREA
        else ""
    )


def _find_uncovered_area(areas: Sequence[Area], data: ChartData, faults: Faults) -> None:
    """Add a fault if more of the map belongs to no shape than rounding can explain."""
    size = data["size"]
    shapes = sum(len(shape["polygons"]) for shape in data["shapes"] if shape is not None)
    complete = None not in data["shapes"] and None not in data["scenery"]
    if size is None or not complete or len(areas) < shapes + len(data["scenery"]):
        return
    covered = sum(area.polygon.area for area in areas if not area.sea)
    uncovered = 1 - covered / (size[0] * size[1])
    if uncovered > _MAX_UNCOVERED:
        faults.add("shapes", f"{uncovered:.1%} of the map belongs to no shape")


def _find_wrong_order(areas: Sequence[Area], data: ChartData, faults: Faults) -> None:
    """Add polygons that are larger than the first one of their shape."""
    sizes = {area.path: area.polygon.area for area in areas}
    for i, shape in enumerate_valid(data["shapes"]):
        paths = [f"shapes[{i}].polygons[{j}]" for j in range(len(shape["polygons"]))]
        for path in paths[1:]:
            if sizes.get(path, 0) > sizes.get(paths[0], inf) + _MAX_OVERLAP_AREA:
                faults.add(path, f"is larger than {paths[0]}, but the largest must come first")


# Faults of marks (names, units, stars): outside their province, or overlapping.

_BADGE, _STAR = (13.0, 10.0), (7.0, 7.0)
"""Half the drawn size where names have the usual size or more; smaller with smaller names.

Marks that overlap by more than half are indistinguishable.
"""

_LINE_HEIGHT, _LETTER_WIDTH = 1.12, 0.46
"""In font sizes; the width is a mean."""

_USUAL_SIZE, _USUAL_SIDE = 13.0, 1160.0
"""The size of names and the longer side of a map on which marks have these sizes."""

_MAX_OVERLAP = 0.5
"""In map units."""

_MAX_LISTED_LABELS = 200
"""How many overlapping pairs of labels are listed; the others are only counted."""

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""


def _list_marks(
    shape: ShapeData, usual: float
) -> Iterator[tuple[str, list[float], tuple[float, float] | None]]:
    """Yield the name, center and size of every mark of `shape` except its label.

    `usual` is the size of names on the map.
    """
    scale = min(1.0, usual / _USUAL_SIZE)
    badge, star = ((wide * scale, high * scale) for wide, high in (_BADGE, _STAR))
    for place, at in shape["units"].items():
        yield join_path("units", place), at, badge
    if shape["dislodged"] is not None:
        yield "dislodged", shape["dislodged"], badge
    for place, at in shape.get("dislodged_coasts", {}).items():
        yield join_path("dislodged_coasts", place), at, None
    if shape["star"] is not None:
        yield "star", shape["star"], star


def _find_marks_outside(
    polygons: Mapping[str, Polygon], data: ChartData, usual: float, faults: Faults
) -> None:
    for i, shape in enumerate_valid(data["shapes"]):
        paths = [f"shapes[{i}].polygons[{j}]" for j in range(len(shape["polygons"]))]
        if not polygons.keys() >= set(paths):
            continue
        label = [("label", shape["label"], None)] if shape["label"] is not None else []
        for name, at, size in (*label, *_list_marks(shape, usual)):
            spot = points(at)
            if not any(polygons[path].covers(spot) for path in paths):
                where = f"({at[0]:g}, {at[1]:g}) is outside {shape['province']}"
                faults.add(f"shapes[{i}].{name}", where)
            elif size is not None and data["size"] is not None:
                left, top, right, bottom = _box_around(at, size)
                if left < 0 or top < 0 or right > data["size"][0] or bottom > data["size"][1]:
                    faults.add(f"shapes[{i}].{name}", "is cut off by the edge of the map")


def _find_misplaced_passages(
    polygons: Mapping[str, Polygon], data: ChartData, faults: Faults
) -> None:
    """Add passages that do not lead from their first end to the second."""
    shapes = {shape["province"]: i for i, shape in enumerate(data["shapes"]) if shape is not None}
    for i, passage in enumerate_valid(data["passages"]):
        line = passage["points"]
        for k, place, spot in (
            (0, passage["ends"][0], line[:2]),
            (1, passage["ends"][1], line[-2:]),
        ):
            code = place.split("/")[0]
            at = f"shapes[{shapes.get(code)}]."
            parts = [area for path, area in polygons.items() if path.startswith(at)]
            if parts and not any(part.covers(points(spot)) for part in parts):
                where = f"({spot[0]:g}, {spot[1]:g}) is outside {code}"
                faults.add(f"passages[{i}].points[{k and len(line) - 2}]", where)


def _find_overlapping_marks(data: ChartData, usual: float, faults: Faults) -> None:
    """Add overlapping labels, and overlapping marks of one province."""
    labels: dict[str, Box] = {}
    for i, shape in enumerate_valid(data["shapes"]):
        if shape["label"] is None:
            continue
        lines = [line for line in shape["label_lines"] if line is not None]
        size = shape["label_size"] or 0
        if not lines or size <= 0:
            lines, size = [shape["province"]], usual
        width = max(map(len, lines)) * _LETTER_WIDTH * size
        label = _box_around(shape["label"], (width, size * (_LINE_HEIGHT * (len(lines) - 1) + 0.9)))
        labels[f"shapes[{i}].label"] = label
        marks = [
            (name, _box_around(at, extent))
            for name, at, extent in _list_marks(shape, usual)
            if extent and "/" not in name
        ]
        for (name, first), (other_name, second) in combinations([("label", label), *marks], 2):
            wide = min(first[2], second[2]) - max(first[0], second[0])
            high = min(first[3], second[3]) - max(first[1], second[1])
            if wide > _MAX_OVERLAP and high > _MAX_OVERLAP:
                faults.add(f"shapes[{i}].{name}", f"overlaps shapes[{i}].{other_name}")
    _find_labels_over_labels(labels, faults)


def _find_labels_over_labels(labels: Mapping[str, Box], faults: Faults) -> None:
    paths = list(labels)
    boxes = np.array([*labels.values()]).reshape(-1, 4)
    overlaps = 0
    for i, path in enumerate(paths):
        left, top, right, bottom = boxes[i]
        wide = np.minimum(right, boxes[:, 2]) - np.maximum(left, boxes[:, 0])
        high = np.minimum(bottom, boxes[:, 3]) - np.maximum(top, boxes[:, 1])
        for second in np.flatnonzero((wide > _MAX_OVERLAP) & (high > _MAX_OVERLAP)).tolist():
            if second > i and overlaps < _MAX_LISTED_LABELS:
                faults.add(path, f"overlaps {paths[second]}")
            overlaps += second > i
    if overlaps > _MAX_LISTED_LABELS:
        faults.add("shapes", f"{overlaps - _MAX_LISTED_LABELS:,} more pairs of labels overlap")


def _box_around(middle: Sequence[float], size: tuple[float, float]) -> Box:
    (x, y), half_wide, half_high = middle, size[0] / 2, size[1] / 2
    return x - half_wide, y - half_high, x + half_wide, y + half_high


# Faults of fleets' places on split coasts: places at the wrong shore.

_SLACK = 1.0
"""Swapped places are accepted if swapping them back would gain less than this, in map units."""

Places = Mapping[str, list[float]]


def find_coast_faults(data: ChartData, faults: Faults) -> None:
    """Add fleets' places on two coasts that are swapped, for units and for dislodged units.

    A dislodged fleet is drawn where there is space near its own place, even at another shore.
    """
    coasts = {
        province["code"]: frozenset(
            f"{province['code']}/{coast}" for coast in province["coasts"] if coast
        )
        for _, province in enumerate_valid(data["board"]["provinces"])
        if province["coasts"]
    }
    shores = _find_shores(data, coasts)
    for i, shape in enumerate_valid(data["shapes"]):
        # Popped, so that even thousands of further shapes of this province cost nothing.
        locations = coasts.pop(shape["province"], frozenset())
        units, dislodged = (
            {place: at for place, at in places.items() if place in locations}
            for places in (shape["units"], shape.get("dislodged_coasts", {}))
        )
        for first, second in _find_swapped(units, shores):
            at = join_path(f"shapes[{i}].units", first)
            faults.add(at, f"is at the shore of {second}, and {second} at the shore of {first}")
        for first, second in _find_swapped(
            dislodged, {place: Spot(at) for place, at in units.items()}
        ):
            at = join_path(f"shapes[{i}].dislodged_coasts", first)
            message = f"is at the fleet's place on {second}, and {second} at the one on {first}"
            faults.add(at, message)


def _find_shores(
    data: ChartData, coasts: Mapping[str, frozenset[str]]
) -> dict[str, MultiLineString]:
    """Return the shore of each coast: all lines along the seas and rivers that it borders."""
    known_coasts = frozenset().union(*coasts.values())
    seas = {
        province["code"]
        for _, province in enumerate_valid(data["board"]["provinces"])
        if province["terrain"] == Terrain.SEA
    }
    reachable: dict[str, set[str]] = defaultdict(set)
    for border in data["board"]["fleet_borders"]:
        for place, to in (border, border[::-1]) if border is not None else ():
            if place in known_coasts:
                reachable[place].add(to)
    rivers = {
        frozenset((rule["from"], rule["to"]))
        for _, rule in enumerate_valid(data["board"].get("border_rules", []))
        if rule["kind"] == BorderKind.RIVER
    }
    lines: dict[frozenset[str], list[LineString]] = defaultdict(list)
    for _, arc in enumerate_valid(data["arcs"]):
        if arc["kind"] in (ArcKind.COAST, ArcKind.LAND) and arc["left"] and arc["right"]:
            lines[frozenset({arc["left"], arc["right"]})].append(LineString(points_of(arc)))
    shores = {
        place: [
            line
            for to in reached
            if to in seas or frozenset({place, to}) in rivers
            for line in lines[frozenset({place.split("/")[0], to.split("/")[0]})]
        ]
        for place, reached in reachable.items()
    }
    return {place: MultiLineString(pieces) for place, pieces in shores.items() if pieces}


def _find_swapped(places: Places, marks: Mapping[str, BaseGeometry]) -> Iterator[tuple[str, str]]:
    """Yield pairs of places that would be nearer to their `marks` if they were swapped."""
    for first, second in combinations([place for place in places if place in marks], 2):
        first_place, second_place = Spot(places[first]), Spot(places[second])
        as_is = first_place.distance(marks[first]) + second_place.distance(marks[second])
        swapped = first_place.distance(marks[second]) + second_place.distance(marks[first])
        if swapped + _SLACK < as_is:
            yield first, second


# Faults of a chart's measurements: values that do not match its board.

_REFITTED = frozenset({"cv_predicted_share"})
"""Measurements that later versions may define with new weights."""

_TOLERANCE = 0.002
"""For rounding."""


def find_figure_faults(data: ChartData, faults: Faults) -> None:
    """Add measurements that differ from those of the board, which must be valid."""
    if not data["fairness"]:
        return
    try:
        board = board_from_json(data["board"])
    except ValueError:
        return
    for name, value in (fairness(board) | size_figures(board)).items():
        stated = data["fairness"].get(name, value)
        if name not in _REFITTED and abs(stated - value) > _TOLERANCE:
            faults.add(
                join_path("fairness", name),
                f"is {stated:g}, but the value for this board is {value:g}",
            )
