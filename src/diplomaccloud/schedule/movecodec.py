"""Moves of a deadline as versioned JSON, and back again with every part checked."""

import datetime as dt

from diplomaccloud.judge.codec.reader import Json, Node
from diplomaccloud.schedule.due import Deadline
from diplomaccloud.schedule.local_time import ScheduleError, aware
from diplomaccloud.schedule.timer import Kind, Moved

VERSION = 1
_CENTURY = 100 * 366 * 86400


def moved_to_json(moved: Moved) -> Json:
    """Return `moved` as JSON; `by` is in seconds, which may have a fraction."""
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


def moved_from_json(data: object) -> Moved:
    """Return the move that `data` describes; raise `CodecError` naming the member at fault."""
    node = Node(data)
    if node["v"].integer() != VERSION:
        raise node["v"].error(f"only version {VERSION} is known")
    return Moved(
        kind=node["kind"].member(Kind),
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
        return aware(dt.datetime.fromisoformat(text), "instant")
    except ScheduleError as error:
        raise node.error(error.what) from None
    except (ValueError, OverflowError):
        raise node.error(f"not an instant: {text[:40]!r}") from None
