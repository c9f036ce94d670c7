"""The order form of one power: its units, and for each every legal order in plain words."""

from collections.abc import Iterable, Mapping, Sequence
from typing import assert_never

from diplomaccloud.atlas.render.scene import coast_name
from diplomaccloud.games.presenters.shown_desk import Choice, ChoiceGroup, Slot
from diplomaccloud.judge.adjustments import adjustments_owed
from diplomaccloud.judge.board import Board, Location, Power, province_of
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
    "support-hold": "Support to hold",
    "support-move": "Support a move",
    "convoy": "Convoy",
    "retreat": "Retreat",
    "build": "Build",
    "disband": "Disband",
}


def slots_for(
    board: Board,
    position: Position,
    power: Power,
    saved: Sequence[Order],
    rules: RuleSet = DEFAULT,
) -> tuple[Slot, ...]:
    """Return a line for each unit that may be ordered, or for each build or disband owed.

    `saved` are the power's own saved orders, `rules` say what is legal.
    """
    legal = legal_orders(board, position, power, rules)
    if position.phase.stage is Stage.ADJUSTMENTS:
        return _adjustment_slots(board, position, power, legal, saved)
    by_unit: dict[Unit, list[Order]] = {}
    for order in legal:
        if not isinstance(order, Waive):
            by_unit.setdefault(order.unit, []).append(order)
    kept = {order.unit: order for order in saved if not isinstance(order, Waive)}
    return tuple(
        _unit_slot(board, position, unit, orders, kept.get(unit))
        for unit, orders in by_unit.items()
    )


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


def choice_of(board: Board, order: Order) -> Choice:
    """Return `order` as a choice with a label in plain words."""
    kind = _kind(board, order)
    target = order.target if isinstance(order, SupportHold | SupportMove | Convoy) else None
    unit = None if isinstance(order, Waive) else order.unit
    to = order.to if isinstance(order, Move | SupportMove | Convoy | Retreat) else None
    place = to or (target.location if target else unit.location if unit else None)
    owner = board.power_info.get(target.power) if target else None
    return Choice(
        value=str(order),
        label=_label(board, order),
        kind=kind,
        unit=str(unit) if unit else "",
        target=str(target) if target else "",
        to=str(to) if to else "",
        province=province_of(place) if place else "",
        place=place_name(board, Location(place)) if place else "",
        target_title=f"{owner.adjective} {unit_name(board, target)}" if owner and target else "",
    )


def _unit_slot(
    board: Board, position: Position, unit: Unit, orders: Iterable[Order], saved: Order | None
) -> Slot:
    removed = next((one for one in position.dislodged if one.unit == unit), None)
    default = Disband(unit) if removed else Hold(unit)
    return Slot(
        key=str(unit),
        unit=str(unit),
        title=unit_title(board, unit),
        province=unit.province,
        dislodged=removed is not None,
        by=board.by_code[removed.by].name if removed else "",
        selected=str(saved or default),
        saved=saved is not None,
        blank="",
        groups=_grouped(board, orders),
    )


def _adjustment_slots(
    board: Board,
    position: Position,
    power: Power,
    legal: Iterable[Order],
    saved: Sequence[Order],
) -> tuple[Slot, ...]:
    owed = adjustments_owed(board, position, power)
    word, blank = ("Build", "No build") if owed > 0 else ("Disband", "Let the rules decide")
    groups = _grouped(board, (order for order in legal if not isinstance(order, Waive)))
    chosen = ["" if isinstance(order, Waive) else str(order) for order in saved]
    chosen += [""] * abs(owed)
    return tuple(
        Slot(
            key=f"{word.lower()}-{number}",
            unit="",
            title=f"{word} {number}",
            province="",
            dislodged=False,
            by="",
            selected=chosen[number - 1],
            saved=number <= len(saved),
            blank=blank,
            groups=groups,
        )
        for number in range(1, abs(owed) + 1)
    )


def _grouped(board: Board, orders: Iterable[Order]) -> tuple[ChoiceGroup, ...]:
    found: dict[str, list[Choice]] = {kind: [] for kind in _GROUPS}
    for order in orders:
        choice = choice_of(board, order)
        found[choice.kind].append(choice)
    return tuple(
        ChoiceGroup(kind, _GROUPS[kind], tuple(choices))
        for kind, choices in found.items()
        if choices
    )


def _kind(board: Board, order: Order) -> str:
    if isinstance(order, Move):
        walks = order.to in board.destinations(order.unit.kind, order.unit.location)
        return "move" if walks and not order.via_convoy else "convoyed"
    return _KINDS[type(order)]


_KINDS: Mapping[type, str] = {
    Hold: "hold",
    SupportHold: "support-hold",
    SupportMove: "support-move",
    Convoy: "convoy",
    Retreat: "retreat",
    Disband: "disband",
    Build: "build",
    Waive: "waive",
}


def _label(board: Board, order: Order) -> str:
    match order:
        case Hold():
            label = "Hold"
        case Move(to=to):
            by = " by convoy" if _kind(board, order) == "convoyed" else ""
            label = f"Move to {place_name(board, to)}{by}"
        case SupportHold(target=target):
            label = f"Support the {unit_name(board, target)}"
        case SupportMove(target=target, to=to):
            label = f"Support the {unit_name(board, target)} to {place_name(board, to)}"
        case Convoy(target=target, to=to):
            label = f"Convoy the {unit_name(board, target)} to {place_name(board, Location(to))}"
        case Retreat(to=to):
            label = f"Retreat to {place_name(board, to)}"
        case Disband(unit=unit):
            label = f"Disband the {unit_name(board, unit)}"
        case Build(unit=unit):
            label = f"Build {unit.kind.word} in {place_name(board, unit.location)}"
        case Waive():
            label = "No build"
        case _:
            assert_never(order)
    return label
