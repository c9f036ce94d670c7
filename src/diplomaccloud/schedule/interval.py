"""Deadlines at regular intervals."""

import datetime as dt
from dataclasses import dataclass

from diplomaccloud.judge.phases import Stage
from diplomaccloud.schedule.days import Days
from diplomaccloud.schedule.durations import describe_bad_duration
from diplomaccloud.schedule.local_time import DAY, MINUTE, ScheduleError

MIN_PHASE_LENGTH = MINUTE
MAX_PHASE_LENGTH = 30 * DAY


def require_phase_length(field: str, length: dt.timedelta) -> None:
    """Raise `ScheduleError` unless `length` is a valid length for a phase."""
    if not MIN_PHASE_LENGTH <= length <= MAX_PHASE_LENGTH or length.microseconds:
        actual = describe_bad_duration(length)
        raise ScheduleError(
            field, f"a phase lasts from 1 minute to 30 days, in whole seconds, not {actual}"
        )


@dataclass(frozen=True, slots=True)
class Lengths:
    """The maximum length of each stage; raises `ScheduleError` if one is out of range."""

    movement: dt.timedelta
    retreats: dt.timedelta
    adjustments: dt.timedelta

    def __post_init__(self) -> None:
        """Check the bounds."""
        require_phase_length("movement", self.movement)
        require_phase_length("retreats", self.retreats)
        require_phase_length("adjustments", self.adjustments)

    def of(self, stage: Stage) -> dt.timedelta:
        """Return the length of `stage`."""
        match stage:
            case Stage.MOVEMENT:
                return self.movement
            case Stage.RETREATS:
                return self.retreats
            case Stage.ADJUSTMENTS:
                return self.adjustments


@dataclass(frozen=True, slots=True)
class Interval:
    """Each stage is due a fixed amount of elapsed time after it opens, even across clock changes.

    With `days`, a deadline that falls on an excluded day moves to the same clock time on the next
    allowed day. A phase that opens later may then be due at an earlier hour, but never on an
    earlier day.
    """

    lengths: Lengths
    days: Days | None = None

    def next_allowed(self, instant: dt.datetime) -> dt.datetime:
        """Return `instant`, or the same clock time on the next allowed day."""
        return self.days.next_allowed(instant) if self.days else instant

    @property
    def zone(self) -> str:
        """The time zone in which its deadlines are shown."""
        return self.days.zone if self.days else "UTC"
