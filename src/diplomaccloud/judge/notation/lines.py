"""Reads lines of several orders, under the names of powers and partly understood."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.notation.messages import NotationError, NotationKey
from diplomaccloud.judge.notation.orders import OrderText
from diplomaccloud.judge.notation.reader import require_end
from diplomaccloud.judge.notation.words import (
    BUILD,
    DISBAND,
    MAX_LINE,
    name_tokens,
    names_of,
    power_spellings,
)
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.rules import DEFAULT, RuleSet

MAX_HEADING = 40
"""The longest name of a power that is looked for before a colon, in characters."""

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
            orders, end = _read_next(reading, powers, lapsed)
            pieces.append(Piece(reader.text_between(start, end), orders))
        except NotationError as error:
            reader.at = start
            # `Build F Moscow` is a single order, although a wrong one.
            reader.take(_FIRST)
            reader.seek_unit()
            pieces.append(Piece(reader.text_between(start, reader.at), (), str(error)))
    return Line(tuple(pieces), frozenset(lapsed))


def _read_next(
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
        raise min(errors, key=lambda error: error.key is NotationKey.NOT_YOUR_UNIT)
    _, end, reading.reader.at = found[0]
    return tuple(order for order, *_, after in found if after == reading.reader.at), end


def _next_order(reading: OrderText) -> tuple[Order, int, int]:
    """Return the order that begins here, where it ends, and where the next one begins."""
    order, reader = reading.order(), reading.reader
    end = reader.at
    if not reader.starts_unit() and reader.next not in _FIRST:
        require_end(reader, order)
    return order, end, reader.at


def split_heading(part: str, board: Board) -> tuple[Power | None, str]:
    """Return the power named before a colon, if any, and what follows it."""
    heading, colon, rest = part.partition(":")
    if not colon or len(heading) > MAX_HEADING:
        return None, part
    words = name_tokens(heading)
    found = names_of(board).power(words, 0)
    if found is None or found[1] != len(words):
        return None, part
    return found[0], rest.strip()


def split_by_headings(
    lines: Iterable[tuple[int, str]], board: Board
) -> Iterator[tuple[int, Power | None, str]]:
    """Yield the parts of numbered lines, each with the power whose name begins it, if one does.

    A name without a colon begins a part only at the start of its line or of a sentence.
    """
    # Looked up once, because comparing equal boards takes long.
    pattern = _heading_pattern(board)
    for number, line in lines:
        for power, part in _split_line(line, pattern, board):
            yield number, power, part


def _split_line(
    line: str, pattern: re.Pattern[str], board: Board
) -> Iterator[tuple[Power | None, str]]:
    start: tuple[Power | None, int] = (None, 0)
    for match in pattern.finditer(line):
        before = line[max(0, match.start() - 4) : match.start()].rstrip()
        if before and before[-1] not in '.,;:"' and match["colon"] is None:
            continue
        yield start[0], line[start[1] : match.start()]
        found = names_of(board).power(name_tokens(match["name"]), 0)
        start = (found[0] if found else None, match.end())
    yield start[0], line[start[1] :]


@lru_cache(maxsize=16)
def _heading_pattern(board: Board) -> re.Pattern[str]:
    """Return the pattern of a power's name that heads orders."""
    spelled = {word for info in board.powers for word in power_spellings(info)}
    names = "|".join(re.escape(word) for word in sorted(spelled, key=len, reverse=True))
    verbs = "builds|removes|disbands|retreats|waives|writes|orders|does"
    return re.compile(
        rf"(?<![^\W_])(?P<name>{names})"
        rf"(?:\s*(?P<colon>:)|\s+(?:writes|orders)\b,?|(?=\s+(?:{verbs})\b)|\s*,(?=\s*\w)|\s*$)",
        re.IGNORECASE,
    )
