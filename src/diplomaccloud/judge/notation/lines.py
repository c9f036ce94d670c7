"""Lines of several orders, and orders that are only half understood."""

from collections.abc import Sequence
from dataclasses import dataclass

from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.notation.errors import NotationError, NotYours
from diplomaccloud.judge.notation.meaning import own_unit
from diplomaccloud.judge.notation.orders import OrderText
from diplomaccloud.judge.notation.reader import Reader, expect_end
from diplomaccloud.judge.notation.vocabulary import BUILD, DISBAND, RETREAT, VERBS
from diplomaccloud.judge.notation.words import MAX_LINE
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.rules import DEFAULT, RuleSet
from diplomaccloud.judge.units import Unit

_FIRST = BUILD | DISBAND
"""Words that an order may begin with, before its unit."""


@dataclass(frozen=True, slots=True)
class Piece:
    """The smallest part of a sheet, `text` as it was written, and what it means.

    `orders` has one for each of the powers asked about that may give it, `message` says what
    is wrong if there is none. `line_number` (from 1) and `power`, whose name heads it, if one
    does, are those of the sheet.
    """

    text: str
    orders: tuple[Order, ...]
    message: str = ""
    line_number: int = 0
    power: Power | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """What a line of orders came to.

    `lapsed` are orders that lack a detail, good only while no other for the unit has it.
    """

    pieces: tuple[Piece, ...]
    lapsed: frozenset[Order] = frozenset()

    @property
    def faults(self) -> int:
        """How many of its pieces are no order."""
        return sum(not piece.orders for piece in self.pieces)


def parse_line(
    text: str,
    board: Board,
    position: Position,
    powers: Sequence[Power],
    *,
    rules: RuleSet = DEFAULT,
) -> Line:
    """Return the orders that stand one behind the other in `text`, as in the 1961 rulebook.

    Each but the first begins with its unit and the kind of it: `A Mos.—Ukr. F Sev.—Bla.`,
    `Burgundy army to Paris. Picardy army stands.` Each may be an order of any of `powers`.
    After an order that is wrong, reading goes on with the next that can be made out.
    """
    try:
        reading = OrderText(text, board, position, powers[0], MAX_LINE, rules=rules)
    except NotationError as error:
        return Line((Piece(text, (), str(error)),))
    reader = reading.reader
    pieces: list[Piece] = []
    lapsed: set[Order] = set()
    while reader.next or not pieces:
        start = reader.at
        try:
            orders, end = _meant(reading, powers, lapsed)
            pieces.append(Piece(reader.written(start, end), orders))
        except NotationError as error:
            reader.at = start
            # `Build F Moscow` is one order, wrong as it is.
            reader.take(_FIRST)
            reader.seek_unit()
            pieces.append(Piece(reader.written(start, reader.at), (), str(error)))
    return Line(tuple(pieces), frozenset(lapsed))


def _meant(
    reading: OrderText, powers: Sequence[Power], lapsed: set[Order]
) -> tuple[tuple[Order, ...], int]:
    """Return the order that begins here as each of `powers` may give it, and where it ends.

    Raises `NotationError` if none of them may. Adds to `lapsed`.
    """
    start = reading.reader.at
    found: list[tuple[Order, int, int]] = []
    errors: list[NotationError] = []
    for power in powers:
        reading.power, reading.reader.at = power, start
        try:
            found.append(_next_order(reading))
        except NotationError as error:
            errors.append(error)
            continue
        if reading.lapse:
            lapsed.add(found[-1][0])
    if not found:
        # One power's unit is no unit of the others: that says less than what it lacks itself.
        raise min(errors, key=lambda error: isinstance(error, NotYours))
    _, end, reading.reader.at = found[0]
    return tuple(order for order, *_, after in found if after == reading.reader.at), end


def _next_order(reading: OrderText) -> tuple[Order, int, int]:
    """Return the order that begins here, where it ends, and where the next one begins."""
    order, reader = reading.order(), reading.reader
    end = reader.at
    if not reader.starts_unit() and reader.next not in _FIRST:
        expect_end(reader, str(order))
    return order, end, reader.at


def ordered_unit(text: str, board: Board, position: Position, power: Power) -> Unit | None:
    """Return the unit of `power` that `text` is an order for, though the rest makes no sense."""
    try:
        reading = OrderText(text, board, position, power)
        reading.reader.take(DISBAND | RETREAT)
        return own_unit(reading.reader.unit(VERBS), reading.units, power, board, position)
    except NotationError:
        return None


def unit_named(text: str, board: Board) -> str | None:
    """Return the unit that an adjustment is for, as `F MOS`, be it possible or not."""
    try:
        reader = Reader(text, board)
        reader.take(BUILD | DISBAND)
        phrase = reader.unit(VERBS)
    except NotationError:
        return None
    if phrase.kind is None or phrase.place is None or len(phrase.place.tiers[0]) > 1:
        return None
    code, coast = phrase.place.tiers[0][0], phrase.coast
    known = code in board.by_code and coast in board.by_code[code].coasts
    return f"{phrase.kind} {code}/{coast}" if known else f"{phrase.kind} {code}"
