"""Instants, deadlines and schedules in words, for pages and the public log."""

import datetime as dt
from collections.abc import Iterable, Sequence

from diplomaccloud.judge.phases import Stage
from diplomaccloud.schedule.deadline import Calendar, Days, Deadline, Interval, LaterDay, Schedule
from diplomaccloud.schedule.local_time import (
    DAY,
    MINUTE,
    WEEK,
    Clock,
    Weekday,
    WeekTime,
    day_and_time,
    find_zone,
    format_duration,
    spell_number,
)

_YEAR = "January February March April May June July August September October November December"
_MONTHS = _YEAR.split()


def _zone_city(zone: str) -> str:
    return zone.rpartition("/")[2].replace("_", " ")


def format_zone(zone: str) -> str:
    """Return `Los Angeles time` for America/Los_Angeles, or plain `UTC`."""
    return zone if zone == "UTC" else f"{_zone_city(zone)} time"


def day_and_clock(instant: dt.datetime, zone: str) -> tuple[dt.date, str]:
    """Return the local day and `12:30` in `zone`; midnight belongs to the day it ends.

    Rounds down to the minute, so that it never promises too much time.
    """
    day, span = day_and_time(instant, find_zone(zone))
    return day, str(Clock(span // MINUTE))


def format_instant(instant: dt.datetime, zone: str) -> str:
    """Return `Wednesday, March 3, 24:00 Los Angeles (Thursday 08:00 UTC)`."""
    day, clock = day_and_clock(instant, zone)
    main = f"{format_day(day)}, {clock} {_zone_city(zone)}"
    if zone == "UTC":
        return main
    utc = instant.astimezone(dt.UTC)
    weekday = "" if utc.date() == day else f"{Weekday.of(utc.date()).word} "
    return f"{main} ({weekday}{utc:%H:%M} UTC)"


def format_day(day: dt.date) -> str:
    """Return `Wednesday, March 3`."""
    return f"{Weekday.of(day).word}, {_MONTHS[day.month - 1]} {day.day}"


def format_bound(deadline: Deadline) -> str:
    """Return `exactly at`, or `at the latest` if the phase can be processed early."""
    return "exactly at" if deadline.exact else "at the latest"


def describe_deadline(deadline: Deadline, zone: str) -> str:
    """Return when orders close and, if later, when they are adjudicated."""
    text = f"Orders close {_describe_bound(deadline.orders_at, zone, exact=deadline.exact)}"
    if deadline.adjudicate_at != deadline.orders_at:
        adjudication = _describe_bound(deadline.adjudicate_at, zone, exact=deadline.exact)
        text += f"; they are adjudicated {adjudication}"
    return f"{text}."


def _describe_bound(instant: dt.datetime, zone: str, *, exact: bool) -> str:
    day, _, clock = format_instant(instant, zone).rpartition(", ")
    return f"{day}, exactly at {clock}" if exact else f"{day}, {clock}, at the latest"


def describe_schedule(schedule: Schedule) -> str:
    """Return the schedule in two or three plain sentences."""
    match schedule.plan:
        case Interval() as plan:
            first = _describe_interval(plan, early=schedule.early)
        case Calendar() as plan:
            first = _describe_calendar(plan)
    return " ".join([f"{first}.", *_list_further_rules(schedule)])


def _describe_interval(plan: Interval, *, early: bool) -> str:
    most = "at most" if early else "exactly"
    lengths = {stage: format_duration(plan.lengths.of(stage)) for stage in Stage}
    if len(set(lengths.values())) == 1:
        text = f"Every phase lasts {most} {lengths[Stage.MOVEMENT]}"
    else:
        text = (
            f"Movement lasts {most} {lengths[Stage.MOVEMENT]}, retreats "
            f"{lengths[Stage.RETREATS]}, and builds {lengths[Stage.ADJUSTMENTS]}"
        )
    return text if plan.days is None else f"{text}{_describe_days(plan.days)}"


def _describe_days(days: Days) -> str:
    skipped = [f"a {day.word}" for day in WEEK if day not in days.weekdays]
    skipped += ["a holiday"] * bool(days.holidays)
    if not skipped:
        return ""
    return (
        f"; a deadline on {join_words(skipped, 'or')} moves to the same time on the next "
        f"allowed day ({format_zone(days.zone)})"
    )


def _describe_calendar(plan: Calendar) -> str:
    text = f"Orders are due {_describe_times(plan.movement)} ({format_zone(plan.zone)})"
    match plan.adjudication:
        case LaterDay(days, clock):
            later = {0: "the same day", 1: "the next day"}
            day = later.get(days, f"{spell_number(days)} days later")
            text += f"; they are adjudicated {day} at {clock}"
        case delay if delay:
            text += f"; they are adjudicated {format_duration(delay)} later"
    retreats, builds = _describe_due_times(plan.retreats), _describe_due_times(plan.adjustments)
    if retreats == builds:
        text += f"; retreats and builds are each due {retreats}"
    else:
        text += f"; retreats are due {retreats}, and builds {builds}"
    return text + ("; not on holidays" if plan.holidays else "")


def _describe_due_times(times: dt.timedelta | frozenset[WeekTime]) -> str:
    if isinstance(times, dt.timedelta):
        return f"{format_duration(times)} after they open"
    return _describe_times(times)


def _describe_times(times: frozenset[WeekTime]) -> str:
    clocks_by_days: dict[tuple[Weekday, ...], list[Clock]] = {}
    for clock in sorted({time.clock for time in times}):
        days = tuple(day for day in WEEK if WeekTime(day, clock) in times)
        clocks_by_days.setdefault(days, []).append(clock)
    parts = []
    for days, clocks in clocks_by_days.items():
        words = "day" if days == WEEK else join_words([day.word for day in days])
        parts.append(f"every {words} at {join_words(list(map(str, clocks)))}")
    return join_words(parts)


def join_words(words: Sequence[str], last: str = "and") -> str:
    """Return `Austria, Italy and Turkey`."""
    return f" {last} ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _list_further_rules(schedule: Schedule) -> Iterable[str]:
    if schedule.opening:
        weeks, rest = divmod(schedule.opening, 7 * DAY)
        opening = f"{weeks} week{'s' if weeks > 1 else ''}"
        if rest:
            opening = format_duration(schedule.opening)
        if isinstance(schedule.plan, Calendar):
            yield f"The first turn is due after at least {opening} of negotiation."
        else:
            yield f"The first turn lasts {opening} longer, for negotiation."
    if schedule.early:
        yield "A turn is processed early when everyone is ready."
    elif isinstance(schedule.plan, Calendar):
        yield "Turns are never processed early."
    if schedule.grace:
        grace = format_duration(schedule.grace)
        yield f"A player who misses a deadline for the first time gets {grace} more."
