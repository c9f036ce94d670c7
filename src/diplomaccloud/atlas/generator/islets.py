"""Specks of land without a name, for the eye only: where the wide seas have room for them."""

from dataclasses import replace

import numpy as np

from diplomaccloud.atlas.generator.mesh import Bools, Floats, Mesh, distances
from diplomaccloud.atlas.generator.provinces import Division

Islet = tuple[int, ...]
"""The cells of one islet, which the sea around it counts as its own."""

_SEAS_EACH = 4.0
_FEWEST, _MOST = 2, 6
_MOST_CELLS = 5
_FAR_OUT = 0.14
"""What one cell farther from the middle of the sea is worth, in heights of the ground."""

_BARE = 1.0
"""Of the cells of a sea, how many there must be far from its shores for each one of an islet."""


def with_islets(
    mesh: Mesh, heights: Floats, division: Division, rng: np.random.Generator
) -> Division:
    """Return `division` with further islets, one or two in some of its largest seas.

    Around each of them its sea is at least two cells wide. Islets stand where the ground is
    high by `heights`, away from the middle of the sea, which its name needs.
    """
    islets = list(division.islets)
    wanted = min(max(_FEWEST, round(division.seas / _SEAS_EACH)), _MOST)
    taken = {int(division.owner[islet[0]]) for islet in islets}
    seas = [sea for sea in _by_size(mesh, division)[: 2 * wanted] if sea not in taken]
    while seas and len(islets) < wanted:
        sea = _farthest(mesh, division, seas, islets)
        seas.remove(sea)
        islets += _group(mesh, heights, division.owner == sea, rng)[: wanted - len(islets)]
    return replace(division, islets=tuple(islets))


def _farthest(mesh: Mesh, division: Division, seas: list[int], islets: list[Islet]) -> int:
    """Return the one of `seas` that is farthest from all `islets`; without any the first."""
    if not islets:
        return seas[0]
    spots = mesh.sites[[islet[0] for islet in islets]]
    middles = [mesh.sites[division.owner == sea].mean(axis=0) for sea in seas]
    gaps = [float(distances(spots, middle[None, :]).min()) for middle in middles]
    return seas[gaps.index(max(gaps))]


def _by_size(mesh: Mesh, division: Division) -> list[int]:
    """Return the seas, the largest first."""
    sizes = np.bincount(division.owner, weights=mesh.areas)[division.lands :]
    return [division.lands + int(sea) for sea in np.argsort(-sizes, kind="stable")]


def _group(mesh: Mesh, heights: Floats, sea: Bools, rng: np.random.Generator) -> list[Islet]:
    """Return an islet in `sea`, with a smaller one beside it for some; none without room."""
    clear = _inner(mesh, _inner(mesh, sea))
    sizes = rng.integers(2, _MOST_CELLS, endpoint=True), rng.integers(-2, 2, endpoint=True)
    merit = heights + _FAR_OUT * _off_middle(mesh, sea)
    found: list[Islet] = []
    for size in (int(one) for one in sizes):
        room = int(clear.sum())
        if size < 1 or room < _BARE * size + 3:
            break
        islet = _grown(mesh, merit, clear, size)
        found.append(islet)
        for cell in (*islet, *(beside for one in islet for beside in mesh.neighbors(one))):
            clear[cell] = False
        # The second stands close by.
        merit = merit - distances(mesh.sites, mesh.sites[np.full(len(merit), islet[0])])
    return found


def _grown(mesh: Mesh, merit: Floats, clear: Bools, size: int) -> Islet:
    """Return up to `size` cells that hang together, of the most merit among the `clear`."""
    chosen = [int(np.argmax(np.where(clear, merit, -np.inf)))]
    while len(chosen) < size:
        beside = {near for cell in chosen for near in mesh.neighbors(cell) if clear[near]} - set(
            chosen
        )
        if not beside:
            break
        chosen.append(max(sorted(beside), key=lambda cell: float(merit[cell])))
    return tuple(chosen)


def _inner(mesh: Mesh, chosen: Bools) -> Bools:
    """Return the `chosen` cells with nothing but chosen cells around."""
    fans = mesh.fans
    out = (fans.beside < 0) | ~chosen[fans.beside]
    return np.asarray(chosen & (np.bincount(fans.cells[out], minlength=len(chosen)) == 0))


def _off_middle(mesh: Mesh, sea: Bools) -> Floats:
    """Return how far each cell is from the middle of `sea`, in cells."""
    middle = mesh.sites[sea].mean(axis=0)
    return distances(mesh.sites, middle[None, :]) / mesh.spacing
