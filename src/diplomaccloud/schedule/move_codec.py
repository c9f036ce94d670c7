"""Moves of a deadline as versioned JSON; every part is checked as it is read."""

import datetime as dt

from diplomaccloud.judge.codec.reader import Json, Node
from diplomaccloud.schedule.deadline import Deadline
from diplomaccloud.schedule.local_time import ScheduleError, to_utc
from diplomaccloud.schedule.timer import DeadlineMove, MoveKind

VERSION = 1
_CENTURY = 100 * 366 * 86400


def move_to_json(moved: DeadlineMove) -> Json:
    """Return `moved` as JSON; `by` is in seconds and may have a fraction."""
    return {
        "v": VERSION,
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
    if node["v"].integer() != VERSION:
        raise node["v"].error(f"only version {VERSION} is supported")
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
    try:
        return Deadline(
            orders_at=_read_instant(node["orders_at"]),
            adjudicate_at=_read_instant(node["adjudicate_at"]),
            exact=node["exact"].truth(),
        )
    except ScheduleError as error:
        raise node[error.field].error(error.what) from None


def _read_instant(node: Node) -> dt.datetime:
    text = node.line()
    try:
        return to_utc(dt.datetime.fromisoformat(text), "instant")
    except ScheduleError as error:
        raise node.error(error.what) from None
    except (ValueError, OverflowError):
        raise node.error(f"not an instant: {text[:40]!r}") from None
