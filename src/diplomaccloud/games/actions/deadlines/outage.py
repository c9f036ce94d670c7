"""Adding the time of an outage to the deadlines of open phases.

A phase that was locked before the outage is processed at once; the phase that follows it gets its
credit from `open_phase`.
"""

import datetime as dt

import structlog
from django.db import InterfaceError, InternalError, OperationalError

from diplomaccloud.games.actions.deadlines.moves import apply_move
from diplomaccloud.games.actions.deadlines.suspension import suspend_game
from diplomaccloud.games.actions.locks import Now, lock_game_by_id, time_of
from diplomaccloud.games.actions.transactions import atomic_with_retries
from diplomaccloud.games.models import Game, Status
from diplomaccloud.schedule import find_outage_credit

_log = structlog.get_logger(__name__)


def credit_outage(*, away_at: dt.datetime, back_at: Now) -> int:
    """Return how many games had the time of the outage added to their deadlines.

    Calling it again for the same `away_at` does nothing, so it may be interrupted, and several
    workers may call it. A game for which it fails is suspended.
    """
    games = Game.objects.filter(status=Status.RUNNING, suspended_reason="").order_by("pk")
    return sum(_credit(key, away_at, back_at) for key in list(games.values_list("pk", flat=True)))


def _credit(game_id: int, away_at: dt.datetime, back_at: Now) -> bool:
    try:
        return _credit_game(game_id, away_at, back_at)
    except (OperationalError, InterfaceError, InternalError):
        raise  # The game is fine: the worker tries again.
    except Exception as error:
        _log.exception("game suspended", game=game_id)
        suspend_game(game_id=game_id, reason=f"{type(error).__name__}: {error}", now=back_at)
        return False


@atomic_with_retries
def _credit_game(game_id: int, away_at: dt.datetime, back_at: Now) -> bool:
    game = lock_game_by_id(game_id)
    back_at = time_of(back_at)
    phase = game.newest_phase()
    if phase is None or game.status != Status.RUNNING or game.suspended_reason:
        # A suspended game gets the lost time back when it is resumed.
        return False
    if phase.locked_at or phase.processed_at:
        return False
    phase.game = game
    move = find_outage_credit(
        phase.timer(),
        opened_at=phase.opens_at,
        away_at=away_at,
        back_at=back_at,
        key=f"outage {int(away_at.timestamp())}",
    )
    if move is None or not apply_move(phase, move):
        return False
    lost = back_at - away_at
    for vote in game.votes.filter(open=True, opened_at__lte=away_at):
        vote.closes_at += lost
        vote.save(update_fields=["closes_at"])
    return True
