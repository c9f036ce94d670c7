"""Reading a player's orders: choices from lists, and lines typed by hand."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from diplomaccloud.games.errors import Refused
from diplomaccloud.judge.adjustments import adjustments_owed
from diplomaccloud.judge.board import Board, Power, ProvinceCode
from diplomaccloud.judge.legality import why_illegal
from diplomaccloud.judge.notation import NotationError, parse_order
from diplomaccloud.judge.orders import Order, Waive, power_of
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.rules import DEFAULT, RuleSet

MOST_SHEET = 8_000
MOST_LINES = 120
_MOST_LINE = 200
_PARTS = re.compile("[,;]")


class TooMuchText(Refused):
    """More text than anybody needs for the orders of one phase."""

    status = 413


@dataclass(frozen=True, slots=True)
class Problem:
    """A line that was refused, and why, in one sentence.

    `key` is the unit that the line orders, as in the order form, when that could be read.
    """

    text: str
    message: str
    key: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """Legal orders, each with the text it was written as, and the lines refused."""

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
    """Return the legal orders of `powers` by `rules` among the lines of `sheet` and the `choices`.

    Commas and semicolons part the orders of a line. A line is typed deliberately, so it wins
    over the choice for the same unit; of two lines for one unit the second is refused. In an
    adjustment phase no more orders are taken than are owed. Raises `TooMuchText`.
    """
    typed = [line.strip() for line in sheet.splitlines() if line.strip()]
    if len(sheet) > MOST_SHEET or len(typed) > MOST_LINES or len(choices) > MOST_LINES:
        raise TooMuchText("That is more text than the orders of one phase can need.")
    desk = _Desk(board, position, powers, rules)
    for line in typed:
        for part in desk.parts(line):
            desk.take(part, yields=False)
    chosen = [choice.strip() for choice in choices if choice.strip()]
    for choice in chosen:
        desk.take(choice, yields=bool(typed))
    return Reading(tuple(desk.lines), tuple(desk.problems))


class _Desk:
    """Takes lines one by one and keeps what is legal."""

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

    def parts(self, line: str) -> list[str]:
        """Return the orders that stand on a line; the whole line if none can be read alone."""
        parts = [part.strip() for part in _PARTS.split(line) if part.strip()]
        return parts if len(parts) <= MOST_LINES and any(map(self._reads, parts)) else [line]

    def _reads(self, text: str) -> bool:
        try:
            self._parse(text[:_MOST_LINE])
        except NotationError:
            return False
        return True

    def take(self, line: str, *, yields: bool) -> None:
        """Keep the order or the reason against it; one that `yields` gives way in silence."""
        short = line if len(line) <= _MOST_LINE else line[:_MOST_LINE] + "…"
        try:
            order = self._parse(line[:_MOST_LINE])
        except NotationError as error:
            self.problems.append(Problem(short, str(error)))
            return
        if crowded := self._crowded(order):
            if not yields:
                self.problems.append(Problem(short, crowded, _key(order)))
        elif reason := self._fault(order):
            self.problems.append(Problem(short, reason, _key(order)))
        else:
            if not isinstance(order, Waive):
                self._ordered.add(order.unit.province)
            self.lines.append((order, line))

    def _parse(self, line: str) -> Order:
        """Return the order that the line means for the first of the powers that may give it."""
        orders: list[Order] = []
        errors: list[NotationError] = []
        for power in self._powers:
            try:
                orders.append(
                    parse_order(line, self._board, self._position, power, rules=self._rules)
                )
            except NotationError as error:
                errors.append(error)
        if not orders:
            # One power's unit is no unit of the others: that says less than what it lacks itself.
            raise min(errors, key=lambda error: "is not yours" in str(error))
        legal = [order for order in orders if self._fault(order) is None]
        free = [order for order in legal if self._crowded(order) is None]
        return [*free, *legal, *orders][0]

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


def _key(order: Order) -> str:
    return "" if isinstance(order, Waive) else str(order.unit)
