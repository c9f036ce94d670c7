"""Verifies a version 2 record without the site: see `docs/record.md`.

The lines are read one by one. The first fault of a game is reported with its line, and the rest of
that game is skipped.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import BinaryIO, TypeVar

from diplomaccloud.judge.codec.reader import Node
from diplomaccloud.judge.protocol.request import Boards, only_standard
from diplomaccloud.record.chain import FIRST
from diplomaccloud.record.game import Evidence, GameVerifier
from diplomaccloud.record.lines import LineKind
from diplomaccloud.record.reader import BadLine, RawLine, read_lines
from diplomaccloud.record.receipts import Keys
from diplomaccloud.record.report import NO_LINE, Fault, RecordFault, Report

_T = TypeVar("_T")
OnError = Callable[[Exception], None]


def verify_record(
    source: BinaryIO,
    boards: Boards = only_standard,
    *,
    heads: Collection[str] = (),
    keys: Keys | None = None,
    receipts: Sequence[Node] = (),
    on_error: OnError | None = None,
) -> Report:
    """Verify the games in `source`, and report faults, what was checked, and what could not be.

    `heads` are hashes from the games' pages; each must be the hash of a line. `keys` are the site's
    public keys by id, if known. `receipts` are checked like those in the record. `on_error`
    is called with internal errors.
    """
    verifier = _Verifier(Evidence(boards, frozenset(heads), keys, receipts), on_error)
    for line, following in _with_following(read_lines(source)):
        verifier.take(line, following)
    return verifier.finish()


def _with_following(items: Iterable[_T]) -> Iterator[tuple[_T, _T | None]]:
    """Yield each item with the next one, and the last with None."""
    listed = iter(items)
    item = next(listed, None)
    while item is not None:
        following = next(listed, None)
        yield item, following
        item = following


class _Verifier:
    """Verifies the games of a file one after another."""

    def __init__(self, evidence: Evidence, on_error: OnError | None) -> None:
        self._evidence, self._on_error = evidence, on_error
        self._report = Report()
        self._game: GameVerifier | None = None
        self._is_skipping = False
        self._place = 0
        self._missing_heads = set(evidence.heads)
        self._missing_receipts = dict(enumerate(evidence.receipts, start=1))

    def take(self, line: RawLine | BadLine, following: RawLine | BadLine | None) -> None:
        """Check the next line; `following` is the one after it."""
        self._place = line.place
        self._report.lines += 1
        if isinstance(line, RawLine) and line.kind == LineKind.GAME and line.number == 1:
            self._guard(lambda: self._finish_game(line.place))
            self._is_skipping = False
            self._report.games += 1
        if not self._is_skipping:
            self._guard(lambda: self._check(line, following))

    def _guard(self, check: Callable[[], None]) -> None:
        """Run a check, and report its fault."""
        try:
            check()
        except RecordFault as fault:
            self._fail(str(fault), self._place if fault.place is None else fault.place)
        except ValueError as error:
            self._fail(str(error), self._place)
        except Exception as error:
            # An internal error must not hide faults in other games.
            if self._on_error is not None:
                self._on_error(error)
            what = f"it cannot be checked: internal error ({type(error).__name__})"
            self._fail(what, self._place)

    def _fail(self, what: str, place: int) -> None:
        name = self._game.name if self._game is not None and self._report.games > 1 else ""
        self._report.add_fault(Fault(place, what, name))
        self._game, self._is_skipping = None, True

    def _check(self, line: RawLine | BadLine, following: RawLine | BadLine | None) -> None:
        if isinstance(line, BadLine):
            raise RecordFault(line.fault)
        if self._game is not None:
            self._game.take(line, following)
        elif line.number != 1:
            raise RecordFault(f"n is {line.number}, but the first line of a record has n 1")
        elif line.previous != FIRST:
            raise RecordFault("prev must be blank in the first line of a record")
        else:
            self._game = GameVerifier(line, self._evidence, self._report)
            self._note_receipts(self._game.name)
        if line.hash in self._missing_heads and not self._game.is_sealed:
            self._missing_heads.remove(line.hash)
            self._report.checked["heads"] += 1

    def _note_receipts(self, game: str) -> None:
        """Note that the separate receipts for a game are checked with its record."""
        for number, node in list(self._missing_receipts.items()):
            if node["game"].value == game:
                del self._missing_receipts[number]

    def _finish_game(self, next_place: int | None = None) -> None:
        """Check that the game read so far is complete; the next one starts at `next_place`."""
        if self._game is None:
            return
        if next_place is not None and not self._game.is_sealed:
            raise RecordFault("a game starts here, but the last one has no seal: lines are missing")
        # Faults found now are at the end of that game.
        self._place = self._game.place
        self._game.finish()
        self._game = None

    def finish(self) -> Report:
        """Return the report after the last line."""
        self._guard(self._finish_game)
        if self._report.lines and not self._report.games:
            self._report.games = 1
        if not self._report.fault_count:
            for head in sorted(self._missing_heads):
                what = f"no line has the hash {head[:12]}…, so lines are missing or were changed"
                self._report.add_fault(Fault(self._place, what))
            for number in self._missing_receipts:
                what = f"given receipt {number} is for another game"
                self._report.add_fault(Fault(NO_LINE, what))
        return self._report
