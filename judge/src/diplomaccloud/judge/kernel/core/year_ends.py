"""What follows from where ordinary units stand at the end of a year."""

from collections.abc import Mapping, Sequence
from typing import Any

from diplomaccloud.judge.board import Location, Power, ProvinceCode
from diplomaccloud.judge.kernel.table import Table
from diplomaccloud.judge.units import Unit

from . import codes, native
from .batches import borrow_workspace, return_workspace
from .order_values import read_units
from .workspace import Workspace

Closed = tuple[tuple[tuple[ProvinceCode, Power], ...], bool, bool]
"""The centers that change hands, whether a power has won, and whether one has to adjust."""


def close_year(
    table: Table, units: Sequence[Unit], centers: Mapping[ProvinceCode, Power]
) -> Closed | None:
    """Return what follows from where units stand after Fall, and from who owned the centers.

    A power has won if it alone leads with enough centers. Returns `None` if a unit or a center
    is not one of the board, or two units share a province.
    """
    work = borrow_workspace(table)
    closed = None
    if read_units(work, table.place_of, table.power_of, units):
        closed = close_state(work, table, centers)
    return_workspace(table, work)
    return closed


def close_state(
    work: Workspace, table: Table, centers: Mapping[ProvinceCode, Power]
) -> Closed | None:
    """Return what follows from the units of the state, and from who owned the centers."""
    if not read_owners(work, table.place_of, table.power_of, centers):
        return None
    taken = take_centers(work, table)
    work.judge.by_pieces = False
    work.state.winner = -1
    work.judge.close_year()
    return taken, work.state.winner >= 0, work.state.phase == codes.ADJUSTMENTS


def read_owners(
    work: Workspace,
    place_of: Mapping[Location, int],
    power_of: Mapping[Power, int],
    centers: Mapping[Any, Any],
) -> bool:
    """Set the owners of centers; return whether all are of the board."""
    native.fill(work.state.owner, 0, work.tables.provinces, -1)
    for center, power in centers.items():
        p = place_of.get(center, -1)
        owner = power_of.get(power, -1)
        if p < 0 or p >= work.tables.provinces or owner < 0:
            return False
        work.state.owner[p] = owner
    return True


def take_centers(work: Workspace, table: Table) -> tuple[tuple[ProvinceCode, Power], ...]:
    """Return the centers with a unit of another power than their owner, sorted."""
    taken: list[Any] = []
    for p in range(work.tables.provinces):
        power = work.state.unit[p] >> codes.POWER_SHIFT
        if work.tables.centers[p] and power >= 0 and work.state.owner[p] != power:
            taken.append((table.location_of[p], table.powers[power]))
    taken.sort()
    return tuple(taken)
