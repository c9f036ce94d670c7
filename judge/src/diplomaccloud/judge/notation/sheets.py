"""Reads order sheets: headings, bullets, and lines with several orders, some of which are wrong.

`A MUN - TYO` is a wrong order, and the text after it can be read. `cancel A MUN - TYR` is not an
order at all, and nothing after such words may be read as one.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise

from diplomaccloud.judge.board import Board, Power, ProvinceCode
from diplomaccloud.judge.checks import require_text
from diplomaccloud.judge.messages.catalog import NotationKey
from diplomaccloud.judge.notation import words
from diplomaccloud.judge.notation.orders import CanonicalOrders, OrderText, skip_bullet
from diplomaccloud.judge.notation.programs import split_daide
from diplomaccloud.judge.notation.units import Reader, require_end
from diplomaccloud.judge.notation.words import (
    MAX_LINE,
    MAX_QUOTED,
    STRAY_TAG,
    NotationError,
    name_tokens,
    names_of,
    power_spellings,
)
from diplomaccloud.judge.orders import Order, Waive
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Position, require_arguments, require_power
from diplomaccloud.judge.rules import DEFAULT, RuleSet, find_rules

MAX_SHEET = 64 * 1024
"""The longest sheet that is read, in characters."""

MAX_LINES = 250
"""The most orders in a sheet for one power; no board has room for half as many units."""

MAX_HEADING = 40
"""The longest power name to look for before a colon, in characters."""

MAX_WRONG_COAST = 2
"""The longest word after a slash that can be a misspelled coast, in letters."""

_MARKUP = re.compile(r"</?(?!(?:s|del|strike)>)[a-zA-Z]{1,8}>|\|", re.IGNORECASE)
"""Underlining and table bars in sheets copied from a page, but no strikethrough."""
_RULE = re.compile(r"[\s:-]*")
_TITLE = re.compile(
    r"(?:(?:spring|summer|fall|autumn|winter)\b\W*)?(?:\d{4}\W*)?"
    r"(?:(?:orders|moves|movement|retreats|builds|removals|adjustments)\b\W*)?",
    re.IGNORECASE,
)
"""A title that may come before the first power's name: `Fall 1901 orders:`."""
_ORDERS_A_UNIT = re.compile(r"(?:a|f|army|fleet)\b", re.IGNORECASE)
_COMMA = re.compile(r",|\(or\)|^\(or\b", re.IGNORECASE)
_NOTHING = re.compile(r"(?:does not change|no changes?|no orders|nothing|none)\W*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Piece:
    """The smallest part of an order text, as written, with its meaning.

    `orders` has an order for each of the given powers that may give it; if it is empty, `error`
    says what is wrong. `line` counts from 1. `power` is the power whose name heads the
    piece, if any. `refuses_rest` says that the piece is not a faulty order but other words, and
    contains everything that follows them on the line. `lapsed` has those orders that lack a detail
    and count only if no other order for the unit has it.
    """

    text: str
    orders: tuple[Order, ...] = ()
    error: NotationError | None = None
    line: int = 0
    power: Power | None = None
    refuses_rest: bool = False
    lapsed: tuple[Order, ...] = field(default=(), repr=False, compare=False)

    @property
    def message(self) -> str:
        """The error in English; empty for an order."""
        return str(self.error) if self.error else ""


@dataclass(frozen=True, slots=True)
class LineError:
    """A piece of a sheet that is not an order: its line number from 1, its text, and the error."""

    line: int
    text: str
    error: NotationError

    @property
    def message(self) -> str:
        """The error in English."""
        return str(self.error)


@dataclass(frozen=True, slots=True)
class Sheet:
    """The orders in a sheet, in the order written, and the errors."""

    orders: tuple[Order, ...]
    errors: tuple[LineError, ...]


def parse_sheet(
    text: str, board: Board, position: Position, power: Power, *, rules: RuleSet | str = DEFAULT
) -> Sheet:
    """Return the orders of `power` in `text`, and an error for each piece that is not an order.

    Each line has one order. Commas and semicolons also separate orders, and an order may directly
    follow another if it names the kind of its unit. A line that makes sense only together with
    the line before it continues that line. Words that are not an order form one error with
    everything after them, up to the end of the line or a semicolon, so that `not A PAR - BUR` is
    not read as an order. Bullets and numbers before orders, empty lines, `#` comments, the
    power's own name before a colon, the bars and tags of a copied table, and `(or)` between two
    ways to write an order are ignored. The running time is linear in the length of the text; a
    sheet that is too long gives a single error. Raises `ValueError` for a power that is not on the
    board.
    """
    require_text("text", text)
    require_arguments(board, position, power)
    rules = find_rules(rules)
    require_power(board, position, power)
    if len(text) > MAX_SHEET:
        return _make_sheet([Piece("", error=_too_long_error(text), line=1)])
    reader = LineReader(board, position, (power,), rules)
    orders: list[Order] = []
    for line in filter(None, map(str.strip, text.splitlines())):
        # Most sheets have an order in canonical text on each line.
        read = reader.read_canonical(line)
        if not read or len(orders) == MAX_LINES:
            return _make_sheet(_read_lines(_lines(text), reader))
        orders += read
    return Sheet(tuple(orders), ())


def parse_pieces(
    text: str,
    board: Board,
    position: Position,
    powers: Sequence[Power],
    *,
    rules: RuleSet = DEFAULT,
) -> tuple[Piece, ...]:
    """Return the pieces of a sheet by a player of `powers`, in the order written.

    Orders under the name of one of these powers, as in `parse_sheets`, are read only for it.
    Orders under the name of another power form one piece, which is refused. Before any name, each
    order may be for any of `powers`. A complete line that starts with the kind of a unit joins an
    incomplete line before it only if that yields more orders. Raises `NotationError` for text that
    is too long or has more than `MAX_LINES` pieces, and `ValueError` for a power that is not on the
    board.
    """
    for power in powers:
        require_power(board, position, power)
    if len(text) > MAX_SHEET:
        raise _too_long_error(text)
    pieces: list[Piece] = []
    for section in split_by_headings(text, board):
        heading, lines = section.power, section.lines
        if heading is None or heading in powers:
            named = powers if heading is None else (heading,)
            reader = LineReader(board, position, named, rules, heading)
            before = pieces[-1] if pieces else None
            pieces += _read_section(section, reader, before, apart=True)
        else:
            country = board.power_info[heading].name
            error = NotationError(NotationKey.FOREIGN_ORDERS, country=country)
            foreign = "\n".join(line for _, line in lines)
            pieces.append(Piece(foreign, error=error, line=lines[0][0], power=heading))
        if len(pieces) > MAX_LINES:
            raise NotationError(NotationKey.TOO_MANY_ORDERS, limit=MAX_LINES)
    return tuple(pieces)


def parse_sheets(
    text: str, board: Board, position: Position, *, rules: RuleSet = DEFAULT
) -> Mapping[Power, Sheet]:
    """Return the orders in `text` by power, in the format of rulebooks.

    The orders of each power follow its name and a colon, or its name and a verb: `Germany:
    A Hol—Bel A Ruhr S Hol—Bel`, `Germany builds F Kiel and A Mun.` Text before the first name
    is ignored if its line ends there or it is a title. Line numbers in errors refer to the whole
    text.
    """
    if len(text) > MAX_SHEET * max(1, len(board.powers)):
        error = NotationError(NotationKey.SHEETS_TOO_LONG, limit=MAX_SHEET)
        pieces = [Piece("", error=error, line=1)]
        return {info.power: _make_sheet(pieces) for info in board.powers}
    pieces_by_power: dict[Power, list[Piece]] = {}
    before: Piece | None = None
    for section in split_by_headings(text, board):
        if section.power is None:
            if not _TITLE.fullmatch(section.lines[-1][1]):
                # Its text and its number are those of the line that it refuses.
                key, quoted = NotationKey.WORDS_BEFORE_ORDER, section.lines[-1][1][:MAX_QUOTED]
                before = Piece("", error=NotationError(key, words=quoted), refuses_rest=True)
            continue
        pieces = pieces_by_power.setdefault(section.power, [])
        if len(pieces) <= MAX_LINES:
            reader = LineReader(board, position, (section.power,), rules, section.power)
            pieces += _read_section(section, reader, before)
            before = pieces[-1] if pieces else before
    return {power: _make_sheet(pieces) for power, pieces in pieces_by_power.items()}


def _make_sheet(pieces: Sequence[Piece]) -> Sheet:
    """Return the sheet made of `pieces`, or a single error if there are more than `MAX_LINES`."""
    if len(pieces) > MAX_LINES:
        error = NotationError(NotationKey.TOO_MANY_ORDERS, limit=MAX_LINES)
        pieces = [Piece("", error=error, line=1)]
    errors = [LineError(each.line, each.text, each.error) for each in pieces if each.error]
    return Sheet(tuple(each.orders[0] for each in pieces if each.orders), tuple(errors))


def _too_long_error(text: str) -> NotationError:
    return NotationError(NotationKey.SHEET_TOO_LONG, limit=MAX_SHEET, length=len(text))


# Headings.


@dataclass(frozen=True, slots=True)
class Section:
    """A section of numbered lines, and the power whose name heads it, if any.

    `within_line` says that it starts in the middle of the previous section's last line.
    """

    power: Power | None
    within_line: bool = False
    lines: list[tuple[int, str]] = field(default_factory=list)


def split_by_headings(text: str, board: Board) -> list[Section]:
    """Return the sections of `text` with lines; only the first may have no heading.

    A name without a colon starts a section only at the start of a line or a sentence.
    """
    # Looked up once, because comparing equal boards is slow.
    pattern, names = _heading_pattern(board), names_of(board)
    sections = [Section(None)]
    for number, line in _lines(text):
        has_text = False
        start = 0
        for match in (*pattern.finditer(line), None):
            end = match.start() if match else len(line)
            before = line[max(0, end - 4) : end].rstrip()[-1:]
            if match and before not in '.,;:"' and match["colon"] is None:
                continue
            if part := line[start:end].strip():
                sections[-1].lines.append((number, part))
                has_text = True
            if match:
                start = match.end()
                named = names.power(name_tokens(match["name"]), 0)
                sections += [Section(named[0], has_text)] if named else []
    return [section for section in sections if section.lines]


@lru_cache(maxsize=16)
def _heading_pattern(board: Board) -> re.Pattern[str]:
    """Return a pattern for the name of a power that heads orders."""
    spelled = {word for info in board.powers for word in power_spellings(info)}
    names = "|".join(re.escape(word) for word in sorted(spelled, key=len, reverse=True))
    verbs = "builds|removes|disbands|retreats|waives|writes|orders|does"
    return re.compile(
        rf"(?<![^\W_])(?P<name>{names})"
        rf"(?:\s*(?P<colon>:)|\s+(?:writes|orders)\b,?|(?=\s+(?:{verbs})\b)|\s*,(?=\s*\w)|\s*$)",
        re.IGNORECASE,
    )


def split_heading(part: str, board: Board) -> tuple[Power | None, str]:
    """Return the power named before a colon, if any, and the text after it."""
    heading, colon, rest = part.partition(":")
    if not colon or len(heading) > MAX_HEADING:
        return None, part
    tokens = name_tokens(heading)
    named = names_of(board).power(tokens, 0)
    if named is None or named[1] != len(tokens):
        return None, part
    return named[0], rest.strip()


# Lines.


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines with text and their numbers, without comments and markup."""
    for number, line in enumerate(text.splitlines(), start=1):
        bare = _MARKUP.sub(" ", STRAY_TAG.sub("", line.partition("#")[0])).strip()
        if not _RULE.fullmatch(bare):
            yield number, bare


def _read_section(
    section: Section, reader: "LineReader", before: Piece | None, *, apart: bool = False
) -> list[Piece]:
    """Return the pieces of a section; `before` is the piece before its heading, if any.

    Like `not A PAR - BUR`, `not France: A PAR - BUR` is not an order, so words that refuse the
    rest of their line do so even across a heading.
    """
    lines = section.lines
    if not section.within_line or before is None or not before.refuses_rest:
        return _read_lines(lines, reader, apart=apart)
    number, text = lines[0]
    refused = replace(before, text=text, line=number, power=section.power)
    return [refused, *_read_lines(lines[1:], reader, apart=apart)]


def _read_lines(
    lines: Iterable[tuple[int, str]], reader: "LineReader", *, apart: bool = False
) -> list[Piece]:
    """Return the pieces of `lines`, at most about `MAX_LINES` of them.

    With `apart`, lines that order a unit on their own are not joined, since printed sheets break
    supports there.
    """
    pieces: list[Piece] = []
    lapsed: set[Order] = set()
    first, before, held = 0, "", list[Piece]()
    for number, text in lines:
        line = reader.read(text, number)
        faults = _count_faults(line), _count_faults(held)
        lapsed.update(*[piece.lapsed for piece in line])
        if first and any(faults) and len(before) + len(text) < MAX_LINE:
            whole = reader.read(f"{before} {text}", first)
            joined_faults = _count_faults(whole)
            gains = len(whole) - joined_faults > len(held) + len(line) - sum(faults)
            whole_alone = apart and not faults[0] and _ORDERS_A_UNIT.match(text)
            # Fewer errors, and no fewer orders.
            if joined_faults < sum(faults) and (gains or not (joined_faults or whole_alone)):
                lapsed.update(*[piece.lapsed for piece in whole])
                before, held = f"{before} {text}", whole
                continue
        pieces += held
        first, before, held = number, text, line
        if len(pieces) > MAX_LINES:
            break
    pieces += held
    if not lapsed:
        return pieces
    # Orders that lack a detail in another order for the unit do not count (DATC 4.C).
    pairs = [(piece, piece.orders[0] if piece.orders else None) for piece in pieces]
    units = {_unit_of(order) for _, order in pairs if order and order not in lapsed}
    return [piece for piece, order in pairs if order not in lapsed or _unit_of(order) not in units]


def _count_faults(pieces: list[Piece]) -> int:
    return len([piece for piece in pieces if not piece.orders])


def _unit_of(order: Order | None) -> ProvinceCode | None:
    return None if order is None or isinstance(order, Waive) else order.unit.province


class LineReader:
    """Reads lines of orders by any of `powers`, under the heading of `heading`, if any."""

    def __init__(
        self,
        board: Board,
        position: Position,
        powers: Sequence[Power],
        rules: RuleSet = DEFAULT,
        heading: Power | None = None,
    ) -> None:
        self._board, self._position, self._rules = board, position, rules
        self._powers, self._heading, self._number = powers, heading, 0
        self._canonical = CanonicalOrders(board, position, rules)

    def _order(self, text: str, orders: tuple[Order, ...], lapsed: Sequence[Order] = ()) -> Piece:
        """Return the piece of a text that is an order."""
        number, heading = self._number, self._heading
        return Piece(text, orders, None, number, heading, lapsed=tuple(lapsed))

    def _error(self, text: str, error: NotationError, *, refuses_rest: bool = True) -> Piece:
        """Return the piece of a text that is not an order."""
        return Piece(text, (), error, self._number, self._heading, refuses_rest)

    def read_canonical(self, text: str) -> tuple[Order, ...]:
        """Return the order of each power that `text` can mean, if it is canonical text."""
        if len(self._powers) == 1:
            order = self._canonical.read(text, self._powers[0])
            return () if order is None else (order,)
        if self._position.phase.stage is Stage.ADJUSTMENTS:
            return ()  # The name of one power's home center may mean another power's home center.
        orders = (self._canonical.read(text, power) for power in self._powers)
        return tuple(order for order in orders if order is not None)

    def read(self, text: str, number: int = 0) -> list[Piece]:
        """Return the pieces of a line, split at commas and semicolons unless only the whole works.

        Words that are not an order form one piece with everything after them, up to a semicolon.
        `number` is the number of the line.
        """
        self._number = number
        if orders := self.read_canonical(text):
            return [self._order(text, orders)]
        pieces: list[Piece] = []
        segments = text.split(";")
        for segment in segments:
            pieces += self._read_segment(segment)
            if len(pieces) > MAX_LINES:
                break
        if pieces and not any(piece.orders for piece in pieces):
            parts = [part for segment in segments for part, _ in _split_at_commas(segment)]
            if len(parts) > 1:
                whole = self._read_in_turn(text, self._powers)
                # Done last, because reading all parts again takes longer.
                apart = (self._read_part(part, is_followed=False) for part in parts)
                if not _count_faults(whole) and not any(p.orders for each in apart for p in each):
                    return whole
        return pieces

    def _read_segment(self, segment: str) -> list[Piece]:
        """Return the pieces between two semicolons."""
        if len(segment) > MAX_LINE:
            key, length = NotationKey.LINE_TOO_LONG, len(segment)
            return [self._error(segment, NotationError(key, limit=MAX_LINE, length=length))]
        pieces: list[Piece] = []
        start = 0
        for part, end in split_daide(segment) or _split_at_commas(segment):
            bare = skip_bullet(part).strip()
            if bare and not _NOTHING.fullmatch(bare):
                rest = segment[end:]
                line = self._read_part(bare, is_followed=bool(rest.strip()))
                if line and line[-1].refuses_rest:
                    line[-1] = replace(line[-1], text=line[-1].text + rest)
                    if len(line) == 1 and pieces and _qualifies_order(bare):
                        # The order and the words that qualify it are refused together.
                        order = pieces.pop()
                        before = str(order.orders[0]) if order.orders else order.text
                        key, denial = NotationKey.TRAILING_WORDS, bare[:MAX_QUOTED]
                        error = NotationError(key, words=denial, before=before)
                        line = [self._error(order.text + segment[start:].strip(), error)]
                    return pieces + line
                pieces += line
            if len(pieces) > MAX_LINES:
                break
            start = end
        return pieces

    def _read_part(self, part: str, *, is_followed: bool) -> list[Piece]:
        """Return the pieces of a part without commas, for the power that it names, if any."""
        if orders := self.read_canonical(part):
            return [self._order(part, orders)]
        owner, text = split_heading(part, self._board)
        if owner is not None and owner not in self._powers:
            country = self._board.power_info[owner].name
            return [self._error(part, NotationError(NotationKey.FOREIGN_ORDER, country=country))]
        powers = self._powers if owner is None else (owner,)
        return self._read_in_turn(text, powers, is_followed=is_followed) if text else []

    def _read_in_turn(
        self, text: str, powers: Sequence[Power], *, is_followed: bool = False
    ) -> list[Piece]:
        """Return consecutive orders in `text`, as in the 1961 rulebook.

        All but the first must start with a unit and its kind: `A Mos.—Ukr. F Sev.—Bla.`,
        `Burgundy army to Paris. Picardy army stands.` Each may be an order of any of `powers`.
        Reading continues after an order with a wrong name, but stops at other words.
        `is_followed` says that more text follows after a comma.
        """
        board, position = self._board, self._position
        try:
            reader = OrderText(text, board, position, powers[0], MAX_LINE, rules=self._rules)
        except NotationError as error:
            return [self._error(text, error)]
        pieces: list[Piece] = []
        while (reader.next or not pieces) and len(pieces) <= MAX_LINES:
            start = reader.at
            try:
                pieces.append(self._read_next(reader, powers))
            except NotationError as error:
                reader.at = start
                if _WrongOrder(reader, position).skip():
                    wrong = reader.text_between(start, reader.at)
                    pieces.append(self._error(wrong, error, refuses_rest=False))
                    reader.starts_unit()
                    continue
                fault = _name_words_at_fault(reader, start, error, is_followed=is_followed)
                pieces.append(self._error(reader.text_between(start, len(reader.tokens)), fault))
                break
        return pieces

    def _read_next(self, reader: OrderText, powers: Sequence[Power]) -> Piece:
        """Return the order that starts here for each of `powers` that may give it.

        Raises `NotationError` if no power may give it.
        """
        start = reader.at
        read: list[tuple[Order, int, int]] = []
        lapsed: list[Order] = []
        errors: list[NotationError] = []
        for reader.power in powers:
            reader.at = start
            try:
                order = reader.order()
                end = reader.at
                # The unit in `waive F BRE` is not built.
                if isinstance(order, Waive) or not reader.starts_order():
                    require_end(reader, order)
            except NotationError as error:
                errors.append(error)
                continue
            read.append((order, end, reader.at))
            lapsed += [order] if reader.lapse else []
        if not read:
            # For all but one power, the unit is foreign; any other error is more helpful.
            raise min(errors, key=lambda error: error.key is NotationKey.NOT_YOUR_UNIT)
        _, end, reader.at = read[0]
        orders = tuple(order for order, _, after in read if after == reader.at)
        return self._order(reader.text_between(start, end), orders, lapsed)


def _split_at_commas(segment: str) -> list[tuple[str, int]]:
    """Return the parts of `segment` between commas, and the end of each."""
    commas = [(0, 0), *(match.span() for match in _COMMA.finditer(segment)), (len(segment), 0)]
    return [(segment[start:end], end) for (_, start), (end, _) in pairwise(commas)]


def _qualifies_order(text: str) -> bool:
    """Return whether `text` after a comma negates the order before it or makes it conditional."""
    tokens = name_tokens(text)
    first = tokens[0] if tokens else ""
    denies = first in words.DENIALS and words.KINDS.keys().isdisjoint(tokens)
    return denies or first in words.CONDITIONS


def _name_words_at_fault(
    reader: Reader, start: int, error: NotationError, *, is_followed: bool
) -> NotationError:
    """Return an error naming the words from `start` to a unit if no order starts with them."""
    quoted = reader.text_between(start, reader.find_next_kind(start))
    first = reader.tokens[start] if reader.tokens else ""
    is_followed = is_followed or quoted != reader.text_between(start, len(reader.tokens))
    is_name = error.key in (NotationKey.UNKNOWN_PROVINCE, NotationKey.UNKNOWN_PROVINCE_ALIKE)
    is_word = is_name and is_followed and first not in words.KINDS
    if is_word or first in words.CONDITIONS or first in words.DENIALS:
        return NotationError(NotationKey.WORDS_BEFORE_ORDER, words=quoted[:MAX_QUOTED])
    return error


class _WrongOrder:
    """Skips an order that is complete except for one wrong name.

    The wrong name must be a single word directly after a dash or the kind of a unit, so that words
    such as `not` or `helps` are never mistaken for one.
    """

    def __init__(self, reader: Reader, position: Position) -> None:
        self._reader = reader
        # `A PAR` on its own is an adjustment.
        self._may_lack_verb = position.phase.stage is Stage.ADJUSTMENTS
        self._has_wrong_name = False

    def skip(self) -> bool:
        """Skip such an order if there is one; return whether there is."""
        reader, start = self._reader, self._reader.at
        try:
            is_order = self._skip_order()
        except NotationError:  # A second wrong name.
            is_order = False
        end = reader.at
        is_order = is_order and (not reader.next or reader.starts_order())
        reader.at = end if is_order else start
        return is_order

    def _skip_order(self) -> bool:
        """Skip an order with a verb for any phase; return whether there is one."""
        reader = self._reader
        reader.take_power_before(words.BUILD | words.DISBAND)
        verb_first = reader.take(words.BUILD | words.DISBAND)
        reader.take(words.RETREAT)
        verbs = words.ADJUSTMENT_VERBS if self._may_lack_verb else words.VERBS
        self._skip(reader.unit, verbs - {"-"})
        if verb_first:
            return True
        reader.skip_dash_before(words.HOLD | words.SUPPORT | words.CONVOY)
        if reader.take(words.SUPPORT):
            self._skip(reader.unit)
            return reader.take(words.HOLD) or self._skip_path() or True
        if reader.take(words.CONVOY):
            self._skip(reader.unit)
            return self._skip_path()
        if reader.take(words.HOLD):
            reader.take_all(words.AFTER_HOLD)
            return True
        return (
            reader.take(words.BUILD | words.DISBAND)
            or self._skip_path(has_verb=reader.take(words.RETREAT))
            or (self._may_lack_verb and not self._has_wrong_name)
        )

    def _skip_path(self, *, has_verb: bool = False) -> bool:
        """Skip a destination, which `has_verb` requires; return whether there was one."""
        reader = self._reader
        if not (reader.take_move_words() or has_verb or reader.place_follows()):
            return False
        self._skip(reader.place)
        while reader.take({"-"}):
            self._skip(reader.place)
        reader.take_via()
        return True

    def _skip(self, read: Callable[[Collection[str]], object], verbs: Collection[str] = ()) -> None:
        """Skip what `read` reads, or a misspelled name where it stops; raise its other errors."""
        try:
            read(verbs)
        except NotationError:
            if not self._skip_wrong_name():
                raise

    def _skip_wrong_name(self) -> bool:
        reader = self._reader
        if self._has_wrong_name or reader.at == 0:
            return False
        self._has_wrong_name = True
        if reader.next == "/":
            # At the end of the text there is no word after the slash.
            coast = reader.peek(1)
            reader.at += 2
            return 0 < len(coast) <= MAX_WRONG_COAST
        before, word = reader.peek(-1), reader.next
        if before == "/" and reader.at > 1:
            before = reader.peek(-2)  # `A(PRA)`
        reader.at += 1
        is_place = before == "-" or before in words.KINDS
        return is_place and len(word) > 1 and word not in words.NOT_NAMES
