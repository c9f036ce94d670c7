"""The result of verifying a record: faults, what was checked, and what was not."""

from collections import Counter
from dataclasses import dataclass, field

MAX_LISTED = 100
"""How many faults or notes of a kind are listed; a file with many games may have more."""
NO_LINE = 0
"""The line number of a fault that is not in the record."""


class RecordFault(ValueError):
    """A fault in a line of a record, as a sentence.

    `place` is the line at fault, if that is not the line being read.
    """

    def __init__(self, what: str, place: int | None = None) -> None:
        super().__init__(what)
        self.place = place


@dataclass(frozen=True, slots=True)
class Fault:
    """The first fault in a game: the line of the file, and what is wrong with it."""

    line: int
    what: str
    game: str = ""

    def __str__(self) -> str:
        """Return the fault on one printable line."""
        game = f" (game {printable(self.game)})" if self.game else ""
        where = f"line {self.line}{game}: " if self.line else ""
        return f"{where}{printable(self.what)}"


@dataclass(slots=True)
class Report:
    """The result of a verification.

    `late` says of each record that does not prove its start where its proof begins. `checked`
    counts comparisons by a plural noun. `unchecked` lists what the record alone cannot
    prove. `receipts` says what the reader's own receipts prove.
    """

    games: int = 0
    lines: int = 0
    phases: int = 0
    fault_count: int = 0
    faults: list[Fault] = field(default_factory=list)
    late: list[str] = field(default_factory=list)
    late_count: int = 0
    checked: Counter[str] = field(default_factory=Counter)
    unchecked: dict[str, None] = field(default_factory=dict)
    receipts: list[str] = field(default_factory=list)

    def add_fault(self, fault: Fault) -> None:
        """Count the fault, and list it unless there are too many."""
        self.fault_count += 1
        if len(self.faults) < MAX_LISTED:
            self.faults.append(fault)

    def note_late(self, game: str, line: int) -> None:
        """Count a record that proves nothing before a line, and list it unless there are many."""
        self.late_count += 1
        if len(self.late) < MAX_LISTED:
            self.late.append(f"game {printable(game)}: not verifiable before line {line}")

    def note_unchecked(self, what: str) -> None:
        """List something that could not be checked, once."""
        if len(self.unchecked) < MAX_LISTED:
            self.unchecked[what] = None

    def note_receipt(self, what: str) -> None:
        """List what a receipt proves."""
        if len(self.receipts) < MAX_LISTED:
            self.receipts.append(what)


def printable(text: object, most: int = 300) -> str:
    """Return untrusted text on one printable line of at most `most` characters."""
    shown = str(text)[:most]
    return "".join(char if char.isprintable() else "?" for char in shown)
