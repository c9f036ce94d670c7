"""Judge values as versioned JSON, and back with every part checked.

Everything written has `"v": 1`. Reading trusts nothing: anything missing, of the wrong type,
too long or contradictory raises `CodecError`, which names the part at fault by its path, for
example `units.FRANCE[2]: not a unit: 'X PAR'`. A unit is written as kind,
location and power, `["A", "PAR", "FRANCE"]`.
"""

from collections.abc import Callable, Iterable
from functools import lru_cache

from diplomaccloud.judge.board import Location, Power, ProvinceCode, UnitKind
from diplomaccloud.judge.codec.boards import board_from_json, board_to_json
from diplomaccloud.judge.codec.reader import CodecError, Json, Node, open_versioned
from diplomaccloud.judge.codec.rules import rules_from_json, rules_to_json
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
from diplomaccloud.judge.phases import Phase, PhaseError
from diplomaccloud.judge.position import Dislodged, Position
from diplomaccloud.judge.results import Ending, OrderResult, Outcome, Resolution
from diplomaccloud.judge.units import Unit

__all__ = [
    "CodecError",
    "Json",
    "board_from_json",
    "board_to_json",
    "order_from_json",
    "order_to_json",
    "orders_from_json",
    "orders_to_json",
    "position_from_json",
    "position_to_json",
    "resolution_from_json",
    "resolution_to_json",
    "rules_from_json",
    "rules_to_json",
]

VERSION = 1


# Units and positions.


def _unit_to_json(unit: Unit) -> list[str]:
    return [unit.kind.value, unit.location, unit.power]


def _read_unit(node: Node) -> Unit:
    value = node.value
    if (
        isinstance(value, list)
        and len(value) == 3
        and all(isinstance(member, str) for member in value)
    ):
        try:
            return _known_unit(*value)
        except CodecError:
            pass  # read again below, where the error names its place
    return _new_unit(node)


@lru_cache(maxsize=8192)
def _known_unit(kind: str, location: str, power: str) -> Unit:
    """Return a unit from the cache: the phases of a game repeat the same few units."""
    return _new_unit(Node([kind, location, power]))


def _new_unit(node: Node) -> Unit:
    kind, location, power = node.items(3)
    return Unit(kind.member(UnitKind), Location(location.place()), Power(power.word()))


def _dislodged_to_json(entry: Dislodged) -> Json:
    return {"unit": _unit_to_json(entry.unit), "by": entry.by, "retreats": list(entry.retreats)}


def _read_dislodged(node: Node) -> Dislodged:
    return Dislodged(
        unit=_read_unit(node["unit"]),
        by=ProvinceCode(node["by"].word()),
        retreats=tuple(sorted(Location(place.place()) for place in node["retreats"].items())),
    )


def position_to_json(position: Position) -> Json:
    """Return `position` as JSON."""
    return {
        "v": VERSION,
        "phase": str(position.phase),
        "units": [_unit_to_json(unit) for unit in position.units],
        "centers": dict(position.centers),
        "dislodged": [_dislodged_to_json(entry) for entry in position.dislodged],
    }


def position_from_json(data: object) -> Position:
    """Return the position that `data` describes; raise `CodecError` if it is invalid."""
    return _read_position(open_versioned(data, VERSION))


def _read_position(node: Node) -> Position:
    try:
        phase = Phase.parse(node["phase"].text())
    except PhaseError as error:
        raise node["phase"].error(str(error)) from error
    position = Position(
        phase=phase,
        units=node["units"].several(_read_unit),
        centers={
            ProvinceCode(code.word()): Power(owner.word())
            for code, owner in node["centers"].entries()
        },
        dislodged=node["dislodged"].several(_read_dislodged),
    )
    require_uncrowded(node["units"], position.units)
    require_uncrowded(node["dislodged"], (entry.unit for entry in position.dislodged))
    return position


def require_uncrowded(node: Node, units: Iterable[Unit]) -> None:
    """Raise `CodecError` about `node` if two of `units` share a province."""
    seen: set[ProvinceCode] = set()
    for unit in units:
        if unit.province in seen:
            raise node.error(f"two units in {unit.province}")
        seen.add(unit.province)


# Orders.

_WORDS: dict[type, str] = {
    Hold: "hold",
    Move: "move",
    SupportHold: "support-hold",
    SupportMove: "support-move",
    Convoy: "convoy",
    Retreat: "retreat",
    Disband: "disband",
    Build: "build",
}
_SIMPLE: dict[str, Callable[[Unit], Order]] = {"hold": Hold, "disband": Disband, "build": Build}


def order_to_json(order: Order) -> Json:
    """Return one order as JSON; it has no version field."""
    if isinstance(order, Waive):
        return {"order": "waive", "power": order.power}
    return {"order": _WORDS[type(order)], "unit": _unit_to_json(order.unit)} | _details(order)


def _details(order: Order) -> Json:
    match order:
        case Move(_, to, via, path):
            return {"to": to, "via": via} | ({"path": list(path)} if path else {})
        case SupportHold(_, target):
            return {"target": _unit_to_json(target)}
        case SupportMove(_, target, to):
            return {"target": _unit_to_json(target), "to": to}
        case Convoy(_, target, goal):
            return {"target": _unit_to_json(target), "to": goal}
        case Retreat(_, to):
            return {"to": to}
        case _:
            return {}


def order_from_json(data: object) -> Order:
    """Return the order that `data` describes; raise `CodecError` if it is invalid."""
    return _read_order(Node(data))


def _read_order(node: Node) -> Order:
    word = node["order"].text()
    if word == "waive":
        return Waive(Power(node["power"].word()))
    if word not in _WORDS.values():
        raise node["order"].error(f"unknown kind of order {word[:20]!r}")
    unit = _read_unit(node["unit"])
    simple = _SIMPLE.get(word)
    return simple(unit) if simple else _read_longer_order(node, word, unit)


def _read_longer_order(node: Node, word: str, unit: Unit) -> Order:
    if word == "move":
        seas = node["path"].items() if "path" in node else []
        path = tuple(ProvinceCode(sea.word()) for sea in seas)
        return Move(unit, Location(node["to"].place()), node["via"].truth(), path)
    if word == "retreat":
        return Retreat(unit, Location(node["to"].place()))
    target = _read_unit(node["target"])
    if word == "support-hold":
        return SupportHold(unit, target)
    if word == "support-move":
        return SupportMove(unit, target, Location(node["to"].place()))
    return Convoy(unit, target, ProvinceCode(node["to"].word()))


def orders_to_json(orders: Iterable[Order]) -> Json:
    """Return `orders` as JSON, in the order given."""
    return {"v": VERSION, "orders": [order_to_json(order) for order in orders]}


def orders_from_json(data: object) -> tuple[Order, ...]:
    """Return the orders that `data` describes; raise `CodecError` if it does not."""
    return open_versioned(data, VERSION)["orders"].several(_read_order)


# Resolutions.


def resolution_to_json(resolution: Resolution) -> Json:
    """Return `resolution` as JSON, its next position included."""
    ending = resolution.ending
    return {
        "v": VERSION,
        "results": [_result(result) for result in resolution.results],
        "next": position_to_json(resolution.next),
        "dislodged": [_dislodged_to_json(entry) for entry in resolution.dislodged],
        "destroyed": [_unit_to_json(unit) for unit in resolution.destroyed],
        "standoffs": list(resolution.standoffs),
        "gained": [[code, power] for code, power in resolution.gained],
        "ending": ending and {"winners": list(ending.winners), "reason": ending.reason},
    }


def _result(result: OrderResult) -> Json:
    return {
        "order": order_to_json(result.order),
        "outcome": result.outcome.value,
        "reason": result.reason,
        "by": list(result.by),
        "implicit": result.implicit,
    }


def resolution_from_json(data: object) -> Resolution:
    """Return the resolution that `data` describes; raise `CodecError` if it is invalid."""
    node = open_versioned(data, VERSION)
    gained = [pair.items(2) for pair in node["gained"].items()]
    return Resolution(
        results=node["results"].several(_read_result),
        next=_read_position(node["next"]),
        dislodged=node["dislodged"].several(_read_dislodged),
        destroyed=node["destroyed"].several(_read_unit),
        standoffs=tuple(ProvinceCode(code.word()) for code in node["standoffs"].items()),
        gained=tuple((ProvinceCode(code.word()), Power(power.word())) for code, power in gained),
        ending=None if node["ending"].is_null() else _read_ending(node["ending"]),
    )


def _read_result(node: Node) -> OrderResult:
    return OrderResult(
        order=_read_order(node["order"]),
        outcome=node["outcome"].member(Outcome),
        why=node["reason"].text(),
        by=tuple(ProvinceCode(code.word()) for code in node["by"].items()),
        implicit=node["implicit"].truth(),
    )


def _read_ending(node: Node) -> Ending:
    winners = tuple(Power(power.word()) for power in node["winners"].items())
    return Ending(winners, node["reason"].text())
