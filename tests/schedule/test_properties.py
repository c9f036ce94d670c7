"""Properties of every schedule, on random plans and instants."""

import datetime as dt
import json
import zoneinfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.schedule import minute_calendar
from tests.schedule.clock_oracle import day_and_span
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

pytestmark = pytest.mark.long

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


def times_of_week(schedule, stage):
    """Return the times of the week of a stage, or `None` if it has none."""
    if isinstance(schedule.plan, Interval):
        return None
    times = schedule.plan.times(stage)
    return None if isinstance(times, dt.timedelta) else times


def find_excluded_days(plan):
    """Return the time zone of a plan, and a function that says whether the plan excludes a day."""
    if isinstance(plan, Calendar):
        return zoneinfo.ZoneInfo(plan.zone), lambda day: day in plan.holidays
    if plan.days is None:
        return dt.UTC, lambda _day: False
    days = plan.days
    return zoneinfo.ZoneInfo(
        days.zone
    ), lambda day: Weekday.of(day) not in days.weekdays or day in days.holidays


def wall_days(zone, instant):
    """Return the days that an instant may count as: its own, and the day that it ends.

    Pages still show the first minute of a day as 24:00 of the day before, even if clocks go back
    to it. An instant right after a gap also counts as every time within the gap.
    """
    shown = instant.astimezone(zone)
    before = (instant.replace(second=0, microsecond=0) - TICK).astimezone(zone).date()
    if (shown.hour, shown.minute) == (0, 0):
        before = min(before, shown.date() - DAY)
    return {before + n * DAY for n in range((shown.date() - before).days + 1)}


def shown_day(zone, instant):
    """Return the day that pages show: it ends at midnight."""
    return day_and_span(str(zone), instant)[0]


@given(cases(calendars))
@STEADY
def test_a_calendar_agrees_with_reading_the_clock_every_minute(case):
    schedule, stage, opens_at, _ = case
    times = times_of_week(schedule, stage) or schedule.plan.movement
    plan = schedule.plan
    orders_at, _ = plan.next_due(stage, times, opens_at + plan.least)
    expected = minute_calendar.next_due(
        zoneinfo.ZoneInfo(plan.zone),
        minute_calendar.parse_times(map(str, times)),
        plan.holidays,
        opens_at + plan.least,
    )
    assert orders_at == expected
    if times_of_week(schedule, stage):
        assert due(schedule, stage, opens_at).orders_at == expected


@given(cases(calendars))
@STEADY
def test_a_later_opening_never_gives_an_earlier_time_of_the_week(case):
    schedule, _, early, late = case
    first, second = due(schedule, Stage.MOVEMENT, early), due(schedule, Stage.MOVEMENT, late)
    assert first.orders_at <= second.orders_at
    if isinstance(schedule.plan.adjudication, LaterDay):
        assert first.adjudicate_at <= second.adjudicate_at


@given(cases(intervals))
@STEADY
def test_a_later_opening_never_gives_an_earlier_day(case):
    schedule, stage, early, late = case
    zone, _ = find_excluded_days(schedule.plan)
    first, second = (due(schedule, stage, at).orders_at for at in (early, late))
    assert shown_day(zone, first) <= shown_day(zone, second)
    if schedule.plan.days is None:
        assert second - first == late - early


@given(cases())
@STEADY
def test_players_have_at_least_the_time_that_the_schedule_promises(case):
    schedule, stage, opens_at, _ = case
    deadline = due(schedule, stage, opens_at)
    assert opens_at < deadline.orders_at <= deadline.adjudicate_at
    if times_of_week(schedule, stage):
        assert deadline.orders_at > opens_at + schedule.plan.least
    else:
        plan = schedule.plan
        length = plan.lengths.of(stage) if isinstance(plan, Interval) else plan.times(stage)
        zone, is_excluded = find_excluded_days(plan)
        assert deadline.orders_at >= opens_at + length
        if not is_excluded(shown_day(zone, opens_at + length)):
            assert deadline.orders_at == opens_at + length


@given(cases())
@STEADY
def test_the_opening_lengthens_only_the_first_turn(case):
    schedule, stage, opens_at, _ = case
    usual, first = (due(schedule, stage, opens_at, first=is_first) for is_first in (False, True))
    if stage is Stage.MOVEMENT:
        zone, _ = find_excluded_days(schedule.plan)
        days = [shown_day(zone, deadline.orders_at) for deadline in (usual, first)]
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
    holidays=frozenset({dt.date(2025, 11, 2)}),
    least=dt.timedelta(0),
)
"""On its holiday, clocks go back from 01:00 to 00:00 and show midnight twice."""

BEFORE_IT_GOES_BACK = dt.datetime(2025, 11, 2, 4, 59, 59, tzinfo=dt.UTC)


@given(cases())
@example((Schedule(HAVANA), Stage.RETREATS, BEFORE_IT_GOES_BACK, BEFORE_IT_GOES_BACK))
@STEADY
def test_no_deadline_falls_on_an_excluded_day(case):
    schedule, stage, opens_at, _ = case
    zone, is_excluded = find_excluded_days(schedule.plan)
    orders_at = due(schedule, stage, opens_at).orders_at
    assert not all(is_excluded(day) for day in wall_days(zone, orders_at))


@given(cases(calendars))
@STEADY
def test_a_calendar_is_due_at_its_clock_time_or_at_the_end_of_a_gap(case):
    schedule, _, opens_at, _ = case
    plan, orders_at = schedule.plan, due(schedule, Stage.MOVEMENT, opens_at).orders_at
    zone = zoneinfo.ZoneInfo(plan.zone)
    shown = orders_at.astimezone(zone).replace(tzinfo=None)
    midnights = [dt.datetime.combine(day, dt.time()) for day in wall_days(zone, orders_at)]
    walls = [
        midnight + time.clock.span
        for midnight in [*midnights, midnights[0] - DAY]
        for time in plan.movement
        if time.day is Weekday.of(midnight) and midnight.date() not in plan.holidays
    ]
    before = (orders_at - dt.timedelta(seconds=1)).astimezone(zone).replace(tzinfo=None)
    assert any(before < wall <= shown for wall in walls)


@given(cases())
@STEADY
def test_all_instants_are_in_utc(case):
    schedule, stage, opens_at, _ = case
    deadline = due(schedule, stage, opens_at.astimezone(zoneinfo.ZoneInfo("Asia/Kathmandu")))
    assert deadline == due(schedule, stage, opens_at)
    assert deadline.orders_at.tzinfo is dt.UTC
    assert deadline.adjudicate_at.tzinfo is dt.UTC
    assert deadline.exact is not schedule.early


@given(cases())
@STEADY
def test_a_schedule_survives_json(case):
    schedule = case[0]
    data = schedule_to_json(schedule)
    assert schedule_from_json(json.loads(json.dumps(data))) == schedule
    assert json.dumps(data) == json.dumps(schedule_to_json(schedule_from_json(data)))


@given(cases())
@STEADY
def test_every_schedule_can_be_described(case):
    schedule: Schedule = case[0]
    words = describe_schedule(schedule)
    assert words.isprintable()
    assert words.endswith(".")
    assert "  " not in words
