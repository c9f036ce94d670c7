"""Verifies a version 2 record without the site: see `docs/record.md`.

The lines are read one by one. The first fault of a game is reported with its line, and the rest of
that game is skipped.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO, TypeVar

from diplomaccloud.judge.codec import Node
from diplomaccloud.judge.protocol.requests import Boards, only_standard
from diplomaccloud.record import game_checks, phase_checks
from diplomaccloud.record.chain import FIRST, parse_time
from diplomaccloud.record.game_checks import check_draw, read_board, read_coin
from diplomaccloud.record.lines import LineKind, SeatChange
from diplomaccloud.record.phase_checks import check_open
from diplomaccloud.record.reader import BadLine, RawLine, read_lines
from diplomaccloud.record.receipts import Keys, Receipts, check_seal
from diplomaccloud.record.report import NO_LINE, Fault, RecordFault, Report, printable
from diplomaccloud.record.state import Context, read_hash, read_seat

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


# Verifies the record of one game, line by line: links, contents, seal and receipts.


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the reader has besides the record.

    `heads` are hashes from the game's page, `keys` the site's public keys by id if known, and
    `receipts` the receipts that are not in the record.
    """

    boards: Boards
    heads: frozenset[str] = frozenset()
    keys: Keys | None = None
    receipts: Sequence[Node] = ()


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


_NEED_THE_DRAW = frozenset(
    {LineKind.OPEN, LineKind.LOCK, LineKind.RESOLVE, LineKind.COIN, LineKind.ROLLBACK}
)


class LateDraw:
    """Passes the lines before a late draw, and checks the game from the phase open then on.

    Some older releases left records that say only later who got which powers. Such a record proves
    nothing about the phases before its `draw`, except that nobody changed it.
    """

    def __init__(self, context: Context, boards: Boards) -> None:
        self._context, self._boards = context, boards
        self._missing: RecordFault | None = None
        self._opened: tuple[Node, int] | None = None
        self._bots: dict[int, str] = {}
        self._begins_at = 0
        """The first line that proves something: the first opening after the draw, or the draw."""

    def passes(self, kind: str, node: Node) -> bool:
        """Return whether the line cannot be checked, because something before it is unknown."""
        state, place = self._context.state, self._context.place
        if not state.powers and kind in _NEED_THE_DRAW and self._missing is None:
            self._missing = RecordFault("the powers have not been drawn yet", place)
            state.is_late = state.is_blind = True
        if not state.is_blind:
            return False
        if kind == LineKind.OPEN and state.powers:
            if not state.phases:
                self._begins_at = place
            return False
        if kind == LineKind.DRAW:
            self._check_draw(node)
            return True
        if not state.powers:
            self._note(kind, node)
        return kind in (LineKind.LOCK, LineKind.RESOLVE) or (
            not state.powers and kind != LineKind.END
        )

    def _note(self, kind: str, node: Node) -> None:
        """Keep what the lines after the draw build on."""
        state = self._context.state
        match kind:
            case LineKind.OPEN:
                if "map" in node:
                    state.board = read_board(node, self._boards)
                self._opened = node, self._context.place
            case LineKind.LOCK:
                self._opened = None
            case LineKind.SEAT:
                node["change"].member(SeatChange)
                if "bot" in node:
                    self._bots[read_seat(node["seat"], state.seat_count)] = node["bot"].text()
            case LineKind.COIN:
                read_coin(self._context, node["secret"])
            case LineKind.ROLLBACK:
                state.top_branch = max(state.top_branch, node["branch"].integer(0))
                state.is_ended = False
                if "commits" in node and "coin" in node["commits"]:
                    state.coin_commit = state.add_commit(read_hash(node["commits"]["coin"]))
                    state.coin = None
            case _:
                pass

    def _check_draw(self, node: Node) -> None:
        state, place = self._context.state, self._context.place
        check_draw(self._context, node)
        state.bots.update(self._bots)
        self._missing, self._begins_at = None, place
        if self._opened is not None and not state.is_ended:
            opened, self._context.place = self._opened
            check_open(self._context, opened, self._boards)
            self._begins_at, self._context.place = self._context.place, place

    def finish(self) -> None:
        """Raise `RecordFault` if the draw never came, or report where the proof begins."""
        if self._missing is not None:
            raise self._missing
        state = self._context.state
        if state.is_late:
            self._context.report.note_late(state.name, self._begins_at)


class GameVerifier:
    """Checks the lines of one game."""

    def __init__(self, line: RawLine, evidence: Evidence, report: Report) -> None:
        state = game_checks.read_game(Node(line.data), evidence.boards)
        self._context = Context(state, report, line.place)
        self._evidence = evidence
        self._receipts = Receipts(self._context, evidence.keys)
        self._late_draw = LateDraw(self._context, evidence.boards)
        self._last = line
        self._head = line.hash
        self.is_sealed = False
        self._check_time(Node(line.data))

    @property
    def name(self) -> str:
        """The id of the game."""
        return self._context.state.name

    @property
    def place(self) -> int:
        """The number of the line that was read last."""
        return self._last.place

    def take(self, line: RawLine, following: RawLine | BadLine | None) -> None:
        """Check the next line of the game; `following` is the one after it."""
        if line.number != self._last.number + 1:
            raise RecordFault(
                f"n is {line.number} instead of {self._last.number + 1}: "
                "a line is missing, repeated or in the wrong place"
            )
        self._check_link(line, following)
        self._context.place = line.place
        node = Node(line.data)
        if self.is_sealed:
            if line.kind != LineKind.RECEIPT:
                raise RecordFault("only receipts may follow the seal")
            self._receipts.check_line(node)
        elif line.kind == LineKind.SEAL:
            keys, lines = self._evidence.keys, self._last.number
            check_seal(self._context, node, lines=lines, head=self._head, keys=keys)
            self.is_sealed = True
        else:
            self._check_time(node)
            if not self._late_draw.passes(line.kind, node):
                self._check_body(line.kind, node)
            self._head = line.hash
        self._last = line

    def _check_link(self, line: RawLine, following: RawLine | BadLine | None) -> None:
        """Raise `RecordFault` if the line does not follow the last one."""
        last = self._last
        if line.previous == last.hash:
            return
        # The following line shows which of the two is the original.
        is_original = isinstance(following, RawLine) and following.previous == line.hash
        if is_original or (line.kind == LineKind.SEAL and line.data.get("head") == line.previous):
            raise RecordFault(
                f"it has been changed: line {line.place} has a different hash for it", last.place
            )
        raise RecordFault(f"prev is not the hash of line {last.place}")

    def _check_time(self, node: Node) -> None:
        if self._context.state.is_site:
            parse_time(node["at"].text())

    def _check_body(self, kind: str, node: Node) -> None:
        context = self._context
        match kind:
            case LineKind.DRAW:
                game_checks.check_draw(context, node)
            case LineKind.OPEN:
                phase_checks.check_open(context, node, self._evidence.boards)
            case LineKind.LOCK:
                phase_checks.check_lock(context, node)
            case LineKind.RESOLVE:
                phase_checks.check_resolve(context, node)
            case LineKind.SEAT:
                game_checks.check_seat(context, node)
            case LineKind.VOTE:
                game_checks.check_vote(context, node)
            case LineKind.LOG:
                game_checks.check_log(context, node)
            case LineKind.COIN:
                game_checks.check_coin(context, node)
            case LineKind.ROLLBACK:
                game_checks.check_rollback(context, node)
            case LineKind.REVEAL:
                phase_checks.check_reveal(context, node)
            case LineKind.END:
                game_checks.check_end(context, node)
            case _:
                raise RecordFault(f"lines of the kind {printable(kind, 24)!r} do not belong here")

    def finish(self) -> None:
        """Check that nothing has been cut off, and report what the receipts prove."""
        if not self.is_sealed:
            raise RecordFault("the record ends here without a seal, so its tail has been cut off")
        if not self._receipts.is_complete:
            raise RecordFault("receipts are missing after this line")
        self._late_draw.finish()
        for number, node in enumerate(self._evidence.receipts, start=1):
            if node["game"].value == self.name:
                self._receipts.check_given(node, f"Given receipt {number}")
        self._receipts.conclude()
        self._note_unchecked()

    def _note_unchecked(self) -> None:
        """Report what even a complete and consistent record cannot prove."""
        state, note = self._context.state, self._context.report.note_unchecked
        if not state.is_site:
            return
        if self._head not in self._evidence.heads:
            note(
                "whether the game continued after this record: "
                "compare its head with the game's page"
            )
        note("the times, which come from the site's clock")
        if state.has_votes:
            note("the votes, because ballots are secret")
        phases = state.phases.values()
        if any(phase.lock_place is not None and not phase.is_resolved for phase in phases):
            note("the orders of a locked phase that was not processed")
        if any(phase.stored is not None for phase in phases):
            note("the orders of hidden bots, because their secrets are not public yet")
        digests = [seat for phase in phases for seat in phase.seats.values()]
        if any(seat.sealed is not None and not seat.is_revealed for seat in digests):
            note("conditional orders and draw votes that are not public yet")
