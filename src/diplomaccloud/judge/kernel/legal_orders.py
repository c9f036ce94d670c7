"""Legal orders over integers: the list that decides what is legal.

The compiled kernel lists the same orders.
"""

from collections.abc import Iterator, Mapping, Sequence

from diplomaccloud.judge.convoy_routes import MAX_STEPS
from diplomaccloud.judge.kernel.layout import (
    BUILD,
    CONVOY,
    DISBAND,
    HEAD,
    HOLD,
    MOVE,
    MOVE_VIA,
    MOVEMENT_PHASES,
    PHASE,
    PLACE_MASK,
    PLACE_SHIFT,
    POWER_SHIFT,
    RETREAT,
    RETREAT_PHASES,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
    retreat_options,
)
from diplomaccloud.judge.kernel.table import FLEET, Table, bits

Row = Sequence[int]
LegalRow = tuple[int, int, int, int]
"""A province, and the code, target and goal of an order for the unit there."""


def list_orders(table: Table, row: Row) -> Iterator[LegalRow]:
    """Yield every legal order of a state, by province."""
    if row[PHASE] in MOVEMENT_PHASES:
        standing = row[HEAD : HEAD + table.provinces]
        units = {here: unit for here, unit in enumerate(standing) if unit >= 0}
        return MovementListing(table, units).rows()
    return _retreats(table, row) if row[PHASE] in RETREAT_PHASES else _adjustments(table, row)


def find_connected_seas(table: Table, start: int, fleets: int) -> int:
    """Return the seas among `fleets` through which an army in `start` could be convoyed."""
    if not table.ports[start]:
        return 0
    reached = new = fleets & table.shores[start]
    while new:
        onward = 0
        for sea in bits(new):
            onward |= table.sea_links[sea]
        new = onward & fleets & ~reached
        reached |= new
    return reached


def find_landings(table: Table, start: int, fleets: int) -> int:
    """Return the mask of provinces to which `fleets` could convoy; all must be connected."""
    goals = 0
    for sea in bits(fleets):
        goals |= table.sea_ports[sea]
    return goals & ~(1 << start)


class MovementListing:
    """The legal orders of one movement phase: the whole list, or whether it has an order.

    `units` has the unit in each province where there is one, as one integer.
    """

    def __init__(self, table: Table, units: Mapping[int, int]) -> None:
        self.table = table
        self.units = units
        self.fleets = 0
        for here, unit in units.items():
            if unit & 1 == FLEET and (sea := table.sea_of[here]) >= 0:
                self.fleets |= 1 << sea

    def _row(self, here: int) -> int:
        """Return the index of the unit in `near` and `reach`."""
        unit = self.units[here]
        return (unit & 1) * self.table.places + (unit >> PLACE_SHIFT & PLACE_MASK)

    def _sea(self, here: int) -> int:
        """Return the sea of the fleet in `here`, or -1 if there is no fleet at sea."""
        return self.table.sea_of[here] if self.units[here] & 1 == FLEET else -1

    def _convoy_goals(self, here: int, fleets: int) -> int:
        return find_landings(self.table, here, find_connected_seas(self.table, here, fleets))

    # Whether one order is listed.

    def has(self, here: int, code: int, target: int, to: int) -> bool:
        """Return whether the list has an order of the unit in `here`; `target` is a province."""
        table, unit = self.table, self.units[here]
        row = (unit & 1) * table.places + (unit >> PLACE_SHIFT & PLACE_MASK)
        if code == HOLD or (code == MOVE and to in table.near[row]):
            return True
        if code in (MOVE, MOVE_VIA):
            # An army that goes by sea need not say so, unless it could also walk.
            army, near = unit & 1 != FLEET, table.near[row]
            goes_by_sea = army and (to in near) == (code == MOVE_VIA) and to < table.provinces
            return goes_by_sea and bool(self._convoy_goals(here, self.fleets) >> to & 1)
        if here == target:
            return False
        if code == SUPPORT_HOLD:
            return target in table.reach[row]
        sea = self._sea(here)
        if code == SUPPORT_MOVE:
            return table.province_of[to] in table.reach[row] and self._could_move(target, to, sea)
        if sea < 0 or self.units[target] & 1 == FLEET or to >= table.provinces:
            return False
        return bool(find_needed_seas(table, target, self.fleets).get(to, 0) >> sea & 1)

    def _could_move(self, here: int, to: int, sea: int) -> bool:
        """Return whether the unit in `here` could go to `to` without the fleet in `sea`."""
        table, row = self.table, self._row(here)
        if to in table.near[row]:
            return True
        if to >= table.provinces:
            return False
        if self.units[here] & 1 == FLEET:
            return to in table.reach[row]
        fleets = self.fleets & ~(1 << sea) if sea >= 0 else self.fleets
        return bool(self._convoy_goals(here, fleets) >> to & 1)

    # The whole list.

    def rows(self) -> Iterator[LegalRow]:
        """Yield every legal order, by province."""
        table = self.table
        armies = [here for here in self.units if self.units[here] & 1 != FLEET]
        connected = {here: find_connected_seas(table, here, self.fleets) for here in armies}
        by_sea = {here: find_landings(table, here, connected[here]) for here in armies}
        needed = {
            here: find_needed_seas(table, here, self.fleets)
            for here, seas in connected.items()
            if seas
        }
        goals = {here: self._goals(here, by_sea.get(here, 0)) for here in self.units}
        for here in self.units:
            yield here, HOLD, 0, 0
            for to in goals[here]:
                yield here, MOVE, 0, to
            for to in table.near[self._row(here)]:
                if by_sea.get(here, 0) >> to & 1:
                    yield here, MOVE_VIA, 0, to
            for other in table.reach[self._row(here)]:
                if other in self.units:
                    yield here, SUPPORT_HOLD, other, 0
            yield from self._support_moves(here, goals, connected)
            yield from self._convoys(here, by_sea, needed)

    def _goals(self, here: int, by_sea: int) -> list[int]:
        near = self.table.near[self._row(here)]
        return [*near, *(to for to in bits(by_sea) if to not in near)]

    def _support_moves(
        self, here: int, goals: Mapping[int, list[int]], connected: Mapping[int, int]
    ) -> Iterator[LegalRow]:
        table, sea = self.table, self._sea(here)
        own_sea = 1 << sea if sea >= 0 else 0
        reach = frozenset(table.reach[self._row(here)])
        for other in self.units:
            if other == here:
                continue
            possible = goals[other]
            if connected.get(other, 0) & own_sea:
                near = table.near[self._row(other)]
                without = self._convoy_goals(other, self.fleets & ~own_sea)
                possible = [to for to in possible if to in near or without >> to & 1]
            for to in possible:
                if table.province_of[to] in reach:
                    yield here, SUPPORT_MOVE, other, to

    def _convoys(
        self, here: int, by_sea: Mapping[int, int], needed: Mapping[int, dict[int, int]]
    ) -> Iterator[LegalRow]:
        sea = self._sea(here)
        if sea < 0:
            return
        for other, seas in needed.items():
            for goal in bits(by_sea[other]):
                if seas.get(goal, 0) >> sea & 1:
                    yield here, CONVOY, other, goal


def find_needed_seas(table: Table, start: int, fleets: int) -> dict[int, int]:
    """Return, for each goal of a convoy from `start`, the seas that it could need.

    A chain with a shortcut does not count; see `convoy_routes.convoy_fleets`.
    """
    needed: dict[int, int] = {}
    first = fleets & table.shores[start] if table.ports[start] else 0
    steps = 0
    stack = [(1 << sea, sea, fleets & ~first, 1 << start) for sea in bits(first)]
    while stack:
        steps += 1
        if steps > MAX_STEPS:
            connected = find_connected_seas(table, start, fleets)
            return dict.fromkeys(bits(find_landings(table, start, connected)), connected)
        chain, last, free, landed = stack.pop()
        ports = table.sea_ports[last]
        for goal in bits(ports & ~landed):
            needed[goal] = needed.get(goal, 0) | chain
        onward = free & table.sea_links[last]
        for sea in bits(onward):
            stack.append((chain | 1 << sea, sea, free & ~onward, landed | ports))
    return needed


def _retreats(table: Table, row: Row) -> Iterator[LegalRow]:
    for here in range(table.provinces):
        if row[HEAD + table.provinces + here] >= 0:
            yield here, DISBAND, 0, 0
            for to in retreat_options(table, row, here):
                yield here, RETREAT, 0, to


def find_owed(table: Table, row: Row) -> list[int]:
    """Return how many units each power may build; a negative number must be disbanded."""
    size = table.provinces
    held = [code >> POWER_SHIFT for code in row[HEAD : HEAD + size] if code >= 0]
    owners = row[HEAD + 4 * size : HEAD + 5 * size]
    balance = [owners.count(power) - held.count(power) for power in range(len(table.powers))]
    return [
        min(count, len(build_sites(table, row, power))) if count > 0 else count
        for power, count in enumerate(balance)
    ]


def build_sites(table: Table, row: Row, power: int) -> list[int]:
    """Return the empty home centers that `power` owns."""
    owner = HEAD + 4 * table.provinces
    return [
        here for here in table.homes[power] if row[owner + here] == power and row[HEAD + here] < 0
    ]


def _adjustments(table: Table, row: Row) -> Iterator[LegalRow]:
    balance = find_owed(table, row)
    open_sites = {
        here
        for power, count in enumerate(balance)
        if count > 0
        for here in build_sites(table, row, power)
    }
    for here in range(table.provinces):
        code = row[HEAD + here]
        if here in open_sites:
            yield here, BUILD, 0, here
            for to in table.landings[here]:
                yield here, BUILD, 1, to
        elif code >= 0 and balance[code >> POWER_SHIFT] < 0:
            yield here, DISBAND, 0, 0
