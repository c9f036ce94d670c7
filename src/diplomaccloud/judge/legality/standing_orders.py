"""What comes before adjudication: several order sets, standing orders, proxies, surplus units.

A game in which each power keeps one sheet, and the judge alone moves the units, needs none of
this; a game master who gets orders by post, and the switches of DATC 4.D.1, 4.D.2, 4.E.4, 4.E.5
and 4.E.6, do.
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
    """One sheet as it came in; `replaces` is what its writer said of the sheets before it."""

    orders: tuple[Order, ...]
    replaces: bool | None = None


def merged_sets(sets: Sequence[OrderSet], rules: RuleSet = DEFAULT) -> tuple[Order, ...]:
    """Return the orders that count of one power's sheets, the latest being the last (4.D.1).

    Where sheets are combined, a later order for a unit takes the place of earlier ones.
    """
    kept: list[OrderSet] = []
    for one in sets:
        if _takes_over(one, rules.order_sets):
            kept.clear()
        kept.append(one)
    merged: dict[object, list[Order]] = {}
    for one in kept:
        fresh: dict[object, list[Order]] = {}
        for number, order in enumerate(one.orders):
            key = (id(one), number) if isinstance(order, Waive) else order.unit.province
            fresh.setdefault(key, []).append(order)
        merged |= fresh
    return tuple(order for orders in merged.values() for order in orders)


def _takes_over(one: OrderSet, rule: OrderSets) -> bool:
    match rule:
        case OrderSets.COMBINE:
            return False
        case OrderSets.COMBINE_UNLESS_SAID:
            return one.replaces is True
        case OrderSets.REPLACE_UNLESS_SAID:
            return one.replaces is not False
        case OrderSets.REPLACE:
            return True


def merged_undated(sets: Iterable[Iterable[Order]], rules: RuleSet = DEFAULT) -> tuple[Order, ...]:
    """Return the orders that count of one power's sheets if none is known to be last (4.D.2).

    Combined, a unit that two sheets order differently has two orders (4.D.3).
    """
    listed = [tuple(orders) for orders in sets]
    if len(listed) > 1 and rules.undated_sets is UndatedSets.HOLD:
        return ()
    return tuple(order for orders in listed for order in orders)


def with_perpetual(
    orders: Iterable[Order], perpetual: Iterable[Order], rules: RuleSet = DEFAULT
) -> tuple[Order, ...]:
    """Return `orders` with the perpetual ones of units not ordered now, if allowed (4.E.4)."""
    given = tuple(orders)
    if not rules.perpetual_orders:
        return given
    busy = {(power_of(one), _place(one)) for one in given}
    return given + tuple(one for one in perpetual if (power_of(one), _place(one)) not in busy)


def _place(order: Order) -> ProvinceCode | None:
    return None if isinstance(order, Waive) else order.unit.province


@dataclass(frozen=True, slots=True)
class Proxy:
    """A unit whose order another power may write; `announced` before orders were due."""

    unit: Unit
    to: Power
    announced: bool = True


def with_proxies(
    orders: Iterable[Order], proxies: Iterable[Proxy], rules: RuleSet = DEFAULT
) -> tuple[Order, ...]:
    """Return `orders` with those written by proxy as orders of the unit's own power (4.E.5).

    An order by proxy names its writer as the unit's power, as any order does. A proxy that the
    rules do not allow changes nothing, so that the order is one for another's unit.
    """
    allowed: Mapping[tuple[Power, ProvinceCode], Unit] = {
        (one.to, one.unit.province): one.unit
        for one in proxies
        if rules.proxy_orders is ProxyOrders.IN_ORDERS
        or (rules.proxy_orders is ProxyOrders.ANNOUNCED and one.announced)
    }
    return tuple(_in_own_name(order, allowed) for order in orders)


def _in_own_name(order: Order, allowed: Mapping[tuple[Power, ProvinceCode], Unit]) -> Order:
    if isinstance(order, Waive):
        return order
    unit = allowed.get((order.unit.power, order.unit.province))
    return order if unit is None else replace(order, unit=unit)


def surplus_units(
    board: Board, position: Position, power: Power, rules: RuleSet = DEFAULT, seed: str = ""
) -> tuple[Unit, ...]:
    """Return the units of `power` beyond its centers, the first that civil disorder would take.

    Between an adjustment and the next Fall's end a power has no more units than centers; one
    more is a "Flying Dutchman" (4.E.6). In Fall retreats and Winter a surplus is as it should be.
    """
    phase = position.phase
    if phase.stage is Stage.ADJUSTMENTS or (
        phase.season is Season.FALL and phase.stage is Stage.RETREATS
    ):
        return ()
    surplus = len(position.units_of(power)) - len(position.centers_of(power))
    queue = removal_order(board, position, power, rules, seed)
    return tuple(queue[: max(0, surplus)])


def without_surplus(
    board: Board, position: Position, rules: RuleSet = DEFAULT, seed: str = ""
) -> Position:
    """Return `position` without its Flying Dutchmen, if the rules have them removed (4.E.6)."""
    if rules.flying_dutchman is FlyingDutchman.STANDS:
        return position
    powers = sorted({unit.power for unit in position.units})
    gone = {u for power in powers for u in surplus_units(board, position, power, rules, seed)}
    return replace(position, units=tuple(unit for unit in position.units if unit not in gone))
