"""What the decided orders of a movement phase lead to, as ordinary values."""

from collections.abc import Mapping, Sequence

from diplomaccloud.judge.board import Power, ProvinceCode
from diplomaccloud.judge.kernel.layout import OUTCOMES, unpack_unit
from diplomaccloud.judge.kernel.table import Table
from diplomaccloud.judge.results import Outcome
from diplomaccloud.judge.units import Unit

from . import codes, native
from .workspace import Workspace
from .year_ends import Closed, close_state

Dislodgement = tuple[int, int, list[int]]
"""A unit's number, the province its attacker came from, and the places it may retreat to."""

Resolved = tuple[
    tuple[Outcome, ...],
    Sequence[int],
    list[int],
    list[int],
    tuple[Unit, ...],
    list[Dislodgement],
    bool,
    "Closed | None",
]


def find_results(
    work: Workspace,
    table: Table,
    units: Sequence[Unit],
    centers: Mapping[ProvinceCode, Power] | None,
) -> Resolved:
    """Return what `resolve` returns, of orders that are decided."""
    movement = work.judge.movement
    tables = work.tables
    outcomes = native.open_values(movement.size)
    dislodged: list[Dislodgement] = []
    native.fill(work.closed, 0, tables.provinces, 0)
    native.fill(work.standing, 0, 2 * tables.places, -1)
    counts = work.judge.counts
    native.fill(counts, 0, tables.powers, 0)
    losers = movement.find_results()
    paradox = stood = 0
    for i in range(movement.size):
        native.put_value(outcomes, i, OUTCOMES[movement.outcome[i]])
        paradox |= movement.paradox_failed[i] | movement.paradox_stopped[i]
        if movement.dislodger[i] < 0:
            place = movement.place[i]
            if movement.outcome[i] == codes.MOVED:
                place = movement.to[i]
            work.closed[tables.province_of[place]] = 1
            work.standing[movement.kind[i] * tables.places + tables.alphabet[place]] = i
            stood += 1
            counts[movement.power[i]] += 1
    pieces = stood
    standoffs: list[int] = []
    for k in range(movement.mover_count):
        p = movement.goal[movement.movers[k]]
        if not work.closed[p] and movement.is_standoff(p):
            work.closed[p] = 1
            standoffs.append(p)
    if losers > 0:
        for i in range(movement.size):
            if movement.dislodger[i] >= 0:
                entry = find_retreats(work, i, movement.dislodger[i])
                dislodged.append(entry)
                if entry[2]:
                    counts[movement.power[i]] += 1
                    pieces += 1
    leads = False
    for power in range(tables.powers):
        if 2 * counts[power] > pieces:
            leads = True
    marks = find_marks(work) if paradox else []
    standing = find_standing(work, table, units, stood)
    closed = None
    if centers is not None and pieces == stood:
        move_units(work)
        closed = close_state(work, table, centers)
    return (
        native.close_values(outcomes),
        native.copy_ints(movement.answers, movement.size),
        marks,
        standoffs,
        standing,
        dislodged,
        leads,
        closed,
    )


def move_units(work: Workspace) -> None:
    """Set the units of the state to those that were not dislodged, where they are now."""
    movement = work.judge.movement
    native.fill(work.state.unit, 0, work.tables.provinces, -1)
    for i in range(movement.size):
        if movement.dislodger[i] < 0:
            place = movement.place[i]
            if movement.outcome[i] == codes.MOVED:
                place = movement.to[i]
            work.state.unit[work.tables.province_of[place]] = movement.pack_unit(i, place)


def find_marks(work: Workspace) -> list[int]:
    """Return the marks of the paradox rule, by unit."""
    movement = work.judge.movement
    marks: list[int] = []
    for i in range(movement.size):
        marks.append(movement.paradox_failed[i] + 2 * movement.paradox_stopped[i])
    return marks


def find_standing(
    work: Workspace, table: Table, units: Sequence[Unit], count: int
) -> tuple[Unit, ...]:
    """Return the `count` units that were not dislodged where they are now, sorted."""
    movement = work.judge.movement
    known = table.units
    standing = native.open_values(count)
    count = 0
    for k in range(2 * work.tables.places):
        i = work.standing[k]
        if i < 0:
            continue
        unit: Unit | None = units[i]
        if movement.outcome[i] == codes.MOVED:
            code = movement.pack_unit(i, movement.to[i])
            unit = known.get(code)
            if unit is None:
                unit = unpack_unit(table, code)
                known[code] = unit
        native.put_value(standing, count, unit)
        count += 1
    return native.close_values(standing)


def find_retreats(work: Workspace, i: int, attacker: int) -> Dislodgement:
    """Return the unit, where its attacker came from, and the places it may retreat to."""
    movement = work.judge.movement
    tables = work.tables
    source = movement.here[attacker]
    reopens = movement.rules & codes.REOPENS and movement.routed[attacker]
    barred = -1 if reopens else source
    row = movement.kind[i] * tables.places + movement.place[i]
    places: list[int] = []
    for k in range(tables.near_at[row], tables.near_at[row + 1]):
        to = tables.near[k]
        p = tables.province_of[to]
        if not work.closed[p] and p != barred:
            places.append(to)
    return i, source, places
