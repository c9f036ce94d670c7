"""The game master's actions: change deadlines, end a phase, preview results, reprimand.

Each action is logged publicly with its reason. A game master who plays must ask the players
instead: see `requests`. Rollbacks are in `rollback`; removing players and seating bots are in
`seats`.
"""

import datetime as dt
import secrets

from diplomaccloud.games.actions.deadlines.early_end import end_phase_early
from diplomaccloud.games.actions.deadlines.moves import apply_move, find_move
from diplomaccloud.games.actions.locks import (
    find_seat,
    lock_game,
    lock_game_for_master,
    require_current_phase,
    require_master,
    require_running,
)
from diplomaccloud.games.actions.log import require_reason, write_log
from diplomaccloud.games.actions.phases.turn import adjudicate_phase
from diplomaccloud.games.actions.seats.resignation import MASTER, require_player
from diplomaccloud.games.actions.transactions import atomic_with_retries
from diplomaccloud.games.errors import NotYourSeat
from diplomaccloud.games.models import Game, OrderRow, Phase, Question, Tenure, Terms
from diplomaccloud.judge.results import Resolution
from diplomaccloud.schedule import MoveKind, end_now

_TICK = dt.timedelta(microseconds=1)


@atomic_with_retries
def change_time(
    *,
    slug: str,
    user_id: int,
    question: Question,
    length: dt.timedelta | None,
    reason: str,
    key: str,
    now: dt.datetime,
    sequence: int,
) -> None:
    """Extend the phase, pause the game or end the pause, within the same limits as votes.

    A second call with the same `key` changes nothing, so a double click has no effect. `sequence`
    is the phase that the request was for; raises `DeadlinePassed` if it is over. But a phase in
    which only bots order lasts only seconds, so a pause applies to whichever phase is open when it
    arrives.
    """
    phase = _bots_phase(slug, user_id) if question is Question.PAUSE else None
    if phase is not None:
        if _paused_before(phase.game, key):
            return
        # A phase that is already due can still be paused: people can no longer order in it.
        now = min(now, phase.adjudicate_at - _TICK)
    else:
        phase = _require_running_phase(slug, user_id, sequence)
    why = require_reason(reason)
    # If orders were locked while the request waited, they stay locked.
    now = max(now, phase.locked_at or now)
    move = find_move(question, Terms(length=length), phase, key=key, decided_by=MASTER, now=now)
    apply_move(phase, move, by=user_id, reason=why)
    if question is Question.RESUME:
        end_phase_early(phase, now)


@atomic_with_retries
def force_phase(
    *,
    slug: str,
    user_id: int,
    reason: str,
    key: str,
    now: dt.datetime,
    sequence: int,
) -> int:
    """Make the phase due now, whatever its deadline was; return the key of its game.

    `sequence` is the phase that the request was for; raises `DeadlinePassed` if it is over, so
    a double click does not end the next phase too.
    """
    phase = _require_running_phase(slug, user_id, sequence)
    # As in `change_time`, never earlier than anything that has already happened in the phase.
    now = max(now, phase.opens_at, phase.locked_at or now)
    move = end_now(phase.timer(), key=key, decided_by=MASTER, now=now)
    apply_move(phase, move, by=user_id, reason=require_reason(reason))
    return phase.game_id


@atomic_with_retries
def preview_results(
    *, slug: str, user_id: int, sequence: int, reason: str, now: dt.datetime
) -> Resolution:
    """Return the results of the current orders, and log that the game master looked.

    Raises `NotYourSeat` for a game master who plays or has played in the game. Not even a vote can
    allow it, because looking cannot be undone.
    """
    game = lock_game(slug)
    require_master(game, user_id)
    if Tenure.objects.filter(seat__game=game, user_id=user_id).exists() or find_seat(game, user_id):
        raise NotYourSeat("A game master who plays cannot see other players' orders.")
    phase = require_current_phase(game, sequence)
    require_running(game)
    write_log(
        game=game,
        phase=phase,
        kind="looked",
        key=f"looked {secrets.token_hex(6)}",
        text="The game master looked at the pending orders and their result.",
        now=now,
        by=user_id,
        reason=require_reason(reason),
    )
    return adjudicate_phase(phase, list(OrderRow.objects.live_in(phase)))


@atomic_with_retries
def reprimand(
    *,
    slug: str,
    user_id: int,
    sequence: int,
    power: str,
    reason: str,
    now: dt.datetime,
    tenure: int | None = None,
    key: str = "",
) -> None:
    """Log a reprimand by the game master, for every player to read.

    A second call with the same `key` changes nothing. With `tenure`, raises `WrongMoment` if
    another player has the seat by now.
    """
    game = lock_game(slug)
    require_master(game, user_id)
    key = f"reprimand {key or secrets.token_hex(6)}"
    if game.log.filter(key=key).exists():
        return
    seat = require_player(game, sequence, power, tenure)
    write_log(
        game=game,
        phase=game.newest_phase(),
        kind="reprimand",
        key=key,
        text=f"{seat.country_name} was reprimanded by the game master.",
        now=now,
        by=user_id,
        reason=require_reason(reason),
        data={"seat": seat.pk},
    )


def _bots_phase(slug: str, user_id: int) -> Phase | None:
    """Return the open phase of the game if only bots have something to order in it."""
    game = lock_game_for_master(slug, user_id)
    require_running(game)
    phase = game.newest_phase()
    if phase is None:
        return None
    phase.game = game
    return phase if all(seat.bot for seat in phase.seats_to_order()) else None


def _paused_before(game: Game, key: str) -> bool:
    """Return whether the game was paused under `key`, in any of its phases."""
    return game.log.filter(kind=MoveKind.PAUSED.value, data__moved__key=key).exists()


def _require_running_phase(slug: str, user_id: int, sequence: int) -> Phase:
    """Return the newest phase of a running game; raise if the request was for another phase."""
    game = lock_game_for_master(slug, user_id)
    phase = require_current_phase(game, sequence)
    require_running(game)
    return phase
