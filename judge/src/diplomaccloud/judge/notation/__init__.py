"""Reads orders as players write them, using the position to understand them.

`parse_order` reads one order, and `parse_sheet` reads all orders of a power. `parse_pieces` reads
the orders of a player who may have several powers, keeping the text of each. `parse_unit` reads a
unit such as `F STP/SC`. The canonical text of an order is `str(order)`, which is always read back
as the same order. `to_daide` and `to_webdiplomacy` write orders for other programs.
`docs/notation.md` describes the accepted notations.
"""

from diplomaccloud.judge.messages.notation import NotationKey
from diplomaccloud.judge.notation.daide import to_daide
from diplomaccloud.judge.notation.errors import NotationError
from diplomaccloud.judge.notation.lines import Piece
from diplomaccloud.judge.notation.named_units import ordered_unit, unit_named
from diplomaccloud.judge.notation.order_text import (
    LineError,
    Sheet,
    parse_pieces,
    parse_sheet,
    parse_sheets,
)
from diplomaccloud.judge.notation.orders import parse_order
from diplomaccloud.judge.notation.units import parse_unit
from diplomaccloud.judge.notation.webdiplomacy import to_webdiplomacy

__all__ = [
    "LineError",
    "NotationError",
    "NotationKey",
    "Piece",
    "Sheet",
    "ordered_unit",
    "parse_order",
    "parse_pieces",
    "parse_sheet",
    "parse_sheets",
    "parse_unit",
    "to_daide",
    "to_webdiplomacy",
    "unit_named",
]
