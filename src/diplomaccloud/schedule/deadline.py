"""When a phase is due according to its game's schedule, and how far that may be moved.

Deadlines come at regular intervals or at fixed times of the week.
"""

import datetime as dt
from collections.abc import Collection
from dataclasses import dataclass

from diplomaccloud.judge.phases import Stage
from diplomaccloud.schedule.local_time import (
    DAY,
    HOUR,
    MINUTE,
    WEEK,
    Clock,
    ScheduleError,
    Weekday,
    WeekTime,
    day_and_time,
    describe_bad_duration,
    find_zone,
    format_duration,
    instant_at,
    require_duration,
    to_local,
    to_utc,
)

MAX_HOLIDAYS = 400
MAX_BREAK = 90 * DAY
_YEARS = range(1970, 9000)


def require_holidays(holidays: frozenset[dt.date], weekdays: Collection[Weekday]) -> None:
    """Raise `ScheduleError` if there are too many holidays or one is out of range.

    Also raise it if they exclude all the `weekdays` on which deadlines may fall for too long.
    """
    if len(holidays) > MAX_HOLIDAYS:
        raise ScheduleError(
            "holidays", f"{len(holidays)} days, but at most {MAX_HOLIDAYS} are allowed"
        )
    for day in holidays:
        if day.year not in _YEARS:
            raise ScheduleError("holidays", f"{day} is out of range")
    free = dt.date.min
    for first in sorted(holidays):
        if first < free:
            continue
        free = first
        while free in holidays or Weekday.of(free) not in weekdays:
            free += DAY
        if free - first > MAX_BREAK:
            raise ScheduleError(
                "holidays",
                f"no deadline could fall between {first} and {free}; "
                f"at most {MAX_BREAK.days} days may be skipped in a row",
            )


@dataclass(frozen=True, slots=True)
class Days:
    """The weekdays on which a deadline may fall, except holidays, in a time zone."""

    zone: str
    weekdays: frozenset[Weekday] = frozenset(WEEK)
    holidays: frozenset[dt.date] = frozenset()

    def __post_init__(self) -> None:
        """Check each part."""
        find_zone(self.zone)
        if not self.weekdays:
            raise ScheduleError("weekdays", "at least one weekday is required")
        require_holidays(self.holidays, self.weekdays)

    def allow(self, day: dt.date) -> bool:
        """Return whether a deadline may fall on `day`."""
        return Weekday.of(day) in self.weekdays and day not in self.holidays

    def next_allowed(self, instant: dt.datetime) -> dt.datetime:
        """Return `instant`, or the same clock time on the next allowed day if it isn't on one.

        24:00 belongs to the day it ends.
        """
        zone = find_zone(self.zone)
        day, span = day_and_time(instant, zone)
        if self.allow(day):
            return instant
        while not self.allow(day):
            day += DAY
        return instant_at(zone, day, span)


MIN_PHASE_LENGTH = MINUTE
MAX_PHASE_LENGTH = 30 * DAY


def require_phase_length(field: str, length: dt.timedelta) -> None:
    """Raise `ScheduleError` unless `length` is a valid length for a phase."""
    if not MIN_PHASE_LENGTH <= length <= MAX_PHASE_LENGTH or length.microseconds:
        actual = describe_bad_duration(length)
        raise ScheduleError(
            field, f"a phase lasts from 1 minute to 30 days, in whole seconds, not {actual}"
        )


@dataclass(frozen=True, slots=True)
class Lengths:
    """The maximum length of each stage; raises `ScheduleError` if one is out of range."""

    movement: dt.timedelta
    retreats: dt.timedelta
    adjustments: dt.timedelta

    def __post_init__(self) -> None:
        """Check the bounds."""
        require_phase_length("movement", self.movement)
        require_phase_length("retreats", self.retreats)
        require_phase_length("adjustments", self.adjustments)

    def of(self, stage: Stage) -> dt.timedelta:
        """Return the length of `stage`."""
        match stage:
            case Stage.MOVEMENT:
                return self.movement
            case Stage.RETREATS:
                return self.retreats
            case Stage.ADJUSTMENTS:
                return self.adjustments


@dataclass(frozen=True, slots=True)
class Interval:
    """Each stage is due a fixed amount of elapsed time after it opens, even across clock changes.

    With `days`, a deadline that falls on an excluded day moves to the same clock time on the next
    allowed day. A phase that opens later may then be due at an earlier hour, but never on an
    earlier day.
    """

    lengths: Lengths
    days: Days | None = None

    def next_allowed(self, instant: dt.datetime) -> dt.datetime:
        """Return `instant`, or the same clock time on the next allowed day."""
        return self.days.next_allowed(instant) if self.days else instant

    @property
    def zone(self) -> str:
        """The time zone in which its deadlines are shown."""
        return self.days.zone if self.days else "UTC"


MAX_TIMES = 200
MAX_WAIT = 7 * DAY
NO_TIME = dt.timedelta(0)


@dataclass(frozen=True, slots=True)
class LaterDay:
    """A clock time some days after orders are due, such as 12:30 the next day."""

    days: int
    clock: Clock

    def __post_init__(self) -> None:
        """Check the bounds."""
        if not 0 <= self.days <= 7:
            raise ScheduleError(
                "adjudication", f"at most 7 days after orders are due, not {self.days}"
            )


@dataclass(frozen=True, slots=True)
class Calendar:
    """Movement orders are due at fixed times of the week in a time zone.

    `adjudication` is the delay after which, or the clock time at which, a movement phase is
    processed. Retreats and adjustments are due either a fixed time after they open or at their
    own times of the week. Times on holidays are skipped, and a fixed time that would end on a
    holiday ends at the same clock time on the next day that is not a holiday. 24:00 belongs to the
    day it ends. If a time of the week is not more than `least` away when the phase opens, the next
    one counts instead.
    """

    zone: str
    movement: frozenset[WeekTime]
    retreats: dt.timedelta | frozenset[WeekTime]
    adjustments: dt.timedelta | frozenset[WeekTime]
    adjudication: dt.timedelta | LaterDay = NO_TIME
    holidays: frozenset[dt.date] = frozenset()
    least: dt.timedelta = HOUR

    def __post_init__(self) -> None:
        """Check each part."""
        find_zone(self.zone)
        for stage in Stage:
            times, field = self.times(stage), stage.name.lower()
            if isinstance(times, dt.timedelta):
                require_phase_length(field, times)
            elif not 1 <= len(times) <= MAX_TIMES:
                raise ScheduleError(field, f"needs 1 to {MAX_TIMES} times of the week")
        for stage in Stage:
            times = self.times(stage)
            require_holidays(
                self.holidays,
                WEEK if isinstance(times, dt.timedelta) else {time.day for time in times},
            )
        require_duration("least", self.least, MAX_WAIT)
        match self.adjudication:
            case LaterDay(days, clock):
                latest = max(time.clock for time in self.movement)
                if days * DAY + clock.span < latest.span:
                    why = f"must not be before orders are due at {latest}"
                    raise ScheduleError("adjudication", why)
            case delay:
                require_duration("adjudication", delay, MAX_WAIT)

    def times(self, stage: Stage) -> dt.timedelta | frozenset[WeekTime]:
        """Return the length of `stage`, or the times of the week at which it is due."""
        match stage:
            case Stage.MOVEMENT:
                return self.movement
            case Stage.RETREATS:
                return self.retreats
            case Stage.ADJUSTMENTS:
                return self.adjustments

    @property
    def tz(self) -> dt.tzinfo:
        """The time zone."""
        return find_zone(self.zone)

    def next_allowed(self, instant: dt.datetime) -> dt.datetime:
        """Return `instant`, or the same clock time on the next day that is not a holiday."""
        return Days(self.zone, holidays=self.holidays).next_allowed(instant)

    def next_due(
        self, stage: Stage, times: frozenset[WeekTime], after: dt.datetime
    ) -> tuple[dt.datetime, dt.datetime]:
        """Return the first of `times` later than `after`, skipping holidays.

        The second instant is that at which the orders of `stage` are processed.
        """
        day = to_local(after, self.tz).date()
        while True:
            clocks = sorted(time.clock for time in times if time.day is Weekday.of(day))
            for clock in clocks if day not in self.holidays else ():
                at = instant_at(self.tz, day, clock.span)
                if at <= after:
                    continue
                if stage is not Stage.MOVEMENT:
                    return at, at
                match self.adjudication:
                    case LaterDay(days, late):
                        return at, max(at, instant_at(self.tz, day + days * DAY, late.span))
                    case delay:
                        return at, at + delay
            day += DAY

    def next_clock(self, clock: Clock, earliest: dt.datetime) -> dt.datetime:
        """Return the first instant, from `earliest` on, when clocks in the zone show `clock`."""
        # The first instant of a day is also 24:00 on the day before.
        day = to_local(earliest, self.tz).date() - DAY
        while (at := instant_at(self.tz, day, clock.span)) < earliest:
            day += DAY
        return at

    def add_time(self, instant: dt.datetime, by: dt.timedelta) -> dt.datetime:
        """Return the instant `by` later, counting whole days by the calendar."""
        days, rest = divmod(by, DAY)
        if days:
            day, span = day_and_time(instant, self.tz)
            instant = instant_at(self.tz, day + days * DAY, span)
        return instant + rest


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
    opening: dt.timedelta = NO_TIME
    grace: dt.timedelta = NO_TIME
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
    opening = schedule.opening if first and stage is Stage.MOVEMENT else NO_TIME
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
