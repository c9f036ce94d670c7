"""Judge values as versioned JSON; reading checks every part.

Written JSON always has `"v": 1`. Input is never trusted: a part that is missing, too long,
contradictory or of the wrong type raises `CodecError`, which gives the path of the part at fault,
for example `units.FRANCE[2]: not a unit: 'X PAR'`. A unit is written as its kind, location and
power: `["A", "PAR", "FRANCE"]`.
"""

from collections.abc import Iterable

from diplomaccloud.judge.board import Location, Power, ProvinceCode
from diplomaccloud.judge.codec.boards import board_from_json, board_to_json
from diplomaccloud.judge.codec.messages import message_to_json, read_sentence
from diplomaccloud.judge.codec.orders import (
    order_to_json,
    read_order,
    read_phase,
    read_unit,
    unit_to_json,
)
from diplomaccloud.judge.codec.reader import CodecError, Json, Node, open_versioned
from diplomaccloud.judge.codec.rules import rules_from_json, rules_to_json
from diplomaccloud.judge.orders import Order
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


# Positions.


def _dislodged_to_json(entry: Dislodged) -> Json:
    return {"unit": unit_to_json(entry.unit), "by": entry.by, "retreats": list(entry.retreats)}


def _read_dislodged(node: Node) -> Dislodged:
    return Dislodged(
        unit=read_unit(node["unit"]),
        by=ProvinceCode(node["by"].word()),
        retreats=tuple(sorted(Location(place.place()) for place in node["retreats"].items())),
    )


def position_to_json(position: Position) -> Json:
    """Return `position` as JSON."""
    return {
        "v": VERSION,
        "phase": str(position.phase),
        "units": [unit_to_json(unit) for unit in position.units],
        "centers": dict(position.centers),
        "dislodged": [_dislodged_to_json(entry) for entry in position.dislodged],
    }


def position_from_json(data: object) -> Position:
    """Return the position that `data` describes; raise `CodecError` if it is invalid."""
    return _read_position(open_versioned(data, VERSION))


def _read_position(node: Node) -> Position:
    position = Position(
        phase=read_phase(node["phase"]),
        units=node["units"].several(read_unit),
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
    provinces = [unit.province for unit in units]
    if len({*provinces}) == len(provinces):
        return
    seen: set[ProvinceCode] = set()
    for province in provinces:
        if province in seen:
            raise node.error(f"two units in {province}")
        seen.add(province)


# Orders.


def order_from_json(data: object) -> Order:
    """Return the order that `data` describes; raise `CodecError` if it is invalid."""
    return read_order(Node(data))


def orders_to_json(orders: Iterable[Order]) -> Json:
    """Return `orders` as JSON, in the order given."""
    return {"v": VERSION, "orders": [order_to_json(order) for order in orders]}


def orders_from_json(data: object) -> tuple[Order, ...]:
    """Return the orders that `data` describes; raise `CodecError` if it is invalid."""
    return open_versioned(data, VERSION)["orders"].several(read_order)


# Resolutions.


def resolution_to_json(resolution: Resolution) -> Json:
    """Return `resolution` as JSON, including its next position."""
    ending = resolution.ending
    return {
        "v": VERSION,
        "results": [_result(result) for result in resolution.results],
        "next": position_to_json(resolution.next),
        "dislodged": [_dislodged_to_json(entry) for entry in resolution.dislodged],
        "destroyed": [unit_to_json(unit) for unit in resolution.destroyed],
        "standoffs": list(resolution.standoffs),
        "gained": [[code, power] for code, power in resolution.gained],
        "ending": ending and {"winners": list(ending.winners), "reason": ending.reason},
    }


def _result(result: OrderResult) -> Json:
    return {
        "order": order_to_json(result.order),
        "outcome": result.outcome.value,
        **_why_to_json(result),
        "by": list(result.by),
        "implicit": result.implicit,
    }


def _why_to_json(result: OrderResult) -> Json:
    if result.message is None:
        return {"reason": result.reason}
    return {"message": message_to_json(result.message)}


def resolution_from_json(data: object) -> Resolution:
    """Return the resolution that `data` describes; raise `CodecError` if it is invalid.

    Its reasons name places and powers by their codes until `Resolution.with_names` is called. A
    reason stored as text does not change.
    """
    node = open_versioned(data, VERSION)
    gained = [pair.items(2) for pair in node["gained"].items()]
    return Resolution(
        results=node["results"].several(_read_result),
        next=_read_position(node["next"]),
        dislodged=node["dislodged"].several(_read_dislodged),
        destroyed=node["destroyed"].several(read_unit),
        standoffs=tuple(ProvinceCode(code.word()) for code in node["standoffs"].items()),
        gained=tuple((ProvinceCode(code.word()), Power(power.word())) for code, power in gained),
        ending=None if node["ending"].is_null() else _read_ending(node["ending"]),
    )


def _read_result(node: Node) -> OrderResult:
    return OrderResult(
        order=read_order(node["order"]),
        outcome=node["outcome"].member(Outcome),
        why=read_sentence(node["message"]) if "message" in node else node["reason"].text(),
        by=tuple(ProvinceCode(code.word()) for code in node["by"].items()),
        implicit=node["implicit"].truth(),
    )


def _read_ending(node: Node) -> Ending:
    winners = tuple(Power(power.word()) for power in node["winners"].items())
    return Ending(winners, node["reason"].text())
