"""Named schedules for the form that creates a game."""

from dataclasses import dataclass, replace

from diplomaccloud.schedule.deadline import (
    Calendar,
    Caps,
    Days,
    Interval,
    LaterDay,
    Lengths,
    Schedule,
)
from diplomaccloud.schedule.local_time import DAY, HOUR, MINUTE, WEEK, Clock, Weekday, WeekTime


@dataclass(frozen=True, slots=True)
class Preset:
    """A schedule with a key, a title and a description."""

    key: str
    title: str
    about: str
    schedule: Schedule


def move_to_zone(schedule: Schedule, zone: str) -> Schedule:
    """Return `schedule` in the time zone `zone`; plain intervals don't change."""
    match schedule.plan:
        case Calendar() as plan:
            return replace(schedule, plan=replace(plan, zone=zone))
        case Interval(lengths, Days() as days):
            return replace(schedule, plan=Interval(lengths, replace(days, zone=zone)))
        case Interval():
            return schedule


def _daily(text: str) -> frozenset[WeekTime]:
    return frozenset(WeekTime(day, Clock.parse(text)) for day in WEEK)


_AT_A_SITTING = Caps(
    extension=15 * MINUTE, extensions=HOUR, pause=HOUR, pauses=3 * HOUR, credit_after=MINUTE
)
_MIDNIGHT = Clock.parse("24:00")
_PRESETS = (
    Preset(
        "2009",
        "the 2009 game",
        "One maximum length for every phase; a turn is processed early when all orders are in.",
        Schedule(Interval(Lengths(DAY, DAY, DAY))),
    ),
    Preset(
        "table",
        "2000 rulebook at the table",
        # 15 minutes to negotiate before each turn and 30 before the first, 5 to write: the
        # rulebook's "Diplomatic Phase" and "Time Management".
        "Fifteen minutes to talk and five to write; half an hour to talk before the first turn.",
        Schedule(
            Interval(Lengths(20 * MINUTE, 5 * MINUTE, 5 * MINUTE)),
            opening=15 * MINUTE,
            caps=_AT_A_SITTING,
        ),
    ),
    Preset(
        "invitation",
        "house rules of the invitation",
        "Two turns a week on fixed days, and a week to negotiate before the first.",
        Schedule(
            Calendar(
                zone="America/Los_Angeles",
                movement=frozenset(
                    WeekTime(day, _MIDNIGHT) for day in (Weekday.WEDNESDAY, Weekday.SUNDAY)
                ),
                retreats=2 * HOUR,
                adjustments=2 * HOUR,
                adjudication=LaterDay(1, Clock.parse("12:30")),
            ),
            early=False,
            opening=7 * DAY,
        ),
    ),
    Preset(
        "live",
        "live",
        "Everyone is online: a whole game in one evening.",
        Schedule(
            Interval(Lengths(5 * MINUTE, 2 * MINUTE, 2 * MINUTE)),
            opening=5 * MINUTE,
            caps=_AT_A_SITTING,
        ),
    ),
    Preset(
        "daily",
        "one turn a day",
        "Moves every evening, retreats the next morning, builds after lunch.",
        Schedule(
            Calendar(
                zone="UTC",
                movement=_daily("20:00"),
                retreats=_daily("08:00"),
                adjustments=_daily("14:00"),
                least=4 * HOUR,
            ),
            opening=DAY,
            grace=12 * HOUR,
        ),
    ),
)
PRESETS: dict[str, Preset] = {preset.key: preset for preset in _PRESETS}
"""The presets by key, in the order in which the form offers them."""
