"""Moving the deadline of a phase, always with a log entry that says why."""

import datetime as dt
from collections.abc import Sequence

from diplomaccloud.games.actions.log import write_log
from diplomaccloud.games.errors import Refused
from diplomaccloud.games.models import LogEntry, Phase, Question, Seat, Tenure, Terms
from diplomaccloud.schedule import (
    DeadlineMove,
    MoveKind,
    extend,
    find_grace,
    move_to_json,
    pause_phase,
    resume_phase,
)


def apply_move(
    phase: Phase,
    move: DeadlineMove,
    *,
    by: int | None = None,
    reason: str = "",
    seats: Sequence[int] = (),
) -> bool:
    """Give the phase its new deadline and log why; return whether the move was new.

    Within the caller's transaction, with the game locked. A move with a known key changes nothing.
    The lease was for the old deadline, so it ends: the new deadline need not wait for it.
    """
    key = f"moved {phase.sequence} {move.key}"
    if phase.game.log.filter(key=key).exists():
        return False
    phase.due_at, phase.adjudicate_at = move.new.orders_at, move.new.adjudicate_at
    phase.fixed_deadline = move.new.exact
    phase.lease_owner, phase.lease_until = "", None
    phase.save(
        update_fields=["due_at", "adjudicate_at", "fixed_deadline", "lease_owner", "lease_until"]
    )
    write_log(
        game=phase.game,
        phase=phase,
        kind=move.kind.value,
        key=key,
        text=move.why,
        now=move.at,
        by=by,
        reason=reason,
        data={"moved": move_to_json(move), "seats": list(seats)},
    )
    return True


def find_move(
    question: Question, terms: Terms, phase: Phase, *, key: str, decided_by: str, now: dt.datetime
) -> DeadlineMove:
    """Return the change that the question makes to the deadline; raise `Refused` if impossible."""
    timer = phase.timer()
    match question:
        case Question.EXTEND if terms.length is not None:
            return extend(timer, terms.length, key=key, decided_by=decided_by, now=now)
        case Question.PAUSE:
            return pause_phase(timer, terms.length, key=key, decided_by=decided_by, now=now)
        case Question.RESUME:
            return resume_phase(timer, key=key, decided_by=decided_by, now=now)
        case _:
            raise Refused("Choose a length of time.")


def closed_late(phase: Phase, now: dt.datetime) -> bool:
    """Return whether the site was down when the orders of the phase should have been locked.

    That is, for longer than the schedule tolerates; `now` is the time of the lock if the phase is
    not locked yet.
    """
    late = (phase.locked_at or now) - phase.due_at
    return late > phase.game.options.schedule.caps.credit_after


def grant_grace(phase: Phase, missing: Sequence[Seat], now: dt.datetime) -> bool:
    """Return whether seats without orders got a grace period, which a player gets once in a game.

    Called when orders would be locked. The period counts from the deadline, or from `now` if the
    site was down then.
    """
    if not missing or not phase.game.options.schedule.grace:
        return False
    names = {seat.country_name: seat.pk for seat in missing}
    spent_by = _find_seats_with_used_grace(phase, missing)
    spent = [name for name, key in names.items() if key in spent_by]
    move = find_grace(
        phase.timer(),
        missing=list(names),
        spent=spent,
        key="grace",
        now=now if closed_late(phase, now) else phase.deadline.orders_at,
    )
    if move is None:
        return False
    late = [key for key in names.values() if key not in spent_by]
    return apply_move(phase, move, seats=late)


def _find_seats_with_used_grace(phase: Phase, seats: Sequence[Seat]) -> set[int]:
    """Return the seats with holders who have used their grace period; rollbacks restore it."""
    since = dict(
        Tenure.objects.filter(seat__in=seats, until_at=None).values_list("seat_id", "since_at")
    )
    given = LogEntry.objects.filter(
        game=phase.game, kind=MoveKind.GRACE.value, phase__superseded_at=None
    )
    return {
        key
        for entry in given
        for key in entry.data["seats"]
        if key in since and entry.at >= since[key]
    }
