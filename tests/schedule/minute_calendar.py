"""A second, slow reading of a calendar: look at the clock on the wall every minute.

It knows nothing of offsets, folds or gaps. A time of the week is due at the first minute at
which the clock shows it or something later.
"""

import datetime as dt
from bisect import bisect_right

MINUTE, DAY = dt.timedelta(minutes=1), dt.timedelta(days=1)
NAMES = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


def next_due(zone, times, holidays, after):
    """Return the first instant later than `after` at which one of `times` is due."""
    instant = after.replace(second=0, microsecond=0) - 2 * DAY
    latest = seen_by(zone, instant)
    due = written(latest.date() - DAY, times, holidays)
    while True:
        instant += MINUTE
        shown = seen_by(zone, instant)
        if shown <= latest:
            continue
        if instant > after and bisect_right(due, latest) < bisect_right(due, shown):
            return instant
        latest = shown


def seen_by(zone, instant):
    return instant.astimezone(zone).replace(tzinfo=None)


def written(day, times, holidays):
    """Return all wall times of the quarter from `day` on at which something is due, sorted."""
    found = []
    for _ in range(92):
        if day not in holidays:
            midnight = dt.datetime.combine(day, dt.time())
            found += [midnight + span for name, span in times if name == NAMES[day.weekday()]]
        day += DAY
    return sorted(found)


def read(times):
    """Return `wed 24:00` and the like as a weekday and what the clock shows, as a span."""
    parts = [text.split() for text in times]
    return [
        (day, dt.timedelta(hours=int(clock[:2]), minutes=int(clock[3:]))) for day, clock in parts
    ]
