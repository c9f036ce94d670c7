"""Reads orders as players write them, using the position to understand them.

`parse_order` reads one order, and `parse_sheet` reads all orders of a power. `parse_pieces` reads
the orders of a player who may have several powers, keeping the text of each. `parse_unit` reads a
unit such as `F STP/SC`, and `parse_position` a whole position. The canonical text of an order is
`str(order)`, which is always read back as the same order. `to_daide` and `to_webdiplomacy` write
orders for other programs. `docs/notation.md` describes the accepted notations.
"""

from diplomaccloud.judge.messages.catalog import NotationKey
from diplomaccloud.judge.notation.orders import (
    CanonicalOrders,
    ordered_unit,
    parse_order,
    unit_named,
)
from diplomaccloud.judge.notation.positions import parse_position
from diplomaccloud.judge.notation.programs import to_daide, to_webdiplomacy
from diplomaccloud.judge.notation.sheets import (
    LineError,
    Piece,
    Sheet,
    parse_pieces,
    parse_sheet,
    parse_sheets,
)
from diplomaccloud.judge.notation.units import parse_unit
from diplomaccloud.judge.notation.words import NotationError

__all__ = [
    "CanonicalOrders",
    "LineError",
    "NotationError",
    "NotationKey",
    "Piece",
    "Sheet",
    "ordered_unit",
    "parse_order",
    "parse_pieces",
    "parse_position",
    "parse_sheet",
    "parse_sheets",
    "parse_unit",
    "to_daide",
    "to_webdiplomacy",
    "unit_named",
]
