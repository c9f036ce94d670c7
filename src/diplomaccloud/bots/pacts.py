"""Pacts, the effect of deals on a search in the kernel's numbers, and orders that keep promises.

A bot that keeps its promises changes its plan as little as possible. It gives the orders that it
promised and none that break a promise. A unit whose planned order would break a promise holds or
takes another allowed order. The same plan, promises and state of `rng` give the same orders.
"""

import random
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from diplomaccloud.deals import Alliance, Peace, Promises, Terms, find_promises
from diplomaccloud.deals.breaches import is_same_order
from diplomaccloud.judge.board import Board, Power, ProvinceCode, province_of
from diplomaccloud.judge.kernel.layout import order_codes
from diplomaccloud.judge.kernel.table import table_of
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

Deal = tuple[Terms, int]
"""Terms that all parties accepted, with the number of the accepted alternative."""

Codes = tuple[int, int, int]
"""An order's code, target and goal."""


@dataclass(frozen=True, slots=True)
class Pact:
    """The promises that a power counts on: its own, in `promises`, and those made to it.

    `truces` is as in `policy.choose_orders`, or None if there are none. `pins` are the promised
    orders of all powers, by the province of the unit. `doubt` is the fraction of the replies in
    which the others ignore their truces with the power. `foes` maps the numbers of the powers that
    it takes revenge on to a weight: the worth of a foe's position times this weight is subtracted
    from the worth of a plan.
    """

    board: Board | None = None
    position: Position | None = None
    promises: Promises | None = None
    truces: "array[int] | None" = None
    pins: Mapping[int, Codes] = field(default_factory=dict)
    doubt: float = 0.0
    foes: Mapping[int, float] = field(default_factory=dict)

    def doubt_truces(self, power: int) -> "array[int] | None":
        """Return a copy of the truces in which the others no longer spare this power."""
        if self.truces is None:
            return None
        truces = self.truces[:]
        powers = round(len(truces) ** 0.5)
        truces[power::powers] = array("i", [0]) * powers
        return truces

    def allows(self, order: Order) -> bool:
        """Return whether an order keeps all promises of the power."""
        if self.promises is None or self.board is None or self.position is None:
            return True
        return not self.promises.is_broken_by(order, self.board, self.position)


NO_PACT: Final = Pact()


def find_pact(
    board: Board,
    position: Position,
    power: Power,
    deals: Iterable[Deal],
    broken: Iterable[Deal] = (),
) -> Pact:
    """Return the pact that follows from the deals of `power` in the phase of the position.

    The power itself ignores the `broken` deals, while the other parties keep them.
    """
    kept = list(deals)
    both = [*kept, *broken]
    if not both:
        return NO_PACT
    phase, table = position.phase, table_of(board)
    promises = find_promises(both, board.power_info, phase)
    mine = find_promises(kept, [power], phase).get(power)
    by_power = {giver: each for giver, each in promises.items() if giver != power}
    if mine is not None:
        by_power[power] = mine
    pins = {
        table.province_of[table.place_of[order.unit.location]]: order_codes(table, order)
        for each in by_power.values()
        for order in each.orders
        if not isinstance(order, Waive)
    }
    powers = table.power_of
    truces = array("i", [0]) * len(powers) ** 2
    for giver, each in by_power.items():
        for partner in list_partners(each):
            truces[powers[giver] * len(powers) + powers[partner]] = 1
    return Pact(board, position, mine, truces if any(truces) else None, pins)


def list_partners(promises: Promises) -> list[Power]:
    """Return the powers with which a power has promised peace."""
    treaties = [clause for clause in promises.clauses if isinstance(clause, Peace | Alliance)]
    powers = dict.fromkeys(power for treaty in treaties for power in treaty.powers)
    return [power for power in powers if power != promises.power]


# Orders that keep promises.


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
    promised: list[Order] = []
    for wish in promises.orders:
        try:
            promised.append(reader.read(promises.power, wish))
        except Refusal:
            # The legal form of the order, if it is still possible.
            promised += [order for order in legal if is_same_order(wish, order)][:1]
    if position.phase.stage is Stage.ADJUSTMENTS:
        return _adjust(planned, promised, keeping, rng)
    return _Planner(board, position, promises, keeping, rng).change(planned, promised)


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
        reserved = {_find_goal(order) for order in fixed.values()} - {None}
        for unit, order in orders.items():
            if unit in fixed:
                continue
            # An order must not get in the way of a promised move, either.
            is_refused = _find_goal(order) in reserved or self._promises.is_broken_by(
                order, self._board, self._position
            )
            if is_refused:
                orders[unit] = self._find_other(unit, orders)
        # A unit must not help a friendly unit that now does something else.
        for unit, order in orders.items():
            if unit not in fixed and _is_idle(order, orders):
                orders[unit] = self._find_other(unit, orders)
        return tuple(orders.values())

    def _find_other(self, unit: Unit, orders: Mapping[Unit, Order]) -> Order:
        """Return an order that keeps all promises, or the current order if none does."""
        options = self._options.get(unit, [])
        rest = {each: order for each, order in orders.items() if each != unit}
        goes = (Move, Retreat, Disband)
        taken = {_find_goal(order) for order in rest.values()}
        taken |= {each.province for each, order in rest.items() if not isinstance(order, goes)}
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
    # A unit is disbanded once, and a province has one build.
    taken = {o.unit.province for o in chosen if isinstance(o, Build | Disband)}
    for order in (*kept, *spare):
        if not isinstance(order, Build | Disband) or order.unit.province in taken:
            continue
        if len(chosen) < wanted:
            chosen.append(order)
            taken.add(order.unit.province)
    waives = [order for order in (*planned, *keeping) if isinstance(order, Waive)]
    return (*chosen, *(waives[:1] * (len(planned) - len(chosen))))
