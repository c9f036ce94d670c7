"""Reads and writes positions as short text, and finds the default board."""

import re
from collections.abc import Iterator

from diplomaccloud.judge.board import Board, Power, ProvinceCode
from diplomaccloud.judge.checks import require_text, require_type
from diplomaccloud.judge.notation.units import parse_unit
from diplomaccloud.judge.notation.words import NotationError
from diplomaccloud.judge.phases import Phase, PhaseError, Stage
from diplomaccloud.judge.position import Dislodged, Position
from diplomaccloud.judge.position_problems import PositionError
from diplomaccloud.judge.standard.europe import standard_board
from diplomaccloud.judge.units import Unit

MAX_TEXT = 64 * 1024
"""The longest text of a position that is read, in characters."""

_HEADING = re.compile(
    r"(?:\A|[;,\n])\s*(?:(centers|dislodged)\s+)?([^\s:;,()/][^:;,\n()/]{0,80}?)\s*:", re.IGNORECASE
)
MAX_ECHO = 40
"""How many characters of a text at fault an error quotes."""

MAX_FAULTS = 50
"""The number of faults after which reading stops."""

_DISLODGED = re.compile(r"([^()]*?)(?:\(([^()]*)\))?(?:\s*\bfrom\s+(\S+))?\s*\Z", re.IGNORECASE)
_BREAKS = re.compile(r"[,;\n]+")


def default_board(board: Board | None) -> Board:
    """Return `board`, or the standard board if it is `None`."""
    if board is None:
        return standard_board()
    require_type("board", board, Board)
    return board


def parse_position(text: str, board: Board | None = None) -> Position:
    """Return the position written in `text`; see `Position.parse`."""
    require_text("text", text)
    if len(text) > MAX_TEXT:
        raise PositionError((f"a position of {len(text)} characters is too long",))
    reading = _Reading(default_board(board), text)
    position = reading.read()
    if reading.faults:
        raise PositionError(tuple(reading.faults))
    return position


def find_power(board: Board, name: str) -> Power:
    """Return the power with this key or printed name, in any case, or raise `ValueError`."""
    require_text("power", name)
    folded = " ".join(name.split()).casefold()
    for info in board.powers:
        if folded in {info.power.casefold(), info.name.casefold()}:
            return info.power
    known = ", ".join(board.power_info)
    raise ValueError(f"there is no power {name[:MAX_ECHO]!r} on this board (choose from: {known})")


class _Reading:
    """Reads one text and collects all faults in it."""

    def __init__(self, board: Board, text: str) -> None:
        self.faults: list[str] = []
        self._board = board
        # Collapse runs of spaces and empty lines, which would make the patterns backtrack.
        lines = (" ".join(line.split()) for line in text.split("\n"))
        self._text = "\n".join(filter(None, lines))

    def read(self) -> Position:
        """Return the position without the parts at fault."""
        head = re.match(r"[^\s;,]+", self._text)
        name = head.group() if head else ""
        try:
            phase = Phase.parse(name)
        except PhaseError as error:
            raise PositionError((f"phase: {error}",)) from error
        units: list[Unit] = []
        dislodged: list[Dislodged] = []
        centers: dict[ProvinceCode, Power] = {}
        for part, power, content in self._sections(self._text[len(name) :].lstrip(" \t\n;,:")):
            for item in filter(None, map(str.strip, _BREAKS.split(content))):
                if len(self.faults) >= MAX_FAULTS:
                    raise PositionError(tuple(self.faults))
                try:
                    if part == "centers":
                        centers |= dict.fromkeys(self._read_centers(item, power), power)
                    elif part == "dislodged":
                        dislodged.append(self._read_dislodged(item, power))
                    else:
                        units.append(parse_unit(item, self._board, power))
                except NotationError as error:
                    self._note(part, power, f"not a unit: {error}")
        if phase.stage is Stage.ADJUSTMENTS and not centers and not self.faults:
            self.faults.append(f"centers: missing, but {phase} depends on them")
        if dislodged and phase.stage is not Stage.RETREATS:
            self.faults.append(f"dislodged: there are no retreats in {phase}")
        return Position(phase, tuple(units), centers, tuple(dislodged))

    def _sections(self, text: str) -> Iterator[tuple[str, Power, str]]:
        """Yield the kind, the power and the content of each section."""
        headings = list(_HEADING.finditer(text))
        before = text[: headings[0].start()] if headings else text
        if before.strip(" \t\n;,"):
            stray = before.strip()[:MAX_ECHO]
            self.faults.append(f"{stray!r} comes before the name of a power and a colon")
        if not headings:
            return
        ends = [heading.start() for heading in headings[1:]] + [len(text)]
        for heading, end in zip(headings, ends, strict=True):
            part = (heading[1] or "units").lower()
            try:
                power = find_power(self._board, heading[2])
            except ValueError as error:
                self.faults.append(f"{part}: {error}")
                continue
            yield part, power, text[heading.end() : end]

    def _read_centers(self, item: str, power: Power) -> Iterator[ProvinceCode]:
        for word in item.upper().split():
            code = ProvinceCode(word)
            if code in self._board.by_code and self._board.by_code[code].center:
                yield code
            else:
                self._note("centers", power, f"{word[:MAX_ECHO]!r} is not a supply center")

    def _read_dislodged(self, item: str, power: Power) -> Dislodged:
        """Return the unit written as `A BUR (GAS PAR) from MUN`, with retreats and attacker.

        Either may be left out.
        """
        match = _DISLODGED.match(item)
        name, places, source = match.groups("") if match else (item, "", "")
        unit = parse_unit(name, self._board, power)
        retreats = {parse_unit(f"{unit.kind} {to}", self._board, power) for to in places.split()}
        by = ProvinceCode(source.upper())
        if by and by not in self._board.by_code:
            self._note("dislodged", power, f"{source[:MAX_ECHO]!r} is not a province")
        return Dislodged(unit, by, tuple(sorted(to.location for to in retreats)))

    def _note(self, part: str, power: Power, what: str) -> None:
        self.faults.append(f"{part}: {power}: {what}")


def write_position(position: Position) -> str:
    """Return `position` as text for `parse_position`; see `Position.to_text`."""
    units: dict[str, list[str]] = {}
    for unit in position.units:
        units.setdefault(unit.power, []).append(str(unit))
    for entry in position.dislodged:
        source = f" from {entry.by}" if entry.by else ""
        text = f"{entry.unit} ({' '.join(entry.retreats)}){source}"
        units.setdefault(f"dislodged {entry.unit.power}", []).append(text)
    for code, power in position.centers.items():
        units.setdefault(f"centers {power}", []).append(code)
    lines = [f"{heading}: {', '.join(items)}" for heading, items in units.items()]
    return "\n".join([str(position.phase), *lines])
