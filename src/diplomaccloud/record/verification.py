"""Verifies a record of version 2 without the site: see `docs/record.md`.

The lines are read one by one. The first fault of a game is reported with its line, and the rest of
that game is skipped.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import BinaryIO, TypeVar

from diplomaccloud.judge.codec.reader import Node
from diplomaccloud.judge.protocol.request import Boards, only_standard
from diplomaccloud.record import game_checks, phase_checks
from diplomaccloud.record.chain import FIRST, parse_time
from diplomaccloud.record.lines import Kind
from diplomaccloud.record.reader import BadLine, Line, read_lines
from diplomaccloud.record.report import Fault, RecordFault, Report, printable
from diplomaccloud.record.seal_checks import Keys, Receipts, check_seal
from diplomaccloud.record.state import Context

_T = TypeVar("_T")
OnError = Callable[[Exception], None]


def verify_record(
    source: BinaryIO,
    boards: Boards = only_standard,
    *,
    heads: Collection[str] = (),
    keys: Keys | None = None,
    on_error: OnError | None = None,
) -> Report:
    """Return what is wrong with the games in `source`, what was checked, and what could not be.

    `heads` are hashes from the games' pages; each must be that of a line. `keys` are the public
    keys of the site by id, if known. `on_error` gets the errors of the program itself.
    """
    verifier = _Verifier(boards, frozenset(heads), keys, on_error)
    for line, following in _with_following(read_lines(source)):
        verifier.take(line, following)
    return verifier.finish()


def _with_following(items: Iterable[_T]) -> Iterator[tuple[_T, _T | None]]:
    """Yield each item with the one after it, the last with None."""
    listed = iter(items)
    item = next(listed, None)
    while item is not None:
        following = next(listed, None)
        yield item, following
        item = following


class _Verifier:
    """Verifies the games of a file one after the other."""

    def __init__(
        self,
        boards: Boards,
        heads: frozenset[str],
        keys: Keys | None,
        on_error: OnError | None,
    ) -> None:
        self._boards, self._keys, self._on_error = boards, keys, on_error
        self._heads, self._found = heads, set[str]()
        self._report = Report()
        self._game: _Game | None = None
        self._is_skipping = False
        self._place = 0

    def take(self, line: Line | BadLine, following: Line | BadLine | None) -> None:
        """Check the next line; `following` is the one after it."""
        self._place = line.place
        self._report.lines += 1
        is_first = isinstance(line, Line) and line.kind == Kind.GAME and line.number == 1
        if is_first:
            self._finish_game(line.place)
            self._is_skipping = False
            self._report.games += 1
        if self._is_skipping:
            return
        try:
            self._check(line, following)
        except RecordFault as fault:
            self._fail(str(fault), fault.place or line.place)
        except ValueError as error:
            self._fail(str(error), line.place)
        except Exception as error:
            # An error of ours must not hide what is wrong with other games.
            if self._on_error is not None:
                self._on_error(error)
            self._fail(f"it cannot be checked: internal error ({type(error).__name__})", line.place)

    def _check(self, line: Line | BadLine, following: Line | BadLine | None) -> None:
        if isinstance(line, BadLine):
            raise RecordFault(line.fault)
        if self._game is None:
            if line.number != 1:
                raise RecordFault(f"n is {line.number}, but the first line of a record has n 1")
            if line.previous != FIRST:
                raise RecordFault("prev must be blank in the first line of a record")
            self._game = _Game(line, self._boards, self._report, self._keys)
        else:
            self._game.take(line, following)
        if line.hash in self._heads:
            self._note_head(line.hash)

    def _note_head(self, head: str) -> None:
        self._found.add(head)
        self._report.checked["heads"] += 1

    def _fail(self, what: str, place: int) -> None:
        name = self._game.name if self._game is not None and self._report.games > 1 else ""
        self._report.add_fault(Fault(place, what, name))
        self._game, self._is_skipping = None, True

    def _finish_game(self, next_place: int | None = None) -> None:
        """Check that the game that has been read is complete; the next may begin in a line."""
        game, self._game = self._game, None
        if game is None:
            return
        try:
            if next_place is not None and not game.is_sealed:
                what = "a game begins here, but the last one has no seal: lines are missing"
                raise RecordFault(what, next_place)
            game.finish()
        except RecordFault as fault:
            name = game.name if self._report.games > 1 else ""
            self._report.add_fault(Fault(fault.place or game.place, str(fault), name))

    def finish(self) -> Report:
        """Return the report after the last line."""
        self._finish_game()
        if not self._report.games:
            self._report.games = 1 if self._report.lines else 0
        for head in sorted(self._heads - self._found):
            if not self._report.fault_count:
                what = f"no line has the hash {head[:12]}…, so lines are missing or were changed"
                self._report.add_fault(Fault(self._place, what))
        return self._report


class _Game:
    """Checks the lines of one game: their links, and what they say."""

    def __init__(self, line: Line, boards: Boards, report: Report, keys: Keys | None) -> None:
        state = game_checks.read_game(Node(line.data), boards)
        self._context = Context(state, report, line.place)
        self._boards, self._keys = boards, keys
        self._last = line
        self.is_sealed = False
        self._receipts = Receipts(self._context, keys)
        self._check_time(Node(line.data))

    @property
    def name(self) -> str:
        """The id of the game."""
        return self._context.state.name

    @property
    def place(self) -> int:
        """The line that was read last."""
        return self._last.place

    def take(self, line: Line, following: Line | BadLine | None) -> None:
        """Check the next line of the game."""
        if line.number != self._last.number + 1:
            raise RecordFault(
                f"n is {line.number} where {self._last.number + 1} must follow: "
                "a line is missing, doubled or in the wrong place"
            )
        self._check_link(line, following)
        self._context.place = line.place
        node = Node(line.data)
        if self.is_sealed:
            self._check_receipt(line, node)
        elif line.kind == Kind.SEAL:
            check_seal(
                self._context,
                node,
                lines=self._last.number,
                head=self._last.hash,
                keys=self._keys,
            )
            self.is_sealed = True
        else:
            self._check_time(node)
            self._check_body(line.kind, node)
        self._last = line

    def _check_link(self, line: Line, following: Line | BadLine | None) -> None:
        """Raise `RecordFault` if the line does not follow the last one."""
        last = self._last
        if line.previous == last.hash:
            return
        # The line after shows which of the two is the original.
        is_original = isinstance(following, Line) and following.previous == line.hash
        if is_original or (line.kind == Kind.SEAL and line.data.get("head") == line.previous):
            raise RecordFault(
                f"it has been changed: line {line.place} has another hash for it", last.place
            )
        raise RecordFault(f"prev is not the hash of line {last.place}")

    def _check_time(self, node: Node) -> None:
        if self._context.state.is_site:
            parse_time(node["at"].text())

    def _check_body(self, kind: str, node: Node) -> None:
        context = self._context
        match kind:
            case Kind.DRAW:
                game_checks.check_draw(context, node)
            case Kind.OPEN:
                phase_checks.check_open(context, node, self._boards)
            case Kind.LOCK:
                phase_checks.check_lock(context, node)
            case Kind.RESOLVE:
                phase_checks.check_resolve(context, node)
            case Kind.SEAT:
                game_checks.check_seat(context, node)
            case Kind.VOTE:
                game_checks.check_vote(context, node)
            case Kind.LOG:
                game_checks.check_log(context, node)
            case Kind.COIN:
                game_checks.check_coin(context, node)
            case Kind.ROLLBACK:
                game_checks.check_rollback(context, node)
            case Kind.REVEAL:
                phase_checks.check_reveal(context, node)
            case Kind.END:
                game_checks.check_end(context, node)
            case _:
                raise RecordFault(f"lines of the kind {printable(kind, 24)!r} do not belong here")

    def _check_receipt(self, line: Line, node: Node) -> None:
        if line.kind != Kind.RECEIPT:
            raise RecordFault("only receipts follow the seal")
        self._receipts.check(node)

    def finish(self) -> None:
        """Check that nothing has been cut off, and report what the receipts prove."""
        if not self.is_sealed:
            raise RecordFault("the record ends here without a seal, so its tail has been cut off")
        if not self._receipts.is_complete:
            raise RecordFault("receipts are missing after this line")
        self._receipts.conclude()
        self._note_unchecked()

    def _note_unchecked(self) -> None:
        """Report what a complete and consistent record still leaves open."""
        state, report = self._context.state, self._context.report
        if state.is_site:
            report.note_unchecked("the times, which are those of the site's clock")
        hidden = [phase for phase in state.phases.values() if phase.stored is not None]
        if hidden:
            report.note_unchecked("the orders of hidden bots, whose secrets are not public yet")
        locked = [phase for phase in state.phases.values() if phase.lock_place is not None]
        if any(not phase.is_resolved for phase in locked):
            report.note_unchecked("the orders of a locked phase that is not processed yet")
