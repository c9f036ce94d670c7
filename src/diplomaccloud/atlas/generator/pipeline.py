"""The stages in their order, each made again when what it gave cannot be used."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil

import numpy as np

from diplomaccloud.atlas.chart import Chart
from diplomaccloud.atlas.generator.assembly import Ready, assemble, christen
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
from diplomaccloud.atlas.generator.drawn_map import Picture, crowded, draw, drawn_areas
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
from diplomaccloud.atlas.generator.power_colors import chosen
from diplomaccloud.atlas.generator.provinces import (
    Division,
    divide_provinces,
    redivide_provinces,
    weigh_cells,
)
from diplomaccloud.atlas.generator.random_streams import random_stream

PLAYERS = range(2, 11)
PROVINCES = range(MIN_PROVINCES, 401)
_LONGEST_SEED = 200
_PROVINCE_AREA = 1200 * 850 / 75
_SIDES = 1200 / 850
_SEA_TO_LAND = 2.2
"""How much larger the mean sea is than the mean land province."""

Progress = Callable[[str], None]
"""Is told in a word or two which stage begins."""

_GROUNDS = 30
_DIVISIONS = 2
_PLACEMENTS = 2
_DRAWINGS = 4
_WORTH = 100
"""For so many provinces each a division is worth one more repair than it has faults."""


@dataclass(frozen=True)
class _Earth:
    """What divisions into provinces share."""

    mesh: Mesh
    elevation: Elevation
    ground: LandAndSea
    fields: CellWeights


@dataclass(frozen=True)
class _Land:
    """Everything that placements on one land share, and the attempt that gave it."""

    attempt: int
    mesh: Mesh
    elevation: Elevation
    division: Division
    lines: tuple[Line, ...]
    layout: Layout
    picture: Picture


class MakingError(RuntimeError):
    """No map came of the seed in all the attempts allowed."""


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

    `provinces` is their number, by default that of the standard board in proportion; `sea`
    the share of seas among them, from 0.17 to 0.32. Each `placement`, from 0, has homes and
    neutral centers elsewhere on the same land. `progress` is told each stage and changes
    nothing. Raises `ValueError` for a number out of range
    and for a seed that is too long or cannot be printed, `MakingError` if no map comes of it.
    """
    if placement < 0:
        raise ValueError(f"placement: {placement} is less than 0")
    order = _ordered(seed, players, provinces, sea, progress)
    land, first = _first(order)
    chart = first if placement == 0 else _placed(order, land, placement)
    if chart is None:
        raise MakingError(f"no map came of placement {placement} of the seed {seed!r}")
    return chart


def make_placements(
    seed: str, players: int = 7, *, count: int, provinces: int | None = None, sea: float = 0.25
) -> tuple[Chart, ...]:
    """Return the maps that the placements 0 to `count` - 1 of `seed` give on one land.

    The land is made once. The first map is that of `make_chart`; a placement of which no map
    comes is left out. Raises as `make_chart` does.
    """
    order = _ordered(seed, players, provinces, sea)
    land, first = _first(order)
    others = (_placed(order, land, placement) for placement in range(1, count))
    return (first, *(chart for chart in others if chart is not None))


@dataclass(frozen=True)
class OpenLand:
    """A land on which homes and neutral centers can still be placed, and its first map."""

    order: "_Order"
    land: _Land
    first: Chart

    def stream(self, stage: str) -> np.random.Generator:
        """Return a random stream for `stage`, one that no placement of the seed uses."""
        return random_stream(self.order.key, f"open {self.land.attempt} {stage}")

    def chart(self, ready: Ready, kind: str) -> Chart | None:
        """Return the map of `ready`, a placement here, its maker's version with `kind` behind it.

        `None` if none without a fault comes of it.
        """
        chart = _finished(ready, self.order, self.land.picture)
        return None if chart is None else replace(chart, maker=f"{chart.maker}, {kind}")


def open_land(
    seed: str,
    players: int = 7,
    *,
    provinces: int | None = None,
    sea: float = 0.25,
    progress: Progress | None = None,
) -> OpenLand:
    """Return the land of `make_chart` for those who try many placements; raises the same."""
    order = _ordered(seed, players, provinces, sea, progress)
    return OpenLand(order, *_first(order))


@dataclass(frozen=True)
class _Order:
    """What is asked for; `counts` of land provinces and seas, `key` for the streams."""

    seed: str
    key: str
    players: int
    counts: tuple[int, int]
    progress: Progress | None = None

    def tell(self, stage: str) -> None:
        """Tell whoever watches that `stage` begins."""
        if self.progress is not None:
            self.progress(stage)


def _ordered(
    seed: str,
    players: int,
    provinces: int | None,
    sea: float,
    progress: Progress | None = None,
) -> _Order:
    count = max(PROVINCES[0], round(10.7 * players)) if provinces is None else provinces
    _check(seed, players, count, sea)
    least, most = ceil(SEA_SHARE[0] * count), int(SEA_SHARE[1] * count)
    seas = min(max(round(count * sea), least), most)
    return _Order(
        seed, f"{seed}\0{players}\0{count}\0{sea}", players, (count - seas, seas), progress
    )


def _check(seed: str, players: int, provinces: int, sea: float) -> None:
    if players not in PLAYERS:
        raise ValueError(f"players: {players} is not from {PLAYERS[0]} to {PLAYERS[-1]}")
    if provinces not in PROVINCES:
        raise ValueError(f"provinces: {provinces} is not from {PROVINCES[0]} to {PROVINCES[-1]}")
    if not SEA_SHARE[0] <= sea <= SEA_SHARE[1]:
        raise ValueError(f"sea: {sea} is not from {SEA_SHARE[0]} to {SEA_SHARE[1]}")
    if round(provinces * (1 - sea)) < (HOMES + NEUTRALS + 2) * players:
        raise ValueError(f"provinces: {provinces} are too few for {players} players")
    if len(seed) > _LONGEST_SEED or not seed.isprintable():
        raise ValueError(f"seed: longer than {_LONGEST_SEED} characters, or cannot be printed")


def _first(order: _Order) -> tuple[_Land, Chart]:
    """Return the first land on which a map comes of placement 0, and that map."""
    for land in _lands(order):
        chart = _placed(order, land, 0)
        if chart is not None:
            return land, chart
    raise MakingError(f"no map came of the seed {order.seed!r}")


def _lands(order: _Order) -> Iterator[_Land]:
    """Yield the lands that can become maps; each ground is divided in more than one way."""
    for number in range(_GROUNDS):
        earth = _earth(order, number)
        for division in range(_DIVISIONS):
            land = _land(order, earth, number * _DIVISIONS + division)
            if land is not None:
                yield land


def _land(order: _Order, earth: _Earth, attempt: int) -> _Land | None:
    """Return the land of one attempt; `None` if it cannot become a map.

    Where a province cannot stay as it is, those about it are divided anew, farther around if
    that does not help; what makes things worse is not kept.
    """
    order.tell("provinces")
    seed = f"{order.key}\0{attempt}"
    try:
        division = divide_provinces(earth.mesh, earth.ground, earth.fields, seed, order.counts)
    except DivisionError:
        return None
    land, faulty = _bordered(order, earth, attempt, division)
    for repair in range(sum(order.counts) // _WORTH + len(faulty)):
        if land is not None:
            break
        rng = random_stream(seed, "repairs", repair)
        where = faulty, 1 + repair // 2
        try:
            other = redivide_provinces(earth.mesh, division, earth.fields, where, rng)
        except DivisionError:
            continue
        land, still = _bordered(order, earth, attempt, other)
        if len(still) <= len(faulty):
            division, faulty = other, still
    return land


def _bordered(
    order: _Order, earth: _Earth, attempt: int, division: Division
) -> tuple[_Land | None, Collection[int]]:
    """Return the land of `division`, or `None` and the provinces for which it can be no map."""
    mesh = earth.mesh
    order.tell("borders")
    lines = trace_borders(mesh, division.owner)
    layout = make_layout(mesh, lines, *order.counts)
    areas = np.bincount(division.owner, weights=mesh.areas).astype(np.float64)
    sides = np.array([(line.left, line.right) for line in lines])
    if faulty := find_unsound_provinces(layout, areas, _border_lengths(mesh, lines), sides):
        return None, faulty
    rng = random_stream(order.key, "islets", attempt)
    scattered = add_islets(mesh, earth.ground.heights, division, rng)
    picture = draw(mesh, scattered, lines, random_stream(order.key, "lines", 0))
    # Lines as they are drawn take a little from some provinces.
    narrow = {*find_small_provinces(drawn_areas(picture), layout.lands), *crowded(picture, layout)}
    if narrow:
        return None, narrow
    return _Land(attempt, mesh, earth.elevation, scattered, lines, layout, picture), ()


def _placed(order: _Order, land: _Land, placement: int) -> Chart | None:
    """Return the map of one placement on `land`; `None` if several attempts give none."""
    stage = f"homes {land.attempt}" + (f" placement {placement}" if placement else "")
    for again in range(_PLACEMENTS):
        order.tell("homes and centers")
        try:
            centers = place_centers(
                land.layout, order.players, random_stream(order.key, stage, again)
            )
        except PlacementError:
            break
        ready = Ready(land.mesh, land.elevation, land.division, land.lines, land.layout, centers)
        chart = _finished(ready, order, land.picture)
        if chart is not None:
            maker = f"{chart.maker}, placement {placement}" if placement else chart.maker
            return replace(chart, maker=maker)
    return None


def _border_lengths(mesh: Mesh, lines: Sequence[Line]) -> Floats:
    """Return the length of each line, those along the frame among them, in cells."""
    return np.array([mesh.lengths[list(line.edges)].sum() for line in lines]) / mesh.spacing


def _earth(order: _Order, attempt: int) -> _Earth:
    key, (lands, seas) = order.key, order.counts
    size = _size(lands + seas)
    breadth = float(np.sqrt(_PROVINCE_AREA))
    order.tell("land and sea")
    mesh = make_mesh(random_stream(key, "mesh", attempt), size, (lands + seas) * CELLS_PER_PROVINCE)
    terrain = make_elevation(random_stream(key, "relief", attempt), size, order.players, breadth)
    share = lands / (lands + _SEA_TO_LAND * seas)
    least = 0.75 * share * size[0] * size[1] / lands
    ground = divide_land_and_sea(mesh, round_to_grid(terrain.height(mesh.sites)), share, least)
    mountains = round_to_grid(terrain.mountains(mesh.sites))
    return _Earth(mesh, terrain, ground, weigh_cells(mesh, ground, mountains))


def _size(provinces: int) -> tuple[float, float]:
    """Return a size at which provinces are as large on every map."""
    height = float(np.sqrt(provinces * _PROVINCE_AREA / _SIDES))
    return float(round(height * _SIDES / 10) * 10), float(round(height / 10) * 10)


def _finished(ready: Ready, order: _Order, picture: Picture) -> Chart | None:
    """Return a chart of `ready` without a fault; `None` if several attempts give none.

    The first has the land's `picture`. All maps of an order have the same set of colours.
    """
    inks = chosen(order.players, random_stream(order.key, "colours"))
    for attempt in range(_DRAWINGS):
        try:
            order.tell("names")
            names = christen(ready, random_stream(order.key, "names", attempt))
            order.tell("coasts and lettering")
            if attempt:
                rng = random_stream(order.key, "lines", attempt)
                picture = draw(ready.mesh, ready.division, ready.lines, rng)
            chart = assemble(ready, names, order.seed, picture, inks)
        except NamingError:
            continue
        except CrowdedError:
            # Not for its name: where no name fits, the code is tried.
            return None
        # How many provinces there are is the caller's to say.
        if all(fault.rule == 10 for fault in find_faults(chart)):
            return chart
    return None
