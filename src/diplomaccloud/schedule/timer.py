"""How a phase's time stands, and each reason for which it was moved."""

import datetime as dt
from dataclasses import dataclass, replace
from enum import StrEnum

from diplomaccloud.judge.phases import Stage
from diplomaccloud.schedule.calendar import Calendar, LaterDay
from diplomaccloud.schedule.due import Deadline, Schedule
from diplomaccloud.schedule.errors import WrongMoment
from diplomaccloud.schedule.interval import Interval

NONE = dt.timedelta(0)
_TICK = dt.timedelta(microseconds=1)


class Kind(StrEnum):
    """Why a deadline moved."""

    EXTENDED = "extended"
    PAUSED = "paused"
    RESUMED = "resumed"
    GRACE = "grace"
    CREDITED = "credited"
    READY = "ready"
    FORCED = "forced"


@dataclass(frozen=True, slots=True)
class Moved:
    """A deadline moved from `old` to `new` at `at`; `why` is a sentence for the public log.

    `key` is unique within the phase: the same wish said again is the same move. `by` is what
    counts against the caps: the length of an extension, of a pause (the longest that it may
    take, once resumed what it took), of a credit or of a grace.
    """

    kind: Kind
    key: str
    at: dt.datetime
    by: dt.timedelta
    old: Deadline
    new: Deadline
    why: str


@dataclass(frozen=True, slots=True)
class Timer:
    """One phase's time: its deadline now, and all that moved it, oldest first."""

    schedule: Schedule
    stage: Stage
    deadline: Deadline
    moves: tuple[Moved, ...] = ()

    def after(self, moved: Moved) -> "Timer":
        """Return the timer once `moved` has been applied; a move applied twice counts once."""
        if moved in self.moves:
            return self
        return replace(self, deadline=moved.new, moves=(*self.moves, moved))

    def said(self, key: str, kind: Kind) -> Moved | None:
        """Return the move made under `key`; raise `WrongMoment` if it was of another kind."""
        for moved in self.moves:
            if moved.key == key:
                if moved.kind is not kind:
                    raise WrongMoment(f"This was {moved.kind} before and cannot be {kind}.")
                return moved
        return None

    def total(self, kind: Kind) -> dt.timedelta:
        """Return by how much all moves of `kind` have moved the deadline together."""
        return sum((moved.by for moved in self.moves if moved.kind is kind), NONE)

    def pause_at(self, now: dt.datetime) -> Moved | None:
        """Return the pause that stands at `now`; one that was resumed or has run out does not."""
        for moved in reversed(self.moves):
            if moved.kind is Kind.RESUMED:
                return None
            if moved.kind is Kind.PAUSED:
                return moved if now < moved.at + moved.by else None
        return None


def shifted(schedule: Schedule, stage: Stage, old: Deadline, by: dt.timedelta) -> Deadline:
    """Return `old` moved `by` later, off the days that the schedule leaves out.

    By a calendar whole days are days on the wall: 24:00 stays 24:00 when the clocks change.
    """
    match schedule.plan:
        case Calendar() as plan:
            return ordered_by(schedule, stage, plan.later(old.orders_at, by), old)
        case Interval():
            return ordered_by(schedule, stage, old.orders_at + by, old)


def ordered_by(schedule: Schedule, stage: Stage, orders_at: dt.datetime, old: Deadline) -> Deadline:
    """Return the deadline with orders by `orders_at`, or the next allowed day; never before `old`.

    A separate adjudication keeps its delay or its clock time.
    """
    plan = schedule.plan
    orders_at = max(plan.settled(orders_at), old.orders_at)
    adjudicate_at = orders_at
    if isinstance(plan, Calendar) and stage is Stage.MOVEMENT:
        match plan.adjudication:
            case LaterDay(_, clock):
                adjudicate_at = plan.next_clock(clock, max(orders_at, old.adjudicate_at))
            case delay:
                adjudicate_at = orders_at + delay
    return Deadline(orders_at, max(adjudicate_at, old.adjudicate_at), exact=old.exact)


def continued(
    schedule: Schedule,
    stage: Stage,
    old: Deadline,
    paused_at: dt.datetime,
    resumed_at: dt.datetime,
) -> Deadline:
    """Return the deadline after a pause: as much time is left as when it began, or more.

    By a calendar it is the next time of the week that leaves so much. Orders that were closed
    when the pause began stay closed.
    """
    left = old.orders_at - paused_at
    if left <= NONE:
        return replace(old, adjudicate_at=max(old.adjudicate_at, resumed_at))
    plan = schedule.plan
    if isinstance(plan, Calendar):
        times = plan.times(stage)
        if not isinstance(times, dt.timedelta):
            # A time exactly so far away is far enough, and `next_slot` wants a later one.
            slot = plan.next_slot(times, max(resumed_at + left, old.orders_at) - _TICK)
            late = plan.adjudicated(slot) if stage is Stage.MOVEMENT else slot.at
            return Deadline(slot.at, max(late, old.adjudicate_at), exact=old.exact)
    return ordered_by(schedule, stage, resumed_at + left, old)
