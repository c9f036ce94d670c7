"""Lines of several orders, and orders that are only half understood."""

from dataclasses import dataclass

from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.notation.errors import NotationError
from diplomaccloud.judge.notation.meaning import own_unit
from diplomaccloud.judge.notation.orders import OrderText
from diplomaccloud.judge.notation.reader import Reader, expect_end
from diplomaccloud.judge.notation.vocabulary import BUILD, DISBAND, RETREAT, VERBS
from diplomaccloud.judge.notation.words import MAX_LINE
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.rules import DEFAULT, RuleSet
from diplomaccloud.judge.units import Unit


@dataclass(frozen=True, slots=True)
class Line:
    """What a line of orders came to; `errors` are (text at fault, what is wrong).

    `lapsed` are orders that lack a detail, good only while no other for the unit has it.
    """

    orders: tuple[Order, ...]
    errors: tuple[tuple[str, str], ...]
    lapsed: frozenset[Order] = frozenset()


def parse_line(
    text: str, board: Board, position: Position, power: Power, *, rules: RuleSet = DEFAULT
) -> Line:
    """Return the orders that stand one behind the other in `text`, as in the 1961 rulebook.

    Each but the first begins with its unit and the kind of it: `A Mos.—Ukr. F Sev.—Bla.`,
    `Burgundy army to Paris. Picardy army stands.` After an order that is wrong, reading goes
    on with the next that can be made out.
    """
    try:
        reading = OrderText(text, board, position, power, MAX_LINE, rules=rules)
    except NotationError as error:
        return Line((), ((text[:80], str(error)),))
    reader = reading.reader
    orders: list[Order] = []
    errors: list[tuple[str, str]] = []
    lapsed: set[Order] = set()
    verbs = BUILD | DISBAND
    while reader.next or not (orders or errors):
        start = reader.at
        try:
            order = reading.order()
            if not reader.starts_unit() and reader.next not in verbs:
                expect_end(reader, str(order))
            orders.append(order)
            if reading.lapse:
                lapsed.add(order)
        except NotationError as error:
            reader.at = start
            # `Build F Moscow` is one order, wrong as it is.
            reader.take(verbs)
            reader.seek_unit()
            whole = start == 0 and not reader.next
            errors.append((text[:80] if whole else reader.since(start), str(error)))
    return Line(tuple(orders), tuple(errors), frozenset(lapsed))


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
