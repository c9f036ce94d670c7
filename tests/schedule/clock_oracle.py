"""An oracle for deadlines: it looks at the wall clock every minute and counts days.

It knows time zones only by what their clocks show. A day runs from after 00:00 to 24:00, the first
minute that clocks show of the next day: midnight belongs to the day it ends.
"""

import datetime as dt
import zoneinfo
from functools import cache

MINUTE, DAY = dt.timedelta(minutes=1), dt.timedelta(days=1)
NAMES = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


def wall(zone, instant):
    return instant.astimezone(zoneinfo.ZoneInfo(zone)).replace(tzinfo=None)


@cache
def first_shown(zone, day, minutes):
    """Return the first minute at which clocks show `minutes` after 00:00, or more."""
    wanted = dt.datetime.combine(day, dt.time()) + minutes * MINUTE
    instant = wanted.replace(tzinfo=dt.UTC) - 26 * 60 * MINUTE
    while wall(zone, instant) < wanted:
        instant += MINUTE
    return instant


def day_and_span(zone, instant):
    """Return the day that the instant belongs to and the time clocks show, up to 24 hours."""
    shown = wall(zone, instant)
    midnight = dt.datetime.combine(shown.date(), dt.time())
    minute = instant.replace(second=0, microsecond=0)
    before = wall(zone, minute - MINUTE)
    if shown - midnight < MINUTE:
        # Not always one day back: in 2011 Apia went from the 29th to the 31st of December.
        ended = before.date() if before < midnight else shown.date() - DAY
        return ended, shown - midnight + DAY
    if before < midnight:  # clocks skipped midnight
        return before.date(), instant - minute + DAY
    return shown.date(), shown - dt.datetime.combine(shown.date(), dt.time())


def at(zone, day, span):
    """Return when clocks show `span` on the day, to the second."""
    minutes, rest = divmod(span, MINUTE)
    start = first_shown(zone, day, minutes)
    if wall(zone, start) != dt.datetime.combine(day, dt.time()) + minutes * MINUTE:
        return start  # the end of a gap
    return start + rest


def next_of_week(zone, times, holidays, after):
    """Return the first of `times` (weekday, minutes) later than `after`, and its day."""
    day = wall(zone, after).date() - 2 * DAY
    found = []
    while not found:
        for name, minutes in times:
            if name == NAMES[day.weekday()] and day not in holidays:
                instant = first_shown(zone, day, minutes)
                if instant > after:
                    found.append((instant, day))
        day += DAY
    return min(found)


def on_allowed_day(zone, instant, allowed):
    """Return `instant`, or the same clock time on the next day that is `allowed`."""
    day, span = day_and_span(zone, instant)
    if allowed(day):
        return instant
    while not allowed(day):
        day += DAY
    return at(zone, day, span)


def days_later(zone, instant, days):
    """Return the same clock time `days` days later."""
    if not days:
        return instant
    day, span = day_and_span(zone, instant)
    return at(zone, day + days * DAY, span)


def next_clock(zone, minutes, earliest):
    """Return the first instant, from `earliest` on, when clocks show `minutes`."""
    day = wall(zone, earliest).date() - 2 * DAY
    while (found := first_shown(zone, day, minutes)) < earliest:
        day += DAY
    return found
