"""Schedules and moves of a deadline as versioned JSON; every part is checked as it is read.

Durations are whole seconds, days `2030-12-25`, times of the week `wed 24:00`, and `adjudication`
is seconds or `{"days": 1, "clock": "12:30"}`. All members are required, and no others are allowed.
"""

import datetime as dt
import re
from collections.abc import Callable, Iterable
from typing import TypeVar

from diplomaccloud.judge.codec import Json, Node
from diplomaccloud.schedule.deadline import (
    MAX_HOLIDAYS,
    MAX_MOVE,
    MAX_TIMES,
    Calendar,
    Caps,
    Days,
    Deadline,
    Interval,
    LaterDay,
    Lengths,
    Schedule,
)
from diplomaccloud.schedule.local_time import Clock, ScheduleError, Weekday, WeekTime, to_utc
from diplomaccloud.schedule.timer import DeadlineMove, MoveKind

VERSION = 1
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)
_SCHEDULE = ("v", "kind", "early", "opening", "grace", "caps")
_INTERVAL = ("movement", "retreats", "adjustments", "days")
_CALENDAR = ("zone", "movement", "retreats", "adjustments", "adjudication", "holidays", "least")
_CAPS = ("extension", "extensions", "pause", "pauses", "credit_after")
_MAX_MEMBERS = 100
_T = TypeVar("_T")


def schedule_to_json(schedule: Schedule) -> Json:
    """Return `schedule` as JSON."""
    match schedule.plan:
        case Interval(lengths, days):
            kind = "interval"
            plan: Json = {
                "movement": _seconds(lengths.movement),
                "retreats": _seconds(lengths.retreats),
                "adjustments": _seconds(lengths.adjustments),
                "days": None if days is None else _days(days),
            }
        case Calendar(adjudication=later) as calendar:
            kind = "calendar"
            plan = {
                "zone": calendar.zone,
                "movement": _times(calendar.movement),
                "retreats": _times(calendar.retreats),
                "adjustments": _times(calendar.adjustments),
                "adjudication": {"days": later.days, "clock": str(later.clock)}
                if isinstance(later, LaterDay)
                else _seconds(later),
                "holidays": _dates(calendar.holidays),
                "least": _seconds(calendar.least),
            }
    return {
        "v": VERSION,
        "kind": kind,
        "early": schedule.early,
        "opening": _seconds(schedule.opening),
        "grace": _seconds(schedule.grace),
        "caps": {name: _seconds(getattr(schedule.caps, name)) for name in _CAPS},
        **plan,
    }


def schedule_from_json(data: object) -> Schedule:
    """Return the schedule that `data` describes; raise `CodecError` naming the member at fault."""
    node = Node(data)
    if node["v"].integer() != VERSION:
        raise node["v"].error(f"only version {VERSION} is supported")
    match node["kind"].text():
        case "interval":
            _require_known_members(node, _SCHEDULE + _INTERVAL)
            lengths = _construct(
                node,
                lambda: Lengths(
                    movement=_read_span(node["movement"]),
                    retreats=_read_span(node["retreats"]),
                    adjustments=_read_span(node["adjustments"]),
                ),
            )
            days = None if node["days"].is_null() else _read_days(node["days"])
            plan: Interval | Calendar = Interval(lengths, days)
        case "calendar":
            _require_known_members(node, _SCHEDULE + _CALENDAR)
            plan = _read_calendar(node)
        case kind:
            raise node["kind"].error(f"must be interval or calendar, not {kind[:20]!r}")
    return _construct(
        node,
        lambda: Schedule(
            plan=plan,
            early=node["early"].truth(),
            opening=_read_span(node["opening"]),
            grace=_read_span(node["grace"]),
            caps=_read_caps(node["caps"]),
        ),
    )


def _days(days: Days) -> Json:
    return {
        "zone": days.zone,
        "weekdays": [day.value for day in Weekday if day in days.weekdays],
        "holidays": _dates(days.holidays),
    }


def _read_days(node: Node) -> Days:
    _require_known_members(node, ("zone", "weekdays", "holidays"))
    return _construct(
        node,
        lambda: Days(
            zone=node["zone"].line(),
            weekdays=_read_set(node["weekdays"], lambda day: day.member(Weekday), 7),
            holidays=_read_dates(node["holidays"]),
        ),
    )


def _read_calendar(node: Node) -> Calendar:
    return _construct(
        node,
        lambda: Calendar(
            zone=node["zone"].line(),
            movement=_read_set(node["movement"], _read_week_time, MAX_TIMES),
            retreats=_read_times(node["retreats"]),
            adjustments=_read_times(node["adjustments"]),
            adjudication=_read_adjudication(node["adjudication"]),
            holidays=_read_dates(node["holidays"]),
            least=_read_span(node["least"]),
        ),
    )


def _read_adjudication(node: Node) -> dt.timedelta | LaterDay:
    if not isinstance(node.value, dict):
        return _read_span(node)
    _require_known_members(node, ("days", "clock"))
    clock = node["clock"]
    return LaterDay(node["days"].integer(0, 7), _parse_text(clock, Clock.parse))


def _read_caps(node: Node) -> Caps:
    _require_known_members(node, _CAPS)
    return _construct(node, lambda: Caps(**{name: _read_span(node[name]) for name in _CAPS}))


def _read_times(node: Node) -> dt.timedelta | frozenset[WeekTime]:
    if isinstance(node.value, list | tuple):
        return _read_set(node, _read_week_time, MAX_TIMES)
    return _read_span(node)


def _read_dates(node: Node) -> frozenset[dt.date]:
    return _read_set(node, _read_date, MAX_HOLIDAYS)


def _read_date(node: Node) -> dt.date:
    text = node.line(_DATE)
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        raise node.error(f"no such day: {text}") from None


def _read_week_time(node: Node) -> WeekTime:
    return _parse_text(node, WeekTime.parse)


def _parse_text(node: Node, parse: Callable[[str], _T]) -> _T:
    try:
        return parse(node.line())
    except ScheduleError as error:
        raise node.error(error.what) from None


def _read_set(node: Node, read: Callable[[Node], _T], most: int) -> frozenset[_T]:
    values: set[_T] = set()
    for member in node.items(most=most):
        value = read(member)
        if value in values:
            raise member.error("duplicate")
        values.add(value)
    return frozenset(values)


def _read_span(node: Node) -> dt.timedelta:
    return dt.timedelta(seconds=node.integer(0, _seconds(MAX_MOVE)))


def _require_known_members(node: Node, names: Iterable[str]) -> None:
    allowed = frozenset(names)
    for key, value in node.entries(most=_MAX_MEMBERS):
        if key.value not in allowed:
            raise value.error("unknown member")


def _construct(node: Node, make: Callable[[], _T]) -> _T:
    try:
        return make()
    except ScheduleError as error:
        at = node
        if error.field in node:
            at = node[error.field]
        raise at.error(error.what) from None


def _seconds(span: dt.timedelta) -> int:
    return round(span.total_seconds())


def _dates(days: frozenset[dt.date]) -> list[str]:
    return [day.isoformat() for day in sorted(days)]


def _times(times: dt.timedelta | frozenset[WeekTime]) -> int | list[str]:
    if isinstance(times, dt.timedelta):
        return _seconds(times)
    return [str(time) for time in sorted(times, key=lambda time: time.order)]


MOVE_VERSION = 1
_CENTURY = 100 * 366 * 86400


def move_to_json(moved: DeadlineMove) -> Json:
    """Return `moved` as JSON; `by` is in seconds and may have a fraction."""
    return {
        "v": MOVE_VERSION,
        "kind": moved.kind.value,
        "key": moved.key,
        "at": moved.at.isoformat(),
        "by": moved.by.total_seconds(),
        "old": _deadline(moved.old),
        "new": _deadline(moved.new),
        "why": moved.why,
    }


def move_from_json(data: object) -> DeadlineMove:
    """Return the move that `data` describes; raise `CodecError` naming the member at fault."""
    node = Node(data)
    if node["v"].integer() != MOVE_VERSION:
        raise node["v"].error(f"only version {MOVE_VERSION} is supported")
    return DeadlineMove(
        kind=node["kind"].member(MoveKind),
        key=node["key"].line(),
        at=_read_instant(node["at"]),
        by=dt.timedelta(seconds=node["by"].number(0, _CENTURY)),
        old=_read_deadline(node["old"]),
        new=_read_deadline(node["new"]),
        why=node["why"].text(),
    )


def _deadline(deadline: Deadline) -> Json:
    return {
        "orders_at": deadline.orders_at.isoformat(),
        "adjudicate_at": deadline.adjudicate_at.isoformat(),
        "exact": deadline.exact,
    }


def _read_deadline(node: Node) -> Deadline:
    orders_at, adjudicate_at = map(_read_instant, (node["orders_at"], node["adjudicate_at"]))
    exact = node["exact"].truth()
    return _construct(node, lambda: Deadline(orders_at, adjudicate_at, exact))


def _read_instant(node: Node) -> dt.datetime:
    text = node.line()
    try:
        return to_utc(dt.datetime.fromisoformat(text), "instant")
    except ScheduleError as error:
        raise node.error(error.what) from None
    except (ValueError, OverflowError):
        raise node.error(f"not an instant: {text[:40]!r}") from None
