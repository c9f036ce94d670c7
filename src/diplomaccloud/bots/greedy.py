"""The bot that grows: every unit goes where centers pull hardest, others support it.

After David Norman's DumbBot, told in our own words; see `values` for the pull. It never
convoys and keeps no promises, yet it is hard on beginners and fast.
"""

import random
from collections import deque
from collections.abc import Callable, Sequence
from typing import TypeVar

from diplomaccloud.bots.values import Values, value_map
from diplomaccloud.judge.adjustments import adjustments_owed
from diplomaccloud.judge.board import Board, Location, Power, ProvinceCode, province_of
from diplomaccloud.judge.legality import legal_orders
from diplomaccloud.judge.orders import (
    Build,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
    Waive,
)
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.rules import RuleSet
from diplomaccloud.judge.units import Unit

_Choice = TypeVar("_Choice")


class GreedyBot:
    """Takes the most valuable place each unit can reach, with a little chance mixed in."""

    name = "greedy"

    def orders(
        self,
        board: Board,
        position: Position,
        power: Power,
        rules: RuleSet,  # noqa: ARG002 the protocol's
        rng: random.Random,
    ) -> Sequence[Order]:
        """Return orders that grow; the same for the same state of `rng`."""
        values = value_map(board, position, power)
        match position.phase.stage:
            case Stage.MOVEMENT:
                return _Planner(board, position, power, values, rng).plan()
            case Stage.RETREATS:
                return _retreats(position, power, values, rng)
            case Stage.ADJUSTMENTS:
                return _adjustments(board, position, power, values, rng)


def _pick(options: list[_Choice], worth: Callable[[_Choice], float], rng: random.Random) -> _Choice:
    """Return the best option, or now and then a next one that is nearly as good."""
    ranked = sorted(options, key=worth, reverse=True)
    chosen = 0
    while chosen + 1 < len(ranked):
        here, below = worth(ranked[chosen]), worth(ranked[chosen + 1])
        loss = 5 * (here - below) / here if here > 0 else 1.0
        if rng.random() >= 0.5 * (1 - min(1.0, loss)):
            break
        chosen += 1
    return ranked[chosen]


class _Planner:
    """Orders for one movement phase, found unit by unit."""

    def __init__(
        self, board: Board, position: Position, power: Power, values: Values, rng: random.Random
    ) -> None:
        self.board = board
        self.values = values
        self.rng = rng
        self.units = list(position.units_of(power))
        self.standing = {unit.province: unit for unit in self.units}
        self.orders: dict[Unit, Order] = {}
        self.arriving: dict[ProvinceCode, Move] = {}

    def plan(self) -> list[Order]:
        """Return one order per unit."""
        self.rng.shuffle(self.units)
        queue = deque(self.units)
        waits = 0
        while queue:
            unit = queue.popleft()
            order = self._choose(unit, may_wait=waits < len(queue))
            if order is None:
                queue.append(unit)
                waits += 1
                continue
            waits = 0
            self.orders[unit] = order
            if isinstance(order, Move):
                self.arriving[province_of(order.to)] = order
        self._put_holders_to_use()
        return [self.orders[unit] for unit in sorted(self.orders)]

    def _worth(self, unit: Unit, place: Location) -> float:
        return self.values.nodes[unit.kind, place] + (1 if place == unit.location else 0)

    def _choose(self, unit: Unit, *, may_wait: bool) -> Order | None:
        """Return an order, or None to ask again once the unit in the way has its own."""
        options = [unit.location, *sorted(self.board.destinations(unit.kind, unit.location))]
        while True:
            place = _pick(options, lambda at: self._worth(unit, at), self.rng)
            if place == unit.location:
                return Hold(unit)
            target = province_of(place)
            friend = self.standing.get(target)
            if friend is not None and friend not in self.orders and may_wait:
                return None
            if order := self._order_into(unit, place, friend):
                return order
            options.remove(place)

    def _order_into(self, unit: Unit, place: Location, friend: Unit | None) -> Order | None:
        """Return a move to `place`, support for a friend there, or None if neither helps."""
        target = province_of(place)
        rivals = self.values.competition.get(target, 0)
        if friend is not None and not isinstance(self.orders.get(friend), Move):
            return SupportHold(unit, friend) if friend in self.orders and rivals > 1 else None
        if move := self.arriving.get(target):
            return SupportMove(unit, move.unit, move.to) if rivals > 0 else None
        return Move(unit, place)

    def _put_holders_to_use(self) -> None:
        """Let each unit that would only hold support its most valuable neighbour instead."""
        for unit, order in list(self.orders.items()):
            if not isinstance(order, Hold):
                continue
            supports = [s for s in map(self._support_into(unit), self._near(unit)) if s]
            if supports:
                best = max(supports, key=lambda one: one[0])
                self.orders[unit] = best[1]

    def _near(self, unit: Unit) -> list[ProvinceCode]:
        return sorted(self.board.reach(unit.kind, unit.location))

    def _support_into(
        self, unit: Unit
    ) -> Callable[[ProvinceCode], tuple[float, SupportHold | SupportMove] | None]:
        def support(target: ProvinceCode) -> tuple[float, SupportHold | SupportMove] | None:
            rivals = self.values.competition.get(target, 0)
            if (move := self.arriving.get(target)) and rivals > 0 and move.unit != unit:
                return self._worth(move.unit, move.to), SupportMove(unit, move.unit, move.to)
            friend = self.standing.get(target)
            if friend and rivals > 1 and not isinstance(self.orders[friend], Move):
                return self._worth(friend, friend.location), SupportHold(unit, friend)
            return None

        return support


def _retreats(position: Position, power: Power, values: Values, rng: random.Random) -> list[Order]:
    taken: set[ProvinceCode] = set()
    orders: list[Order] = []
    for one in position.dislodged_of(power):
        free = [place for place in one.retreats if province_of(place) not in taken]
        if not free:
            orders.append(Disband(one.unit))
            continue
        kind = one.unit.kind
        place = _pick(free, lambda at, kind=kind: values.nodes[kind, at], rng)  # type: ignore[misc]
        taken.add(province_of(place))
        orders.append(Retreat(one.unit, place))
    return orders


def _adjustments(
    board: Board, position: Position, power: Power, values: Values, rng: random.Random
) -> list[Order]:
    owed = adjustments_owed(board, position, power)
    legal = legal_orders(board, position, power)
    if owed < 0:
        disbands = [order for order in legal if isinstance(order, Disband)]
        disbands.sort(key=lambda order: values.nodes[order.unit.kind, order.unit.location])
        return list(disbands[:-owed])
    orders: list[Order] = []
    builds = [order for order in legal if isinstance(order, Build)]
    while builds and len(orders) < owed:
        chosen = _pick(builds, lambda b: values.nodes[b.unit.kind, b.unit.location], rng)
        orders.append(chosen)
        builds = [b for b in builds if b.unit.province != chosen.unit.province]
    return orders + [Waive(power)] * (owed - len(orders))
