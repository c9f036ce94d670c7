"""The conditional orders of one power, and the orders they become when a phase opens."""

from collections.abc import Iterator
from dataclasses import dataclass

from diplomaccloud.judge.adjustments import adjustments_owed
from diplomaccloud.judge.board import Board, Location, Power, ProvinceCode, province_of
from diplomaccloud.judge.legality.reader import Reader, Refusal
from diplomaccloud.judge.orders import AdjustmentOrder, Build, Disband, Retreat, Waive
from diplomaccloud.judge.position import Dislodged, Position
from diplomaccloud.judge.units import Unit


@dataclass(frozen=True, slots=True)
class RetreatPlan:
    """Where the unit in `province` retreats to: the first of `choices` that is possible.

    `None` among the choices means to disband.
    """

    province: ProvinceCode
    choices: tuple[Location | None, ...]

    def __str__(self) -> str:
        choices = ", ".join(choice or "disband" for choice in self.choices)
        return f"if {self.province} is dislodged: {choices}"


@dataclass(frozen=True, slots=True)
class AdjustmentPlan:
    """What to build when `owed` builds are due, or to disband when `owed` is negative.

    The first possible entries in `units` are used; later entries replace impossible ones.
    `None` waives a build.
    """

    owed: int
    units: tuple[Unit | None, ...]

    def __str__(self) -> str:
        units = ", ".join("waive" if unit is None else str(unit) for unit in self.units)
        return f"if {abs(self.owed)} {'gained' if self.owed > 0 else 'lost'}: {units}"


@dataclass(frozen=True, slots=True)
class ConditionalOrders:
    """All conditional orders of one power; `str()` gives canonical text that can be read back."""

    retreats: tuple[RetreatPlan, ...] = ()
    adjustments: tuple[AdjustmentPlan, ...] = ()

    def __str__(self) -> str:
        return "; ".join(map(str, (*self.retreats, *self.adjustments)))


def choose_retreats(
    plans: ConditionalOrders, position: Position, power: Power
) -> tuple[Retreat | Disband, ...] | None:
    """Return the planned retreats, or `None` if a dislodged unit has no plan that applies.

    Units choose in the order in which their plans were written. Each skips provinces that an
    earlier unit chose, because two units that retreat to one province are both disbanded.
    """
    dislodged = {entry.unit.province: entry for entry in position.dislodged_of(power)}
    orders: list[Retreat | Disband] = []
    taken: set[ProvinceCode] = set()
    for plan in plans.retreats:
        entry = dislodged.pop(plan.province, None)
        if entry is None:
            continue
        order = _first_retreat(entry, plan, taken)
        if order is None:
            return None
        if isinstance(order, Retreat):
            taken.add(province_of(order.to))
        orders.append(order)
    return None if dislodged else tuple(orders)


def _first_retreat(
    entry: Dislodged, plan: RetreatPlan, taken: set[ProvinceCode]
) -> Retreat | Disband | None:
    for choice in plan.choices:
        if choice is None:
            return Disband(entry.unit)
        reached = [to for to in entry.retreats if choice in (to, province_of(to))]
        # If two coasts of a province are within reach, the plan must name one.
        if len(reached) == 1 and province_of(reached[0]) not in taken:
            return Retreat(entry.unit, reached[0])
    return None


def choose_adjustments(
    plans: ConditionalOrders, board: Board, position: Position, power: Power
) -> tuple[AdjustmentOrder, ...] | None:
    """Return the planned builds or disbands, or `None` if no plan applies."""
    owed = adjustments_owed(board, position, power)
    plan = next((plan for plan in plans.adjustments if plan.owed == owed), None)
    if plan is None:
        return None
    orders = list(_possible_orders(plan, board, position, power))[: abs(owed)]
    return tuple(orders) if len(orders) == abs(owed) else None


def _possible_orders(
    plan: AdjustmentPlan, board: Board, position: Position, power: Power
) -> Iterator[AdjustmentOrder]:
    reader = Reader(board, position)
    used: set[ProvinceCode] = set()
    for unit in plan.units:
        if unit is None:
            yield Waive(power)
            continue
        order = Build(unit) if plan.owed > 0 else Disband(unit)
        if unit.province in used:
            continue
        try:
            reader.read(power, order)
        except Refusal:
            continue
        used.add(unit.province)
        yield order
