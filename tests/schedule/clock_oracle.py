"""A slow oracle for deadlines: it reads the local clock every minute and counts days.

It uses only the times that clocks in a zone show. A day begins after 00:00 and ends at 24:00, the
first minute of the next day: midnight belongs to the day it ends.
"""

import datetime as dt
import zoneinfo
from functools import cache

MINUTE, DAY = dt.timedelta(minutes=1), dt.timedelta(days=1)
NAMES = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


def local_time(zone, instant):
    return instant.astimezone(zoneinfo.ZoneInfo(zone)).replace(tzinfo=None)


@cache
def first_shown(zone, day, minutes):
    """Return the first minute at which clocks show `minutes` after 00:00 or later."""
    wall_time = dt.datetime.combine(day, dt.time()) + minutes * MINUTE
    instant = wall_time.replace(tzinfo=dt.UTC) - 26 * 60 * MINUTE
    while local_time(zone, instant) < wall_time:
        instant += MINUTE
    return instant


def day_and_span(zone, instant):
    """Return the day that the instant belongs to and the time clocks show, up to 24 hours."""
    shown = local_time(zone, instant)
    midnight = dt.datetime.combine(shown.date(), dt.time())
    minute = instant.replace(second=0, microsecond=0)
    before = local_time(zone, minute - MINUTE)
    if shown - midnight < MINUTE:
        # Not always one day back: in 2011 Apia went from December 29 to December 31.
        ended = before.date() if before < midnight else shown.date() - DAY
        return ended, shown - midnight + DAY
    if before < midnight:  # clocks skipped midnight
        return before.date(), instant - minute + DAY
    return shown.date(), shown - dt.datetime.combine(shown.date(), dt.time())


def instant_of(zone, day, span):
    """Return the instant at which clocks show `span` on the day, to the second."""
    minutes, rest = divmod(span, MINUTE)
    start = first_shown(zone, day, minutes)
    if local_time(zone, start) != dt.datetime.combine(day, dt.time()) + minutes * MINUTE:
        return start  # the end of a gap
    return start + rest


def next_of_week(zone, times, holidays, after):
    """Return the first of `times` (weekday, minutes) later than `after`, and its day."""
    day = local_time(zone, after).date() - 2 * DAY
    candidates = []
    while not candidates:
        for name, minutes in times:
            if name == NAMES[day.weekday()] and day not in holidays:
                instant = first_shown(zone, day, minutes)
                if instant > after:
                    candidates.append((instant, day))
        day += DAY
    return min(candidates)


def on_allowed_day(zone, instant, allowed):
    """Return `instant`, or the same clock time on the next day that is `allowed`."""
    day, span = day_and_span(zone, instant)
    if allowed(day):
        return instant
    while not allowed(day):
        day += DAY
    return instant_of(zone, day, span)


def days_later(zone, instant, days):
    """Return the same clock time `days` days later."""
    if not days:
        return instant
    day, span = day_and_span(zone, instant)
    return instant_of(zone, day + days * DAY, span)


def next_clock(zone, minutes, earliest):
    """Return the first instant, from `earliest` on, when clocks show `minutes`."""
    day = local_time(zone, earliest).date() - 2 * DAY
    while (shown_at := first_shown(zone, day, minutes)) < earliest:
        day += DAY
    return shown_at
