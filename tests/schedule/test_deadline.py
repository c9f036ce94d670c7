"""Deadlines of the invitation's calendar and of plain intervals."""

import datetime as dt
import subprocess
import sys
from dataclasses import replace

import pytest

from diplomaccloud.judge.phases import Stage
from diplomaccloud.schedule import (
    PRESETS,
    Days,
    Interval,
    Lengths,
    Schedule,
    Weekday,
    find_deadline,
    move_to_zone,
)

M, R, A = Stage.MOVEMENT, Stage.RETREATS, Stage.ADJUSTMENTS
MINUTE, HOUR, DAY = dt.timedelta(minutes=1), dt.timedelta(hours=1), dt.timedelta(days=1)
INVITATION = PRESETS["invitation"].schedule


def utc(text):
    return dt.datetime.fromisoformat(text).replace(tzinfo=dt.UTC)


@pytest.mark.parametrize(
    ("stage", "first", "opens_at", "orders_at", "adjudicate_at"),
    [
        pytest.param(M, False, "2026-02-23 21:00", "2026-02-26 08:00", "2026-02-26 20:30",
                     id="from Monday to Wednesday midnight, results on Thursday 12:30"),
        pytest.param(M, False, "2026-02-26 21:00", "2026-03-02 08:00", "2026-03-02 20:30",
                     id="from Thursday to Sunday midnight, in the next month"),
        pytest.param(M, False, "2026-03-05 21:00", "2026-03-09 07:00", "2026-03-09 19:30",
                     id="the Sunday on which clocks go forward ends an hour sooner"),
        pytest.param(M, False, "2026-10-29 21:00", "2026-11-02 08:00", "2026-11-02 20:30",
                     id="the Sunday on which clocks go back ends an hour later"),
        pytest.param(M, False, "2026-02-26 07:00", "2026-03-02 08:00", "2026-03-02 20:30",
                     id="an hour before midnight is too late for this turn"),
        pytest.param(M, False, "2026-02-26 06:59", "2026-02-26 08:00", "2026-02-26 20:30",
                     id="an hour and a minute is enough"),
        pytest.param(M, True, "2026-02-23 21:00", "2026-03-05 08:00", "2026-03-05 20:30",
                     id="the first turn is due after a week of negotiation"),
        pytest.param(M, True, "2026-02-26 07:55", "2026-03-05 08:00", "2026-03-05 20:30",
                     id="exactly a week is enough"),
        pytest.param(M, False, "2026-12-31 21:00", "2027-01-04 08:00", "2027-01-04 20:30",
                     id="over the end of the year"),
        pytest.param(M, False, "2028-02-28 21:00", "2028-03-02 08:00", "2028-03-02 20:30",
                     id="over the leap day"),
        pytest.param(R, False, "2026-02-26 20:30", "2026-02-26 22:30", "2026-02-26 22:30",
                     id="retreats take two hours"),
        pytest.param(A, False, "2026-02-26 22:30", "2026-02-27 00:30", "2026-02-27 00:30",
                     id="builds take two more"),
        pytest.param(R, True, "2026-02-26 20:30", "2026-02-26 22:30", "2026-02-26 22:30",
                     id="retreats have no opening"),
        pytest.param(R, False, "2026-03-08 09:30", "2026-03-08 11:30", "2026-03-08 11:30",
                     id="two hours are two hours when the clocks change"),
    ],
)  # fmt: skip
def test_deadlines_of_the_invitation(stage, first, opens_at, orders_at, adjudicate_at):
    deadline = find_deadline(INVITATION, stage, utc(opens_at), first=first)
    assert deadline.orders_at == utc(orders_at)
    assert deadline.adjudicate_at == utc(adjudicate_at)
    assert deadline.exact


def test_a_whole_year_of_the_invitation_stays_on_its_days():
    opens_at, turns = utc("2026-01-05 21:00"), 0
    while opens_at < utc("2027-01-04 21:00"):
        due = find_deadline(INVITATION, M, opens_at, first=False)
        opens_at, turns = due.adjudicate_at + 4 * HOUR, turns + 1
    assert turns == 104


LENGTHS = Lengths(movement=DAY, retreats=12 * HOUR, adjustments=6 * HOUR)
WORKING = frozenset(Weekday) - {Weekday.SATURDAY, Weekday.SUNDAY}


def make_interval(zone="Europe/Berlin", weekdays=WORKING, holidays=()):
    return Interval(LENGTHS, Days(zone, weekdays, frozenset(map(dt.date.fromisoformat, holidays))))


@pytest.mark.parametrize(
    ("plan", "stage", "opens_at", "due"),
    [
        pytest.param(Interval(LENGTHS), M, "2026-03-28 12:00", "2026-03-29 12:00",
                     id="a day is 24 hours even when clocks change"),
        pytest.param(Interval(LENGTHS), R, "2028-02-28 18:00", "2028-02-29 06:00",
                     id="into the leap day"),
        pytest.param(Interval(LENGTHS), A, "2026-12-31 20:00", "2027-01-01 02:00",
                     id="into the next year"),
        pytest.param(make_interval(), M, "2026-03-24 12:00", "2026-03-25 12:00",
                     id="a working day is unchanged"),
        pytest.param(make_interval(), M, "2026-03-27 12:00", "2026-03-30 11:00",
                     id="Saturday 13:00 becomes Monday 13:00, in summer time"),
        pytest.param(make_interval(), M, "2026-10-23 12:00", "2026-10-26 13:00",
                     id="Saturday 14:00 becomes Monday 14:00, in winter time"),
        pytest.param(make_interval(), M, "2026-03-28 12:00", "2026-03-30 12:00",
                     id="Sunday becomes Monday"),
        pytest.param(make_interval(holidays=["2026-03-30", "2026-04-01"]), M, "2026-03-27 12:00",
                     "2026-03-31 11:00", id="a holiday after the weekend is skipped too"),
        pytest.param(make_interval(weekdays=frozenset([Weekday.SUNDAY])), R, "2026-03-22 20:00",
                     "2026-03-29 07:00", id="only Sundays"),
        pytest.param(make_interval(weekdays=frozenset([Weekday.SUNDAY])), A, "2026-03-22 19:30",
                     "2026-03-29 01:00", id="02:30 does not exist on that Sunday: the gap's end"),
        pytest.param(make_interval(weekdays=frozenset([Weekday.SUNDAY])), A, "2026-10-18 18:30",
                     "2026-10-25 00:30", id="02:30 comes twice on that Sunday: the first"),
        pytest.param(make_interval("Pacific/Apia", holidays=["2011-12-29"]), M, "2011-12-28 20:00",
                     "2011-12-30 10:00", id="10:00 on the day that Apia skipped: the gap's end"),
        pytest.param(make_interval(), M, "2026-03-26 23:00", "2026-03-27 23:00",
                     id="Friday 24:00 does not belong to Saturday"),
        pytest.param(make_interval(), M, "2026-03-26 23:00:03", "2026-03-27 23:00:03",
                     id="seconds of processing after 24:00 do not matter"),
        pytest.param(make_interval(), M, "2026-03-27 23:00", "2026-03-30 22:00",
                     id="Saturday 24:00 counts as Saturday, so it becomes Monday 24:00"),
        pytest.param(make_interval(holidays=["2027-12-31"]), M, "2027-12-30 12:00",
                     "2028-01-03 12:00", id="New Year's Eve and a weekend"),
    ],
)  # fmt: skip
def test_deadlines_of_intervals(plan, stage, opens_at, due):
    deadline = find_deadline(Schedule(plan), stage, utc(opens_at), first=False)
    assert deadline.orders_at == deadline.adjudicate_at == utc(due)
    assert not deadline.exact


def test_the_opening_is_added_only_to_the_first_movement():
    schedule, start = Schedule(Interval(LENGTHS), opening=7 * DAY), utc("2026-03-01 12:00")

    def due(stage, *, first):
        return find_deadline(schedule, stage, start, first=first).orders_at - start

    assert due(M, first=True) == 8 * DAY
    assert due(M, first=False) == DAY
    assert due(R, first=True) == 12 * HOUR


@pytest.mark.parametrize(
    ("holiday", "due"),
    [
        pytest.param("2026-02-25", "2026-03-02 08:00", id="no Wednesday, so Sunday"),
        pytest.param("2026-02-26", "2026-02-26 08:00", id="24:00 does not belong to Thursday"),
    ],
)
def test_times_on_holidays_are_skipped(holiday, due):
    plan = replace(INVITATION.plan, holidays=frozenset([dt.date.fromisoformat(holiday)]))
    deadline = find_deadline(Schedule(plan), M, utc("2026-02-23 21:00"), first=False)
    assert deadline.orders_at == utc(due)


def test_retreats_that_would_end_on_a_holiday_end_after_it():
    days = frozenset([dt.date(2026, 3, 28)])
    holiday = move_to_zone(Schedule(replace(INVITATION.plan, holidays=days)), "Europe/Berlin")
    deadline = find_deadline(holiday, R, utc("2026-03-28 11:30"), first=False)
    assert deadline.orders_at == utc("2026-03-29 12:30")


def test_retreats_may_end_at_midnight_before_a_holiday():
    days = frozenset([dt.date(2026, 3, 29)])
    holiday = move_to_zone(Schedule(replace(INVITATION.plan, holidays=days)), "Europe/Berlin")
    deadline = find_deadline(holiday, R, utc("2026-03-28 21:00"), first=False)
    assert deadline.orders_at == utc("2026-03-28 23:00")


def test_presets_move_to_another_zone():
    daily = move_to_zone(PRESETS["daily"].schedule, "Europe/Berlin")
    start = utc("2026-03-28 20:00")
    deadlines = [find_deadline(daily, stage, start, first=False) for stage in Stage]
    assert [deadline.orders_at for deadline in deadlines] == [
        utc("2026-03-29 18:00"),
        utc("2026-03-29 06:00"),
        utc("2026-03-29 12:00"),
    ]
    assert move_to_zone(PRESETS["live"].schedule, "Europe/Berlin") == PRESETS["live"].schedule


def test_the_daily_preset_has_one_turn_a_day():
    daily, opens_at = PRESETS["daily"].schedule, utc("2026-03-01 20:00")
    for _ in range(3):
        start = opens_at
        for stage in (R, A, M):
            opens_at = find_deadline(daily, stage, opens_at, first=False).orders_at
        assert opens_at == start + DAY


def test_an_instant_without_a_zone_is_refused():
    with pytest.raises(ValueError, match="opens_at: "):
        find_deadline(INVITATION, M, dt.datetime(2026, 1, 1), first=False)  # noqa: DTZ001


def test_the_arithmetic_needs_no_framework():
    code = "import sys, diplomaccloud.schedule; assert 'django' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
