"""Maps the fields of the form that creates a game to the values they stand for, and back."""

import datetime as dt
from collections.abc import Mapping
from typing import Any

from diplomaccloud.games.forms.fields import (
    format_adjudication,
    format_days,
    format_due,
    format_span,
    format_times,
)
from diplomaccloud.games.options.options import (
    Ends,
    Master,
    Missed,
    Opening,
    Options,
    Press,
    Start,
    Successor,
    Talk,
    Watch,
)
from diplomaccloud.games.options.presets import (
    GAME_PRESETS,
    SPEEDS,
    USUAL_CALENDAR,
    USUAL_INTERVAL,
    GamePreset,
)
from diplomaccloud.judge.victory import Measure
from diplomaccloud.schedule import (
    Calendar,
    Caps,
    Days,
    Interval,
    Lengths,
    Schedule,
    ScheduleError,
    Weekday,
)
from diplomaccloud.schedule.local_time import WEEK, find_zone
from diplomaccloud.schedule.presets import move_to_zone

INTERVAL, CALENDAR = "interval", "calendar"
"""The two kinds of deadlines."""
CUSTOM = "custom"
"""The speed of a game whose schedule is set by hand."""
SCHEDULE_FIELDS = (
    *("movement", "retreats", "builds", "weekdays", "times", "adjudication", "retreat_times"),
    *("build_times", "least", "holidays", "opening", "grace"),
    *("extension", "extensions", "pause", "pauses", "credit_after"),
)
"""The fields that only a schedule set by hand uses; a speed uses only the time zone."""


def initial_values(preset: GamePreset) -> dict[str, object]:
    """Return the initial values of the form's fields for a preset."""
    options = preset.options
    return {
        "preset": preset.key,
        "edition": preset.rules.name,
        "press": options.press.value,
        "anonymous": options.anonymous,
        "watch": options.watch.value,
        "start": options.start.value,
        "master": options.master.value,
        "slack": options.slack,
        "hints": options.hints,
        "grace_locks": options.grace_locks,
        "reliability": options.reliability,
        "fill_with": options.fill_with,
        "missed": options.missed.limit,
        "substitute": options.missed.substitute,
        "measure": options.ends.measure.value,
        **_initial_talk(options.talk),
        **_initial_schedule(options.schedule),
    }


def _initial_talk(talk: Talk) -> dict[str, object]:
    return {
        "gray": talk.gray,
        "writing": int(talk.writing.total_seconds()) // 60,
        "silent": talk.silent,
        "successor": talk.successor.value,
        "archives": talk.opening.value,
        "master_reads": talk.master_reads,
    }


def _initial_schedule(schedule: Schedule) -> dict[str, object]:
    """Return the fields of both kinds of deadlines; the other kind gets default values."""
    plan, caps = schedule.plan, schedule.caps
    interval = plan if isinstance(plan, Interval) else USUAL_INTERVAL
    calendar = plan if isinstance(plan, Calendar) else USUAL_CALENDAR
    return {
        "clock": INTERVAL if isinstance(plan, Interval) else CALENDAR,
        "movement": format_span(interval.lengths.movement),
        "retreats": format_span(interval.lengths.retreats),
        "builds": format_span(interval.lengths.adjustments),
        "weekdays": [day.value for day in (interval.days.weekdays if interval.days else WEEK)],
        "times": format_times(calendar.movement),
        "adjudication": format_adjudication(calendar.adjudication),
        "retreat_times": format_due(calendar.retreats),
        "build_times": format_due(calendar.adjustments),
        "least": format_span(calendar.least),
        "zone": plan.zone,
        "holidays": format_days(plan.holidays if isinstance(plan, Calendar) else frozenset()),
        "early": schedule.early,
        "opening": format_span(schedule.opening),
        "grace": format_span(schedule.grace),
        **{name: format_span(getattr(caps, name)) for name in _CAPS},
    }


_CAPS = ("extension", "extensions", "pause", "pauses", "credit_after")
_SAME = {name: name for name in (*_CAPS, "zone", "weekdays", "holidays", "opening", "grace")}
_FIELDS: Mapping[str, Mapping[str, str]] = {
    INTERVAL: {**_SAME, "movement": "movement", "retreats": "retreats", "adjustments": "builds"},
    CALENDAR: {
        **_SAME,
        "movement": "times",
        "retreats": "retreat_times",
        "adjustments": "build_times",
        "adjudication": "adjudication",
        "least": "least",
    },
}
"""The field of the form for each part of a schedule, by the kind of its deadlines."""
UNUSED: Mapping[str, tuple[str, ...]] = {
    INTERVAL: ("times", "adjudication", "retreat_times", "build_times", "least"),
    CALENDAR: ("movement", "retreats", "builds", "weekdays"),
}
"""The fields that each kind of deadlines does not use."""


OPTION_FIELDS: Mapping[str, str] = {"last_year": "end_year", "date": "end_date"}
"""The field of the form for each option whose field has a different name."""


def find_field(kind: str, part: str) -> str:
    """Return the field for `part` of a schedule with deadlines of `kind`."""
    return _FIELDS[kind].get(part, "clock")


def build_schedule(given: Mapping[str, Any]) -> Schedule:
    """Return the schedule from cleaned fields; raise `ScheduleError` naming the invalid part."""
    if speed := SPEEDS.get(given["speed"]):
        zone = given["zone"] or "UTC"
        find_zone(zone)
        return move_to_zone(speed.schedule, zone)
    return Schedule(
        _calendar(given) if given["clock"] == CALENDAR else _interval(given),
        early=given["early"],
        opening=given["opening"],
        grace=given["grace"],
        caps=Caps(**{name: given[name] for name in _CAPS}),
    )


def _interval(given: Mapping[str, Any]) -> Interval:
    lengths = Lengths(given["movement"], given["retreats"], given["builds"])
    weekdays = frozenset(Weekday(day) for day in given["weekdays"])
    days = Days(given["zone"] or "UTC", weekdays, given["holidays"])
    # Even without excluded days, the time zone decides how deadlines are shown.
    return Interval(lengths, None if days == Days("UTC") else days)


def _find_preset(given: Mapping[str, Any]) -> str:
    speed = SPEEDS.get(given["speed"])
    key: str = speed.preset if speed else given["preset"]
    return key if key in GAME_PRESETS else ""


def _calendar(given: Mapping[str, Any]) -> Calendar:
    for field, name in (("movement", "times"), ("retreats", "retreat_times")):
        if given[name] is None:
            raise ScheduleError(field, "enter when they are due")
    if given["build_times"] is None:
        raise ScheduleError("adjustments", "enter when they are due")
    return Calendar(
        zone=given["zone"] or "UTC",
        movement=given["times"],
        retreats=given["retreat_times"],
        adjustments=given["build_times"],
        adjudication=given["adjudication"],
        holidays=given["holidays"],
        least=given["least"],
    )


def build_options(given: Mapping[str, Any]) -> Options:
    """Return the options from cleaned fields, which include `schedule`."""
    return Options(
        schedule=given["schedule"],
        setup=given["setup"],
        fill_with=given["fill_with"],
        press=Press(given["press"]),
        watch=Watch(given["watch"]),
        anonymous=given["anonymous"],
        start=Start(given["start"]),
        master=Master(given["master"]),
        ends=Ends(
            centers=given["centers"],
            last_year=given["end_year"],
            turns=given["turns"],
            date=given["end_date"],
            measure=Measure(given["measure"]),
        ),
        missed=Missed(limit=given["missed"], substitute=given["substitute"]),
        preset=_find_preset(given),
        slack=given.get("slack", False),
        hints=given["hints"],
        grace_locks=given["grace_locks"],
        reliability=given["reliability"] or 0,
        talk=Talk(
            gray=given["gray"],
            writing=dt.timedelta(minutes=given["writing"] or 0),
            silent=given["silent"],
            successor=Successor(given["successor"] or Successor.ARCHIVE),
            opening=Opening(given["archives"] or Opening.CONSENT),
            master_reads=given["master_reads"],
        ),
    )
