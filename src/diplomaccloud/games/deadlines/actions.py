"""The clock of a phase: moves of its deadline, pauses, quiet time, outages and suspension."""

import datetime as dt
import secrets
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import structlog
from django.db import InterfaceError, InternalError, OperationalError
from django.db.models import F, Q

from diplomaccloud.games.table import log as events
from diplomaccloud.games.table.errors import Refused, WrongMoment
from diplomaccloud.games.table.lock import (
    Now,
    lock_game,
    lock_game_by_id,
    lock_game_for_master,
    require_current_phase,
    require_not_frozen,
    require_open_phase,
    require_running,
    require_seat,
    time_of,
)
from diplomaccloud.games.table.log import require_reason, write_log
from diplomaccloud.games.table.log_models import LogEntry
from diplomaccloud.games.table.models import FROZEN, Game, Seat, Status, Tenure
from diplomaccloud.games.table.phase_models import Phase, TalkDone
from diplomaccloud.games.table.transactions import atomic_with_retries
from diplomaccloud.games.votes.wording import Question, Terms
from diplomaccloud.schedule import (
    DeadlineMove,
    MoveKind,
    Timer,
    end_early,
    end_expired_pause,
    end_talk,
    extend,
    find_grace,
    find_outage_credit,
    find_quiet_time,
    move_from_json,
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
    phase.deadline = move.new
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
    move = find_grace(
        phase.timer(),
        missing=list(names),
        spent=[name for name, key in names.items() if key in spent_by],
        key="grace",
        now=now if closed_late(phase, now) else phase.due_at,
    )
    late = [key for key in names.values() if key not in spent_by]
    return move is not None and apply_move(phase, move, seats=late)


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


# Ending a phase early when everyone who must order is ready.


def end_phase_early(phase: Phase, now: dt.datetime) -> int | None:
    """Make the phase due if it is waiting for no one, and return the key of the game; else None.

    Called in the transaction of every action that may leave no one to wait for: a player is ready
    or resigns, a bot takes a seat, a pause ends. All people who have something to order must be
    ready, unless their orders are locked by a grace period. If only a vacant seat has something to
    order, the phase runs until its deadline, since someone may take the seat. If talk ends before
    the deadline, it may also end early.
    """
    at = max(now, phase.opens_at)
    if phase.locked_at or phase.due_at <= at:
        return None
    if not phase.fixed_deadline:
        timer = phase.timer()
        if timer.pause_at(at):
            return None
        seats = phase.seats_to_order()
        people = {seat.pk for seat in seats if seat.user_id}
        vacant = any(not seat.user_id and not seat.bot for seat in seats)
        # Locked orders can't change, so nobody waits for a mark on them.
        done = Q(ready_at__isnull=False)
        if phase.grace_at:
            done |= Q(saved_at__lt=phase.grace_at)
        ready = phase.submissions.filter(done).values_list("seat_id", flat=True)
        if not people.difference(ready) and (people or not vacant):
            apply_move(phase, end_early(timer, key="ready", now=at))
            return phase.game_id
    end_talk_when_done(phase, at)
    return None


def end_current_phase_early(game: Game, now: dt.datetime) -> int | None:
    """Return the key of the game if its open phase no longer waits for anyone."""
    phase = game.newest_phase()
    # A vote may have ended the game in the middle of the phase.
    if phase is None or phase.processed_at or game.status != Status.RUNNING:
        return None
    return end_phase_early(phase, now)


# Ending pauses that have reached their limit, and pausing games for an emergency.


_MODERATOR = "a moderator"


def end_pauses(*, now: Now) -> int:
    """End the pauses that have run out, log each once, and return how many there were.

    The phase continues; if everyone became ready during the pause, it is due at once. Called by the
    worker.
    """
    return sum(
        run_guarded(partial(_end_expired_pause, entry, now), game_id=entry.game_id, now=now)
        for entry in _find_pauses(time_of(now))
    )


def find_running_games(user_id: int) -> list[Game]:
    """Return the running games in which the person has a seat."""
    seats = Seat.objects.filter(user=user_id, finished_at=None, game__status=Status.RUNNING)
    return [seat.game for seat in seats.order_by("game").select_related("game")]


@atomic_with_retries
def pause_for_emergency(*, game_id: int, length: dt.timedelta, now: Now, token: str = "") -> bool:
    """Pause a game for a player's emergency, whatever its limits; return whether that worked.

    The log says neither why nor for whom. Only `end_emergency` ends the pause early. A phase that
    is due cannot be paused. Nothing happens if the phase was already paused with the same `token`,
    which must say nothing about the person.
    """
    phase, now = _lock_open_phase(game_id, now)
    if phase is None or phase.due_at <= now:
        return False
    key = f"{EMERGENCY}{token or secrets.token_hex(6)}"
    if phase.timer().find_move(key, MoveKind.PAUSED) is not None:
        return True
    if phase.timer().pause_at(now) is not None:
        apply_move(
            phase, resume_phase(phase.timer(), key=f"{key} before", decided_by=_MODERATOR, now=now)
        )
    move = pause_phase(phase.timer(), length, key=key, decided_by=_MODERATOR, now=now, capped=False)
    return apply_move(phase, move)


@atomic_with_retries
def end_emergency(*, game_id: int, now: Now) -> bool:
    """End the pause that `pause_for_emergency` began; return whether there was one."""
    phase, now = _lock_open_phase(game_id, now)
    pause = phase.timer().pause_at(now) if phase is not None else None
    if phase is None or pause is None or not pause.key.startswith(EMERGENCY):
        return False
    key = f"{pause.key} over"
    apply_move(phase, resume_phase(phase.timer(), key=key, decided_by=_MODERATOR, now=now))
    end_phase_early(phase, now)
    return True


def _lock_open_phase(game_id: int, now: Now) -> tuple[Phase | None, dt.datetime]:
    """Return the open phase of a running game, locked, and the time; None if it is closed."""
    game = lock_game_by_id(game_id)
    now = time_of(now)
    phase = game.newest_phase()
    closed = phase is None or phase.locked_at or phase.processed_at
    if closed or game.status != Status.RUNNING or game.suspended_reason:
        return None, now
    return phase, now


def _find_pauses(now: dt.datetime) -> list[LogEntry]:
    """Return the log entries of pauses that have not ended yet, one for each game."""
    # SQLite uses an index on a boolean column only if the query compares it with a value.
    waiting = Phase.objects.filter(
        open__in=[True], locked_at=None, due_at__gt=now, superseded_at=None
    )
    entries = LogEntry.objects.filter(
        kind__in=[MoveKind.PAUSED.value, MoveKind.RESUMED.value],
        phase__in=waiting.filter(game__status=Status.RUNNING, game__suspended_reason=""),
    )
    newest = {row.phase_id: row for row in entries.order_by("pk")}
    return [row for row in newest.values() if row.kind == MoveKind.PAUSED]


def _end_expired_pause(entry: LogEntry, now: Now) -> bool:
    """End the pause of the log entry if its time is up; return whether it was ended."""
    pause = move_from_json(entry.data["moved"])
    return pause.at + pause.by <= time_of(now) and _end_pause(entry, now)


@atomic_with_retries
def _end_pause(entry: LogEntry, now: Now) -> bool:
    phase, now = _lock_open_phase(entry.game_id, now)
    if phase is None or phase.pk != entry.phase_id or phase.due_at <= now:
        return False
    move = end_expired_pause(phase.timer(), now=now)
    if move is None or not apply_move(phase, move):
        return False
    end_phase_early(phase, now)
    return True


# Suspending games whose processing failed or that a moderator freezes, and resuming them.
#
# The game's row holds the error as the reason, for the administrator, or `FROZEN`; players see in
# the log when their game is suspended and when it is resumed.


SUSPENDED, RESUMED = "aside", "released"
"""Kinds of log entries and events; the stored words are older than the names of the constants."""

MAX_SUSPENDED_REASON = 2000
MACHINE_FAULTS: Final = (OperationalError, InterfaceError, InternalError, OSError)
"""Errors of a database or a machine that is busy, down or full: the game itself is fine."""
_log = structlog.get_logger(__name__)


def run_guarded(step: Callable[[], int], *, game_id: int, now: Now) -> int:
    """Run a step of the worker on one game and return its result, or 0 if it failed.

    An error in the game is never raised, because it would stop all other games: the game is
    suspended with the error as the reason. If the machine failed, the next round tries again.
    """
    try:
        return step()
    except MACHINE_FAULTS:
        _log.exception("processing postponed", game=game_id)
    except Exception as error:
        suspend_failed_game(error, game_id=game_id, now=now)
    return 0


def suspend_failed_game(error: Exception, *, game_id: int, now: Now) -> None:
    """Suspend a game that raised `error`; never raise, even if suspending it fails too."""
    _log.error("game suspended", game=game_id, exc_info=error)
    try:
        suspend_game(game_id=game_id, reason=f"{type(error).__name__}: {error}", now=now)
    except Exception:
        _log.exception("game not suspended", game=game_id)


@atomic_with_retries
def suspend_game(*, game_id: int, reason: str, now: Now) -> None:
    """Suspend a game: the worker leaves it alone until someone resumes it."""
    game = lock_game_by_id(game_id)
    now = time_of(now)
    if not game.suspended_reason:
        why = "because of a problem that we are looking into"
        text = f"The game was suspended {why}. No orders are lost."
        _suspend(game, reason[:MAX_SUSPENDED_REASON] or "no reason", text, now)


@atomic_with_retries
def resume_game(*, slug: str, now: Now) -> None:
    """Resume a suspended game once the problem is fixed.

    If the open phase was not due yet when the game was suspended, its deadline is extended by the
    lost time. If it was due, it is processed at once.
    """
    game = lock_game(slug)
    resume(game, "The problem was fixed and the game was resumed.", time_of(now))


@atomic_with_retries
def try_again(
    *, slug: str, user_id: int, sequence: int, reason: str, key: str, now: dt.datetime
) -> int:
    """Resume a suspended game as its game master; return its key. See `resume_game`.

    If the problem persists, the game is suspended again. A call with the same `key` changes
    nothing, so a second click cannot resume a game that has been suspended again. Raises
    `DeadlinePassed` if the phase `sequence` is over.
    """
    game = lock_game_for_master(slug, user_id)
    require_current_phase(game, sequence)
    require_running(game)
    reason = require_reason(reason)
    if not game.log.filter(key=key).exists():
        text = "The game master resumed the game."
        resume(game, text, now, by=user_id, reason=reason, key=key)
    return game.pk


def resume(
    game: Game,
    text: str,
    now: dt.datetime,
    *,
    by: int | None = None,
    reason: str = "",
    key: str = "",
    frozen: bool = False,
) -> None:
    """Resume a suspended game and log `text`, in the caller's transaction.

    Raises `WrongMoment` for a game that a moderator stopped, unless `frozen`.
    """
    if not game.suspended_reason:
        raise WrongMoment("This game is not suspended.")
    if not frozen:
        require_not_frozen(game)
    game.suspended_reason = ""
    game.save(update_fields=["suspended_reason"])
    # The worker that hit the error still holds the lease, which would delay the next attempt.
    game.phases.filter(processed_at=None).update(lease_owner="", lease_until=None, attempts=0)
    entry = game.log.filter(kind=SUSPENDED).order_by("-pk").first()
    write_log(
        game=game,
        phase=game.newest_phase(),
        kind=RESUMED,
        key=key or f"{RESUMED} {game.log.filter(kind=RESUMED).count() + 1}",
        text=text,
        now=now,
        by=by,
        reason=reason,
    )
    phase = game.newest_phase()
    if entry is not None and phase is not None and not phase.locked_at:
        move = find_outage_credit(
            phase.timer(),
            opened_at=phase.opens_at,
            away_at=entry.at,
            back_at=now,
            key=f"after {entry.key}",
            what="The game was suspended",
            tolerated=dt.timedelta() if frozen else None,
        )
        if move is not None:
            apply_move(phase, move)
    events.record(game=game, kind=RESUMED, now=now)


@atomic_with_retries
def freeze_game(*, slug: str, now: Now) -> Game:
    """Suspend a running game until `unfreeze_game`, and return it; the log names no one.

    Orders, votes, seats and the game master's actions are closed; players can still leave.
    """
    game = lock_game(slug)
    now = time_of(now)
    require_running(game)
    if game.suspended_reason:
        raise WrongMoment("This game is already stopped.")
    _suspend(game, FROZEN, "A moderator stopped the game. No orders are lost.", now)
    return game


@atomic_with_retries
def unfreeze_game(*, slug: str, now: Now) -> Game:
    """Resume a game that `freeze_game` stopped, and return it; the open phase gets the time back.

    If the phase was due before the freeze, it is processed at once.
    """
    game = lock_game(slug)
    if not game.is_frozen:
        raise WrongMoment("This game is not stopped.")
    resume(game, "A moderator let the game continue.", time_of(now), frozen=True)
    return game


def _suspend(game: Game, reason: str, text: str, now: dt.datetime) -> None:
    game.suspended_reason = reason
    game.save(update_fields=["suspended_reason"])
    write_log(
        game=game,
        phase=game.newest_phase(),
        kind=SUSPENDED,
        key=f"{SUSPENDED} {game.log.filter(kind=SUSPENDED).count() + 1}",
        text=text,
        now=now,
    )
    events.record(game=game, kind=SUSPENDED, now=now)


# Adding the time of an outage to the deadlines of open phases.
#
# A phase that was locked before the outage is processed at once; `open_phase` credits the lost time
# to the phase that follows it.


def credit_outage(
    *, away_at: dt.datetime, back_at: Now, before_each: Callable[[], None] = lambda: None
) -> int:
    """Add the time of the outage to the deadlines of all games; return how many were extended.

    Each game is credited once for the same `away_at`, so the call may be interrupted and repeated,
    and several workers may make it. If it fails for a game, the game is suspended. After a database
    failure it raises once all other games have been tried, and the worker must call it again.
    `before_each` is called before each game.
    """
    games = Game.objects.filter(status=Status.RUNNING, suspended_reason="").order_by("pk")
    credited, fault = 0, None
    for game_id in list(games.values_list("pk", flat=True)):
        before_each()
        try:
            credited += _credit_game(game_id, away_at, back_at)
        except MACHINE_FAULTS as error:
            fault = error
        except Exception as error:
            suspend_failed_game(error, game_id=game_id, now=back_at)
    if fault is not None:
        raise fault
    return credited


@atomic_with_retries
def _credit_game(game_id: int, away_at: dt.datetime, back_at: Now) -> bool:
    # A suspended game gets the lost time back when it is resumed.
    phase, back_at = _lock_open_phase(game_id, back_at)
    if phase is None:
        return False
    move = find_outage_credit(
        phase.timer(),
        opened_at=phase.opens_at,
        away_at=away_at,
        back_at=back_at,
        key=f"outage {int(away_at.timestamp())}",
    )
    if move is None or not apply_move(phase, move):
        return False
    for vote in phase.game.votes.filter(open=True, opened_at__lte=away_at):
        vote.closes_at += back_at - away_at
        vote.save(update_fields=["closes_at"])
    return True


# Ending talk early, in games with the rulebook's quiet time before the deadline.
#
# Once everyone who is still in the game is done talking, quiet time starts and orders are due soon.
# Before that, a player can change their mind, and nobody sees who is done.


TALKING = "talking"
"""The kind of the private event for a player who is done talking, or no longer is."""


@atomic_with_retries
def finish_talking(*, slug: str, user_id: int, sequence: int, now: dt.datetime) -> None:
    """Note that the player is done talking; if all are, talk ends and orders are due soon.

    Raises `WrongMoment` if talk cannot end early in this game, if it is not open, or if the player
    is out of the game.
    """
    phase, seat = _find_talk(slug, user_id, sequence, now)
    if seat not in phase.voters():
        raise WrongMoment("Your country has been eliminated, so nobody is waiting for you.")
    _, is_new = TalkDone.objects.get_or_create(phase=phase, seat=seat, defaults={"at": now})
    if is_new:
        events.record_own(game=phase.game, kind=TALKING, now=now, seats=[seat])
        end_talk_when_done(phase, now)


@atomic_with_retries
def resume_talking(*, slug: str, user_id: int, sequence: int, now: dt.datetime) -> None:
    """Note that the player is no longer done talking; raise `WrongMoment` once talk has ended."""
    phase, seat = _find_talk(slug, user_id, sequence, now)
    rows, _ = TalkDone.objects.filter(phase=phase, seat=seat).delete()
    if rows:
        events.record_own(game=phase.game, kind=TALKING, now=now, seats=[seat])


def _find_talk(slug: str, user_id: int, sequence: int, now: dt.datetime) -> tuple[Phase, Seat]:
    """Lock the game, and return the phase, in which talk must be open, and the player's seat."""
    game = lock_game(slug)
    seat = require_seat(game, user_id)
    phase = require_open_phase(game, sequence, now)
    if not phase.has_quiet_time:
        raise WrongMoment("In this game talk continues until the deadline.")
    timer = phase.timer()
    if timer.pause_at(now):
        raise WrongMoment("The game is paused. Nothing was changed.")
    if _is_quiet(phase, timer, now):
        raise WrongMoment("Quiet time has already started. Nothing was changed.")
    return phase, seat


def end_talk_when_done(phase: Phase, now: dt.datetime) -> None:
    """End talk if everyone still in the game is done with it, in the caller's transaction.

    Called wherever there may be one player fewer to wait for, like `end_phase_early`.
    """
    if not phase.has_quiet_time or phase.locked_at or phase.due_at <= now:
        return
    living = {seat.pk for seat in phase.voters()}
    if not living or living.difference(phase.talk_done.values_list("seat_id", flat=True)):
        return
    timer = phase.timer()
    if not timer.pause_at(now) and not _is_quiet(phase, timer, now):
        writing = phase.game.options.talk.writing
        apply_move(phase, end_talk(timer, writing, key="talked", now=now))


def _is_quiet(phase: Phase, timer: Timer, now: dt.datetime) -> bool:
    """Return whether quiet time has started, on schedule or because everyone was done talking."""
    writing = phase.game.options.talk.writing
    return find_quiet_time(timer.deadline, timer.moves, writing) <= now
