"""Writes orders in webDiplomacy's wording, such as `The army at Paris hold`."""

from diplomaccloud.judge.arguments import require_arguments, require_order_on_board
from diplomaccloud.judge.board import Board, Location, ProvinceCode, UnitKind, province_of
from diplomaccloud.judge.notation.errors import MAX_QUOTED
from diplomaccloud.judge.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    InvalidOrder,
    Move,
    MovementOrder,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
    Waive,
)
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Position

_NAMES = {
    "Gulf of Lyon": "Gulf of Lyons",
    "Helgoland Bight": "Heligoland Bight",
    "Skagerrak": "Skagerrack",
}
"""The names that differ between webDiplomacy's map and the standard board."""
_COASTS = {"NC": "North Coast", "SC": "South Coast", "EC": "East Coast", "WC": "West Coast"}
_RENAMED_COASTS = {Location("BUL/EC"): "North Coast"}
"""The east coast of Bulgaria is the north coast on webDiplomacy's map."""


def to_webdiplomacy(order: Order, board: Board, position: Position) -> str:
    """Return `order` as it appears in webDiplomacy's order history.

    For example: `The fleet at Brest support move to Burgundy from Marseilles.` `parse_order`
    reads it back. `position` shows whether a unit disbands as a retreat or is destroyed. The
    sentence does not name the power. Raises `ValueError` for text that is not an order.
    """
    if isinstance(order, InvalidOrder):
        raise ValueError(f"not an order: {order.text[:MAX_QUOTED]!r}")
    require_arguments(board, position)
    require_order_on_board(order, board)
    match order:
        case Waive():
            sentence = "Do not use build order"
        case Build(unit):
            sentence = f"Build {unit.kind.word} at {_name(unit.location, board)}"
        case Disband(unit) if position.phase.stage is Stage.ADJUSTMENTS:
            sentence = f"Destroy the unit at {_name(unit.province, board)}"
        case _:
            place = _name(order.unit.location, board)
            sentence = f"The {order.unit.kind.word} at {place} {_word_deed(order, board)}"
    return f"{sentence}."


def _word_deed(order: MovementOrder | Retreat | Disband, board: Board) -> str:
    """Return the action of the ordered unit, such as `support hold to Gascony`."""
    match order:
        case Hold():
            deed = "hold"
        case Move():
            deed = f"move to {_name(order.to, board)}{_name_way(order, board)}"
        case SupportHold():
            deed = f"support hold to {_name(order.target.location, board)}"
        case SupportMove():
            start = _name(order.target.location, board)
            deed = f"support move to {_name(order.to, board)} from {start}"
        case Convoy():
            start = _name(order.target.location, board)
            deed = f"convoy to {_name(order.to, board)} from {start}"
        case Retreat():
            deed = f"retreat to {_name(order.to, board)}"
        case Disband():
            deed = "disband"
    return deed


def _name_way(order: Move, board: Board) -> str:
    """Return ` via convoy` for an army that does not go by land."""
    unit = order.unit
    if unit.kind is UnitKind.FLEET:
        return ""
    walks = order.to in board.destinations(unit.kind, unit.location)
    return " via convoy" if order.via_convoy or not walks else ""


def _name(place: Location | ProvinceCode, board: Board) -> str:
    province = board.by_code.get(province_of(place))
    name = province.name if province else str(place)
    coast = place.partition("/")[2]
    if not coast:
        return _NAMES.get(name, name)
    return f"{name} ({_RENAMED_COASTS.get(Location(place), _COASTS.get(coast, coast))})"
