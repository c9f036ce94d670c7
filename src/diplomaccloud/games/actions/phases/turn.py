"""Processing a phase: from its lock to the opening of the next, in one transaction."""

import datetime as dt
from collections.abc import Sequence

from django.db.models import Q

from diplomaccloud import metrics
from diplomaccloud.games.actions import events
from diplomaccloud.games.actions.deadlines.early_end import end_phase_early
from diplomaccloud.games.actions.ending import finish_game
from diplomaccloud.games.actions.locks import Now, lock_game_of_phase, lock_phase_row, time_of
from diplomaccloud.games.actions.log import write_log
from diplomaccloud.games.actions.orders.bot_orders import find_promised, find_replaced
from diplomaccloud.games.actions.orders.conditional_orders import follow_conditional_orders
from diplomaccloud.games.actions.phases.attendance import record_attendance
from diplomaccloud.games.actions.phases.coin_flip import log_coin_flip
from diplomaccloud.games.actions.phases.lock import lock_orders
from diplomaccloud.games.actions.phases.outcome import find_outcome
from diplomaccloud.games.actions.phases.start import open_phase
from diplomaccloud.games.actions.randomness import NewSecret, make_secret
from diplomaccloud.games.actions.record_lines import add_results
from diplomaccloud.games.actions.seats.resignation import leave_to_bots, replace_absent
from diplomaccloud.games.actions.transactions import atomic_with_retries
from diplomaccloud.games.actions.votes.decisions import decide_votes
from diplomaccloud.games.actions.votes.draw_votes import count_phase_votes, log_draw_votes
from diplomaccloud.games.models import Game, OrderRow, Phase, Status
from diplomaccloud.judge.adjudication import adjudicate
from diplomaccloud.judge.draw_votes import Count
from diplomaccloud.judge.results import Ending, Resolution


@atomic_with_retries
def process_phase(
    *, phase_id: int, owner: str, now: Now, new_secret: NewSecret = make_secret
) -> bool:
    """Process the phase and return whether it was processed now.

    Returns False if the phase was processed, postponed or rolled back in the meantime, if a vote
    has ended the game, if a player gets a grace period, or if another worker has the lease.
    """
    game = lock_game_of_phase(phase_id)
    now = time_of(now)
    phase = _find_due_phase(game, phase_id, owner, now)
    if phase is None:
        return False
    orders = list(OrderRow.objects.live_in(phase))
    roll = lock_orders(phase, orders, now)
    if roll is None:
        return False
    missed = record_attendance(phase, roll)
    resolution = adjudicate_phase(phase, orders)
    promised, replaced = find_promised(phase, orders), find_replaced(phase)
    phase.results = resolution
    add_results(phase, orders, now, promised=promised, replaced=replaced)
    _store_results(phase, now)
    count = _count_votes(phase, resolution, now)
    ending = find_outcome(phase, resolution, count)
    if ending is not None:
        _end_game(phase, ending, now)
        return True
    replace_absent(phase, missed, now)
    disorder = {*phase.civil_disorder, *count.surrendered}
    leave_to_bots(game, resolution.next, disorder, now)
    opened = _open_next_phase(phase, resolution, count, now, new_secret)
    if follow_conditional_orders(opened, now):
        end_phase_early(opened, now)
    # Countries that were eliminated, surrendered or lost their players no longer have a vote.
    decide_votes(game, now)
    return True


def _find_due_phase(game: Game, phase_id: int, owner: str, now: dt.datetime) -> Phase | None:
    """Return the phase, locked, if it is still due and leased to `owner`."""
    phase = lock_phase_row(game, phase_id)
    over = phase.processed_at or phase.superseded_at or phase.adjudicate_at > now
    in_play = game.status == Status.RUNNING and not game.suspended_reason
    return phase if in_play and not over and phase.lease_owner == owner else None


def adjudicate_phase(phase: Phase, rows: Sequence[OrderRow]) -> Resolution:
    """Return the results of `rows`, the orders that count in the phase, with the phase's seed."""
    orders = tuple(row.canonical for row in rows)
    with metrics.JUDGE_SECONDS.time():
        return adjudicate(phase.board, phase.position, orders, phase.game.rules, seed=phase.seed)


def _store_results(phase: Phase, now: dt.datetime) -> None:
    # Delete bots' plans and hints: from now on, the orders and the record have everything.
    # The few plans with broken promises are kept, because draw votes are counted with them.
    phase.bot_plans.filter(Q(broken=[]) | ~Q(until=None)).delete()
    phase.processed_at, phase.open = now, None
    fields = ["locked_at", "results", "processed_at", "open"]
    phase.save(update_fields=[*fields, "sealed_bots"] if phase.sealed_bots is not None else fields)


def _count_votes(phase: Phase, resolution: Resolution, now: dt.datetime) -> Count:
    """Return the count of the draw votes, which becomes public with the results."""
    count = count_phase_votes(phase, resolution.next)
    key = f"processed {phase.sequence}"
    data: dict[str, object] = {"phase": phase.name, "draws": list(count.draws)}
    events.record(game=phase.game, kind="processed", key=key, now=now, data=data)
    log_draw_votes(phase, count, now)
    return count


def _end_game(phase: Phase, ending: Ending, now: dt.datetime) -> None:
    log_coin_flip(phase, now, winners=ending.winners)
    key = f"ended {phase.sequence}"
    write_log(game=phase.game, phase=phase, kind="ended", key=key, text=ending.reason, now=now)
    finish_game(phase.game, ending, now)


def _open_next_phase(
    phase: Phase, resolution: Resolution, count: Count, now: dt.datetime, new_secret: NewSecret
) -> Phase:
    surrendered = dict.fromkeys(map(str, count.surrendered), "surrendered")
    return open_phase(
        game=phase.game,
        position=resolution.next,
        sequence=phase.game.next_sequence(),
        now=now,
        civil_disorder={**phase.civil_disorder, **surrendered},
        after=phase,
        new_secret=new_secret,
    )
