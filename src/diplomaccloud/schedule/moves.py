"""Moving a deadline: extensions, pauses, grace, everybody ready, the game master's hand.

Each returns the move to apply with `Timer.after`, or raises `Refused` with a sentence for the
person; none changes anything. Said again under the same key it returns the very same move.
"""

import datetime as dt
from collections.abc import Collection, Sequence

from diplomaccloud.schedule.due import Deadline
from diplomaccloud.schedule.errors import Refused, WrongMoment
from diplomaccloud.schedule.local_time import aware
from diplomaccloud.schedule.spans import in_words, spelled
from diplomaccloud.schedule.timer import (
    NONE,
    Kind,
    Moved,
    Timer,
    continued,
    ordered_by,
    shifted,
)
from diplomaccloud.schedule.words import listed, moment


def extended(timer: Timer, by: dt.timedelta, *, key: str, who: str, now: dt.datetime) -> Moved:
    """Return the extension `by` so much; `who` is such as `a vote of 5 of 7`."""
    now = aware(now, "now")
    if done := timer.said(key, Kind.EXTENDED):
        return done
    _check_open(timer, now)
    if timer.pause_at(now):
        raise WrongMoment("The game is paused: end the pause first.")
    caps = timer.schedule.caps
    _check_span(by, caps.extension, "An extension")
    left = caps.extensions - timer.total(Kind.EXTENDED)
    if by > left:
        raise WrongMoment(
            f"A phase is extended by {in_words(caps.extensions)} at most in all: "
            f"{in_words(max(left, NONE))} of it is left."
        )
    new = shifted(timer.schedule, timer.stage, timer.deadline, by)
    why = f"Extended by {spelled(by)} by {who}: now {_when(timer, new)}."
    return Moved(Kind.EXTENDED, key, now, by, timer.deadline, new, why)


def paused(
    timer: Timer, longest: dt.timedelta | None = None, *, key: str, who: str, now: dt.datetime
) -> Moved:
    """Return the pause, which ends by itself after `longest`, or the most that is allowed.

    Its new deadline is already that after the longest pause, so nobody need end it.
    """
    now = aware(now, "now")
    if done := timer.said(key, Kind.PAUSED):
        return done
    if now >= timer.deadline.adjudicate_at:
        raise WrongMoment("This phase is due: it cannot be paused any more.")
    if timer.pause_at(now):
        raise WrongMoment("The game is paused already.")
    caps = timer.schedule.caps
    left = caps.pauses - _time_paused(timer)
    if left <= NONE:
        raise WrongMoment(f"A phase is paused for {in_words(caps.pauses)} at most in all.")
    if longest is not None:
        _check_span(longest, caps.pause, "A pause")
    by = min(caps.pause if longest is None else longest, left)
    new = continued(timer.schedule, timer.stage, timer.deadline, now, now + by)
    until = moment(now + by, timer.schedule.plan.zone)
    why = f"Paused by {who}, until {until} at the longest."
    return Moved(Kind.PAUSED, key, now, by, timer.deadline, new, why)


def resumed(timer: Timer, *, key: str, who: str, now: dt.datetime) -> Moved:
    """Return the end of the standing pause before its time."""
    now = aware(now, "now")
    if done := timer.said(key, Kind.RESUMED):
        return done
    pause = timer.pause_at(now)
    if pause is None:
        raise WrongMoment("The game is not paused.")
    new = continued(timer.schedule, timer.stage, pause.old, pause.at, max(now, pause.at))
    since = timer.moves[timer.moves.index(pause) :]
    credit = sum((moved.by for moved in since if moved.kind is Kind.CREDITED), NONE)
    if credit:
        new = ordered_by(timer.schedule, timer.stage, new.orders_at + credit, new)
    by = max(now - pause.at, NONE)
    why = f"Resumed by {who} after {spelled(by)}: due {_when(timer, new)}."
    return Moved(Kind.RESUMED, key, now, by, timer.deadline, new, why)


def ran_out(timer: Timer, *, now: dt.datetime) -> Moved | None:
    """Return the end of the newest pause once it has run out by itself, None while none has.

    The deadline was put behind the pause when that began, and stays.
    """
    now = aware(now, "now")
    for pause in reversed(timer.moves):
        if pause.kind is Kind.RESUMED:
            return None
        if pause.kind is Kind.PAUSED:
            break
    else:
        return None
    if now < pause.at + pause.by:
        return None
    old, key = timer.deadline, f"{pause.key} over"
    why = f"The pause is over: due {_when(timer, old)}."
    return Moved(Kind.RESUMED, key, now, pause.by, old, old, why)


def graced(
    timer: Timer, *, missing: Sequence[str], spent: Collection[str], key: str, now: dt.datetime
) -> Moved | None:
    """Return the second deadline for those of `missing` who never had one, or None.

    `spent` are those who had theirs in this game. A phase has one grace: whoever misses the
    second deadline too has missed the turn. Asked when the orders are due; counted from then.
    """
    now = aware(now, "now")
    if done := timer.said(key, Kind.GRACE):
        return done
    by = timer.schedule.grace
    names = [name for name in missing if name not in spent]
    if not by or not names or timer.total(Kind.GRACE):
        return None
    start = max(now, timer.deadline.orders_at)
    new = ordered_by(timer.schedule, timer.stage, start + by, timer.deadline)
    why = f"No orders from {listed(names)}, for the first time: {spelled(by)} more, this once."
    return Moved(Kind.GRACE, key, now, by, timer.deadline, new, why)


def rolled_over(timer: Timer, *, key: str, now: dt.datetime) -> Moved:
    """Return the end of the phase at `now`, because all are ready."""
    now = aware(now, "now")
    if done := timer.said(key, Kind.READY):
        return done
    _check_open(timer, now)
    if timer.deadline.exact:
        raise WrongMoment("This game keeps to its deadlines even when all are ready.")
    if timer.pause_at(now):
        raise WrongMoment("The game is paused.")
    why = "All are ready: the turn rolls over before its deadline."
    return Moved(Kind.READY, key, now, NONE, timer.deadline, Deadline(now, now, exact=True), why)


def forced(timer: Timer, *, key: str, who: str, now: dt.datetime) -> Moved:
    """Return the end of the phase at `now`, because `who` wants it so; pause or no pause."""
    now = aware(now, "now")
    if done := timer.said(key, Kind.FORCED):
        return done
    if now >= timer.deadline.adjudicate_at:
        raise WrongMoment("This phase is due already.")
    orders_at = min(now, timer.deadline.orders_at)
    new = Deadline(orders_at, now, exact=True)
    return Moved(Kind.FORCED, key, now, NONE, timer.deadline, new, f"Ended at once by {who}.")


def _check_open(timer: Timer, now: dt.datetime) -> None:
    if now >= timer.deadline.orders_at:
        raise WrongMoment("Orders for this phase are closed: its deadline stands.")


def _check_span(by: dt.timedelta, most: dt.timedelta, what: str) -> None:
    if by <= NONE or by.microseconds:
        raise Refused(f"{what} takes some whole seconds.")
    if by > most:
        raise Refused(f"{what} may be {in_words(most)} at most.")


def _time_paused(timer: Timer) -> dt.timedelta:
    """Return how long the phase has been paused: what was resumed counts as long as it took."""
    total, last = NONE, NONE
    for moved in timer.moves:
        match moved.kind:
            case Kind.PAUSED:
                total, last = total + moved.by, moved.by
            case Kind.RESUMED:
                total += moved.by - last
            case _:
                pass
    return total


def _when(timer: Timer, new: Deadline) -> str:
    return moment(new.orders_at, timer.schedule.plan.zone)
