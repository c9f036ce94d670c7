"""Place name, unit, dislodged unit and star in each province.

Every province becomes a raster with one cell per map unit. A layout is a set of boxes around one
point; sums over the raster give all points where a layout fits at once.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations

import numpy as np
from shapely import Polygon

from diplomaccloud.atlas.chart import Anchors, Point
from diplomaccloud.atlas.standard.builder.drawing_text import DrawingError
from diplomaccloud.atlas.standard.builder.label_layouts import (
    STAR,
    UNIT,
    Box,
    Layout,
    list_layouts,
    measure_label,
    split_name,
)
from diplomaccloud.atlas.standard.builder.raster import Raster, find_nearest_box
from diplomaccloud.judge.board import Location, Province, Terrain

_LAND_SIZES = (13.0, 12.5, 12.0, 11.5, 11.0, 10.5, 10.0, 9.5, 9.0, 8.5, 8.0)
_SEA_SIZES = (16.0, 15.0, 14.0, 13.5, 13.0, 12.5, 12.0, 11.5, 11.0, 10.5, 10.0, 9.0)
_MARGINS = (2, 3, 4, 5, 7, 9)
"""Space around a layout in map units: the first is required, the others are tried in turn."""

_PREFERRED_SIZES = 5
"""This many of the largest sizes are preferred to any tidier arrangement."""


def place_anchors(
    provinces: Sequence[Province], polygons: Mapping[str, Polygon], hints: Mapping[str, Point]
) -> dict[str, Anchors]:
    """Return the anchors of all `provinces`, by code, each near its hint in the drawing.

    `polygons`: their largest parts. Name, unit and star fit inside. Fleets on a split coast and
    dislodged units may overlap a border where there is no other way.
    """
    rasters = {code: Raster(polygon) for code, polygon in polygons.items()}
    layouts = {p.code: _find_best_layout(p, rasters[p.code], hints[p.code]) for p in provinces}
    taken = [box for layout in layouts.values() for box in layout.boxes]
    return {
        p.code: _build_anchors(p, layouts[p.code], rasters[p.code], hints, taken) for p in provinces
    }


def _build_anchors(
    province: Province,
    layout: Layout,
    raster: Raster,
    hints: Mapping[str, Point],
    taken: list[Box],
) -> Anchors:
    """Return the anchors of `layout`; boxes that it leaves open are added to `taken`."""
    units = {Location(province.code): _round_center(layout.unit)}
    for place in province.fleet_locations:
        if province.coasts:
            taken.append(find_nearest_box(raster, UNIT, hints[place], taken))
            units[place] = _round_center(taken[-1])
    dislodged = layout.dislodged
    if dislodged is None:
        dislodged = find_nearest_box(raster, UNIT, (layout.unit.x, layout.unit.y), taken)
        taken.append(dislodged)
    return Anchors(
        label=_round_center(layout.label),
        label_lines=layout.lines,
        label_size=layout.size,
        units=units,
        dislodged=_round_center(dislodged),
        star=_round_center(layout.star) if layout.star else None,
    )


def _find_best_layout(province: Province, raster: Raster, hint: Point) -> Layout:
    """Return the layout with the largest name that fits; raises `DrawingError` if none does."""
    sizes = _SEA_SIZES if province.terrain is Terrain.SEA else _LAND_SIZES
    for group in (sizes[:_PREFERRED_SIZES], sizes[_PREFERRED_SIZES:]):
        for crowded in (False, True):
            for size in group:
                layouts = list(list_layouts(province, size, crowded=crowded))
                if layout := _find_roomiest(layouts, raster, hint):
                    return layout
        for size in group:
            if scattered := _scatter_boxes(province, raster, hint, size):
                return scattered
    raise DrawingError(f"{province.code}: its name, unit and star do not fit")


def _find_roomiest(layouts: Sequence[Layout], raster: Raster, hint: Point) -> Layout | None:
    """Return the layout that fits with the widest margin."""
    best = None
    for margin in _MARGINS:
        if (layout := _fit_layouts(layouts, raster, hint, margin)) is None:
            break
        best = layout
    return best


def _fit_layouts(
    layouts: Sequence[Layout], raster: Raster, hint: Point, margin: int
) -> Layout | None:
    """Return the cheapest layout that fits with `margin`, as close to `hint` as possible."""
    fits = cache(lambda box: raster.fits(box, margin))
    fitting: list[tuple[float, Layout]] = []
    for layout in layouts:
        mask = np.logical_and.reduce([fits(box) for box in layout.boxes])
        rows, columns = np.nonzero(mask)
        if rows.size:
            xs, ys = columns + raster.left, rows + raster.top
            away = np.hypot(xs - hint[0], ys - hint[1])
            i = int(away.argmin())
            moved = layout.move(float(xs[i]), float(ys[i]))
            fitting.append((float(away[i]) + layout.cost, moved))
    return min(fitting, key=lambda candidate: candidate[0])[1] if fitting else None


def _scatter_boxes(province: Province, raster: Raster, hint: Point, size: float) -> Layout | None:
    """Return a layout with each box wherever there is space, as close together as possible."""
    fitting: list[tuple[float, Layout]] = []
    for lines in split_name(province.name):
        box = Box(0, 0, *measure_label(lines, size))
        rows, columns = np.nonzero(raster.fits(box, 1))
        for row, column in list(zip(rows.tolist(), columns.tolist(), strict=True))[::5]:
            label = replace(box, x=column + raster.left, y=row + raster.top)
            unit = find_nearest_box(raster, UNIT, (label.x, label.y), [label])
            star = find_nearest_box(raster, STAR, (unit.x, unit.y), [label, unit])
            boxes = [label, unit] + [star] * province.center
            if all(raster.holds(box) for box in boxes) and not _has_overlap(boxes):
                away = np.hypot(label.x - hint[0], label.y - hint[1]) / 2
                away += np.hypot(label.x - unit.x, label.y - unit.y)
                layout = Layout(lines, size, label, unit, star=star if province.center else None)
                fitting.append((float(away), layout))
    return min(fitting, key=lambda candidate: candidate[0])[1] if fitting else None


def _has_overlap(boxes: Sequence[Box]) -> bool:
    return any(first.overlaps(second) for first, second in combinations(boxes, 2))


def _round_center(box: Box) -> Point:
    return round(box.x, 1), round(box.y, 1)
