"""Quiet time: the end of a movement phase, in which players write orders and talk no more."""

import datetime as dt
from collections.abc import Sequence

from diplomaccloud.schedule.deadline import Deadline
from diplomaccloud.schedule.timer import DeadlineMove, MoveKind


def find_quiet_time(
    deadline: Deadline, moves: Sequence[DeadlineMove], writing: dt.timedelta
) -> dt.datetime:
    """Return when quiet time of length `writing` starts; `moves` are oldest first.

    It moves with the deadline, but neither a grace period nor anything after talk was ended early
    makes it start later.
    """
    for move in moves:
        if move.kind is MoveKind.TALKED:
            return move.at
        if move.kind is MoveKind.GRACE:
            return move.old.orders_at - writing
    return deadline.orders_at - writing
