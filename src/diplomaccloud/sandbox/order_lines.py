"""The lines of the sandbox's order form: units, builds and disbands, by power."""

from collections.abc import Mapping
from dataclasses import dataclass

from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Position
from diplomaccloud.sandbox.engine import OrderLine, list_unit_orders
from diplomaccloud.sandbox.order_choices import (
    ChoiceGroup,
    describe_choice,
    group_choices,
    unit_title,
)
from diplomaccloud.sandbox.powers import PowerView
from diplomaccloud.sandbox.situation import Situation


@dataclass(frozen=True, slots=True)
class LineView:
    """A line for an order. `url` opens it, and an open line has its choices.

    `code` is the order in notation and `label` in words; both are blank without an order.
    """

    key: str
    title: str
    unit: str
    province: str
    url: str
    label: str
    code: str
    is_open: bool
    selected: str
    groups: tuple[ChoiceGroup, ...]
    dislodged_by: str


@dataclass(frozen=True, slots=True)
class PowerLines:
    """The lines of one power."""

    power: PowerView
    lines: tuple[LineView, ...]


def describe_task(position: Position, lines: tuple[OrderLine, ...]) -> str:
    """Return a sentence about what to do in this phase."""
    if not position.units and not position.dislodged:
        return "There are no units yet. Place some under “Set up”."
    if not lines:
        return "Nobody has anything to order in this phase. Adjudicate to continue."
    match position.phase.stage:
        case Stage.MOVEMENT:
            return (
                "Tap a unit, here or on the map, then its destination. Units without orders hold."
            )
        case Stage.RETREATS:
            return "Dislodged units without orders are disbanded."
        case Stage.ADJUSTMENTS:
            return (
                "Builds without orders are waived. The rules choose the units to disband "
                "where there are no orders."
            )


def list_orders(situation: Situation, powers: Mapping[Power, PowerView]) -> tuple[PowerLines, ...]:
    """Return the lines by power; the open line has its choices."""
    board, position = situation.board, situation.position
    by_power: dict[Power, list[LineView]] = {}
    attackers = {entry.unit: board.by_code[entry.by].name for entry in position.dislodged}
    for line in situation.lines:
        is_open = line.key == situation.choices.line
        groups: tuple[ChoiceGroup, ...] = ()
        if is_open:
            listed = list_unit_orders(board, position, line, situation.state.rules)
            groups = group_choices(board, listed)
        by_power.setdefault(line.power, []).append(
            LineView(
                key=line.key,
                title=_title(board, line),
                unit=str(line.unit or ""),
                province=line.unit.province if line.unit else "",
                url=situation.link(line=line.key) + "#line",
                label=describe_choice(board, line.order).label if line.order else "",
                code=str(line.order or ""),
                is_open=is_open,
                selected=str(line.order or ""),
                groups=groups,
                dislodged_by=attackers.get(line.unit, "") if line.unit else "",
            )
        )
    return tuple(PowerLines(powers[power], tuple(own)) for power, own in by_power.items())


def _title(board: Board, line: OrderLine) -> str:
    if line.unit is not None:
        return unit_title(board, line.unit)
    return f"{'Build' if line.owed > 0 else 'Disband'} {line.number}"
