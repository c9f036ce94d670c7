"""Spans, times of the week and days as people type them in a form; pure.

What cannot be read raises `PhraseError` with a sentence for the person who typed it.
"""

import datetime as dt
import re

from diplomaccloud.schedule import (
    Clock,
    LaterDay,
    ScheduleError,
    Weekday,
    WeekTime,
    format_duration,
)
from diplomaccloud.schedule.local_time import DAY, HOUR, MINUTE, WEEK

_UNITS = {"w": 7 * DAY, "d": DAY, "h": HOUR, "m": MINUTE}
_PART = re.compile(r"([0-9]{1,4}) ?(weeks?|w|days?|d|hours?|h|minutes?|mins?|m)\b", re.IGNORECASE)
_CLOCK = re.compile(r"([0-9]{1,2}:[0-9]{2})\Z")
_LATER = re.compile(r"([0-7]) days? later(?: at)? ([0-9:]+)\Z")
_DAYS = {
    "daily": WEEK,
    "every day": WEEK,
    "weekdays": WEEK[:5],
    "weekends": WEEK[5:],
}


class PhraseError(ValueError):
    """Text that says no span, time or day."""


def read_span(text: str) -> dt.timedelta:
    """Return the length said by `2 days`, `1 day 12 hours`, `90 minutes`, `36h`."""
    found, rest = dt.timedelta(), text.strip().casefold()
    if not _PART.search(rest):
        raise PhraseError("Say a length with its unit, such as 2 days, 12 hours or 30 minutes.")
    for number, unit in _PART.findall(rest):
        found += int(number) * _UNITS[unit[0]]
    left = _PART.sub("", rest).replace("and", "").replace(",", "").strip()
    if left:
        raise PhraseError(f"{left[:20]!r} is no length: write it like 1 day 12 hours.")
    return found


def say_span(span: dt.timedelta) -> str:
    """Return what `read_span` reads as `span`; blank for none."""
    return format_duration(span) if span else ""


def read_times(text: str) -> frozenset[WeekTime]:
    """Return the times of the week said by `Wed 24:00, Sun 24:00` or `daily 20:00`."""
    found: set[WeekTime] = set()
    for part in filter(None, (one.strip().casefold() for one in re.split(r"[,;\n]", text))):
        match = _CLOCK.search(part)
        if match is None:
            raise PhraseError(f"{part[:24]!r} says no time: write it like Wed 24:00.")
        clock = _clock(match[1])
        found |= {WeekTime(day, clock) for day in _days(part[: match.start()].strip())}
    if not found:
        raise PhraseError("Say at least one time, such as Wed 24:00, Sun 24:00.")
    return frozenset(found)


def say_times(times: frozenset[WeekTime]) -> str:
    """Return what `read_times` reads as `times`."""
    said = []
    for clock in sorted({time.clock for time in times}):
        days = [time.day for time in sorted(times, key=lambda time: time.order)]
        held = [day for day in days if WeekTime(day, clock) in times]
        if set(held) == set(WEEK):
            said.append(f"daily {clock}")
        else:
            said += [f"{day.capitalize()} {clock}" for day in dict.fromkeys(held)]
    return ", ".join(said)


def read_due(text: str) -> dt.timedelta | frozenset[WeekTime]:
    """Return a length of time, or times of the week where a clock time is said."""
    return read_times(text) if ":" in text else read_span(text)


def say_due(due: dt.timedelta | frozenset[WeekTime]) -> str:
    """Return what `read_due` reads as `due`."""
    return say_span(due) if isinstance(due, dt.timedelta) else say_times(due)


def read_adjudication(text: str) -> dt.timedelta | LaterDay:
    """Return when orders are adjudicated: blank for at once, `30 minutes`, `next day 12:30`."""
    said = " ".join(text.casefold().replace("the ", "").split())
    if said in {"", "at once"}:
        return dt.timedelta()
    for days, words in ((0, "same day"), (1, "next day")):
        if said.startswith(words):
            clock = said.removeprefix(words).removeprefix(" at").strip()
            return _later(days, clock)
    if match := _LATER.fullmatch(said):
        return _later(int(match[1]), match[2])
    return read_span(said.removesuffix(" later"))


def say_adjudication(when: dt.timedelta | LaterDay) -> str:
    """Return what `read_adjudication` reads as `when`."""
    if isinstance(when, dt.timedelta):
        return say_span(when)
    words = {0: "same day", 1: "next day"}.get(when.days, f"{when.days} days later")
    return f"{words} {when.clock}"


def read_days(text: str) -> frozenset[dt.date]:
    """Return the days said by `2026-12-25, 2027-01-01`."""
    found = set()
    for part in filter(None, re.split(r"[,;\s]+", text)):
        try:
            found.add(dt.date.fromisoformat(part))
        except ValueError:
            raise PhraseError(f"{part[:16]!r} is no day: write it like 2026-12-25.") from None
    return frozenset(found)


def say_days(days: frozenset[dt.date]) -> str:
    """Return what `read_days` reads as `days`."""
    return ", ".join(day.isoformat() for day in sorted(days))


def _later(days: int, clock: str) -> LaterDay:
    return LaterDay(days, _clock(clock))


def _clock(text: str) -> Clock:
    try:
        return Clock.parse(text.zfill(5))
    except ScheduleError as error:
        raise PhraseError(f"{error.what[:1].upper()}{error.what[1:]}.") from None


def _days(text: str) -> tuple[Weekday, ...]:
    said = text.removeprefix("every ") if text not in _DAYS else text
    if said in _DAYS:
        return tuple(_DAYS[said])
    for day in WEEK:
        if len(said) >= 2 and day.word.casefold().startswith(said.rstrip(".")):
            return (day,)
    raise PhraseError(f"{text[:16]!r} is no day of the week: write Mon, Tue … or daily.")
