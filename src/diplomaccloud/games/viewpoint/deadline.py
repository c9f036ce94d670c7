"""The deadline of the open phase: when orders close, and whether the game is paused."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.utils import timezone

from diplomaccloud.games.models import Game, LogEntry, Phase
from diplomaccloud.games.viewpoint.rows import GameRows
from diplomaccloud.games.viewpoint.talk import has_quiet_time
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.schedule import Deadline, MoveKind, Timer, find_quiet_time, move_from_json

_MOVES = frozenset(kind.value for kind in MoveKind)


class ClockState(StrEnum):
    """What the open phase is waiting for.

    `OPEN`: orders. `CLOSED`: adjudication at a later time. `DUE`: adjudication now. `PAUSED`:
    the end of a pause.
    """

    OPEN = "open"
    CLOSED = "closed"
    DUE = "due"
    PAUSED = "paused"


@dataclass(frozen=True, slots=True)
class Clock:
    """The deadline of the open phase at `read_at`.

    `paused_until` is the latest end of a pause, or None. `quiet_from` is when quiet time starts,
    or None if the phase has none. `late` says that a new player who takes a seat now owes no
    orders in this phase. `grace_for` has the keys of the seats that the current grace period is
    for.
    """

    read_at: dt.datetime
    deadline: Deadline
    zone: str
    closed: bool
    due: bool
    paused_until: dt.datetime | None
    has_master: bool
    quiet_from: dt.datetime | None = None
    late: bool = False
    grace_for: frozenset[int] = frozenset()

    @property
    def state(self) -> ClockState:
        """What the phase is waiting for."""
        if self.paused_until is not None:
            return ClockState.PAUSED
        if not self.closed:
            return ClockState.OPEN
        return ClockState.DUE if self.due else ClockState.CLOSED


def read_clock(rows: GameRows, entries: Sequence[LogEntry]) -> Clock | None:
    """Return the clock of the open phase, or None if there is no open phase.

    `entries` are log entries that include every change of the phase's deadline.
    """
    phase = rows.phase
    if phase is None or not rows.is_running or phase.processed_at is not None:
        return None
    now, deadline = timezone.now(), phase.deadline
    timer = timer_of_entries(rows.game, phase, entries)
    pause = timer.pause_at(now)
    return Clock(
        read_at=now,
        deadline=deadline,
        zone=rows.options.schedule.plan.zone,
        closed=phase.locked_at is not None or deadline.orders_at <= now,
        due=deadline.adjudicate_at <= now,
        paused_until=pause.at + pause.by if pause else None,
        has_master=bool(rows.game.master_id),
        quiet_from=_find_quiet_time(rows, timer),
        late=timer.is_late(phase.opens_at, now),
        grace_for=frozenset(
            key
            for entry in entries
            if entry.kind == MoveKind.GRACE and entry.phase_id == phase.pk
            for key in entry.data["seats"]
        ),
    )


def _find_quiet_time(rows: GameRows, timer: Timer) -> dt.datetime | None:
    """Return when quiet time starts, or None if the phase has none."""
    if not has_quiet_time(rows):
        return None
    return find_quiet_time(timer.deadline, timer.moves, rows.options.talk.writing)


def timer_of_entries(game: Game, phase: Phase, entries: Sequence[LogEntry]) -> Timer:
    """Return the timer of the phase from log entries in any order."""
    moves = sorted(
        (entry for entry in entries if entry.kind in _MOVES and entry.phase_id == phase.pk),
        key=lambda entry: entry.pk,
    )
    stage = JudgePhase.parse(phase.name).stage
    moved = tuple(move_from_json(entry.data["moved"]) for entry in moves)
    return Timer(game.options.schedule, stage, phase.deadline, moved)
