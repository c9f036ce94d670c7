"""Ending pauses that have reached their limit."""

import datetime as dt

from diplomaccloud.games.actions.deadlines.early_end import end_phase_early
from diplomaccloud.games.actions.deadlines.moves import apply_move
from diplomaccloud.games.actions.locks import Now, lock_game, time_of
from diplomaccloud.games.actions.transactions import atomic_with_retries
from diplomaccloud.games.models import LogEntry, Phase, Status
from diplomaccloud.schedule import MoveKind, end_expired_pause, move_from_json


def end_pauses(*, now: Now) -> int:
    """Return how many pauses have run out; each is logged once and its phase continues.

    If everyone became ready during the pause, the phase is due at once. Called by the worker.
    """
    return sum(_end_pause(slug, key, now) for slug, key in _find_expired_pauses(time_of(now)))


def _find_expired_pauses(now: dt.datetime) -> list[tuple[str, int]]:
    """Return the slug and phase of games with a pause that is over but not yet ended."""
    waiting = Phase.objects.filter(locked_at=None, due_at__gt=now, superseded_at=None)
    entries = LogEntry.objects.filter(
        kind__in=[MoveKind.PAUSED.value, MoveKind.RESUMED.value],
        phase__in=waiting.filter(game__status=Status.RUNNING, game__suspended_reason=""),
    )
    newest = {row.phase_id: row for row in entries.select_related("game").order_by("pk")}
    return [
        (row.game.slug, key)
        for key, row in newest.items()
        if key is not None and row.kind == MoveKind.PAUSED and _is_over(row, now)
    ]


def _is_over(row: LogEntry, now: dt.datetime) -> bool:
    pause = move_from_json(row.data["moved"])
    return pause.at + pause.by <= now


@atomic_with_retries
def _end_pause(slug: str, phase_id: int, now: Now) -> bool:
    game = lock_game(slug)
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
