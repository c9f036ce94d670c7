"""When a phase is due: pure arithmetic on aware UTC instants."""

import datetime as dt
from dataclasses import dataclass

from diplomaccloud.judge.phases import Stage

SHORTEST = dt.timedelta(minutes=1)
LONGEST = dt.timedelta(days=30)


@dataclass(frozen=True, slots=True)
class Lengths:
    """The longest time that each stage may take; raises `ValueError` out of bounds."""

    movement: dt.timedelta
    retreats: dt.timedelta
    adjustments: dt.timedelta

    def __post_init__(self) -> None:
        """Check the bounds."""
        for length in (self.movement, self.retreats, self.adjustments):
            if not SHORTEST <= length <= LONGEST:
                raise ValueError(f"a phase lasts between a minute and 30 days, not {length}")

    def of(self, stage: Stage) -> dt.timedelta:
        """Return the length of `stage`."""
        match stage:
            case Stage.MOVEMENT:
                return self.movement
            case Stage.RETREATS:
                return self.retreats
            case Stage.ADJUSTMENTS:
                return self.adjustments


def due_at(opens_at: dt.datetime, stage: Stage, lengths: Lengths, *, people: bool) -> dt.datetime:
    """Return when a phase that opens at `opens_at` is processed at the latest.

    `people` says whether any person has something to order in it; if none has, nobody is
    waited for.
    """
    return opens_at + lengths.of(stage) if people else opens_at


_UNITS = ((86400, "day"), (3600, "hour"), (60, "minute"), (1, "second"))


def in_words(length: dt.timedelta) -> str:
    """Return `1 day 12 hours`, `5 minutes`; the smallest unit is a second."""
    rest = int(length.total_seconds())
    parts = []
    for size, name in _UNITS:
        count, rest = divmod(rest, size)
        if count:
            parts.append(f"{count} {name}{'s' if count > 1 else ''}")
    return " ".join(parts) or "no time"
