"""A second, slow implementation of calendars: it reads the local clock every minute.

It does not use offsets, folds or gaps. A time of the week is due at the first minute at which
the clock shows it or a later time.
"""

import datetime as dt
from bisect import bisect_right

MINUTE, DAY = dt.timedelta(minutes=1), dt.timedelta(days=1)
NAMES = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


def next_due(zone, times, holidays, after):
    """Return the first instant later than `after` at which one of `times` is due."""
    instant = after.replace(second=0, microsecond=0) - 2 * DAY
    latest = wall_time(zone, instant)
    due = list_due_times(latest.date() - DAY, times, holidays)
    while True:
        instant += MINUTE
        shown = wall_time(zone, instant)
        if shown <= latest:
            continue
        if instant > after and bisect_right(due, latest) < bisect_right(due, shown):
            return instant
        latest = shown


def wall_time(zone, instant):
    return instant.astimezone(zone).replace(tzinfo=None)


def list_due_times(day, times, holidays):
    """Return the local times at which something is due in the 92 days from `day`, sorted."""
    due_times = []
    for _ in range(92):
        if day not in holidays:
            midnight = dt.datetime.combine(day, dt.time())
            due_times += [midnight + span for name, span in times if name == NAMES[day.weekday()]]
        day += DAY
    return sorted(due_times)


def parse_times(times):
    """Return times like `wed 24:00` as pairs of a weekday and the time after midnight."""
    parts = [text.split() for text in times]
    return [
        (day, dt.timedelta(hours=int(clock[:2]), minutes=int(clock[3:]))) for day, clock in parts
    ]
