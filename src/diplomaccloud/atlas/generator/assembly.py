"""The finished stages put together as a chart."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean, pstdev

import numpy as np

from diplomaccloud.atlas.chart import Anchors, Arc, Chart, Point, Shape
from diplomaccloud.atlas.fairness import fairness
from diplomaccloud.atlas.generator.anchors import Berth, Places, place
from diplomaccloud.atlas.generator.balance import NEUTRALS
from diplomaccloud.atlas.generator.board_layout import Layout, Place
from diplomaccloud.atlas.generator.borders import (
    OUTSIDE,
    Line,
    find_rings,
    group_lines_by_owner,
)
from diplomaccloud.atlas.generator.center_placement import Centers
from diplomaccloud.atlas.generator.drawn_map import Picture, split_coasts
from diplomaccloud.atlas.generator.elevation import Elevation
from diplomaccloud.atlas.generator.free_space import CrowdedError
from diplomaccloud.atlas.generator.mesh import Floats, Mesh
from diplomaccloud.atlas.generator.names import Names, Sea, make_names, strip_accents
from diplomaccloud.atlas.generator.possible_starts import HOMES
from diplomaccloud.atlas.generator.power_colors import assigned
from diplomaccloud.atlas.generator.provinces import Division
from diplomaccloud.atlas.generator.raster import PIXEL
from diplomaccloud.atlas.generator.relief import make_relief
from diplomaccloud.atlas.generator.water_kinds import choose_name_forms, measure_waters
from diplomaccloud.atlas.palette import find_least_difference
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


@dataclass(frozen=True)
class Ready:
    """What the stages made: everything a chart is put together from."""

    mesh: Mesh
    elevation: Elevation
    division: Division
    lines: tuple[Line, ...]
    layout: Layout
    centers: Centers

    @property
    def powers(self) -> int:
        """The number of powers."""
        return len(self.centers.homes)

    def country(self, power: int) -> tuple[int, ...]:
        """Return the provinces of the home country of `power`."""
        return self.centers.homes[power] + self.centers.countries[power]

    def owner_of(self, province: int) -> int | None:
        """Return the power whose home country `province` is part of."""
        owners = [power for power in range(self.powers) if province in self.country(power)]
        return owners[0] if owners else None

    @property
    def middles(self) -> Floats:
        """The middle of each province (n×2)."""
        owner, weight = self.division.owner, self.mesh.areas
        total = np.bincount(owner, weights=weight)
        sums = [np.bincount(owner, weights=weight * self.mesh.sites[:, axis]) for axis in (0, 1)]
        return np.asarray(np.stack(sums, axis=1) / total[:, None])


def christen(ready: Ready, rng: np.random.Generator) -> Names:
    """Return names for everything; provinces speak the language of the nearest power."""
    middles = ready.middles
    capitals = np.array([middles[list(home)].mean(axis=0) for home in ready.centers.homes])
    apart = ((middles[:, None] - capitals[None]) ** 2).sum(axis=2)
    nations = np.argmin(apart, axis=1).tolist()
    for power in range(ready.powers):
        for province in ready.country(power):
            nations[province] = power
    owner, lands = ready.division.owner, ready.division.lands
    waters = measure_waters(ready.mesh, owner, ready.lines, lands)
    forms = choose_name_forms(waters, rng)
    seas = [Sea(*both) for both in zip(nations[lands:], forms, strict=True)]
    return make_names(nations[:lands], seas, ready.powers, rng)


def assemble(ready: Ready, names: Names, seed: str, picture: Picture, inks: Sequence[str]) -> Chart:
    """Return the chart; raises `CrowdedError` if something has no room in its province.

    `inks` are the powers' colours in any order.
    """
    codes = [ProvinceCode(code) for code in names.codes]
    arcs = tuple(
        Arc(way, kind, _code(codes, line.left), _code(codes, line.right))
        for line, way, kind in zip(picture.lines, picture.points, picture.kinds, strict=True)
    )
    own = group_lines_by_owner(ready.lines, ready.layout.count)
    shapes = tuple(
        Shape(
            code,
            _polygons(ready.lines, province, own[province]),
            _anchors(ready, names, province, picture),
        )
        for province, code in enumerate(codes)
    )
    board = make_board(ready, names, codes)
    colours = assigned(inks, [_middle(ready, power) for power in range(ready.powers)])
    chart = Chart(
        world=names.world,
        board=board,
        size=ready.mesh.size,
        arcs=arcs,
        shapes=shapes,
        palette={
            Power(info.key): colour for info, colour in zip(names.powers, colours, strict=True)
        },
        scenery=_scenery(picture.islets, len(ready.lines)),
        relief=make_relief(ready.elevation, picture.owners < ready.division.lands),
        seed=seed,
        maker=VERSION,
        fairness=fairness(board) | _measured(ready, colours),
    )
    areas = [chart.area(shape) for shape in shapes[: ready.division.lands]]
    unlike = {"cv_land_area": round(pstdev(areas) / fmean(areas), 4)}
    return replace(chart, fairness={**chart.fairness, **unlike})


def _measured(ready: Ready, colours: Sequence[str]) -> dict[str, float]:
    """Return further figures of the map by name, rounded."""
    count = ready.layout.count
    figures = {
        "colour_difference": find_least_difference(colours),
        "mean_degree": sum(len(touched) for touched in ready.layout.neighbors) / count,
        "sea_share": ready.layout.seas / count,
        "spaces_per_center": count / ((HOMES + NEUTRALS) * ready.powers),
    }
    return {name: round(value, 4) for name, value in figures.items()}


def _code(codes: Sequence[ProvinceCode], owner: int) -> ProvinceCode | None:
    return None if owner == OUTSIDE else codes[owner]


def _polygons(
    lines: Sequence[Line], province: int, own: Sequence[int]
) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Return the one polygon of a province: the outer ring, then the holes."""
    found = find_rings(lines, province, own)
    return (tuple(sorted(found, key=lambda ring: -_edges(lines, ring))),)


def _edges(lines: Sequence[Line], ring: Sequence[int]) -> int:
    return sum(len(lines[ref if ref >= 0 else ~ref].edges) for ref in ring)


def _scenery(
    islets: Sequence[Sequence[Line]], first: int
) -> tuple[tuple[str, tuple[tuple[int, ...], ...]], ...]:
    scenery, at = [], first
    for islet in islets:
        scenery.append(("", tuple((number,) for number in range(at, at + len(islet)))))
        at += len(islet)
    return tuple(scenery)


def _anchors(ready: Ready, names: Names, province: int, picture: Picture) -> Anchors:
    """Return where things stand in `province`."""
    window = picture.windows[province]
    if window is None:
        raise CrowdedError(f"{names.provinces[province]} has no pixel")
    corner = (window[1].start * PIXEL, window[0].start * PIXEL)
    layout = ready.layout
    is_center = any(province in home for home in ready.centers.homes)
    is_center = is_center or province in ready.centers.neutrals
    spots = place(
        picture.clear[window],
        province,
        names.provinces[province],
        is_center,
        split_coasts(picture, layout, province),
        at_sea=province >= layout.lands,
    )
    places = _moved(spots, corner)
    code = names.codes[province]
    labels = layout.coast_names[province] if province < layout.lands else ()
    units, outs = {Location(code): places.unit}, {}
    for label, berth in zip(labels, places.coasts, strict=True):
        harbour = Location(f"{code}/{label}")
        units[harbour], outs[harbour] = berth.unit, berth.dislodged
    return Anchors(
        places.label, places.lines, places.size, units, places.dislodged, places.star, outs
    )


def _moved(places: Places, corner: Point) -> Places:
    """Return `places` found in a window of the map at `corner` as places on the map."""

    def moved(point: Point) -> Point:
        return round(point[0] + corner[0], 1), round(point[1] + corner[1], 1)

    return replace(
        places,
        label=moved(places.label),
        unit=moved(places.unit),
        dislodged=moved(places.dislodged),
        star=None if places.star is None else moved(places.star),
        coasts=tuple(Berth(moved(one.unit), moved(one.dislodged)) for one in places.coasts),
    )


def _middle(ready: Ready, power: int) -> Point:
    x, y = ready.middles[list(ready.centers.homes[power])].mean(axis=0).tolist()
    return x, y


def make_board(ready: Ready, names: Names, codes: Sequence[ProvinceCode]) -> Board:
    """Return the board of `ready` without any geometry; `codes` are those of its provinces."""
    layout, centers = ready.layout, ready.centers
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
            _province(ready, names, province, keys) for province in range(layout.count)
        ),
        army_borders=tuple((codes[one], codes[other]) for one, other in layout.army_borders),
        fleet_borders=tuple(
            (location(one), location(other)) for one, other in layout.fleet_borders
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
        victory_centers=(HOMES + NEUTRALS) * ready.powers // 2 + 1,
    )


def _province(ready: Ready, names: Names, province: int, keys: Sequence[Power]) -> Province:
    layout, centers, name = ready.layout, ready.centers, names.provinces[province]
    owner = ready.owner_of(province)
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
