"""The deadlines of the documents' games and of plain lengths."""

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
                     id="from Monday it is Wednesday midnight, results on Thursday 12:30"),
        pytest.param(M, False, "2026-02-26 21:00", "2026-03-02 08:00", "2026-03-02 20:30",
                     id="from Thursday it is Sunday midnight, in another month"),
        pytest.param(M, False, "2026-03-05 21:00", "2026-03-09 07:00", "2026-03-09 19:30",
                     id="the Sunday on which clocks go forward ends an hour sooner"),
        pytest.param(M, False, "2026-10-29 21:00", "2026-11-02 08:00", "2026-11-02 20:30",
                     id="the Sunday on which clocks go back ends an hour later"),
        pytest.param(M, False, "2026-02-26 07:00", "2026-03-02 08:00", "2026-03-02 20:30",
                     id="an hour before midnight is too late for this turn"),
        pytest.param(M, False, "2026-02-26 06:59", "2026-02-26 08:00", "2026-02-26 20:30",
                     id="an hour and a minute is not"),
        pytest.param(M, True, "2026-02-23 21:00", "2026-03-05 08:00", "2026-03-05 20:30",
                     id="the first turn comes after a week of talk"),
        pytest.param(M, True, "2026-02-26 07:55", "2026-03-05 08:00", "2026-03-05 20:30",
                     id="a week is enough, to the minute"),
        pytest.param(M, False, "2026-12-31 21:00", "2027-01-04 08:00", "2027-01-04 20:30",
                     id="over the end of the year"),
        pytest.param(M, False, "2028-02-28 21:00", "2028-03-02 08:00", "2028-03-02 20:30",
                     id="over the leap day"),
        pytest.param(R, False, "2026-02-26 20:30", "2026-02-26 22:30", "2026-02-26 22:30",
                     id="retreats take two hours"),
        pytest.param(A, False, "2026-02-26 22:30", "2026-02-27 00:30", "2026-02-27 00:30",
                     id="builds take two more"),
        pytest.param(R, True, "2026-02-26 20:30", "2026-02-26 22:30", "2026-02-26 22:30",
                     id="no opening for retreats"),
        pytest.param(R, False, "2026-03-08 09:30", "2026-03-08 11:30", "2026-03-08 11:30",
                     id="two hours are two hours when the clocks change"),
    ],
)  # fmt: skip
def test_the_invitation(stage, first, opens_at, orders_at, adjudicate_at):
    found = find_deadline(INVITATION, stage, utc(opens_at), first=first)
    assert found.orders_at == utc(orders_at)
    assert found.adjudicate_at == utc(adjudicate_at)
    assert found.exact


def test_a_whole_year_of_the_invitation_stays_on_its_days():
    opens_at, turns = utc("2026-01-05 21:00"), 0
    while opens_at < utc("2027-01-04 21:00"):
        due = find_deadline(INVITATION, M, opens_at, first=False)
        opens_at, turns = due.adjudicate_at + 4 * HOUR, turns + 1
    assert turns == 104


LENGTHS = Lengths(movement=DAY, retreats=12 * HOUR, adjustments=6 * HOUR)
WORKING = frozenset(Weekday) - {Weekday.SATURDAY, Weekday.SUNDAY}


def masked(zone="Europe/Berlin", weekdays=WORKING, holidays=()):
    return Interval(LENGTHS, Days(zone, weekdays, frozenset(map(dt.date.fromisoformat, holidays))))


@pytest.mark.parametrize(
    ("plan", "stage", "opens_at", "due"),
    [
        pytest.param(Interval(LENGTHS), M, "2026-03-28 12:00", "2026-03-29 12:00",
                     id="a day is 24 hours, clocks or no clocks"),
        pytest.param(Interval(LENGTHS), R, "2028-02-28 18:00", "2028-02-29 06:00",
                     id="into the leap day"),
        pytest.param(Interval(LENGTHS), A, "2026-12-31 20:00", "2027-01-01 02:00",
                     id="into the next year"),
        pytest.param(masked(), M, "2026-03-24 12:00", "2026-03-25 12:00",
                     id="a working day is left alone"),
        pytest.param(masked(), M, "2026-03-27 12:00", "2026-03-30 11:00",
                     id="Saturday 13:00 becomes Monday 13:00, on summer time by then"),
        pytest.param(masked(), M, "2026-10-23 12:00", "2026-10-26 13:00",
                     id="Saturday 14:00 becomes Monday 14:00, on winter time by then"),
        pytest.param(masked(), M, "2026-03-28 12:00", "2026-03-30 12:00",
                     id="Sunday becomes Monday"),
        pytest.param(masked(holidays=["2026-03-30", "2026-04-01"]), M, "2026-03-27 12:00",
                     "2026-03-31 11:00", id="a holiday after the weekend is left out too"),
        pytest.param(masked(weekdays=frozenset([Weekday.SUNDAY])), R, "2026-03-22 20:00",
                     "2026-03-29 07:00", id="only Sundays"),
        pytest.param(masked(weekdays=frozenset([Weekday.SUNDAY])), A, "2026-03-22 19:30",
                     "2026-03-29 01:00", id="02:30 does not exist on that Sunday: the gap's end"),
        pytest.param(masked(weekdays=frozenset([Weekday.SUNDAY])), A, "2026-10-18 18:30",
                     "2026-10-25 00:30", id="02:30 comes twice on that Sunday: the first"),
        pytest.param(masked("Pacific/Apia", holidays=["2011-12-29"]), M, "2011-12-28 20:00",
                     "2011-12-30 10:00", id="10:00 on the day that Apia skipped: the gap's end"),
        pytest.param(masked(), M, "2026-03-26 23:00", "2026-03-27 23:00",
                     id="Friday 24:00 is no part of Saturday"),
        pytest.param(masked(), M, "2026-03-26 23:00:03", "2026-03-27 23:00:03",
                     id="nor are the seconds that the processing before it took"),
        pytest.param(masked(), M, "2026-03-27 23:00", "2026-03-30 22:00",
                     id="Saturday 24:00 becomes Monday 24:00, for it is told as Saturday"),
        pytest.param(masked(holidays=["2027-12-31"]), M, "2027-12-30 12:00", "2028-01-03 12:00",
                     id="New Year's Eve and a weekend"),
    ],
)  # fmt: skip
def test_lengths_apart(plan, stage, opens_at, due):
    found = find_deadline(Schedule(plan), stage, utc(opens_at), first=False)
    assert found.orders_at == found.adjudicate_at == utc(due)
    assert not found.exact


def test_the_opening_is_added_to_the_first_movement_alone():
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
        pytest.param("2026-02-26", "2026-02-26 08:00", id="24:00 is no part of Thursday"),
    ],
)
def test_times_on_holidays_are_left_out(holiday, due):
    plan = replace(INVITATION.plan, holidays=frozenset([dt.date.fromisoformat(holiday)]))
    found = find_deadline(Schedule(plan), M, utc("2026-02-23 21:00"), first=False)
    assert found.orders_at == utc(due)


def test_retreats_end_after_the_holiday_they_would_end_on():
    days = frozenset([dt.date(2026, 3, 28)])
    holiday = move_to_zone(Schedule(replace(INVITATION.plan, holidays=days)), "Europe/Berlin")
    found = find_deadline(holiday, R, utc("2026-03-28 11:30"), first=False)
    assert found.orders_at == utc("2026-03-29 12:30")


def test_retreats_may_end_with_the_day_before_a_holiday():
    days = frozenset([dt.date(2026, 3, 29)])
    holiday = move_to_zone(Schedule(replace(INVITATION.plan, holidays=days)), "Europe/Berlin")
    found = find_deadline(holiday, R, utc("2026-03-28 21:00"), first=False)
    assert found.orders_at == utc("2026-03-28 23:00")


def test_presets_move_to_another_zone():
    daily = move_to_zone(PRESETS["daily"].schedule, "Europe/Berlin")
    start = utc("2026-03-28 20:00")
    found = [find_deadline(daily, stage, start, first=False) for stage in Stage]
    assert [one.orders_at for one in found] == [
        utc("2026-03-29 18:00"),
        utc("2026-03-29 06:00"),
        utc("2026-03-29 12:00"),
    ]
    assert move_to_zone(PRESETS["live"].schedule, "Europe/Berlin") == PRESETS["live"].schedule


def test_one_turn_a_day_is_one_turn_a_day():
    daily, opens_at = PRESETS["daily"].schedule, utc("2026-03-01 20:00")
    for _ in range(3):
        start = opens_at
        for stage in (R, A, M):
            opens_at = find_deadline(daily, stage, opens_at, first=False).orders_at
        assert opens_at == start + DAY


def test_an_instant_without_a_zone_is_refused():
    with pytest.raises(ValueError, match="opens_at: an instant needs a time zone"):
        find_deadline(INVITATION, M, dt.datetime(2026, 1, 1), first=False)  # noqa: DTZ001


def test_the_arithmetic_needs_no_framework():
    code = "import sys, diplomaccloud.schedule; assert 'django' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
