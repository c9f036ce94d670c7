"""When a phase is due according to its game's schedule, and how far that may be moved."""

import datetime as dt
from dataclasses import dataclass

from diplomaccloud.judge.phases import Stage
from diplomaccloud.schedule.calendar import MAX_PHASE_LENGTH, Calendar, Interval
from diplomaccloud.schedule.local_time import (
    DAY,
    MINUTE,
    ScheduleError,
    format_duration,
    require_duration,
    to_utc,
)

MAX_MOVE = 90 * DAY
MIN_CREDIT_AFTER = MINUTE
"""With a shorter time, any phase would count as late, so missed turns would always be excused."""


@dataclass(frozen=True, slots=True)
class Caps:
    """Limits for one phase: a single extension, all extensions together, and the same for pauses.

    A pause ends automatically after `pause` at the latest. If an outage is longer than
    `credit_after`, which is at least a minute, deadlines are extended by the time lost.
    """

    extension: dt.timedelta = 3 * DAY
    extensions: dt.timedelta = 7 * DAY
    pause: dt.timedelta = 14 * DAY
    pauses: dt.timedelta = 30 * DAY
    credit_after: dt.timedelta = 5 * MINUTE

    def __post_init__(self) -> None:
        """Check the bounds."""
        for field in ("extension", "extensions", "pause", "pauses", "credit_after"):
            require_duration(field, getattr(self, field), MAX_MOVE)
        if self.credit_after < MIN_CREDIT_AFTER:
            least = format_duration(MIN_CREDIT_AFTER)
            raise ScheduleError("credit_after", f"must be at least {least}")


DEFAULT_CAPS = Caps()
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
    match schedule.plan:
        case Interval() as plan:
            orders_at = plan.next_allowed(opens_at + opening + plan.lengths.of(stage))
        case Calendar() as plan:
            times = plan.times(stage)
            if not isinstance(times, dt.timedelta):
                due = plan.next_due(stage, times, opens_at + max(opening, plan.least))
                return Deadline(*due, exact=not schedule.early)
            orders_at = plan.next_allowed(opens_at + times)
    return Deadline(orders_at, orders_at, exact=not schedule.early)
