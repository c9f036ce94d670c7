"""Whole deadlines, and what moves them, against an oracle that looks at the clock every minute."""

import datetime as dt

from hypothesis import given
from hypothesis import strategies as st
from tests.schedule import clock_oracle as walk
from tests.schedule.strategies import (
    DAY,
    MINUTE,
    NONE,
    STAGES,
    STEADY,
    ZONES,
    calendars,
    instants,
    schedules,
    spans,
)

from diplomaccloud.judge.phases import Stage
from diplomaccloud.schedule import (
    Caps,
    Deadline,
    Interval,
    LaterDay,
    Timer,
    extend,
    find_deadline,
    find_grace,
    find_late_deadline,
    format_instant,
    pause_phase,
    resume_phase,
)

HOUR = dt.timedelta(hours=1)
GENEROUS = Caps(90 * DAY, 90 * DAY, 90 * DAY, 90 * DAY)
ON_THE_HOUR = st.integers(-20 * 24, 20 * 24).map(lambda hours: hours * HOUR)
"""Far from whole seconds at random, which never meet midnight."""


@st.composite
def cases(draw, plans=None):
    zone = draw(ZONES)
    schedule = draw(schedules(zone, plans(zone) if plans else None))
    opens_at = draw(instants(zone))
    if draw(st.booleans()):
        opens_at = opens_at.replace(minute=0, second=draw(st.sampled_from([0, 3])), microsecond=0)
    return schedule, draw(STAGES), opens_at


def allowed_by(plan):
    """Return the zone of a plan and which of its days are not left out."""
    if isinstance(plan, Interval):
        if plan.days is None:
            return "UTC", lambda _day: True
        weekdays = set(map(str, plan.days.weekdays))
        off = plan.days.holidays
        return plan.days.zone, lambda day: walk.NAMES[day.weekday()] in weekdays and day not in off
    return plan.zone, lambda day: day not in plan.holidays


def times_of(plan, stage):
    """Return the plan's times of the week for a stage as the oracle takes them, or its length."""
    if isinstance(plan, Interval):
        return plan.lengths.of(stage)
    times = plan.times(stage)
    if isinstance(times, dt.timedelta):
        return times
    return frozenset((str(one.day), one.clock.minute) for one in times)


def adjudicated(plan, stage, orders_at, day):
    if stage is not Stage.MOVEMENT or isinstance(plan, Interval):
        return orders_at
    if isinstance(later := plan.adjudication, LaterDay):
        on = day + later.days * DAY
        return max(orders_at, walk.first_shown(plan.zone, on, later.clock.minute))
    return orders_at + later


def due(schedule, stage, opens_at, *, first=False):
    """Return when orders close and when they are adjudicated, by looking at the clock."""
    plan, times = schedule.plan, times_of(schedule.plan, stage)
    zone, allowed = allowed_by(plan)
    opening = schedule.opening if first and stage is Stage.MOVEMENT else NONE
    if isinstance(times, dt.timedelta):
        if not isinstance(plan, Interval):
            opening = NONE
        orders_at = walk.on_allowed_day(zone, opens_at + opening + times, allowed)
        return orders_at, orders_at
    after = opens_at + max(opening, plan.least)
    orders_at, day = walk.next_of_week(zone, times, plan.holidays, after)
    return orders_at, adjudicated(plan, stage, orders_at, day)


def put_off(schedule, stage, orders_at, old):
    """Return both times once orders close at `orders_at` or on the next allowed day."""
    plan = schedule.plan
    zone, allowed = allowed_by(plan)
    orders_at = max(walk.on_allowed_day(zone, orders_at, allowed), old.orders_at)
    late = orders_at
    if stage is Stage.MOVEMENT and not isinstance(plan, Interval):
        if isinstance(later := plan.adjudication, LaterDay):
            earliest = max(orders_at, old.adjudicate_at)
            late = walk.next_clock(zone, later.clock.minute, earliest)
        else:
            late = orders_at + later
    return orders_at, max(late, old.adjudicate_at)


def both(found: Deadline):
    return found.orders_at, found.adjudicate_at


def timer_of(schedule, stage, opens_at):
    generous = type(schedule)(
        schedule.plan, schedule.early, schedule.opening, schedule.grace, GENEROUS
    )
    found = find_deadline(generous, stage, opens_at, first=False)
    return Timer(generous, stage, found)


@given(cases(), st.booleans())
@STEADY
def test_a_phase_is_due_when_the_clock_says_so(case, first):
    schedule, stage, opens_at = case
    found = find_deadline(schedule, stage, opens_at, first=first)
    assert both(found) == due(schedule, stage, opens_at, first=first)


@given(cases(), spans(MINUTE, 15 * DAY) | st.integers(1, 9).map(lambda days: days * DAY))
@STEADY
def test_more_time_counts_whole_days_on_the_wall(case, by):
    schedule, stage, opens_at = case
    timer = timer_of(schedule, stage, opens_at)
    old = timer.deadline
    moved = extend(timer, by, key="k", decided_by="us", now=opens_at)
    if isinstance(schedule.plan, Interval):
        wanted = old.orders_at + by
    else:
        days, rest = divmod(by, DAY)
        wanted = walk.days_later(schedule.plan.zone, old.orders_at, days) + rest
    assert both(moved.new) == put_off(schedule, stage, wanted, old)


@given(cases(), spans(MINUTE, 20 * DAY) | ON_THE_HOUR.filter(bool).map(abs), st.floats(0, 0.99))
@STEADY
def test_a_pause_leaves_as_much_time_as_there_was(case, length, part):
    schedule, stage, opens_at = case
    timer = timer_of(schedule, stage, opens_at)
    old = timer.deadline
    now = opens_at + dt.timedelta(seconds=int((old.orders_at - opens_at).total_seconds() * part))
    timer = timer.after(pause_phase(timer, 90 * DAY, key="p", decided_by="us", now=now))
    back = min(now + length, now + 89 * DAY)
    found = resume_phase(timer, key="r", decided_by="us", now=back).new
    left = old.orders_at - now
    times = times_of(schedule.plan, stage)
    if isinstance(times, dt.timedelta):
        assert both(found) == put_off(schedule, stage, back + left, old)
        return
    enough = max(back + left, old.orders_at) - dt.timedelta(microseconds=1)
    plan = schedule.plan
    orders_at, day = walk.next_of_week(plan.zone, times, plan.holidays, enough)
    late = adjudicated(plan, stage, orders_at, day)
    assert both(found) == (orders_at, max(late, old.adjudicate_at))


@given(cases(), spans(6 * MINUTE, 20 * DAY))
@STEADY
def test_an_outage_takes_no_time_from_anybody(case, late):
    schedule, stage, opens_at = case
    schedule = timer_of(schedule, stage, opens_at).schedule
    due_at = opens_at - late
    found, moved = find_late_deadline(schedule, stage, opens_at, due_at=due_at, key="k")
    in_time = due(schedule, stage, due_at)
    if late <= schedule.caps.credit_after:
        assert moved is None
        assert both(found) == due(schedule, stage, opens_at)
        return
    planned = Deadline(*in_time, exact=True)
    given_back = put_off(schedule, stage, planned.orders_at + late, planned)
    assert both(found) == max(due(schedule, stage, opens_at), given_back)
    assert moved is not None
    assert moved.by == late


@given(cases(), spans(MINUTE, 3 * DAY))
@STEADY
def test_grace_counts_from_the_deadline(case, by):
    schedule, stage, opens_at = case
    timer = timer_of(schedule, stage, opens_at)
    old = timer.deadline
    lenient = type(schedule)(schedule.plan, schedule.early, schedule.opening, by)
    moved = find_grace(
        Timer(lenient, stage, old), missing=["Italy"], spent=[], key="g", now=old.orders_at
    )
    assert both(moved.new) == put_off(lenient, stage, old.orders_at + by, old)


@given(cases())
@STEADY
def test_no_deadline_is_told_for_a_day_left_out(case):
    schedule, stage, opens_at = case
    zone, allowed = allowed_by(schedule.plan)
    found = find_deadline(schedule, stage, opens_at, first=False).orders_at
    day, _ = walk.day_and_span(zone, found)
    # A time of a day that its clocks skip comes as that day would have ended.
    assert allowed(day) or any(
        allowed(other) and walk.first_shown(zone, other, 0) == found
        for other in (day + DAY, day + 2 * DAY)
    )
    assert format_instant(found, zone).split()[1] == str(day.day)


@given(cases(calendars))
@STEADY
def test_turn_after_turn_at_the_latest_keeps_to_the_times_of_the_week(case):
    schedule, _, opens_at = case
    times = times_of(schedule.plan, Stage.MOVEMENT)
    for _ in range(6):
        found = find_deadline(schedule, Stage.MOVEMENT, opens_at, first=False)
        day, span = walk.day_and_span(schedule.plan.zone, found.orders_at)
        names = {(walk.NAMES[day.weekday()], span // MINUTE)}
        names.add((walk.NAMES[(day + DAY).weekday()], span // MINUTE - 1440))
        shifted = walk.wall(schedule.plan.zone, found.orders_at - MINUTE)
        in_gap = (
            walk.wall(schedule.plan.zone, found.orders_at) - shifted > MINUTE  # clocks jumped here
        )
        assert in_gap or names & times
        assert found.orders_at > opens_at + schedule.plan.least
        opens_at = found.adjudicate_at
