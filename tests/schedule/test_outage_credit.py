"""Outages and late processing extend deadlines; players never lose time to order."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.schedule.strategies import (
    DAY,
    NONE,
    STAGES,
    STEADY,
    ZONES,
    instants,
    schedules,
    spans,
)

from diplomaccloud.judge.phases import Stage
from diplomaccloud.schedule import (
    PRESETS,
    Days,
    Interval,
    Lengths,
    MoveKind,
    Schedule,
    Timer,
    Weekday,
    end_early,
    end_now,
    extend,
    find_deadline,
    find_late_deadline,
    find_outage_credit,
    pause_phase,
    resume_phase,
)
from diplomaccloud.schedule.timer import deadline_after_pause

MINUTE, HOUR = dt.timedelta(minutes=1), dt.timedelta(hours=1)
M = Stage.MOVEMENT
INVITATION = PRESETS["invitation"].schedule
PLAIN = Schedule(Interval(Lengths(DAY, DAY, DAY)))
GM = "the game master"


def utc(text):
    return dt.datetime.fromisoformat(text).replace(tzinfo=dt.UTC)


def late(schedule, due_at, opens_at, stage=M):
    return find_late_deadline(schedule, stage, utc(opens_at), due_at=utc(due_at), key="late")


@pytest.mark.parametrize(
    ("schedule", "due_at", "opens_at", "orders_at", "adjudicate_at", "why"),
    [
        pytest.param(PLAIN, "2026-03-02 10:00", "2026-03-02 14:20", "2026-03-03 14:20",
                     "2026-03-03 14:20",
                     "The site was down from 10:00 to 14:20 UTC: "
                     "deadline extended by four hours twenty minutes.",
                     id="an interval counts from the actual time"),
        pytest.param(INVITATION, "2026-02-26 20:30", "2026-02-27 00:50", "2026-03-02 12:20",
                     "2026-03-02 20:30",
                     "The site was down from 12:30 to 16:50, Los Angeles time: "
                     "deadline extended by four hours twenty minutes.",
                     id="a time of the week moves by the outage, its results do not"),
        pytest.param(INVITATION, "2026-02-26 20:30", "2026-02-28 20:30", "2026-03-04 08:00",
                     "2026-03-04 20:30",
                     "The site was down from Thursday, February 26, 12:30 to Saturday, "
                     "February 28, 12:30, Los Angeles time: deadline extended by two days.",
                     id="two days"),
        pytest.param(INVITATION, "2026-02-26 20:30", "2026-03-02 07:30", "2026-03-05 19:00",
                     "2026-03-05 20:30",
                     "The site was down from Thursday, February 26, 12:30 to Sunday, March 1, "
                     "23:30, Los Angeles time: deadline extended by three days eleven hours.",
                     id="half an hour before the planned deadline"),
        pytest.param(PLAIN, "2026-03-02 10:00", "2026-03-02 10:05:01.5", "2026-03-03 10:05:01.5",
                     "2026-03-03 10:05:01.5",
                     "The site was down from 10:00 to 10:05 UTC: "
                     "deadline extended by five minutes.",
                     id="the text leaves out the seconds, the deadline does not"),
    ],
)  # fmt: skip
def test_late_processing_is_credited(schedule, due_at, opens_at, orders_at, adjudicate_at, why):
    deadline, moved = late(schedule, due_at, opens_at)
    assert deadline.orders_at == utc(orders_at)
    assert deadline.adjudicate_at == utc(adjudicate_at)
    assert (moved.kind, moved.new, moved.why) == (MoveKind.CREDITED, deadline, why)
    assert moved.by == utc(opens_at) - utc(due_at)


def test_a_short_delay_is_not_credited():
    deadline, moved = late(INVITATION, "2026-02-26 20:30", "2026-02-26 20:35")
    assert moved is None
    assert deadline.orders_at == utc("2026-03-02 08:00")


OPENED = utc("2026-03-02 10:00")


def open_timer(schedule=PLAIN):
    return Timer(schedule, M, find_deadline(schedule, M, OPENED, first=False))


@pytest.mark.parametrize(
    ("away", "back", "by"),
    [
        pytest.param(3 * HOUR, 5 * HOUR, 2 * HOUR, id="while the phase was open"),
        pytest.param(16 * HOUR, 30 * HOUR, 18 * HOUR, id="past its deadline"),
        pytest.param(23 * HOUR, 25 * HOUR, 3 * HOUR, id="at least as long as the outage"),
        pytest.param(
            23 * HOUR, 23.5 * HOUR, 0.5 * HOUR, id="not more than the outage if enough time is left"
        ),
        pytest.param(-5 * HOUR, 2 * HOUR, 2 * HOUR, id="only from when the phase opened"),
        pytest.param(3 * HOUR, 3 * HOUR + 5 * MINUTE, NONE, id="too short to count"),
        pytest.param(24 * HOUR, 30 * HOUR, NONE, id="after orders closed"),
    ],
)
def test_an_outage_is_credited_to_the_open_phase(away, back, by):
    timer = open_timer()
    moved = find_outage_credit(
        timer, opened_at=OPENED, away_at=OPENED + away, back_at=OPENED + back, key="outage 1"
    )
    if not by:
        assert moved is None
        return
    assert moved.new.orders_at == OPENED + DAY + by
    again = timer.after(moved)
    assert (
        find_outage_credit(again, opened_at=OPENED, away_at=OPENED, back_at=OPENED, key="outage 1")
        is moved
    )


def test_the_credit_is_longer_than_the_outage_if_little_time_was_left():
    moved = find_outage_credit(
        open_timer(),
        opened_at=OPENED,
        away_at=OPENED + 23 * HOUR,
        back_at=OPENED + 48 * HOUR,
        key="outage 1",
    )
    assert moved.new.orders_at == OPENED + 60 * HOUR
    assert moved.why == (
        "The site was down from Tuesday, March 3, 09:00 to Wednesday, March 4, 10:00 UTC: "
        "deadline extended by one day twelve hours, so that everyone has time to come back."
    )


def test_overlapping_outages_are_credited_once():
    timer = open_timer()
    suspension = find_outage_credit(
        timer,
        opened_at=OPENED,
        away_at=OPENED + HOUR,
        back_at=OPENED + 5 * HOUR,
        key="after suspension 1",
    )
    outage = find_outage_credit(
        timer.after(suspension),
        opened_at=OPENED,
        away_at=OPENED + 4 * HOUR,
        back_at=OPENED + 7 * HOUR,
        key="outage 1",
    )
    assert outage.new.orders_at == OPENED + DAY + 6 * HOUR


@pytest.mark.parametrize("forced", [False, True], ids=["all are ready", "forced"])
def test_a_phase_that_ended_early_stays_closed(forced):
    """The site failed before it processed the phase, just after it was last seen."""
    timer, ended = open_timer(), OPENED + 2 * HOUR
    move = (
        end_now(timer, key="f", decided_by=GM, now=ended)
        if forced
        else end_early(timer, key="ready", now=ended)
    )
    away = {"opened_at": OPENED, "away_at": ended - dt.timedelta(seconds=2), "key": "outage"}
    assert find_outage_credit(timer, back_at=ended + HOUR, **away)
    assert find_outage_credit(timer.after(move), back_at=ended + HOUR, **away) is None


def test_a_paused_phase_loses_no_time():
    timer = open_timer()
    timer = timer.after(pause_phase(timer, 4 * HOUR, key="p", decided_by=GM, now=OPENED + HOUR))
    away = {"opened_at": OPENED, "away_at": OPENED + 2 * HOUR, "key": "outage"}
    assert find_outage_credit(timer, back_at=OPENED + 4 * HOUR, **away) is None
    moved = find_outage_credit(timer, back_at=OPENED + 8 * HOUR, **away)
    assert moved.new.orders_at == OPENED + DAY + (4 + 3) * HOUR


def test_a_credit_during_a_pause_remains_after_it():
    timer = open_timer()
    timer = timer.after(pause_phase(timer, DAY, key="p", decided_by=GM, now=OPENED + 3 * HOUR))
    moved = find_outage_credit(
        timer, opened_at=OPENED, away_at=OPENED + HOUR, back_at=OPENED + 2 * HOUR, key="outage"
    )
    timer = timer.after(moved)
    end = resume_phase(timer, key="r", decided_by=GM, now=OPENED + 5 * HOUR)
    assert end.new.orders_at == OPENED + DAY + (1 + 2) * HOUR


@st.composite
def cases(draw):
    zone = draw(ZONES)
    return draw(schedules(zone)), draw(STAGES), draw(instants(zone)), draw(spans(NONE, 5 * DAY))


@given(cases())
@STEADY
def test_late_processing_never_shortens_the_time_to_order(case):
    schedule, stage, due_at, lost = case
    opens_at = due_at + lost
    planned = find_deadline(schedule, stage, due_at, first=False)
    fresh = find_deadline(schedule, stage, opens_at, first=False)
    deadline, moved = find_late_deadline(schedule, stage, opens_at, due_at=due_at, key="k")
    assert deadline.orders_at >= fresh.orders_at
    if lost > schedule.caps.credit_after:
        assert deadline.orders_at - opens_at >= planned.orders_at - due_at
        assert (moved.old, moved.new) == (planned, deadline)
    else:
        assert (deadline, moved) == (fresh, None)


@given(cases(), st.data())
@STEADY
def test_resuming_never_shortens_the_time_to_order(case, data):
    schedule, stage, opens_at, lasted = case
    old = find_deadline(schedule, stage, opens_at, first=False)
    paused_at = opens_at + data.draw(spans(NONE, old.adjudicate_at - opens_at))
    new = deadline_after_pause(schedule, stage, old, paused_at, paused_at + lasted)
    if paused_at >= old.orders_at:
        assert new.orders_at == old.orders_at
        assert new.adjudicate_at == max(old.adjudicate_at, paused_at + lasted)
    else:
        assert new.orders_at - (paused_at + lasted) >= old.orders_at - paused_at
    later = deadline_after_pause(schedule, stage, old, paused_at, paused_at + lasted + HOUR)
    if not (isinstance(schedule.plan, Interval) and schedule.plan.days):
        assert later.adjudicate_at >= new.adjudicate_at >= old.adjudicate_at


@given(cases(), st.data())
@STEADY
def test_an_extension_counts_once(case, data):
    schedule, stage, opens_at, _ = case
    first = Timer(schedule, stage, find_deadline(schedule, stage, opens_at, first=False))
    cap = min(schedule.caps.extension, schedule.caps.extensions)
    if cap < HOUR:
        return
    by = data.draw(spans(HOUR, cap))
    moved = extend(first, by, key="k", decided_by=GM, now=opens_at)
    assert moved.new.orders_at > first.deadline.orders_at
    # A local day is shorter than 24 hours when clocks go forward, by a whole day in Apia.
    short = by - (moved.new.orders_at - moved.old.orders_at)
    assert short <= (DAY if by >= DAY else NONE)
    once = first.after(moved)
    assert once.after(extend(once, by, key="k", decided_by=GM, now=opens_at)) == once


def test_a_credit_skips_the_days_that_the_schedule_excludes():
    sundays = Days("UTC", frozenset([Weekday.SUNDAY]))
    schedule = Schedule(Interval(Lengths(DAY, DAY, DAY), sundays))
    deadline, _ = late(schedule, "2026-03-06 12:00", "2026-03-08 12:00")
    assert deadline.orders_at == utc("2026-03-15 12:00")
