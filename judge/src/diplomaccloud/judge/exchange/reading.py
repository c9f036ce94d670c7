"""What the readers of games share: one game while it is read, and what is wrong with it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NoReturn

from diplomaccloud.judge.board import province_of
from diplomaccloud.judge.game import Game, give_orders
from diplomaccloud.judge.given_orders import MAX_ECHO
from diplomaccloud.judge.phases import Phase, Stage
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.protocol.answers import read_json
from diplomaccloud.judge.protocol.records import tell_difference
from diplomaccloud.judge.protocol.requests import position_to_request
from diplomaccloud.judge.units import Unit

Kind = Literal["input", "rules", "source"]

COMPARED = ("phase", "units", "centers")


class ExchangeError(ValueError):
    """A file that cannot be split into games, or a game, or its `phase`, that cannot be written."""

    def __init__(self, message: str, phase: str = "") -> None:
        super().__init__(message)
        self.phase = phase
        self.kind: Kind = "rules" if phase else "input"


class StoppedError(Exception):
    """The rest of a game cannot be read; the errors of its `Reading` say why."""


@dataclass(frozen=True, slots=True)
class GameError:
    """What is wrong with a game in a file; `str` puts it on one line.

    `line` is a line of the file, from 1; in JSON, the one where the value begins. `phase`, `power`
    and `text`, an order, are empty if the fault is not in one. `kind` is `"input"` for what cannot
    be read, `"rules"` for a phase that leads to another position, and `"source"` for what the
    program that wrote the file leaves out or offers although the rules don't.
    """

    line: int
    phase: str
    power: str
    text: str
    message: str
    kind: Kind

    def __str__(self) -> str:
        text = repr(self.text) if self.text else ""
        parts = (f"line {self.line}", self.phase, self.power, text, self.message)
        return ": ".join(filter(None, parts))


@dataclass(frozen=True, slots=True)
class SavedGame:
    """A game in a file: its number and first line, both from 1, its name and its format.

    `game` has the phases before the first fault that stops the reading, or is `None` if there is
    no sound position. `is_complete` says that nothing stopped it: `errors` is then empty, or has
    only retreats that the source offers although they are closed.
    """

    number: int
    line: int
    name: str
    format: str
    errors: tuple[GameError, ...]
    game: Game | None
    is_complete: bool


def read_value(payload: object) -> object:
    """Return the JSON value in a part of a file: bytes, the value, or what is wrong with it."""
    if isinstance(payload, ExchangeError):
        raise payload
    return read_json(payload) if isinstance(payload, bytes) else payload


def close_retreats(position: Position) -> Position:
    """Return `position` without the retreats to places that are occupied."""
    dislodged = [
        replace(
            entry,
            retreats=tuple(
                place for place in entry.retreats if position.unit_in(province_of(place)) is None
            ),
        )
        for entry in position.dislodged
    ]
    return replace(position, dislodged=tuple(dislodged))


class Reading:
    """One game while it is read: the phases so far, and what is wrong with it.

    `at` is the line of the file that is being read. Methods that find a fault raise `StoppedError`
    unless reading may go on.
    """

    def __init__(self, line: int, name: str = "") -> None:
        self.line = self.at = line
        self.name = name
        self.errors: list[GameError] = []
        self._game: Game | None = None

    @property
    def is_open(self) -> bool:
        """Whether there is a position."""
        return self._game is not None

    @property
    def game(self) -> Game:
        """The game so far."""
        if self._game is None:
            self.stop("there are no phases")
        return self._game

    @game.setter
    def game(self, game: Game) -> None:
        self._game = game

    def finish(self, number: int, form: str, *, is_complete: bool) -> SavedGame:
        """Return what was read; half a character in the name is replaced."""
        name = self.name.encode(errors="replace").decode()
        errors = tuple(self.errors)
        return SavedGame(number, self.line, name, form, errors, self._game, is_complete)

    def note(
        self,
        message: str,
        kind: Kind = "input",
        *,
        line: int = 0,
        phase: str = "",
        power: str = "",
        text: str = "",
    ) -> None:
        """Add an error, in the phase that the game has come to unless it is given."""
        if not phase and self._game is not None:
            phase = self._game.phase
        error = GameError(line or self.at, phase, power, text[:MAX_ECHO], message, kind)
        self.errors.append(error)

    def stop(self, message: str, kind: Kind = "input") -> NoReturn:
        """Add an error and stop reading the game."""
        self.note(message, kind)
        raise StoppedError

    def give(
        self, orders: Mapping[str, Iterable[str]], lines: Mapping[str, int] | None = None
    ) -> None:
        """Give the orders of a phase, whose powers may have `lines` of their own.

        Illegal orders are allowed, because they were void in the original game too.
        """
        unread = give_orders(self.game, orders)
        for problem in unread:
            line = 0 if lines is None else lines[problem.power]
            self.note(problem.message, power=problem.power, text=problem.text, line=line)
        if unread:
            self.game.clear()
            raise StoppedError

    def require_phase(self, phase: Phase) -> None:
        """Stop unless the game has reached `phase`."""
        game = self.game
        if game.ending is not None:
            self.stop(f"the game was already over: {game.ending.reason}", "rules")
        if phase != game.position.phase:
            is_later = phase.order > game.position.phase.order
            message = f"the game has come to {game.phase}, not {phase}"
            self.stop(message, "source" if is_later else "rules")

    def require_position(self, theirs: Position, parts: Sequence[str] = COMPARED) -> None:
        """Stop unless the game has reached `theirs`; the turn that did not lead there is undone."""
        ours, asked = position_to_request(self.game.position), position_to_request(theirs)
        what = tell_difference(
            "judged", ours, "the file says", {part: asked[part] for part in parts}
        )
        if what:
            self.differ(what)

    def differ(self, what: str) -> NoReturn:
        """Stop because the last turn leads to another position."""
        if self.game.turns:
            self.game.undo()
        self.stop(f"the orders lead to another position: {what}", "rules")

    def require_retreats(self, theirs: Position, *, is_silent: bool = False) -> frozenset[Unit]:
        """Stop unless the game has these dislodged units, and return those that it has not.

        Some programs offer all adjacent places, even if they are occupied: these offers are noted
        unless `is_silent`, and our retreats count. All other differences stop the reading.
        """
        position = self.game.position
        ours = {entry.unit: {*entry.retreats} for entry in position.dislodged}
        gone = frozenset(e.unit for e in theirs.dislodged if e.unit not in ours)
        for entry in theirs.dislodged:
            unit, open_places = entry.unit, ours.pop(entry.unit, set())
            extra = {*entry.retreats} - open_places
            if is_silent or {*entry.retreats} == open_places:
                continue
            places = [position.unit_in(province_of(place)) for place in extra]
            if not any(places) or not open_places < {*entry.retreats}:
                self.differ(f"{unit} of {unit.power} has other retreats")
            message = (
                f"the file offers {unit} retreats that the rules do not: {' '.join(sorted(extra))}"
            )
            phase = str(theirs.phase)
            self.note(message, "source", phase=phase, power=unit.power)
        if ours:
            unit = min(ours)
            self.differ(f"{unit} of {unit.power} is dislodged")
        return gone

    def has_left_out(self, theirs: Position) -> bool:
        """Return whether `theirs` is a retreat phase that our game skipped, with the same units."""
        turns, position = self.game.turns, self.game.position
        return (
            theirs.phase.stage is Stage.RETREATS
            and bool(turns)
            and turns[-1].position.phase.order < theirs.phase.order < position.phase.order
            and theirs.units == position.units
        )
