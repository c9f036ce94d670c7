"""Units and orders as JSON."""

from collections.abc import Callable
from functools import lru_cache

from diplomaccloud.judge.board import Location, Power, ProvinceCode, UnitKind
from diplomaccloud.judge.codec.reader import CodecError, Json, Node
from diplomaccloud.judge.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    InvalidOrder,
    Move,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
    Waive,
)
from diplomaccloud.judge.phases import Phase, PhaseError
from diplomaccloud.judge.units import Unit


def unit_to_json(unit: Unit) -> list[str]:
    """Return `unit` as JSON."""
    return [unit.kind.value, unit.location, unit.power]


def read_unit(node: Node) -> Unit:
    """Return the unit at `node`; raise `CodecError` if it is invalid."""
    value = node.value
    if (
        isinstance(value, list)
        and len(value) == 3
        and all(isinstance(member, str) for member in value)
    ):
        try:
            return _known_unit(*value)
        except CodecError:
            pass  # read again below, where the error gives its path
    return _new_unit(node)


@lru_cache(maxsize=8192)
def _known_unit(kind: str, location: str, power: str) -> Unit:
    """Return a cached unit, because the phases of a game repeat the same few units."""
    return _new_unit(Node([kind, location, power]))


def _new_unit(node: Node) -> Unit:
    kind, location, power = node.items(3)
    return Unit(kind.member(UnitKind), Location(location.place()), Power(power.word()))


def read_phase(node: Node) -> Phase:
    """Return the phase named at `node`; raise `CodecError` if there is none."""
    try:
        return Phase.parse(node.text())
    except PhaseError as error:
        raise node.error(str(error)) from error


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
    if isinstance(order, InvalidOrder):
        return {"order": "invalid", "text": order.text}
    if isinstance(order, Waive):
        return {"order": "waive", "power": order.power}
    return {"order": _WORDS[type(order)], "unit": unit_to_json(order.unit)} | _details(order)


def _details(order: Order) -> Json:
    match order:
        case Move(_, to, via, path):
            return {"to": to, "via": via} | ({"path": list(path)} if path else {})
        case SupportHold(_, target):
            return {"target": unit_to_json(target)}
        case SupportMove(_, target, to):
            return {"target": unit_to_json(target), "to": to}
        case Convoy(_, target, goal):
            return {"target": unit_to_json(target), "to": goal}
        case Retreat(_, to):
            return {"to": to}
        case _:
            return {}


def read_order(node: Node) -> Order:
    """Return the order at `node`; raise `CodecError` if it is invalid."""
    word = node["order"].text()
    if word == "waive":
        return Waive(Power(node["power"].word()))
    if word == "invalid":
        return InvalidOrder(Power(""), node["text"].text())
    if word not in _WORDS.values():
        raise node["order"].error(f"unknown kind of order {word[:20]!r}")
    unit = read_unit(node["unit"])
    simple = _SIMPLE.get(word)
    return simple(unit) if simple else _read_longer_order(node, word, unit)


def _read_longer_order(node: Node, word: str, unit: Unit) -> Order:
    if word == "move":
        seas = node["path"].items() if "path" in node else []
        path = tuple(ProvinceCode(sea.word()) for sea in seas)
        return Move(unit, Location(node["to"].place()), node["via"].truth(), path)
    if word == "retreat":
        return Retreat(unit, Location(node["to"].place()))
    target = read_unit(node["target"])
    if word == "support-hold":
        return SupportHold(unit, target)
    if word == "support-move":
        return SupportMove(unit, target, Location(node["to"].place()))
    return Convoy(unit, target, ProvinceCode(node["to"].word()))
