"""One movement phase of ordinary values, read and decided: the pure twin of compiled `judge`."""

from collections.abc import Iterable, Sequence

from diplomaccloud.judge.board import Location
from diplomaccloud.judge.kernel.cycles import decide
from diplomaccloud.judge.kernel.layout import (
    CONVOY,
    HOLD,
    MOVE,
    MOVE_VIA,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
    pack_unit,
)
from diplomaccloud.judge.kernel.listing import component, landings, needed
from diplomaccloud.judge.kernel.movement import Fight
from diplomaccloud.judge.kernel.table import FLEET, Table
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

Judged = tuple[list[int], list[int], list[int], list[int], list[int], list[Dislodgement]]


def judge(
    table: Table,
    units: Sequence[Unit],
    orders: Iterable[Order],
    checked: bool = True,
    reopen: bool = False,
) -> Judged | None:
    """Decide the orders of one movement phase; a unit without one holds.

    Returns by unit the outcomes' numbers, the answers (1: the move succeeds, the support
    counts, the convoy holds), and marks: 1 for a convoy that a paradox ended, 2 for a move that
    fails by one. Then the provinces that standoffs left empty, the units where they now stand
    as integers in the order in which units sort, and those dislodged.

    Returns `None` if units are not where the board has places, each in a province of its own,
    or an order is for none of them; if `checked`, also if an order is not as the listing
    gives it, or a unit has two that differ.
    """
    known = table.place_of.keys(), table.power_of.keys()
    if any(unit.location not in known[0] or unit.power not in known[1] for unit in units):
        return None
    given = _Orders(table, units)
    if len(given.at_province) < len(units):
        return None
    for order in orders:
        if not given.take(order, checked):
            return None
    packed, codes = given.units, given.codes
    fight = decide(
        table,
        (
            [unit >> 1 & 1023 for unit in packed],
            [unit & 1 for unit in packed],
            [unit >> 11 for unit in packed],
            codes,
            given.targets,
            given.goals,
        ),
    )
    marks = [(i in fight.drowned) + 2 * (i in fight.stayed) for i in range(fight.size)]
    came_to = _come_to(table, fight, packed, given.goals, reopen)
    return fight.outcomes(codes), fight.state, marks, *came_to


_CODES = {
    Hold: HOLD,
    Move: MOVE,
    SupportHold: SUPPORT_HOLD,
    SupportMove: SUPPORT_MOVE,
    Convoy: CONVOY,
}
# Tuples, for which `isinstance` takes a fifth of the time that a union takes.
_MOVEMENT = (Move, SupportMove, SupportHold, Hold, Convoy)
_AIDING = (SupportMove, SupportHold, Convoy)
_GOING = (Move, SupportMove, Convoy)


class _Orders:
    """The orders of one phase as they are taken, by unit."""

    def __init__(self, table: Table, units: Sequence[Unit]) -> None:
        self.table = table
        self.named = units
        self.units = [pack_unit(table, unit) for unit in units]
        self.here = [table.province_of[unit >> 1 & 1023] for unit in self.units]
        self.at = {unit.location: i for i, unit in enumerate(units)}
        self.at_province = frozenset(self.here)
        self.taken = [False] * len(units)
        self.codes, self.targets, self.goals = ([0] * len(units) for _ in range(3))
        sea_of = table.sea_of
        self.fleets = 0
        for unit, here in zip(self.units, self.here, strict=True):
            if unit & 1 == FLEET and sea_of[here] >= 0:
                self.fleets |= 1 << sea_of[here]

    def take(self, order: Order, checked: bool) -> bool:
        """Note an order; return whether that can be done."""
        if not isinstance(order, _MOVEMENT):
            return False
        code = _CODES[type(order)]
        i, j, to = self._one_of(order.unit), -1, 0
        if isinstance(order, _AIDING) and (j := self._one_of(order.target)) < 0:
            return False
        if isinstance(order, _GOING):
            to = self.table.place_of.get(Location(order.to), -1)
        if isinstance(order, Move):
            code = MOVE_VIA if order.via_convoy else MOVE
            to = -1 if checked and order.path else to
        if i < 0 or to < 0 or (checked and not self._is_listed(i, code, j, to)):
            return False
        target = self.here[j] if j >= 0 else 0
        if self.taken[i]:
            return (code, target, to) == (self.codes[i], self.targets[i], self.goals[i])
        self.taken[i] = True
        self.codes[i], self.targets[i], self.goals[i] = code, target, to
        return True

    def _one_of(self, unit: Unit) -> int:
        """Return which unit is meant, or -1 if none is just as named."""
        i = self.at.get(unit.location, -1)
        if i < 0:
            return -1
        named = self.named[i]
        return i if named is unit or named == unit else -1

    def _is_listed(self, i: int, code: int, j: int, to: int) -> bool:
        """Return whether the listing would have the order of unit `i`; `j` is whom it names."""
        table, unit = self.table, self.units[i]
        mine = (unit & 1) * table.places + (unit >> 1 & 1023)
        if code == MOVE and to in table.near[mine]:
            return True
        if code in (MOVE, MOVE_VIA):
            # What an army does at sea it need not say, unless it might walk.
            near = to in table.near[mine]
            sails = unit & 1 != FLEET and near == (code == MOVE_VIA) and to < table.provinces
            return sails and self._carries(i, to, self.fleets)
        if code == HOLD or i == j:
            return code == HOLD
        if code == SUPPORT_HOLD:
            return self.here[j] in table.reach[mine]
        sea = table.sea_of[self.here[i]] if unit & 1 == FLEET else -1
        if code == SUPPORT_MOVE:
            return table.province_of[to] in table.reach[mine] and self._could_move(j, to, sea)
        if sea < 0 or self.units[j] & 1 == FLEET or to >= table.provinces:
            return False
        return bool(needed(table, self.here[j], self.fleets).get(to, 0) >> sea & 1)

    def _row(self, i: int) -> int:
        return (self.units[i] & 1) * self.table.places + (self.units[i] >> 1 & 1023)

    def _could_move(self, j: int, to: int, sea: int) -> bool:
        """Return whether unit `j` could go to `to` without the fleet in `sea`."""
        table, row = self.table, self._row(j)
        if to in table.near[row]:
            return True
        if to >= table.provinces:
            return False
        if self.units[j] & 1 == FLEET:
            return to in table.reach[row]
        return self._carries(j, to, self.fleets & ~(1 << sea) if sea >= 0 else self.fleets)

    def _carries(self, i: int, goal: int, fleets: int) -> bool:
        start = self.here[i]
        goals = landings(self.table, start, component(self.table, start, fleets))
        return bool(goals >> goal & 1)


def _come_to(
    table: Table, fight: Fight, units: list[int], goals: list[int], reopen: bool
) -> tuple[list[int], list[int], list[Dislodgement]]:
    """Return the standoffs, the units where they now stand, and those dislodged."""
    drivers = fight.dislodgers()
    province_of, places, alphabet = table.province_of, table.places, table.alphabet
    standing = [-1] * (2 * places)
    closed = set(standoffs := fight.standoffs())
    for i, unit in enumerate(units):
        if drivers[i] >= 0:
            continue
        moved = fight.goal[i] >= 0 and fight.state[i]
        place = goals[i] if moved else unit >> 1 & 1023
        closed.add(province_of[place])
        standing[(unit & 1) * places + alphabet[place]] = unit & ~(1023 << 1) | place << 1
    dislodged = []
    for i, driver in enumerate(drivers):
        if driver >= 0:
            source = fight.here[driver]
            barred = -1 if reopen and fight.route[driver] is not None else source
            near = table.near[(units[i] & 1) * places + (units[i] >> 1 & 1023)]
            to = [one for one in near if (p := province_of[one]) not in closed and p != barred]
            dislodged.append((i, source, to))
    return standoffs, [unit for unit in standing if unit >= 0], dislodged
