"""Deadline extensions after an outage, so that players do not lose time to order."""

import datetime as dt

from diplomaccloud.judge.phases import Stage
from diplomaccloud.schedule.deadline import Deadline, Schedule, find_deadline
from diplomaccloud.schedule.descriptions import day_and_clock, format_day, format_zone
from diplomaccloud.schedule.durations import spell_duration
from diplomaccloud.schedule.local_time import MINUTE, to_utc
from diplomaccloud.schedule.timer import DeadlineMove, MoveKind, Timer, deadline_by

AWAY = "The site was down"
_ENDED_AT_ONCE = (MoveKind.READY, MoveKind.FORCED)
"""The moves that end a phase at once: nobody was waiting for its deadline anymore."""
MAX_TIME_TO_RETURN = dt.timedelta(hours=12)
"""After a long outage, players need time to notice that the site is back."""


def find_late_deadline(
    schedule: Schedule,
    stage: Stage,
    opens_at: dt.datetime,
    *,
    due_at: dt.datetime,
    key: str,
) -> tuple[Deadline, DeadlineMove | None]:
    """Return the deadline, and the credit if any, of a phase that follows a phase due at `due_at`.

    The deadline counts from `opens_at`, when that phase was actually processed. If that was later
    than the caps tolerate, players get at least as much time as if it had been processed on time,
    even with a calendar.
    """
    opens_at, due_at = to_utc(opens_at, "opens_at"), to_utc(due_at, "due_at")
    regular = find_deadline(schedule, stage, opens_at, first=False)
    late = opens_at - due_at
    if late <= schedule.caps.credit_after:
        return regular, None
    planned = find_deadline(schedule, stage, due_at, first=False)
    extended = deadline_by(schedule, stage, planned.orders_at + late, planned)
    new = max(regular, extended, key=lambda due: (due.orders_at, due.adjudicate_at))
    why = _why(AWAY, due_at, opens_at, schedule.plan.zone)
    return new, DeadlineMove(MoveKind.CREDITED, key, opens_at, late, planned, new, why)


def find_outage_credit(
    timer: Timer,
    *,
    opened_at: dt.datetime,
    away_at: dt.datetime,
    back_at: dt.datetime,
    key: str,
    what: str = AWAY,
    tolerated: dt.timedelta | None = None,
) -> DeadlineMove | None:
    """Return the extension of an open phase after an outage, or None if none is due.

    The reason starts with `what`. No extension is due if the outage was no longer than `tolerated`,
    by default what the caps tolerate, if orders had already closed, or if the phase was ended
    early. Time is credited only once. After the extension, the time left is at least as long as the
    outage, up to twelve hours, because players don't keep checking a page that doesn't load.
    """
    if earlier_move := timer.find_move(key, MoveKind.CREDITED):
        return earlier_move
    ended = [moved.new for moved in timer.moves if moved.kind in _ENDED_AT_ONCE]
    if timer.deadline in ended:
        # The site may have failed just before it could process the phase: orders stay closed.
        return None
    credited = [moved.at for moved in timer.moves if moved.kind is MoveKind.CREDITED]
    away_at = max(to_utc(away_at, "away_at"), to_utc(opened_at, "opened_at"), *credited)
    if (pause := timer.pause_at(away_at)) and pause.at <= away_at:
        # A paused phase loses no time.
        away_at = pause.at + pause.by
    lost = to_utc(back_at, "back_at") - away_at
    if tolerated is None:
        tolerated = timer.schedule.caps.credit_after
    if away_at >= timer.deadline.orders_at or lost <= tolerated:
        return None
    back_at, old = away_at + lost, timer.deadline
    orders_at = max(old.orders_at + lost, back_at + min(lost, MAX_TIME_TO_RETURN))
    new = deadline_by(timer.schedule, timer.stage, orders_at, old)
    by = orders_at - old.orders_at
    why = _why(what, away_at, back_at, timer.schedule.plan.zone, by)
    return DeadlineMove(MoveKind.CREDITED, key, back_at, by, old, new, why)


def _why(
    what: str, start: dt.datetime, end: dt.datetime, zone: str, by: dt.timedelta | None = None
) -> str:
    """Return `The site was down from 10:00 to 14:20 UTC: deadline extended by four hours …`.

    `by` is the extension if it is longer than the outage.
    """
    (first, start_clock), (last, end_clock) = day_and_clock(start, zone), day_and_clock(end, zone)
    if first != last:
        start_clock = f"{format_day(first)}, {start_clock}"
        end_clock = f"{format_day(last)}, {end_clock}"
    where = " UTC" if zone == "UTC" else f", {format_zone(zone)}"
    lost = end - start
    by = by or lost
    extension = spell_duration(by - by % MINUTE if by > MINUTE else by)
    if by > lost:
        return (
            f"{what} from {start_clock} to {end_clock}{where}: deadline extended by {extension}, "
            "so that everyone has time to come back."
        )
    return f"{what} from {start_clock} to {end_clock}{where}: deadline extended by {extension}."
