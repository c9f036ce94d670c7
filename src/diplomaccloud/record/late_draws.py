"""Reads records that say only later who got which powers, as some older releases left them.

Such a record proves nothing about the phases before its `draw`, except that nobody changed it.
"""

from diplomaccloud.judge.codec.reader import Node
from diplomaccloud.judge.protocol.request import Boards
from diplomaccloud.record.game_checks import check_draw, read_board, read_coin
from diplomaccloud.record.lines import Kind, SeatChange
from diplomaccloud.record.phase_checks import check_open
from diplomaccloud.record.report import RecordFault
from diplomaccloud.record.state import Context, read_hash, read_seat

_NEED_THE_DRAW = frozenset({Kind.OPEN, Kind.LOCK, Kind.RESOLVE, Kind.COIN, Kind.ROLLBACK})


class LateDraw:
    """Passes the lines before a late draw, and checks the game from the phase open then on."""

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
        if kind == Kind.OPEN and state.powers:
            if not state.phases:
                self._begins_at = place
            return False
        if kind == Kind.DRAW:
            self._check_draw(node)
            return True
        if not state.powers:
            self._note(kind, node)
        return kind in (Kind.LOCK, Kind.RESOLVE) or (not state.powers and kind != Kind.END)

    def _note(self, kind: str, node: Node) -> None:
        """Keep what the lines after the draw build on."""
        state = self._context.state
        match kind:
            case Kind.OPEN:
                if "map" in node:
                    state.board = read_board(node, self._boards)
                self._opened = node, self._context.place
            case Kind.LOCK:
                self._opened = None
            case Kind.SEAT:
                node["change"].member(SeatChange)
                if "bot" in node:
                    self._bots[read_seat(node["seat"], state.seat_count)] = node["bot"].text()
            case Kind.COIN:
                read_coin(self._context, node["secret"])
            case Kind.ROLLBACK:
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
