"""Wall-clock times in a time zone, the instants they represent, and durations in words."""

import datetime as dt
import re
import zoneinfo
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

MINUTE, HOUR, DAY = dt.timedelta(minutes=1), dt.timedelta(hours=1), dt.timedelta(days=1)
_SECOND = dt.timedelta(seconds=1)


class ScheduleError(ValueError):
    """An invalid schedule; `field` names the part at fault, and the message starts with it."""

    def __init__(self, field: str, what: str) -> None:
        super().__init__(f"{field}: {what}")
        self.field = field
        self.what = what


class Weekday(StrEnum):
    """A day of the week, as stored."""

    MONDAY = "mon"
    TUESDAY = "tue"
    WEDNESDAY = "wed"
    THURSDAY = "thu"
    FRIDAY = "fri"
    SATURDAY = "sat"
    SUNDAY = "sun"

    @classmethod
    def of(cls, day: dt.date) -> "Weekday":
        """Return the weekday of `day`."""
        return WEEK[day.weekday()]

    @property
    def word(self) -> str:
        """`Wednesday`."""
        return self.name.capitalize()


WEEK = tuple(Weekday)
_CLOCK = re.compile(r"([0-9]{2}):([0-9]{2})")


@dataclass(frozen=True, slots=True, order=True)
class Clock:
    """A clock time: `minute` counts from 00:00 to 24:00, the end of the day."""

    minute: int

    def __post_init__(self) -> None:
        """Check the bounds."""
        if not 0 <= self.minute <= 1440:
            raise ScheduleError("minute", f"must be between 0 and 1440, not {self.minute}")

    @classmethod
    def parse(cls, text: str) -> "Clock":
        """Return the clock written as `12:30` or `24:00`."""
        match = _CLOCK.fullmatch(text)
        if match is None or int(match[2]) > 59 or int(match[1]) * 60 + int(match[2]) > 1440:
            raise ScheduleError("clock", f"not a time: {text[:12]!r} (write 12:30, or 24:00)")
        return cls(int(match[1]) * 60 + int(match[2]))

    @property
    def span(self) -> dt.timedelta:
        """The time since the midnight that starts the day."""
        return dt.timedelta(minutes=self.minute)

    def __str__(self) -> str:
        return f"{self.minute // 60:02}:{self.minute % 60:02}"


@dataclass(frozen=True, slots=True)
class WeekTime:
    """A time of the week, for example Wednesday 24:00."""

    day: Weekday
    clock: Clock

    @classmethod
    def parse(cls, text: str) -> "WeekTime":
        """Return the time written as `wed 24:00`."""
        day, _, clock = text.partition(" ")
        if day not in WEEK:
            raise ScheduleError("day", f"not a weekday: {day[:12]!r} (write {', '.join(WEEK)})")
        return cls(Weekday(day), Clock.parse(clock))

    @property
    def order(self) -> tuple[int, Clock]:
        """The sort key, from Monday 00:00 to Sunday 24:00."""
        return WEEK.index(self.day), self.clock

    def __str__(self) -> str:
        return f"{self.day} {self.clock}"


@cache
def zone_names() -> tuple[str, ...]:
    """Return the sorted names of all time zones known to this machine, including UTC."""
    return tuple(sorted(zoneinfo.available_timezones() - {"localtime", "Factory"} | {"UTC"}))


@cache
def find_zone(name: str, field: str = "zone") -> dt.tzinfo:
    """Return the time zone called `name`; raise `ScheduleError` for any other text."""
    if name == "UTC":
        # This needs no time zone data, so plain intervals work on any machine.
        return dt.UTC
    # Check the list first, so that user input never becomes a file path.
    if name not in zone_names():
        raise ScheduleError(field, f"unknown time zone: {name[:40]!r} (for example Europe/Berlin)")
    return zoneinfo.ZoneInfo(name)


def to_utc(instant: dt.datetime, field: str) -> dt.datetime:
    """Return `instant` in UTC; raise `ScheduleError` if it has no time zone."""
    if instant.tzinfo is None:
        raise ScheduleError(field, "an instant needs a time zone")
    return instant.astimezone(dt.UTC)


def instant_at(zone: dt.tzinfo, day: dt.date, span: dt.timedelta) -> dt.datetime:
    """Return the UTC instant at which clocks in `zone` show `span` after 00:00 of `day`.

    `span` is the time shown, not the time elapsed; 24 hours is 00:00 of the next day. If clocks
    show the time twice, return the first instant; if they skip it, the first one after the gap.
    """
    wall = dt.datetime.combine(day, dt.time()) + span
    # In a gap, fold 0 uses the offset before it, which gives an instant after the gap.
    instant = wall.replace(tzinfo=zone, fold=0).astimezone(dt.UTC)
    if to_local(instant, zone).replace(tzinfo=None, fold=0) == wall:
        return instant
    before = wall.replace(tzinfo=zone, fold=1).astimezone(dt.UTC)
    return _end_of_gap(zone, before, instant)


def _end_of_gap(zone: dt.tzinfo, before: dt.datetime, after: dt.datetime) -> dt.datetime:
    """Return the first whole second in (`before`, `after`] with the offset of `after`."""
    offset = to_local(after, zone).utcoffset()
    before, after = before.replace(microsecond=0), after.replace(microsecond=0)
    while after - before > _SECOND:
        middle = before + dt.timedelta(seconds=(after - before) // _SECOND // 2)
        if to_local(middle, zone).utcoffset() == offset:
            after = middle
        else:
            before = middle
    return after


def to_local(instant: dt.datetime, zone: dt.tzinfo) -> dt.datetime:
    """Return `instant` as clocks in `zone` show it."""
    return instant.astimezone(zone)


def day_and_time(instant: dt.datetime, zone: dt.tzinfo) -> tuple[dt.date, dt.timedelta]:
    """Return the day of `instant` and the time on the clock, as `instant_at` takes them.

    Midnight belongs to the day it ends. Pages show times to the minute, so up to 00:00:59 it is
    24:00 on the day before, and so is the first minute of a day on which clocks skip 00:00.
    """
    wall = to_local(instant, zone)
    minute = wall.replace(second=0, microsecond=0)
    before = to_local(minute.astimezone(dt.UTC) - MINUTE, zone).date()
    if before == wall.date() and minute.time() == dt.time():
        before -= DAY  # if clocks go back to 00:00, they show it twice
    if before < wall.date():
        return before, DAY + (wall - minute)
    return wall.date(), wall.replace(tzinfo=None) - dt.datetime.combine(wall.date(), dt.time())


_NONE = dt.timedelta(0)
_UNITS = ((86400, "day"), (3600, "hour"), (60, "minute"), (1, "second"))
_BELOW_TWENTY = (
    "no one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
)
_ONES = _BELOW_TWENTY.split()
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")


def require_duration(field: str, length: dt.timedelta, longest: dt.timedelta) -> None:
    """Raise `ScheduleError` unless `length` is whole seconds from zero to `longest`."""
    if not _NONE <= length <= longest or length.microseconds:
        actual, limit = describe_bad_duration(length), format_duration(longest)
        raise ScheduleError(field, f"must be whole seconds, at most {limit}, not {actual}")


def describe_bad_duration(length: dt.timedelta) -> str:
    """Return an invalid length as `400 days`, `less than zero` or `1 second and a fraction`."""
    if length < _NONE:
        return "less than zero"
    part = " and a fraction" if length.microseconds else ""
    return format_duration(length) + part


def format_duration(length: dt.timedelta) -> str:
    """Return `1 day 12 hours`, `5 minutes`; the smallest unit is a second."""
    return " ".join(f"{count} {name}" for count, name in _parts(length)) or "no time"


def spell_duration(length: dt.timedelta) -> str:
    """Return `four hours twenty minutes`, for use in a sentence."""
    parts = [f"{spell_number(count)} {name}" for count, name in _parts(length)]
    return " ".join(parts) or "no time"


def spell_number(number: int) -> str:
    """Return `twenty-one`, or digits for numbers below zero and from 100 up."""
    if not 0 <= number < 100:
        return str(number)
    if number < 20:
        return _ONES[number]
    tens, ones = divmod(number, 10)
    return _TENS[tens - 2] + (f"-{_ONES[ones]}" if ones else "")


def _parts(length: dt.timedelta) -> list[tuple[int, str]]:
    rest = max(0, int(length.total_seconds()))
    parts = []
    for size, name in _UNITS:
        count, rest = divmod(rest, size)
        if count:
            parts.append((count, name if count == 1 else f"{name}s"))
    return parts
