"""Stage 9, and put the results of all stages together as a chart."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import fsum
from statistics import fmean, pstdev

import numpy as np

from diplomaccloud.atlas.chart import Anchors, Arc, Chart, Point, Shape
from diplomaccloud.atlas.fairness import fairness
from diplomaccloud.atlas.generator.anchors import CrowdedError, FleetSpot, Places, find_places
from diplomaccloud.atlas.generator.balance import HOMES, NEUTRALS
from diplomaccloud.atlas.generator.borders import (
    OUTSIDE,
    PIXEL,
    BorderLine,
    Layout,
    Place,
    find_rings,
    group_lines_by_owner,
)
from diplomaccloud.atlas.generator.center_placement import Centers
from diplomaccloud.atlas.generator.drawn_map import DrawnMap, find_split_coasts
from diplomaccloud.atlas.generator.land_and_sea import Elevation, make_relief
from diplomaccloud.atlas.generator.mesh import Floats, Mesh
from diplomaccloud.atlas.generator.names import (
    MapNames,
    Sea,
    choose_name_forms,
    make_names,
    measure_waters,
    strip_accents,
)
from diplomaccloud.atlas.generator.provinces import Division
from diplomaccloud.atlas.generator.random_streams import draw_index
from diplomaccloud.atlas.palette import color_difference, color_sets, find_least_difference
from diplomaccloud.judge.board import (
    Board,
    Location,
    Power,
    PowerInfo,
    Province,
    ProvinceCode,
    Start,
    Terrain,
    UnitKind,
)

VERSION = "generator 7"
"""The `maker` of a chart; it changes whenever a seed gives another map."""


@dataclass(frozen=True)
class ChartParts:
    """The results of the stages that a chart is put together from."""

    mesh: Mesh
    elevation: Elevation
    division: Division
    lines: tuple[BorderLine, ...]
    layout: Layout
    centers: Centers

    @property
    def powers(self) -> int:
        """The number of powers."""
        return len(self.centers.homes)

    def find_country(self, power: int) -> tuple[int, ...]:
        """Return the provinces in the home country of `power`."""
        return self.centers.homes[power] + self.centers.countries[power]

    def find_owner(self, province: int) -> int | None:
        """Return the power whose home country `province` is part of, if any."""
        owners = [power for power in range(self.powers) if province in self.find_country(power)]
        return owners[0] if owners else None

    @property
    def middles(self) -> Floats:
        """The middle of each province (n×2)."""
        owner, weight = self.division.owner, self.mesh.areas
        total = np.bincount(owner, weights=weight)
        sums = [np.bincount(owner, weights=weight * self.mesh.sites[:, axis]) for axis in (0, 1)]
        return np.asarray(np.stack(sums, axis=1) / total[:, None])


def assign_names(parts: ChartParts, rng: np.random.Generator) -> MapNames:
    """Return names for everything; each province uses the language of the nearest power."""
    middles = parts.middles
    capitals = np.array([middles[list(home)].mean(axis=0) for home in parts.centers.homes])
    distances = ((middles[:, None] - capitals[None]) ** 2).sum(axis=2)
    nations = np.argmin(distances, axis=1).tolist()
    for power in range(parts.powers):
        for province in parts.find_country(power):
            nations[province] = power
    owner, lands = parts.division.owner, parts.division.lands
    waters = measure_waters(parts.mesh, owner, parts.lines, lands)
    forms = choose_name_forms(waters, rng)
    seas = [Sea(*both) for both in zip(nations[lands:], forms, strict=True)]
    return make_names(nations[:lands], seas, parts.powers, rng)


def assemble_chart(
    parts: ChartParts, names: MapNames, seed: str, drawn: DrawnMap, palette: Sequence[str]
) -> Chart:
    """Return the chart; raises `CrowdedError` if something has no space in its province.

    `palette`: the powers' colors in any order.
    """
    codes = [ProvinceCode(code) for code in names.codes]
    arcs = tuple(
        Arc(points, kind, _find_code(codes, line.left), _find_code(codes, line.right))
        for line, points, kind in zip(drawn.lines, drawn.points, drawn.kinds, strict=True)
    )
    border_lines = group_lines_by_owner(parts.lines, parts.layout.count)
    shapes = tuple(
        Shape(
            code,
            _build_polygon(parts.lines, province, border_lines[province]),
            _build_anchors(parts, names, province, drawn),
        )
        for province, code in enumerate(codes)
    )
    board = make_board(parts, names, codes)
    colors = assign_colors(palette, [_find_middle(parts, power) for power in range(parts.powers)])
    chart = Chart(
        world=names.world,
        board=board,
        size=parts.mesh.size,
        arcs=arcs,
        shapes=shapes,
        palette={Power(info.key): color for info, color in zip(names.powers, colors, strict=True)},
        scenery=_list_scenery(drawn.islets, len(parts.lines)),
        relief=make_relief(parts.elevation, drawn.owners < parts.division.lands),
        seed=seed,
        maker=VERSION,
        fairness=fairness(board) | _measure_figures(parts, colors),
    )
    areas = [chart.area(shape) for shape in shapes[: parts.division.lands]]
    spread = {"cv_land_area": round(pstdev(areas) / fmean(areas), 4)}
    return replace(chart, fairness={**chart.fairness, **spread})


def _measure_figures(parts: ChartParts, colors: Sequence[str]) -> dict[str, float]:
    """Return additional measurements of the map by name, rounded."""
    count = parts.layout.count
    figures = {
        "colour_difference": find_least_difference(colors),
        "mean_degree": sum(len(touched) for touched in parts.layout.neighbors) / count,
        "sea_share": parts.layout.seas / count,
        "spaces_per_center": count / ((HOMES + NEUTRALS) * parts.powers),
    }
    return {name: round(value, 4) for name, value in figures.items()}


def _find_code(codes: Sequence[ProvinceCode], owner: int) -> ProvinceCode | None:
    """Return the code of `owner`, or `None` outside the frame."""
    return None if owner == OUTSIDE else codes[owner]


def _build_polygon(
    lines: Sequence[BorderLine], province: int, border_lines: Sequence[int]
) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Return the single polygon of a province: the outer ring, then the holes."""
    outlines = find_rings(lines, province, border_lines)
    return (tuple(sorted(outlines, key=lambda ring: -_count_edges(lines, ring))),)


def _count_edges(lines: Sequence[BorderLine], ring: Sequence[int]) -> int:
    return sum(len(lines[ref if ref >= 0 else ~ref].edges) for ref in ring)


def _list_scenery(
    islets: Sequence[Sequence[BorderLine]], first: int
) -> tuple[tuple[str, tuple[tuple[int, ...], ...]], ...]:
    """Return the rings of the islets, whose lines have numbers from `first`."""
    scenery, next_line = [], first
    for islet in islets:
        scenery.append(
            ("", tuple((number,) for number in range(next_line, next_line + len(islet))))
        )
        next_line += len(islet)
    return tuple(scenery)


def _build_anchors(parts: ChartParts, names: MapNames, province: int, drawn: DrawnMap) -> Anchors:
    """Return the positions of everything in `province`."""
    window = drawn.windows[province]
    if window is None:
        raise CrowdedError(f"{names.provinces[province]} has no pixels")
    corner = (window[1].start * PIXEL, window[0].start * PIXEL)
    layout = parts.layout
    is_center = any(province in home for home in parts.centers.homes)
    is_center = is_center or province in parts.centers.neutrals
    local_places = find_places(
        drawn.clear[window],
        province,
        names.provinces[province],
        is_center,
        find_split_coasts(drawn, layout, province),
        at_sea=province >= layout.lands,
    )
    places = _move_places(local_places, corner)
    code = names.codes[province]
    labels = layout.coast_names[province] if province < layout.lands else ()
    units, dislodged = {Location(code): places.unit}, {}
    for label, fleet in zip(labels, places.coasts, strict=True):
        location = Location(f"{code}/{label}")
        units[location], dislodged[location] = fleet.unit, fleet.dislodged
    return Anchors(
        places.label, places.lines, places.size, units, places.dislodged, places.star, dislodged
    )


def _move_places(places: Places, corner: Point) -> Places:
    """Return `places`, found in a window of the map at `corner`, in map coordinates."""

    def move(point: Point) -> Point:
        return round(point[0] + corner[0], 1), round(point[1] + corner[1], 1)

    return replace(
        places,
        label=move(places.label),
        unit=move(places.unit),
        dislodged=move(places.dislodged),
        star=None if places.star is None else move(places.star),
        coasts=tuple(FleetSpot(move(fleet.unit), move(fleet.dislodged)) for fleet in places.coasts),
    )


def _find_middle(parts: ChartParts, power: int) -> Point:
    """Return the mean of the middles of the homes of `power`."""
    x, y = parts.middles[list(parts.centers.homes[power])].mean(axis=0).tolist()
    return x, y


def make_board(parts: ChartParts, names: MapNames, codes: Sequence[ProvinceCode]) -> Board:
    """Return the board, without any geometry; `codes` are those of its provinces."""
    layout, centers = parts.layout, parts.centers
    keys = [Power(info.key) for info in names.powers]

    def location(spot: Place) -> Location:
        province, coast = spot
        split = layout.coast_names[province] if province < layout.lands else ()
        return Location(f"{codes[province]}/{split[coast]}" if split else codes[province])

    return Board(
        name=names.world,
        powers=tuple(
            PowerInfo(key, info.name, info.adjective)
            for key, info in sorted(zip(keys, names.powers, strict=True))
        ),
        provinces=tuple(
            _build_province(parts, names, province, keys) for province in range(layout.count)
        ),
        army_borders=tuple((codes[start], codes[end]) for start, end in layout.army_borders),
        fleet_borders=tuple(
            (location(start), location(end)) for start, end in layout.fleet_borders
        ),
        starts=tuple(
            Start(
                keys[power],
                UnitKind.FLEET if home in centers.fleets[power] else UnitKind.ARMY,
                Location(codes[home]),
            )
            for power, homes in enumerate(centers.homes)
            for home in homes
        ),
        victory_centers=(HOMES + NEUTRALS) * parts.powers // 2 + 1,
    )


def _build_province(
    parts: ChartParts, names: MapNames, province: int, keys: Sequence[Power]
) -> Province:
    layout, centers, name = parts.layout, parts.centers, names.provinces[province]
    owner = parts.find_owner(province)
    if province >= layout.lands:
        kind = Terrain.SEA
    else:
        kind = Terrain.COASTAL if layout.coasts[province] else Terrain.INLAND
    home = owner is not None and province in centers.homes[owner]
    return Province(
        code=ProvinceCode(names.codes[province]),
        name=name,
        terrain=kind,
        coasts=tuple(sorted(layout.coast_names[province])) if province < layout.lands else (),
        center=home or province in centers.neutrals,
        home=None if owner is None else keys[owner],
        aliases=() if strip_accents(name) == name else (strip_accents(name),),
    )


# Choose the colors of a map and assign them, so that neighboring powers differ most.

_MAX_DIFFERENCE = 60.0
"""Colors that differ more than this, in ΔE76, are all equally easy to distinguish."""

_ROUNDING = 1e-9
"""Improvements smaller than this may come from rounding."""


def choose_palette(count: int, rng: np.random.Generator) -> tuple[str, ...]:
    """Return one of the sets of `count` colors; all are equally likely."""
    sets = color_sets(count)
    return sets[draw_index(rng, len(sets))]


def assign_colors(colors: Sequence[str], middles: Sequence[Point]) -> tuple[str, ...]:
    """Return one of `colors` per power; `middles` are the middles of their countries."""
    palette = list(colors)
    differences = {
        (first, second): min(color_difference(first, second), _MAX_DIFFERENCE)
        for first in palette
        for second in palette
    }
    weights = {
        (first, second): 1
        / ((first_spot[0] - second_spot[0]) ** 2 + (first_spot[1] - second_spot[1]) ** 2 + 1)
        for first, first_spot in enumerate(middles)
        for second, second_spot in enumerate(middles)
        if first < second
    }

    def rate_palette() -> float:
        return fsum(
            weight * differences[palette[first], palette[second]]
            for (first, second), weight in weights.items()
        )

    best, improved = rate_palette(), True
    while improved:
        improved = False
        for first, second in combinations(range(len(palette)), 2):
            palette[first], palette[second] = palette[second], palette[first]
            if (new := rate_palette()) > best * (1 + _ROUNDING):
                best, improved = new, True
            else:
                palette[first], palette[second] = palette[second], palette[first]
    return tuple(palette)
