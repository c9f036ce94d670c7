"""Quiet hours: when a person does not want to be disturbed, by the clock of the person's zone."""

import datetime as dt
import zoneinfo
from dataclasses import dataclass
from typing import Final

_DAY: Final = dt.timedelta(days=1)
_MINUTE: Final = dt.timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class QuietHours:
    """From one clock time until another, every day; over midnight if the end is earlier."""

    start: dt.time
    end: dt.time
    zone: str

    def find_end(self, at: dt.datetime) -> dt.datetime | None:
        """Return when the quiet hours that include `at` are over; None if none do.

        Clock times go by the person's clock, even on days when it is changed: a time that the clock
        skips is the moment of the change, and of a time that comes twice the first counts as the
        start and the second as the end.
        """
        if self.start == self.end:
            return None
        zone = zoneinfo.ZoneInfo(self.zone)
        today = at.astimezone(zone).date()
        length = _DAY if self.end < self.start else dt.timedelta(0)
        for day in (today - _DAY, today):
            start = _find_instant(day, self.start, zone, fold=0)
            end = _find_instant(day + length, self.end, zone, fold=1)
            if start <= at < end:
                return end
        return None


def _find_instant(
    day: dt.date, time: dt.time, zone: zoneinfo.ZoneInfo, *, fold: int
) -> dt.datetime:
    """Return the instant of a clock time; if the clock skips it, the first instant after."""
    local = dt.datetime.combine(day, time, tzinfo=zone).replace(fold=fold)
    instant = local.astimezone(dt.UTC)
    if instant.astimezone(zone).replace(tzinfo=None) == local.replace(tzinfo=None):
        return instant
    # The clock jumps over it: go back to the first minute after the jump.
    after = local.replace(fold=0).astimezone(dt.UTC)
    offset = after.astimezone(zone).utcoffset()
    while (after - _MINUTE).astimezone(zone).utcoffset() == offset:
        after -= _MINUTE
    return after
