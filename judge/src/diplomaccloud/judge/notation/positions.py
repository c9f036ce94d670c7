"""Reads positions written as short text, which `Position.to_text` writes."""

import re
from collections.abc import Iterator

from diplomaccloud.judge.board import MAX_ECHO, Board, Power, ProvinceCode, find_power
from diplomaccloud.judge.checks import require_text
from diplomaccloud.judge.notation.units import parse_unit
from diplomaccloud.judge.notation.words import NotationError
from diplomaccloud.judge.phases import Phase, PhaseError, Stage
from diplomaccloud.judge.position import Dislodged, Position, PositionError
from diplomaccloud.judge.standard.europe import default_board
from diplomaccloud.judge.units import Unit

MAX_TEXT = 64 * 1024
"""The longest text of a position that is read, in characters."""

_HEADING = re.compile(
    r"(?:\A|[;,\n])\s*(?:(centers|dislodged)\s+)?([^\s:;,()/][^:;,\n()/]{0,80}?)\s*:", re.IGNORECASE
)
MAX_FAULTS = 50
"""The number of faults after which reading stops."""

_DISLODGED = re.compile(r"([^()]*?)(?:\(([^()]*)\))?(?:\s*\bfrom\s+(\S+))?\s*\Z", re.IGNORECASE)
_BREAKS = re.compile(r"[,;\n]+")


def parse_position(text: str, board: Board | None = None) -> Position:
    """Return the position written as `S1901M FRANCE: A PAR, F BRE; GERMANY: A MUN`.

    The phase comes first, then each power with its units. `centers FRANCE: PAR MAR` lists centers,
    and `dislodged FRANCE: A BUR (GAS PAR) from MUN` a dislodged unit with the places it may retreat
    to and, if known, where its attacker came from. Sections are separated by semicolons or line
    breaks. Nothing is added, so a center that is not listed is neutral. `board` is the standard
    board unless given. Raises `PositionError` with a sentence for every part at fault.
    """
    require_text("text", text)
    if len(text) > MAX_TEXT:
        raise PositionError((f"a position of {len(text)} characters is too long",))
    reading = _Reading(default_board(board), text)
    position = reading.read()
    if reading.faults:
        raise PositionError(tuple(reading.faults))
    return position


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
                    self._note(part, power, str(error))
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
