"""Make maps: take the first usable land, place centers and finish the chart.

A stage is retried if its result is unusable.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil

import numpy as np

from diplomaccloud.atlas.generator.anchors import CrowdedError
from diplomaccloud.atlas.generator.assembly import (
    ChartParts,
    Land,
    assemble_chart,
    assign_names,
    choose_palette,
)
from diplomaccloud.atlas.generator.balance import (
    HOMES,
    USUAL_HOMES,
    WILD_SHARE,
    PlacementError,
)
from diplomaccloud.atlas.generator.borders import (
    BorderLine,
    Layout,
    Place,
    make_layout,
    trace_borders,
)
from diplomaccloud.atlas.generator.center_placement import (
    CenterCounts,
    HomeRule,
    draw_homes,
    place_centers,
)
from diplomaccloud.atlas.generator.constraints import (
    MIN_PROVINCES,
    find_faults,
    find_open_seas,
    find_small_provinces,
    find_unsound_provinces,
)
from diplomaccloud.atlas.generator.drawn_map import (
    draw_map,
    find_crowded_provinces,
    measure_drawn_areas,
)
from diplomaccloud.atlas.generator.edge_passages import (
    EdgePassage,
    find_edge_passages,
    list_clear_boxes,
)
from diplomaccloud.atlas.generator.features import add_features
from diplomaccloud.atlas.generator.land_and_sea import (
    Elevation,
    LandAndSea,
    add_barriers,
    divide_land_and_sea,
    has_planned_land,
    make_elevation,
)
from diplomaccloud.atlas.generator.land_plans import PLANS, make_plan
from diplomaccloud.atlas.generator.landform_bounds import bounds_of
from diplomaccloud.atlas.generator.mesh import (
    CELLS_PER_PROVINCE,
    Bools,
    Floats,
    Mesh,
    distances,
    find_middles,
    make_mesh,
    round_to_grid,
)
from diplomaccloud.atlas.generator.names import NamingError
from diplomaccloud.atlas.generator.provinces import (
    CellWeights,
    Division,
    DivisionError,
    divide_provinces,
    redivide_provinces,
    weigh_cells,
)
from diplomaccloud.atlas.generator.random_streams import random_stream
from diplomaccloud.atlas.generator.terrain import BorderNet, BorderTerrain, choose_terrain
from diplomaccloud.atlas.landforms import (
    Ground,
    Landform,
    Surface,
    find_gathering,
    find_land_faults,
    find_landform,
    find_named_faults,
    find_power_faults,
    find_terrain_faults,
    name_landform,
    trace_ground,
)
from diplomaccloud.judge.drawing.chart import Chart

# The specification of a map: its checked numbers and the key of its random streams.

PLAYERS = range(2, 35)
MAX_PROVINCES = 512
_PROVINCES_PER_PLAYER_LIMITS = 10, 20
_MAX_SEED_LENGTH = 200
_PROVINCES_PER_PLAYER = 10.7
"""The default number of provinces per player, as on the standard board."""

_MANY_PLAYERS, _PROVINCES_PER_MANY = 20, 13.0
"""For more players than this, each has more provinces, so that few rivals are near."""

_MIN_LANDS_PER_PLAYER = 7
_SPACES_PER_CENTER = 2.2
"""The number of provinces per center, as on the standard board."""

Progress = Callable[[str], None]
"""Called with a word or two when a stage starts."""


@dataclass(frozen=True)
class MapSpec:
    """The map to make: `counts` of land provinces and seas, and the `key` of the random streams.

    `sea_size`: the size of the mean sea, in mean land provinces. `homes` decides how many homes the
    powers have.
    """

    seed: str
    key: str
    players: int
    counts: tuple[int, int]
    landform: Landform
    sea_size: float
    homes: HomeRule = HomeRule.VARIED
    progress: Progress | None = None

    @property
    def home_sizes(self) -> tuple[int, ...]:
        """The numbers of homes that a power may have."""
        return HOMES if self.homes is HomeRule.VARIED else (USUAL_HOMES,)

    def draw_counts(self, rng: np.random.Generator) -> CenterCounts:
        """Return how many homes each power has, and how many centers there are."""
        centers = round(sum(self.counts) / _SPACES_PER_CENTER)
        needs_large = self.landform is Landform.OLD_EUROPE
        homes = draw_homes(self.players, self.homes, rng, needs_large=needs_large)
        return CenterCounts(homes, centers)

    @property
    def max_open_seas(self) -> int:
        """The most seas that touch no land."""
        return int(bounds_of(self.landform).open_seas * self.counts[1])

    def report_progress(self, stage: str) -> None:
        """Report that `stage` starts."""
        if self.progress is not None:
            self.progress(stage)


def require_usable_seed(seed: str) -> None:
    """Raise `ValueError` if `seed` is too long, or with its first character that is not printable.

    `isprintable` also rejects the lone surrogates that an argument has if it is not UTF-8.
    """
    if len(seed) > _MAX_SEED_LENGTH:
        raise ValueError(
            f"seed: has {len(seed):,} characters, which is longer than {_MAX_SEED_LENGTH}"
        )
    for place, char in enumerate(seed, 1):
        if not char.isprintable():
            raise ValueError(
                f"seed: character {place} is U+{ord(char):04X}, which is not printable"
            )


def find_province_limits(players: int) -> tuple[int, int]:
    """Return the least and greatest number of provinces of a map for `players`."""
    low, high = (players * count for count in _PROVINCES_PER_PLAYER_LIMITS)
    return max(low, MIN_PROVINCES), min(high, MAX_PROVINCES)


def build_spec(
    seed: str,
    players: int,
    provinces: int | None,
    sea: float | None,
    *,
    landform: str | None = None,
    homes: str = HomeRule.VARIED,
    progress: Progress | None = None,
) -> MapSpec:
    """Return the checked specification of a map; raises `ValueError` as `make_chart` does.

    Without `landform`, the seed draws one of those that fit.
    """
    specs = _list_specs(
        seed, players, provinces, sea, landform=landform, homes=homes, progress=progress
    )
    return specs[0]


_DRAWS = 4
"""How often the seas of a map with a chosen landform are drawn."""


def _list_specs(
    seed: str,
    players: int,
    provinces: int | None,
    sea: float | None,
    *,
    landform: str | None,
    homes: str,
    progress: Progress | None = None,
) -> list[MapSpec]:
    """Return the specifications to try in order.

    They have different seas, or without `landform`, different landforms.
    """
    count = provinces
    if count is None:
        each = _PROVINCES_PER_PLAYER if players <= _MANY_PLAYERS else _PROVINCES_PER_MANY
        count = max(MIN_PROVINCES, round(each * players))
    if players not in PLAYERS:
        raise ValueError(f"players: {players} is not between {PLAYERS[0]} and {PLAYERS[-1]}")
    least, most = find_province_limits(players)
    if not least <= count <= most:
        raise ValueError(
            f"provinces: {count} does not fit: {players} players need {least} to {most} provinces"
        )
    if homes not in [*HomeRule]:
        raise ValueError(f"homes: {homes} is not {' or '.join(HomeRule)}")
    require_usable_seed(seed)
    if landform is not None:
        form = parse_landform(landform)
        return [
            _build_spec(
                seed, players, count, sea, landform=form, homes=homes, progress=progress, draw=draw
            )
            for draw in range(_DRAWS)
        ]
    low = min(bounds_of(form).sea[0] for form in PLANS)
    high = max(bounds_of(form).sea[1] for form in PLANS)
    if sea is not None and not low <= sea <= high:
        raise ValueError(f"sea: {sea} is not between {low} and {high}")
    order = np.argsort(random_stream(seed, "landform").random(len(PLANS)), kind="stable")
    specs, refusals = [], []
    for number in order.tolist():
        try:
            drawn = list(PLANS)[number]
            if players not in bounds_of(drawn).drawn_for:
                continue
            spec = _build_spec(
                seed, players, count, sea, landform=drawn, homes=homes, progress=progress
            )
            specs.append(spec)
        except ValueError as error:
            refusals.append(error)
    if not specs:
        raise refusals[0]
    return specs


def parse_landform(name: str) -> Landform:
    """Return the landform called `name`; raises `ValueError` if there is none."""
    try:
        return find_landform(name)
    except ValueError as error:
        raise ValueError(f"landform: {error}") from None


def _build_spec(
    seed: str,
    players: int,
    count: int,
    sea: float | None,
    *,
    landform: Landform,
    homes: str,
    progress: Progress | None,
    draw: int = 0,
) -> MapSpec:
    """Return the specification for one landform, or raise `ValueError` if it does not fit.

    Each `draw` gives other shares and sizes of the seas.
    """
    bounds = bounds_of(landform)
    if players < bounds.min_players:
        raise ValueError(
            f"players: {players} is too few for the landform {landform}, which needs at least"
            f" {bounds.min_players}"
        )
    if players > bounds.max_players:
        raise ValueError(
            f"players: {players} is too many for the landform {landform}, which has room for"
            f" {bounds.max_players}"
        )
    if landform is Landform.OLD_EUROPE and homes == HomeRule.EQUAL:
        raise ValueError(
            f"homes: {homes} does not fit the landform {landform}, where one power has four homes"
        )
    low, high = bounds.sea
    wet, broad = random_stream(seed, "seas").random((_DRAWS, 2))[draw].tolist()
    min_lands = (bounds.min_lands or _MIN_LANDS_PER_PLAYER) * players
    if sea is None:
        least, most = bounds.usual_sea
        sea = max(min(least + (most - least) * wet, 1 - min_lands / count), low)
    if not low <= sea <= high:
        raise ValueError(
            f"sea: {sea} is not between {low} and {high}, as the landform {landform} needs"
        )
    if round(count * (1 - sea)) < min_lands:
        raise ValueError(
            f"provinces: {count} is too few for {players} players with the landform {landform}"
        )
    seas = min(max(round(count * sea), ceil(low * count)), int(high * count))
    key = f"{seed}\0{players}\0{count}\0{sea}\0{landform}" + f"\0{draw}" * bool(draw)
    least, most = bounds.sea_size
    sea_size = least + (most - least) * broad
    rule, counts = HomeRule(homes), (count - seas, seas)
    return MapSpec(seed, key, players, counts, landform, sea_size, rule, progress)


# Stages 1 to 7: make the lands on which homes and centers can be placed.
#
# A land has provinces, borders, coasts and islets, but no centers yet.


_PROVINCE_AREA = 1200 * 850 / 75
"""The mean area of a province with usual seas, in square map units."""

_LAND_AREA = 0.77 * _PROVINCE_AREA
"""The mean area of a land province, in square map units."""

_ASPECT_RATIO = 1200 / 850
_MIN_LAND_SIZE = 0.75
"""The least size of an island or lake, in mean land provinces."""

_MAX_LANDSCAPES = 12
_LANDSCAPES = range(4), range(4, _MAX_LANDSCAPES)
"""The landscapes that are tried for each landform at first, and if none has given a map."""

_MAX_RELIEFS = 12
"""How many reliefs are tried on one mesh until the land follows its plan."""

_STRICT_LANDFORMS = Landform.OLD_EUROPE, Landform.NEW_WORLD
"""Where land that does not follow its plan hardly ever gives a map."""

_LANDS_PER_GATHERED = 2
"""Where some powers must gather, as at one sea, each needs at least this many land provinces."""

_DIVISIONS_PER_LANDSCAPE = 2
_PROVINCES_PER_REPAIR = 100
"""A division gets one repair for every this many provinces, and one for each of its faults."""

_MAX_VAIN_REPAIRS = 6
"""A division is dropped after this many repairs in a row that leave it as many faults."""


_PROVINCES_PER_FAULT = 9
"""A division with more faults than one for every this many provinces is not repaired: in trials, a
dozen repairs of such a division cost more than a new one and left as many faults."""

_MAX_NARROW = 8
"""With more provinces than this without room for units, the land is dropped, not repaired."""


class _NarrowLandError(DivisionError):
    """Too many provinces have no room for units: the waters are too narrow everywhere."""


@dataclass(frozen=True)
class _Landscape:
    """Results that all divisions into provinces share."""

    mesh: Mesh
    elevation: Elevation
    land_and_sea: LandAndSea
    mountains: Floats
    weights: CellWeights


def make_lands(spec: MapSpec, landscapes: Iterable[int] = range(_MAX_LANDSCAPES)) -> Iterator[Land]:
    """Yield the usable lands of `landscapes`, by number; each is divided in several ways."""
    for number in landscapes:
        landscape = _make_landscape(spec, number)
        if landscape is None:
            continue
        for division in range(_DIVISIONS_PER_LANDSCAPE):
            land = _make_land(spec, landscape, number * _DIVISIONS_PER_LANDSCAPE + division)
            if land is not None:
                yield land


def _make_landscape(spec: MapSpec, attempt: int) -> _Landscape | None:
    """Return the mesh, the elevation, and land and water of one attempt.

    Return `None` if no relief has what its landform cannot do without: impassable land and lakes,
    or masses of the right sizes.
    """
    key, (lands, seas) = spec.key, spec.counts
    # A size that gives land provinces the same size on every map.
    dry = lands / (1 - bounds_of(spec.landform).barriers)
    whole = dry + spec.sea_size * seas
    height = float(np.sqrt(whole * _LAND_AREA / _ASPECT_RATIO))
    size = float(round(height * _ASPECT_RATIO / 10) * 10), float(round(height / 10) * 10)
    breadth = float(np.sqrt(_PROVINCE_AREA))
    spec.report_progress("land and sea")
    mesh = make_mesh(random_stream(key, "mesh", attempt), size, (lands + seas) * CELLS_PER_PROVINCE)
    rng = random_stream(key, "relief", attempt)
    share = dry / whole
    min_area = _MIN_LAND_SIZE * share * size[0] * size[1] / lands
    for _ in range(_MAX_RELIEFS):
        plan = make_plan(spec.landform, rng, spec.players, lands, share)
        elevation = make_elevation(rng, size, plan, breadth)
        heights = round_to_grid(elevation.height(mesh.sites))
        land_and_sea = divide_land_and_sea(mesh, heights, share, min_area)
        massifs = elevation.find_massifs(mesh.sites)
        land_and_sea = add_barriers(mesh, land_and_sea, plan, massifs, min_area)
        regions = elevation.find_regions(mesh.sites)
        if has_planned_land(mesh, land_and_sea, plan, regions):
            break
    else:
        if plan.massifs or spec.landform in _STRICT_LANDFORMS:
            return None
    mountains = round_to_grid(elevation.mountains(mesh.sites))
    weights = weigh_cells(mesh, land_and_sea, mountains, regions)
    return _Landscape(mesh, elevation, land_and_sea, mountains, weights)


def _make_land(spec: MapSpec, landscape: _Landscape, attempt: int) -> Land | None:
    """Return the land of one attempt, or `None` if it cannot become a map.

    If some provinces are unusable, they and those around them are divided again, farther around
    each time. A result with more unusable provinces is dropped.
    """
    spec.report_progress("provinces")
    seed = f"{spec.key}\0{attempt}"
    try:
        division = divide_provinces(
            landscape.mesh,
            landscape.land_and_sea,
            landscape.weights,
            seed,
            spec.counts,
            max_open_seas=spec.max_open_seas,
        )
        land, faulty = _draw_borders(spec, landscape, attempt, division)
    except DivisionError:
        return None
    if len(faulty) > sum(spec.counts) // _PROVINCES_PER_FAULT:
        return None
    in_vain = 0
    for repair in range(sum(spec.counts) // _PROVINCES_PER_REPAIR + len(faulty)):
        if land is not None or in_vain == _MAX_VAIN_REPAIRS:
            break
        in_vain += 1
        rng = random_stream(seed, "repairs", repair)
        try:
            new_division = redivide_provinces(
                landscape.mesh, division, landscape.weights, (faulty, 1 + repair // 2), rng
            )
            land, new_faulty = _draw_borders(spec, landscape, attempt, new_division)
        except _NarrowLandError:
            return None
        except DivisionError:
            continue
        if len(new_faulty) < len(faulty):
            in_vain = 0
        if len(new_faulty) <= len(faulty):
            division, faulty = new_division, new_faulty
    return land


def _draw_borders(
    spec: MapSpec, landscape: _Landscape, attempt: int, division: Division
) -> tuple[Land | None, Collection[int]]:
    """Return the land of `division`, or `None` and the provinces that cannot be used.

    Raises `DivisionError` if the land does not have its landform.
    """
    mesh = landscape.mesh
    spec.report_progress("borders")
    lines = trace_borders(mesh, division.owner)
    passages: tuple[EdgePassage, ...] = ()
    if spec.landform is Landform.GLOBE:
        passages = find_edge_passages(mesh, division.owner, lines, spec.counts)
    joined = [(passage.left, passage.right) for passage in passages]
    counts = division.lands, division.seas, division.solids
    layout = make_layout(mesh, lines, *counts, joined=joined)
    areas = np.bincount(division.owner, weights=mesh.areas).astype(np.float64)
    lengths = np.array([mesh.lengths[list(line.edges)].sum() for line in lines]) / mesh.spacing
    sides = np.array([(line.left, line.right) for line in lines])
    middles = find_middles(mesh, division.owner) / np.array(mesh.size)
    ground = trace_ground(
        [Surface.LAND] * layout.lands
        + [Surface.SEA] * layout.seas
        + [Surface.IMPASSABLE] * layout.solids,
        lines,
        lengths.tolist(),
        areas.tolist(),
        [(x, y) for x, y in middles.tolist()],
        players=spec.players,
    )
    layout = replace(layout, lakes=frozenset[int]().union(*ground.lakes))
    ground = replace(ground, joined=tuple(map(frozenset, joined)))
    if spec.landform is Landform.ISTHMUS:
        layout, ground = dig_canal(layout, ground)
    layout = _choose_special_lands(spec, layout, ground)
    if faults := find_land_faults(ground, spec.landform):
        raise DivisionError(faults[0])
    if spec.landform is Landform.GLOBE and (faults := find_terrain_faults(ground, spec.landform)):
        raise DivisionError(faults[0])
    if len(find_open_seas(layout)) > spec.max_open_seas:
        raise DivisionError("too many seas touch no land")
    splits = bounds_of(spec.landform).split_coasts
    areas = areas[: layout.count]
    if faulty := find_unsound_provinces(layout, areas, lengths, sides, usual_splits=splits):
        return None, faulty
    net = BorderNet(mesh, lines, layout, landscape.mountains)
    terrain = choose_terrain(
        net,
        ground.masses,
        random_stream(spec.key, "terrain", attempt),
        great_river=spec.landform is Landform.GREAT_RIVER,
    )
    layout, ground = _apply_terrain(mesh, lines, terrain, layout, ground)
    layout = replace(layout, gathering=_choose_gathering(spec, ground))
    rng = random_stream(spec.key, "islets", attempt)
    with_islets = add_islets(mesh, landscape.land_and_sea.heights, division, rng)
    boxes = list_clear_boxes(mesh.size, passages)
    drawn = draw_map(mesh, with_islets, lines, random_stream(spec.key, "lines", 0), boxes)
    # The lines as drawn make some provinces a little smaller.
    narrow = {
        *find_small_provinces(measure_drawn_areas(drawn)[: layout.count], layout.lands),
        *find_crowded_provinces(drawn, layout),
    }
    if len(narrow) > _MAX_NARROW:
        raise _NarrowLandError(f"{len(narrow)} provinces are too small or too narrow")
    if narrow:
        return None, narrow
    land = Land(
        attempt,
        mesh,
        landscape.elevation,
        with_islets,
        lines,
        layout,
        drawn,
        ground,
        terrain,
        passages,
    )
    return land, ()


def _apply_terrain(
    mesh: Mesh,
    lines: Sequence[BorderLine],
    terrain: BorderTerrain,
    layout: Layout,
    ground: Ground,
) -> tuple[Layout, Ground]:
    """Return the layout and the ground with the borders closed and the rivers of `terrain`."""
    new = make_layout(
        mesh,
        lines,
        layout.lands,
        layout.seas,
        layout.solids,
        ridges=terrain.ridges,
        rivers=terrain.banks,
        joined=[(min(pair), max(pair)) for pair in ground.joined],
    )
    new = replace(new, wild=layout.wild, lakes=layout.lakes, isle=layout.isle)
    # A canal joins two coasts that a new layout would have.
    for land in ground.canals:
        new = join_coasts(new, land)
    rivers = tuple(
        frozenset(frozenset((lines[number].left, lines[number].right)) for number in river)
        for river in terrain.rivers
    )
    closed = frozenset(map(frozenset, new.closed))
    return new, replace(ground, closed=closed, rivers=rivers)


def _choose_special_lands(spec: MapSpec, layout: Layout, ground: Ground) -> Layout:
    """Return the layout with the lands where no power starts, or only one.

    Raises `DivisionError` if too few of those where no power starts can be reached early.
    """
    second = frozenset[int]().union(*ground.masses[1:2])
    if spec.landform is Landform.OLD_EUROPE:
        return replace(layout, isle=second)
    if spec.landform is Landform.NEW_WORLD:
        # No power starts in the new world, the second mass.
        layout = replace(layout, wild=second)
        near, needed = len(find_near_shores(layout)), count_wild_centers(spec)
        if near <= needed:
            raise DivisionError(f"{near} new provinces are near the old world: too few")
    return layout


def _choose_gathering(spec: MapSpec, ground: Ground) -> tuple[frozenset[int], int]:
    """Return the lands where some powers must have a home, and how many powers.

    Raises `DivisionError` if the terrain misses the rule of its landform, or they find no room.
    """
    lands, powers = find_gathering(ground, spec.landform)
    if faults := find_terrain_faults(ground, spec.landform):
        raise DivisionError(faults[0])
    if len(lands) < _LANDS_PER_GATHERED * powers:
        raise DivisionError(f"{powers} powers find no room on {len(lands)} provinces")
    return lands, powers


def count_wild_centers(spec: MapSpec) -> int:
    """Return about how many neutral centers a new world needs."""
    centers = round(sum(spec.counts) / _SPACES_PER_CENTER)
    return ceil(WILD_SHARE * (centers - USUAL_HOMES * spec.players))


def find_near_shores(layout: Layout) -> set[int]:
    """Return the wild lands at a sea that also touches other land: fleets reach them early."""
    shores = (
        {land for land in layout.neighbors[sea] if land < layout.lands}
        for sea in range(layout.lands, layout.count)
    )
    return set().union(*(shore & layout.wild for shore in shores if shore - layout.wild))


def dig_canal(layout: Layout, ground: Ground) -> tuple[Layout, Ground]:
    """Return the land with a canal through its bridge: one coast on both seas.

    Nothing changes if there is no single bridge with two coasts.
    """
    bridge = ground.bridges[0] if len(ground.bridges) == 1 else -1
    if bridge < 0 or len(layout.coasts[bridge]) != 2:
        return layout, ground
    return join_coasts(layout, bridge), replace(ground, canals=frozenset({bridge}))


def join_coasts(layout: Layout, land: int) -> Layout:
    """Return the layout with all coasts of `land` as one."""
    coasts, names = list(layout.coasts), list(layout.coast_names)
    coasts[land] = (frozenset[int]().union(*coasts[land]),)
    names[land] = ()

    def merge(place: Place) -> Place:
        return (land, 0) if place[0] == land else place

    def merge_all(borders: Sequence[tuple[Place, Place]]) -> tuple[tuple[Place, Place], ...]:
        return tuple(sorted({(merge(start), merge(end)) for start, end in borders}))

    return replace(
        layout,
        coasts=tuple(coasts),
        coast_names=tuple(names),
        fleet_borders=merge_all(layout.fleet_borders),
        rivers=merge_all(layout.rivers),
    )


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
    sizes = np.bincount(division.owner, weights=mesh.areas)
    sizes = sizes[division.lands : division.lands + division.seas]
    largest = (division.lands + np.argsort(-sizes, kind="stable")).tolist()
    seas = [sea for sea in largest[: 2 * target] if sea not in taken]
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


def _place_islets(mesh: Mesh, heights: Floats, sea: Bools, rng: np.random.Generator) -> list[Islet]:
    """Return an islet in `sea`, sometimes with a smaller one beside it; empty without space."""
    clear = _find_inner_cells(mesh, _find_inner_cells(mesh, sea))
    sizes = rng.integers(2, _MAX_CELLS, endpoint=True), rng.integers(-2, 2, endpoint=True)
    middle = mesh.sites[sea].mean(axis=0)
    merit = heights + _OFFSET_WEIGHT * (distances(mesh.sites, middle[None, :]) / mesh.spacing)
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
        beside = {near for cell in chosen for near in mesh.neighbors(cell) if clear[near]}
        if not (free := sorted(beside.difference(chosen))):
            break
        chosen.append(max(free, key=lambda cell: float(merit[cell])))
    return tuple(chosen)


def _find_inner_cells(mesh: Mesh, chosen: Bools) -> Bools:
    """Return the `chosen` cells that have only chosen cells around them."""
    fans = mesh.fans
    out = (fans.beside < 0) | ~chosen[fans.beside]
    return np.asarray(chosen & (np.bincount(fans.cells[out], minlength=len(chosen)) == 0))


# Stages 8 to 11: place centers on the first usable land, and finish the chart.


_MAX_DRAWINGS = 4


class GenerationError(RuntimeError):
    """No map could be generated from the seed in the attempts allowed."""


def make_chart(
    seed: str,
    players: int = 7,
    *,
    provinces: int | None = None,
    sea: float | None = None,
    landform: str | None = None,
    homes: str = HomeRule.VARIED,
    placement: int = 0,
    progress: Progress | None = None,
) -> Chart:
    """Return the map that `seed` gives for `players`, from 2 to 34.

    `provinces`: their number, 10 to 20 for each player, 34 to 512 in all; by default in proportion
    to the standard board. `sea`: the share of seas among them, within the bounds of the landform.
    `landform`: the name of one; without it, the seed draws one of those that fit the other
    arguments. `homes`: "varied" (two to four for each power) or "equal" (three). `placement`, from
    0: each number gives different homes and neutral centers on the same land. `progress` is called
    at each stage and changes nothing.

    Raises `ValueError` for a number out of range and for a seed that is too long or not printable,
    `GenerationError` if no map can be generated.
    """
    if placement < 0:
        raise ValueError(f"placement: {placement} is less than 0")
    specs = _list_specs(
        seed, players, provinces, sea, landform=landform, homes=homes, progress=progress
    )
    spec, land, first = _make_first_map(specs)
    chart = first if placement == 0 else _make_placement(spec, land, placement)
    if chart is None:
        raise GenerationError(
            f"no map could be generated for placement {placement} of the seed {seed!r}"
        )
    return chart


def make_placements(
    seed: str,
    players: int = 7,
    *,
    count: int,
    provinces: int | None = None,
    sea: float | None = None,
    landform: str | None = None,
    homes: str = HomeRule.VARIED,
) -> tuple[Chart, ...]:
    """Return the maps for placements 0 to `count` - 1 of `seed` on one land.

    The land is made only once. The first map is the result of `make_chart`; placements that give no
    map are left out. Raises the same errors as `make_chart`.
    """
    specs = _list_specs(seed, players, provinces, sea, landform=landform, homes=homes)
    spec, land, first = _make_first_map(specs)
    later_charts = (_make_placement(spec, land, placement) for placement in range(1, count))
    return (first, *(chart for chart in later_charts if chart is not None))


@dataclass(frozen=True)
class OpenLand:
    """A land on which homes and neutral centers can still be placed, and its first map."""

    spec: MapSpec
    land: Land
    first: Chart

    def random_stream(self, stage: str) -> np.random.Generator:
        """Return a random stream for `stage`, separate from those of the seed's placements."""
        return random_stream(self.spec.key, f"open {self.land.attempt} {stage}")

    def finish_chart(self, parts: ChartParts, kind: str) -> Chart | None:
        """Return the map for `parts`, a placement on this land, or `None` if it has faults.

        `kind` is added to the chart's `maker`, after the version.
        """
        chart = _finish_chart(parts, self.spec)
        return None if chart is None else replace(chart, maker=f"{chart.maker}, {kind}")


def open_land(
    seed: str,
    players: int = 7,
    *,
    provinces: int | None = None,
    sea: float | None = None,
    landform: str | None = None,
    homes: str = HomeRule.VARIED,
    progress: Progress | None = None,
) -> OpenLand:
    """Return the land of `make_chart`, to try many placements on; raises the same errors."""
    specs = _list_specs(
        seed, players, provinces, sea, landform=landform, homes=homes, progress=progress
    )
    return OpenLand(*_make_first_map(specs))


def _make_first_map(specs: Sequence[MapSpec]) -> tuple[MapSpec, Land, Chart]:
    """Return the first land on which placement 0 gives a map, and that map.

    The first of `specs` nearly always gives one. The later ones have other landforms or seas.
    """
    attempts = ((spec, landscapes) for landscapes in _LANDSCAPES for spec in specs)
    for spec, landscapes in attempts:
        for land in make_lands(spec, landscapes):
            chart = _make_placement(spec, land, 0)
            if chart is not None:
                return spec, land, chart
    message = f"no map could be generated from the seed {specs[0].seed!r}"
    if len({spec.landform for spec in specs}) == 1:
        message += f" and the landform {specs[0].landform}"
    raise GenerationError(message)


def _make_placement(spec: MapSpec, land: Land, placement: int) -> Chart | None:
    """Return the map of one placement on `land`, or `None` if several attempts fail."""
    stage = f"homes {land.attempt}" + (f" placement {placement}" if placement else "")
    for attempt in range(bounds_of(spec.landform).placements):
        spec.report_progress("homes and centers")
        rng = random_stream(spec.key, stage, attempt)
        try:
            centers = place_centers(land.layout, spec.draw_counts(rng), rng)
        except PlacementError:
            continue
        ground = replace(
            land.ground,
            homes=tuple(map(frozenset, centers.homes)),
            neutrals=frozenset(centers.neutrals),
        )
        if find_power_faults(ground, spec.landform):
            continue
        chart = _finish_chart(ChartParts(land, centers), spec)
        if chart is not None:
            maker = f"{chart.maker}, placement {placement}" if placement else chart.maker
            return replace(chart, maker=maker)
    return None


def _finish_chart(parts: ChartParts, spec: MapSpec) -> Chart | None:
    """Return a chart of `parts` without faults, or `None` if several attempts fail.

    The first attempt uses the land's drawing. All maps of a specification have the same colors.
    """
    palette = choose_palette(spec.players, random_stream(spec.key, "colours"))
    for attempt in range(_MAX_DRAWINGS):
        try:
            spec.report_progress("names")
            rng = random_stream(spec.key, "names", attempt)
            names = assign_names(parts, rng, spec.landform)
            spec.report_progress("coasts and lettering")
            if attempt:
                rng, land = random_stream(spec.key, "lines", attempt), parts.land
                boxes = list_clear_boxes(land.mesh.size, land.passages)
                drawn = draw_map(land.mesh, land.division, land.lines, rng, boxes)
                parts = replace(parts, land=replace(land, drawn=drawn))
            chart = assemble_chart(parts, names, spec.seed, palette)
            chart = replace(chart, maker=name_landform(chart.maker, spec.landform))
            rng = random_stream(spec.key, "features", attempt)
            features = add_features(chart, parts, names, rng)
            chart = replace(chart, features=features)
        except NamingError:
            continue
        except CrowdedError:
            # Other names would not help: if a name does not fit, the code is printed.
            return None
        # Drawn coasts are a little longer or shorter than those of the cells, checked before.
        if not find_faults(chart) and not find_named_faults(chart):
            equal = spec.homes is HomeRule.EQUAL
            return replace(chart, maker=f"{chart.maker}, equal homes") if equal else chart
    return None
