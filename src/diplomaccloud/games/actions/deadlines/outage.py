"""After an outage: whatever was open has the time back in which nobody could reach it.

The one place where that is decided. What was closed before the outage and is only due to be
adjudicated is processed at once; the phase that follows has its credit from `open_phase`.
"""

import datetime as dt

import structlog
from django.db import InterfaceError, InternalError, OperationalError, transaction

from diplomaccloud.games.actions.deadlines.moves import apply_move
from diplomaccloud.games.actions.deadlines.suspension import suspend_game
from diplomaccloud.games.actions.locks import Now, time_of
from diplomaccloud.games.models import Game, Status
from diplomaccloud.schedule import find_outage_credit

_log = structlog.get_logger(__name__)


def credit_outage(*, away_at: dt.datetime, back_at: Now) -> int:
    """Return how many games were given back the time in which nothing ran.

    Said again of the same `away_at` it does nothing, so that it may be cut short, and several
    workers may begin with it. A game whose time cannot be reckoned is put aside.
    """
    games = Game.objects.filter(status=Status.RUNNING, suspended_reason="").order_by("pk")
    return sum(_credit(key, away_at, back_at) for key in list(games.values_list("pk", flat=True)))


def _credit(game_id: int, away_at: dt.datetime, back_at: Now) -> bool:
    try:
        return _credit_game(game_id, away_at, back_at)
    except (OperationalError, InterfaceError, InternalError):
        raise  # no fault of the game's: the worker begins again
    except Exception as error:
        _log.exception("put aside", game=game_id)
        suspend_game(game_id=game_id, reason=f"{type(error).__name__}: {error}", now=back_at)
        return False


@transaction.atomic
def _credit_game(game_id: int, away_at: dt.datetime, back_at: Now) -> bool:
    game = Game.objects.select_for_update().get(pk=game_id)
    back_at = time_of(back_at)
    phase = game.newest_phase()
    if phase is None or game.status != Status.RUNNING or game.suspended_reason:
        # What was put aside has this time back when it is released.
        return False
    if phase.locked_at or phase.processed_at:
        return False
    phase.game = game
    moved = find_outage_credit(
        phase.timer(),
        opened_at=phase.opens_at,
        away_at=away_at,
        back_at=back_at,
        key=f"outage {int(away_at.timestamp())}",
    )
    if moved is None or not apply_move(phase, moved):
        return False
    lost = back_at - away_at
    for motion in game.votes.filter(open=True, opened_at__lte=away_at):
        motion.closes_at += lost
        motion.save(update_fields=["closes_at"])
    return True
