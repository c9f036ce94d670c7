"""What must hold of every schedule, on plans and instants nobody thought of."""

import datetime as dt
import json
import zoneinfo

from hypothesis import example, given
from hypothesis import strategies as st
from tests.schedule import minute_calendar
from tests.schedule.strategies import (
    DAY,
    NONE,
    STAGES,
    STEADY,
    ZONES,
    calendars,
    instants,
    intervals,
    schedules,
    spans,
)
from tests.schedule.clock_oracle import day_and_span

from diplomaccloud.judge.phases import Stage
from diplomaccloud.schedule import (
    Calendar,
    Clock,
    Interval,
    LaterDay,
    Schedule,
    Weekday,
    WeekTime,
    describe_schedule,
    find_deadline,
    schedule_from_json,
    schedule_to_json,
)

TICK = dt.timedelta(microseconds=1)


@st.composite
def cases(draw, plans=schedules):
    """Return a schedule, a stage, an instant near a change of its clocks, and a later one."""
    zone = draw(ZONES)
    schedule = draw(plans(zone) if plans is schedules else schedules(zone, plans(zone)))
    opens_at = draw(instants(zone))
    return schedule, draw(STAGES), opens_at, opens_at + draw(spans(NONE, 12 * DAY))


def due(schedule, stage, opens_at, *, first=False):
    return find_deadline(schedule, stage, opens_at, first=first)


def of_week(schedule, stage):
    """Return the times of the week of a stage that has them, else None."""
    if isinstance(schedule.plan, Interval):
        return None
    times = schedule.plan.times(stage)
    return None if isinstance(times, dt.timedelta) else times


def days_left_out(plan):
    """Return the time zone of a plan and whether it leaves out a day."""
    if isinstance(plan, Calendar):
        return zoneinfo.ZoneInfo(plan.zone), lambda day: day in plan.holidays
    if plan.days is None:
        return dt.UTC, lambda _day: False
    days = plan.days
    return zoneinfo.ZoneInfo(
        days.zone
    ), lambda day: Weekday.of(day) not in days.weekdays or day in days.holidays


def wall_days(zone, instant):
    """Return the days an instant may be said to be on: its own, and the one that it ends.

    The first minute of a day is still told as 24:00 of the day before, also where clocks go back
    to it. An instant right after a gap is also at every time within the gap.
    """
    shown = instant.astimezone(zone)
    before = (instant.replace(second=0, microsecond=0) - TICK).astimezone(zone).date()
    if (shown.hour, shown.minute) == (0, 0):
        before = min(before, shown.date() - DAY)
    return {before + n * DAY for n in range((shown.date() - before).days + 1)}


def told_day(zone, instant):
    """Return the day that people are told: midnight ends it."""
    return day_and_span(str(zone), instant)[0]


@given(cases(calendars))
@STEADY
def test_a_calendar_agrees_with_looking_at_the_wall_every_minute(case):
    schedule, stage, opens_at, _ = case
    times = of_week(schedule, stage) or schedule.plan.movement
    plan = schedule.plan
    found = plan.next_slot(times, opens_at + plan.least)
    seen = minute_calendar.next_due(
        zoneinfo.ZoneInfo(plan.zone),
        minute_calendar.read(map(str, times)),
        plan.holidays,
        opens_at + plan.least,
    )
    assert found.at == seen
    if of_week(schedule, stage):
        assert due(schedule, stage, opens_at).orders_at == seen


@given(cases(calendars))
@STEADY
def test_a_later_opening_never_gives_an_earlier_time_of_the_week(case):
    schedule, _, early, late = case
    one, two = due(schedule, Stage.MOVEMENT, early), due(schedule, Stage.MOVEMENT, late)
    assert one.orders_at <= two.orders_at
    if isinstance(schedule.plan.adjudication, LaterDay):
        assert one.adjudicate_at <= two.adjudicate_at


@given(cases(intervals))
@STEADY
def test_a_later_opening_never_gives_an_earlier_day(case):
    schedule, stage, early, late = case
    zone, _ = days_left_out(schedule.plan)
    one, two = (due(schedule, stage, at).orders_at for at in (early, late))
    assert told_day(zone, one) <= told_day(zone, two)
    if schedule.plan.days is None:
        assert two - one == late - early


@given(cases())
@STEADY
def test_nobody_has_less_than_the_schedule_promises(case):
    schedule, stage, opens_at, _ = case
    found = due(schedule, stage, opens_at)
    assert opens_at < found.orders_at <= found.adjudicate_at
    if of_week(schedule, stage):
        assert found.orders_at > opens_at + schedule.plan.least
    else:
        plan = schedule.plan
        length = plan.lengths.of(stage) if isinstance(plan, Interval) else plan.times(stage)
        zone, left_out = days_left_out(plan)
        assert found.orders_at >= opens_at + length
        if not left_out(told_day(zone, opens_at + length)):
            assert found.orders_at == opens_at + length


@given(cases())
@STEADY
def test_the_opening_lengthens_the_first_turn_alone(case):
    schedule, stage, opens_at, _ = case
    usual, first = (due(schedule, stage, opens_at, first=one) for one in (False, True))
    if stage is Stage.MOVEMENT:
        zone, _ = days_left_out(schedule.plan)
        days = [told_day(zone, one.orders_at) for one in (usual, first)]
        assert days == sorted(days)
        assert first.orders_at > opens_at + schedule.opening
    else:
        assert first == usual


HAVANA = Calendar(
    "America/Havana",
    frozenset({WeekTime(Weekday.MONDAY, Clock(0))}),
    retreats=dt.timedelta(seconds=60),
    adjustments=dt.timedelta(hours=1),
    adjudication=LaterDay(0, Clock(1440)),
    holidays=frozenset({dt.date(2026, 11, 1)}),
    least=dt.timedelta(0),
)
"""On its holiday clocks go from 01:00 back to 00:00, and show midnight twice."""

BEFORE_IT_GOES_BACK = dt.datetime(2026, 11, 1, 4, 59, 59, tzinfo=dt.UTC)


@given(cases())
@example((Schedule(HAVANA), Stage.RETREATS, BEFORE_IT_GOES_BACK, BEFORE_IT_GOES_BACK))
@STEADY
def test_no_deadline_falls_on_a_day_left_out(case):
    schedule, stage, opens_at, _ = case
    zone, left_out = days_left_out(schedule.plan)
    found = due(schedule, stage, opens_at).orders_at
    assert not all(left_out(day) for day in wall_days(zone, found))


@given(cases(calendars))
@STEADY
def test_a_calendar_is_due_when_its_clock_says_so_or_at_the_end_of_a_gap(case):
    schedule, _, opens_at, _ = case
    plan, found = schedule.plan, due(schedule, Stage.MOVEMENT, opens_at).orders_at
    zone = zoneinfo.ZoneInfo(plan.zone)
    shown = found.astimezone(zone).replace(tzinfo=None)
    midnights = [dt.datetime.combine(day, dt.time()) for day in wall_days(zone, found)]
    walls = [
        midnight + time.clock.span
        for midnight in [*midnights, midnights[0] - DAY]
        for time in plan.movement
        if time.day is Weekday.of(midnight) and midnight.date() not in plan.holidays
    ]
    before = (found - dt.timedelta(seconds=1)).astimezone(zone).replace(tzinfo=None)
    assert any(before < wall <= shown for wall in walls)


@given(cases())
@STEADY
def test_everything_is_in_utc(case):
    schedule, stage, opens_at, _ = case
    found = due(schedule, stage, opens_at.astimezone(zoneinfo.ZoneInfo("Asia/Kathmandu")))
    assert found == due(schedule, stage, opens_at)
    assert found.orders_at.tzinfo is dt.UTC
    assert found.adjudicate_at.tzinfo is dt.UTC
    assert found.exact is not schedule.early


@given(cases())
@STEADY
def test_json_and_back_is_the_same_schedule(case):
    schedule = case[0]
    data = schedule_to_json(schedule)
    assert schedule_from_json(json.loads(json.dumps(data))) == schedule
    assert json.dumps(data) == json.dumps(schedule_to_json(schedule_from_json(data)))


@given(cases())
@STEADY
def test_every_schedule_has_words(case):
    schedule: Schedule = case[0]
    words = describe_schedule(schedule)
    assert words.isprintable()
    assert words.endswith(".")
    assert "  " not in words
