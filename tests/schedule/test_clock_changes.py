"""Times of the week around clock changes, worked out by hand."""

import datetime as dt

import pytest

from diplomaccloud.judge.phases import Stage
from diplomaccloud.schedule import (
    Calendar,
    Clock,
    LaterDay,
    Schedule,
    Weekday,
    WeekTime,
    find_deadline,
)

HOUR = dt.timedelta(hours=1)

# A local day and clock time, and its instant in UTC.
TABLE = """
# Clocks go from 02:00 to 03:00 (-8 to -7).
America/Los_Angeles
2026-03-07 01:59  2026-03-07 09:59
2026-03-07 24:00  2026-03-08 08:00
2026-03-08 00:00  2026-03-08 08:00
2026-03-08 01:59  2026-03-08 09:59
2026-03-08 02:00  2026-03-08 10:00
2026-03-08 02:01  2026-03-08 10:00
2026-03-08 02:59  2026-03-08 10:00
2026-03-08 03:00  2026-03-08 10:00
2026-03-08 03:01  2026-03-08 10:01
2026-03-08 12:30  2026-03-08 19:30
2026-03-08 24:00  2026-03-09 07:00
# From 02:00 back to 01:00.
2026-10-31 24:00  2026-11-01 07:00
2026-11-01 00:59  2026-11-01 07:59
2026-11-01 01:00  2026-11-01 08:00
2026-11-01 01:30  2026-11-01 08:30
2026-11-01 01:59  2026-11-01 08:59
2026-11-01 02:00  2026-11-01 10:00
2026-11-01 12:30  2026-11-01 20:30
2026-11-01 24:00  2026-11-02 08:00

# From 02:00 to 03:00 (+1 to +2), and from 03:00 back to 02:00.
Europe/Berlin
2026-03-28 24:00  2026-03-28 23:00
2026-03-29 01:59  2026-03-29 00:59
2026-03-29 02:00  2026-03-29 01:00
2026-03-29 02:30  2026-03-29 01:00
2026-03-29 03:00  2026-03-29 01:00
2026-03-29 03:30  2026-03-29 01:30
2026-03-29 20:00  2026-03-29 18:00
2026-03-29 24:00  2026-03-29 22:00
2026-10-24 24:00  2026-10-24 22:00
2026-10-25 01:59  2026-10-24 23:59
2026-10-25 02:00  2026-10-25 00:00
2026-10-25 02:59  2026-10-25 00:59
2026-10-25 03:00  2026-10-25 02:00
2026-10-25 20:00  2026-10-25 19:00
2026-10-25 24:00  2026-10-25 23:00

# Half an hour: from 02:00 back to 01:30 (+11 to +10:30), and from 02:00 to 02:30.
Australia/Lord_Howe
2026-04-04 24:00  2026-04-04 13:00
2026-04-05 01:29  2026-04-04 14:29
2026-04-05 01:30  2026-04-04 14:30
2026-04-05 01:59  2026-04-04 14:59
2026-04-05 02:00  2026-04-04 15:30
2026-04-05 24:00  2026-04-05 13:30
2026-10-03 24:00  2026-10-03 13:30
2026-10-04 01:59  2026-10-03 15:29
2026-10-04 02:00  2026-10-03 15:30
2026-10-04 02:10  2026-10-03 15:30
2026-10-04 02:30  2026-10-03 15:30
2026-10-04 02:31  2026-10-03 15:31
2026-10-04 24:00  2026-10-04 13:00

# Friday 30 December 2011 was skipped (-10 to +14); clocks back from 04:00 to 03:00 in April.
Pacific/Apia
2011-12-28 24:00  2011-12-29 10:00
2011-12-29 23:59  2011-12-30 09:59
2011-12-29 24:00  2011-12-30 10:00
2011-12-30 00:00  2011-12-30 10:00
2011-12-30 12:00  2011-12-30 10:00
2011-12-30 24:00  2011-12-30 10:00
2011-12-31 00:00  2011-12-30 10:00
2011-12-31 00:01  2011-12-30 10:01
2011-12-31 24:00  2011-12-31 10:00
2012-04-01 02:59  2012-03-31 12:59
2012-04-01 03:00  2012-03-31 13:00
2012-04-01 03:30  2012-03-31 13:30
2012-04-01 04:00  2012-03-31 15:00
2012-09-30 03:00  2012-09-29 14:00
2012-09-30 03:30  2012-09-29 14:00
2012-09-30 04:00  2012-09-29 14:00

# Midnight itself: from 00:00 to 01:00 (-3 to -2), and from 24:00 back to 23:00.
America/Sao_Paulo
2018-11-03 23:59  2018-11-04 02:59
2018-11-03 24:00  2018-11-04 03:00
2018-11-04 00:00  2018-11-04 03:00
2018-11-04 00:30  2018-11-04 03:00
2018-11-04 01:00  2018-11-04 03:00
2018-11-04 01:30  2018-11-04 03:30
2018-11-04 24:00  2018-11-05 02:00
2019-02-16 22:59  2019-02-17 00:59
2019-02-16 23:00  2019-02-17 01:00
2019-02-16 23:30  2019-02-17 01:30
2019-02-16 24:00  2019-02-17 03:00
2019-02-17 24:00  2019-02-18 03:00

# Quarters of an hour: +12:45 and +13:45; changes at 02:45 and 03:45.
Pacific/Chatham
2026-09-26 24:00  2026-09-26 11:15
2026-09-27 02:44  2026-09-26 13:59
2026-09-27 03:00  2026-09-26 14:00
2026-09-27 03:45  2026-09-26 14:00
2026-09-27 24:00  2026-09-27 10:15
2026-04-05 02:45  2026-04-04 13:00
2026-04-05 03:44  2026-04-04 13:59
2026-04-05 03:45  2026-04-04 15:00
Asia/Kathmandu
2027-01-01 00:00  2026-12-31 18:15
America/St_Johns
2026-03-08 02:15  2026-03-08 05:30
2026-11-01 01:15  2026-11-01 03:45
# From 01:00 back to 00:00: midnight is shown twice.
America/Havana
2025-11-01 24:00  2025-11-02 04:00
2025-11-02 00:30  2025-11-02 04:30
2025-11-02 01:00  2025-11-02 06:00

# The ends of months and years, and the leap day.
Europe/London
2028-02-28 24:00  2028-02-29 00:00
2028-02-29 12:00  2028-02-29 12:00
2028-02-29 24:00  2028-03-01 00:00
2027-02-28 24:00  2027-03-01 00:00
2100-02-28 24:00  2100-03-01 00:00
2026-04-30 24:00  2026-04-30 23:00
2026-12-31 24:00  2027-01-01 00:00
"""


def table():
    zone = ""
    for line in TABLE.splitlines():
        if not line or line.startswith("#"):
            continue
        if "/" in line:
            zone = line
            continue
        day, clock, *instant = line.split()
        due = dt.datetime.fromisoformat(" ".join(instant)).replace(tzinfo=dt.UTC)
        yield pytest.param(zone, dt.date.fromisoformat(day), clock, due, id=f"{zone} {day} {clock}")


ROWS = list(table())


def weekly(zone, day, clock, **more):
    time = WeekTime(Weekday.of(day), Clock.parse(clock))
    plan = Calendar(zone, frozenset([time]), HOUR, HOUR, least=dt.timedelta(0), **more)
    return Schedule(plan)


def due(schedule, opens_at, stage=Stage.MOVEMENT):
    return find_deadline(schedule, stage, opens_at, first=False)


def test_the_table_is_long_enough():
    assert len(ROWS) >= 80


@pytest.mark.parametrize(("zone", "day", "clock", "instant"), ROWS)
class TestEachRow:
    def test_the_deadline_is_at_that_instant(self, zone, day, clock, instant):
        before = dt.datetime.combine(day, dt.time(), dt.UTC) - dt.timedelta(days=3)
        assert due(weekly(zone, day, clock), before).orders_at == instant

    def test_a_phase_opening_at_that_instant_is_due_a_week_later(self, zone, day, clock, instant):
        schedule, tick = weekly(zone, day, clock), dt.timedelta(microseconds=1)
        assert due(schedule, instant - tick).orders_at == instant
        assert due(schedule, instant).orders_at > instant + dt.timedelta(days=5)

    def test_a_phase_opening_a_week_earlier_is_due_a_week_earlier(self, zone, day, clock, instant):
        week = dt.timedelta(days=7)
        deadline = due(weekly(zone, day, clock), instant - week - dt.timedelta(days=2)).orders_at
        assert abs(deadline - (instant - week)) <= dt.timedelta(hours=24)
        assert deadline < instant - dt.timedelta(days=5)

    def test_adjudication_is_at_that_instant_too(self, zone, day, clock, instant):
        # Orders are due at 00:00 of the day before, and results at the row's time.
        eve = day - dt.timedelta(days=1)
        later = LaterDay(1, Clock.parse(clock))
        deadline = due(
            weekly(zone, eve, "00:00", adjudication=later),
            dt.datetime.combine(eve, dt.time(), dt.UTC) - dt.timedelta(days=2),
        )
        assert deadline.adjudicate_at == instant
