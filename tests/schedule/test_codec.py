"""Schedules and moves as JSON: errors name the invalid part."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judge.tests.effort import examples
from judge.tests.test_codec import NOT_BOOLEAN, NOT_WHOLE

from diplomaccloud.schedule import (
    PRESETS,
    Caps,
    CodecError,
    Days,
    Deadline,
    DeadlineMove,
    Interval,
    Lengths,
    MoveKind,
    Schedule,
    ScheduleError,
    WeekTime,
    move_from_json,
    move_to_json,
    schedule_from_json,
    schedule_to_json,
)

DAY = dt.timedelta(days=1)
CALENDAR = schedule_to_json(PRESETS["invitation"].schedule)
INTERVAL = schedule_to_json(Schedule(Interval(Lengths(DAY, DAY, DAY), Days("Europe/Berlin"))))
CAPS = CALENDAR["caps"]
DAYS = INTERVAL["days"]


@pytest.mark.parametrize("key", PRESETS)
def test_presets_survive_json(key):
    schedule = PRESETS[key].schedule
    assert schedule_from_json(schedule_to_json(schedule)) == schedule


def test_stored_times_are_readable():
    assert CALENDAR["movement"] == ["wed 24:00", "sun 24:00"]
    assert CALENDAR["adjudication"] == {"days": 1, "clock": "12:30"}
    assert CALENDAR["opening"] == 7 * 86400


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"v": 2}, "v: only version 1 is supported"),
        ({"v": True}, f"v: {NOT_WHOLE}"),
        ({"kind": "weekly"}, "kind: must be interval or calendar, not 'weekly'"),
        ({"kind": "interval"}, "zone: unknown member"),
        ({"early": 1}, f"early: {NOT_BOOLEAN}"),
        ({"opening": -1}, "opening: not from 0 to 7776000"),
        ({"opening": 31 * 86400}, "opening: must be whole seconds, at most 30 days"),
        ({"grace": 1e9}, f"grace: {NOT_WHOLE}"),
        ({"grace": 10**30}, "grace: not from 0"),
        ({"zone": "Europe/Berlim"}, "zone: unknown time zone: 'Europe/Berlim'"),
        ({"zone": "../../../etc/passwd"}, "zone: unknown time zone: '../../../etc/passwd'"),
        ({"zone": "/etc/passwd"}, "zone: unknown time zone"),
        ({"zone": "right/Europe/Berlin"}, "zone: unknown time zone"),
        ({"zone": "Europe"}, "zone: unknown time zone"),
        ({"zone": "zone.tab"}, "zone: unknown time zone"),
        ({"zone": "localtime"}, "zone: unknown time zone"),
        ({"zone": ""}, "zone: unknown time zone"),
        ({"zone": "Europe/Berlin\0"}, "zone: holds a character that cannot be printed"),
        ({"zone": ["UTC"]}, "zone: not a text"),
        ({"movement": []}, "movement: needs 1 to 200 times"),
        ({"movement": 86400}, "movement: not a list"),
        ({"movement": ["wed 24:00", "wen 24:00"]}, "movement[1]: not a weekday: 'wen'"),
        ({"movement": ["wed 24:01"]}, "movement[0]: not a time: '24:01'"),
        ({"movement": ["wed 12:60"]}, "movement[0]: not a time: '12:60'"),
        ({"movement": ["wed 1:30"]}, "movement[0]: not a time: '1:30'"),
        ({"movement": ["wed ١٢:٣٠"]}, "movement[0]: not a time"),
        ({"movement": ["wed 12:30", "wed 12:30"]}, "movement[1]: duplicate"),
        ({"movement": ["wed 12:30"] * 201}, "movement: must have at most 200 members, not 201"),
        ({"movement": ["wed 12:30\n"]}, "movement[0]: holds a character"),
        ({"retreats": 59}, "retreats: a phase lasts from 1 minute to 30 days"),
        ({"retreats": True}, f"retreats: {NOT_WHOLE}"),
        ({"retreats": None}, f"retreats: {NOT_WHOLE}"),
        ({"adjustments": 30 * 86400 + 1}, "adjustments: a phase lasts from"),
        ({"adjudication": 8 * 86400}, "adjudication: must be whole seconds, at most 7 days"),
        ({"adjudication": {"days": 8, "clock": "12:30"}}, "adjudication.days: not from 0 to 7"),
        ({"adjudication": {"days": 1, "clock": "noon"}}, "adjudication.clock: not a time: 'noon'"),
        ({"adjudication": {"days": 1}}, "adjudication.clock: missing"),
        (
            {"adjudication": {"days": 0, "clock": "12:30"}},
            "adjudication: must not be before orders",
        ),
        ({"holidays": ["2030-02-29"]}, "holidays[0]: no such day: 2030-02-29"),
        ({"holidays": ["2030-2-1"]}, "holidays[0]: cannot be '2030-2-1'"),
        ({"holidays": ["9999-12-31"]}, "holidays: 9999-12-31 is out of range"),
        ({"holidays": ["2030-12-25"] * 2}, "holidays[1]: duplicate"),
        ({"holidays": "2030-12-25"}, "holidays: not a list"),
        ({"least": 8 * 86400}, "least: must be whole seconds, at most 7 days, not 8 days"),
        ({"caps": None}, "caps: not an object"),
        ({"caps": {**CAPS, "pause": "1"}}, f"caps.pause: {NOT_WHOLE}"),
        ({"caps": {**CAPS, "pause": 91 * 86400}}, "caps.pause: not from 0"),
        ({"caps": {**CAPS, "more": 1}}, "caps.more: unknown member"),
        ({"days": None}, "days: unknown member"),
    ],
)
def test_errors_name_the_invalid_part_of_a_calendar(change, error):
    with pytest.raises(CodecError) as raised:
        schedule_from_json({**CALENDAR, **change})
    assert str(raised.value).startswith(error)


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"movement": 0}, "movement: a phase lasts from 1 minute to 30 days"),
        ({"days": {**DAYS, "weekdays": []}}, "days.weekdays: at least one weekday"),
        ({"days": {**DAYS, "weekdays": ["mon", "mon"]}}, "days.weekdays[1]: duplicate"),
        (
            {"days": {**DAYS, "weekdays": ["monday"]}},
            "days.weekdays[0]: 'monday' is not one of",
        ),
        (
            {"days": {**DAYS, "zone": "Mars/Olympus"}},
            "days.zone: unknown time zone: 'Mars/Olympus'",
        ),
        ({"days": {**DAYS, "quiet": True}}, "days.quiet: unknown member"),
        ({"days": []}, "days: not an object"),
        ({"zone": "UTC"}, "zone: unknown member"),
    ],
)
def test_errors_name_the_invalid_part_of_an_interval(change, error):
    with pytest.raises(CodecError) as raised:
        schedule_from_json({**INTERVAL, **change})
    assert str(raised.value).startswith(error)


@pytest.mark.parametrize("member", CALENDAR)
def test_every_member_is_required(member):
    with pytest.raises(CodecError, match=f"^{member}: missing"):
        schedule_from_json({key: value for key, value in CALENDAR.items() if key != member})


SCRAPS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)


@given(st.sampled_from([CALENDAR, INTERVAL]), st.data())
@examples(150)
def test_random_changes_are_read_or_rejected_cleanly(good, data):
    member = data.draw(st.sampled_from(sorted(good)))
    scrap = data.draw(SCRAPS)
    try:
        schedule = schedule_from_json({**good, member: scrap})
    except CodecError as error:
        named = str(error)
        # Another kind has other members.
        if member != "kind" and not named.startswith(member):
            raise
    else:
        assert schedule_from_json(schedule_to_json(schedule)) == schedule


@given(SCRAPS)
def test_data_that_is_not_a_schedule_is_rejected(data):
    with pytest.raises(CodecError):
        schedule_from_json(data)
    with pytest.raises(CodecError):
        move_from_json(data)


@pytest.mark.parametrize(
    ("make", "field"),
    [
        (lambda: Caps(pause=-DAY), "pause"),
        (lambda: Caps(credit_after=dt.timedelta()), "credit_after"),
        (lambda: Caps(credit_after=dt.timedelta(seconds=59)), "credit_after"),
        (lambda: Caps(extension=91 * DAY), "extension"),
        (lambda: Lengths(DAY, DAY, dt.timedelta(minutes=1, microseconds=1)), "adjustments"),
        (lambda: Days("UTC", holidays=frozenset([dt.date(1900, 1, 1)])), "holidays"),
        (lambda: Schedule(Interval(Lengths(DAY, DAY, DAY)), opening=31 * DAY), "opening"),
        (lambda: WeekTime.parse("someday"), "day"),
    ],
)
def test_errors_name_the_invalid_field(make, field):
    with pytest.raises(ScheduleError) as raised:
        make()
    assert raised.value.field == field
    assert str(raised.value).startswith(f"{field}: ")


NOON = dt.datetime(2030, 3, 1, 12, tzinfo=dt.UTC)
MOVED = DeadlineMove(
    kind=MoveKind.PAUSED,
    key="vote 7",
    at=NOON + dt.timedelta(microseconds=1),
    by=dt.timedelta(days=99, microseconds=999_999),
    old=Deadline(NOON, NOON, exact=False),
    new=Deadline(NOON, NOON + DAY, exact=True),
    why="Paused.",
)


def test_a_move_survives_json_to_the_microsecond():
    assert move_from_json(move_to_json(MOVED)) == MOVED


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"v": 0}, "v: only version 1 is supported"),
        ({"kind": "moved"}, "kind: 'moved' is not one of extended, paused"),
        ({"at": "noon"}, "at: not an instant: 'noon'"),
        ({"at": "2030-03-01T12:00:00"}, "at: an instant needs a time zone"),
        ({"at": "0001-01-01T00:00:00+14:00"}, "at: not an instant"),
        ({"by": -1}, "by: not from 0"),
        ({"by": float("nan")}, "by: not from 0"),
        ({"old": {}}, "old.orders_at: missing"),
        (
            {"new": move_to_json(MOVED)["new"] | {"adjudicate_at": "2030-01-01T00:00:00+00:00"}},
            "new.adjudicate_at: must not be before orders close",
        ),
    ],
)
def test_errors_name_the_invalid_part_of_a_move(change, error):
    with pytest.raises(CodecError) as raised:
        move_from_json({**move_to_json(MOVED), **change})
    assert str(raised.value).startswith(error)
