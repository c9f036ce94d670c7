"""The sandbox without the site: states as values, their orders, edits, steps, marks, and text.

A `SandboxState` is a position, the orders of the phases adjudicated since, and the orders of the
phase shown. An edit of its position starts from the position shown and discards earlier phases,
since they no longer lead to it. `step` adjudicates the orders. To undo anything, return to an
earlier address: see `address`.

Positions and orders are also text that people can read and edit:

Phase: S1901M
France: A MAR, A PAR, F BRE
France owns: BRE, MAR, PAR
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Final

from diplomaccloud.judge.adjudication import adjudicate
from diplomaccloud.judge.adjustments import adjustments_owed
from diplomaccloud.judge.board import Board, Location, Power, ProvinceCode, UnitKind, province_of
from diplomaccloud.judge.drawing.chart import INKS, NOWHERE, Mark, MarkKind
from diplomaccloud.judge.geography import fleets_at_sea, geography
from diplomaccloud.judge.kernel.selection import KERNEL
from diplomaccloud.judge.legality.legal_orders import legal_orders
from diplomaccloud.judge.legality.reader import Reader, Refusal
from diplomaccloud.judge.notation import NotationError, parse_unit
from diplomaccloud.judge.orders import (
    Convoy,
    Hold,
    Move,
    Order,
    SupportHold,
    SupportMove,
    Waive,
    power_of,
)
from diplomaccloud.judge.phases import Phase, PhaseError, Stage
from diplomaccloud.judge.position import Position, starting_position
from diplomaccloud.judge.results import Resolution
from diplomaccloud.judge.rules import DEFAULT, EDITIONS, RuleSet
from diplomaccloud.judge.units import Unit


class SandboxError(ValueError):
    """A text, an edit or an order that the sandbox refuses; the message is for people."""


MAX_PAST = 16
"""How many adjudicated phases a state keeps; the oldest are dropped first."""
MAX_YEAR = 9_999


@dataclass(frozen=True, slots=True)
class SandboxState:
    """A position, the orders of the phases adjudicated since, and the orders of the phase shown.

    `past` has the orders of each adjudicated phase, oldest first; `replay` recomputes the
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
        resolution = adjudicate(board, position, orders, state.rules, seed=SEED)
        phases.append(PlayedPhase(position, orders, resolution))
        position = resolution.next
    return Timeline(tuple(phases), position)


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
    others = state.marks
    if checked.kind is not MarkKind.PIN:
        key = (checked.kind, checked.province, checked.to)
        others = tuple(mark for mark in others if (mark.kind, mark.province, mark.to) != key)
        if checked in state.marks:
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


# Orders.


MAX_UNITS_LISTED = 100
"""With more units on the board, the list of all legal orders takes seconds."""

MAX_CANDIDATES = 600
"""How many orders of one unit to try on such a board."""


@dataclass(frozen=True, slots=True)
class OrderLine:
    """A line for an order: a unit, or a build or disband by its `number` from 1.

    `owed` is the total number of builds (positive) or disbands (negative) of its power.
    """

    power: Power
    unit: Unit | None
    order: Order | None
    number: int = 0
    owed: int = 0

    @property
    def key(self) -> str:
        """The name of the line in forms: `FRANCE A PAR`, `FRANCE 2`."""
        return f"{self.power} {self.unit or self.number}"


def list_lines(board: Board, position: Position, orders: Iterable[Order]) -> tuple[OrderLine, ...]:
    """Return the lines of `position` with their orders, by power in board order."""
    given = tuple(orders)
    by_unit = {order.unit: order for order in given if not isinstance(order, Waive)}
    lines: list[OrderLine] = []
    stage = position.phase.stage
    for info in board.powers:
        power = info.power
        if stage is Stage.ADJUSTMENTS:
            owed = adjustments_owed(board, position, power)
            own_orders = [order for order in given if power_of(order) == power]
            for number in range(1, abs(owed) + 1):
                order = own_orders[number - 1] if number <= len(own_orders) else None
                lines.append(OrderLine(power, None, order, number, owed))
            continue
        standing = position.units_of(power)
        if stage is Stage.RETREATS:
            standing = tuple(entry.unit for entry in position.dislodged_of(power))
        lines += [OrderLine(power, unit, by_unit.get(unit)) for unit in standing]
    return tuple(lines)


def list_unit_orders(
    board: Board, position: Position, line: OrderLine, rules: RuleSet
) -> tuple[Order, ...]:
    """Return the legal orders for a line.

    On a board with more than `MAX_UNITS_LISTED` units, rare supports and convoys are left out; see
    `is_list_complete`.
    """
    if line.unit is None:
        return legal_orders(board, position, line.power, rules)
    if position.phase.stage is not Stage.MOVEMENT or is_list_complete(position):
        listed = legal_orders(board, position, line.power, rules)
        return tuple(o for o in listed if not isinstance(o, Waive) and o.unit == line.unit)
    reader = Reader(board, position, rules)
    candidates = islice(_list_candidates(board, position, line.unit), MAX_CANDIDATES)
    return tuple(
        order for order in candidates if isinstance(order, Convoy) or _read(reader, order) == order
    )


def is_list_complete(position: Position) -> bool:
    """Return whether `list_unit_orders` leaves nothing out."""
    return len(position.units) <= MAX_UNITS_LISTED


def _read(reader: Reader, order: Order) -> Order | None:
    """Return `order` as the judge reads it; None if it is not legal."""
    try:
        return reader.read(power_of(order), order)
    except Refusal:
        return None


def _list_candidates(board: Board, position: Position, unit: Unit) -> Iterator[Order]:
    """Yield possible orders for `unit`, the usual ones first; its convoys are all legal."""
    yield Hold(unit)
    destinations = sorted(board.destinations(unit.kind, unit.location))
    for to in destinations:
        yield Move(unit, to)
    reach = board.reach(unit.kind, unit.location)
    near = [neighbor for neighbor in position.units if neighbor.province in reach]
    for neighbor in near:
        yield SupportHold(unit, neighbor)
    for mover in position.units:
        if mover != unit:
            for to in sorted(board.destinations(mover.kind, mover.location)):
                if province_of(to) in reach:
                    yield SupportMove(unit, mover, to)
    yield from _list_by_sea(board, position, unit)


def _list_by_sea(board: Board, position: Position, unit: Unit) -> Iterator[Order]:
    fleets = fleets_at_sea(board, position.units)
    if unit.kind is UnitKind.ARMY:
        near = board.reach(unit.kind, unit.location)
        for goal in sorted(KERNEL.find_routes(board, fleets, unit.province)):
            yield Move(unit, Location(goal), via_convoy=goal in near)
    elif unit.province in fleets:
        # Only convoys by this fleet alone, because finding longer chains takes too long.
        carries = geography(board).carriers[unit.province]
        goals = sorted(carries & geography(board).ports)
        for army in position.units:
            if army.kind is UnitKind.ARMY and army.province in carries:
                for goal in goals:
                    if goal != army.province:
                        yield Convoy(unit, army, goal)


def set_order(
    board: Board, state: SandboxState, line: OrderLine, order: Order | None
) -> SandboxState:
    """Return the state with a line's order replaced, or removed if it is None.

    Raises `SandboxError` if a build or disband in the same place is already ordered.
    """
    if line.unit is not None:
        others = tuple(o for o in state.orders if isinstance(o, Waive) or o.unit != line.unit)
        return state.with_orders(others if order is None else (*others, order))
    own_orders = [o for o in state.orders if power_of(o) == line.power]
    rest = tuple(o for o in state.orders if power_of(o) != line.power)
    at = line.number - 1
    kept = [o for number, o in enumerate(own_orders) if number != at]
    if order is not None:
        if not isinstance(order, Waive) and any(
            not isinstance(o, Waive) and o.unit.province == order.unit.province for o in kept
        ):
            name = board.by_code[order.unit.province].name
            raise SandboxError(f"{name} is already in another order of this country.")
        kept.insert(at, order)
    return state.with_orders((*rest, *kept))


def merge_orders(board: Board, state: SandboxState, orders: Iterable[Order]) -> SandboxState:
    """Return the state with `orders`, which replace those for the same units.

    In an adjustment phase they replace all orders of the same powers.
    """
    new = tuple(orders)
    if replay(board, state).position.phase.stage is Stage.ADJUSTMENTS:
        powers = {power_of(order) for order in new}
        kept = tuple(order for order in state.orders if power_of(order) not in powers)
    else:
        units = {order.unit for order in new if not isinstance(order, Waive)}
        kept = tuple(o for o in state.orders if isinstance(o, Waive) or o.unit not in units)
    return state.with_orders((*kept, *new))


def clear_orders(state: SandboxState, power: Power | None = None) -> SandboxState:
    """Return the state without the orders of `power`, or without any orders."""
    if power is None:
        return state.with_orders(())
    return state.with_orders(tuple(order for order in state.orders if power_of(order) != power))


def keep_legal(
    board: Board, position: Position, orders: Iterable[Order], rules: RuleSet
) -> tuple[Order, ...]:
    """Return the `orders` that are legal in `position`."""
    reader = Reader(board, position, rules)
    return tuple(order for order in orders if _read(reader, order) is not None)


def open_position(
    board: Board, position: Position, orders: Iterable[Order], edition: str
) -> SandboxState:
    """Return the state for a phase of a game: its position and its legal orders."""
    first: dict[object, Order] = {}
    state = SandboxState(position, edition=edition)
    for number, order in enumerate(keep_legal(board, position, orders, state.rules)):
        first.setdefault(number if isinstance(order, Waive) else order.unit, order)
    return state.with_orders(tuple(first.values()))


# Edits of the position.


def place_unit(board: Board, state: SandboxState, unit: Unit) -> SandboxState:
    """Return the state with `unit` in place of any unit in its province.

    Raises `SandboxError` if it cannot stand there.
    """
    require_unit(board, unit)
    position = replay(board, state).position
    others = tuple(standing for standing in position.units if standing.province != unit.province)
    return set_position(board, state, replace(position, units=(*others, unit)))


def require_unit(board: Board, unit: Unit) -> None:
    """Raise `SandboxError` if the board has no such power or no place for the unit."""
    if unit.power not in board.power_info:
        raise SandboxError("This map has no such country.")
    province = board.by_code.get(province_of(unit.location))
    if province is None:
        raise SandboxError("This map has no such province.")
    if unit.location not in board.locations(unit.kind):
        if unit.kind is UnitKind.FLEET and province.coasts:
            coasts = " or ".join(province.fleet_locations)
            raise SandboxError(f"A fleet in {province.name} needs a coast: {coasts}.")
        if unit.kind is UnitKind.ARMY:
            raise SandboxError(f"{province.name} is at sea, so an army cannot be there.")
        raise SandboxError(f"{province.name} is inland, so a fleet cannot be there.")


def remove_unit(board: Board, state: SandboxState, province: ProvinceCode) -> SandboxState:
    """Return the state without the unit in `province`; a dislodged one goes first."""
    position = replay(board, state).position
    dislodged = tuple(entry for entry in position.dislodged if entry.unit.province != province)
    if len(dislodged) < len(position.dislodged):
        return set_position(board, state, replace(position, dislodged=dislodged))
    units = tuple(unit for unit in position.units if unit.province != province)
    return set_position(board, state, replace(position, units=units))


def clear_units(board: Board, state: SandboxState) -> SandboxState:
    """Return the state without units, keeping the owners of centers."""
    position = replay(board, state).position
    return set_position(board, state, replace(position, units=(), dislodged=()))


def set_owner(
    board: Board, state: SandboxState, province: ProvinceCode, owner: Power | None
) -> SandboxState:
    """Return the state with another owner of a center, None for a neutral one.

    Raises `SandboxError` if the province is not a center or there is no such power.
    """
    if province not in board.by_code:
        raise SandboxError("This map has no such province.")
    if not board.by_code[province].center:
        raise SandboxError(f"{board.by_code[province].name} is not a supply center.")
    if owner is not None and owner not in board.power_info:
        raise SandboxError("This map has no such country.")
    position = replay(board, state).position
    centers = {code: power for code, power in position.centers.items() if code != province}
    if owner is not None:
        centers[province] = owner
    return set_position(board, state, replace(position, centers=centers))


def move_to_phase(board: Board, state: SandboxState, phase: Phase) -> SandboxState:
    """Return the state with the same units in another phase.

    Dislodged units are removed, so a retreat phase cannot be chosen. Raises `SandboxError` for a
    year that an address cannot hold.
    """
    if not 1 <= phase.year <= MAX_YEAR:
        raise SandboxError(f"The year must be from 1 to {MAX_YEAR}.")
    position = replay(board, state).position
    if phase == position.phase:
        return state
    if phase.stage is Stage.RETREATS:
        raise SandboxError("Retreats follow from moves. Adjudicate moves to get there.")
    return set_position(board, state, replace(position, phase=phase, dislodged=()))


def set_edition(board: Board, state: SandboxState, edition: str) -> SandboxState:
    """Return the state under another edition of the rules, which decides all its phases.

    Raises `SandboxError` if there is no such edition.
    """
    if edition not in EDITIONS:
        raise SandboxError("There is no such edition of the rules.")
    changed = replace(state, edition=edition)
    position = replay(board, changed).position
    return changed.with_orders(keep_legal(board, position, state.orders, changed.rules))


def set_position(board: Board, state: SandboxState, position: Position) -> SandboxState:
    """Return the state with another position and the orders that are still legal in it."""
    changed = replace(state, start=position, past=())
    return replace(changed, orders=keep_legal(board, position, state.orders, changed.rules))


def find_location(board: Board, kind: UnitKind, place: str, old: Location | None) -> Location:
    """Return where to place a unit of `kind` if `place` is tapped.

    In a province with several coasts, a fleet goes to the first one, or to the one after `old`.
    """
    code = province_of(ProvinceCode(place))
    province = board.by_code.get(code)
    if province is None or "/" in place or kind is UnitKind.ARMY or not province.coasts:
        return Location(place)
    coasts = province.fleet_locations
    following = coasts.index(old) + 1 if old in coasts else 0
    return coasts[following % len(coasts)]


# Text.


MAX_TEXT = 16_000
"""The maximum length in characters, enough for a unit in each of a thousand provinces."""

MAX_PROBLEMS = 12
"""How many problems to list for a text."""

_OWNS = re.compile(r"(?P<power>.{1,60}?)\s+owns?\s*$", re.IGNORECASE)
_SEPARATOR = re.compile(r"[,;]")
_NEUTRAL = "neutral"


@dataclass(frozen=True, slots=True)
class PositionReading:
    """The position that a text describes, and sentences about what was left out."""

    position: Position
    problems: tuple[str, ...] = ()


def write_position(board: Board, position: Position) -> str:
    """Return `position` as text, by power; dislodged units are comments."""
    lines = [f"Phase: {position.phase}"]
    for info in board.powers:
        if units := position.units_of(info.power):
            lines.append(f"{info.name}: {', '.join(map(str, units))}")
    for info in board.powers:
        if centers := position.centers_of(info.power):
            lines.append(f"{info.name} owns: {', '.join(centers)}")
    for entry in position.dislodged:
        name = board.power_info[entry.unit.power].name
        lines.append(f"# dislodged by an attack from {entry.by}: {name} {entry.unit}")
    return "\n".join(lines) + "\n"


def write_orders(board: Board, position: Position, orders: Iterable[Order]) -> str:
    """Return `orders` as order sheets, with the phase as a comment before each power's orders."""
    given = tuple(orders)
    lines = [f"# {board.name}, {position.phase.title}"]
    for info in board.powers:
        sheet = [str(order) for order in given if power_of(order) == info.power]
        if sheet:
            lines += ["", f"{info.name}:", *sheet]
    return "\n".join(lines) + "\n"


def read_position(board: Board, old: Position, text: str) -> PositionReading:
    """Return the position that `text` describes.

    If the text has no phase or no owners, those of `old` are used. Unreadable parts are left out.
    Raises `SandboxError` for a text that is too long or has no units.
    """
    if len(text) > MAX_TEXT:
        raise SandboxError(f"The text is longer than {MAX_TEXT:,} characters.")
    reader = _PositionReader(board, old)
    for line in text.replace("\r", "").split("\n"):
        plain = line.partition("#")[0].strip()
        if plain:
            reader.read_line(plain)
    if not reader.units and not reader.owned:
        first = board.powers[0]
        starts = (each for each in board.starts if each.power == first.power)
        units = [f"{start.kind} {start.location}" for start in islice(starts, 3)]
        example = ", ".join(units) or f"A {board.provinces[0].code}"
        raise SandboxError(
            "The text has no units. Write a line for each country, for example "
            f"“{first.name}: {example}”."
        )
    return reader.finish()


@dataclass(slots=True)
class _PositionReader:
    board: Board
    old: Position
    phase: Phase | None = None
    units: dict[ProvinceCode, Unit] = field(default_factory=dict)
    owned: dict[ProvinceCode, Power] | None = None
    problems: list[str] = field(default_factory=list)

    def read_line(self, line: str) -> None:
        """Read one line without comments."""
        heading, colon, rest = line.partition(":")
        owns = _OWNS.match(heading)
        if colon and heading.strip().lower() == "phase":
            self._read_phase(rest.strip())
        elif colon and owns:
            self._read_owner(owns["power"], rest)
        elif colon and (power := self._find_power(heading)) is not None:
            for text in _pieces(rest):
                self._read_unit(power, text)
        else:
            self.problems.append(f"“{line[:60]}” does not start with a country and a colon.")

    def _read_phase(self, text: str) -> None:
        try:
            phase = Phase.parse(text.upper())
        except PhaseError:
            self.problems.append(f"“{text[:20]}” is not a phase. Write S1901M, F1901M or W1901A.")
            return
        if not 1 <= phase.year <= MAX_YEAR:
            self.problems.append(f"The year must be from 1 to {MAX_YEAR}.")
        elif phase.stage is Stage.RETREATS:
            self.problems.append("Retreats follow from moves, so the phase was set to those moves.")
            self.phase = replace(phase, stage=Stage.MOVEMENT)
        else:
            self.phase = phase

    def _read_owner(self, name: str, rest: str) -> None:
        power = self._find_power(name)
        neutral = name.strip().lower() == _NEUTRAL
        if power is None and not neutral:
            self.problems.append(f"This map has no country “{name.strip()[:40]}”.")
            return
        self.owned = self.owned or {}
        for text in _pieces(rest):
            code = self._find_center(text)
            if code is None:
                self.problems.append(f"“{text[:40]}” is not a supply center on this map.")
            elif code in self.owned:
                self.problems.append(f"{self.board.by_code[code].name} can have only one owner.")
            elif power is not None:
                self.owned[code] = power

    def _read_unit(self, power: Power, text: str) -> None:
        try:
            unit = parse_unit(text[:80], self.board, power)
        except NotationError as error:
            self.problems.append(f"“{text[:40]}” was left out: {error}")
            return
        if unit.province in self.units:
            name = self.board.by_code[unit.province].name
            self.problems.append(f"Only one unit fits in {name}, so “{text[:40]}” was left out.")
        else:
            self.units[unit.province] = unit

    def _find_power(self, name: str) -> Power | None:
        plain = name.strip().lower()
        for info in self.board.powers:
            if plain in (info.name.lower(), info.power.lower(), info.adjective.lower()):
                return info.power
        return None

    def _find_center(self, text: str) -> ProvinceCode | None:
        plain = text.lower()
        for code in self.board.centers:
            province = self.board.by_code[code]
            if plain in (code.lower(), province.name.lower()):
                return code
        return None

    def finish(self) -> PositionReading:
        """Return what was read."""
        phase = self.phase or self.old.phase
        if phase.stage is Stage.RETREATS:
            phase = replace(phase, stage=Stage.MOVEMENT)
        position = replace(
            self.old,
            phase=phase,
            units=tuple(self.units.values()),
            centers=self.old.centers if self.owned is None else self.owned,
            dislodged=(),
        )
        shown = self.problems[:MAX_PROBLEMS]
        if len(self.problems) > MAX_PROBLEMS:
            shown.append(f"{len(self.problems) - MAX_PROBLEMS} more problems are not listed.")
        return PositionReading(position, tuple(shown))


def _pieces(text: str) -> Iterator[str]:
    return (piece.strip() for piece in _SEPARATOR.split(text) if piece.strip())
