"""The deadline of a phase and every move that changed it."""

import datetime as dt
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import ClassVar, Final

from diplomaccloud.judge.phases import Stage
from diplomaccloud.schedule.deadline import Calendar, Deadline, LaterDay, Schedule, find_deadline
from diplomaccloud.schedule.descriptions import (
    day_and_clock,
    format_day,
    format_instant,
    format_zone,
    join_words,
)
from diplomaccloud.schedule.local_time import MINUTE, format_duration, spell_duration, to_utc


class Refused(ValueError):
    """An action that is not allowed; nothing was changed."""

    status: ClassVar[int] = 400


class WrongMoment(Refused):
    """An action that the state of the game does not allow."""

    status = 409


NONE = dt.timedelta(0)
LATE_SHARE: Final = 1 / 3
"""The share of a phase for which a player must have had the seat to owe its orders."""
_TICK = dt.timedelta(microseconds=1)


class MoveKind(StrEnum):
    """Why a deadline moved."""

    EXTENDED = "extended"
    PAUSED = "paused"
    RESUMED = "resumed"
    GRACE = "grace"
    CREDITED = "credited"
    READY = "ready"
    FORCED = "forced"
    TALKED = "talked"


@dataclass(frozen=True, slots=True)
class DeadlineMove:
    """A deadline moved from `old` to `new` at `at`; `why` is a sentence for the public log.

    `key` is unique within the phase, so repeating a request gives the same move. `by` counts
    against the caps: it is the length of an extension, a pause (its maximum, or its actual length
    once resumed), an outage credit or a grace period.
    """

    kind: MoveKind
    key: str
    at: dt.datetime
    by: dt.timedelta
    old: Deadline
    new: Deadline
    why: str


@dataclass(frozen=True, slots=True)
class Timer:
    """The current deadline of one phase and all its moves, oldest first."""

    schedule: Schedule
    stage: Stage
    deadline: Deadline
    moves: tuple[DeadlineMove, ...] = ()

    def after(self, moved: DeadlineMove) -> "Timer":
        """Return the timer with `moved` applied; applying a move twice has no further effect."""
        if moved in self.moves:
            return self
        return replace(self, deadline=moved.new, moves=(*self.moves, moved))

    def find_move(self, key: str, kind: MoveKind) -> DeadlineMove | None:
        """Return the move made under `key`; raise `WrongMoment` if it was of another kind."""
        for moved in self.moves:
            if moved.key == key:
                if moved.kind is not kind:
                    raise WrongMoment(
                        f"This request was already used: the phase was {moved.kind}, not {kind}."
                    )
                return moved
        return None

    def total(self, kind: MoveKind) -> dt.timedelta:
        """Return the total by which moves of `kind` have moved the deadline."""
        return sum((moved.by for moved in self.moves if moved.kind is kind), NONE)

    def counted_time(self, since: dt.datetime, until: dt.datetime) -> dt.timedelta:
        """Return the time between two instants that counts: outside pauses and outages."""
        counted, last = until - since, since
        for begins, ends in sorted(self._idle_times()):
            start, end = max(begins, last), min(ends, until)
            if start < end:
                counted, last = counted - (end - start), end
        return counted

    def is_late(self, opened_at: dt.datetime, at: dt.datetime) -> bool:
        """Return whether less than `LATE_SHARE` of the phase's time that counts was left at `at`.

        A new player who takes over a seat that late owes no orders in the phase.
        """
        due = self.deadline.orders_at
        whole = self.counted_time(opened_at, due)
        return at > opened_at and self.counted_time(at, due) < whole * LATE_SHARE

    def _idle_times(self) -> Iterator[tuple[dt.datetime, dt.datetime]]:
        """Yield when each pause and each outage that was added to the deadline began and ended."""
        pause = None
        for moved in self.moves:
            match moved.kind:
                case MoveKind.PAUSED:
                    pause = moved
                case MoveKind.RESUMED if pause:
                    yield pause.at, min(moved.at, pause.at + pause.by)
                    pause = None
                case MoveKind.CREDITED:
                    yield moved.at - moved.by, moved.at
                case _:
                    pass
        if pause:
            yield pause.at, pause.at + pause.by

    def pause_at(self, now: dt.datetime) -> DeadlineMove | None:
        """Return the pause in effect at `now`, if any; resumed and expired pauses don't count."""
        pause = self.last_pause()
        return pause if pause and now < pause.at + pause.by else None

    def last_pause(self) -> DeadlineMove | None:
        """Return the latest pause, which may have expired; None if the phase has been resumed."""
        kinds = (MoveKind.PAUSED, MoveKind.RESUMED)
        last = next((moved for moved in reversed(self.moves) if moved.kind in kinds), None)
        return last if last and last.kind is MoveKind.PAUSED else None


def deadline_by(
    schedule: Schedule, stage: Stage, orders_at: dt.datetime, old: Deadline
) -> Deadline:
    """Return the deadline with orders due at `orders_at` or on the next allowed day.

    It is never earlier than `old`. A separate adjudication keeps its delay or its clock time.
    """
    plan = schedule.plan
    orders_at = max(plan.next_allowed(orders_at), old.orders_at)
    adjudicate_at = orders_at
    if isinstance(plan, Calendar) and stage is Stage.MOVEMENT:
        match plan.adjudication:
            case LaterDay(_, clock):
                adjudicate_at = plan.next_clock(clock, max(orders_at, old.adjudicate_at))
            case delay:
                adjudicate_at = orders_at + delay
    return Deadline(orders_at, max(adjudicate_at, old.adjudicate_at), exact=old.exact)


def deadline_after_pause(
    schedule: Schedule, stage: Stage, old: Deadline, paused_at: dt.datetime, resumed_at: dt.datetime
) -> Deadline:
    """Return the deadline after a pause, with at least as much time left as when it started.

    With a calendar, it is the next time of the week that leaves enough time. If orders were already
    closed when the pause started, they stay closed.
    """
    remaining = old.orders_at - paused_at
    if remaining <= NONE:
        return replace(old, adjudicate_at=max(old.adjudicate_at, resumed_at))
    plan = schedule.plan
    if isinstance(plan, Calendar):
        times = plan.times(stage)
        if not isinstance(times, dt.timedelta):
            # A time exactly that far away is enough, but `next_due` returns only later times.
            after = max(resumed_at + remaining, old.orders_at) - _TICK
            orders_at, late = plan.next_due(stage, times, after)
            return Deadline(orders_at, max(late, old.adjudicate_at), exact=old.exact)
    return deadline_by(schedule, stage, resumed_at + remaining, old)


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


# Moves: extensions, pauses, grace, early processing, the game master's decisions.
#
# Each function returns the move to apply with `Timer.after`, or raises `Refused` with a sentence
# for the person, but does not change anything. The same key always gives the same move.


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
    remaining = caps.extensions - timer.total(MoveKind.EXTENDED)
    if by > remaining:
        raise WrongMoment(
            f"A phase can be extended by at most {format_duration(caps.extensions)} in total; "
            f"{format_duration(max(remaining, NONE))} is left."
        )
    plan, orders_at = timer.schedule.plan, timer.deadline.orders_at
    # With a calendar, whole days are calendar days: 24:00 stays 24:00 when the clocks change.
    later = plan.add_time(orders_at, by) if isinstance(plan, Calendar) else orders_at + by
    new = deadline_by(timer.schedule, timer.stage, later, timer.deadline)
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
    remaining = caps.pauses - _time_paused(timer)
    if remaining <= NONE:
        raise WrongMoment(
            f"A phase can be paused for at most {format_duration(caps.pauses)} in total."
        )
    if longest is not None:
        _require_move_length(longest, caps.pause, "A pause")
    return min(caps.pause if longest is None else longest, remaining)


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
    pause = timer.last_pause()
    if pause is None or now < pause.at + pause.by:
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


AWAY = "The site was down"
_ENDED_AT_ONCE = (MoveKind.READY, MoveKind.FORCED)
"""The moves that end a phase at once: nobody was waiting for its deadline anymore."""
MAX_TIME_TO_RETURN = dt.timedelta(hours=12)
"""After a long outage, players need time to notice that the site is back."""


def find_late_deadline(
    schedule: Schedule, stage: Stage, opens_at: dt.datetime, *, due_at: dt.datetime, key: str
) -> tuple[Deadline, DeadlineMove | None]:
    """Return the deadline, and the credit if any, of a phase that follows a phase due at `due_at`.

    The deadline counts from `opens_at`, when that phase was actually processed. If that was later
    than the caps tolerate, players get at least as much time as if it had been processed on time,
    even with a calendar.
    """
    opens_at, due_at = to_utc(opens_at, "opens_at"), to_utc(due_at, "due_at")
    regular = find_deadline(schedule, stage, opens_at, first=False)
    late = opens_at - due_at
    if late <= schedule.caps.credit_after:
        return regular, None
    planned = find_deadline(schedule, stage, due_at, first=False)
    extended = deadline_by(schedule, stage, planned.orders_at + late, planned)
    new = max(regular, extended, key=lambda due: (due.orders_at, due.adjudicate_at))
    why = _why(AWAY, due_at, opens_at, schedule.plan.zone)
    return new, DeadlineMove(MoveKind.CREDITED, key, opens_at, late, planned, new, why)


def find_outage_credit(
    timer: Timer,
    *,
    opened_at: dt.datetime,
    away_at: dt.datetime,
    back_at: dt.datetime,
    key: str,
    what: str = AWAY,
    tolerated: dt.timedelta | None = None,
) -> DeadlineMove | None:
    """Return the extension of an open phase after an outage, or None if none is due.

    The reason starts with `what`. No extension is due if the outage was no longer than `tolerated`,
    by default what the caps tolerate, if orders had already closed, or if the phase was ended
    early. Time is credited only once. After the extension, the time left is at least as long as the
    outage, up to twelve hours, because players don't keep checking a page that doesn't load.
    """
    if earlier_move := timer.find_move(key, MoveKind.CREDITED):
        return earlier_move
    ended = [moved.new for moved in timer.moves if moved.kind in _ENDED_AT_ONCE]
    if timer.deadline in ended:
        # The site may have failed just before it could process the phase: orders stay closed.
        return None
    credited = [moved.at for moved in timer.moves if moved.kind is MoveKind.CREDITED]
    away_at = max(to_utc(away_at, "away_at"), to_utc(opened_at, "opened_at"), *credited)
    if (pause := timer.pause_at(away_at)) and pause.at <= away_at:
        # A paused phase loses no time.
        away_at = pause.at + pause.by
    lost = to_utc(back_at, "back_at") - away_at
    if tolerated is None:
        tolerated = timer.schedule.caps.credit_after
    if away_at >= timer.deadline.orders_at or lost <= tolerated:
        return None
    back_at, old = away_at + lost, timer.deadline
    orders_at = max(old.orders_at + lost, back_at + min(lost, MAX_TIME_TO_RETURN))
    new = deadline_by(timer.schedule, timer.stage, orders_at, old)
    by = orders_at - old.orders_at
    why = _why(what, away_at, back_at, timer.schedule.plan.zone, by)
    return DeadlineMove(MoveKind.CREDITED, key, back_at, by, old, new, why)


def _why(
    what: str, start: dt.datetime, end: dt.datetime, zone: str, by: dt.timedelta | None = None
) -> str:
    """Return `The site was down from 10:00 to 14:20 UTC: deadline extended by four hours …`.

    `by` is the extension if it is longer than the outage.
    """
    (first, start_clock), (last, end_clock) = day_and_clock(start, zone), day_and_clock(end, zone)
    if first != last:
        start_clock = f"{format_day(first)}, {start_clock}"
        end_clock = f"{format_day(last)}, {end_clock}"
    where = " UTC" if zone == "UTC" else f", {format_zone(zone)}"
    lost = end - start
    by = by or lost
    extension = spell_duration(by - by % MINUTE if by > MINUTE else by)
    if by > lost:
        return (
            f"{what} from {start_clock} to {end_clock}{where}: deadline extended by {extension}, "
            "so that everyone has time to come back."
        )
    return f"{what} from {start_clock} to {end_clock}{where}: deadline extended by {extension}."
