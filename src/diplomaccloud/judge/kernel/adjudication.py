"""Reads and decides one movement phase of ordinary values, as `resolve` of the compiled kernel."""

from collections.abc import Iterable, Sequence

from diplomaccloud.judge.board import Location
from diplomaccloud.judge.kernel.cycles import resolve_orders
from diplomaccloud.judge.kernel.layout import (
    CONVOY,
    HOLD,
    MOVE,
    MOVE_VIA,
    PLACE_MASK,
    PLACE_SHIFT,
    POWER_SHIFT,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
    pack_unit,
)
from diplomaccloud.judge.kernel.legal_orders import MovementListing
from diplomaccloud.judge.kernel.movement import KernelState
from diplomaccloud.judge.kernel.table import Table
from diplomaccloud.judge.orders import (
    Convoy,
    Hold,
    Move,
    Order,
    SupportHold,
    SupportMove,
)
from diplomaccloud.judge.units import Unit

Dislodgement = tuple[int, int, list[int]]
"""A unit's number, the province its attacker came from, and the places it may retreat to."""

Resolved = tuple[list[int], list[int], list[int], list[int], list[int], list[Dislodgement]]


def resolve(
    table: Table,
    units: Sequence[Unit],
    orders: Iterable[Order],
    checked: bool = True,
    reopen: bool = False,
) -> Resolved | None:
    """Decide the orders of one movement phase; a unit without an order holds.

    Returns, by unit, the numbers of the outcomes, the answers (1 if the move succeeds, the
    support counts or the convoy holds), and marks: 1 for a convoy that the paradox rule
    disrupted, 2 for a move that it stopped. Then come the provinces that standoffs left empty,
    the units where they are now, as integers in the order in which units sort, and the units
    dislodged.

    Returns `None` if a unit stands outside the board, two units share a province, or an order
    is not for one of the units; if `checked`, also if an order is not in the list of legal
    orders or a unit has two different orders. `reopen` lets a unit retreat to where a convoyed
    attacker came from.
    """
    known = table.place_of.keys(), table.power_of.keys()
    if any(unit.location not in known[0] or unit.power not in known[1] for unit in units):
        return None
    given = _Orders(table, units, checked)
    if len(given.number_in) < len(units):
        return None
    for order in orders:
        if not given.add(order):
            return None
    packed, codes = given.units, given.codes
    movement = resolve_orders(
        table,
        (
            [unit >> PLACE_SHIFT & PLACE_MASK for unit in packed],
            [unit & 1 for unit in packed],
            [unit >> POWER_SHIFT for unit in packed],
            codes,
            given.targets,
            given.goals,
        ),
    )
    marks = [
        (i in movement.paradox_failed) + 2 * (i in movement.paradox_stopped)
        for i in range(movement.size)
    ]
    aftermath = _find_aftermath(table, movement, packed, given.goals, reopen)
    return movement.find_outcomes(codes), movement.answers, marks, *aftermath


_CODES = {
    Hold: HOLD,
    Move: MOVE,
    SupportHold: SUPPORT_HOLD,
    SupportMove: SUPPORT_MOVE,
    Convoy: CONVOY,
}
# Tuples, because `isinstance` takes a fifth of the time that it takes with a union.
_MOVEMENT = (Move, SupportMove, SupportHold, Hold, Convoy)
_WITH_TARGET = (SupportMove, SupportHold, Convoy)
_WITH_GOAL = (Move, SupportMove, Convoy)


class _Orders:
    """The orders of one phase, by unit."""

    def __init__(self, table: Table, units: Sequence[Unit], checked: bool) -> None:
        self.table = table
        self.named = units
        self.units = [pack_unit(table, unit) for unit in units]
        self.here = [table.province_of[unit >> PLACE_SHIFT & PLACE_MASK] for unit in self.units]
        self.number_in = {here: i for i, here in enumerate(self.here)}
        self.number_at = {unit.location: i for i, unit in enumerate(units)}
        self.ordered = [False] * len(units)
        self.codes, self.targets, self.goals = ([0] * len(units) for _ in range(3))
        by_province = dict(zip(self.here, self.units, strict=True))
        self.listing = MovementListing(table, by_province) if checked else None

    def add(self, order: Order) -> bool:
        """Add an order; return whether it is one of this position, and listed if checked."""
        if not isinstance(order, _MOVEMENT):
            return False
        code = _CODES[type(order)]
        i, j, to = self._number_of(order.unit), -1, 0
        if isinstance(order, _WITH_TARGET) and (j := self._number_of(order.target)) < 0:
            return False
        if isinstance(order, _WITH_GOAL):
            to = self.table.place_of.get(Location(order.to), -1)
        if isinstance(order, Move):
            code = MOVE_VIA if order.via_convoy else MOVE
            to = -1 if self.listing and order.path else to
        if i < 0 or to < 0:
            return False
        target = self.here[j] if j >= 0 else 0
        if self.listing and not self.listing.has(self.here[i], code, target, to):
            return False
        if self.ordered[i]:
            return (code, target, to) == (self.codes[i], self.targets[i], self.goals[i])
        self.ordered[i] = True
        self.codes[i], self.targets[i], self.goals[i] = code, target, to
        return True

    def _number_of(self, unit: Unit) -> int:
        """Return the number of the unit that is exactly as named, or -1."""
        i = self.number_at.get(unit.location, -1)
        if i < 0:
            return -1
        named = self.named[i]
        return i if named is unit or named == unit else -1


def _find_aftermath(
    table: Table, movement: KernelState, units: list[int], goals: list[int], reopen: bool
) -> tuple[list[int], list[int], list[Dislodgement]]:
    """Return the standoffs, the units where they are now, and the units dislodged."""
    dislodgers = movement.find_dislodgers()
    province_of, places, alphabet = table.province_of, table.places, table.alphabet
    standing = [-1] * (2 * places)
    closed = set(standoffs := movement.find_standoffs())
    for i, unit in enumerate(units):
        if dislodgers[i] >= 0:
            continue
        moved = movement.goal[i] >= 0 and movement.answers[i]
        place = goals[i] if moved else unit >> PLACE_SHIFT & PLACE_MASK
        closed.add(province_of[place])
        standing[(unit & 1) * places + alphabet[place]] = (
            unit & ~(PLACE_MASK << PLACE_SHIFT) | place << PLACE_SHIFT
        )
    dislodged = []
    for i, dislodger in enumerate(dislodgers):
        if dislodger >= 0:
            source = movement.here[dislodger]
            barred = -1 if reopen and movement.route[dislodger] is not None else source
            near = table.near[(units[i] & 1) * places + (units[i] >> PLACE_SHIFT & PLACE_MASK)]
            options = [to for to in near if (p := province_of[to]) not in closed and p != barred]
            dislodged.append((i, source, options))
    return standoffs, [unit for unit in standing if unit >= 0], dislodged
