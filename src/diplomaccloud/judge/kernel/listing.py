"""Legal orders over integers: the pure twin of the compiled listing."""

from collections.abc import Iterator, Sequence

from diplomaccloud.judge.convoy_routes import MOST_STEPS
from diplomaccloud.judge.kernel.layout import (
    BUILD,
    CONVOY,
    DISBAND,
    HEAD,
    HOLD,
    MOVE,
    MOVE_VIA,
    RETREAT,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
    retreats,
)
from diplomaccloud.judge.kernel.table import FLEET, Table, bits

Row = Sequence[int]
Legal = tuple[int, int, int, int]
"""A province, and the code, target and goal of an order for the unit there."""


def legal_rows(table: Table, row: Row) -> Iterator[Legal]:
    """Yield every legal order of a state, by province."""
    if row[1] in {0, 2}:
        return _Moves(table, row).rows()
    return _retreats(table, row) if row[1] in {1, 3} else _adjustments(table, row)


def component(table: Table, start: int, fleets: int) -> int:
    """Return those of the seas `fleets` that an army in `start` could reach by convoy."""
    if not table.ports[start]:
        return 0
    reached = fresh = fleets & table.shores[start]
    while fresh:
        onward = 0
        for sea in bits(fresh):
            onward |= table.sea_links[sea]
        fresh = onward & fleets & ~reached
        reached |= fresh
    return reached


def landings(table: Table, start: int, fleets: int) -> int:
    """Return the mask of provinces to which the seas `fleets`, all within reach, could carry."""
    goals = 0
    for sea in bits(fleets):
        goals |= table.sea_ports[sea]
    return goals & ~(1 << start)


class _Moves:
    def __init__(self, table: Table, row: Row) -> None:
        self.table = table
        self.units = row[HEAD : HEAD + table.provinces]
        self.fleets = 0
        for province, sea in zip(table.seas, range(len(table.seas)), strict=True):
            code = self.units[province]
            if code >= 0 and code & 1 == FLEET:
                self.fleets |= 1 << sea
        self.joined: dict[int, int] = {}
        self.by_sea: dict[int, int] = {}
        self.standing = [here for here, code in enumerate(self.units) if code >= 0]
        for here in self.standing:
            if self.units[here] & 1 != FLEET:
                self.joined[here] = component(table, here, self.fleets)
                self.by_sea[here] = landings(table, here, self.joined[here])
        self.goals = {here: self._goals(here) for here in self.standing}
        self.needed = {
            here: needed(table, here, self.fleets) for here, seas in self.joined.items() if seas
        }

    def _near(self, here: int) -> Sequence[int]:
        code = self.units[here]
        return self.table.near[(code & 1) * self.table.places + (code >> 1 & 1023)]

    def _goals(self, here: int) -> list[int]:
        near = self._near(here)
        return [*near, *(to for to in bits(self.by_sea.get(here, 0)) if to not in near)]

    def rows(self) -> Iterator[Legal]:
        table = self.table
        for here in self.standing:
            code = self.units[here]
            yield here, HOLD, 0, 0
            near, by_sea = self._near(here), self.by_sea.get(here, 0)
            for to in self.goals[here]:
                yield here, MOVE, 0, to
            for to in near:
                if by_sea >> to & 1:
                    yield here, MOVE_VIA, 0, to
            reach = table.reach[(code & 1) * table.places + (code >> 1 & 1023)]
            for other in reach:
                if self.units[other] >= 0:
                    yield here, SUPPORT_HOLD, other, 0
            yield from self._support_moves(here, frozenset(reach))
            yield from self._convoys(here)

    def _support_moves(self, here: int, reach: frozenset[int]) -> Iterator[Legal]:
        table = self.table
        mine = 0
        if self.units[here] & 1 == FLEET and table.sea_of[here] >= 0:
            mine = 1 << table.sea_of[here]
        for other in self.standing:
            if other == here:
                continue
            goals = self.goals[other]
            if self.joined.get(other, 0) & mine:
                seas = component(table, other, self.fleets & ~mine)
                by_sea, near = landings(table, other, seas), self._near(other)
                goals = [to for to in goals if to in near or by_sea >> to & 1]
            for to in goals:
                if table.province_of[to] in reach:
                    yield here, SUPPORT_MOVE, other, to

    def _convoys(self, here: int) -> Iterator[Legal]:
        sea = self.table.sea_of[here]
        if sea < 0 or not self.fleets >> sea & 1:
            return
        for other, needed in self.needed.items():
            for goal in bits(self.by_sea[other]):
                if needed.get(goal, 0) >> sea & 1:
                    yield here, CONVOY, other, goal


def needed(table: Table, start: int, fleets: int) -> dict[int, int]:
    """Return, for each goal of a convoy from `start`, the seas that it could need.

    A chain with a short cut does not count; see `routes.convoy_fleets`.
    """
    found: dict[int, int] = {}
    first = fleets & table.shores[start] if table.ports[start] else 0
    steps = 0
    stack = [(1 << sea, sea, fleets & ~first, 1 << start) for sea in bits(first)]
    while stack:
        steps += 1
        if steps > MOST_STEPS:
            joined = component(table, start, fleets)
            return dict.fromkeys(bits(landings(table, start, joined)), joined)
        chain, last, free, landed = stack.pop()
        ports = table.sea_ports[last]
        for goal in bits(ports & ~landed):
            found[goal] = found.get(goal, 0) | chain
        onward = free & table.sea_links[last]
        for sea in bits(onward):
            stack.append((chain | 1 << sea, sea, free & ~onward, landed | ports))
    return found


def _retreats(table: Table, row: Row) -> Iterator[Legal]:
    for here in range(table.provinces):
        if row[HEAD + table.provinces + here] >= 0:
            yield here, DISBAND, 0, 0
            for to in retreats(table, row, here):
                yield here, RETREAT, 0, to


def owed(table: Table, row: Row) -> list[int]:
    """Return how many units each power may build, or less than 0: must disband."""
    size = table.provinces
    held = [code >> 11 for code in row[HEAD : HEAD + size] if code >= 0]
    owners = row[HEAD + 4 * size : HEAD + 5 * size]
    balance = [owners.count(power) - held.count(power) for power in range(len(table.powers))]
    return [
        min(count, len(build_sites(table, row, power))) if count > 0 else count
        for power, count in enumerate(balance)
    ]


def build_sites(table: Table, row: Row, power: int) -> list[int]:
    """Return the home centers of `power` that it owns and nobody stands in."""
    owner = HEAD + 4 * table.provinces
    return [
        here for here in table.homes[power] if row[owner + here] == power and row[HEAD + here] < 0
    ]


def _adjustments(table: Table, row: Row) -> Iterator[Legal]:
    balance = owed(table, row)
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
        elif code >= 0 and balance[code >> 11] < 0:
            yield here, DISBAND, 0, 0
