"""The commands of the sandbox's forms: from a name and form fields to the next state."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from diplomaccloud.entry.orders import (
    OrderTextTooLong,
    compose_rejected_text,
    read_orders,
)
from diplomaccloud.judge.board import Board, Power, ProvinceCode, UnitKind, province_of
from diplomaccloud.judge.drawing.chart import Mark, MarkKind
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.units import Unit
from diplomaccloud.sandbox import engine
from diplomaccloud.sandbox.engine import SandboxError, SandboxState
from diplomaccloud.sandbox.page import SEASONS
from diplomaccloud.sandbox.situation import Tool, View

_MAX_YEAR_DIGITS = 5
Fields = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Notes:
    """The messages on the page.

    `problems` has sentences about refused parts; `sheet` and `position` are texts to edit again.
    """

    notice: str = ""
    problems: tuple[str, ...] = ()
    sheet: str = ""
    position: str = ""


@dataclass(frozen=True, slots=True)
class Done:
    """The state after a form, the section to show next, and the notes to show."""

    state: SandboxState
    view: View
    notes: Notes = Notes()


def run_command(board: Board, state: SandboxState, name: str, fields: Fields) -> Done:
    """Apply the form `name` to `state` and return the result; raise `SandboxError` if refused."""
    command = _COMMANDS.get(name)
    if command is None:
        raise SandboxError("This form is from another version of the page. Nothing was changed.")
    return command(board, state, fields)


# Orders.


def _set_order(board: Board, state: SandboxState, fields: Fields) -> Done:
    position = engine.replay(board, state).position
    lines = engine.list_lines(board, position, state.orders)
    line = next((line for line in lines if line.key == fields.get("line", "")), None)
    if line is None:
        raise SandboxError("This unit cannot be ordered in this phase.")
    text = fields.get("order", "")
    if not text:
        return Done(engine.set_order(board, state, line, None), View.ORDERS)
    for order in engine.list_unit_orders(board, position, line, state.rules):
        if str(order) == text:
            return Done(engine.set_order(board, state, line, order), View.ORDERS)
    raise SandboxError(f"“{text[:60]}” is not a legal order for this unit.")


def _read_sheet(board: Board, state: SandboxState, fields: Fields) -> Done:
    position = engine.replay(board, state).position
    powers = [info.power for info in board.powers]
    sheet = fields.get("sheet", "")
    try:
        reading = read_orders(board, position, powers, choices=(), text=sheet, rules=state.rules)
    except OrderTextTooLong as error:
        return Done(state, View.ORDERS, Notes(problems=(str(error),), sheet=sheet))
    rejected, problems = compose_rejected_text(reading.problems)
    sentences = [f"“{problem.short}”: {problem.message}" for problem in problems]
    if not reading.orders and not sentences:
        sentences.append("The text contains no orders.")
    count = len(reading.orders)
    notice = f"{count} order{'' if count == 1 else 's'} read." if count else ""
    merged = engine.merge_orders(board, state, reading.orders)
    return Done(merged, View.ORDERS, Notes(notice, tuple(sentences), sheet=rejected))


# The position.


def _place(board: Board, state: SandboxState, fields: Fields) -> Done:
    place = fields.get("place", "").upper()
    tool = fields.get("tool", "")
    power = Power(fields.get("power", ""))
    code = province_of(ProvinceCode(place))
    if code not in board.by_code:
        raise SandboxError("This map has no such province. Choose one from the list.")
    if tool == Tool.REMOVE:
        return Done(engine.remove_unit(board, state, code), View.SETUP)
    if tool == Tool.OWNER:
        owner = None if power == "none" else power
        return Done(engine.set_owner(board, state, code, owner), View.SETUP)
    if power == "none":
        raise SandboxError("A unit needs a country. Choose one.")
    kind = UnitKind.FLEET if tool == Tool.FLEET else UnitKind.ARMY
    return _place_unit(board, state, kind, place, power)


def _place_unit(
    board: Board, state: SandboxState, kind: UnitKind, place: str, power: Power
) -> Done:
    """Place a unit. If the same one is already there, move it to the next coast or remove it."""
    code = province_of(ProvinceCode(place))
    standing = engine.replay(board, state).position.unit_in(code)
    location = engine.find_location(board, kind, place, None)
    if standing is not None and (standing.kind, standing.power) == (kind, power):
        location = engine.find_location(board, kind, place, standing.location)
        options = [*board.by_code[code].fleet_locations] if kind is UnitKind.FLEET else [location]
        if location == standing.location or standing.location == options[-1]:
            return Done(engine.remove_unit(board, state, code), View.SETUP)
    return Done(engine.place_unit(board, state, Unit(kind, location, power)), View.SETUP)


def _set_phase(board: Board, state: SandboxState, fields: Fields) -> Done:
    year = fields.get("year", "")
    now = engine.replay(board, state).position.phase
    season, stage = SEASONS.get(fields.get("stage", ""), (now.season, now.stage))
    if not (year.isascii() and year.isdecimal() and len(year) <= _MAX_YEAR_DIGITS):
        raise SandboxError("The year must be a number, for example 1901.")
    phase = Phase(season, int(year), stage)
    changed = state if phase == now else engine.move_to_phase(board, state, phase)
    edition = fields.get("edition", state.edition)
    return Done(engine.set_edition(board, changed, edition), View.SETUP)


def _read_position(board: Board, state: SandboxState, fields: Fields) -> Done:
    text = fields.get("position", "")
    position = engine.replay(board, state).position
    try:
        reading = engine.read_position(board, position, text)
    except SandboxError as error:
        return Done(state, View.SETUP, Notes(problems=(str(error),), position=text))
    count = len(reading.position.units)
    notice = f"{count} unit{'' if count == 1 else 's'} placed."
    notes = Notes(notice, reading.problems, position=text if reading.problems else "")
    return Done(engine.set_position(board, state, reading.position), View.SETUP, notes)


# Marks.


def _draw_mark(board: Board, state: SandboxState, fields: Fields) -> Done:
    kind = next((kind for kind in MarkKind if kind == fields.get("mark")), None)
    if kind is None:
        raise SandboxError("Choose what to draw: a color, lines, an arrow or a pin.")
    mark = Mark(
        kind,
        fields.get("ink", ""),
        province_of(ProvinceCode(fields.get("place", "").upper())),
        to=province_of(ProvinceCode(fields.get("to", "").upper())),
        text=fields.get("text", ""),
    )
    return Done(engine.add_mark(board, state, mark), View.MARKS)


def _remove_mark(_board: Board, state: SandboxState, fields: Fields) -> Done:
    number = fields.get("number", "")
    plain = number.isascii() and number.isdecimal() and len(number) <= _MAX_YEAR_DIGITS
    return Done(engine.remove_mark(state, int(number) if plain else -1), View.MARKS)


SECTIONS: Final[Mapping[str, View]] = {
    **dict.fromkeys(("mark", "remove-mark", "clear-marks"), View.MARKS),
    **dict.fromkeys(("place", "phase", "clear-units", "start", "position"), View.SETUP),
}
"""The section of the page that has the form of this name, if it is not the orders."""
_COMMANDS: Mapping[str, Callable[[Board, SandboxState, Fields], Done]] = {
    "order": _set_order,
    "orders": _read_sheet,
    "clear-orders": lambda _, state, __: Done(engine.clear_orders(state), View.ORDERS),
    "adjudicate": lambda board, state, _: Done(engine.step(board, state), View.RESULTS),
    "mark": _draw_mark,
    "remove-mark": _remove_mark,
    "clear-marks": lambda _, state, __: Done(engine.clear_marks(state), View.MARKS),
    "place": _place,
    "phase": _set_phase,
    "edition": lambda board, state, fields: Done(
        engine.set_edition(board, state, fields.get("edition", "")), View.RESULTS
    ),
    "clear-units": lambda board, state, _: Done(engine.clear_units(board, state), View.SETUP),
    "start": lambda board, state, _: Done(engine.start_state(board, state.edition), View.SETUP),
    "position": _read_position,
}
