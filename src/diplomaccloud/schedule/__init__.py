"""Schedules, deadlines and deadline moves of games, as pure values.

    Schedule(plan: Interval | Calendar, early, opening, grace, caps)
    Interval(lengths: Lengths, days: Days | None)      Days(zone, weekdays, holidays)
    Calendar(zone, movement, retreats, adjustments, adjudication, holidays, least)
    PRESETS[key] -> Preset(key, title, about, schedule)    move_to_zone(schedule, zone) -> Schedule
    schedule_to_json(schedule) -> Json                 schedule_from_json(data) -> Schedule
    find_deadline(schedule, stage, opens_at, *, first) -> Deadline
    Deadline(orders_at, adjudicate_at, exact)          orders close, the phase is processed
    find_late_deadline(schedule, stage, opens_at, *, due_at, key) -> (Deadline, DeadlineMove | None)

The time of one phase is `Timer(schedule, stage, deadline, moves)`. Each function below returns the
`DeadlineMove(kind, key, at, by, old, new, why)` to store and apply; `timer.after(move).deadline`
is `move.new`. A move that is not allowed raises `Refused`; the same key gives the same move.

    extend(timer, by, *, key, decided_by, now)         end_early(timer, *, key, now)
    pause_phase(timer, longest=None, *, key, decided_by, now)
    resume_phase(timer, *, key, decided_by, now)       end_now(timer, *, key, decided_by, now)
    end_talk(timer, writing, *, key, now)
    end_expired_pause(timer, *, now) -> DeadlineMove | None
    find_grace(timer, *, missing, spent, key, now) -> DeadlineMove | None
    find_outage_credit(timer, *, opened_at, away_at, back_at, key) -> DeadlineMove | None
    timer.pause_at(now) -> DeadlineMove | None         the pause in effect
    find_quiet_time(deadline, moves, writing)          when talk ends before moves are due
    move_to_json(move), move_from_json(data)

In words: format_duration and spell_duration, format_instant(instant, zone),
format_bound(deadline), describe_deadline(deadline, zone), describe_schedule(schedule); the zone is
`schedule.plan.zone`.

Instants are aware; returned instants are in UTC. Durations are timedeltas of whole seconds. An
invalid value raises `ScheduleError` (its `field` names the part), invalid JSON raises `CodecError`.
"""

from diplomaccloud.judge.codec import CodecError
from diplomaccloud.schedule.codec import (
    move_from_json,
    move_to_json,
    schedule_from_json,
    schedule_to_json,
)
from diplomaccloud.schedule.deadline import (
    Calendar,
    Caps,
    Days,
    Deadline,
    Interval,
    LaterDay,
    Lengths,
    Schedule,
    find_deadline,
)
from diplomaccloud.schedule.descriptions import (
    describe_deadline,
    describe_schedule,
    format_bound,
    format_day,
    format_instant,
)
from diplomaccloud.schedule.local_time import (
    Clock,
    ScheduleError,
    Weekday,
    WeekTime,
    format_duration,
    spell_duration,
    zone_names,
)
from diplomaccloud.schedule.presets import PRESETS, move_to_zone
from diplomaccloud.schedule.timer import (
    DeadlineMove,
    MoveKind,
    Timer,
    end_early,
    end_expired_pause,
    end_now,
    end_talk,
    extend,
    find_grace,
    find_late_deadline,
    find_outage_credit,
    find_quiet_time,
    pause_phase,
    resume_phase,
)

__all__ = [
    "PRESETS",
    "Calendar",
    "Caps",
    "Clock",
    "CodecError",
    "Days",
    "Deadline",
    "DeadlineMove",
    "Interval",
    "LaterDay",
    "Lengths",
    "MoveKind",
    "Schedule",
    "ScheduleError",
    "Timer",
    "WeekTime",
    "Weekday",
    "describe_deadline",
    "describe_schedule",
    "end_early",
    "end_expired_pause",
    "end_now",
    "end_talk",
    "extend",
    "find_deadline",
    "find_grace",
    "find_late_deadline",
    "find_outage_credit",
    "find_quiet_time",
    "format_bound",
    "format_day",
    "format_duration",
    "format_instant",
    "move_from_json",
    "move_to_json",
    "move_to_zone",
    "pause_phase",
    "resume_phase",
    "schedule_from_json",
    "schedule_to_json",
    "spell_duration",
    "zone_names",
]
