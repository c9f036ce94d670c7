"""Quiet hours follow the person's local time, even on days when clocks change."""

import datetime as dt

import pytest

from diplomaccloud.notices.models import QuietHours

NIGHT = (dt.time(22), dt.time(8))


def utc(text):
    return dt.datetime.fromisoformat(text).replace(tzinfo=dt.UTC)


CASES = {
    "before they start": (NIGHT, "UTC", "2030-03-01T21:59", None),
    "from their first moment": (NIGHT, "UTC", "2030-03-01T22:00", "2030-03-02T08:00"),
    "after midnight": (NIGHT, "UTC", "2030-03-02T07:59", "2030-03-02T08:00"),
    "their end is outside": (NIGHT, "UTC", "2030-03-02T08:00", None),
    "within one day": ((dt.time(9), dt.time(17)), "UTC", "2030-03-01T12:00", "2030-03-01T17:00"),
    "in another zone": (NIGHT, "America/New_York", "2030-01-02T06:00", "2030-01-02T13:00"),
    "the same times mean none": ((dt.time(9), dt.time(9)), "UTC", "2030-03-01T09:00", None),
    "the night is shorter in spring": (
        NIGHT,
        "Europe/Berlin",
        "2030-03-30T23:00",
        "2030-03-31T06:00",
    ),
    "and longer in autumn": (NIGHT, "Europe/Berlin", "2030-10-26T22:00", "2030-10-27T07:00"),
    "a start that the clock skips is the change": (
        (dt.time(2, 30), dt.time(8)),
        "Europe/Berlin",
        "2030-03-31T01:00",
        "2030-03-31T06:00",
    ),
    "before a start that the clock skips": (
        (dt.time(2, 30), dt.time(8)),
        "Europe/Berlin",
        "2030-03-31T00:59",
        None,
    ),
    "an end that comes twice is the second": (
        (dt.time(22), dt.time(2, 30)),
        "Europe/Berlin",
        "2030-10-27T01:00",
        "2030-10-27T01:30",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_the_end_of_the_quiet_hours(case):
    (start, end), zone, at, expected = CASES[case]
    found = QuietHours(start, end, zone).find_end(utc(at))
    assert found == (utc(expected) if expected else None)


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe"])
def test_in_a_whole_year_they_end_outside_themselves(zone):
    quiet = QuietHours(dt.time(1, 30), dt.time(2, 15), zone)
    at = utc("2030-01-01T00:00")
    while at.year == 2030:
        end = quiet.find_end(at)
        if end is not None:
            assert at < end <= at + dt.timedelta(hours=2)
            assert quiet.find_end(end) is None
        at += dt.timedelta(minutes=15)
