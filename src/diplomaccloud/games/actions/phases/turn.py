"""Processing due phases, each exactly once.

A lease taken by a conditional UPDATE keeps workers from doing the same work; what makes it
exactly once is the transaction, which reads the phase again under its lock while it is
unprocessed and writes results, next phase and events together.
"""

import datetime as dt

import structlog
from django.db import InterfaceError, InternalError, OperationalError, transaction

from diplomaccloud.games import events
from diplomaccloud.games.actions.deadlines.moves import grant_grace
from diplomaccloud.games.actions.deadlines.suspension import put_aside
from diplomaccloud.games.actions.ending import finish_game
from diplomaccloud.games.actions.locks import Now, time_of
from diplomaccloud.games.actions.log import write_log
from diplomaccloud.games.actions.orders.bot_orders import move_bots
from diplomaccloud.games.actions.orders.conditional_orders import follow_plans
from diplomaccloud.games.actions.phases.attendance import call_roll, record_attendance
from diplomaccloud.games.actions.phases.coin_flip import tell_coin
from diplomaccloud.games.actions.phases.lock import close_orders
from diplomaccloud.games.actions.phases.outcome import find_outcome
from diplomaccloud.games.actions.phases.start import open_phase
from diplomaccloud.games.actions.seats.resignation import replace_absent
from diplomaccloud.games.actions.votes.draw_votes import count_phase_votes, tell_votes
from diplomaccloud.games.actions.votes.votes import close_expired
from diplomaccloud.games.models import Game, OrderRow, Phase, Status
from diplomaccloud.judge.adjudicate import adjudicate
from diplomaccloud.judge.results import Resolution

LEASE = dt.timedelta(seconds=30)
AT_ONCE = 12
"""How many phases of one game are processed before others have their turn."""

_log = structlog.get_logger(__name__)


def due_games(*, now: dt.datetime) -> list[int]:
    """Return the games with a phase to process, the longest overdue first."""
    return list(Phase.objects.due(now).order_by("adjudicate_at").values_list("game_id", flat=True))


def phases_to_lock(*, now: dt.datetime) -> list[int]:
    """Return the phases whose orders are to be closed before they are adjudicated."""
    late = Phase.objects.to_lock(now)
    return list(late.order_by("due_at").values_list("pk", flat=True))


def claim_phase(
    *, game_id: int, owner: str, now: dt.datetime, lease: dt.timedelta = LEASE
) -> int | None:
    """Return the key of the game's due phase, leased to `owner`, or None if there is none."""
    for key in Phase.objects.due(now).filter(game_id=game_id).values_list("pk", flat=True)[:1]:
        free = Phase.objects.unleased(now).filter(pk=key, processed_at=None)
        if free.update(lease_owner=owner, lease_until=now + lease):
            return key
    return None


def advance(*, game_id: int, owner: str, now: Now, lease: dt.timedelta = LEASE) -> int:
    """Return how many phases of the game were processed; never raises because of the game.

    A game whose processing raises is put aside with the reason. Bots move before the phase
    closes, and in the phase that opened last.
    """
    done = 0
    try:
        while done < AT_ONCE:
            at = time_of(now)
            phase_id = claim_phase(game_id=game_id, owner=owner, now=at, lease=lease)
            if phase_id is None:
                break
            move_bots(phase_id=phase_id, now=now)
            done += process_phase(phase_id=phase_id, owner=owner, now=now)
        for key in Phase.objects.in_play().filter(game_id=game_id).values_list("pk", flat=True):
            move_bots(phase_id=key, now=now)
    except (OperationalError, InterfaceError, InternalError):
        # The database is busy, away or read-only, which is no fault of the game's: the lease runs
        # out and the phase is tried again.
        _log.exception("postponed", game=game_id)
    except Exception as error:
        _log.exception("put aside", game=game_id)
        put_aside(game_id=game_id, reason=f"{type(error).__name__}: {error}", now=now)
    return done


@transaction.atomic
def process_phase(*, phase_id: int, owner: str, now: Now) -> bool:
    """Return whether the phase was processed now: results, next phase and events together.

    The orders are closed first. False if the phase has been processed, moved or left behind,
    if a vote has ended the game, or if the lease has gone to another owner.
    """
    game = Game.objects.select_for_update().get(phases=phase_id)
    now = time_of(now)
    phase = (
        Phase.objects.select_for_update()
        .filter(pk=phase_id, processed_at=None, superseded_at=None, lease_owner=owner)
        .filter(adjudicate_at__lte=now)
        .first()
    )
    if phase is None or game.status != Status.RUNNING or game.alarm:
        return False
    phase.game = game
    roll = call_roll(phase)
    if not phase.locked_at and grant_grace(phase, roll.absent, now):
        return False
    close_orders(phase, now)
    close_expired(game, now)
    missed = record_attendance(phase, roll)
    resolution = adjudicate_phase(phase)
    phase.results = resolution
    phase.processed_at = now
    phase.save(update_fields=["results", "processed_at"])
    count = count_phase_votes(phase, resolution.next)
    key = f"processed {phase.sequence}"
    data: dict[str, object] = {"phase": phase.name, "draws": list(count.draws)}
    events.record(game=game, kind="processed", key=key, now=now, data=data)
    tell_votes(phase, count, now)
    ending = find_outcome(phase, resolution, count)
    if ending is not None:
        tell_coin(phase, now, winners=ending.winners)
        key = f"ended {phase.sequence}"
        write_log(game=game, phase=phase, kind="ended", key=key, text=ending.reason, now=now)
        finish_game(game, ending, now)
        return True
    replace_absent(phase, missed, now)
    disorder = {**phase.disorder, **dict.fromkeys(count.surrendered, "surrendered")}
    opened = open_phase(
        game=game,
        position=resolution.next,
        sequence=game.next_sequence(),
        now=now,
        disorder=disorder,
        after=phase,
    )
    follow_plans(opened, now)
    return True


def adjudicate_phase(phase: Phase) -> Resolution:
    """Return the results of the orders that count in the phase, with the seed of its game."""
    orders = tuple(row.canonical for row in OrderRow.objects.live_in(phase))
    return adjudicate(phase.board, phase.position, orders, phase.game.rules, seed=phase.seed)
