"""The past of one game as one viewer may see it: processed phases, log, receipts and record."""

from collections.abc import Iterator, Mapping
from functools import cached_property

from diplomaccloud.games.errors import NoSuchGame
from diplomaccloud.games.models import (
    LogEntry,
    Status,
)
from diplomaccloud.games.viewpoint.centers import Owners, read_owners
from diplomaccloud.games.viewpoint.chain import (
    OwnNumber,
    RecordEnd,
    dump_chain,
    dump_own_chain,
    find_own_number,
    read_record_end,
)
from diplomaccloud.games.viewpoint.ending import GameEnding, read_ending
from diplomaccloud.games.viewpoint.last_save import LastSave, last_save_of
from diplomaccloud.games.viewpoint.log import (
    LogLine,
    LogPage,
    find_draw_results,
    read_line,
    read_log,
    read_newest,
)
from diplomaccloud.games.viewpoint.receipts import (
    LockedPhases,
    ReceiptFacts,
    SaveFacts,
    read_locked_phases,
    read_own_receipts,
    read_saves,
)
from diplomaccloud.games.viewpoint.record import dump_game, tally_phases
from diplomaccloud.games.viewpoint.results import (
    PhaseName,
    PhaseRecord,
    ProcessedPhase,
    find_phase,
    read_live_orders,
    read_names,
    read_newest_name,
    read_phase,
    read_processed,
    read_turn,
)
from diplomaccloud.games.viewpoint.rows import GameRows
from diplomaccloud.games.viewpoint.statistics import Tally
from diplomaccloud.games.viewpoint.why import OrderExplanation, explain_order


class HistoryReader:
    """The past of a game; `GameReader` adds its present."""

    _rows: GameRows

    @cached_property
    def phase_names(self) -> tuple[PhaseName, ...]:
        """The processed phases of the current branch, oldest first."""
        return read_names(self._rows)

    @cached_property
    def newest_name(self) -> PhaseName | None:
        """The last processed phase of the current branch, or None if there is none."""
        return read_newest_name(self._rows)

    @cached_property
    def last_turn(self) -> tuple[ProcessedPhase, ...]:
        """The last processed movement phase and the phases after it, oldest first."""
        return read_turn(self._rows, self.phase_names)

    def read_processed(self, sequence: int) -> ProcessedPhase:
        """Return a processed phase without its orders; raise `NoSuchGame` if there is none."""
        return read_processed(self._rows, self.phase_names, sequence)

    def read_phase(
        self, sequence: int, number: int | None = None
    ) -> tuple[PhaseRecord, OrderExplanation | None]:
        """Return a processed phase, and the explanation of its order `number` if given.

        Raises `NoSuchGame` if there is no such phase or order.
        """
        phase, branch = find_phase(self._rows, self.phase_names, sequence)
        orders = read_live_orders(phase)
        why = None if number is None else explain_order(phase, orders, number)
        return read_phase(self._rows, phase, branch, orders), why

    def explain_order(self, sequence: int, number: int) -> OrderExplanation:
        """Return the explanation of one order of a processed phase; raise `NoSuchGame`."""
        phase = self._rows.game.phases.filter(sequence=sequence).first()
        if phase is None:
            raise NoSuchGame
        return explain_order(phase, read_live_orders(phase), number)

    def read_owners(self) -> Mapping[int, Owners]:
        """Return the owners of the supply centers by year."""
        return read_owners(self._rows)

    def read_tally(self) -> Tally:
        """Return what the powers did in the processed phases."""
        return tally_phases(self._rows.game.pk, tuple(name.sequence for name in self.phase_names))

    def read_ending(self) -> GameEnding | None:
        """Return how the game ended, or None if it is not over."""
        return read_ending(self._rows)

    def read_newest_lines(self, count: int) -> tuple[LogLine, ...]:
        """Return the newest lines of the log, newest first."""
        game = self._rows.game
        return tuple(read_line(game, entry) for entry in self._newest_entries[:count])

    @cached_property
    def draw_results(self) -> Mapping[int, str]:
        """What the newest lines of the log say about votes on a draw, by number of the phase."""
        return find_draw_results(self._newest_entries)

    def read_log(self, page: int) -> LogPage:
        """Return one page of the log, newest line first."""
        return read_log(self._rows, page)

    def read_own_receipts(self) -> tuple[ReceiptFacts, ...]:
        """Return the viewer's receipts for the newest phase."""
        return read_own_receipts(self._rows, self._rows.phase) if self._rows.phase else ()

    def read_saves(self, *sequences: int) -> tuple[SaveFacts, ...]:
        """Return the viewer's signed receipts of saves in these phases, newest first."""
        return read_saves(self._rows, sequences) if self._rows.viewer.user_id is not None else ()

    def read_last_save(self) -> LastSave | None:
        """Return the viewer's newest signed receipt for the open phase."""
        own = self._rows.own_seat
        return last_save_of(self._rows.submissions.get(own.pk)) if own else None

    def read_receipts(self, sequence: int | None) -> LockedPhases:
        """Return the receipts of a locked phase: the newest one if `sequence` is None."""
        return read_locked_phases(self._rows, sequence)

    @cached_property
    def record_end(self) -> RecordEnd | None:
        """The end of the record, or None for a game whose record is not a chain."""
        return read_record_end(self._rows)

    @property
    def own_number(self) -> OwnNumber | None:
        """The number of the viewer's seat in the record, if the viewer took it at the start."""
        return find_own_number(self._rows)

    def dump_record(self, *, own: bool = False) -> Iterator[str]:
        """Yield the lines of the record, for `diplomaccloud replay`.

        They are the same for every viewer; with `own`, the viewer's receipts follow.
        """
        end = self.record_end
        if end is None:
            return dump_game(self._rows)
        return dump_own_chain(self._rows, end) if own else dump_chain(self._rows, end)

    @cached_property
    def _newest_entries(self) -> list[LogEntry]:
        return [] if self._rows.game.status == Status.FORMING else read_newest(self._rows)
