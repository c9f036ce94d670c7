"""Deadlines at fixed times of the week."""

import datetime as dt
from collections.abc import Collection
from dataclasses import dataclass

from diplomaccloud.judge.phases import Stage
from diplomaccloud.schedule.days import Days, check_holidays
from diplomaccloud.schedule.interval import check_length
from diplomaccloud.schedule.local_time import (
    DAY,
    HOUR,
    WEEK,
    Clock,
    ScheduleError,
    Weekday,
    WeekTime,
    instant_at,
    local,
    shown,
    zone_of,
)
from diplomaccloud.schedule.spans import check_span

MOST_TIMES = 200
LONGEST_WAIT = 7 * DAY
AT_ONCE = dt.timedelta(0)


@dataclass(frozen=True, slots=True)
class LaterDay:
    """A clock time so many days after the day on which orders were due: 12:30 the next day."""

    days: int
    clock: Clock

    def __post_init__(self) -> None:
        """Check the bounds."""
        if not 0 <= self.days <= 7:
            raise ScheduleError("adjudication", f"up to 7 days after the orders, not {self.days}")


@dataclass(frozen=True, slots=True)
class Slot:
    """A time of the week in one particular week: its day in the zone, and its UTC instant."""

    day: dt.date
    at: dt.datetime


@dataclass(frozen=True, slots=True)
class Calendar:
    """Orders for movement are due at fixed times of the week in a time zone.

    `adjudication` is how long after them, or at what clock time, the phase is processed; it is
    for movement only. Retreats and adjustments are each due a length of elapsed time after they
    open, or at times of the week of their own. Times on holidays are left out, and a length that
    would end on a holiday ends at the same clock time on the next day that is none. 24:00
    belongs to the day that it ends. A time of the week is taken only if it is more than `least`
    away when the phase opens; otherwise the following one is.
    """

    zone: str
    movement: frozenset[WeekTime]
    retreats: dt.timedelta | frozenset[WeekTime]
    adjustments: dt.timedelta | frozenset[WeekTime]
    adjudication: dt.timedelta | LaterDay = AT_ONCE
    holidays: frozenset[dt.date] = frozenset()
    least: dt.timedelta = HOUR

    def __post_init__(self) -> None:
        """Check each part."""
        zone_of(self.zone)
        for stage in Stage:
            _check_times(stage.name.lower(), self.times(stage))
        for stage in Stage:
            check_holidays(self.holidays, _days_of(self.times(stage)))
        check_span("least", self.least, LONGEST_WAIT)
        match self.adjudication:
            case LaterDay() as later:
                self._check_later(later)
            case delay:
                check_span("adjudication", delay, LONGEST_WAIT)

    def _check_later(self, later: LaterDay) -> None:
        latest = max(time.clock for time in self.movement)
        if later.days * DAY + later.clock.span < latest.span:
            raise ScheduleError("adjudication", f"comes before the orders are due at {latest}")

    def times(self, stage: Stage) -> dt.timedelta | frozenset[WeekTime]:
        """Return how long `stage` takes, or the times of the week at which it is due."""
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
        return zone_of(self.zone)

    def settled(self, instant: dt.datetime) -> dt.datetime:
        """Return `instant`, or the same clock time on the next day that is no holiday."""
        return Days(self.zone, holidays=self.holidays).settled(instant)

    def next_slot(self, times: frozenset[WeekTime], after: dt.datetime) -> Slot:
        """Return the first of `times` later than `after`, leaving out holidays."""
        day = local(after, self.tz).date()
        while True:
            if day not in self.holidays:
                for clock in sorted(time.clock for time in times if time.day is Weekday.of(day)):
                    slot = Slot(day, instant_at(self.tz, day, clock.span))
                    if slot.at > after:
                        return slot
            day += DAY

    def adjudicated(self, slot: Slot) -> dt.datetime:
        """Return when movement orders due at `slot` are processed."""
        match self.adjudication:
            case LaterDay(days, clock):
                return max(slot.at, instant_at(self.tz, slot.day + days * DAY, clock.span))
            case delay:
                return slot.at + delay

    def next_clock(self, clock: Clock, earliest: dt.datetime) -> dt.datetime:
        """Return the first instant from `earliest` on at which it is `clock` in the zone."""
        # The first instant of a day is also 24:00 of the day before.
        day = local(earliest, self.tz).date() - DAY
        while (at := instant_at(self.tz, day, clock.span)) < earliest:
            day += DAY
        return at

    def later(self, instant: dt.datetime, by: dt.timedelta) -> dt.datetime:
        """Return the instant `by` later, its whole days counted on the wall."""
        days, rest = divmod(by, DAY)
        if days:
            day, span = shown(instant, self.tz)
            instant = instant_at(self.tz, day + days * DAY, span)
        return instant + rest


def _check_times(field: str, times: dt.timedelta | frozenset[WeekTime]) -> None:
    if isinstance(times, dt.timedelta):
        check_length(field, times)
    elif not 1 <= len(times) <= MOST_TIMES:
        raise ScheduleError(field, f"needs from 1 to {MOST_TIMES} times of the week")


def _days_of(times: dt.timedelta | frozenset[WeekTime]) -> Collection[Weekday]:
    return WEEK if isinstance(times, dt.timedelta) else {time.day for time in times}
