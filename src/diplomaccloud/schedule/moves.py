"""Moves of a deadline: extensions, pauses, grace, early processing, the game master's decisions.

Each function returns the move to apply with `Timer.after`, or raises `Refused` with a sentence for
the person, but does not change anything. The same key always gives the same move.
"""

import datetime as dt
from collections.abc import Collection, Sequence

from diplomaccloud.schedule.deadline import Deadline
from diplomaccloud.schedule.descriptions import format_instant, join_words
from diplomaccloud.schedule.durations import format_duration, spell_duration
from diplomaccloud.schedule.errors import Refused, WrongMoment
from diplomaccloud.schedule.local_time import to_utc
from diplomaccloud.schedule.timer import (
    NONE,
    DeadlineMove,
    MoveKind,
    Timer,
    deadline_after_pause,
    deadline_by,
    shift_deadline,
)


def extend(
    timer: Timer, by: dt.timedelta, *, key: str, decided_by: str, now: dt.datetime
) -> DeadlineMove:
    """Return the extension by `by`; `decided_by` says who decided, such as `a vote of 5 of 7`."""
    now = to_utc(now, "now")
    if earlier_move := timer.find_move(key, MoveKind.EXTENDED):
        return earlier_move
    _require_open(timer, now)
    if timer.pause_at(now):
        raise WrongMoment("The game is paused. End the pause first.")
    caps = timer.schedule.caps
    _require_move_length(by, caps.extension, "An extension")
    left = caps.extensions - timer.total(MoveKind.EXTENDED)
    if by > left:
        raise WrongMoment(
            f"A phase can be extended by at most {format_duration(caps.extensions)} in total; "
            f"{format_duration(max(left, NONE))} is left."
        )
    new = shift_deadline(timer.schedule, timer.stage, timer.deadline, by)
    why = (
        f"Deadline extended by {spell_duration(by)} by {decided_by}. It is now {_when(timer, new)}."
    )
    return DeadlineMove(MoveKind.EXTENDED, key, now, by, timer.deadline, new, why)


def pause_phase(
    timer: Timer,
    longest: dt.timedelta | None = None,
    *,
    key: str,
    decided_by: str,
    now: dt.datetime,
    capped: bool = True,
) -> DeadlineMove:
    """Return the pause, which ends automatically after `longest` or the maximum allowed.

    Unless `capped`, it lasts `longest`, whatever the caps are. The new deadline already includes
    the longest pause, so nobody has to end it.
    """
    now = to_utc(now, "now")
    if earlier_move := timer.find_move(key, MoveKind.PAUSED):
        return earlier_move
    if now >= timer.deadline.adjudicate_at:
        raise WrongMoment("This phase is due and can no longer be paused.")
    if timer.pause_at(now):
        raise WrongMoment("The game is already paused.")
    by = longest if longest is not None and not capped else _cap_pause(timer, longest)
    new = deadline_after_pause(timer.schedule, timer.stage, timer.deadline, now, now + by)
    until = format_instant(now + by, timer.schedule.plan.zone)
    why = f"Paused by {decided_by} until {until} at the latest."
    return DeadlineMove(MoveKind.PAUSED, key, now, by, timer.deadline, new, why)


def _cap_pause(timer: Timer, longest: dt.timedelta | None) -> dt.timedelta:
    caps = timer.schedule.caps
    left = caps.pauses - _time_paused(timer)
    if left <= NONE:
        raise WrongMoment(
            f"A phase can be paused for at most {format_duration(caps.pauses)} in total."
        )
    if longest is not None:
        _require_move_length(longest, caps.pause, "A pause")
    return min(caps.pause if longest is None else longest, left)


def resume_phase(timer: Timer, *, key: str, decided_by: str, now: dt.datetime) -> DeadlineMove:
    """Return the early end of the current pause."""
    now = to_utc(now, "now")
    if earlier_move := timer.find_move(key, MoveKind.RESUMED):
        return earlier_move
    pause = timer.pause_at(now)
    if pause is None:
        raise WrongMoment("The game is not paused.")
    new = deadline_after_pause(timer.schedule, timer.stage, pause.old, pause.at, max(now, pause.at))
    since = timer.moves[timer.moves.index(pause) :]
    credit = sum((moved.by for moved in since if moved.kind is MoveKind.CREDITED), NONE)
    if credit:
        new = deadline_by(timer.schedule, timer.stage, new.orders_at + credit, new)
    by = max(now - pause.at, NONE)
    why = f"Resumed by {decided_by} after {spell_duration(by)}. Orders are due {_when(timer, new)}."
    return DeadlineMove(MoveKind.RESUMED, key, now, by, timer.deadline, new, why)


def end_expired_pause(timer: Timer, *, now: dt.datetime) -> DeadlineMove | None:
    """Return the end of the latest pause if it has expired, or None.

    The deadline was already moved past the pause when the pause started, and does not change now.
    """
    now = to_utc(now, "now")
    for pause in reversed(timer.moves):
        if pause.kind is MoveKind.RESUMED:
            return None
        if pause.kind is MoveKind.PAUSED:
            break
    else:
        return None
    if now < pause.at + pause.by:
        return None
    old, key = timer.deadline, f"{pause.key} over"
    why = f"The pause is over. Orders are due {_when(timer, old)}."
    return DeadlineMove(MoveKind.RESUMED, key, now, pause.by, old, old, why)


def find_grace(
    timer: Timer, *, missing: Sequence[str], spent: Collection[str], key: str, now: dt.datetime
) -> DeadlineMove | None:
    """Return a second deadline for players in `missing` who have not used their grace, or None.

    `spent` are the players who have used theirs in this game. A phase has at most one grace period;
    a player who also misses the second deadline has missed the turn. A phase that was ended by
    force has none. Call this when orders are due.
    """
    now = to_utc(now, "now")
    if earlier_move := timer.find_move(key, MoveKind.GRACE):
        return earlier_move
    by = timer.schedule.grace
    names = [name for name in missing if name not in spent]
    if not by or not names or timer.total(MoveKind.GRACE):
        return None
    if any(moved.kind is MoveKind.FORCED for moved in timer.moves):
        # "Now" means now, and those who were not there keep their grace: see `ended_by_force`.
        return None
    start = max(now, timer.deadline.orders_at)
    new = deadline_by(timer.schedule, timer.stage, start + by, timer.deadline)
    why = (
        f"{join_words(names)} missed the deadline for the first time: "
        f"extended once by {spell_duration(by)}."
    )
    return DeadlineMove(MoveKind.GRACE, key, now, by, timer.deadline, new, why)


def end_early(timer: Timer, *, key: str, now: dt.datetime) -> DeadlineMove:
    """Return the end of the phase at `now` because everyone is ready."""
    now = to_utc(now, "now")
    if earlier_move := timer.find_move(key, MoveKind.READY):
        return earlier_move
    _require_open(timer, now)
    if timer.deadline.exact:
        raise WrongMoment("This game keeps its deadlines even if everyone is ready.")
    if timer.pause_at(now):
        raise WrongMoment("The game is paused.")
    why = "Everyone is ready: the turn is processed before its deadline."
    return DeadlineMove(
        MoveKind.READY, key, now, NONE, timer.deadline, Deadline(now, now, exact=True), why
    )


def end_talk(timer: Timer, writing: dt.timedelta, *, key: str, now: dt.datetime) -> DeadlineMove:
    """Return the early end of talk because everyone is done; orders are due `writing` later.

    An exact deadline does not move: only talk ends.
    """
    now, old = to_utc(now, "now"), timer.deadline
    if earlier_move := timer.find_move(key, MoveKind.TALKED):
        return earlier_move
    _require_open(timer, now)
    if timer.pause_at(now):
        raise WrongMoment("The game is paused.")
    orders_at = now + writing
    new = (
        old
        if old.exact or old.orders_at <= orders_at
        else Deadline(orders_at, orders_at, exact=False)
    )
    why = f"Everyone is done talking: quiet time has started. Orders are due {_when(timer, new)}."
    return DeadlineMove(MoveKind.TALKED, key, now, NONE, old, new, why)


def end_now(timer: Timer, *, key: str, decided_by: str, now: dt.datetime) -> DeadlineMove:
    """Return the end of the phase at `now`, as `decided_by` decided, even during a pause."""
    now = to_utc(now, "now")
    if earlier_move := timer.find_move(key, MoveKind.FORCED):
        return earlier_move
    if now >= timer.deadline.adjudicate_at:
        raise WrongMoment("This phase is already due.")
    orders_at = min(now, timer.deadline.orders_at)
    new = Deadline(orders_at, now, exact=True)
    return DeadlineMove(
        MoveKind.FORCED, key, now, NONE, timer.deadline, new, f"Phase ended now by {decided_by}."
    )


def _require_open(timer: Timer, now: dt.datetime) -> None:
    if now >= timer.deadline.orders_at:
        raise WrongMoment("Orders for this phase are closed, so its deadline can no longer move.")


def _require_move_length(by: dt.timedelta, most: dt.timedelta, what: str) -> None:
    if by <= NONE or by.microseconds:
        raise Refused(f"{what} must be a whole number of seconds, at least one.")
    if by > most:
        raise Refused(f"{what} can be at most {format_duration(most)}.")


def _time_paused(timer: Timer) -> dt.timedelta:
    """Return how long the phase has been paused; an ended pause counts with its actual length."""
    total, last = NONE, NONE
    for moved in timer.moves:
        match moved.kind:
            case MoveKind.PAUSED:
                total, last = total + moved.by, moved.by
            case MoveKind.RESUMED:
                total += moved.by - last
            case _:
                pass
    return total


def _when(timer: Timer, new: Deadline) -> str:
    return format_instant(new.orders_at, timer.schedule.plan.zone)
