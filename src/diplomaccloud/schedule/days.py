"""The days on which a deadline may fall."""

import datetime as dt
from collections.abc import Collection
from dataclasses import dataclass

from diplomaccloud.schedule.local_time import (
    DAY,
    WEEK,
    ScheduleError,
    Weekday,
    day_and_time,
    find_zone,
    instant_at,
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

    @property
    def tz(self) -> dt.tzinfo:
        """The time zone."""
        return find_zone(self.zone)

    def allow(self, day: dt.date) -> bool:
        """Return whether a deadline may fall on `day`."""
        return Weekday.of(day) in self.weekdays and day not in self.holidays

    def next_allowed(self, instant: dt.datetime) -> dt.datetime:
        """Return `instant`, or the same clock time on the next allowed day if it isn't on one.

        24:00 belongs to the day it ends.
        """
        day, span = day_and_time(instant, self.tz)
        if self.allow(day):
            return instant
        while not self.allow(day):
            day += DAY
        return instant_at(self.tz, day, span)
