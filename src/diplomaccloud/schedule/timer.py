"""The deadline of a phase and every move that changed it."""

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import ClassVar, Final

from diplomaccloud.judge.phases import Stage
from diplomaccloud.schedule.calendar import Calendar, Interval, LaterDay
from diplomaccloud.schedule.deadline import Deadline, Schedule


class Refused(ValueError):
    """An action that is not allowed; nothing was changed."""

    status: ClassVar[int] = 400


class WrongMoment(Refused):
    """An action that the state of the game does not allow."""

    status = 409


NONE = dt.timedelta(0)
LATE_SHARE: Final = 1 / 3
"""The share of a phase for which a player must have had the seat to owe its orders."""
_TICK = dt.timedelta(microseconds=1)


class MoveKind(StrEnum):
    """Why a deadline moved."""

    EXTENDED = "extended"
    PAUSED = "paused"
    RESUMED = "resumed"
    GRACE = "grace"
    CREDITED = "credited"
    READY = "ready"
    FORCED = "forced"
    TALKED = "talked"


@dataclass(frozen=True, slots=True)
class DeadlineMove:
    """A deadline moved from `old` to `new` at `at`; `why` is a sentence for the public log.

    `key` is unique within the phase, so repeating a request gives the same move. `by` counts
    against the caps: it is the length of an extension, a pause (its maximum, or its actual length
    once resumed), an outage credit or a grace period.
    """

    kind: MoveKind
    key: str
    at: dt.datetime
    by: dt.timedelta
    old: Deadline
    new: Deadline
    why: str


@dataclass(frozen=True, slots=True)
class Timer:
    """The current deadline of one phase and all its moves, oldest first."""

    schedule: Schedule
    stage: Stage
    deadline: Deadline
    moves: tuple[DeadlineMove, ...] = ()

    def after(self, moved: DeadlineMove) -> "Timer":
        """Return the timer with `moved` applied; applying a move twice has no further effect."""
        if moved in self.moves:
            return self
        return replace(self, deadline=moved.new, moves=(*self.moves, moved))

    def find_move(self, key: str, kind: MoveKind) -> DeadlineMove | None:
        """Return the move made under `key`; raise `WrongMoment` if it was of another kind."""
        for moved in self.moves:
            if moved.key == key:
                if moved.kind is not kind:
                    raise WrongMoment(
                        f"This request was already used: the phase was {moved.kind}, not {kind}."
                    )
                return moved
        return None

    def total(self, kind: MoveKind) -> dt.timedelta:
        """Return the total by which moves of `kind` have moved the deadline."""
        return sum((moved.by for moved in self.moves if moved.kind is kind), NONE)

    def counted_time(self, since: dt.datetime, until: dt.datetime) -> dt.timedelta:
        """Return the time between two instants that counts: outside pauses and outages."""
        counted, last = until - since, since
        for begins, ends in sorted(self._idle_times()):
            start, end = max(begins, last), min(ends, until)
            if start < end:
                counted, last = counted - (end - start), end
        return counted

    def is_late(self, opened_at: dt.datetime, at: dt.datetime) -> bool:
        """Return whether less than `LATE_SHARE` of the phase's time that counts was left at `at`.

        A new player who takes over a seat that late owes no orders in the phase.
        """
        due = self.deadline.orders_at
        whole = self.counted_time(opened_at, due)
        return at > opened_at and self.counted_time(at, due) < whole * LATE_SHARE

    def _idle_times(self) -> Iterator[tuple[dt.datetime, dt.datetime]]:
        """Yield when each pause and each outage that was added to the deadline began and ended."""
        pause = None
        for moved in self.moves:
            match moved.kind:
                case MoveKind.PAUSED:
                    pause = moved
                case MoveKind.RESUMED if pause:
                    yield pause.at, min(moved.at, pause.at + pause.by)
                    pause = None
                case MoveKind.CREDITED:
                    yield moved.at - moved.by, moved.at
                case _:
                    pass
        if pause:
            yield pause.at, pause.at + pause.by

    def pause_at(self, now: dt.datetime) -> DeadlineMove | None:
        """Return the pause in effect at `now`, if any; resumed and expired pauses don't count."""
        for moved in reversed(self.moves):
            if moved.kind is MoveKind.RESUMED:
                return None
            if moved.kind is MoveKind.PAUSED:
                return moved if now < moved.at + moved.by else None
        return None


def shift_deadline(schedule: Schedule, stage: Stage, old: Deadline, by: dt.timedelta) -> Deadline:
    """Return `old` moved later by `by`, and then to the next day that the schedule allows.

    With a calendar, whole days are calendar days: 24:00 stays 24:00 when the clocks change.
    """
    match schedule.plan:
        case Calendar() as plan:
            return deadline_by(schedule, stage, plan.add_time(old.orders_at, by), old)
        case Interval():
            return deadline_by(schedule, stage, old.orders_at + by, old)


def deadline_by(
    schedule: Schedule, stage: Stage, orders_at: dt.datetime, old: Deadline
) -> Deadline:
    """Return the deadline with orders due at `orders_at` or on the next allowed day.

    It is never earlier than `old`. A separate adjudication keeps its delay or its clock time.
    """
    plan = schedule.plan
    orders_at = max(plan.next_allowed(orders_at), old.orders_at)
    adjudicate_at = orders_at
    if isinstance(plan, Calendar) and stage is Stage.MOVEMENT:
        match plan.adjudication:
            case LaterDay(_, clock):
                adjudicate_at = plan.next_clock(clock, max(orders_at, old.adjudicate_at))
            case delay:
                adjudicate_at = orders_at + delay
    return Deadline(orders_at, max(adjudicate_at, old.adjudicate_at), exact=old.exact)


def deadline_after_pause(
    schedule: Schedule, stage: Stage, old: Deadline, paused_at: dt.datetime, resumed_at: dt.datetime
) -> Deadline:
    """Return the deadline after a pause, with at least as much time left as when it started.

    With a calendar, it is the next time of the week that leaves enough time. If orders were already
    closed when the pause started, they stay closed.
    """
    remaining = old.orders_at - paused_at
    if remaining <= NONE:
        return replace(old, adjudicate_at=max(old.adjudicate_at, resumed_at))
    plan = schedule.plan
    if isinstance(plan, Calendar):
        times = plan.times(stage)
        if not isinstance(times, dt.timedelta):
            # A time exactly that far away is enough, but `next_due` returns only later times.
            after = max(resumed_at + remaining, old.orders_at) - _TICK
            orders_at, late = plan.next_due(stage, times, after)
            return Deadline(orders_at, max(late, old.adjudicate_at), exact=old.exact)
    return deadline_by(schedule, stage, resumed_at + remaining, old)


def find_quiet_time(
    deadline: Deadline, moves: Sequence[DeadlineMove], writing: dt.timedelta
) -> dt.datetime:
    """Return when quiet time of length `writing` starts; `moves` are oldest first.

    It moves with the deadline, but a grace period does not make it start later, and neither does
    any move after talk has ended early.
    """
    for move in moves:
        if move.kind is MoveKind.TALKED:
            return move.at
        if move.kind is MoveKind.GRACE:
            return move.old.orders_at - writing
    return deadline.orders_at - writing
