"""Hypothesis strategies for schedules and instants, mostly near clock changes."""

import datetime as dt

from hypothesis import HealthCheck
from hypothesis import strategies as st
from judge.tests.effort import examples

from diplomaccloud.judge.phases import Stage
from diplomaccloud.schedule import (
    Calendar,
    Caps,
    Clock,
    Days,
    Interval,
    LaterDay,
    Lengths,
    Schedule,
    Weekday,
    WeekTime,
)
from diplomaccloud.schedule.deadline import MIN_CREDIT_AFTER

UTC = dt.UTC
# A busy machine must not make these tests fail.
STEADY = examples(80, suppress_health_check=[HealthCheck.too_slow])
CHANGES = {
    "America/Los_Angeles": ["2026-03-08 10:00", "2026-11-01 09:00"],
    "Europe/Berlin": ["2026-03-29 01:00", "2026-10-25 01:00"],
    "Australia/Lord_Howe": ["2026-04-04 15:00", "2026-10-03 15:30"],
    "Pacific/Apia": ["2011-12-30 10:00", "2012-03-31 14:00", "2012-09-29 14:00"],
    "America/Sao_Paulo": ["2018-11-04 03:00", "2019-02-17 02:00"],
    "Pacific/Chatham": ["2026-04-04 14:00", "2026-09-26 14:00"],
    "America/Havana": ["2025-03-09 05:00", "2025-11-02 05:00"],
    "Africa/Casablanca": ["2026-02-15 02:00", "2026-03-22 02:00"],
    "America/St_Johns": ["2026-03-08 05:30", "2026-11-01 04:30"],
    "Asia/Kathmandu": ["2027-12-31 18:15"],
    "Antarctica/Troll": ["2026-03-29 01:00", "2026-10-25 01:00"],
    "UTC": ["2028-02-29 12:00"],
}
ZONES = st.sampled_from(sorted(CHANGES))
STAGES = st.sampled_from(list(Stage))


def spans(low, high):
    """Return a strategy for whole seconds between two spans, often whole hours."""
    seconds = st.integers(int(low.total_seconds()), int(high.total_seconds()))
    hours = st.integers(-(-low // dt.timedelta(hours=1)), high // dt.timedelta(hours=1))
    return (hours.map(lambda n: n * 3600) | seconds).map(lambda n: dt.timedelta(seconds=n))


NONE, MINUTE, DAY = dt.timedelta(0), dt.timedelta(minutes=1), dt.timedelta(days=1)
LENGTHS = spans(MINUTE, 30 * DAY)
CLOCKS = st.integers(0, 1440).map(Clock) | st.sampled_from([0, 60, 90, 120, 150, 180, 1440]).map(
    Clock
)
WEEK_TIMES = st.builds(WeekTime, st.sampled_from(list(Weekday)), CLOCKS)
TIMES = st.frozensets(WEEK_TIMES, min_size=1, max_size=4)


@st.composite
def instants(draw, zone, days=9):
    change = dt.datetime.fromisoformat(draw(st.sampled_from(CHANGES[zone]))).replace(tzinfo=UTC)
    # Days, hours and microseconds from the change.
    seconds = st.integers(-days * 86400, days * 86400) | st.integers(-7200, 7200)
    micro = draw(st.sampled_from([0, 0, 0, 1, 999_999]))
    return change + dt.timedelta(seconds=draw(seconds), microseconds=micro)


@st.composite
def holidays(draw, zone):
    near = draw(instants(zone)).date()
    return draw(st.frozensets(st.integers(0, 25).map(lambda n: near + n * DAY), max_size=5))


@st.composite
def calendars(draw, zone):
    movement = draw(TIMES)
    later = st.builds(LaterDay, st.just(1), CLOCKS) | st.builds(
        LaterDay, st.just(0), st.just(Clock(1440))
    )
    latest = max(time.clock for time in movement)
    return Calendar(
        zone=zone,
        movement=movement,
        retreats=draw(LENGTHS | TIMES),
        adjustments=draw(LENGTHS | TIMES),
        adjudication=draw(
            spans(NONE, 2 * DAY)
            | later.filter(
                lambda later_day: later_day.days * DAY + later_day.clock.span >= latest.span
            )
        ),
        holidays=draw(holidays(zone)),
        least=draw(spans(NONE, 2 * DAY)),
    )


@st.composite
def all_days(draw, zone):
    weekdays = st.frozensets(st.sampled_from(list(Weekday)), min_size=1)
    return Days(zone, draw(weekdays), draw(holidays(zone)))


@st.composite
def intervals(draw, zone):
    lengths = Lengths(draw(LENGTHS), draw(LENGTHS), draw(LENGTHS))
    return Interval(lengths, draw(st.none() | all_days(zone)))


@st.composite
def schedules(draw, zone, plans=None):
    plan = draw(plans if plans is not None else calendars(zone) | intervals(zone))
    spans_of_caps = spans(NONE, 90 * DAY)
    return Schedule(
        plan=plan,
        early=draw(st.booleans()),
        opening=draw(st.just(NONE) | spans(NONE, 30 * DAY)),
        grace=draw(st.just(NONE) | spans(NONE, 30 * DAY)),
        caps=draw(
            st.just(Caps())
            | st.builds(Caps, *[spans_of_caps] * 4, spans(MIN_CREDIT_AFTER, 90 * DAY))
        ),
    )
