"""Suspending games whose processing failed or that a moderator freezes, and resuming them.

The game's row holds the error as the reason, for the administrator, or `FROZEN`; players see in the
log when their game is suspended and when it is resumed.
"""

import datetime as dt
from collections.abc import Callable
from typing import Final

import structlog
from django.db import InterfaceError, InternalError, OperationalError

from diplomaccloud.games.actions import events
from diplomaccloud.games.actions.deadlines.moves import apply_move
from diplomaccloud.games.actions.locks import (
    Now,
    lock_game,
    lock_game_by_id,
    lock_game_for_master,
    require_current_phase,
    require_not_frozen,
    require_running,
    time_of,
)
from diplomaccloud.games.actions.log import require_reason, write_log
from diplomaccloud.games.actions.transactions import atomic_with_retries
from diplomaccloud.games.errors import WrongMoment
from diplomaccloud.games.models import FROZEN, Game, LogEntry
from diplomaccloud.schedule import find_outage_credit

SUSPENDED, RESUMED = "aside", "released"
"""Kinds of log entries and events; the stored words are older than the names of the constants."""

MAX_SUSPENDED_REASON = 2000
NONE: Final = dt.timedelta()
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
    if game.suspended_reason:
        return
    text = (
        "The game was suspended because of a problem that we are looking into. No orders are lost."
    )
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
        resume(
            game,
            "The game master resumed the game.",
            now,
            by=user_id,
            reason=reason,
            key=key,
        )
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
    if entry is not None:
        _credit_lost_time(game, entry, now, tolerated=NONE if frozen else None)
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


def _credit_lost_time(
    game: Game, entry: LogEntry, now: dt.datetime, *, tolerated: dt.timedelta | None
) -> None:
    phase = game.newest_phase()
    if phase is None or phase.locked_at or phase.processed_at:
        return
    phase.game = game
    move = find_outage_credit(
        phase.timer(),
        opened_at=phase.opens_at,
        away_at=entry.at,
        back_at=now,
        key=f"after {entry.key}",
        what="The game was suspended",
        tolerated=tolerated,
    )
    if move is not None:
        apply_move(phase, move)
