"""Reads lines with several orders, some of which may be wrong."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.messages.notation import NotationKey
from diplomaccloud.judge.notation.bullets import skip_bullet
from diplomaccloud.judge.notation.canonical import CanonicalOrders
from diplomaccloud.judge.notation.daide_reader import split_daide
from diplomaccloud.judge.notation.errors import MAX_QUOTED, NotationError
from diplomaccloud.judge.notation.headings import split_heading
from diplomaccloud.judge.notation.orders import OrderText
from diplomaccloud.judge.notation.reader import Reader, require_end
from diplomaccloud.judge.notation.words import (
    BUILD,
    CONDITIONS,
    DENIALS,
    DISBAND,
    KINDS,
    MAX_LINE,
    name_tokens,
)
from diplomaccloud.judge.notation.wrong_orders import skip_wrong_order
from diplomaccloud.judge.orders import Order, Waive
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.rules import DEFAULT, RuleSet

MAX_LINES = 250
"""The most orders in a sheet for one power; no board has room for half as many units."""

_FIRST = BUILD | DISBAND
"""Words that may come before the unit at the start of an order."""
_SEMICOLON = re.compile(";")
_COMMA = re.compile(r",|\(or\)|^\(or\b", re.IGNORECASE)
_NOTHING = re.compile(r"(?:does not change|no changes?|no orders|nothing|none)\W*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Piece:
    """The smallest part of an order text, as written, with its meaning.

    `orders` has an order for each of the given powers that may give it; if it is empty, `error`
    says what is wrong. `line_number` counts from 1. `power` is the power whose name heads the
    piece, if any. `refuses_rest` says that the piece is not a faulty order but other words, and
    contains everything that follows them on the line.
    """

    text: str
    orders: tuple[Order, ...] = ()
    error: NotationError | None = None
    line_number: int = 0
    power: Power | None = None
    refuses_rest: bool = False

    @property
    def message(self) -> str:
        """The error in English; empty for an order."""
        return str(self.error) if self.error else ""


@dataclass(frozen=True, slots=True)
class Line:
    """The pieces of a line of orders.

    `lapsed` has the orders that lack a detail and count only if no other order for the unit has it.
    """

    pieces: tuple[Piece, ...]
    lapsed: frozenset[Order] = frozenset()

    @property
    def faults(self) -> int:
        """The number of pieces that are not orders."""
        return sum(not piece.orders for piece in self.pieces)

    @property
    def refuses_rest(self) -> bool:
        """Whether it ends with words that are not an order, so the rest must not be read."""
        return bool(self.pieces) and self.pieces[-1].refuses_rest


@dataclass(frozen=True, slots=True)
class LineReader:
    """Reads lines of orders by any of `powers`."""

    board: Board
    position: Position
    powers: Sequence[Power]
    rules: RuleSet = DEFAULT
    _canonical: CanonicalOrders = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Collect the units once for all lines."""
        canonical = CanonicalOrders(self.board, self.position, self.rules)
        object.__setattr__(self, "_canonical", canonical)

    def read_canonical(self, text: str) -> tuple[Order, ...]:
        """Return the order of each power that `text` can mean, if it is canonical text."""
        if len(self.powers) == 1:
            order = self._canonical.read(text, self.powers[0])
            return () if order is None else (order,)
        if self.position.phase.stage is Stage.ADJUSTMENTS:
            return ()  # The name of one power's home center may mean another power's home center.
        orders = (self._canonical.read(text, power) for power in self.powers)
        return tuple(order for order in orders if order is not None)

    def read(self, text: str) -> Line:
        """Return the orders on a line, split at commas and semicolons unless only the whole works.

        Words that are not an order form one piece with everything after them, up to a semicolon.
        """
        if orders := self.read_canonical(text):
            return Line((Piece(text, orders),))
        pieces: list[Piece] = []
        lapsed: set[Order] = set()
        segments = _SEMICOLON.split(text)
        for segment in segments:
            line = self._read_segment(segment)
            pieces += line.pieces
            lapsed |= line.lapsed
            if len(pieces) > MAX_LINES:
                break
        if pieces and not any(piece.orders for piece in pieces):
            parts = [part for segment in segments for part, _ in _split_at_commas(segment)]
            if len(parts) > 1:
                whole = self._read_in_turn(text, self.powers)
                # Done last, because reading all parts again takes longer.
                if not whole.faults and not any(map(self._has_order, parts)):
                    return whole
        return Line(tuple(pieces), frozenset(lapsed))

    def _read_segment(self, segment: str) -> Line:
        """Return the orders between two semicolons."""
        if len(segment) > MAX_LINE:
            error = NotationError(NotationKey.LINE_TOO_LONG, limit=MAX_LINE, length=len(segment))
            return Line((Piece(segment, error=error, refuses_rest=True),))
        pieces: list[Piece] = []
        lapsed: set[Order] = set()
        start = 0
        for part, end in split_daide(segment) or _split_at_commas(segment):
            bare = skip_bullet(part).strip()
            if bare and not _NOTHING.fullmatch(bare):
                line = self._read_part(bare, is_followed=bool(segment[end:].strip()))
                lapsed |= line.lapsed
                if line.refuses_rest:
                    last = replace(line.pieces[-1], text=line.pieces[-1].text + segment[end:])
                    pieces += line.pieces[:-1]
                    if len(line.pieces) == 1 and pieces and _qualifies_order(bare):
                        last = _join_to_order(pieces.pop(), segment[start:].strip(), bare)
                    pieces.append(last)
                    break
                pieces += line.pieces
            if len(pieces) > MAX_LINES:
                break
            start = end
        return Line(tuple(pieces), frozenset(lapsed))

    def _has_order(self, part: str) -> bool:
        """Return whether `part`, read on its own, contains an order."""
        return any(piece.orders for piece in self._read_part(part, is_followed=False).pieces)

    def _read_part(self, part: str, *, is_followed: bool) -> Line:
        """Return the orders in a part without commas, for the power that it names, if any."""
        if orders := self.read_canonical(part):
            return Line((Piece(part, orders),))
        owner, text = split_heading(part, self.board)
        if owner is not None and owner not in self.powers:
            country = self.board.power_info[owner].name
            error = NotationError(NotationKey.FOREIGN_ORDER, country=country)
            return Line((Piece(part, error=error, refuses_rest=True),))
        if not text:
            return Line(())
        powers = self.powers if owner is None else (owner,)
        return self._read_in_turn(text, powers, is_followed=is_followed)

    def _read_in_turn(
        self, text: str, powers: Sequence[Power], *, is_followed: bool = False
    ) -> Line:
        """Return consecutive orders in `text`, as in the 1961 rulebook.

        All but the first must start with a unit and its kind: `A Mos.—Ukr. F Sev.—Bla.`,
        `Burgundy army to Paris. Picardy army stands.` Each may be an order of any of `powers`.
        Reading continues after an order with a wrong name, but stops at other words.
        `is_followed` says that more text follows after a comma.
        """
        try:
            reading = OrderText(
                text, self.board, self.position, powers[0], MAX_LINE, rules=self.rules
            )
        except NotationError as error:
            return Line((Piece(text, error=error, refuses_rest=True),))
        reader = reading.reader
        may_lack_verb = self.position.phase.stage is Stage.ADJUSTMENTS
        pieces: list[Piece] = []
        lapsed: set[Order] = set()
        while (reader.next or not pieces) and len(pieces) <= MAX_LINES:
            start = reader.at
            try:
                orders, end = _read_next(reading, powers, lapsed)
                pieces.append(Piece(reader.text_between(start, end), orders))
            except NotationError as error:
                reader.at = start
                if skip_wrong_order(reader, may_lack_verb=may_lack_verb):
                    wrong = reader.text_between(start, reader.at)
                    pieces.append(Piece(wrong, error=error))
                    reader.starts_unit()
                    continue
                fault = _name_words_at_fault(reader, start, error, is_followed=is_followed)
                rest = reader.text_between(start, len(reader.tokens))
                pieces.append(Piece(rest, error=fault, refuses_rest=True))
                break
        return Line(tuple(pieces), frozenset(lapsed))


def _name_words_at_fault(
    reader: Reader, start: int, error: NotationError, *, is_followed: bool
) -> NotationError:
    """Return an error naming the words from `start` to a unit if no order starts with them."""
    words = reader.text_before_unit(start)
    first = reader.tokens[start] if reader.tokens else ""
    is_name = error.key in (NotationKey.UNKNOWN_PROVINCE, NotationKey.UNKNOWN_PROVINCE_ALIKE)
    is_followed = is_followed or words != reader.text_between(start, len(reader.tokens))
    if first in CONDITIONS | DENIALS or (is_name and is_followed and first not in KINDS):
        return NotationError(NotationKey.WORDS_BEFORE_ORDER, words=words[:MAX_QUOTED])
    return error


def _split_at_commas(segment: str) -> list[tuple[str, int]]:
    """Return the parts of `segment` between commas, and the end of each."""
    starts, ends = [0], []
    for match in _COMMA.finditer(segment):
        ends.append(match.start())
        starts.append(match.end())
    ends.append(len(segment))
    return [(segment[start:end], end) for start, end in zip(starts, ends, strict=True)]


def _qualifies_order(words: str) -> bool:
    """Return whether `words` after a comma negate the order before it or make it conditional."""
    tokens = name_tokens(words)
    first = tokens[0] if tokens else ""
    return first in CONDITIONS or (first in DENIALS and KINDS.keys().isdisjoint(tokens))


def _join_to_order(piece: Piece, rest: str, words: str) -> Piece:
    """Return a piece that refuses an order together with the words after it."""
    before = str(piece.orders[0]) if piece.orders else piece.text
    error = NotationError(NotationKey.TRAILING_WORDS, words=words[:MAX_QUOTED], before=before)
    return Piece(piece.text + rest, error=error, refuses_rest=True)


def _read_next(
    reading: OrderText, powers: Sequence[Power], lapsed: set[Order]
) -> tuple[tuple[Order, ...], int]:
    """Return the order that starts here for each of `powers` that may give it, and its end.

    Raises `NotationError` if no power may give it. Adds to `lapsed`.
    """
    start = reading.reader.at
    read: list[tuple[Order, int, int]] = []
    errors: list[NotationError] = []
    for power in powers:
        reading.power, reading.reader.at = power, start
        try:
            read.append(_read_order(reading))
        except NotationError as error:
            errors.append(error)
            continue
        if reading.lapse:
            lapsed.add(read[-1][0])
    if not read:
        # For all but one power, the unit is foreign; any other error is more helpful.
        raise min(errors, key=lambda error: error.key is NotationKey.NOT_YOUR_UNIT)
    _, end, reading.reader.at = read[0]
    return tuple(order for order, *_, after in read if after == reading.reader.at), end


def _read_order(reading: OrderText) -> tuple[Order, int, int]:
    """Return the order that starts here, its end, and the start of the next one."""
    order, reader = reading.order(), reading.reader
    end = reader.at
    # The unit in `waive F BRE` is not built.
    if isinstance(order, Waive) or not reader.starts_order():
        require_end(reader, order)
    return order, end, reader.at
