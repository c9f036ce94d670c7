"""Orders of a bot that keeps its promises, with as few changes to its plan as possible.

It gives the orders that it promised and none that break a promise. A unit whose planned order would
break a promise holds or takes another allowed order. The same plan, promises and state of `rng`
give the same orders.
"""

import random
from collections.abc import Mapping, Sequence
from typing import Final

from diplomaccloud.deals import Promises
from diplomaccloud.deals.breaches import is_same_order
from diplomaccloud.judge.board import Board, ProvinceCode, province_of
from diplomaccloud.judge.legality.legal_orders import legal_orders
from diplomaccloud.judge.legality.reader import Reader, Refusal
from diplomaccloud.judge.orders import (
    Build,
    Convoy,
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

Orders = dict[Unit, Order]
_SIMPLEST: Final = (Hold, Disband)
"""The first choices for a unit: hold, or disband if it must retreat."""


def keep_promises(
    board: Board,
    position: Position,
    planned: Sequence[Order],
    promises: Promises,
    *,
    rules: RuleSet,
    rng: random.Random,
) -> tuple[Order, ...]:
    """Return a power's planned orders, changed to keep its promises.

    The plan is kept where promises contradict each other or no legal order keeps them.
    """
    legal = legal_orders(board, position, promises.power, rules)
    keeping = [order for order in legal if not promises.is_broken_by(order, board, position)]
    reader = Reader(board, position, rules)
    promised = [
        order for wish in promises.orders if (order := _read(reader, promises, wish, legal))
    ]
    if position.phase.stage is Stage.ADJUSTMENTS:
        return _adjust(planned, promised, keeping, rng)
    return _Planner(board, position, promises, keeping, rng).change(planned, promised)


def _read(reader: Reader, promises: Promises, wish: Order, legal: Sequence[Order]) -> Order | None:
    """Return the legal form of a promised order, or None if it is no longer possible."""
    try:
        return reader.read(promises.power, wish)
    except Refusal:
        return next((order for order in legal if is_same_order(wish, order)), None)


class _Planner:
    """Changes the orders of units in movement and retreat phases."""

    def __init__(
        self,
        board: Board,
        position: Position,
        promises: Promises,
        keeping: Sequence[Order],
        rng: random.Random,
    ) -> None:
        self._board, self._position, self._promises, self._rng = board, position, promises, rng
        self._options: dict[Unit, list[Order]] = {}
        for order in keeping:
            if not isinstance(order, Waive):
                self._options.setdefault(order.unit, []).append(order)

    def change(self, planned: Sequence[Order], promised: Sequence[Order]) -> tuple[Order, ...]:
        """Return the changed orders in the sequence of the plan."""
        orders: Orders = {order.unit: order for order in planned if not isinstance(order, Waive)}
        fixed: Orders = {}
        for order in promised:
            if not isinstance(order, Waive) and order.unit in orders:
                fixed.setdefault(order.unit, order)
        orders |= fixed
        for unit, order in orders.items():
            if unit not in fixed and self._is_refused(order, fixed):
                orders[unit] = self._find_other(unit, orders)
        # A unit must not help a friendly unit that now does something else.
        for unit, order in orders.items():
            if unit not in fixed and _is_idle(order, orders):
                orders[unit] = self._find_other(unit, orders)
        return tuple(orders.values())

    def _is_refused(self, order: Order, fixed: Mapping[Unit, Order]) -> bool:
        """Return whether an order breaks a promise or gets in the way of a promised move."""
        goal = _find_goal(order)
        if goal is not None and goal in {_find_goal(other) for other in fixed.values()}:
            return True
        return self._promises.is_broken_by(order, self._board, self._position)

    def _find_other(self, unit: Unit, orders: Mapping[Unit, Order]) -> Order:
        """Return an order that keeps all promises, or the current order if none does."""
        options = self._options.get(unit, [])
        taken = {_find_goal(order) for other, order in orders.items() if other != unit}
        taken |= {
            other.province
            for other, order in orders.items()
            if other != unit and not isinstance(order, Move | Retreat | Disband)
        }
        moves = [order for order in options if _find_goal(order) not in {None, *taken}]
        moves.sort(key=str)
        if isinstance(orders[unit], Retreat) and moves:
            return self._rng.choice(moves)
        simplest = next((order for order in options if isinstance(order, _SIMPLEST)), None)
        if simplest is not None:
            return simplest
        return self._rng.choice(moves) if moves else next(iter(options), orders[unit])


def _find_goal(order: Order) -> ProvinceCode | None:
    """Return the province that the order's own unit goes to; None if it stays."""
    return province_of(order.to) if isinstance(order, Move | Retreat) else None


def _is_idle(order: Order, orders: Mapping[Unit, Order]) -> bool:
    """Return whether the order helps a friendly unit do something that it isn't doing."""
    match order:
        case SupportMove(_, target, to) | Convoy(_, target, to) if target in orders:
            return _find_goal(orders[target]) != province_of(to)
        case SupportHold(_, target) if target in orders:
            return isinstance(orders[target], Move)
    return False


def _adjust(
    planned: Sequence[Order],
    promised: Sequence[Order],
    keeping: Sequence[Order],
    rng: random.Random,
) -> tuple[Order, ...]:
    """Return as many builds or disbands as planned, promised ones first."""
    chosen = list(dict.fromkeys(promised))[: len(planned)]
    wanted = sum(not isinstance(order, Waive) for order in planned)
    others = sorted((order for order in keeping if not isinstance(order, Waive)), key=str)
    kept = [order for order in planned if order in others]
    spare = [order for order in others if order not in planned]
    rng.shuffle(spare)
    for order in (*kept, *spare):
        if len(chosen) < wanted and not _is_taken(order, chosen):
            chosen.append(order)
    waives = [order for order in (*planned, *keeping) if isinstance(order, Waive)]
    return (*chosen, *(waives[:1] * (len(planned) - len(chosen))))


def _is_taken(order: Order, chosen: Sequence[Order]) -> bool:
    """Return whether the unit is already disbanded, or its province already has a build."""
    if not isinstance(order, Build | Disband):
        return True
    place = order.unit.province
    return any(
        isinstance(other, Build | Disband) and other.unit.province == place for other in chosen
    )
