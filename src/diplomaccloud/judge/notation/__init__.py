"""Reads orders as players write them, with the help of the position.

`parse_order` reads one order and `parse_sheet` all orders of a power. `parse_pieces` reads
those of a player who may have several powers, with the text of each order. `parse_unit` reads
a unit such as `F STP/SC`. The canonical text of an order is `str(order)`, which always reads
back as the same order. `docs/rules.md`, "Notation", describes what is accepted.
"""

from diplomaccloud.judge.messages.notation import NotationKey
from diplomaccloud.judge.notation.errors import NotationError
from diplomaccloud.judge.notation.lines import Piece
from diplomaccloud.judge.notation.order_text import (
    LineError,
    Sheet,
    parse_pieces,
    parse_sheet,
    parse_sheets,
)
from diplomaccloud.judge.notation.orders import ordered_unit, parse_order, unit_named
from diplomaccloud.judge.notation.units import parse_unit

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
    "unit_named",
]
