"""Reads orders as players write them, using the position to understand them.

`parse_order` reads one order, and `parse_sheet` reads all orders of a power. `parse_pieces` reads
the orders of a player who may have several powers, keeping the text of each. `parse_unit` reads a
unit such as `F STP/SC`, and `parse_position` a whole position. The canonical text of an order is
`str(order)`, which is always read back as the same order. `to_daide` and `to_webdiplomacy` write
orders for other programs. `docs/notation.md` describes the accepted notations.
"""

from diplomaccloud.judge.messages.catalog import NotationKey as NotationKey
from diplomaccloud.judge.notation.orders import CanonicalOrders as CanonicalOrders
from diplomaccloud.judge.notation.orders import ordered_unit as ordered_unit
from diplomaccloud.judge.notation.orders import parse_order as parse_order
from diplomaccloud.judge.notation.orders import unit_named as unit_named
from diplomaccloud.judge.notation.positions import parse_position as parse_position
from diplomaccloud.judge.notation.programs import to_daide as to_daide
from diplomaccloud.judge.notation.programs import to_webdiplomacy as to_webdiplomacy
from diplomaccloud.judge.notation.sheets import LineError as LineError
from diplomaccloud.judge.notation.sheets import Piece as Piece
from diplomaccloud.judge.notation.sheets import Sheet as Sheet
from diplomaccloud.judge.notation.sheets import parse_pieces as parse_pieces
from diplomaccloud.judge.notation.sheets import parse_sheet as parse_sheet
from diplomaccloud.judge.notation.sheets import parse_sheets as parse_sheets
from diplomaccloud.judge.notation.units import parse_unit as parse_unit
from diplomaccloud.judge.notation.words import NotationError as NotationError
