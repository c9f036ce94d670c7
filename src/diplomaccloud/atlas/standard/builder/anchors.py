"""Where name, unit, dislodged unit and star stand in each province.

Every province is rastered, one cell a map unit. A layout is a set of boxes around one point;
for each candidate all points where it fits are found at once from sums over the raster.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations

import numpy as np
from shapely import Polygon

from diplomaccloud.atlas.chart import Anchors, Point
from diplomaccloud.atlas.standard.builder.drawing import DrawingError
from diplomaccloud.atlas.standard.builder.label_layouts import (
    STAR,
    UNIT,
    Box,
    Layout,
    label_box,
    layouts_of,
    splits,
)
from diplomaccloud.atlas.standard.builder.raster import Raster, nearest
from diplomaccloud.judge.board import Location, Province, Terrain

_LAND_SIZES = (13.0, 12.5, 12.0, 11.5, 11.0, 10.5, 10.0, 9.5, 9.0, 8.5, 8.0)
_SEA_SIZES = (16.0, 15.0, 14.0, 13.5, 13.0, 12.5, 12.0, 11.5, 11.0, 10.5, 10.0, 9.0)
_MARGINS = (2, 3, 4, 5, 7, 9)
"""Room around a layout in map units: the first is a must, the others are tried in turn."""

_FAIR = 5
"""So many of the sizes are preferred to any tidier order of the parts."""


def place_anchors(
    provinces: Sequence[Province], polygons: Mapping[str, Polygon], hints: Mapping[str, Point]
) -> dict[str, Anchors]:
    """Return the anchors of all `provinces`, by code, each near its typed hint.

    `polygons` are their largest parts. Name, unit and star fit inside; fleets on a split
    coast and dislodged units overhang a border where there is no other way.
    """
    rasters = {code: Raster(polygon) for code, polygon in polygons.items()}
    layouts = {p.code: _best(p, rasters[p.code], hints[p.code]) for p in provinces}
    taken = [box for layout in layouts.values() for box in layout.boxes]
    return {p.code: _anchors(p, layouts[p.code], rasters[p.code], hints, taken) for p in provinces}


def _anchors(
    province: Province,
    layout: Layout,
    raster: Raster,
    hints: Mapping[str, Point],
    taken: list[Box],
) -> Anchors:
    """Return the anchors of `layout`; the places that it leaves open are added to `taken`."""
    units = {Location(province.code): _rounded(layout.unit)}
    for place in province.fleet_locations:
        if province.coasts:
            taken.append(nearest(raster, UNIT, hints[place], taken))
            units[place] = _rounded(taken[-1])
    dislodged = layout.dislodged
    if dislodged is None:
        dislodged = nearest(raster, UNIT, (layout.unit.x, layout.unit.y), taken)
        taken.append(dislodged)
    return Anchors(
        label=_rounded(layout.label),
        label_lines=layout.lines,
        label_size=layout.size,
        units=units,
        dislodged=_rounded(dislodged),
        star=_rounded(layout.star) if layout.star else None,
    )


def _best(province: Province, raster: Raster, hint: Point) -> Layout:
    sizes = _SEA_SIZES if province.terrain is Terrain.SEA else _LAND_SIZES
    for some in (sizes[:_FAIR], sizes[_FAIR:]):
        for crowded in (False, True):
            for size in some:
                layouts = list(layouts_of(province, size, crowded=crowded))
                if found := _roomiest(layouts, raster, hint):
                    return found
        for size in some:
            if scattered := _scattered(province, raster, hint, size):
                return scattered
    raise DrawingError(f"{province.code}: its name, unit and star do not fit")


def _roomiest(layouts: Sequence[Layout], raster: Raster, hint: Point) -> Layout | None:
    """Return the layout that fits with the widest margin."""
    best = None
    for margin in _MARGINS:
        if (found := _fitted(layouts, raster, hint, margin)) is None:
            break
        best = found
    return best


def _fitted(layouts: Sequence[Layout], raster: Raster, hint: Point, margin: int) -> Layout | None:
    """Return the cheapest layout that fits with `margin`, as near to `hint` as it can."""
    fits = cache(lambda box: raster.fits(box, margin))
    found: list[tuple[float, Layout]] = []
    for layout in layouts:
        mask = np.logical_and.reduce([fits(box) for box in layout.boxes])
        rows, columns = np.nonzero(mask)
        if rows.size:
            xs, ys = columns + raster.left, rows + raster.top
            away = np.hypot(xs - hint[0], ys - hint[1])
            i = int(away.argmin())
            moved = layout.moved(float(xs[i]), float(ys[i]))
            found.append((float(away[i]) + layout.cost, moved))
    return min(found, key=lambda one: one[0])[1] if found else None


def _scattered(province: Province, raster: Raster, hint: Point, size: float) -> Layout | None:
    """Return a layout of boxes each where there is room, as near to one another as they can."""
    found: list[tuple[float, Layout]] = []
    for lines in splits(province.name):
        box = Box(0, 0, *label_box(lines, size))
        rows, columns = np.nonzero(raster.fits(box, 1))
        for row, column in list(zip(rows.tolist(), columns.tolist(), strict=True))[::5]:
            label = replace(box, x=column + raster.left, y=row + raster.top)
            unit = nearest(raster, UNIT, (label.x, label.y), [label])
            star = nearest(raster, STAR, (unit.x, unit.y), [label, unit])
            boxes = [label, unit] + [star] * province.center
            if all(raster.holds(one) for one in boxes) and not _overlap(boxes):
                away = np.hypot(label.x - hint[0], label.y - hint[1]) / 2
                away += np.hypot(label.x - unit.x, label.y - unit.y)
                layout = Layout(lines, size, label, unit, star=star if province.center else None)
                found.append((float(away), layout))
    return min(found, key=lambda one: one[0])[1] if found else None


def _overlap(boxes: Sequence[Box]) -> bool:
    return any(one.meets(other) for one, other in combinations(boxes, 2))


def _rounded(box: Box) -> Point:
    return round(box.x, 1), round(box.y, 1)
