"""Adding the time of an outage to the deadlines of open phases.

A phase that was locked before the outage is processed at once; `open_phase` credits the lost time
to the phase that follows it.
"""

import datetime as dt
from collections.abc import Callable

from diplomaccloud.games.actions.deadlines.moves import apply_move
from diplomaccloud.games.actions.deadlines.suspension import MACHINE_FAULTS, suspend_failed_game
from diplomaccloud.games.actions.locks import Now, lock_game_by_id, time_of
from diplomaccloud.games.actions.transactions import atomic_with_retries
from diplomaccloud.games.models import Game, Status
from diplomaccloud.schedule import find_outage_credit


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
