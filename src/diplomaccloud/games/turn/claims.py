"""Finding due phases and claiming them, so that each is processed once, by one worker.

A lease, taken with a conditional UPDATE, keeps two workers from doing the same work. The
transaction in `turn` guarantees that a phase is processed exactly once: it reads the phase again
under its lock, and writes the results, the next phase and the events together.

Working on a phase may kill the process, if compiled code crashes or memory runs out. So each
attempt is counted before it starts, and a game with too many unfinished attempts is suspended.
"""

import contextlib
import datetime as dt
import os
import uuid
from functools import cache

import structlog
from django.db import DatabaseError
from django.db.models import Case, F, QuerySet, When

from diplomaccloud import metrics
from diplomaccloud.games.bots.actions import move_bots
from diplomaccloud.games.deadlines.actions import MACHINE_FAULTS, run_guarded, suspend_failed_game
from diplomaccloud.games.table.lock import Now, time_of
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.games.table.transactions import is_conflict
from diplomaccloud.games.turn.turn import lock_phase, process_phase

LEASE = dt.timedelta(seconds=30)
MAX_ATTEMPTS = 4
"""How many processes may die while working on a phase before its game is suspended."""
MAX_PHASES_AT_ONCE = 12
"""How many phases of one game are processed before other games get their turn."""

_log = structlog.get_logger(__name__)


class ProcessesDied(RuntimeError):
    """Raised if several processes have died while locking or processing one phase."""


def due_games(*, now: dt.datetime) -> list[int]:
    """Return the keys of games with a phase to process, the longest overdue first."""
    due = Phase.objects.due(now).order_by("adjudicate_at")
    return list(due.values_list("game_id", flat=True))


def phases_to_lock(*, now: dt.datetime) -> list[int]:
    """Return the keys of phases whose orders must be locked before they are adjudicated."""
    return list(Phase.objects.to_lock(now).order_by("due_at").values_list("pk", flat=True))


def lock_due_phases(*, now: Now, lease: dt.timedelta = LEASE) -> int:
    """Lock the orders of due phases, game by game; return how many. Called by the worker."""
    due = phases_to_lock(now=time_of(now))
    return sum(_lock_guarded(phase_id, now, lease) for phase_id in due)


def _lock_guarded(phase_id: int, now: Now, lease: dt.timedelta) -> int:
    """Lock the orders of the phase, unless another worker is doing so; return 1 if it did."""
    game_id = Phase.objects.values_list("game_id", flat=True).get(pk=phase_id)
    owner, at = _name_process(os.getpid()), time_of(now)

    def claim() -> int:
        free = Phase.objects.unleased(at).filter(pk=phase_id, locked_at=None, processed_at=None)
        return _lease(free, owner, at + lease)

    def lock() -> int:
        _require_attempts_left(phase_id)
        return lock_phase(phase_id=phase_id, now=now)

    if not run_guarded(claim, game_id=game_id, now=now):
        return 0
    locked = run_guarded(lock, game_id=game_id, now=now)
    _end_attempts(game_id)
    with contextlib.suppress(DatabaseError):
        release_lease(game_id=game_id, owner=owner)
    return locked


@cache
def _name_process(_pid: int) -> str:
    """Return the name under which this process, not its parent, leases phases to lock them."""
    return f"lock {uuid.uuid4().hex[:12]}"


def claim_phase(
    *, game_id: int, owner: str, now: dt.datetime, lease: dt.timedelta = LEASE
) -> int | None:
    """Lease the game's due phase to `owner` and return its key, or None if no phase is due."""
    for key in Phase.objects.due(now).filter(game_id=game_id).values_list("pk", flat=True)[:1]:
        free = Phase.objects.unleased(now).filter(pk=key, processed_at=None)
        if _lease(free, owner, now + lease):
            return key
    return None


def _lease(free: QuerySet[Phase], owner: str, until: dt.datetime) -> int:
    """Lease `free` phases to `owner` and count the attempts; return how many phases there were."""
    # An owner that claims the phase again is still alive.
    attempts = Case(When(lease_owner=owner, then=F("attempts")), default=F("attempts") + 1)
    # MariaDB assigns from left to right, so the condition must come before the new owner.
    return free.update(attempts=attempts, lease_owner=owner, lease_until=until)


def _require_attempts_left(phase_id: int) -> dt.datetime:
    """Return when the phase was due.

    Raises `ProcessesDied` if too many attempts at it never finished.
    """
    asked = Phase.objects.values_list("attempts", "adjudicate_at")
    attempts, due_at = asked.get(pk=phase_id)
    if attempts > 1:
        metrics.LEASES_LOST.inc()
    if attempts > MAX_ATTEMPTS:
        raise ProcessesDied(f"{attempts - 1} processes died while working on this phase")
    return due_at


def _end_attempts(game_id: int) -> None:
    """Record that this process has survived its work on the game."""
    with contextlib.suppress(DatabaseError):
        Phase.objects.filter(game_id=game_id, open=True, attempts__gt=0).update(attempts=0)


def release_lease(*, game_id: int, owner: str) -> None:
    """End the lease of `owner` on the game's open phase, so that any worker may try again now."""
    held = Phase.objects.filter(game_id=game_id, processed_at=None, lease_owner=owner)
    held.update(lease_owner="", lease_until=None)


def advance(*, game_id: int, owner: str, now: Now, lease: dt.timedelta = LEASE) -> int:
    """Process the due phases of the game and return how many; never raise an error in the game.

    A game whose processing fails, or has killed several processes, is suspended with the reason.
    Bots write their orders before a phase is processed, and at the end in the phase that is then
    open.
    """
    done, working = 0, False
    try:
        while done < MAX_PHASES_AT_ONCE:
            at = time_of(now)
            phase_id = claim_phase(game_id=game_id, owner=owner, now=at, lease=lease)
            if phase_id is None:
                break
            working = True
            due_at = _require_attempts_left(phase_id)
            if move_bots(phase_id=phase_id, now=now):
                # Bots are still thinking: try the phase again once they are done or out of time.
                release_lease(game_id=game_id, owner=owner)
                break
            with metrics.PHASE_SECONDS.time():
                processed = process_phase(phase_id=phase_id, owner=owner, now=now)
            if processed:
                late = time_of(now) - due_at
                metrics.PHASE_LAG_SECONDS.observe(max(0.0, late.total_seconds()))
            done += processed
            working = not processed
        in_play = Phase.objects.in_play().filter(game_id=game_id)
        for phase_id in in_play.values_list("pk", flat=True):
            move_bots(phase_id=phase_id, now=now)
    except MACHINE_FAULTS as error:
        # The lease runs out and the phase is tried again.
        _log.exception("processing postponed", game=game_id)
        if is_conflict(error):
            release_lease(game_id=game_id, owner=owner)
    except Exception as error:
        suspend_failed_game(error, game_id=game_id, now=now)
    if working:
        _end_attempts(game_id)
    return done
