"""Positions and orders as text that people can read and edit.

Phase: S1901M
France: A MAR, A PAR, F BRE
France owns: BRE, MAR, PAR
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from diplomaccloud.judge.board import Board, Power, ProvinceCode
from diplomaccloud.judge.notation import NotationError, parse_unit
from diplomaccloud.judge.orders import Order, power_of
from diplomaccloud.judge.phases import Phase, PhaseError, Season, Stage
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.units import Unit
from diplomaccloud.sandbox.engine.address import MAX_YEAR
from diplomaccloud.sandbox.engine.state import SandboxError

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
        own = [str(order) for order in given if power_of(order) == info.power]
        if own:
            lines += ["", f"{info.name}:", *own]
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
        raise SandboxError(
            "The text has no units. Write a line for each country, for example "
            f"“{board.powers[0].name}: {_example(board)}”."
        )
    return reader.finish()


def _example(board: Board) -> str:
    power = board.powers[0].power
    units = [f"{start.kind} {start.location}" for start in board.starts if start.power == power]
    return ", ".join(units[:3]) or f"A {board.provinces[0].code}"


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
            self._report(f"“{line[:60]}” does not start with a country and a colon.")

    def _read_phase(self, text: str) -> None:
        try:
            phase = Phase.parse(text.upper())
        except PhaseError:
            self._report(f"“{text[:20]}” is not a phase. Write S1901M, F1901M or W1901A.")
            return
        if not 1 <= phase.year <= MAX_YEAR:
            self._report(f"The year must be from 1 to {MAX_YEAR}.")
        elif phase.stage is Stage.RETREATS:
            self._report("Retreats follow from moves, so the phase was set to those moves.")
            self.phase = Phase(Season(phase.season), phase.year, Stage.MOVEMENT)
        else:
            self.phase = phase

    def _read_owner(self, name: str, rest: str) -> None:
        power = self._find_power(name)
        neutral = name.strip().lower() == _NEUTRAL
        if power is None and not neutral:
            self._report(f"This map has no country “{name.strip()[:40]}”.")
            return
        self.owned = self.owned or {}
        for text in _pieces(rest):
            code = self._find_center(text)
            if code is None:
                self._report(f"“{text[:40]}” is not a supply center on this map.")
            elif code in self.owned:
                self._report(f"{self.board.by_code[code].name} can have only one owner.")
            elif power is not None:
                self.owned[code] = power

    def _read_unit(self, power: Power, text: str) -> None:
        try:
            unit = parse_unit(text[:80], self.board, power)
        except NotationError as error:
            self._report(f"“{text[:40]}” was left out: {error}.")
            return
        if unit.province in self.units:
            name = self.board.by_code[unit.province].name
            self._report(f"Only one unit fits in {name}, so “{text[:40]}” was left out.")
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

    def _report(self, sentence: str) -> None:
        self.problems.append(sentence)

    def finish(self) -> PositionReading:
        """Return what was read."""
        position = replace(
            self.old,
            phase=self.phase or self._phase_without_retreats(),
            units=tuple(self.units.values()),
            centers=self.old.centers if self.owned is None else self.owned,
            dislodged=(),
        )
        shown = self.problems[:MAX_PROBLEMS]
        if len(self.problems) > MAX_PROBLEMS:
            shown.append(f"{len(self.problems) - MAX_PROBLEMS} more problems are not listed.")
        return PositionReading(position, tuple(shown))

    def _phase_without_retreats(self) -> Phase:
        phase = self.old.phase
        if phase.stage is not Stage.RETREATS:
            return phase
        return Phase(phase.season, phase.year, Stage.MOVEMENT)


def _pieces(text: str) -> Iterator[str]:
    return (piece.strip() for piece in _SEPARATOR.split(text) if piece.strip())
