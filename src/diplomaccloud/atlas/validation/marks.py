"""Faults of marks (names, units, stars): outside their province, or overlapping."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from statistics import median

import numpy as np
from shapely import Polygon, points

from diplomaccloud.atlas.validation.chart_schema import ChartData, ShapeData
from diplomaccloud.atlas.validation.faults import Faults, join_path

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

_MAX_LISTED_OVERLAPS = 200
"""How many overlapping pairs of labels are listed; the others are only counted."""

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""


def find_mark_faults(polygons: Mapping[str, Polygon], data: ChartData, faults: Faults) -> None:
    """Add misplaced marks; `polygons` are the valid polygons by path."""
    usual = _find_usual_size(data)
    _find_outside(polygons, data, usual, faults)
    _find_misplaced_passages(polygons, data, faults)
    _find_overlapping(data, usual, faults)


def _find_usual_size(data: ChartData) -> float:
    """Return the median size of names, or a size in scale with the map if there are none."""
    sizes = [shape["label_size"] or 0 for shape in data["shapes"] if shape is not None]
    scale = max(data["size"] or [_USUAL_SIDE]) / _USUAL_SIDE
    return median([size for size in sizes if size > 0] or [_USUAL_SIZE * scale])


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


def _find_outside(
    polygons: Mapping[str, Polygon], data: ChartData, usual: float, faults: Faults
) -> None:
    for i, shape in enumerate(data["shapes"]):
        if shape is None:
            continue
        parts = [
            polygons[path]
            for path in (f"shapes[{i}].polygons[{j}]" for j in range(len(shape["polygons"])))
            if path in polygons
        ]
        if len(parts) < len(shape["polygons"]):
            continue
        label = [("label", shape["label"], None)] if shape["label"] is not None else []
        for name, at, size in (*label, *_list_marks(shape, usual)):
            spot = points(at)
            if not any(part.covers(spot) for part in parts):
                where = f"({at[0]:g}, {at[1]:g}) is outside {shape['province']}"
                faults.add(f"shapes[{i}].{name}", where)
            elif size is not None and _is_cut_off(_box_around(at, size), data["size"]):
                faults.add(f"shapes[{i}].{name}", "is cut off by the edge of the map")


def _find_misplaced_passages(
    polygons: Mapping[str, Polygon], data: ChartData, faults: Faults
) -> None:
    """Add passages that do not lead from their first end to the second."""
    shapes = {shape["province"]: i for i, shape in enumerate(data["shapes"]) if shape is not None}
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
            parts = [area for path, area in polygons.items() if path.startswith(at)]
            if parts and not any(part.covers(points(spot)) for part in parts):
                where = f"({spot[0]:g}, {spot[1]:g}) is outside {code}"
                faults.add(f"passages[{i}].points[{k and len(line) - 2}]", where)


def _find_overlapping(data: ChartData, usual: float, faults: Faults) -> None:
    """Add overlapping labels, and overlapping marks of one province."""
    labels: dict[str, Box] = {}
    for i, shape in enumerate(data["shapes"]):
        if shape is None or shape["label"] is None:
            continue
        labels[f"shapes[{i}].label"] = label = _box_around(
            shape["label"], _label_size(shape, usual)
        )
        marks = [
            (name, _box_around(at, size))
            for name, at, size in _list_marks(shape, usual)
            if size and "/" not in name
        ]
        for (first_name, first), (second_name, second) in combinations(
            [("label", label), *marks], 2
        ):
            if _do_overlap(first, second):
                faults.add(f"shapes[{i}].{first_name}", f"overlaps shapes[{i}].{second_name}")
    _find_labels_over_labels(labels, faults)


def _find_labels_over_labels(labels: Mapping[str, Box], faults: Faults) -> None:
    paths = list(labels)
    boxes = np.array([*labels.values()]).reshape(-1, 4)
    overlaps = 0
    for i, path in enumerate(paths):
        left, top, right, bottom = boxes[i]
        wide = np.minimum(right, boxes[:, 2]) - np.maximum(left, boxes[:, 0])
        high = np.minimum(bottom, boxes[:, 3]) - np.maximum(top, boxes[:, 1])
        for other in np.flatnonzero((wide > _MAX_OVERLAP) & (high > _MAX_OVERLAP)).tolist():
            if other > i and overlaps < _MAX_LISTED_OVERLAPS:
                faults.add(path, f"overlaps {paths[other]}")
            overlaps += other > i
    if overlaps > _MAX_LISTED_OVERLAPS:
        faults.add("shapes", f"{overlaps - _MAX_LISTED_OVERLAPS:,} more pairs of labels overlap")


def _label_size(shape: ShapeData, usual: float) -> tuple[float, float]:
    lines = [line for line in shape["label_lines"] if line is not None]
    size = shape["label_size"] or 0
    if not lines or size <= 0:
        lines, size = [shape["province"]], usual
    return max(map(len, lines)) * _LETTER_WIDTH * size, size * (
        _LINE_HEIGHT * (len(lines) - 1) + 0.9
    )


def _box_around(middle: Sequence[float], size: tuple[float, float]) -> Box:
    (x, y), half_wide, half_high = middle, size[0] / 2, size[1] / 2
    return x - half_wide, y - half_high, x + half_wide, y + half_high


def _is_cut_off(box: Box, size: Sequence[float] | None) -> bool:
    left, top, right, bottom = box
    return size is not None and (left < 0 or top < 0 or right > size[0] or bottom > size[1])


def _do_overlap(first: Box, second: Box) -> bool:
    left, top, right, bottom = first
    to_left, to_top, to_right, to_bottom = second
    wide = min(right, to_right) - max(left, to_left)
    high = min(bottom, to_bottom) - max(top, to_top)
    return wide > _MAX_OVERLAP and high > _MAX_OVERLAP
