"""Time given back when the site was away: nobody's time to order is ever shortened."""

import datetime as dt

from diplomaccloud.judge.phases import Stage
from diplomaccloud.schedule.due import Deadline, Schedule, deadline
from diplomaccloud.schedule.local_time import MINUTE, aware
from diplomaccloud.schedule.spans import spelled
from diplomaccloud.schedule.timer import Kind, Moved, Timer, ordered_by
from diplomaccloud.schedule.words import day_and_clock, day_word, zone_time

AWAY = "The site was away"
TO_COME_BACK = dt.timedelta(hours=12)
"""Whoever was sent away for long is not at the table when it opens again."""


def opened_late(
    schedule: Schedule,
    stage: Stage,
    opens_at: dt.datetime,
    *,
    due_at: dt.datetime,
    key: str,
) -> tuple[Deadline, Moved | None]:
    """Return the deadline of a phase that opens after one due at `due_at`, and its credit.

    It counts from `opens_at`, the true time of processing. If that was late by more than the
    caps allow, players have at least as long as if it had been in time, even by a calendar.
    """
    opens_at, due_at = aware(opens_at, "opens_at"), aware(due_at, "due_at")
    fresh = deadline(schedule, stage, opens_at, first=False)
    late = opens_at - due_at
    if late <= schedule.caps.credit_after:
        return fresh, None
    planned = deadline(schedule, stage, due_at, first=False)
    credited = ordered_by(schedule, stage, planned.orders_at + late, planned)
    new = max(fresh, credited, key=lambda one: (one.orders_at, one.adjudicate_at))
    why = _why(AWAY, due_at, opens_at, schedule.plan.zone)
    return new, Moved(Kind.CREDITED, key, opens_at, late, planned, new, why)


def credited(
    timer: Timer,
    *,
    opened_at: dt.datetime,
    away_at: dt.datetime,
    back_at: dt.datetime,
    key: str,
    what: str = AWAY,
) -> Moved | None:
    """Return the credit to an open phase for the time in which nobody could give orders.

    `what` begins its reason. None if that was no longer than the caps allow, or if orders were
    closed before it. Time that was credited before is not credited again. At least as much time
    is left as was lost, up to twelve hours: nobody sits before a page that does not answer.
    """
    if done := timer.said(key, Kind.CREDITED):
        return done
    given = [moved.at for moved in timer.moves if moved.kind is Kind.CREDITED]
    away_at = max(aware(away_at, "away_at"), aware(opened_at, "opened_at"), *given)
    if (pause := timer.pause_at(away_at)) and pause.at <= away_at:
        # A paused phase loses no time.
        away_at = pause.at + pause.by
    lost = aware(back_at, "back_at") - away_at
    if away_at >= timer.deadline.orders_at or lost <= timer.schedule.caps.credit_after:
        return None
    back_at, old = away_at + lost, timer.deadline
    orders_at = max(old.orders_at + lost, back_at + min(lost, TO_COME_BACK))
    new = ordered_by(timer.schedule, timer.stage, orders_at, old)
    by = orders_at - old.orders_at
    why = _why(what, away_at, back_at, timer.schedule.plan.zone, by)
    return Moved(Kind.CREDITED, key, back_at, by, old, new, why)


def _why(
    what: str, start: dt.datetime, end: dt.datetime, zone: str, by: dt.timedelta | None = None
) -> str:
    """Return `The site was away from 10:00 to 14:20 UTC: four hours twenty minutes credited.`.

    `by` is what is credited, if it is more than was lost.
    """
    (first, begun), (last, ended) = day_and_clock(start, zone), day_and_clock(end, zone)
    if first != last:
        begun, ended = f"{day_word(first)}, {begun}", f"{day_word(last)}, {ended}"
    where = " UTC" if zone == "UTC" else f", {zone_time(zone)}"
    lost = end - start
    by = by or lost
    given = spelled(by - by % MINUTE if by > MINUTE else by)
    more = ", for all to come back" if by > lost else ""
    return f"{what} from {begun} to {ended}{where}: {given} credited{more}."
