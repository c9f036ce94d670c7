"""Reads whole order sheets, for one power or for several powers under their names."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace

from diplomaccloud.judge.arguments import require_arguments
from diplomaccloud.judge.board import Board, Power, ProvinceCode
from diplomaccloud.judge.checks import require_text
from diplomaccloud.judge.messages.notation import NotationKey
from diplomaccloud.judge.notation.errors import MAX_QUOTED, NotationError
from diplomaccloud.judge.notation.headings import Section, split_by_headings
from diplomaccloud.judge.notation.lines import MAX_LINES, Line, LineReader, Piece
from diplomaccloud.judge.notation.words import MAX_LINE
from diplomaccloud.judge.orders import Order, Waive
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.rules import DEFAULT, RuleSet

MAX_SHEET = 64 * 1024
"""The longest sheet that is read, in characters."""

_MARKUP = re.compile(r"</?(?!(?:s|del|strike)>)[a-zA-Z]{1,8}>|\|", re.IGNORECASE)
"""Underlining and table bars in sheets copied from a page, but no strikethrough."""
_STRAY = re.compile(r"\[/?[biu]\]", re.IGNORECASE)
"""Remnants of underlining within words in forum posts: `the a[/u]rmy`."""
_RULE = re.compile(r"[\s:-]*")
_TITLE = re.compile(
    r"(?:(?:spring|summer|fall|autumn|winter)\b\W*)?(?:\d{4}\W*)?"
    r"(?:(?:orders|moves|movement|retreats|builds|removals|adjustments)\b\W*)?",
    re.IGNORECASE,
)
"""A title that may come before the first power's name: `Fall 1901 orders:`."""
_ORDERS_A_UNIT = re.compile(r"(?:a|f|army|fleet)\b", re.IGNORECASE)
_Numbered = tuple[int, str]


@dataclass(frozen=True, slots=True)
class LineError:
    """A piece of a sheet that is not an order: its line number from 1, its text, and the error."""

    line_number: int
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
    text: str, board: Board, position: Position, power: Power, *, rules: RuleSet = DEFAULT
) -> Sheet:
    """Return the orders of `power` in `text`, and an error for each piece that is not an order.

    Each line has one order. Commas and semicolons also separate orders, and an order may directly
    follow another if it names the kind of its unit. A line that makes sense only together with
    the line before it continues that line. Words that are not an order form one error with
    everything after them, up to the end of the line or a semicolon, so that `not A PAR - BUR` is
    not read as an order. Bullets and numbers before orders, empty lines, `#` comments, the
    power's own name before a colon, the bars and tags of a copied table, and `(or)` between two
    ways to write an order are ignored. The running time is linear in the length of the text; a
    sheet that is too long gives a single error.
    """
    require_text("text", text)
    require_arguments(board, position, rules, power)
    if len(text) > MAX_SHEET:
        return _refuse(_too_long_error(text))
    reader = LineReader(board, position, (power,), rules)
    return _read_canonical_lines(text, reader) or _make_sheet(_read_lines(_lines(text), reader))


def _read_canonical_lines(text: str, reader: LineReader) -> Sheet | None:
    """Return the sheet if each line is an order in canonical text, which is most common."""
    orders: list[Order] = []
    for line in text.splitlines():
        if bare := line.strip():
            read = reader.read_canonical(bare)
            if not read or len(orders) == MAX_LINES:
                return None
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
    is too long or has more than `MAX_LINES` pieces.
    """
    if len(text) > MAX_SHEET:
        raise _too_long_error(text)
    pieces: list[Piece] = []
    for section in split_by_headings(_lines(text), board):
        power = section.power
        if power is None or power in powers:
            reader = LineReader(board, position, powers if power is None else (power,), rules)
            before = pieces[-1] if pieces else None
            pieces += _read_section(section, reader, before, apart=True)
        elif section.lines:
            pieces.append(_refuse_foreign(section, board))
        _require_few_pieces(pieces)
    return tuple(pieces)


def _read_section(
    section: Section, reader: LineReader, before: Piece | None, *, apart: bool = False
) -> list[Piece]:
    """Return the pieces of a section; `before` is the piece before its heading, if any.

    Like `not A PAR - BUR`, `not France: A PAR - BUR` is not an order, so words that refuse the
    rest of their line do so even across a heading.
    """
    pieces: list[Piece] = []
    lines = section.lines
    if section.within_line and lines and before is not None and before.refuses_rest:
        number, text = lines[0]
        pieces.append(replace(before, text=text, line_number=number))
        lines = lines[1:]
    pieces += _read_lines(lines, reader, apart=apart)
    return [replace(piece, power=section.power) for piece in pieces]


def _refuse_foreign(section: Section, board: Board) -> Piece:
    """Return a refusal of a section under the name of another power."""
    country = board.power_info[section.power].name if section.power else ""
    error = NotationError(NotationKey.FOREIGN_ORDERS, country=country)
    text = "\n".join(text for _, text in section.lines)
    return Piece(text, error=error, line_number=section.lines[0][0], power=section.power)


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
        refused = _refuse(NotationError(NotationKey.SHEETS_TOO_LONG, limit=MAX_SHEET))
        return {info.power: refused for info in board.powers}
    pieces_by_power: dict[Power, list[Piece]] = {}
    before: Piece | None = None
    for section in split_by_headings(_lines(text), board):
        if section.power is None:
            before = _refuse_untitled(section)
            continue
        if not section.lines:
            continue
        pieces = pieces_by_power.setdefault(section.power, [])
        if len(pieces) <= MAX_LINES:
            reader = LineReader(board, position, (section.power,), rules)
            pieces += _read_section(section, reader, before)
            before = pieces[-1] if pieces else before
    return {power: _make_sheet(pieces) for power, pieces in pieces_by_power.items()}


def _refuse_untitled(section: Section) -> Piece | None:
    """Return a refusal of the words before the first heading, unless they are a title."""
    if not section.lines or _TITLE.fullmatch(section.lines[-1][1]):
        return None
    number, words = section.lines[-1]
    error = NotationError(NotationKey.WORDS_BEFORE_ORDER, words=words[:MAX_QUOTED])
    return Piece(words, error=error, line_number=number, refuses_rest=True)


def _make_sheet(pieces: Sequence[Piece]) -> Sheet:
    """Return the sheet made of `pieces`, or a single error if there are more than `MAX_LINES`."""
    try:
        _require_few_pieces(pieces)
    except NotationError as error:
        return _refuse(error)
    orders = tuple(piece.orders[0] for piece in pieces if piece.orders)
    errors = (
        LineError(piece.line_number, piece.text, piece.error) for piece in pieces if piece.error
    )
    return Sheet(orders, tuple(errors))


def _too_long_error(text: str) -> NotationError:
    return NotationError(NotationKey.SHEET_TOO_LONG, limit=MAX_SHEET, length=len(text))


def _require_few_pieces(pieces: Sequence[Piece]) -> None:
    if len(pieces) > MAX_LINES:
        raise NotationError(NotationKey.TOO_MANY_ORDERS, limit=MAX_LINES)


def _refuse(error: NotationError) -> Sheet:
    return Sheet((), (LineError(1, "", error),))


def _lines(text: str) -> Iterator[_Numbered]:
    for number, line in enumerate(text.splitlines(), start=1):
        bare = _MARKUP.sub(" ", _STRAY.sub("", line.partition("#")[0])).strip()
        if not _RULE.fullmatch(bare):
            yield number, bare


def _read_lines(
    lines: Iterable[_Numbered], reader: LineReader, *, apart: bool = False
) -> list[Piece]:
    """Return the pieces of `lines`, at most about `MAX_LINES` of them.

    With `apart`, lines that order a unit on their own are not joined, since printed sheets break
    supports there.
    """
    pieces: list[Piece] = []
    lapsed: set[Order] = set()
    held: tuple[int, str, Line] | None = None
    held_has_faults = False
    for number, text in lines:
        orders = reader.read_canonical(text)
        line = Line((Piece(text, orders, line_number=number),)) if orders else reader.read(text)
        lapsed |= line.lapsed
        has_faults = not orders and line.faults > 0
        may_join = held is not None and (has_faults or held_has_faults)
        if held is not None and may_join and len(held[1]) + len(text) < MAX_LINE:
            joined = f"{held[1]} {text}"
            whole = reader.read(joined)
            whole_alone = apart and not line.faults and _ORDERS_A_UNIT.match(text)
            if _makes_more_sense(whole, held[2], line, must_gain=bool(whole_alone)):
                lapsed |= whole.lapsed
                held = held[0], joined, whole
                held_has_faults = whole.faults > 0
                continue
        _add_held(held, pieces)
        held = number, text, line
        held_has_faults = has_faults
        if len(pieces) > MAX_LINES:
            break
    _add_held(held, pieces)
    return _drop_lapsed(pieces, lapsed)


def _drop_lapsed(pieces: list[Piece], lapsed: Set[Order]) -> list[Piece]:
    """Return `pieces` without orders that lack a detail in another order for the unit (4.C)."""
    if not lapsed:
        return pieces
    pairs = [(piece, piece.orders[0] if piece.orders else None) for piece in pieces]
    whole = {_unit_of(order) for _, order in pairs if order and order not in lapsed}
    return [piece for piece, order in pairs if order not in lapsed or _unit_of(order) not in whole]


def _unit_of(order: Order | None) -> ProvinceCode | None:
    return None if order is None or isinstance(order, Waive) else order.unit.province


def _makes_more_sense(whole: Line, first: Line, second: Line, *, must_gain: bool) -> bool:
    """Return whether two lines have fewer errors, and no fewer orders, if read as one."""
    faults = first.faults + second.faults
    orders = len(first.pieces) + len(second.pieces) - faults
    more = len(whole.pieces) - whole.faults > orders
    return whole.faults < faults and (more or not (whole.faults or must_gain))


def _add_held(held: tuple[int, str, Line] | None, pieces: list[Piece]) -> None:
    if held is not None:
        number, _, line = held
        pieces += (
            piece if piece.line_number == number else replace(piece, line_number=number)
            for piece in line.pieces
        )
