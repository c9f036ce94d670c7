"""The building blocks of lessons: a lesson has steps, each with a board and a task."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from diplomaccloud.judge import adjudicate
from diplomaccloud.judge.board import Location, Power, ProvinceCode, UnitKind
from diplomaccloud.judge.notation.order_text import parse_sheets
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.units import Unit
from diplomaccloud.learn.boards import SmallBoard, small_board
from diplomaccloud.learn.goals import Goal


@dataclass(frozen=True, slots=True)
class Letter:
    """A message that the learner may send, the answer, and what the others then order."""

    text: str
    answer: str
    others: str


@dataclass(frozen=True)
class Step:
    """One task on a small board.

    `units` and `centers` are by power, for example `{"GERMANY": "A MUN, F KIE"}`. `others` are the
    orders of the other powers, as in a sheet (`AUSTRIA: A VIE - BOH`). `before` has the orders of a
    turn that is judged first, if any; the task is then the phase after it. If `announced`, the
    orders of others are drawn on the board. `votes` has the votes of the others if the learner
    votes too. `solution` are orders that fulfill the `goals`, one a line.
    """

    title: str
    text: tuple[str, ...]
    task: str
    board: str
    power: str
    units: Mapping[str, str]
    goals: tuple[Goal, ...]
    hints: tuple[str, ...]
    solution: str
    done: str
    phase: str = "S1901M"
    centers: Mapping[str, str] = field(default_factory=dict)
    others: str = ""
    before: str = ""
    announced: bool = False
    mail: tuple[tuple[str, str], ...] = ()
    letters: tuple[Letter, ...] = ()
    letter: int = 0
    votes: Mapping[str, str] = field(default_factory=dict)
    vote: str = ""

    @cached_property
    def small(self) -> SmallBoard:
        """The board."""
        return small_board(self.board)

    @property
    def you(self) -> Power:
        """The learner's power."""
        return Power(self.power)

    @cached_property
    def position(self) -> Position:
        """The position in which the learner gives orders."""
        start = read_position(self.phase, self.units, self.centers)
        if not self.before:
            return start
        return adjudicate(self.small.board, start, read_sheets(self.small, start, self.before)).next

    def orders_of_others(self, letter: int | None = None) -> tuple[Order, ...]:
        """Return the orders of the other powers after the learner sent `letter`."""
        text = self.others if letter is None else self.letters[letter].others
        return read_sheets(self.small, self.position, text)

    def orders_of_solution(self) -> tuple[str, ...]:
        """Return the solution as a form posts it."""
        return tuple(line.strip() for line in self.solution.splitlines() if line.strip())


@dataclass(frozen=True, slots=True)
class Lesson:
    """A few steps about one idea."""

    slug: str
    title: str
    summary: str
    steps: tuple[Step, ...]


def read_position(phase: str, units: Mapping[str, str], centers: Mapping[str, str]) -> Position:
    """Return the position with these units and centers by power."""
    return Position(
        Phase.parse(phase),
        tuple(
            Unit(UnitKind(kind), Location(place), Power(power))
            for power, text in units.items()
            for kind, place in (entry.split() for entry in text.split(","))
        ),
        {
            ProvinceCode(code): Power(power)
            for power, text in centers.items()
            for code in text.split()
        },
    )


def read_sheets(small: SmallBoard, position: Position, text: str) -> tuple[Order, ...]:
    """Return the orders in `text`; raise `ValueError` for one that cannot be read."""
    orders: list[Order] = []
    for sheet in parse_sheets(text, small.board, position).values() if text else ():
        for error in sheet.errors:
            raise ValueError(f"{error.text}: {error.error}")
        orders += sheet.orders
    return tuple(orders)
