"""Quiet hours: when a person does not want to be disturbed, in the person's time zone."""

import datetime as dt
import zoneinfo
from dataclasses import dataclass
from typing import Final

_DAY: Final = dt.timedelta(days=1)
_MINUTE: Final = dt.timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class QuietHours:
    """From one clock time to another, every day; past midnight if the end is earlier."""

    start: dt.time
    end: dt.time
    zone: str

    def find_end(self, at: dt.datetime) -> dt.datetime | None:
        """Return when the quiet hours around `at` end; None if `at` is not in quiet hours.

        This follows the person's clock even when daylight saving time starts or ends. A skipped
        time counts as the moment of the change. Of a repeated time, the first counts as the start
        and the second as the end.
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
    # The clock skips it: find the first minute after the jump.
    after = local.replace(fold=0).astimezone(dt.UTC)
    offset = after.astimezone(zone).utcoffset()
    while (after - _MINUTE).astimezone(zone).utcoffset() == offset:
        after -= _MINUTE
    return after
