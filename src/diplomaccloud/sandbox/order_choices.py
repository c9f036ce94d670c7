"""The legal orders of a power as choices in plain words."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import assert_never

from diplomaccloud.judge.adjustments import adjustments_owed
from diplomaccloud.judge.board import Board, Location, Power, province_of
from diplomaccloud.judge.drawing.scene import coast_name
from diplomaccloud.judge.legality.legal_orders import legal_orders
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
from diplomaccloud.judge.rules import DEFAULT, RuleSet
from diplomaccloud.judge.units import Unit

_GROUPS = {
    "hold": "Hold",
    "move": "Move",
    "convoyed": "Move by convoy",
    "support-hold": "Support a hold",
    "support-move": "Support a move",
    "convoy": "Convoy",
    "retreat": "Retreat",
    "build": "Build",
    "disband": "Disband",
    "waive": "No build",
}


@dataclass(frozen=True, slots=True)
class Choice:
    """One legal order; `value` is what a form posts.

    `place` is the printed name of its destination or location, and `target_title` names the unit it
    helps.
    """

    value: str
    label: str
    kind: str
    unit: str
    target: str
    to: str
    province: str
    place: str
    target_title: str


@dataclass(frozen=True, slots=True)
class ChoiceGroup:
    """The legal orders of one kind."""

    kind: str
    label: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Slot:
    """One line of the order form: a unit, build or disband with its legal choices.

    `selected` is the saved value, or the default if nothing is `saved`. `blank` labels the empty
    choice, if there is one. `power` names the country of a player who has several. For a
    dislodged unit, `by` is the province that the attack came from.
    """

    key: str
    title: str
    selected: str
    saved: bool
    groups: tuple[ChoiceGroup, ...]
    unit: str = ""
    province: str = ""
    dislodged: bool = False
    by: str = ""
    blank: str = ""
    power: str = ""


def list_slots(
    board: Board,
    position: Position,
    power: Power,
    saved: Sequence[Order],
    rules: RuleSet = DEFAULT,
    *,
    heading: str = "",
) -> tuple[Slot, ...]:
    """Return a line for each unit that can be ordered, or for each build or disband owed.

    `saved` has the power's saved orders. For a player of several powers, `heading` goes before
    orders that don't name a unit.
    """
    if position.phase.stage is Stage.ADJUSTMENTS:
        owed = adjustments_owed(board, position, power)
        word, blank = (
            ("Build", "Not chosen yet") if owed > 0 else ("Disband", "Let the rules decide")
        )
        groups = group_choices(board, legal_orders(board, position, power, rules), heading)
        chosen = [_value(order, heading) for order in saved] + [""] * abs(owed)
        return tuple(
            Slot(
                key=f"{word.lower()}-{number}",
                title=f"{word} {number}",
                selected=chosen[number - 1],
                saved=number <= len(saved),
                groups=groups,
                blank=blank,
            )
            for number in range(1, abs(owed) + 1)
        )
    saved_by_unit = {order.unit: order for order in saved if not isinstance(order, Waive)}
    return tuple(
        _make_unit_slot(board, position, unit, groups, saved_by_unit.get(unit))
        for unit, groups in _list_unit_choices(board, position, power, rules)
    )


@lru_cache(maxsize=32)
def _list_unit_choices(
    board: Board, position: Position, power: Power, rules: RuleSet
) -> tuple[tuple[Unit, tuple[ChoiceGroup, ...]], ...]:
    """Return each unit of a power that can be ordered, with its choices.

    They stay the same for the whole phase, in which the power's player sees them often.
    """
    by_unit: dict[Unit, list[Order]] = {}
    for order in legal_orders(board, position, power, rules):
        if not isinstance(order, Waive):
            by_unit.setdefault(order.unit, []).append(order)
    return tuple((unit, group_choices(board, orders)) for unit, orders in by_unit.items())


def place_name(board: Board, location: Location) -> str:
    """Return `Spain (north coast)` for `SPA/NC`, `Paris` for `PAR`."""
    name = board.by_code[province_of(location)].name
    _, _, coast = location.partition("/")
    return f"{name} ({coast_name(coast)})" if coast else name


def unit_name(board: Board, unit: Unit) -> str:
    """Return `army in Paris`."""
    return f"{unit.kind.word} in {place_name(board, unit.location)}"


def unit_title(board: Board, unit: Unit) -> str:
    """Return `Army in Paris`."""
    return f"{unit.kind.word.capitalize()} in {place_name(board, unit.location)}"


def describe_choice(board: Board, order: Order) -> Choice:
    """Return `order` as a choice with a label in plain words."""
    kind, label = _describe(board, order)
    target = order.target if isinstance(order, SupportHold | SupportMove | Convoy) else None
    unit = None if isinstance(order, Waive) else order.unit
    to = order.to if isinstance(order, Move | SupportMove | Convoy | Retreat) else None
    place = to or (target.location if target else unit.location if unit else None)
    owner = board.power_info.get(target.power) if target else None
    return Choice(
        value=str(order),
        label=label,
        kind=kind,
        unit=str(unit) if unit else "",
        target=str(target) if target else "",
        to=str(to) if to else "",
        province=province_of(place) if place else "",
        place=place_name(board, Location(place)) if place else "",
        target_title=f"{owner.adjective} {unit_name(board, target)}" if owner and target else "",
    )


def _make_unit_slot(
    board: Board,
    position: Position,
    unit: Unit,
    groups: tuple[ChoiceGroup, ...],
    saved: Order | None,
) -> Slot:
    dislodged = next((d for d in position.dislodged if d.unit == unit), None)
    default = Disband(unit) if dislodged else Hold(unit)
    return Slot(
        key=str(unit),
        title=unit_title(board, unit),
        selected=str(saved or default),
        saved=saved is not None,
        groups=groups,
        unit=str(unit),
        province=unit.province,
        dislodged=dislodged is not None,
        by=board.by_code[dislodged.by].name if dislodged else "",
    )


def group_choices(
    board: Board, orders: Iterable[Order], heading: str = ""
) -> tuple[ChoiceGroup, ...]:
    """Return legal orders as choices grouped by kind; see `list_slots` for `heading`.

    The place of a choice is blank if it is that of the one before in the same province.
    """
    by_kind: dict[str, list[Choice]] = {kind: [] for kind in _GROUPS}
    for order in orders:
        choice = replace(describe_choice(board, order), value=_value(order, heading))
        by_kind[choice.kind].append(choice)
    groups, places = [], dict[str, str]()
    for kind, choices in by_kind.items():
        for number, choice in enumerate(choices):
            if places.get(choice.province) == choice.place:
                choices[number] = replace(choice, place="")
            places[choice.province] = choice.place
        if choices:
            groups.append(ChoiceGroup(kind, _GROUPS[kind], tuple(choices)))
    return tuple(groups)


def _value(order: Order, heading: str) -> str:
    return f"{heading}{order}" if isinstance(order, Waive) else str(order)


def _describe(board: Board, order: Order) -> tuple[str, str]:
    """Return the kind of an order, and its label."""
    match order:
        case Hold():
            named = "hold", "Hold"
        case Move(unit=unit, to=to):
            goal = f"Move to {place_name(board, to)}"
            adjacent = to in board.destinations(unit.kind, unit.location)
            by_land = adjacent and not order.via_convoy
            named = ("move", goal) if by_land else ("convoyed", f"{goal} by convoy")
        case SupportHold(target=target):
            named = "support-hold", f"Support the {unit_name(board, target)}"
        case SupportMove(target=target, to=to):
            goal = place_name(board, to)
            named = "support-move", f"Support the {unit_name(board, target)} to {goal}"
        case Convoy(target=target, to=to):
            goal = place_name(board, Location(to))
            named = "convoy", f"Convoy the {unit_name(board, target)} to {goal}"
        case Retreat(to=to):
            named = "retreat", f"Retreat to {place_name(board, to)}"
        case Disband(unit=unit):
            named = "disband", f"Disband the {unit_name(board, unit)}"
        case Build(unit=unit):
            named = "build", f"Build {unit.kind.word} in {place_name(board, unit.location)}"
        case Waive():
            named = "waive", "No build"
        case _:
            assert_never(order)
    return named
