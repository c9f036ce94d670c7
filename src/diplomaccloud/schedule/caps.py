"""How far people may move a deadline."""

import datetime as dt
from dataclasses import dataclass

from diplomaccloud.schedule.local_time import DAY, MINUTE
from diplomaccloud.schedule.spans import check_span

MOST = 90 * DAY


@dataclass(frozen=True, slots=True)
class Caps:
    """The longest single extension and all of a phase's together, and the same of pauses.

    A pause ends by itself after `pause` at the latest. Processing that is late by more than
    `credit_after` is credited to the players.
    """

    extension: dt.timedelta = 3 * DAY
    extensions: dt.timedelta = 7 * DAY
    pause: dt.timedelta = 14 * DAY
    pauses: dt.timedelta = 30 * DAY
    credit_after: dt.timedelta = 5 * MINUTE

    def __post_init__(self) -> None:
        """Check the bounds."""
        for field in ("extension", "extensions", "pause", "pauses", "credit_after"):
            check_span(field, getattr(self, field), MOST)


USUAL = Caps()
