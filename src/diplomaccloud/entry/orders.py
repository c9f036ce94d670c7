"""Reads a player's entry for a phase: choices from lists, and order text typed by hand."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from diplomaccloud.judge.adjustments import adjustments_owed
from diplomaccloud.judge.board import Board, Power, ProvinceCode
from diplomaccloud.judge.geography import geography
from diplomaccloud.judge.legality.legal_orders import legal_orders
from diplomaccloud.judge.legality.reader import Reader, Refusal
from diplomaccloud.judge.messages.english import capitalize
from diplomaccloud.judge.notation import NotationError, Piece, parse_pieces
from diplomaccloud.judge.orders import Order, Waive, power_of
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.rules import DEFAULT, RuleSet

MAX_TEXT = 8_000
"""The longest order text that is read, in characters."""

MAX_LINES = 120

MAX_ORDERS = 250
"""The most orders, typed and chosen together, that are read at once, because reading is slow."""

_MAX_SHORT = 300
"""How many characters of a piece are shown on one line."""


class OrderTextTooLong(ValueError):
    """The text is longer than the orders of one phase could need."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A piece of the entry that was refused, and the reason in one sentence.

    `key` is the unit it orders, as in the order form, if that could be read. `line` counts from 1
    in text with several lines, and is 0 for text with one line and for a choice. `heading` is the
    name, with a colon, of the power under which the piece was written.
    """

    text: str
    message: str
    key: str = ""
    line: int = 0
    heading: str = ""

    @property
    def short(self) -> str:
        """The text on one line, cut to the length of an order."""
        whole = " ".join(self.text[: 4 * _MAX_SHORT].split())
        return whole if len(whole) <= _MAX_SHORT else f"{whole[:_MAX_SHORT]}…"


@dataclass(frozen=True, slots=True)
class Reading:
    """The legal orders with their original texts, and the pieces that were refused."""

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
    text: str,
    rules: RuleSet = DEFAULT,
) -> Reading:
    """Return the legal orders of `powers` under `rules` in `text` and among the `choices`.

    `text` is anything that `parse_pieces` can read, including comments, several orders on a line,
    and names of powers above their orders. A typed order overrides the choice for the same unit.
    If a unit has two different orders, the second is refused. In an adjustment phase, no more
    orders are taken than are owed. Raises `OrderTextTooLong`.
    """
    text = text.replace("\r\n", "\n")
    lines = sum(1 for line in text.splitlines() if line.strip())
    if max(len(text), sum(map(len, choices))) > MAX_TEXT or max(lines, len(choices)) > MAX_LINES:
        raise OrderTextTooLong("This is more text than the orders of one phase can need.")
    entry = _Entry(board, position, powers, rules)
    listed = entry.list_choices() if choices else {}
    try:
        typed = parse_pieces(text, board, position, powers, rules=rules) if lines else []
        chosen: list[Piece] = []
        for choice in choices:
            order = listed.get(choice)
            if order is not None:
                chosen.append(Piece(choice, (order,)))
            else:
                pieces = parse_pieces(choice, board, position, powers, rules=rules)
                if not pieces and choice.strip():
                    entry.problems.append(Problem(choice, "This text has no order."))
                chosen += pieces
            if len(typed) + len(chosen) > MAX_ORDERS:
                raise OrderTextTooLong(f"At most {MAX_ORDERS} orders are read at once.")
    except NotationError as error:
        raise OrderTextTooLong(f"This is more than one phase can need. {error}") from error
    for piece in typed:
        entry.add_typed(piece, line=piece.line if lines > 1 else 0)
    for piece in chosen:
        entry.add_chosen(piece, yields=bool(typed))
    return Reading(tuple(entry.lines), tuple(entry.problems))


def compose_rejected_text(problems: Iterable[Problem]) -> tuple[str, tuple[Problem, ...]]:
    """Return the text of all refused pieces for the order box, and the problems with their lines.

    The pieces appear as they were typed, under the names of their powers; those without one come
    first.
    """
    lines: list[str] = []
    placed: list[Problem] = []
    heading = ""
    for problem in sorted(problems, key=lambda problem: bool(problem.heading)):
        if problem.heading != heading:
            heading = problem.heading
            lines.append(heading)
        placed.append(replace(problem, line=len(lines) + 1))
        lines += problem.text.split("\n")
    if len(lines) == 1:
        placed = [replace(problem, line=0) for problem in placed]
    return "\n".join(lines), tuple(placed)


class _Entry:
    """Takes pieces one at a time and collects the legal orders and the problems."""

    def __init__(
        self, board: Board, position: Position, powers: Sequence[Power], rules: RuleSet
    ) -> None:
        self._board, self._position, self._powers = board, position, powers
        self._rules = rules
        adjusting = position.phase.stage is Stage.ADJUSTMENTS
        self._owed = {
            power: abs(adjustments_owed(board, position, power)) if adjusting else MAX_LINES
            for power in powers
        }
        self._ordered: set[ProvinceCode] = set()
        self._faults: dict[Order, str | None] = {}
        self.lines: list[tuple[Order, str]] = []
        self.problems: list[Problem] = []

    def list_choices(self) -> dict[str, Order]:
        """Return the orders that a form offers, by canonical text, so they needn't be parsed.

        Waived builds are left out, because their text does not name their power.
        """
        listed: dict[str, Order] = {}
        for power in self._powers:
            for order in legal_orders(self._board, self._position, power, self._rules):
                if not isinstance(order, Waive):
                    listed[str(order)] = order
                    self._faults[order] = None
        return listed

    @cached_property
    def _reader(self) -> Reader:
        return Reader(self._board, self._position, self._rules)

    def add_typed(self, piece: Piece, *, line: int) -> None:
        """Add the typed order or its problem; a repeated order counts once."""
        order = self._choose_meaning(piece)
        again = order is not None and any(order == earlier for earlier, _ in self.lines)
        if order is None or isinstance(order, Waive) or not again:
            self._add(piece, order, line)

    def add_chosen(self, piece: Piece, *, yields: bool) -> None:
        """Add the chosen order or its problem; if it `yields`, a typed order replaces it."""
        order = self._choose_meaning(piece)
        if not (yields and order is not None and self._conflict(order)):
            self._add(piece, order, 0)

    def _add(self, piece: Piece, order: Order | None, line: int) -> None:
        reason = piece.message if order is None else self._conflict(order) or self._fault(order)
        if order is None or reason:
            heading = f"{self._board.power_info[piece.power].name}:" if piece.power else ""
            key = "" if order is None or isinstance(order, Waive) else str(order.unit)
            self.problems.append(Problem(piece.text, reason or "", key, line, heading))
            return
        if not isinstance(order, Waive):
            self._ordered.add(order.unit.province)
        self.lines.append((order, piece.text))

    def _choose_meaning(self, piece: Piece) -> Order | None:
        """Return the order in `piece` for the first of the powers that may give it."""
        legal = [order for order in piece.orders if self._fault(order) is None]
        free = [order for order in legal if self._conflict(order) is None]
        return next(iter([*free, *legal, *piece.orders]), None)

    def _conflict(self, order: Order) -> str | None:
        """Return how `order` conflicts with the orders taken so far, or `None`."""
        power = power_of(order)
        owed = self._owed.get(power, MAX_LINES)
        if sum(power_of(taken) == power for taken, _ in self.lines) >= owed:
            return f"Only {owed} can be ordered in this phase."
        if not isinstance(order, Waive) and order.unit.province in self._ordered:
            place = geography(self._board).the(order.unit.province)
            return f"{capitalize(place)} already has an order."
        return None

    def _fault(self, order: Order) -> str | None:
        """Return why `order` may not be given, or `None`; each order is checked only once."""
        if order not in self._faults:
            self._faults[order] = self._find_fault(order)
        return self._faults[order]

    def _find_fault(self, order: Order) -> str | None:
        power = power_of(order)
        if power not in self._powers:
            return f"{order}: this unit is not yours."
        try:
            self._reader.read(power, order)
        except Refusal as refusal:
            return str(refusal)
        return None
