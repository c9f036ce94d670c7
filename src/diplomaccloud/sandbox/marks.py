"""The marks of a sandbox in words, and the form to draw them."""

from dataclasses import dataclass

from diplomaccloud.atlas.marks import INKS, Mark, MarkKind
from diplomaccloud.judge.board import Board
from diplomaccloud.sandbox.engine import MAX_PIN_TEXT
from diplomaccloud.sandbox.situation import Situation

_KINDS = (
    (MarkKind.WASH, "Color", "i-drop"),
    (MarkKind.HATCH, "Lines", "i-patterns"),
    (MarkKind.ARROW, "Arrow", "i-move"),
    (MarkKind.PIN, "Pin", "i-pin"),
)
"""The kinds of marks with their labels and icons."""

_HINTS = {
    MarkKind.WASH: "Tap a province to color it. Tap it again to remove the color.",
    MarkKind.HATCH: "Tap a province to hatch it. Tap it again to remove the lines.",
    MarkKind.ARROW: "Tap where the arrow starts, then where it ends.",
    MarkKind.PIN: "Enter a short text, then tap the province for the pin.",
}


@dataclass(frozen=True, slots=True)
class MarkLine:
    """A mark in words; `number` is its index among the marks, and `text` is the author's text."""

    number: int
    ink: str
    color: str
    label: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class MarksForm:
    """The values of the form for marks: the kinds, colors and places, and the marks drawn."""

    kind: MarkKind
    ink: str
    hint: str
    kinds: tuple[tuple[MarkKind, str, str], ...]
    inks: tuple[tuple[str, str, str], ...]
    places: tuple[tuple[str, str], ...]
    lines: tuple[MarkLine, ...]
    longest_text: int = MAX_PIN_TEXT


def present_marks(situation: Situation) -> MarksForm:
    """Return the values of the form for marks."""
    board, choices = situation.board, situation.choices
    places = ((province.code, province.name) for province in board.provinces)
    return MarksForm(
        kind=choices.mark,
        ink=choices.ink,
        hint=_HINTS[choices.mark],
        kinds=_KINDS,
        inks=tuple((ink, ink.capitalize(), color) for ink, color in INKS.items()),
        places=tuple(sorted(places, key=lambda place: place[1])),
        lines=list_marks(board, situation.state.marks),
    )


def list_marks(board: Board, marks: tuple[Mark, ...]) -> tuple[MarkLine, ...]:
    """Return marks in words, in their order."""
    lines, pins = [], 0
    for number, mark in enumerate(marks):
        pins += mark.kind is MarkKind.PIN
        label = describe_mark(board, mark, pins)
        lines.append(MarkLine(number, mark.ink, INKS[mark.ink], label, mark.text))
    return tuple(lines)


def describe_mark(board: Board, mark: Mark, pin: int = 0) -> str:
    """Return a mark in words without its text; `pin` is the number on a pin, 0 to leave it out."""
    place = board.by_code[mark.province].name
    match mark.kind:
        case MarkKind.WASH:
            return f"{place} colored {mark.ink}"
        case MarkKind.HATCH:
            return f"{place} hatched {mark.ink}"
        case MarkKind.ARROW:
            goal = board.by_code[mark.to].name
            return f"{mark.ink.capitalize()} arrow from {place} to {goal}"
        case MarkKind.PIN:
            numbered = f"Pin {pin}" if pin else "Pin"
            return f"{numbered} in {place}"
