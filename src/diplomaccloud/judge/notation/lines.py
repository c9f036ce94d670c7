"""Reads lines of several orders, and orders that are only partly understood."""

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
    """The smallest part of an order text, as it was written, and its meaning.

    `orders` has an order for each of the given powers that may give it; if it is empty,
    `message` says what is wrong. `line_number` counts from 1. `power` is the power whose name
    heads the piece, if there is one.
    """

    text: str
    orders: tuple[Order, ...]
    message: str = ""
    line_number: int = 0
    power: Power | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """The pieces of a line of orders.

    `lapsed` has orders that lack a detail and count only if no other order for the unit has it.
    """

    pieces: tuple[Piece, ...]
    lapsed: frozenset[Order] = frozenset()

    @property
    def faults(self) -> int:
        """How many of its pieces are not orders."""
        return sum(not piece.orders for piece in self.pieces)


def parse_line(
    text: str,
    board: Board,
    position: Position,
    powers: Sequence[Power],
    *,
    rules: RuleSet = DEFAULT,
) -> Line:
    """Return the orders that follow one another in `text`, as in the 1961 rulebook.

    Each but the first begins with its unit and the kind of it: `A Mos.—Ukr. F Sev.—Bla.`,
    `Burgundy army to Paris. Picardy army stands.` Each may be an order of any of `powers`.
    After a wrong order, reading continues with the next recognizable one.
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
            # `Build F Moscow` is a single order, although a wrong one.
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
        # A unit of one power is foreign to the others; any other error says more than that.
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
    """Return the unit of `power` that `text` orders, even if the rest cannot be read."""
    try:
        reading = OrderText(text, board, position, power)
        reading.reader.take(DISBAND | RETREAT)
        return own_unit(reading.reader.unit(VERBS), reading.units, power, board, position)
    except NotationError:
        return None


def unit_named(text: str, board: Board) -> str | None:
    """Return the unit that an adjustment names, as `F MOS`, whether or not it is possible."""
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
