"""The time of a game as pure values: schedules, deadlines, and everything that moves them.

    Schedule(plan: Interval | Calendar, early, opening, grace, caps)
    Interval(lengths: Lengths, days: Days | None)      Days(zone, weekdays, holidays)
    Calendar(zone, movement, retreats, adjustments, adjudication, holidays, least)
    PRESETS[key] -> Preset(key, title, about, schedule)    in_zone(schedule, zone) -> Schedule
    schedule_to_json(schedule) -> Json                 schedule_from_json(data) -> Schedule
    deadline(schedule, stage, opens_at, *, first, people) -> Deadline
    Deadline(orders_at, adjudicate_at, exact)          orders close, the phase is processed
    opened_late(schedule, stage, opens_at, *, due_at, people, key) -> (Deadline, Moved | None)

A phase's time is `Timer(schedule, stage, deadline, moves)`. Each of the following returns the
`Moved(kind, key, at, by, old, new, why)` to store and apply: `timer.after(moved).deadline` is
`moved.new`. What may not be raises `games.errors.Refused`; the same key gives the same move.

    extended(timer, by, *, key, who, now)              rolled_over(timer, *, key, now)
    paused(timer, longest=None, *, key, who, now)      forced(timer, *, key, who, now)
    resumed(timer, *, key, who, now)                   ran_out(timer, *, now) -> Moved | None
    graced(timer, *, missing, spent, key, now) -> Moved | None
    credited(timer, *, opened_at, away_at, back_at, key) -> Moved | None
    timer.pause_at(now) -> Moved | None                the pause that stands
    moved_to_json(moved), moved_from_json(data)

In words: in_words and spelled (spans), moment(instant, zone), bound(deadline),
deadline_in_words(deadline, zone), schedule_in_words(schedule); `schedule.plan.zone` is the zone.

Instants are aware; those returned are in UTC. Spans are timedeltas of whole seconds. A value that
cannot be raises `ScheduleError` (its `field` names the part), JSON that cannot be `CodecError`.
"""

from diplomaccloud.judge.codec.reader import CodecError
from diplomaccloud.schedule.calendar import Calendar, LaterDay
from diplomaccloud.schedule.caps import Caps
from diplomaccloud.schedule.codec import schedule_from_json, schedule_to_json
from diplomaccloud.schedule.credit import credited, opened_late
from diplomaccloud.schedule.days import Days
from diplomaccloud.schedule.due import Deadline, Schedule, deadline
from diplomaccloud.schedule.interval import LONGEST, SHORTEST, Interval, Lengths
from diplomaccloud.schedule.local_time import (
    Clock,
    ScheduleError,
    Weekday,
    WeekTime,
    zone_names,
)
from diplomaccloud.schedule.movecodec import moved_from_json, moved_to_json
from diplomaccloud.schedule.moves import (
    extended,
    forced,
    graced,
    paused,
    ran_out,
    resumed,
    rolled_over,
)
from diplomaccloud.schedule.presets import PRESETS, Preset, in_zone
from diplomaccloud.schedule.spans import in_words, spelled
from diplomaccloud.schedule.timer import Kind, Moved, Timer
from diplomaccloud.schedule.words import (
    bound,
    day_word,
    deadline_in_words,
    moment,
    schedule_in_words,
)

__all__ = [
    "LONGEST",
    "PRESETS",
    "SHORTEST",
    "Calendar",
    "Caps",
    "Clock",
    "CodecError",
    "Days",
    "Deadline",
    "Interval",
    "Kind",
    "LaterDay",
    "Lengths",
    "Moved",
    "Preset",
    "Schedule",
    "ScheduleError",
    "Timer",
    "WeekTime",
    "Weekday",
    "bound",
    "credited",
    "day_word",
    "deadline",
    "deadline_in_words",
    "extended",
    "forced",
    "graced",
    "in_words",
    "in_zone",
    "moment",
    "moved_from_json",
    "moved_to_json",
    "opened_late",
    "paused",
    "ran_out",
    "resumed",
    "rolled_over",
    "schedule_from_json",
    "schedule_in_words",
    "schedule_to_json",
    "spelled",
    "zone_names",
]
