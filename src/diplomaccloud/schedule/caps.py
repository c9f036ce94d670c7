"""Limits on how far a deadline may be moved."""

import datetime as dt
from dataclasses import dataclass

from diplomaccloud.schedule.durations import format_duration, require_duration
from diplomaccloud.schedule.local_time import DAY, MINUTE, ScheduleError

MAX_MOVE = 90 * DAY
MIN_CREDIT_AFTER = MINUTE
"""With a shorter time, any phase would count as late, so missed turns would always be excused."""


@dataclass(frozen=True, slots=True)
class Caps:
    """Limits for one phase: a single extension, all extensions together, and the same for pauses.

    A pause ends automatically after `pause` at the latest. If an outage is longer than
    `credit_after`, which is at least a minute, deadlines are extended by the time lost.
    """

    extension: dt.timedelta = 3 * DAY
    extensions: dt.timedelta = 7 * DAY
    pause: dt.timedelta = 14 * DAY
    pauses: dt.timedelta = 30 * DAY
    credit_after: dt.timedelta = 5 * MINUTE

    def __post_init__(self) -> None:
        """Check the bounds."""
        for field in ("extension", "extensions", "pause", "pauses", "credit_after"):
            require_duration(field, getattr(self, field), MAX_MOVE)
        if self.credit_after < MIN_CREDIT_AFTER:
            least = format_duration(MIN_CREDIT_AFTER)
            raise ScheduleError("credit_after", f"must be at least {least}")


DEFAULT_CAPS = Caps()
