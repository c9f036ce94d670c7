"""Reads whole order sheets, of one power or of several powers under their names."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace

from diplomaccloud.judge.board import Board, Power, ProvinceCode
from diplomaccloud.judge.notation.lines import (
    Line,
    Piece,
    parse_line,
    split_by_headings,
    split_heading,
)
from diplomaccloud.judge.notation.messages import NotationError, NotationKey
from diplomaccloud.judge.notation.words import MAX_LINE
from diplomaccloud.judge.orders import Order, Waive
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.rules import DEFAULT, RuleSet

MAX_SHEET = 64 * 1024
"""The longest sheet that is read, in characters."""

MAX_LINES = 250
"""The most orders in a sheet of one power; no board has room for half as many units."""

_MARKUP = re.compile(r"</?[a-zA-Z]{1,8}>|\|")
"""Underlining and the bars of tables, from a sheet copied from a page."""
_STRAY = re.compile(r"\[/?[biu]\]", re.IGNORECASE)
"""What is left of underlining in a forum's posts, in the middle of words: `the a[/u]rmy`."""
_RULE = re.compile(r"[\s:-]*")
_PARTS = re.compile(r"[,;]|\(or\)|^\(or\b", re.IGNORECASE)
_NOTHING = re.compile(r"(?:does not change|no changes?|no orders|nothing|none)\W*", re.IGNORECASE)
_ORDERS_A_UNIT = re.compile(r"(?:a|f|army|fleet)\b", re.IGNORECASE)
_Numbered = tuple[int, str]


@dataclass(frozen=True, slots=True)
class LineError:
    """A piece of a sheet that is not an order: its line (from 1), its text and the error."""

    line_number: int
    text: str
    message: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """The orders read from a sheet, in the order written, and what could not be read."""

    orders: tuple[Order, ...]
    errors: tuple[LineError, ...]


def parse_sheet(
    text: str, board: Board, position: Position, power: Power, *, rules: RuleSet = DEFAULT
) -> Sheet:
    """Return the orders of `power` written in `text`, and an error for each piece that is not one.

    There is one order on a line. Commas and semicolons separate orders too, and an order may
    directly follow another if the kind of its unit is written. A line that makes sense only
    together with the line before it continues that line. Empty lines, `#` comments, the power's
    own name before a colon, the bars and tags of a copied table, and `(or)` between two ways to
    write an order are ignored. The time is linear in the length of the text; a sheet that is
    too long gives a single error.
    """
    if len(text) > MAX_SHEET:
        return _refuse(_too_long_error(text))
    return _read_sheet(_lines(text), board, position, power, rules)


def parse_pieces(
    text: str,
    board: Board,
    position: Position,
    powers: Sequence[Power],
    *,
    rules: RuleSet = DEFAULT,
) -> tuple[Piece, ...]:
    """Return the pieces of the sheet of a player of `powers`, in the order written.

    Orders under the name of one of these powers, as in `parse_sheets`, are read for it alone.
    Orders under the name of another power are one piece, refused. Before any name, each order
    may be that of any of `powers`. A complete line that begins with the kind of a unit joins an
    incomplete line before it only if that gains orders. Raises `NotationError` for a text that
    is too long and for more than `MAX_LINES` pieces.
    """
    if len(text) > MAX_SHEET:
        raise _too_long_error(text)
    sections: list[tuple[Power | None, list[_Numbered]]] = [(None, [])]
    for number, heading, part in split_by_headings(_lines(text), board):
        if heading is not None:
            sections.append((heading, []))
        if part.strip():
            sections[-1][1].append((number, part.strip()))
    pieces: list[Piece] = []
    for power, lines in sections:
        if power is None or power in powers:
            given = powers if power is None else (power,)
            read = _read_lines(lines, board, position, given, rules, apart=True)
            pieces += (replace(piece, power=power) for piece in read)
        elif lines:
            pieces.append(_refuse_foreign(power, lines, board))
        _require_few_pieces(pieces)
    return tuple(pieces)


def _refuse_foreign(power: Power, lines: Sequence[_Numbered], board: Board) -> Piece:
    country = board.power_info[power].name
    message = str(NotationError(NotationKey.FOREIGN_ORDERS, country=country))
    return Piece("\n".join(text for _, text in lines), (), message, lines[0][0], power)


def parse_sheets(
    text: str, board: Board, position: Position, *, rules: RuleSet = DEFAULT
) -> Mapping[Power, Sheet]:
    """Return the orders written in `text` by power, as rulebooks print them.

    The orders of each power follow its name and a colon, or its name and a verb: `Germany:
    A Hol—Bel A Ruhr S Hol—Bel`, `Germany builds F Kiel and A Mun.` Text before the first name
    is ignored. Errors give the line number in the whole text.
    """
    if len(text) > MAX_SHEET * max(1, len(board.powers)):
        refused = _refuse(NotationError(NotationKey.SHEETS_TOO_LONG, limit=MAX_SHEET))
        return {info.power: refused for info in board.powers}
    lines: dict[Power, list[_Numbered]] = {}
    power: Power | None = None
    for number, heading, part in split_by_headings(_lines(text), board):
        power = heading or power
        if power is not None and part.strip():
            lines.setdefault(power, []).append((number, part.strip()))
    return {power: _read_sheet(own, board, position, power, rules) for power, own in lines.items()}


def _read_sheet(
    lines: Iterable[_Numbered], board: Board, position: Position, power: Power, rules: RuleSet
) -> Sheet:
    try:
        pieces = _read_lines(lines, board, position, (power,), rules)
    except NotationError as error:
        return _refuse(error)
    return _sort_pieces(pieces)


def _sort_pieces(pieces: Iterable[Piece]) -> Sheet:
    orders: list[Order] = []
    errors: list[LineError] = []
    for piece in pieces:
        if piece.orders:
            orders.append(piece.orders[0])
        else:
            errors.append(LineError(piece.line_number, piece.text[:80], piece.message))
    return Sheet(tuple(orders), tuple(errors))


def _too_long_error(text: str) -> NotationError:
    return NotationError(NotationKey.SHEET_TOO_LONG, limit=MAX_SHEET, length=len(text))


def _require_few_pieces(pieces: Sequence[Piece]) -> None:
    if len(pieces) > MAX_LINES:
        raise NotationError(NotationKey.TOO_MANY_ORDERS, limit=MAX_LINES)


def _refuse(error: NotationError) -> Sheet:
    return Sheet((), (LineError(1, "", str(error)),))


def _lines(text: str) -> Iterator[_Numbered]:
    for number, line in enumerate(text.splitlines(), start=1):
        bare = _MARKUP.sub(" ", _STRAY.sub("", line.partition("#")[0])).strip()
        if not _RULE.fullmatch(bare):
            yield number, bare


def _read_lines(
    lines: Iterable[_Numbered],
    board: Board,
    position: Position,
    powers: Sequence[Power],
    rules: RuleSet,
    *,
    apart: bool = False,
) -> list[Piece]:
    """Return the pieces of `lines`; raise `NotationError` for more than `MAX_LINES`.

    With `apart`, lines that order a unit by themselves are not joined; printed sheets break
    supports there.
    """
    pieces: list[Piece] = []
    lapsed: set[Order] = set()
    held: tuple[int, str, Line] | None = None
    for number, text in lines:
        line = _read_line(text, board, position, powers, rules)
        lapsed |= line.lapsed
        if held is not None and len(held[1]) + len(text) < MAX_LINE:
            joined = f"{held[1]} {text}"
            whole = _read_line(joined, board, position, powers, rules)
            whole_alone = apart and not line.faults and _ORDERS_A_UNIT.match(text)
            if _makes_more_sense(whole, held[2], line, must_gain=bool(whole_alone)):
                lapsed |= whole.lapsed
                held = held[0], joined, whole
                continue
        _add_held(held, pieces)
        held = number, text, line
        _require_few_pieces(pieces)
    _add_held(held, pieces)
    _require_few_pieces(pieces)
    return _drop_lapsed(pieces, lapsed)


def _drop_lapsed(pieces: list[Piece], lapsed: Set[Order]) -> list[Piece]:
    """Return `pieces` without those that lack a detail another for the unit has (4.C)."""
    if not lapsed:
        return pieces
    found = [(piece, piece.orders[0] if piece.orders else None) for piece in pieces]
    whole = {_unit_of(order) for _, order in found if order and order not in lapsed}
    return [piece for piece, order in found if order not in lapsed or _unit_of(order) not in whole]


def _unit_of(order: Order | None) -> ProvinceCode | None:
    return None if order is None or isinstance(order, Waive) else order.unit.province


def _makes_more_sense(whole: Line, first: Line, second: Line, *, must_gain: bool) -> bool:
    """Return whether two lines read as one have fewer errors, without losing orders."""
    faults = first.faults + second.faults
    orders = len(first.pieces) + len(second.pieces) - faults
    more = len(whole.pieces) - whole.faults > orders
    return whole.faults < faults and (more or not (whole.faults or must_gain))


def _add_held(held: tuple[int, str, Line] | None, pieces: list[Piece]) -> None:
    if held is not None:
        number, _, line = held
        pieces += (replace(piece, line_number=number) for piece in line.pieces)


def _read_line(
    text: str, board: Board, position: Position, powers: Sequence[Power], rules: RuleSet
) -> Line:
    """Return the orders on a line, cut at commas and semicolons unless only the whole is read."""
    parts = [part.strip() for part in _PARTS.split(text) if part.strip()]
    line = _read_parts(parts, board, position, powers, rules)
    if len(parts) > 1 and line.pieces and line.faults == len(line.pieces):
        whole = parse_line(text, board, position, powers, rules=rules)
        return line if whole.faults else whole
    return line


def _read_parts(
    parts: Sequence[str],
    board: Board,
    position: Position,
    powers: Sequence[Power],
    rules: RuleSet,
) -> Line:
    pieces: list[Piece] = []
    lapsed: set[Order] = set()
    for part in parts:
        if _NOTHING.fullmatch(part):
            continue
        owner, own = split_heading(part, board)
        if owner is not None and owner not in powers:
            country = board.power_info[owner].name
            error = NotationError(NotationKey.FOREIGN_ORDER, country=country)
            pieces.append(Piece(part, (), str(error)))
        elif own:
            given = powers if owner is None else (owner,)
            line = parse_line(own, board, position, given, rules=rules)
            lapsed |= line.lapsed
            pieces += line.pieces
        if len(pieces) > MAX_LINES:
            break
    return Line(tuple(pieces), frozenset(lapsed))
