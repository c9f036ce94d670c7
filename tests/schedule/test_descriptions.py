"""Durations, instants and schedules in words."""

import datetime as dt

import pytest

from diplomaccloud.schedule import (
    PRESETS,
    Calendar,
    Clock,
    Days,
    Deadline,
    Interval,
    LaterDay,
    Lengths,
    Schedule,
    Weekday,
    WeekTime,
    describe_deadline,
    describe_schedule,
    format_bound,
    format_duration,
    format_instant,
    spell_duration,
    zone_names,
)
from diplomaccloud.schedule.local_time import describe_bad_duration, spell_number

MINUTE, HOUR, DAY = dt.timedelta(minutes=1), dt.timedelta(hours=1), dt.timedelta(days=1)


def utc(text):
    return dt.datetime.fromisoformat(text).replace(tzinfo=dt.UTC)


@pytest.mark.parametrize(
    ("length", "figures", "words"),
    [
        (DAY, "1 day", "one day"),
        (DAY + 12 * HOUR, "1 day 12 hours", "one day twelve hours"),
        (4 * HOUR + 20 * MINUTE, "4 hours 20 minutes", "four hours twenty minutes"),
        (5 * MINUTE, "5 minutes", "five minutes"),
        (dt.timedelta(seconds=1.9), "1 second", "one second"),
        (dt.timedelta(days=120, seconds=59), "120 days 59 seconds", "120 days fifty-nine seconds"),
        (dt.timedelta(0), "no time", "no time"),
        (dt.timedelta(seconds=-5), "no time", "no time"),
    ],
)
def test_lengths_in_words(length, figures, words):
    assert format_duration(length) == figures
    assert spell_duration(length) == words


@pytest.mark.parametrize(
    ("length", "description"),
    [
        (400 * DAY, "400 days"),
        (dt.timedelta(0), "no time"),
        (-DAY, "less than zero"),
        (dt.timedelta(seconds=1.9), "1 second and a fraction"),
    ],
)
def test_an_invalid_length_in_words(length, description):
    assert describe_bad_duration(length) == description


def test_numbers_are_spelled_up_to_ninety_nine():
    assert [spell_number(n) for n in (0, 1, 13, 20, 21, 40, 99, 100, -1)] == [
        "no", "one", "thirteen", "twenty", "twenty-one", "forty", "ninety-nine", "100", "-1",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("instant", "zone", "words"),
    [
        pytest.param("2027-03-04 08:00", "America/Los_Angeles",
                     "Wednesday, March 3, 24:00 Los Angeles (Thursday 08:00 UTC)",
                     id="midnight ends a day"),
        pytest.param("2027-03-04 08:01", "America/Los_Angeles",
                     "Thursday, March 4, 00:01 Los Angeles (08:01 UTC)", id="a minute later"),
        pytest.param("2027-03-04 08:00:59.9", "America/Los_Angeles",
                     "Wednesday, March 3, 24:00 Los Angeles (Thursday 08:00 UTC)",
                     id="never a minute too late"),
        pytest.param("2026-12-31 23:00", "Europe/Berlin",
                     "Thursday, December 31, 24:00 Berlin (23:00 UTC)", id="the end of a year"),
        pytest.param("2026-12-31 23:30", "Europe/Berlin",
                     "Friday, January 1, 00:30 Berlin (Thursday 23:30 UTC)", id="UTC a day behind"),
        pytest.param("2028-02-29 12:00", "UTC", "Tuesday, February 29, 12:00 UTC", id="UTC itself"),
        pytest.param("2018-11-04 03:00", "America/Sao_Paulo",
                     "Saturday, November 3, 24:00 Sao Paulo (Sunday 03:00 UTC)",
                     id="a midnight that clocks skip"),
        pytest.param("2011-12-30 10:00", "Pacific/Apia",
                     "Thursday, December 29, 24:00 Apia (Friday 10:00 UTC)", id="a skipped day"),
        pytest.param("2026-11-01 09:30", "America/Los_Angeles",
                     "Sunday, November 1, 01:30 Los Angeles (09:30 UTC)",
                     id="the second 01:30 of a day: UTC distinguishes it"),
        pytest.param("2026-03-01 12:15", "America/Argentina/Buenos_Aires",
                     "Sunday, March 1, 09:15 Buenos Aires (12:15 UTC)", id="a city of a province"),
    ],
)  # fmt: skip
def test_an_instant_in_words(instant, zone, words):
    assert format_instant(utc(instant), zone) == words


def test_a_deadline_says_whether_it_can_come_early():
    close, results = utc("2027-03-04 08:00"), utc("2027-03-04 20:30")
    exact = Deadline(close, results, exact=True)
    assert format_bound(exact) == "exactly at"
    assert describe_deadline(exact, "America/Los_Angeles") == (
        "Orders close Wednesday, March 3, exactly at 24:00 Los Angeles (Thursday 08:00 UTC); "
        "they are adjudicated Thursday, March 4, exactly at 12:30 Los Angeles (20:30 UTC)."
    )
    latest = Deadline(close, close, exact=False)
    assert format_bound(latest) == "at the latest"
    assert describe_deadline(latest, "UTC") == (
        "Orders close Thursday, March 4, 08:00 UTC, at the latest."
    )


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("2009", "Every phase lasts at most 1 day. "
                 "A turn is processed early when everyone is ready."),
        ("table", "Movement lasts at most 20 minutes, retreats 5 minutes, and builds 5 minutes. "
                  "The first turn lasts 15 minutes longer, for negotiation. "
                  "A turn is processed early when everyone is ready."),
        ("invitation", "Orders are due every Wednesday and Sunday at 24:00 (Los Angeles time); "
                       "they are adjudicated the next day at 12:30; "
                       "retreats and builds are each due 2 hours after they open. "
                       "The first turn is due after at least 1 week of negotiation. "
                       "Turns are never processed early."),
        ("daily", "Orders are due every day at 20:00 (UTC); "
                  "retreats are due every day at 08:00, and builds every day at 14:00. "
                  "The first turn is due after at least 1 day of negotiation. "
                  "A turn is processed early when everyone is ready. "
                  "A player who misses a deadline for the first time gets 12 hours more."),
    ],
)  # fmt: skip
def test_presets_in_words(key, words):
    assert describe_schedule(PRESETS[key].schedule) == words


def calendar(*times, **more):
    return Calendar("Europe/Berlin", frozenset(map(WeekTime.parse, times)), HOUR, HOUR, **more)


@pytest.mark.parametrize(
    ("plan", "begins"),
    [
        (calendar("mon 08:00", "mon 20:00"), "Orders are due every Monday at 08:00 and 20:00"),
        (
            calendar("mon 08:00", "thu 20:00"),
            "Orders are due every Monday at 08:00 and every Thursday at 20:00 (Berlin time)",
        ),
        (
            calendar("mon 08:00", adjudication=2 * HOUR),
            "Orders are due every Monday at 08:00 (Berlin time); they are adjudicated 2 hours",
        ),
        (
            calendar("mon 08:00", adjudication=LaterDay(2, Clock(0))),
            "Orders are due every Monday at 08:00 (Berlin time); they are adjudicated two",
        ),
        (
            Interval(
                Lengths(DAY, DAY, DAY),
                Days("Europe/Berlin", frozenset(Weekday) - {Weekday.SUNDAY}),
            ),
            "Every phase lasts at most 1 day; a deadline on a Sunday moves to the same time on "
            "the next allowed day (Berlin time).",
        ),
        (
            Interval(
                Lengths(DAY, DAY, DAY),
                Days("UTC", frozenset([Weekday.MONDAY]), frozenset([dt.date(2030, 1, 7)])),
            ),
            "Every phase lasts at most 1 day; a deadline on a Tuesday, a Wednesday, a Thursday, "
            "a Friday, a Saturday, a Sunday or a holiday moves to the same time on the next "
            "allowed day (UTC).",
        ),
    ],
)
def test_schedules_in_words(plan, begins):
    assert describe_schedule(Schedule(plan)).startswith(begins)


def test_zones_for_a_form():
    assert {"UTC", "America/Los_Angeles", "Europe/Berlin"} <= set(zone_names())
    assert list(zone_names()) == sorted(zone_names())
    assert not [name for name in zone_names() if name.startswith(("/", ".", "right/", "posix/"))]
