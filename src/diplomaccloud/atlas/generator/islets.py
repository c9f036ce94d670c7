"""Add unnamed islets to wide seas, for decoration only."""

from dataclasses import replace

import numpy as np

from diplomaccloud.atlas.generator.mesh import Bools, Floats, Mesh, distances
from diplomaccloud.atlas.generator.provinces import Division

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
