"""The state of a sandbox as a value: its phases, one by one and back, and its marks."""

import unicodedata
from dataclasses import dataclass, replace
from typing import Final

from diplomaccloud.atlas.chart import INKS, NOWHERE, Mark, MarkKind
from diplomaccloud.judge.adjudication import adjudicate
from diplomaccloud.judge.board import Board
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.position import Position, starting_position
from diplomaccloud.judge.results import Resolution
from diplomaccloud.judge.rules import DEFAULT, EDITIONS, RuleSet


class SandboxError(ValueError):
    """A text, an edit or an order that the sandbox refuses; the message is for people."""


MAX_PAST = 16
"""How many adjudicated phases a state keeps; the oldest are dropped first."""


@dataclass(frozen=True, slots=True)
class SandboxState:
    """A position, the orders of the phases adjudicated since, and the orders of the phase shown.

    `past` has the orders of each adjudicated phase, oldest first; `steps.replay` recomputes the
    positions. `orders` are for the position after them. `edition` names the rules. `marks` are
    drawn on the map in every phase.
    """

    start: Position
    past: tuple[tuple[Order, ...], ...] = ()
    orders: tuple[Order, ...] = ()
    edition: str = DEFAULT.name
    marks: tuple[Mark, ...] = ()

    @property
    def rules(self) -> RuleSet:
        """The rule set that the judge applies."""
        return EDITIONS[self.edition]

    def with_orders(self, orders: tuple[Order, ...]) -> "SandboxState":
        """Return the state with other orders in the phase shown."""
        return replace(self, orders=orders)


def start_state(board: Board, edition: str = DEFAULT.name) -> SandboxState:
    """Return the starting state of a game on `board`."""
    return SandboxState(starting_position(board), edition=edition)


SEED = "sandbox"
"""If an edition decides by chance, the sandbox always gets the same result."""


@dataclass(frozen=True, slots=True)
class PlayedPhase:
    """An adjudicated phase: its position, its orders, and the judge's resolution."""

    position: Position
    orders: tuple[Order, ...]
    resolution: Resolution


@dataclass(frozen=True, slots=True)
class Timeline:
    """The adjudicated phases, oldest first, and the position after them."""

    phases: tuple[PlayedPhase, ...]
    position: Position


def replay(board: Board, state: SandboxState) -> Timeline:
    """Return the phases of `state`, adjudicated under its edition."""
    position = state.start
    phases = []
    for orders in state.past:
        resolution = decide(board, position, orders, state.rules)
        phases.append(PlayedPhase(position, orders, resolution))
        position = resolution.next
    return Timeline(tuple(phases), position)


def decide(
    board: Board, position: Position, orders: tuple[Order, ...], rules: RuleSet
) -> Resolution:
    """Return the judge's resolution; see `SEED`."""
    return adjudicate(board, position, orders, rules, seed=SEED)


def step(board: Board, state: SandboxState) -> SandboxState:
    """Adjudicate the orders and return the next state; units without orders hold."""
    if len(state.past) < MAX_PAST:
        return replace(state, past=(*state.past, state.orders), orders=())
    first = replay(board, state).phases[0]
    past = (*state.past[1:], state.orders)
    return replace(state, start=first.resolution.next, past=past, orders=())


def step_back(state: SandboxState, phases: int) -> SandboxState:
    """Return the state with only the first `phases` adjudicated, and the next one's orders."""
    if phases >= len(state.past):
        return state
    return replace(state, past=state.past[:phases], orders=state.past[phases])


MAX_MARKS: Final = 60
"""More marks than a person can read on one map."""

MAX_PIN_TEXT: Final = 120
"""The maximum length of a pin's text, in characters of normal form C."""

MAX_COMBINING: Final = 10
"""How many combining marks may follow each other. More would be drawn over other things."""

_BIDI: Final = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_REFUSED: Final = ("Cc", "Cs", "Co", "Cn")


def add_mark(board: Board, state: SandboxState, mark: Mark) -> SandboxState:
    """Return the state with one more mark; a wash or hatch in another color replaces the old one.

    Raises `SandboxError` if the mark does not fit the map, or for more than `MAX_MARKS`.
    """
    checked = check_mark(board, mark)
    areas = (MarkKind.WASH, MarkKind.HATCH)
    others = tuple(
        other
        for other in state.marks
        if (other.kind, other.province, other.to) != (checked.kind, checked.province, checked.to)
        or (checked.kind not in areas and checked.kind is not MarkKind.ARROW)
    )
    if checked in state.marks and checked.kind is not MarkKind.PIN:
        # Adding the same mark again removes it, like a second tap.
        return replace(state, marks=others)
    if len(others) >= MAX_MARKS:
        raise SandboxError(f"A map can have at most {MAX_MARKS} marks. Remove some first.")
    return replace(state, marks=(*others, checked))


def remove_mark(state: SandboxState, number: int) -> SandboxState:
    """Return the state without the mark of this number, from 0; raise `SandboxError`."""
    if not 0 <= number < len(state.marks):
        raise SandboxError("This mark no longer exists.")
    return replace(state, marks=state.marks[:number] + state.marks[number + 1 :])


def clear_marks(state: SandboxState) -> SandboxState:
    """Return the state without marks."""
    return replace(state, marks=())


def check_mark(board: Board, mark: Mark) -> Mark:
    """Return the mark with its text in normal form; raise `SandboxError` if it cannot be drawn."""
    if mark.ink not in INKS:
        raise SandboxError("Marks cannot have this color.")
    if mark.province not in board.by_code:
        raise SandboxError("This map has no such province. Choose one from the list.")
    if mark.kind is MarkKind.ARROW:
        if mark.to not in board.by_code:
            raise SandboxError("An arrow needs a province to point to. Choose one.")
        if mark.to == mark.province:
            raise SandboxError("An arrow needs two different provinces.")
        return replace(mark, text="")
    if mark.kind is MarkKind.PIN:
        return replace(mark, to=NOWHERE, text=clean_pin(mark.text))
    return replace(mark, to=NOWHERE, text="")


def clean_pin(text: str) -> str:
    """Return the text of a pin as one line in normal form C; raise `SandboxError`."""
    for place, character in enumerate(text):
        category = unicodedata.category(character)
        if (category in _REFUSED and character not in "\t\r\n") or character in _BIDI:
            raise SandboxError(
                f"The character U+{ord(character):04X} cannot be on a map. "
                f"Delete it at character {place + 1}."
            )
    line = " ".join(unicodedata.normalize("NFC", text).split())
    if len(line) > MAX_PIN_TEXT:
        raise SandboxError(
            f"The text of a pin can have at most {MAX_PIN_TEXT} characters. "
            f"Yours has {len(line)}. Shorten it by {len(line) - MAX_PIN_TEXT}."
        )
    run = 0
    for character in line:
        run = run + 1 if unicodedata.category(character).startswith("M") else 0
        if run > MAX_COMBINING:
            raise SandboxError(
                f"More than {MAX_COMBINING} accents follow each other. Delete some of them."
            )
    return line
