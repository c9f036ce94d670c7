"""Finds the unit that text names, even if the rest is not an order."""

from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.notation.errors import NotationError
from diplomaccloud.judge.notation.orders import OrderText
from diplomaccloud.judge.notation.reader import Reader
from diplomaccloud.judge.notation.units import find_own_unit
from diplomaccloud.judge.notation.words import ADJUSTMENT_VERBS, BUILD, DISBAND, RETREAT, VERBS
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.units import Unit


def ordered_unit(text: str, board: Board, position: Position, power: Power) -> Unit | None:
    """Return the unit of `power` that `text` orders, even if the rest cannot be read."""
    try:
        reading = OrderText(text, board, position, power)
        reading.reader.take(DISBAND | RETREAT)
        return find_own_unit(reading.reader.unit(VERBS), reading.units, power, board, position)
    except NotationError:
        return None


def unit_named(text: str, board: Board) -> str | None:
    """Return the unit that an adjustment names, such as `F MOS`, even if it is impossible."""
    try:
        reader = Reader(text, board)
        reader.take(BUILD | DISBAND)
        phrase = reader.unit(ADJUSTMENT_VERBS)
    except NotationError:
        return None
    if phrase.kind is None or phrase.place is None or len(phrase.place.tiers[0]) > 1:
        return None
    code, coast = phrase.place.tiers[0][0], phrase.coast
    known = code in board.by_code and coast in board.by_code[code].coasts
    return f"{phrase.kind} {code}/{coast}" if known else f"{phrase.kind} {code}"
