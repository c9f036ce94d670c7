"""Stage 9, and put the results of all stages together as a chart."""

import itertools
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from math import fsum
from statistics import fmean, pstdev

import numpy as np

from diplomaccloud.atlas.fairness import fairness
from diplomaccloud.atlas.generator.anchors import CrowdedError, find_places
from diplomaccloud.atlas.generator.balance import NEAR
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
from diplomaccloud.atlas.generator.edge_passages import EdgePassage
from diplomaccloud.atlas.generator.land_and_sea import Elevation, make_relief
from diplomaccloud.atlas.generator.mesh import Floats, Mesh, find_middles
from diplomaccloud.atlas.generator.names import (
    MapNames,
    choose_land_forms,
    choose_name_forms,
    choose_solid_forms,
    make_names,
    make_title,
    measure_lands,
    measure_waters,
    strip_accents,
)
from diplomaccloud.atlas.generator.provinces import Division
from diplomaccloud.atlas.generator.random_streams import draw_index
from diplomaccloud.atlas.generator.terrain import BorderTerrain
from diplomaccloud.atlas.landforms import Ground, Landform
from diplomaccloud.judge.board import (
    Board,
    BorderKind,
    BorderRule,
    Location,
    Power,
    PowerInfo,
    Province,
    ProvinceCode,
    Start,
    Terrain,
    UnitKind,
)
from diplomaccloud.judge.drawing.chart import Anchors, Arc, Chart, Passage, Point, Shape
from diplomaccloud.judge.drawing.many_powers import MAX_FEW_POWERS, MIN_NEAR_DIFFERENCE
from diplomaccloud.judge.drawing.palette import color_difference, color_sets, many_colors

VERSION = "generator 10"
"""The `maker` of a chart; it changes whenever a seed gives another map."""


@dataclass(frozen=True)
class Land:
    """Results that all placements on one land share, and the attempt that gave them."""

    attempt: int
    mesh: Mesh
    elevation: Elevation
    division: Division
    lines: tuple[BorderLine, ...]
    layout: Layout
    drawn: DrawnMap
    ground: Ground
    terrain: BorderTerrain
    passages: tuple[EdgePassage, ...] = ()


@dataclass(frozen=True)
class ChartParts:
    """A land and the centers on it, from which a chart is put together."""

    land: Land
    centers: Centers

    @property
    def powers(self) -> int:
        """The number of powers."""
        return len(self.centers.homes)

    def find_country(self, power: int) -> tuple[int, ...]:
        """Return the provinces in the home country of `power`."""
        return self.centers.homes[power] + self.centers.countries[power]

    @cached_property
    def middles(self) -> Floats:
        """The middle of each province and piece of impassable land (n×2)."""
        return find_middles(self.land.mesh, self.land.division.owner)

    @cached_property
    def near_pairs(self) -> list[tuple[int, int]]:
        """The pairs of powers within three moves of each other."""
        steps, homes = self.land.layout.steps, self.centers.homes
        return [
            (first, second)
            for first, second in combinations(range(self.powers), 2)
            if steps[np.ix_(homes[first], homes[second])].min() <= NEAR
        ]

    @cached_property
    def capitals(self) -> Floats:
        """The mean of the middles of each power's homes (k×2)."""
        return np.array([self.middles[list(home)].mean(axis=0) for home in self.centers.homes])


def assign_names(
    parts: ChartParts, rng: np.random.Generator, landform: Landform | None = None
) -> MapNames:
    """Return names for everything; each province uses the language of the nearest power.

    `landform`: what the title speaks of.
    """
    distances = ((parts.middles[:, None] - parts.capitals[None]) ** 2).sum(axis=2)
    nations = np.argmin(distances, axis=1).tolist()
    for power in range(parts.powers):
        for province in parts.find_country(power):
            nations[province] = power
    land, lands = parts.land, parts.land.layout.lands
    count = land.layout.count
    waters = measure_waters(land.mesh, land.division.owner, land.lines, (lands, land.layout.seas))
    seas = list(zip(nations[lands:count], choose_name_forms(waters, rng), strict=True))
    regions = measure_lands(land.mesh, land.lines, nations[:lands], parts.middles, land.layout.seas)
    forms = list(zip(nations[:lands], choose_land_forms(regions, rng), strict=True))
    solid_forms = choose_solid_forms(landform, land.layout.solids, rng)
    solids = list(zip(nations[count:], solid_forms, strict=True))
    names = make_names(forms, seas, parts.powers, rng, solids)
    framed = {
        max(line.left, line.right) for line in land.lines if OUTSIDE in (line.left, line.right)
    }

    def rank_sea(water: int) -> tuple[bool, bool, float]:
        """Return a key that is largest for the largest sea, if possible with land all around."""
        is_wide = bool({"Sea", "Ocean"} & {*names.provinces[lands + water].split()})
        return is_wide, lands + water not in framed, waters[water].size

    sea = names.provinces[lands + max(range(len(waters)), key=rank_sea)]
    return replace(names, title=make_title(landform, names.world, sea, parts.powers, rng))


def assemble_chart(parts: ChartParts, names: MapNames, seed: str, palette: Sequence[str]) -> Chart:
    """Return the chart; raises `CrowdedError` if something has no space in its province.

    `palette`: the powers' colors in any order.
    """
    land, drawn = parts.land, parts.land.drawn
    codes = [ProvinceCode(code) for code in names.codes]
    solids = list(zip(map(ProvinceCode, names.solid_codes), names.solids, strict=True))
    sides = (*codes, *(code for code, _ in solids), None)  # `OUTSIDE` is the last one.
    arcs = tuple(
        Arc(points, kind, sides[line.left], sides[line.right])
        for line, points, kind in zip(drawn.lines, drawn.points, drawn.kinds, strict=True)
    )
    border_lines = group_lines_by_owner(land.lines, land.division.count_owners())
    shapes = tuple(
        Shape(
            code,
            _build_polygon(land.lines, province, border_lines[province]),
            _build_anchors(parts, names, province),
        )
        for province, code in enumerate(codes)
    )
    board = replace(make_board(parts, names, codes), impassable=tuple(solids))
    barriers = (
        (str(code), _build_polygon(land.lines, number, border_lines[number])[0])
        for number, (code, _) in enumerate(solids, land.layout.count)
    )
    middles = [(x, y) for x, y in parts.capitals.tolist()]
    if parts.powers > MAX_FEW_POWERS:
        colors = part_colors(palette, parts.near_pairs)
        shown = [(colors[first], colors[second]) for first, second in parts.near_pairs]
    else:
        colors = assign_colors(palette, middles)
        shown = [*combinations(colors, 2)]
    numbers = itertools.count(len(land.lines))
    chart = Chart(
        world=names.world,
        board=board,
        size=land.mesh.size,
        arcs=arcs,
        shapes=shapes,
        palette={Power(info.key): color for info, color in zip(names.powers, colors, strict=True)},
        scenery=(
            *barriers,
            *(("", tuple((next(numbers),) for _ in islet)) for islet in drawn.islets),
        ),
        passages=tuple(
            Passage(
                (Location(codes[passage.left]), Location(codes[passage.right])),
                passage.points,
                passage.mark,
            )
            for passage in land.passages
        ),
        relief=make_relief(land.elevation, ~land.division.is_sea(drawn.owners)),
        seed=seed,
        maker=VERSION,
        fairness=fairness(board),
        title=names.title,
    )
    areas = [chart.area(shape) for shape in shapes[: land.layout.lands]]
    count = land.layout.count
    figures = {
        "colour_difference": min(color_difference(*pair) for pair in shown),
        "mean_degree": sum(len(touched) for touched in land.layout.neighbors) / count,
        "sea_share": land.layout.seas / count,
        "spaces_per_center": count / len(board.centers),
        "cv_land_area": pstdev(areas) / fmean(areas),
    }
    rounded = {name: round(value, 4) for name, value in figures.items()}
    return replace(chart, fairness={**chart.fairness, **rounded})


def _build_polygon(
    lines: Sequence[BorderLine], province: int, border_lines: Sequence[int]
) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Return the single polygon of a province: the outer ring, then the holes."""

    def count_edges(ring: Sequence[int]) -> int:
        return sum(len(lines[ref if ref >= 0 else ~ref].edges) for ref in ring)

    outlines = find_rings(lines, province, border_lines)
    return (tuple(sorted(outlines, key=count_edges, reverse=True)),)


def _build_anchors(parts: ChartParts, names: MapNames, province: int) -> Anchors:
    drawn, layout = parts.land.drawn, parts.land.layout
    window = drawn.windows[province]
    if window is None:
        raise CrowdedError(f"{names.provinces[province]} has no pixels")
    left, top = window[1].start * PIXEL, window[0].start * PIXEL
    places = find_places(
        drawn.clear[window],
        province,
        names.provinces[province],
        any(province in centers for centers in (*parts.centers.homes, parts.centers.neutrals)),
        find_split_coasts(drawn, layout, province),
        at_sea=province >= layout.lands,
    )

    def move(point: Point) -> Point:
        """Return `point` of the window as a point of the map."""
        return round(point[0] + left, 1), round(point[1] + top, 1)

    code = names.codes[province]
    labels = layout.coast_names[province] if province < layout.lands else ()
    units, dislodged = {Location(code): move(places.unit)}, {}
    for label, (fleet, dislodged_fleet) in zip(labels, places.coasts, strict=True):
        location = Location(f"{code}/{label}")
        units[location], dislodged[location] = move(fleet), move(dislodged_fleet)
    return Anchors(
        label=move(places.label),
        label_lines=places.lines,
        label_size=places.size,
        units=units,
        dislodged=move(places.dislodged),
        star=None if places.star is None else move(places.star),
        dislodged_coasts=dislodged,
    )


def make_board(parts: ChartParts, names: MapNames, codes: Sequence[ProvinceCode]) -> Board:
    """Return the board, without any geometry; `codes` are those of its provinces."""
    layout, centers = parts.land.layout, parts.centers
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
        victory_centers=centers.count // 2 + 1,
        border_rules=_list_border_rules(layout, codes, location),
    )


def _list_border_rules(
    layout: Layout, codes: Sequence[ProvinceCode], locate: Callable[[Place], Location]
) -> tuple[BorderRule, ...]:
    """Return the closed borders and the rivers; fleets still pass a ridge that ends at a sea."""
    sailing = {(start[0], end[0]) for start, end in layout.fleet_borders}
    closed = (
        BorderRule(
            BorderKind.CLOSED,
            Location(codes[pair[0]]),
            Location(codes[pair[1]]),
            (UnitKind.ARMY,) if pair in sailing else (UnitKind.ARMY, UnitKind.FLEET),
        )
        for pair in layout.closed
    )
    rivers = (
        BorderRule(BorderKind.RIVER, locate(start), locate(end)) for start, end in layout.rivers
    )
    return (*closed, *rivers)


def _build_province(
    parts: ChartParts, names: MapNames, province: int, keys: Sequence[Power]
) -> Province:
    layout, centers, name = parts.land.layout, parts.centers, names.provinces[province]
    owners = (power for power in range(parts.powers) if province in parts.find_country(power))
    owner = next(owners, None)
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
    """Return a set of `count` colors: up to ten, one of several that are equally likely."""
    if count > MAX_FEW_POWERS:
        return many_colors(count)
    sets = color_sets(count)
    return sets[draw_index(rng, len(sets))]


def part_colors(colors: Sequence[str], near_pairs: Collection[tuple[int, int]]) -> tuple[str, ...]:
    """Return one of `colors` per power, such that those of the `near_pairs` differ well."""
    lacks = {
        (first, second): max(0.0, MIN_NEAR_DIFFERENCE - color_difference(first, second))
        for first in colors
        for second in colors
    }
    near: list[set[int]] = [set() for _ in colors]
    for first, second in near_pairs:
        near[first].add(second)
        near[second].add(first)
    chosen = list(colors)

    def rate(*powers: int) -> float:
        return fsum(
            lacks[chosen[power], chosen[other]] for power in powers for other in near[power]
        )

    improved = True
    while improved:
        improved = False
        for first, second in combinations(range(len(chosen)), 2):
            before = rate(first, second)
            chosen[first], chosen[second] = chosen[second], chosen[first]
            if rate(first, second) < before - _ROUNDING:
                improved = True
            else:
                chosen[first], chosen[second] = chosen[second], chosen[first]
    return tuple(chosen)


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
