"""When a phase is due according to its game's schedule."""

import datetime as dt
from dataclasses import dataclass

from diplomaccloud.judge.phases import Stage
from diplomaccloud.schedule.calendar import Calendar
from diplomaccloud.schedule.caps import DEFAULT_CAPS, Caps
from diplomaccloud.schedule.durations import require_duration
from diplomaccloud.schedule.interval import MAX_PHASE_LENGTH, Interval
from diplomaccloud.schedule.local_time import ScheduleError, to_utc

_NONE = dt.timedelta(0)


@dataclass(frozen=True, slots=True)
class Schedule:
    """Everything the creator of a game decides about time.

    `early`: process a phase before its deadline once everyone is ready. `opening`: extra time to
    negotiate before the first turn, added to an interval; a calendar's first turn is due at the
    first scheduled time after the opening. `grace`: extra time for a player who misses a turn for
    the first time, or zero.
    """

    plan: Interval | Calendar
    early: bool = True
    opening: dt.timedelta = _NONE
    grace: dt.timedelta = _NONE
    caps: Caps = DEFAULT_CAPS

    def __post_init__(self) -> None:
        """Check the bounds."""
        require_duration("opening", self.opening, MAX_PHASE_LENGTH)
        require_duration("grace", self.grace, MAX_PHASE_LENGTH)


@dataclass(frozen=True, slots=True)
class Deadline:
    """When orders close and when, at that time or later, the phase is processed; both in UTC.

    If `exact`, both happen exactly at those times. Otherwise they may happen earlier, because the
    phase is processed once everyone is ready.
    """

    orders_at: dt.datetime
    adjudicate_at: dt.datetime
    exact: bool

    def __post_init__(self) -> None:
        """Check the order of the two."""
        if to_utc(self.adjudicate_at, "adjudicate_at") < to_utc(self.orders_at, "orders_at"):
            raise ScheduleError("adjudicate_at", "must not be before orders close")


def find_deadline(
    schedule: Schedule, stage: Stage, opens_at: dt.datetime, *, first: bool
) -> Deadline:
    """Return when a phase of `stage` that opens at `opens_at` is due.

    `first` says that it is the first phase of its game. Use this only for phases in which someone
    has something to order; others have no deadline.
    """
    opens_at = to_utc(opens_at, "opens_at")
    opening = schedule.opening if first and stage is Stage.MOVEMENT else _NONE
    orders_at, adjudicate_at = _due(schedule.plan, stage, opens_at, opening)
    return Deadline(orders_at, adjudicate_at, exact=not schedule.early)


def _due(
    plan: Interval | Calendar, stage: Stage, opens_at: dt.datetime, opening: dt.timedelta
) -> tuple[dt.datetime, dt.datetime]:
    match plan:
        case Interval():
            orders_at = plan.next_allowed(opens_at + opening + plan.lengths.of(stage))
            return orders_at, orders_at
        case Calendar():
            times = plan.times(stage)
            if isinstance(times, dt.timedelta):
                orders_at = plan.next_allowed(opens_at + times)
                return orders_at, orders_at
            slot = plan.next_slot(times, opens_at + max(opening, plan.least))
            late = plan.adjudication_time(slot) if stage is Stage.MOVEMENT else slot.at
            return slot.at, late
