"""Compare deadlines and their moves with an oracle that reads the clock every minute."""

import datetime as dt

from hypothesis import given
from hypothesis import strategies as st
from tests.schedule import clock_oracle as oracle
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
"""Whole hours, because random seconds never hit midnight."""


@st.composite
def cases(draw, plans=None):
    zone = draw(ZONES)
    schedule = draw(schedules(zone, plans(zone) if plans else None))
    opens_at = draw(instants(zone))
    if draw(st.booleans()):
        opens_at = opens_at.replace(minute=0, second=draw(st.sampled_from([0, 3])), microsecond=0)
    return schedule, draw(STAGES), opens_at


def find_allowed_days(plan):
    """Return the zone of a plan, and a function that says whether the plan allows a day."""
    if isinstance(plan, Interval):
        if plan.days is None:
            return "UTC", lambda _day: True
        weekdays = set(map(str, plan.days.weekdays))
        off = plan.days.holidays
        return (
            plan.days.zone,
            lambda day: oracle.NAMES[day.weekday()] in weekdays and day not in off,
        )
    return plan.zone, lambda day: day not in plan.holidays


def times_of(plan, stage):
    """Return a stage's times of the week in the form the oracle needs, or its length."""
    if isinstance(plan, Interval):
        return plan.lengths.of(stage)
    times = plan.times(stage)
    if isinstance(times, dt.timedelta):
        return times
    return frozenset((str(time.day), time.clock.minute) for time in times)


def find_adjudication(plan, stage, orders_at, day):
    if stage is not Stage.MOVEMENT or isinstance(plan, Interval):
        return orders_at
    if isinstance(later := plan.adjudication, LaterDay):
        on = day + later.days * DAY
        return max(orders_at, oracle.first_shown(plan.zone, on, later.clock.minute))
    return orders_at + later


def due(schedule, stage, opens_at, *, first=False):
    """Return when orders close and when they are adjudicated, according to the oracle."""
    plan, times = schedule.plan, times_of(schedule.plan, stage)
    zone, allowed = find_allowed_days(plan)
    opening = schedule.opening if first and stage is Stage.MOVEMENT else NONE
    if isinstance(times, dt.timedelta):
        if not isinstance(plan, Interval):
            opening = NONE
        orders_at = oracle.on_allowed_day(zone, opens_at + opening + times, allowed)
        return orders_at, orders_at
    after = opens_at + max(opening, plan.least)
    orders_at, day = oracle.next_of_week(zone, times, plan.holidays, after)
    return orders_at, find_adjudication(plan, stage, orders_at, day)


def postpone(schedule, stage, orders_at, old):
    """Return both times if orders close at `orders_at` or on the next allowed day."""
    plan = schedule.plan
    zone, allowed = find_allowed_days(plan)
    orders_at = max(oracle.on_allowed_day(zone, orders_at, allowed), old.orders_at)
    late = orders_at
    if stage is Stage.MOVEMENT and not isinstance(plan, Interval):
        if isinstance(later := plan.adjudication, LaterDay):
            earliest = max(orders_at, old.adjudicate_at)
            late = oracle.next_clock(zone, later.clock.minute, earliest)
        else:
            late = orders_at + later
    return orders_at, max(late, old.adjudicate_at)


def both_times(deadline: Deadline):
    return deadline.orders_at, deadline.adjudicate_at


def timer_of(schedule, stage, opens_at):
    generous = type(schedule)(
        schedule.plan, schedule.early, schedule.opening, schedule.grace, GENEROUS
    )
    deadline = find_deadline(generous, stage, opens_at, first=False)
    return Timer(generous, stage, deadline)


@given(cases(), st.booleans())
@STEADY
def test_deadlines_match_the_oracle(case, first):
    schedule, stage, opens_at = case
    deadline = find_deadline(schedule, stage, opens_at, first=first)
    assert both_times(deadline) == due(schedule, stage, opens_at, first=first)


@given(cases(), spans(MINUTE, 15 * DAY) | st.integers(1, 9).map(lambda days: days * DAY))
@STEADY
def test_an_extension_counts_calendar_days(case, by):
    schedule, stage, opens_at = case
    timer = timer_of(schedule, stage, opens_at)
    old = timer.deadline
    moved = extend(timer, by, key="k", decided_by="us", now=opens_at)
    if isinstance(schedule.plan, Interval):
        extended_at = old.orders_at + by
    else:
        days, rest = divmod(by, DAY)
        extended_at = oracle.days_later(schedule.plan.zone, old.orders_at, days) + rest
    assert both_times(moved.new) == postpone(schedule, stage, extended_at, old)


@given(cases(), spans(MINUTE, 20 * DAY) | ON_THE_HOUR.filter(bool).map(abs), st.floats(0, 0.99))
@STEADY
def test_a_pause_preserves_the_time_left(case, length, part):
    schedule, stage, opens_at = case
    timer = timer_of(schedule, stage, opens_at)
    old = timer.deadline
    now = opens_at + dt.timedelta(seconds=int((old.orders_at - opens_at).total_seconds() * part))
    timer = timer.after(pause_phase(timer, 90 * DAY, key="p", decided_by="us", now=now))
    back = min(now + length, now + 89 * DAY)
    resumed = resume_phase(timer, key="r", decided_by="us", now=back).new
    left = old.orders_at - now
    times = times_of(schedule.plan, stage)
    if isinstance(times, dt.timedelta):
        assert both_times(resumed) == postpone(schedule, stage, back + left, old)
        return
    earliest = max(back + left, old.orders_at) - dt.timedelta(microseconds=1)
    plan = schedule.plan
    orders_at, day = oracle.next_of_week(plan.zone, times, plan.holidays, earliest)
    late = find_adjudication(plan, stage, orders_at, day)
    assert both_times(resumed) == (orders_at, max(late, old.adjudicate_at))


@given(cases(), spans(6 * MINUTE, 20 * DAY))
@STEADY
def test_an_outage_costs_players_no_time(case, late):
    schedule, stage, opens_at = case
    schedule = timer_of(schedule, stage, opens_at).schedule
    due_at = opens_at - late
    deadline, moved = find_late_deadline(schedule, stage, opens_at, due_at=due_at, key="k")
    in_time = due(schedule, stage, due_at)
    if late <= schedule.caps.credit_after:
        assert moved is None
        assert both_times(deadline) == due(schedule, stage, opens_at)
        return
    planned = Deadline(*in_time, exact=True)
    extended = postpone(schedule, stage, planned.orders_at + late, planned)
    assert both_times(deadline) == max(due(schedule, stage, opens_at), extended)
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
    assert both_times(moved.new) == postpone(lenient, stage, old.orders_at + by, old)


@given(cases())
@STEADY
def test_no_deadline_is_shown_on_an_excluded_day(case):
    schedule, stage, opens_at = case
    zone, allowed = find_allowed_days(schedule.plan)
    orders_at = find_deadline(schedule, stage, opens_at, first=False).orders_at
    day, _ = oracle.day_and_span(zone, orders_at)
    # If clocks skip a whole day, its times are due where it would have ended.
    assert allowed(day) or any(
        allowed(other) and oracle.first_shown(zone, other, 0) == orders_at
        for other in (day + DAY, day + 2 * DAY)
    )
    assert format_instant(orders_at, zone).split(", ")[1].split()[1] == str(day.day)


@given(cases(calendars))
@STEADY
def test_turns_processed_at_their_deadlines_stay_on_the_times_of_the_week(case):
    schedule, _, opens_at = case
    times = times_of(schedule.plan, Stage.MOVEMENT)
    for _ in range(6):
        deadline = find_deadline(schedule, Stage.MOVEMENT, opens_at, first=False)
        day, span = oracle.day_and_span(schedule.plan.zone, deadline.orders_at)
        names = {(oracle.NAMES[day.weekday()], span // MINUTE)}
        names.add((oracle.NAMES[(day + DAY).weekday()], span // MINUTE - 1440))
        shifted = oracle.local_time(schedule.plan.zone, deadline.orders_at - MINUTE)
        in_gap = (
            oracle.local_time(schedule.plan.zone, deadline.orders_at) - shifted
            > MINUTE  # clocks jumped here
        )
        assert in_gap or names & times
        assert deadline.orders_at > opens_at + schedule.plan.least
        opens_at = deadline.adjudicate_at
