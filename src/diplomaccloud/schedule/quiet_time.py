"""Quiet time: the end of a movement phase, when players write orders and no longer talk."""

import datetime as dt
from collections.abc import Sequence

from diplomaccloud.schedule.deadline import Deadline
from diplomaccloud.schedule.timer import DeadlineMove, MoveKind


def find_quiet_time(
    deadline: Deadline, moves: Sequence[DeadlineMove], writing: dt.timedelta
) -> dt.datetime:
    """Return when quiet time of length `writing` starts; `moves` are oldest first.

    It moves with the deadline, but a grace period does not make it start later, and neither does
    any move after talk has ended early.
    """
    for move in moves:
        if move.kind is MoveKind.TALKED:
            return move.at
        if move.kind is MoveKind.GRACE:
            return move.old.orders_at - writing
    return deadline.orders_at - writing
