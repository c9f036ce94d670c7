"""A slow, separate reading of DATC 5.B: try every set of moves and keep the consistent ones.

Once it is said which moves succeed, everything else follows: a fleet's convoy holds if no move
into its sea succeeds, a path is open if a chain of such fleets leads there, a support counts
unless it is cut; and then each move's own equation says whether it was rightly said.
"""

from collections.abc import Collection, Iterable, Sequence
from itertools import product

from diplomaccloud.judge.board import Board, Location, ProvinceCode, UnitKind, province_of
from diplomaccloud.judge.orders import Convoy, Move, MovementOrder, SupportHold, SupportMove


class Table:
    """Legal orders, one for each unit, by the province the unit stands in."""

    def __init__(self, board: Board, orders: Iterable[MovementOrder]) -> None:
        self.board = board
        self.orders = {order.unit.province: order for order in orders}
        self.moves = {
            province: province_of(order.to)
            for province, order in self.orders.items()
            if isinstance(order, Move)
        }

    def carriers(self, army: ProvinceCode) -> list[ProvinceCode]:
        return [
            province
            for province, order in self.orders.items()
            if isinstance(order, Convoy)
            and order.target.province == army
            and order.to == self.moves.get(army)
        ]

    def sails(self, army: ProvinceCode) -> bool:
        """Whether the army goes by convoy, by the rules of 2000."""
        order = self.orders[army]
        if not isinstance(order, Move) or order.unit.kind is UnitKind.FLEET:
            return False
        if self.moves[army] not in self.board.army_neighbors[army]:
            return True
        own = any(self.power(fleet) == self.power(army) for fleet in self.carriers(army))
        return own or order.via_convoy

    def power(self, province: ProvinceCode) -> str:
        return self.orders[province].unit.power

    def supporters(self, target: ProvinceCode) -> list[ProvinceCode]:
        return [p for p, order in self.orders.items() if self._supports(order, target)]

    def _supports(self, order: MovementOrder, target: ProvinceCode) -> bool:
        move = self.orders[target]
        if isinstance(order, SupportHold):
            return order.target.province == target and not isinstance(move, Move)
        if not isinstance(order, SupportMove) or not isinstance(move, Move):
            return False
        named = order.to in {move.to, Location(province_of(move.to))}
        return order.target.province == target and named


class Trial:
    """One guess of which moves succeed; `sunk` fleets do not convoy whatever happens."""

    def __init__(
        self, table: Table, moved: Collection[ProvinceCode], sunk: Collection[ProvinceCode]
    ) -> None:
        self.table, self.moved, self.sunk = table, moved, sunk

    def consistent(self) -> bool:
        return all(self.wins(move) == (move in self.moved) for move in self.table.moves)

    def into(self, province: ProvinceCode) -> list[ProvinceCode]:
        return [start for start, goal in self.table.moves.items() if goal == province]

    def path(self, army: ProvinceCode) -> bool:
        if not self.table.sails(army):
            return True
        floats = {
            fleet
            for fleet in self.table.carriers(army)
            if fleet not in self.sunk and not any(a in self.moved for a in self.into(fleet))
        }
        reach = self.table.board.fleet_provinces
        links = {fleet for fleet in floats if army in reach[Location(fleet)]}
        while True:
            more = {f for f in floats - links if any(f in reach[Location(x)] for x in links)}
            if not more:
                break
            links |= more
        return any(self.table.moves[army] in reach[Location(fleet)] for fleet in links)

    def given(self, supporter: ProvinceCode) -> bool:
        order = self.table.orders[supporter]
        assert isinstance(order, SupportHold | SupportMove)
        into = order.target.province
        if isinstance(order, SupportMove):
            into = province_of(order.to)
        for attacker in self.into(supporter):
            if attacker in self.moved:
                return False
            foreign = self.table.power(attacker) != self.table.power(supporter)
            if foreign and attacker != into and self.path(attacker):
                return False
        return True

    def strength(self, target: ProvinceCode, against: str | None = None) -> int:
        backers = self.table.supporters(target)
        return 1 + sum(self.given(b) for b in backers if self.table.power(b) != against)

    def head_on(self, move: ProvinceCode) -> bool:
        goal = self.table.moves[move]
        back = self.table.moves.get(goal) == move
        return back and not self.table.sails(goal) and not self.table.sails(move)

    def attack(self, move: ProvinceCode) -> int:
        goal = self.table.moves[move]
        if not self.path(move):
            return 0
        leaves = goal in self.moved and not self.head_on(move)
        if goal not in self.table.orders or leaves:
            return self.strength(move)
        if self.table.power(goal) == self.table.power(move):
            return 0
        return self.strength(move, against=self.table.power(goal))

    def hold(self, province: ProvinceCode) -> int:
        if province not in self.table.orders or province in self.moved:
            return 0
        return 1 if province in self.table.moves else self.strength(province)

    def prevent(self, move: ProvinceCode) -> int:
        if not self.path(move) or (self.head_on(move) and self.table.moves[move] in self.moved):
            return 0
        return self.strength(move)

    def wins(self, move: ProvinceCode) -> bool:
        goal = self.table.moves[move]
        resist = self.strength(goal) if self.head_on(move) else self.hold(goal)
        rivals = [self.prevent(other) for other in self.into(goal) if other != move]
        return self.attack(move) > max([resist, *rivals])


def consistent_moves(
    table: Table, sunk: Collection[ProvinceCode] = ()
) -> list[frozenset[ProvinceCode]]:
    """Return every set of successful moves that agrees with the equations."""
    starts: Sequence[ProvinceCode] = sorted(table.moves)
    found = []
    for picks in product((False, True), repeat=len(starts)):
        moved = frozenset(start for start, pick in zip(starts, picks, strict=True) if pick)
        if Trial(table, moved, sunk).consistent():
            found.append(moved)
    return found
