"""Reading a player's orders: choices from lists, and whole sheets typed by hand."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from diplomaccloud.games.errors import Refused
from diplomaccloud.judge.adjustments import adjustments_owed
from diplomaccloud.judge.board import Board, Power, ProvinceCode
from diplomaccloud.judge.legality.legal_orders import why_illegal
from diplomaccloud.judge.notation import NotationError, Piece, parse_pieces
from diplomaccloud.judge.orders import Order, Waive, power_of
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.rules import DEFAULT, RuleSet

MOST_SHEET = 8_000
MOST_LINES = 120
MOST_ORDERS = 250
"""The most orders that are read at once, typed and chosen together: reading takes time."""
_MOST_SHOWN = 100


class TooMuchText(Refused):
    """More text than anybody needs for the orders of one phase."""

    status = 413


@dataclass(frozen=True, slots=True)
class Problem:
    """A piece of what was sent that was refused, and why, in one sentence.

    `key` is the unit that it orders, as in the order form, when that could be read; `line`
    counts in a sheet of several lines, 0 for one of a single line and for a choice. `heading`
    is the name, with a colon, of the power that it was written under.
    """

    text: str
    message: str
    key: str = ""
    line: int = 0
    heading: str = ""

    @property
    def short(self) -> str:
        """The text on one line, cut where it is longer than an order can be."""
        whole = " ".join(self.text[: 4 * _MOST_SHOWN].split())
        return whole if len(whole) <= _MOST_SHOWN else f"{whole[:_MOST_SHOWN]}…"


@dataclass(frozen=True, slots=True)
class Reading:
    """Legal orders, each with the text it was written as, and the pieces refused."""

    lines: tuple[tuple[Order, str], ...]
    problems: tuple[Problem, ...] = ()

    @property
    def orders(self) -> tuple[Order, ...]:
        """The legal orders."""
        return tuple(order for order, _ in self.lines)


def read_orders(
    board: Board,
    position: Position,
    powers: Sequence[Power],
    *,
    choices: Sequence[str],
    sheet: str,
    rules: RuleSet = DEFAULT,
) -> Reading:
    """Return the legal orders of `powers` by `rules` in the `sheet` and among the `choices`.

    A sheet is whatever `parse_pieces` reads: comments, several orders on a line, the names of
    powers above their orders. What is typed is typed deliberately, so it wins over the choice
    for the same unit; of two different orders for one unit the second is refused. In an
    adjustment phase no more orders are taken than are owed. Raises `TooMuchText`.
    """
    sheet = sheet.replace("\r\n", "\n")
    lines = sum(1 for line in sheet.splitlines() if line.strip())
    if (
        max(len(sheet), sum(map(len, choices))) > MOST_SHEET
        or max(lines, len(choices)) > MOST_LINES
    ):
        raise TooMuchText("That is more text than the orders of one phase can need.")
    desk = _Desk(board, position, powers, rules)
    try:
        typed = parse_pieces(sheet, board, position, powers, rules=rules)
        chosen: list[Piece] = []
        for choice in choices:
            chosen += parse_pieces(choice, board, position, powers, rules=rules)
            _raise_too_many(len(typed) + len(chosen))
    except NotationError as error:
        raise TooMuchText(f"That is more than one phase can need: {error}.") from error
    for piece in typed:
        desk.take(piece, line=piece.line_number if lines > 1 else 0)
    for piece in chosen:
        desk.choose(piece, yields=bool(typed))
    return Reading(tuple(desk.lines), tuple(desk.problems))


def _raise_too_many(pieces: int) -> None:
    if pieces > MOST_ORDERS:
        raise NotationError(f"at most {MOST_ORDERS} orders are read at once")


def refused_sheet(problems: Iterable[Problem]) -> tuple[str, tuple[Problem, ...]]:
    """Return the sheet of what was refused, for the order box, and where in it each stands.

    All is as it was typed, each piece under the name that it was written under, those without
    one before.
    """
    lines: list[str] = []
    placed: list[Problem] = []
    heading = ""
    for one in sorted(problems, key=lambda one: bool(one.heading)):
        if one.heading != heading:
            heading = one.heading
            lines.append(heading)
        placed.append(replace(one, line=len(lines) + 1))
        lines += one.text.split("\n")
    if len(lines) == 1:
        placed = [replace(one, line=0) for one in placed]
    return "\n".join(lines), tuple(placed)


class _Desk:
    """Takes pieces one by one and keeps what is legal."""

    def __init__(
        self, board: Board, position: Position, powers: Sequence[Power], rules: RuleSet
    ) -> None:
        self._board, self._position, self._powers = board, position, powers
        self._rules = rules
        adjusting = position.phase.stage is Stage.ADJUSTMENTS
        self._owed = {
            power: abs(adjustments_owed(board, position, power)) if adjusting else MOST_LINES
            for power in powers
        }
        self._ordered: set[ProvinceCode] = set()
        self.lines: list[tuple[Order, str]] = []
        self.problems: list[Problem] = []

    def take(self, piece: Piece, *, line: int) -> None:
        """Keep the order typed, or the reason against it; an order written twice is one."""
        order = self._meant(piece)
        again = order is not None and any(order == one for one, _ in self.lines)
        if order is None or isinstance(order, Waive) or not again:
            self._keep(piece, order, line)

    def choose(self, piece: Piece, *, yields: bool) -> None:
        """Keep the order chosen, or the reason against it; one that `yields` gives way."""
        order = self._meant(piece)
        if not (yields and order is not None and self._crowded(order)):
            self._keep(piece, order, 0)

    def _keep(self, piece: Piece, order: Order | None, line: int) -> None:
        reason = piece.message if order is None else self._crowded(order) or self._fault(order)
        if order is None or reason:
            heading = f"{self._board.power_info[piece.power].name}:" if piece.power else ""
            key = _key(order)
            self.problems.append(Problem(piece.text, reason or "", key, line, heading))
            return
        if not isinstance(order, Waive):
            self._ordered.add(order.unit.province)
        self.lines.append((order, piece.text))

    def _meant(self, piece: Piece) -> Order | None:
        """Return the order that the piece is for the first of the powers that may give it."""
        legal = [order for order in piece.orders if self._fault(order) is None]
        free = [order for order in legal if self._crowded(order) is None]
        return next(iter([*free, *legal, *piece.orders]), None)

    def _crowded(self, order: Order) -> str | None:
        owed = self._owed.get(power_of(order), MOST_LINES)
        if sum(power_of(one) == power_of(order) for one, _ in self.lines) >= owed:
            return f"Only {owed} can be ordered in this phase."
        if not isinstance(order, Waive) and order.unit.province in self._ordered:
            return f"{order.unit.province} has an order already."
        return None

    def _fault(self, order: Order) -> str | None:
        if power_of(order) not in self._powers:
            return f"{order}: that unit is not yours."
        return why_illegal(self._board, self._position, power_of(order), order, self._rules)


def _key(order: Order | None) -> str:
    return "" if order is None or isinstance(order, Waive) else str(order.unit)
