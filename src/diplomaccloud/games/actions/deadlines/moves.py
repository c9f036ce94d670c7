"""Moving the deadline of a phase, always with a log entry that gives the reason."""

import datetime as dt
from collections.abc import Sequence

from django.db.models import F

from diplomaccloud.games.actions.log import write_log
from diplomaccloud.games.errors import Refused, WrongMoment
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

EMERGENCY = "emergency "
"""How the keys of a moderator's pauses begin."""


def apply_move(
    phase: Phase,
    move: DeadlineMove,
    *,
    by: int | None = None,
    reason: str = "",
    seats: Sequence[int] = (),
) -> bool:
    """Give the phase its new deadline and log the reason; return whether the move was new.

    Runs in the caller's transaction, with the game locked. A move whose key was already logged
    changes nothing. A lease on the phase was for the old deadline, so it ends and cannot delay the
    new one.
    """
    key = f"moved {phase.sequence} {move.key}"
    if phase.game.log.filter(key=key).exists():
        return False
    phase.due_at, phase.adjudicate_at = move.new.orders_at, move.new.adjudicate_at
    phase.fixed_deadline = move.new.exact
    if move.kind is MoveKind.GRACE and phase.game.options.grace_locks:
        phase.grace_at = move.old.orders_at
    phase.lease_owner, phase.lease_until = "", None
    phase.save(
        update_fields=[
            *("due_at", "adjudicate_at", "fixed_deadline", "grace_at"),
            *("lease_owner", "lease_until"),
        ]
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
    """Return how the question would change the deadline; raise `Refused` if that is impossible."""
    timer = phase.timer()
    match question:
        case Question.EXTEND if terms.length is not None:
            return extend(timer, terms.length, key=key, decided_by=decided_by, now=now)
        case Question.PAUSE:
            return pause_phase(timer, terms.length, key=key, decided_by=decided_by, now=now)
        case Question.RESUME:
            pause = timer.pause_at(now)
            if pause is not None and pause.key.startswith(EMERGENCY):
                raise WrongMoment(
                    "A moderator paused this game. Only a moderator can end the pause."
                )
            return resume_phase(timer, key=key, decided_by=decided_by, now=now)
        case _:
            raise Refused("Choose a length of time.")


def closed_late(phase: Phase, now: dt.datetime) -> bool:
    """Return whether the site was down when the orders of the phase should have been locked.

    This counts only if orders were locked later than the schedule tolerates. `now` stands for the
    time of the lock if the phase is not locked yet.
    """
    late = (phase.locked_at or now) - phase.due_at
    return late > phase.game.options.schedule.caps.credit_after


def ended_by_force(phase: Phase) -> bool:
    """Return whether the game master or a vote ended the phase before its orders were due."""
    return any(
        move.kind is MoveKind.FORCED and move.new.orders_at < move.old.orders_at
        for move in phase.timer().moves
    )


def grant_grace(phase: Phase, missing: Sequence[Seat], now: dt.datetime) -> bool:
    """Return whether seats without orders got a grace period; a player gets one once per game.

    Called just before orders are locked. The period starts at the deadline, or at `now` if the
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
    """Return the seats whose holders have used their grace period; a rollback restores it.

    A player who left and came back has not got another one.
    """
    tenures = Tenure.objects.filter(seat__in=seats, user=F("seat__user"))
    held: dict[int, list[tuple[dt.datetime, dt.datetime | None]]] = {}
    for key, since, until in tenures.values_list("seat_id", "since_at", "until_at"):
        held.setdefault(key, []).append((since, until))
    given = LogEntry.objects.filter(
        game=phase.game, kind=MoveKind.GRACE.value, phase__superseded_at=None
    )
    return {
        key
        for entry in given
        for key in entry.data["seats"]
        for since, until in held.get(key, ())
        if since <= entry.at and (until is None or entry.at <= until)
    }
