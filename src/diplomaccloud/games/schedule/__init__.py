"""The time of a game as pure values: schedules, deadlines, and everything that moves them.

    Schedule(plan: Interval | Calendar, early, opening, grace, caps)
    Interval(lengths: Lengths, days: Days | None)      Days(zone, weekdays, holidays)
    Calendar(zone, movement, retreats, adjustments, adjudication, holidays, least)
    schedule_to_json(schedule) -> Json                 schedule_from_json(data) -> Schedule
    deadline(schedule, stage, opens_at, *, first, people) -> Deadline
    Deadline(orders_at, adjudicate_at, exact)          orders close, the phase is processed

Instants are aware; those returned are in UTC. Spans are timedeltas of whole seconds. A value that
cannot be raises `ScheduleError` (its `field` names the part), JSON that cannot be `CodecError`.
"""

from diplomaccloud.games.schedule.calendar import Calendar, LaterDay
from diplomaccloud.games.schedule.caps import Caps
from diplomaccloud.games.schedule.codec import (
    CodecError,
    schedule_from_json,
    schedule_to_json,
)
from diplomaccloud.games.schedule.days import Days
from diplomaccloud.games.schedule.deadline import Deadline, Schedule, deadline
from diplomaccloud.games.schedule.interval import LONGEST, SHORTEST, Interval, Lengths
from diplomaccloud.games.schedule.spans import in_words, spelled
from diplomaccloud.games.schedule.wall import (
    Clock,
    ScheduleError,
    Weekday,
    WeekTime,
    zone_names,
)

__all__ = [
    "LONGEST",
    "SHORTEST",
    "Calendar",
    "Caps",
    "Clock",
    "CodecError",
    "Days",
    "Deadline",
    "Interval",
    "LaterDay",
    "Lengths",
    "Schedule",
    "ScheduleError",
    "WeekTime",
    "Weekday",
    "deadline",
    "in_words",
    "schedule_from_json",
    "schedule_to_json",
    "spelled",
    "zone_names",
]
