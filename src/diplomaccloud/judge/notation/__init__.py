"""Orders as players write them, read in the light of the position.

`parse_order` reads one order, `parse_sheet` a power's whole sheet, `parse_pieces` that of
somebody who may play several, with what each order was written as, `parse_unit` a unit such
as `F STP/SC`. The canonical text of an order is `str(order)`, and that always reads back as
the same order. What is accepted is set down in `docs/rules.md`, "Notation".
"""

from diplomaccloud.judge.notation.errors import NotationError
from diplomaccloud.judge.notation.lines import Piece, ordered_unit, unit_named
from diplomaccloud.judge.notation.order_text import (
    LineError,
    Sheet,
    parse_pieces,
    parse_sheet,
    parse_sheets,
)
from diplomaccloud.judge.notation.orders import parse_order
from diplomaccloud.judge.notation.units import parse_unit

__all__ = [
    "LineError",
    "NotationError",
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
