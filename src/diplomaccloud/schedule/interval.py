"""Deadlines a length of time apart."""

import datetime as dt
from dataclasses import dataclass

from diplomaccloud.judge.phases import Stage
from diplomaccloud.schedule.days import Days
from diplomaccloud.schedule.local_time import DAY, MINUTE, ScheduleError
from diplomaccloud.schedule.spans import amiss

SHORTEST = MINUTE
LONGEST = 30 * DAY


def check_length(field: str, length: dt.timedelta) -> None:
    """Raise `ScheduleError` unless a phase may last so long."""
    if not SHORTEST <= length <= LONGEST or length.microseconds:
        raise ScheduleError(
            field,
            f"a phase lasts between a minute and 30 days, in whole seconds, not {amiss(length)}",
        )


@dataclass(frozen=True, slots=True)
class Lengths:
    """The longest time that each stage may take; raises `ScheduleError` out of bounds."""

    movement: dt.timedelta
    retreats: dt.timedelta
    adjustments: dt.timedelta

    def __post_init__(self) -> None:
        """Check the bounds."""
        check_length("movement", self.movement)
        check_length("retreats", self.retreats)
        check_length("adjustments", self.adjustments)

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
    """Each stage is due a length of elapsed time after it opens, whatever clocks do meanwhile.

    With `days`, a deadline that would fall on a day left out moves to the same clock time on
    the next allowed day. So a later opening may give an earlier hour, but never an earlier day.
    """

    lengths: Lengths
    days: Days | None = None

    def settled(self, instant: dt.datetime) -> dt.datetime:
        """Return `instant`, or the same clock time on the next allowed day."""
        return self.days.settled(instant) if self.days else instant

    @property
    def zone(self) -> str:
        """The time zone in which its deadlines are told."""
        return self.days.zone if self.days else "UTC"
