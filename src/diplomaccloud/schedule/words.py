"""Instants, deadlines and schedules in words, for pages and the processing log."""

import datetime as dt
from collections.abc import Iterable, Sequence

from diplomaccloud.judge.phases import Stage
from diplomaccloud.schedule.calendar import Calendar, LaterDay
from diplomaccloud.schedule.days import Days
from diplomaccloud.schedule.due import Deadline, Schedule
from diplomaccloud.schedule.interval import Interval
from diplomaccloud.schedule.local_time import (
    DAY,
    MINUTE,
    WEEK,
    Clock,
    Weekday,
    WeekTime,
    shown,
    zone_of,
)
from diplomaccloud.schedule.spans import in_words, spelled_number

_YEAR = "January February March April May June July August September October November December"
_MONTHS = _YEAR.split()


def zone_word(zone: str) -> str:
    """Return `Los Angeles` for America/Los_Angeles."""
    return zone.rpartition("/")[2].replace("_", " ")


def zone_time(zone: str) -> str:
    """Return `Los Angeles time`, or plain `UTC`."""
    return zone if zone == "UTC" else f"{zone_word(zone)} time"


def day_and_clock(instant: dt.datetime, zone: str) -> tuple[dt.date, str]:
    """Return the day and `12:30` on the wall in `zone`; the start of a day ends the one before.

    Rounded down to the minute: it never promises a minute that is not there.
    """
    day, span = shown(instant, zone_of(zone))
    return day, str(Clock(span // MINUTE))


def moment(instant: dt.datetime, zone: str) -> str:
    """Return `Wednesday 3 March, 24:00 Los Angeles (Thursday 08:00 UTC)`."""
    day, clock = day_and_clock(instant, zone)
    main = f"{day_word(day)}, {clock} {zone_word(zone)}"
    if zone == "UTC":
        return main
    utc = instant.astimezone(dt.UTC)
    weekday = "" if utc.date() == day else f"{Weekday.of(utc.date()).word} "
    return f"{main} ({weekday}{utc:%H:%M} UTC)"


def day_word(day: dt.date) -> str:
    """Return `Wednesday 3 March`."""
    return f"{Weekday.of(day).word} {day.day} {_MONTHS[day.month - 1]}"


def bound(deadline: Deadline) -> str:
    """Return `exactly at`, or `at the latest` if all can be ready before."""
    return "exactly at" if deadline.exact else "at the latest"


def deadline_in_words(deadline: Deadline, zone: str) -> str:
    """Return when orders close and, if it is another time, when they are adjudicated."""
    text = f"Orders close {_bounded(deadline.orders_at, zone, exact=deadline.exact)}"
    if deadline.adjudicate_at != deadline.orders_at:
        text += f"; adjudicated {_bounded(deadline.adjudicate_at, zone, exact=deadline.exact)}"
    return f"{text}."


def _bounded(instant: dt.datetime, zone: str, *, exact: bool) -> str:
    day, _, clock = moment(instant, zone).partition(", ")
    return f"{day}, exactly at {clock}" if exact else f"{day}, {clock}, at the latest"


def schedule_in_words(schedule: Schedule) -> str:
    """Return the schedule in two or three plain sentences."""
    match schedule.plan:
        case Interval() as plan:
            first = _interval(plan, early=schedule.early)
        case Calendar() as plan:
            first = _calendar(plan)
    return " ".join([f"{first}.", *_rest(schedule)])


def _interval(plan: Interval, *, early: bool) -> str:
    most = "at most" if early else "exactly"
    lengths = {stage: in_words(plan.lengths.of(stage)) for stage in Stage}
    if len(set(lengths.values())) == 1:
        text = f"Every phase lasts {most} {lengths[Stage.MOVEMENT]}"
    else:
        text = (
            f"Movement lasts {most} {lengths[Stage.MOVEMENT]}, retreats "
            f"{lengths[Stage.RETREATS]}, builds {lengths[Stage.ADJUSTMENTS]}"
        )
    return text if plan.days is None else f"{text}{_days(plan.days)}"


def _days(days: Days) -> str:
    left_out = [day.word for day in WEEK if day not in days.weekdays]
    skipped = [f"a {word}" for word in left_out] + ["a holiday"] * bool(days.holidays)
    if not skipped:
        return ""
    return (
        f"; a deadline on {listed(skipped, 'or')} moves to the same time on the next other day, "
        f"{zone_time(days.zone)}"
    )


def _calendar(plan: Calendar) -> str:
    text = f"Orders are due {_times(plan.movement)}, {zone_time(plan.zone)}"
    match plan.adjudication:
        case LaterDay(days, clock):
            text += f"; adjudicated {_later(days)} at {clock}"
        case delay if delay:
            text += f"; adjudicated {in_words(delay)} later"
    retreats, builds = _due(plan.retreats), _due(plan.adjustments)
    if retreats == builds:
        text += f"; retreats, and then builds, are due {retreats}"
    else:
        text += f"; retreats are due {retreats}, builds {builds}"
    return text + ("; not on holidays" if plan.holidays else "")


def _later(days: int) -> str:
    if days == 0:
        return "the same day"
    return "the next day" if days == 1 else f"{spelled_number(days)} days later"


def _due(times: dt.timedelta | frozenset[WeekTime]) -> str:
    if isinstance(times, dt.timedelta):
        return f"{in_words(times)} after they open"
    return _times(times)


def _times(times: frozenset[WeekTime]) -> str:
    days: dict[tuple[Weekday, ...], list[Clock]] = {}
    for clock in sorted({time.clock for time in times}):
        found = tuple(day for day in WEEK if WeekTime(day, clock) in times)
        days.setdefault(found, []).append(clock)
    return listed(
        [f"{_every(found)} at {listed(list(map(str, clocks)))}" for found, clocks in days.items()]
    )


def _every(days: Sequence[Weekday]) -> str:
    if len(days) == len(WEEK):
        return "every day"
    return f"every {listed([day.word for day in days])}"


def listed(words: Sequence[str], last: str = "and") -> str:
    """Return `Austria, Italy and Turkey`."""
    return f" {last} ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _rest(schedule: Schedule) -> Iterable[str]:
    if schedule.opening:
        yield _opening(schedule)
    if schedule.early:
        yield "The turn rolls over before that when all are ready."
    elif isinstance(schedule.plan, Calendar):
        yield "The turn never rolls over before that."
    if schedule.grace:
        yield f"Who misses a turn for the first time has {in_words(schedule.grace)} more."


def _opening(schedule: Schedule) -> str:
    opening = in_words(schedule.opening)
    if schedule.opening % (7 * DAY) == dt.timedelta(0):
        weeks = schedule.opening // (7 * DAY)
        opening = f"{weeks} week{'s' if weeks > 1 else ''}"
    if isinstance(schedule.plan, Calendar):
        return f"The first turn is due after at least {opening} to negotiate."
    return f"The first turn lasts {opening} longer, to negotiate."
