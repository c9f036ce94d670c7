"""Run the stages in order, retrying a stage whose result is unusable."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil

import numpy as np

from diplomaccloud.atlas.chart import Chart
from diplomaccloud.atlas.generator.assembly import ChartParts, assemble_chart, assign_names
from diplomaccloud.atlas.generator.balance import NEUTRALS
from diplomaccloud.atlas.generator.board_layout import Layout, make_layout
from diplomaccloud.atlas.generator.borders import Line, trace_borders
from diplomaccloud.atlas.generator.center_placement import place_centers
from diplomaccloud.atlas.generator.constraints import (
    MIN_PROVINCES,
    SEA_SHARE,
    find_faults,
    find_small_provinces,
    find_unsound_provinces,
)
from diplomaccloud.atlas.generator.drawn_map import (
    DrawnMap,
    draw_map,
    find_crowded_provinces,
    measure_drawn_areas,
)
from diplomaccloud.atlas.generator.elevation import Elevation, make_elevation
from diplomaccloud.atlas.generator.free_space import CrowdedError
from diplomaccloud.atlas.generator.islets import add_islets
from diplomaccloud.atlas.generator.land_and_sea import LandAndSea, divide_land_and_sea
from diplomaccloud.atlas.generator.mesh import (
    CELLS_PER_PROVINCE,
    Floats,
    Mesh,
    make_mesh,
    round_to_grid,
)
from diplomaccloud.atlas.generator.names import NamingError
from diplomaccloud.atlas.generator.partition import CellWeights, DivisionError
from diplomaccloud.atlas.generator.possible_starts import HOMES, PlacementError
from diplomaccloud.atlas.generator.power_colors import choose_palette
from diplomaccloud.atlas.generator.provinces import (
    Division,
    divide_provinces,
    redivide_provinces,
    weigh_cells,
)
from diplomaccloud.atlas.generator.random_streams import random_stream

PLAYERS = range(2, 11)
PROVINCES = range(MIN_PROVINCES, 401)
_MAX_SEED_LENGTH = 200
_PROVINCE_AREA = 1200 * 850 / 75
"""The mean area of a province, in square map units."""

_ASPECT_RATIO = 1200 / 850
_NUMBERS_RULE = 10
"""The hard constraint on the numbers of provinces and centers."""

_PROVINCES_PER_PLAYER = 10.7
"""Provinces for each player where their number is not given, as on the standard board."""

_MIN_LANDS_PER_PLAYER = HOMES + NEUTRALS + 2
_MIN_LAND_SIZE = 0.75
"""The least size of an island or lake, in mean land provinces."""

_SEA_SIZE = 2.2
"""The size of the mean sea, in mean land provinces."""

Progress = Callable[[str], None]
"""Called with a word or two when a stage begins."""

_MAX_LANDSCAPES = 30
_DIVISIONS_PER_LANDSCAPE = 2
_MAX_PLACEMENT_TRIES = 2
_MAX_DRAWINGS = 4
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
class _Land:
    """Results that all placements on one land share, and the attempt that gave them."""

    attempt: int
    mesh: Mesh
    elevation: Elevation
    division: Division
    lines: tuple[Line, ...]
    layout: Layout
    drawn: DrawnMap


class GenerationError(RuntimeError):
    """No map could be generated from the seed in the attempts allowed."""


def make_chart(
    seed: str,
    players: int = 7,
    *,
    provinces: int | None = None,
    sea: float = 0.25,
    placement: int = 0,
    progress: Progress | None = None,
) -> Chart:
    """Return the map that `seed` gives for `players`, from 2 to 10.

    `provinces`: their number; by default in proportion to the standard board. `sea`: the share of
    seas among them, from 0.17 to 0.32. `placement`, from 0: each has homes and neutral centers
    elsewhere on the same land. `progress` is called at each stage and changes nothing.

    Raises `ValueError` for a number out of range and for a seed that is too long or not printable,
    `GenerationError` if no map can be generated.
    """
    if placement < 0:
        raise ValueError(f"placement: {placement} is less than 0")
    spec = build_spec(seed, players, provinces, sea, progress)
    land, first = _make_first_map(spec)
    chart = first if placement == 0 else _make_placement(spec, land, placement)
    if chart is None:
        raise GenerationError(
            f"no map could be generated for placement {placement} of the seed {seed!r}"
        )
    return chart


def make_placements(
    seed: str, players: int = 7, *, count: int, provinces: int | None = None, sea: float = 0.25
) -> tuple[Chart, ...]:
    """Return the maps for placements 0 to `count` - 1 of `seed` on one land.

    The land is made once. The first map is that of `make_chart`; placements that give no map are
    left out. Raises the same errors as `make_chart`.
    """
    spec = build_spec(seed, players, provinces, sea)
    land, first = _make_first_map(spec)
    later_charts = (_make_placement(spec, land, placement) for placement in range(1, count))
    return (first, *(chart for chart in later_charts if chart is not None))


@dataclass(frozen=True)
class OpenLand:
    """A land on which homes and neutral centers can still be placed, and its first map."""

    spec: "MapSpec"
    land: _Land
    first: Chart

    def random_stream(self, stage: str) -> np.random.Generator:
        """Return a random stream for `stage` that no placement of the seed uses."""
        return random_stream(self.spec.key, f"open {self.land.attempt} {stage}")

    def finish_chart(self, parts: ChartParts, kind: str) -> Chart | None:
        """Return the map for `parts`, a placement on this land, or `None` if it has faults.

        `kind` is added to the chart's `maker`, after the version.
        """
        chart = _finish_chart(parts, self.spec, self.land.drawn)
        return None if chart is None else replace(chart, maker=f"{chart.maker}, {kind}")


def open_land(
    seed: str,
    players: int = 7,
    *,
    provinces: int | None = None,
    sea: float = 0.25,
    progress: Progress | None = None,
) -> OpenLand:
    """Return the land of `make_chart`, to try many placements on; raises the same errors."""
    spec = build_spec(seed, players, provinces, sea, progress)
    return OpenLand(spec, *_make_first_map(spec))


@dataclass(frozen=True)
class MapSpec:
    """The map to make: `counts` of land provinces and seas, and the `key` of the random streams."""

    seed: str
    key: str
    players: int
    counts: tuple[int, int]
    progress: Progress | None = None

    def report_progress(self, stage: str) -> None:
        """Report that `stage` begins."""
        if self.progress is not None:
            self.progress(stage)


def build_spec(
    seed: str,
    players: int,
    provinces: int | None,
    sea: float,
    progress: Progress | None = None,
) -> MapSpec:
    """Return the checked specification of a map; raises `ValueError` as `make_chart` does."""
    count = (
        max(PROVINCES[0], round(_PROVINCES_PER_PLAYER * players))
        if provinces is None
        else provinces
    )
    _require_valid(seed, players, count, sea)
    min_seas, max_seas = ceil(SEA_SHARE[0] * count), int(SEA_SHARE[1] * count)
    seas = min(max(round(count * sea), min_seas), max_seas)
    return MapSpec(
        seed, f"{seed}\0{players}\0{count}\0{sea}", players, (count - seas, seas), progress
    )


def _require_valid(seed: str, players: int, provinces: int, sea: float) -> None:
    """Raise `ValueError` if a number is out of range or the seed cannot be used."""
    if players not in PLAYERS:
        raise ValueError(f"players: {players} is not between {PLAYERS[0]} and {PLAYERS[-1]}")
    if provinces not in PROVINCES:
        raise ValueError(
            f"provinces: {provinces} is not between {PROVINCES[0]} and {PROVINCES[-1]}"
        )
    if not SEA_SHARE[0] <= sea <= SEA_SHARE[1]:
        raise ValueError(f"sea: {sea} is not between {SEA_SHARE[0]} and {SEA_SHARE[1]}")
    if round(provinces * (1 - sea)) < _MIN_LANDS_PER_PLAYER * players:
        raise ValueError(f"provinces: {provinces} is too few for {players} players")
    if len(seed) > _MAX_SEED_LENGTH or not seed.isprintable():
        raise ValueError(f"seed: longer than {_MAX_SEED_LENGTH} characters, or not printable")


def _make_first_map(spec: MapSpec) -> tuple[_Land, Chart]:
    """Return the first land on which placement 0 gives a map, and that map."""
    for land in make_lands(spec):
        chart = _make_placement(spec, land, 0)
        if chart is not None:
            return land, chart
    raise GenerationError(f"no map could be generated from the seed {spec.seed!r}")


def make_lands(spec: MapSpec) -> Iterator[_Land]:
    """Yield the lands that can become maps; each landscape is divided in several ways."""
    for number in range(_MAX_LANDSCAPES):
        landscape = _make_landscape(spec, number)
        for division in range(_DIVISIONS_PER_LANDSCAPE):
            land = _make_land(spec, landscape, number * _DIVISIONS_PER_LANDSCAPE + division)
            if land is not None:
                yield land


def _make_land(spec: MapSpec, landscape: _Landscape, attempt: int) -> _Land | None:
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
) -> tuple[_Land | None, Collection[int]]:
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
    return _Land(attempt, mesh, landscape.elevation, with_islets, lines, layout, drawn), ()


def _make_placement(spec: MapSpec, land: _Land, placement: int) -> Chart | None:
    """Return the map of one placement on `land`, or `None` if several attempts fail."""
    stage = f"homes {land.attempt}" + (f" placement {placement}" if placement else "")
    for attempt in range(_MAX_PLACEMENT_TRIES):
        spec.report_progress("homes and centers")
        try:
            centers = place_centers(
                land.layout, spec.players, random_stream(spec.key, stage, attempt)
            )
        except PlacementError:
            break
        parts = ChartParts(
            land.mesh, land.elevation, land.division, land.lines, land.layout, centers
        )
        chart = _finish_chart(parts, spec, land.drawn)
        if chart is not None:
            maker = f"{chart.maker}, placement {placement}" if placement else chart.maker
            return replace(chart, maker=maker)
    return None


def _measure_borders(mesh: Mesh, lines: Sequence[Line]) -> Floats:
    """Return the length of each line in cells, including those along the frame."""
    return np.array([mesh.lengths[list(line.edges)].sum() for line in lines]) / mesh.spacing


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


def _finish_chart(parts: ChartParts, spec: MapSpec, drawn: DrawnMap) -> Chart | None:
    """Return a chart of `parts` without faults, or `None` if several attempts fail.

    The first attempt uses the land's drawing. All maps of a specification have the same colors.
    """
    palette = choose_palette(spec.players, random_stream(spec.key, "colours"))
    for attempt in range(_MAX_DRAWINGS):
        try:
            spec.report_progress("names")
            names = assign_names(parts, random_stream(spec.key, "names", attempt))
            spec.report_progress("coasts and lettering")
            if attempt:
                rng = random_stream(spec.key, "lines", attempt)
                drawn = draw_map(parts.mesh, parts.division, parts.lines, rng)
            chart = assemble_chart(parts, names, spec.seed, drawn, palette)
        except NamingError:
            continue
        except CrowdedError:
            # This is not the fault of a name, because the code is printed where no name fits.
            return None
        # The number of provinces is up to the caller.
        if all(fault.rule == _NUMBERS_RULE for fault in find_faults(chart)):
            return chart
    return None
