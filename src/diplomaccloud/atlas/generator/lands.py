"""Stages 1 to 7: make the lands on which homes and centers can be placed.

A land has provinces, borders, coasts and islets, but no centers yet.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from diplomaccloud.atlas.generator.board_layout import Layout, make_layout
from diplomaccloud.atlas.generator.borders import BorderLine, trace_borders
from diplomaccloud.atlas.generator.constraints import find_small_provinces, find_unsound_provinces
from diplomaccloud.atlas.generator.drawn_map import (
    DrawnMap,
    draw_map,
    find_crowded_provinces,
    measure_drawn_areas,
)
from diplomaccloud.atlas.generator.elevation import Elevation, make_elevation
from diplomaccloud.atlas.generator.land_and_sea import LandAndSea, divide_land_and_sea
from diplomaccloud.atlas.generator.map_spec import MapSpec
from diplomaccloud.atlas.generator.mesh import (
    CELLS_PER_PROVINCE,
    Bools,
    Floats,
    Mesh,
    distances,
    make_mesh,
    round_to_grid,
)
from diplomaccloud.atlas.generator.provinces import (
    CellWeights,
    Division,
    DivisionError,
    divide_provinces,
    redivide_provinces,
    weigh_cells,
)
from diplomaccloud.atlas.generator.random_streams import random_stream

_PROVINCE_AREA = 1200 * 850 / 75
"""The mean area of a province, in square map units."""

_ASPECT_RATIO = 1200 / 850
_MIN_LAND_SIZE = 0.75
"""The least size of an island or lake, in mean land provinces."""

_SEA_SIZE = 2.2
"""The size of the mean sea, in mean land provinces."""

_MAX_LANDSCAPES = 30
_DIVISIONS_PER_LANDSCAPE = 2
_PROVINCES_PER_REPAIR = 100
"""A division gets one repair for every this many provinces, and one for each of its faults."""


@dataclass(frozen=True)
class _Landscape:
    """Results that all divisions into provinces share."""

    mesh: Mesh
    elevation: Elevation
    land_and_sea: LandAndSea
    weights: CellWeights


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


def make_lands(spec: MapSpec) -> Iterator[Land]:
    """Yield the usable lands; each landscape is divided in several ways."""
    for number in range(_MAX_LANDSCAPES):
        landscape = _make_landscape(spec, number)
        for division in range(_DIVISIONS_PER_LANDSCAPE):
            land = _make_land(spec, landscape, number * _DIVISIONS_PER_LANDSCAPE + division)
            if land is not None:
                yield land


def _make_landscape(spec: MapSpec, attempt: int) -> _Landscape:
    """Return the mesh, the elevation, and land and water of one attempt."""
    key, (lands, seas) = spec.key, spec.counts
    size = _map_size(lands + seas)
    breadth = float(np.sqrt(_PROVINCE_AREA))
    spec.report_progress("land and sea")
    mesh = make_mesh(random_stream(key, "mesh", attempt), size, (lands + seas) * CELLS_PER_PROVINCE)
    elevation = make_elevation(random_stream(key, "relief", attempt), size, spec.players, breadth)
    share = lands / (lands + _SEA_SIZE * seas)
    min_area = _MIN_LAND_SIZE * share * size[0] * size[1] / lands
    heights = round_to_grid(elevation.height(mesh.sites))
    land_and_sea = divide_land_and_sea(mesh, heights, share, min_area)
    mountains = round_to_grid(elevation.mountains(mesh.sites))
    return _Landscape(mesh, elevation, land_and_sea, weigh_cells(mesh, land_and_sea, mountains))


def _map_size(provinces: int) -> tuple[float, float]:
    """Return a map size that gives provinces the same size on every map."""
    height = float(np.sqrt(provinces * _PROVINCE_AREA / _ASPECT_RATIO))
    return float(round(height * _ASPECT_RATIO / 10) * 10), float(round(height / 10) * 10)


def _make_land(spec: MapSpec, landscape: _Landscape, attempt: int) -> Land | None:
    """Return the land of one attempt, or `None` if it cannot become a map.

    If some provinces are unusable, they and those around them are divided again, farther around
    each time. A result with more unusable provinces is dropped.
    """
    spec.report_progress("provinces")
    seed = f"{spec.key}\0{attempt}"
    try:
        division = divide_provinces(
            landscape.mesh, landscape.land_and_sea, landscape.weights, seed, spec.counts
        )
    except DivisionError:
        return None
    land, faulty = _draw_borders(spec, landscape, attempt, division)
    for repair in range(sum(spec.counts) // _PROVINCES_PER_REPAIR + len(faulty)):
        if land is not None:
            break
        rng = random_stream(seed, "repairs", repair)
        faults = faulty, 1 + repair // 2
        try:
            new_division = redivide_provinces(
                landscape.mesh, division, landscape.weights, faults, rng
            )
        except DivisionError:
            continue
        land, new_faulty = _draw_borders(spec, landscape, attempt, new_division)
        if len(new_faulty) <= len(faulty):
            division, faulty = new_division, new_faulty
    return land


def _draw_borders(
    spec: MapSpec, landscape: _Landscape, attempt: int, division: Division
) -> tuple[Land | None, Collection[int]]:
    """Return the land of `division`, or `None` and the provinces that cannot be used."""
    mesh = landscape.mesh
    spec.report_progress("borders")
    lines = trace_borders(mesh, division.owner)
    layout = make_layout(mesh, lines, *spec.counts)
    areas = np.bincount(division.owner, weights=mesh.areas).astype(np.float64)
    sides = np.array([(line.left, line.right) for line in lines])
    if faulty := find_unsound_provinces(layout, areas, _measure_borders(mesh, lines), sides):
        return None, faulty
    rng = random_stream(spec.key, "islets", attempt)
    with_islets = add_islets(mesh, landscape.land_and_sea.heights, division, rng)
    drawn = draw_map(mesh, with_islets, lines, random_stream(spec.key, "lines", 0))
    # The lines as drawn make some provinces a little smaller.
    narrow = {
        *find_small_provinces(measure_drawn_areas(drawn), layout.lands),
        *find_crowded_provinces(drawn, layout),
    }
    if narrow:
        return None, narrow
    return Land(attempt, mesh, landscape.elevation, with_islets, lines, layout, drawn), ()


def _measure_borders(mesh: Mesh, lines: Sequence[BorderLine]) -> Floats:
    """Return the length of each line in cells, including those along the frame."""
    return np.array([mesh.lengths[list(line.edges)].sum() for line in lines]) / mesh.spacing


# Add unnamed islets to wide seas, for decoration only.

Islet = tuple[int, ...]
"""The cells of one islet, which belong to the sea around it."""

_SEAS_PER_ISLET = 4.0
_MIN_ISLETS, _MAX_ISLETS = 2, 6
_MAX_CELLS = 5
_OFFSET_WEIGHT = 0.14
"""The value, in units of height, of each cell of distance from the middle of the sea."""

_ROOM_PER_CELL = 1.0
"""For each cell of an islet, the number of sea cells needed well away from the shores."""


def add_islets(
    mesh: Mesh, heights: Floats, division: Division, rng: np.random.Generator
) -> Division:
    """Return `division` with more islets, one or two in some of its largest seas.

    The sea is at least two cells wide around each islet. Islets stand where `heights` are large,
    away from the middle of the sea, where its name is printed.
    """
    islets = list(division.islets)
    target = min(max(_MIN_ISLETS, round(division.seas / _SEAS_PER_ISLET)), _MAX_ISLETS)
    taken = {int(division.owner[islet[0]]) for islet in islets}
    seas = [sea for sea in _sort_by_size(mesh, division)[: 2 * target] if sea not in taken]
    while seas and len(islets) < target:
        sea = _choose_remote_sea(mesh, division, seas, islets)
        seas.remove(sea)
        islets += _place_islets(mesh, heights, division.owner == sea, rng)[: target - len(islets)]
    return replace(division, islets=tuple(islets))


def _choose_remote_sea(mesh: Mesh, division: Division, seas: list[int], islets: list[Islet]) -> int:
    """Return the one of `seas` farthest from all `islets`; the first if there are none."""
    if not islets:
        return seas[0]
    spots = mesh.sites[[islet[0] for islet in islets]]
    middles = [mesh.sites[division.owner == sea].mean(axis=0) for sea in seas]
    gaps = [float(distances(spots, middle[None, :]).min()) for middle in middles]
    return seas[gaps.index(max(gaps))]


def _sort_by_size(mesh: Mesh, division: Division) -> list[int]:
    """Return the seas, the largest first."""
    sizes = np.bincount(division.owner, weights=mesh.areas)[division.lands :]
    return [division.lands + int(sea) for sea in np.argsort(-sizes, kind="stable")]


def _place_islets(mesh: Mesh, heights: Floats, sea: Bools, rng: np.random.Generator) -> list[Islet]:
    """Return an islet in `sea`, sometimes with a smaller one beside it; empty without space."""
    clear = _find_inner_cells(mesh, _find_inner_cells(mesh, sea))
    sizes = rng.integers(2, _MAX_CELLS, endpoint=True), rng.integers(-2, 2, endpoint=True)
    merit = heights + _OFFSET_WEIGHT * _measure_offset(mesh, sea)
    islets: list[Islet] = []
    for size in map(int, sizes):
        room = int(clear.sum())
        if size < 1 or room < _ROOM_PER_CELL * size + 3:
            break
        islet = _grow_islet(mesh, merit, clear, size)
        islets.append(islet)
        neighbors = (neighbor for cell in islet for neighbor in mesh.neighbors(cell))
        clear[[*islet, *neighbors]] = False
        # The second islet stands close to the first.
        merit = merit - distances(mesh.sites, mesh.sites[np.full(len(merit), islet[0])])
    return islets


def _grow_islet(mesh: Mesh, merit: Floats, clear: Bools, size: int) -> Islet:
    """Return up to `size` connected cells of the most `merit` among the `clear` ones."""
    chosen = [int(np.argmax(np.where(clear, merit, -np.inf)))]
    while len(chosen) < size:
        beside = {near for cell in chosen for near in mesh.neighbors(cell) if clear[near]} - set(
            chosen
        )
        if not beside:
            break
        chosen.append(max(sorted(beside), key=lambda cell: float(merit[cell])))
    return tuple(chosen)


def _find_inner_cells(mesh: Mesh, chosen: Bools) -> Bools:
    """Return the `chosen` cells that have only chosen cells around them."""
    fans = mesh.fans
    out = (fans.beside < 0) | ~chosen[fans.beside]
    return np.asarray(chosen & (np.bincount(fans.cells[out], minlength=len(chosen)) == 0))


def _measure_offset(mesh: Mesh, sea: Bools) -> Floats:
    """Return the distance of each cell from the middle of `sea`, in cells."""
    middle = mesh.sites[sea].mean(axis=0)
    return distances(mesh.sites, middle[None, :]) / mesh.spacing
