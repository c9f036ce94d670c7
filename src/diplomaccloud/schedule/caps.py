"""Limits on how far a deadline may be moved."""

import datetime as dt
from dataclasses import dataclass

from diplomaccloud.schedule.durations import require_duration
from diplomaccloud.schedule.local_time import DAY, MINUTE

MAX_MOVE = 90 * DAY


@dataclass(frozen=True, slots=True)
class Caps:
    """Limits for one phase: a single extension, all extensions together, and the same for pauses.

    A pause ends by itself after `pause` at the latest. If an outage is longer than
    `credit_after`, deadlines are extended by the time lost.
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


DEFAULT_CAPS = Caps()
