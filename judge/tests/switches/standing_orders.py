"""Steps before adjudication: multiple order sets, standing orders, proxies, surplus units.

They are for a game master who receives orders by mail, and for the switches of DATC 4.D.1, 4.D.2,
4.E.4, 4.E.5 and 4.E.6. A game with one order set for each power does not need them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from diplomaccloud.judge.adjustments import removal_order
from diplomaccloud.judge.board import Board, Power, ProvinceCode
from diplomaccloud.judge.orders import Order, Waive, power_of
from diplomaccloud.judge.phases import Season, Stage
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.rules import (
    DEFAULT,
    FlyingDutchman,
    OrderSets,
    ProxyOrders,
    RuleSet,
    UndatedSets,
)
from diplomaccloud.judge.units import Unit


@dataclass(frozen=True, slots=True)
class OrderSet:
    """An order set as submitted; `replaces`, if stated, says whether it replaces earlier ones."""

    orders: tuple[Order, ...]
    replaces: bool | None = None


def merge_order_sets(sets: Sequence[OrderSet], rules: RuleSet = DEFAULT) -> tuple[Order, ...]:
    """Return the orders that count in one power's order sets, passed oldest first (4.D.1).

    If order sets are combined, a later order for a unit replaces earlier ones.
    """
    counted: list[OrderSet] = []
    for order_set in sets:
        if _replaces_earlier(order_set, rules.order_sets):
            counted.clear()
        counted.append(order_set)
    merged: dict[object, list[Order]] = {}
    for order_set in counted:
        by_unit: dict[object, list[Order]] = {}
        for number, order in enumerate(order_set.orders):
            key = (id(order_set), number) if isinstance(order, Waive) else order.unit.province
            by_unit.setdefault(key, []).append(order)
        merged |= by_unit
    return tuple(order for orders in merged.values() for order in orders)


def _replaces_earlier(order_set: OrderSet, rule: OrderSets) -> bool:
    match rule:
        case OrderSets.COMBINE:
            return False
        case OrderSets.COMBINE_UNLESS_SAID:
            return order_set.replaces is True
        case OrderSets.REPLACE_UNLESS_SAID:
            return order_set.replaces is not False
        case OrderSets.REPLACE:
            return True


def merge_undated_sets(
    sets: Iterable[Iterable[Order]], rules: RuleSet = DEFAULT
) -> tuple[Order, ...]:
    """Return the orders that count if it is unknown which order set came last (4.D.2).

    If the sets are combined, a unit with different orders in two of them has two orders (4.D.3).
    """
    listed = [tuple(orders) for orders in sets]
    if len(listed) > 1 and rules.undated_sets is UndatedSets.HOLD:
        return ()
    return tuple(order for orders in listed for order in orders)


def add_perpetual_orders(
    orders: Iterable[Order], perpetual: Iterable[Order], rules: RuleSet = DEFAULT
) -> tuple[Order, ...]:
    """Return `orders` plus, if allowed, perpetual orders for units without any (4.E.4)."""
    given = tuple(orders)
    if not rules.perpetual_orders:
        return given
    ordered = {(power_of(order), _place(order)) for order in given}
    return given + tuple(o for o in perpetual if (power_of(o), _place(o)) not in ordered)


def _place(order: Order) -> ProvinceCode | None:
    return None if isinstance(order, Waive) else order.unit.province


@dataclass(frozen=True, slots=True)
class Proxy:
    """A unit that another power may order; `announced` says whether this was known in time."""

    unit: Unit
    to: Power
    announced: bool = True


def apply_proxies(
    orders: Iterable[Order], proxies: Iterable[Proxy], rules: RuleSet = DEFAULT
) -> tuple[Order, ...]:
    """Return `orders` with orders by proxy turned into orders of the unit's own power (4.E.5).

    Like any order, an order by proxy names its writer as the unit's power. If the rules do not
    allow the proxy, it remains an order for another power's unit.
    """
    allowed: Mapping[tuple[Power, ProvinceCode], Unit] = {
        (proxy.to, proxy.unit.province): proxy.unit
        for proxy in proxies
        if rules.proxy_orders is ProxyOrders.IN_ORDERS
        or (rules.proxy_orders is ProxyOrders.ANNOUNCED and proxy.announced)
    }
    return tuple(_apply_proxy(order, allowed) for order in orders)


def _apply_proxy(order: Order, allowed: Mapping[tuple[Power, ProvinceCode], Unit]) -> Order:
    if isinstance(order, Waive):
        return order
    unit = allowed.get((order.unit.power, order.unit.province))
    return order if unit is None else replace(order, unit=unit)


def surplus_units(
    board: Board, position: Position, power: Power, rules: RuleSet = DEFAULT, seed: str = ""
) -> tuple[Unit, ...]:
    """Return the units of `power` beyond its centers, in the order of civil disorder removals.

    Between an adjustment phase and the end of the next Fall, no power has more units than centers,
    so a surplus unit is a "Flying Dutchman" (4.E.6). In Fall retreats and Winter, a surplus is
    normal.
    """
    phase = position.phase
    if phase.stage is Stage.ADJUSTMENTS or (
        phase.season is Season.FALL and phase.stage is Stage.RETREATS
    ):
        return ()
    surplus = len(position.units_of(power)) - len(position.centers_of(power))
    queue = removal_order(board, position, power, rules, seed)
    return tuple(queue[: max(0, surplus)])


def remove_surplus(
    board: Board, position: Position, rules: RuleSet = DEFAULT, seed: str = ""
) -> Position:
    """Return `position` without Flying Dutchmen if the rules remove them (4.E.6)."""
    if rules.flying_dutchman is FlyingDutchman.STANDS:
        return position
    powers = sorted({unit.power for unit in position.units})
    surplus = {u for power in powers for u in surplus_units(board, position, power, rules, seed)}
    return replace(position, units=tuple(unit for unit in position.units if unit not in surplus))
