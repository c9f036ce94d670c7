"""The days on which a deadline may fall."""

import datetime as dt
from collections.abc import Collection
from dataclasses import dataclass

from diplomaccloud.schedule.local_time import (
    DAY,
    WEEK,
    ScheduleError,
    Weekday,
    instant_at,
    shown,
    zone_of,
)

MOST_HOLIDAYS = 400
LONGEST_BREAK = 90 * DAY
_YEARS = range(1970, 9000)


def check_holidays(holidays: frozenset[dt.date], weekdays: Collection[Weekday]) -> None:
    """Raise `ScheduleError` if there are too many, or one is not of this age.

    Or if they leave out every one of `weekdays`, on which deadlines may fall, for too long.
    """
    if len(holidays) > MOST_HOLIDAYS:
        raise ScheduleError("holidays", f"{len(holidays)} days where {MOST_HOLIDAYS} are allowed")
    for day in holidays:
        if day.year not in _YEARS:
            raise ScheduleError("holidays", f"{day} is too far away")
    free = dt.date.min
    for first in sorted(holidays):
        if first < free:
            continue
        free = first
        while free in holidays or Weekday.of(free) not in weekdays:
            free += DAY
        if free - first > LONGEST_BREAK:
            raise ScheduleError(
                "holidays",
                f"no deadline could fall from {first} until {free}; "
                f"{LONGEST_BREAK.days} days are the most",
            )


@dataclass(frozen=True, slots=True)
class Days:
    """The weekdays on which a deadline may fall, less the holidays, in a time zone."""

    zone: str
    weekdays: frozenset[Weekday] = frozenset(WEEK)
    holidays: frozenset[dt.date] = frozenset()

    def __post_init__(self) -> None:
        """Check each part."""
        zone_of(self.zone)
        if not self.weekdays:
            raise ScheduleError("weekdays", "at least one day of the week must be left")
        check_holidays(self.holidays, self.weekdays)

    @property
    def tz(self) -> dt.tzinfo:
        """The time zone."""
        return zone_of(self.zone)

    def allow(self, day: dt.date) -> bool:
        """Return whether a deadline may fall on `day`."""
        return Weekday.of(day) in self.weekdays and day not in self.holidays

    def settled(self, instant: dt.datetime) -> dt.datetime:
        """Return `instant`, or the same clock time on the next allowed day if its own is not.

        24:00 belongs to the day that it ends.
        """
        day, span = shown(instant, self.tz)
        if self.allow(day):
            return instant
        while not self.allow(day):
            day += DAY
        return instant_at(self.tz, day, span)
