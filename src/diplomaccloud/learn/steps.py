"""The building blocks of lessons: steps, their goals, and judging what a learner ordered."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from diplomaccloud.entry.orders import OrderTextTooLong, read_orders
from diplomaccloud.entry.votes import Vote, count_votes, players_left
from diplomaccloud.judge import adjudicate
from diplomaccloud.judge.board import Board, Location, Power, ProvinceCode, UnitKind
from diplomaccloud.judge.notation import parse_sheets
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.results import Ending, Resolution
from diplomaccloud.judge.units import Unit
from diplomaccloud.learn.boards import SmallBoard, small_board


@dataclass(frozen=True, slots=True)
class LessonTurn:
    """A phase of a lesson that has been judged; `ending` includes the result of votes."""

    power: Power
    resolution: Resolution
    ending: Ending | None

    @property
    def after(self) -> Position:
        """The next position."""
        return self.resolution.next


Goal = Callable[[LessonTurn], bool]
"""A condition on the result of a turn."""


def stands(place: str) -> Goal:
    """Return the goal that an own unit is in `place`: a province, or a unit such as `A KIE`."""
    return lambda turn: any(
        unit.power == turn.power and place in {str(unit), unit.province}
        for unit in turn.after.units
    )


def keeps_out(place: str) -> Goal:
    """Return the goal that no unit of another power is in `place`."""
    return lambda turn: all(
        unit.power == turn.power or unit.province != place for unit in turn.after.units
    )


def stands_off(place: str) -> Goal:
    """Return the goal that an own unit and another bounce in `place`, which stays empty."""
    return lambda turn: place in turn.resolution.standoffs


def owns(place: str) -> Goal:
    """Return the goal that the learner owns the center `place`."""
    return lambda turn: turn.after.centers.get(ProvinceCode(place)) == turn.power


def keeps_units(count: int) -> Goal:
    """Return the goal to have that many units afterward, not counting those that must retreat."""
    return lambda turn: sum(unit.power == turn.power for unit in turn.after.units) >= count


def wins(*powers: str) -> Goal:
    """Return the goal that these powers share the victory; without powers, the game continues."""
    return lambda turn: sorted(turn.ending.winners if turn.ending else ()) == sorted(powers)


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
    votes too. `first_taps` completes the sentence "Tap …", for the step where nobody knows yet how
    to give an order. `solution` are orders that fulfill the `goals`, one a line.
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
    first_taps: str = ""

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


def read_choices(
    board: Board, position: Position, power: Power, choices: Iterable[str]
) -> tuple[tuple[Order, ...], tuple[str, ...]]:
    """Return the legal orders of `power`, and a sentence for each that is not legal."""
    chosen = [choice for choice in choices if choice.strip()]
    try:
        reading = read_orders(board, position, (power,), choices=chosen, text="")
    except OrderTextTooLong as error:
        return (), (str(error),)
    problems = tuple(f"“{problem.short}”: {problem.message}" for problem in reading.problems)
    return reading.orders, problems


@dataclass(frozen=True, slots=True)
class Entry:
    """What a learner sent: orders as a form posts them, the number of a letter, and a vote."""

    orders: tuple[str, ...] = ()
    letter: int | None = None
    vote: str = ""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A step that a learner tried, judged by the judge of all games.

    `problems` are sentences about orders that could not be followed. The `orders` are those of
    all powers.
    """

    entry: Entry
    own_orders: tuple[Order, ...]
    orders: tuple[Order, ...]
    resolution: Resolution
    ending: Ending | None
    problems: tuple[str, ...]
    solved: bool


def judge_attempt(step: Step, entry: Entry) -> Attempt:
    """Return the result of what the learner sent for `step`."""
    if step.letters and entry.letter is None:
        entry = replace(entry, letter=0)
    board, position = step.small.board, step.position
    own_orders, problems = read_choices(board, position, step.you, entry.orders)
    orders = (*own_orders, *step.orders_of_others(entry.letter if step.letters else None))
    resolution = adjudicate(board, position, orders)
    ending = resolution.ending
    if ending is None and step.votes:
        votes = {Power(power): Vote(text) for power, text in step.votes.items()}
        if entry.vote in set(Vote):
            votes[step.you] = Vote(entry.vote)
        ending = count_votes(players_left(position), votes).ending
    turn = LessonTurn(step.you, resolution, ending)
    solved = all(is_met(turn) for is_met in step.goals)
    return Attempt(entry, own_orders, orders, resolution, ending, problems, solved)
