"""The stages in their order, each made again when what it gave cannot be used."""

from collections.abc import Iterator, Sequence
from math import ceil

import numpy as np

from diplomaccloud.atlas.chart import Chart
from diplomaccloud.atlas.generator.assembly import Ready, assemble, christen
from diplomaccloud.atlas.generator.balance import HOMES, NEUTRALS
from diplomaccloud.atlas.generator.board import make_layout
from diplomaccloud.atlas.generator.homes import PlacementError, place_centers
from diplomaccloud.atlas.generator.landsea import make_ground
from diplomaccloud.atlas.generator.mesh import CELLS_PER_PROVINCE, Floats, Mesh, make_mesh
from diplomaccloud.atlas.generator.names import NamingError
from diplomaccloud.atlas.generator.placement import CrowdedError
from diplomaccloud.atlas.generator.provinces import Division, DivisionError, divide
from diplomaccloud.atlas.generator.relief import Terrain, make_terrain
from diplomaccloud.atlas.generator.streams import stream
from diplomaccloud.atlas.generator.topology import BEYOND, Line, trace
from diplomaccloud.atlas.generator.validate import FEWEST, SEA_SHARE, faults, unsound

PLAYERS = range(2, 11)
PROVINCES = range(FEWEST, 161)
_LONGEST_SEED = 200
_PROVINCE_AREA = 1200 * 850 / 75
_SIDES = 1200 / 850
_SEA_TO_LAND = 2.2
"""How much larger the mean sea is than the mean land province."""

_GROUNDS = 40
_PLACEMENTS = 3
_DRAWINGS = 4


class MakingError(RuntimeError):
    """No map came of the seed in all the attempts allowed."""


def make_chart(
    seed: str, players: int = 7, *, provinces: int | None = None, sea: float = 0.25
) -> Chart:
    """Return the map that `seed` gives for `players`, from 2 to 10.

    `provinces` is their number, by default that of the standard board in proportion; `sea`
    the share of seas among them, from 0.17 to 0.32. Raises `ValueError` for a number out of
    range and for a seed that is too long or cannot be printed.
    """
    count = max(PROVINCES[0], round(10.7 * players)) if provinces is None else provinces
    _check(seed, players, count, sea)
    key = f"{seed}\0{players}\0{count}\0{sea}"
    least, most = ceil(SEA_SHARE[0] * count), int(SEA_SHARE[1] * count)
    seas = min(max(round(count * sea), least), most)
    for ready in _boards(key, players, (count - seas, seas)):
        chart = _finished(ready, key, seed)
        if chart is not None:
            return chart
    raise MakingError(f"no map came of the seed {seed!r}")


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


def _boards(key: str, players: int, counts: tuple[int, int]) -> Iterator[Ready]:
    """Yield boards with their centers, from ever new grounds."""
    for attempt in range(_GROUNDS):
        mesh, terrain, division = _divided(key, players, counts, attempt)
        if division is None:
            continue
        lines = trace(mesh, division.owner)
        layout = make_layout(mesh, lines, *counts)
        areas = np.bincount(division.owner, weights=mesh.areas).astype(np.float64)
        if unsound(layout, areas, _border_lengths(mesh, lines)):
            continue
        for again in range(_PLACEMENTS):
            try:
                centers = place_centers(layout, players, stream(key, f"homes {attempt}", again))
            except PlacementError:
                break
            yield Ready(mesh, terrain, division, lines, layout, centers)


def _border_lengths(mesh: Mesh, lines: Sequence[Line]) -> Floats:
    """Return the length of each line between two provinces, in cells."""
    inner = [line for line in lines if BEYOND not in (line.left, line.right)]
    return np.array([mesh.lengths[list(line.edges)].sum() for line in inner]) / mesh.spacing


def _divided(
    key: str, players: int, counts: tuple[int, int], attempt: int
) -> tuple[Mesh, Terrain, Division | None]:
    lands, seas = counts
    size = _size(lands + seas)
    breadth = float(np.sqrt(_PROVINCE_AREA))
    mesh = make_mesh(stream(key, "mesh", attempt), size, (lands + seas) * CELLS_PER_PROVINCE)
    terrain = make_terrain(stream(key, "relief", attempt), size, players, breadth)
    share = lands / (lands + _SEA_TO_LAND * seas)
    least = 0.75 * share * size[0] * size[1] / lands
    ground = make_ground(mesh, terrain.height(mesh.sites), share, least)
    try:
        mountains = terrain.mountains(mesh.sites)
        return mesh, terrain, divide(mesh, ground, mountains, f"{key}\0{attempt}", counts)
    except DivisionError:
        return mesh, terrain, None


def _size(provinces: int) -> tuple[float, float]:
    """Return a size at which provinces are as large on every map."""
    height = float(np.sqrt(provinces * _PROVINCE_AREA / _SIDES))
    return float(round(height * _SIDES / 10) * 10), float(round(height / 10) * 10)


def _finished(ready: Ready, key: str, seed: str) -> Chart | None:
    """Return a chart of `ready` without a fault; `None` if several attempts give none."""
    for attempt in range(_DRAWINGS):
        try:
            names = christen(ready, stream(key, "names", attempt))
            chart = assemble(ready, names, seed, stream(key, "lines", attempt))
        except NamingError:
            continue
        except CrowdedError:
            # Not for its name: where no name fits, the code is tried.
            return None
        # How many provinces there are is the caller's to say.
        if all(fault.rule == 10 for fault in faults(chart)):
            return chart
    return None
