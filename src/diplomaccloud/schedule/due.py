"""When a phase is due by its game's schedule."""

import datetime as dt
from dataclasses import dataclass

from diplomaccloud.judge.phases import Stage
from diplomaccloud.schedule.calendar import Calendar
from diplomaccloud.schedule.caps import USUAL, Caps
from diplomaccloud.schedule.interval import LONGEST, Interval
from diplomaccloud.schedule.local_time import ScheduleError, aware
from diplomaccloud.schedule.spans import check_span

_NONE = dt.timedelta(0)


@dataclass(frozen=True, slots=True)
class Schedule:
    """All that a game's maker decides about time.

    `early`: when all are ready the turn rolls over before its deadline. `opening`: time to
    negotiate before the first turn, on top of an interval; a calendar's first turn is due at
    its first time after the opening. `grace`: how much longer a player has who misses a turn for
    the first time; none if zero.
    """

    plan: Interval | Calendar
    early: bool = True
    opening: dt.timedelta = _NONE
    grace: dt.timedelta = _NONE
    caps: Caps = USUAL

    def __post_init__(self) -> None:
        """Check the bounds."""
        check_span("opening", self.opening, LONGEST)
        check_span("grace", self.grace, LONGEST)


@dataclass(frozen=True, slots=True)
class Deadline:
    """When orders close and when the phase is processed, which is never before; both in UTC.

    `exact` says "exactly at"; without it both are "at the latest", for the turn rolls over when
    all are ready.
    """

    orders_at: dt.datetime
    adjudicate_at: dt.datetime
    exact: bool

    def __post_init__(self) -> None:
        """Check the order of the two."""
        if aware(self.adjudicate_at, "adjudicate_at") < aware(self.orders_at, "orders_at"):
            raise ScheduleError("adjudicate_at", "comes before the orders close")


def deadline(schedule: Schedule, stage: Stage, opens_at: dt.datetime, *, first: bool) -> Deadline:
    """Return when a phase of `stage` that opens at `opens_at` is due.

    `first` says that it is the first of its game. For phases in which somebody has something to
    order: where nobody has, there is no schedule to keep.
    """
    opens_at = aware(opens_at, "opens_at")
    opening = schedule.opening if first and stage is Stage.MOVEMENT else _NONE
    orders_at, adjudicate_at = _due(schedule.plan, stage, opens_at, opening)
    return Deadline(orders_at, adjudicate_at, exact=not schedule.early)


def _due(
    plan: Interval | Calendar, stage: Stage, opens_at: dt.datetime, opening: dt.timedelta
) -> tuple[dt.datetime, dt.datetime]:
    match plan:
        case Interval():
            orders_at = plan.settled(opens_at + opening + plan.lengths.of(stage))
            return orders_at, orders_at
        case Calendar():
            times = plan.times(stage)
            if isinstance(times, dt.timedelta):
                orders_at = plan.settled(opens_at + times)
                return orders_at, orders_at
            slot = plan.next_slot(times, opens_at + max(opening, plan.least))
            late = plan.adjudicated(slot) if stage is Stage.MOVEMENT else slot.at
            return slot.at, late
