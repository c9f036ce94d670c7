"""Faults of what stands in a province: names, units and stars outside it or over one another."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from statistics import median

import numpy as np
from shapely import Polygon, points

from diplomaccloud.atlas.validation.chart_data import ChartData, ShapeData
from diplomaccloud.atlas.validation.faults import Faults, below

_BADGE, _STAR = (13.0, 10.0), (7.0, 7.0)
"""Half of what is drawn where names are of the usual size or larger; in scale with smaller ones.

Marks whose halves overlap cannot be told apart.
"""

_LINE, _LETTER = 1.12, 0.46
"""Height of a line and mean width of a letter, in font sizes."""

_USUAL, _USUAL_SIDE = 13.0, 1160.0
"""The size of names and the longer side of the map, where marks are as large as here."""

_SLACK = 0.5

_MOST_OVERLAPS = 200
"""So many pairs of labels that overlap are named; of the others the number is told."""

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""


def find_mark_faults(bodies: Mapping[str, Polygon], data: ChartData, found: Faults) -> None:
    """Add marks out of place; `bodies` are the sound polygons by their paths."""
    usual = _usual_size(data)
    _find_outside(bodies, data, usual, found)
    _find_stray_passages(bodies, data, found)
    _find_overlapping(data, usual, found)


def _usual_size(data: ChartData) -> float:
    """Return the median size of names; where none is printed, one in scale with the map."""
    sizes = [shape["label_size"] or 0 for shape in data["shapes"] if shape is not None]
    scale = max(data["size"] or [_USUAL_SIDE]) / _USUAL_SIDE
    return median([size for size in sizes if size > 0] or [_USUAL * scale])


def _marks(
    shape: ShapeData, usual: float
) -> Iterator[tuple[str, list[float], tuple[float, float] | None]]:
    """Yield the name, the middle and the size of every mark of `shape` but its label.

    `usual` is the size of names on the map.
    """
    scale = min(1.0, usual / _USUAL)
    badge, star = ((wide * scale, high * scale) for wide, high in (_BADGE, _STAR))
    for place, at in shape["units"].items():
        yield below("units", place), at, badge
    if shape["dislodged"] is not None:
        yield "dislodged", shape["dislodged"], badge
    for place, at in shape.get("dislodged_coasts", {}).items():
        yield below("dislodged_coasts", place), at, None
    if shape["star"] is not None:
        yield "star", shape["star"], star


def _find_outside(
    bodies: Mapping[str, Polygon], data: ChartData, usual: float, found: Faults
) -> None:
    for i, shape in enumerate(data["shapes"]):
        if shape is None:
            continue
        parts = [
            bodies[path]
            for path in (f"shapes[{i}].polygons[{j}]" for j in range(len(shape["polygons"])))
            if path in bodies
        ]
        if len(parts) < len(shape["polygons"]):
            continue
        label = [("label", shape["label"], None)] if shape["label"] is not None else []
        for name, at, size in (*label, *_marks(shape, usual)):
            spot = points(at)
            if not any(part.covers(spot) for part in parts):
                where = f"({at[0]:g}, {at[1]:g}) is not in {shape['province']}"
                found.add(f"shapes[{i}].{name}", where)
            elif size is not None and _is_cut_off(_around(at, size), data["size"]):
                found.add(f"shapes[{i}].{name}", "is cut off by the edge of the map")


def _find_stray_passages(bodies: Mapping[str, Polygon], data: ChartData, found: Faults) -> None:
    """Add passages that do not lead from the first of their ends to the second."""
    shapes = {one["province"]: i for i, one in enumerate(data["shapes"]) if one is not None}
    for i, passage in enumerate(data["passages"]):
        if passage is None:
            continue
        line = passage["points"]
        for k, place, spot in (
            (0, passage["ends"][0], line[:2]),
            (1, passage["ends"][1], line[-2:]),
        ):
            code = place.split("/")[0]
            at = f"shapes[{shapes.get(code)}]."
            parts = [area for path, area in bodies.items() if path.startswith(at)]
            if parts and not any(part.covers(points(spot)) for part in parts):
                where = f"({spot[0]:g}, {spot[1]:g}) is not in {code}"
                found.add(f"passages[{i}].points[{k and len(line) - 2}]", where)


def _find_overlapping(data: ChartData, usual: float, found: Faults) -> None:
    """Add labels that overlap another label, and marks of one province that overlap."""
    labels: dict[str, Box] = {}
    for i, shape in enumerate(data["shapes"]):
        if shape is None or shape["label"] is None:
            continue
        labels[f"shapes[{i}].label"] = label = _around(shape["label"], _label_size(shape, usual))
        standing = [
            (name, _around(at, size))
            for name, at, size in _marks(shape, usual)
            if size and "/" not in name
        ]
        for (one, first), (other, second) in combinations([("label", label), *standing], 2):
            if _overlap(first, second):
                found.add(f"shapes[{i}].{one}", f"overlaps shapes[{i}].{other}")
    _find_labels_over_labels(labels, found)


def _find_labels_over_labels(labels: Mapping[str, Box], found: Faults) -> None:
    paths = list(labels)
    boxes = np.array([*labels.values()]).reshape(-1, 4)
    overlaps = 0
    for i, path in enumerate(paths):
        left, top, right, bottom = boxes[i]
        wide = np.minimum(right, boxes[:, 2]) - np.maximum(left, boxes[:, 0])
        high = np.minimum(bottom, boxes[:, 3]) - np.maximum(top, boxes[:, 1])
        for other in np.flatnonzero((wide > _SLACK) & (high > _SLACK)).tolist():
            if other > i and overlaps < _MOST_OVERLAPS:
                found.add(path, f"overlaps {paths[other]}")
            overlaps += other > i
    if overlaps > _MOST_OVERLAPS:
        found.add("shapes", f"{overlaps - _MOST_OVERLAPS:,} more pairs of labels overlap")


def _label_size(shape: ShapeData, usual: float) -> tuple[float, float]:
    lines = [line for line in shape["label_lines"] if line is not None]
    size = shape["label_size"] or 0
    if not lines or size <= 0:
        lines, size = [shape["province"]], usual
    return max(map(len, lines)) * _LETTER * size, size * (_LINE * (len(lines) - 1) + 0.9)


def _around(middle: Sequence[float], size: tuple[float, float]) -> Box:
    (x, y), half_wide, half_high = middle, size[0] / 2, size[1] / 2
    return x - half_wide, y - half_high, x + half_wide, y + half_high


def _is_cut_off(box: Box, size: Sequence[float] | None) -> bool:
    left, top, right, bottom = box
    return size is not None and (left < 0 or top < 0 or right > size[0] or bottom > size[1])


def _overlap(one: Box, other: Box) -> bool:
    left, top, right, bottom = one
    to_left, to_top, to_right, to_bottom = other
    wide = min(right, to_right) - max(left, to_left)
    high = min(bottom, to_bottom) - max(top, to_top)
    return wide > _SLACK and high > _SLACK
