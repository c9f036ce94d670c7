"""Winter adjustments: builds, disbands, and removals in civil disorder."""

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from diplomaccloud.judge.balance import adjustments_owed, build_sites
from diplomaccloud.judge.board import Board, Power, ProvinceCode, UnitKind
from diplomaccloud.judge.geography import FAR, geography, steps_by_fleet, steps_over_all
from diplomaccloud.judge.orders import AdjustmentOrder, Build, Disband, Waive
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.results import OrderResult, Outcome
from diplomaccloud.judge.rules import Removal, RuleSet
from diplomaccloud.judge.units import Unit

__all__ = ["Adjusted", "adjust", "adjustments_owed", "build_sites", "removal_order"]


@dataclass(slots=True)
class Adjusted:
    """What one power's adjustments came to."""

    results: list[OrderResult] = field(default_factory=list)
    built: list[Unit] = field(default_factory=list)
    removed: list[Unit] = field(default_factory=list)


def adjust(
    board: Board,
    position: Position,
    power: Power,
    orders: Iterable[AdjustmentOrder],
    queue: Callable[[], Sequence[Unit]],
) -> Adjusted:
    """Return what `power` builds or loses; `orders` are legal one by one, in the order given.

    The first orders that are possible count (DATC 4.D.4 to 4.D.6); builds not ordered are
    waived, disbands not ordered take the first units of `queue()`.
    """
    owed = adjustments_owed(board, position, power)
    if owed > 0:
        return _build(board, owed, power, orders)
    return _disband(geography(board).power(power), -owed, orders, queue)


def _build(board: Board, owed: int, power: Power, orders: Iterable[AdjustmentOrder]) -> Adjusted:
    done = Adjusted()
    names = geography(board)
    taken: set[ProvinceCode] = set()
    used = 0
    for order in orders:
        if isinstance(order, Build) and order.unit.province in taken:
            text = f"{names.names[order.unit.province]} takes only one unit."
            done.results.append(OrderResult(order, Outcome.VOID, text))
        elif used == owed:
            text = f"{names.power(power)} had no more than {owed} to build."
            done.results.append(OrderResult(order, Outcome.VOID, text))
        elif isinstance(order, Build):
            used += 1
            taken.add(order.unit.province)
            done.built.append(order.unit)
            text = f"Built in {names.name(order.unit.location)}."
            done.results.append(OrderResult(order, Outcome.BUILT, text))
        else:
            used += 1
            done.results.append(OrderResult(order, Outcome.WAIVED, "Waived as ordered."))
    for _ in range(owed - used):
        text = "Waived: nothing was ordered."
        done.results.append(OrderResult(Waive(power), Outcome.WAIVED, text, implicit=True))
    return done


def _disband(
    who: str,
    owed: int,
    orders: Iterable[AdjustmentOrder],
    queue: Callable[[], Sequence[Unit]],
) -> Adjusted:
    done = Adjusted()
    for order in orders:
        if not isinstance(order, Disband):
            continue
        if order.unit in done.removed:
            done.results.append(OrderResult(order, Outcome.VOID, "It is disbanded already."))
        elif len(done.removed) == owed:
            text = f"{who} had no more than {owed} to disband."
            done.results.append(OrderResult(order, Outcome.VOID, text))
        else:
            done.removed.append(order.unit)
            done.results.append(OrderResult(order, Outcome.DISBANDED, "Disbanded as ordered."))
    if len(done.removed) < owed:
        rest = [unit for unit in queue() if unit not in done.removed]
        for unit in rest[: owed - len(done.removed)]:
            done.removed.append(unit)
            text = "Disbanded by the rule for civil disorder."
            result = OrderResult(Disband(unit), Outcome.DISBANDED, text, implicit=True)
            done.results.append(result)
    return done


def removal_order(
    board: Board, position: Position, power: Power, rules: RuleSet, seed: str
) -> Sequence[Unit]:
    """Return the units of `power` in the order in which civil disorder removes them.

    The farthest goes first, then fleets before armies, then alphabetically by the full name
    of the province (2000 rulebook, "Civil Disorder"; DATC 4.D.8). The distance is to the
    nearest home center, an army's counted over land and sea, a fleet's as fleets sail; in
    2023 it is to the nearest center owned now, over land and sea for both. In 2009 the order
    is drawn by `seed`, units outside the home country first.
    """
    units = position.units_of(power)
    if rules.removal is Removal.RANDOM_2009:
        home = {p.code for p in board.provinces if p.home == power}
        rng = random.Random(f"{seed}:{position.phase}:{power}")
        drawn = rng.sample(units, len(units))
        return sorted(drawn, key=lambda unit: unit.province in home)
    steps = _distance(board, position, power, rules.removal)
    names = geography(board).names
    return sorted(
        units,
        key=lambda unit: (
            -steps(unit),
            unit.kind is not UnitKind.FLEET,
            names.get(unit.province, unit.province).casefold(),
        ),
    )


def _distance(
    board: Board, position: Position, power: Power, removal: Removal
) -> Callable[[Unit], int]:
    if removal is Removal.OWNED_2023:
        near = steps_over_all(board, position.centers_of(power))
        return lambda unit: near.get(unit.province, FAR)
    goals = board.home_centers.get(power, ())
    walk, sail = steps_over_all(board, goals), steps_by_fleet(board, goals)

    def steps(unit: Unit) -> int:
        if unit.kind is UnitKind.FLEET:
            return sail.get(unit.location, FAR)
        return walk.get(unit.province, FAR)

    return steps
