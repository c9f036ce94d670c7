"""Ending pauses that have reached their limit, and pausing games for an emergency."""

import datetime as dt
import secrets
from functools import partial

from diplomaccloud.games.actions.deadlines.early_end import end_phase_early
from diplomaccloud.games.actions.deadlines.moves import EMERGENCY, apply_move
from diplomaccloud.games.actions.deadlines.suspension import run_guarded
from diplomaccloud.games.actions.locks import Now, lock_game_by_id, lock_game_of_phase, time_of
from diplomaccloud.games.actions.transactions import atomic_with_retries
from diplomaccloud.games.models import Game, LogEntry, Phase, Seat, Status
from diplomaccloud.schedule import (
    MoveKind,
    end_expired_pause,
    move_from_json,
    pause_phase,
    resume_phase,
)

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
    if entry.phase_id is None or pause.at + pause.by > time_of(now):
        return False
    return _end_pause(entry.phase_id, now)


@atomic_with_retries
def _end_pause(phase_id: int, now: Now) -> bool:
    game = lock_game_of_phase(phase_id)
    now = time_of(now)
    phase = Phase.objects.get(pk=phase_id)
    phase.game = game
    closed = phase.locked_at or phase.superseded_at or phase.due_at <= now
    if closed or game.status != Status.RUNNING or game.suspended_reason:
        return False
    move = end_expired_pause(phase.timer(), now=now)
    if move is None or not apply_move(phase, move):
        return False
    end_phase_early(phase, now)
    return True
