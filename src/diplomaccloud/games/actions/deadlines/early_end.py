"""Ending a phase early when everyone who must order is ready."""

import datetime as dt

from django.db.models import Q

from diplomaccloud.games.actions.deadlines.moves import apply_move
from diplomaccloud.games.actions.deadlines.talk import end_talk_when_done
from diplomaccloud.games.models import Game, Phase, Status
from diplomaccloud.schedule import end_early


def end_phase_early(phase: Phase, now: dt.datetime) -> int | None:
    """Make the phase due if it is waiting for no one, and return the key of the game; else None.

    Called in the transaction of every action that may leave no one to wait for: a player is ready
    or resigns, a bot takes a seat, a pause ends. All people who have something to order must be
    ready, unless their orders are locked by a grace period. If only a vacant seat has something to
    order, the phase runs until its deadline, since someone may take the seat. If talk ends before
    the deadline, it may also end early.
    """
    at = max(now, phase.opens_at)
    if phase.locked_at or phase.due_at <= at:
        return None
    if not phase.fixed_deadline:
        timer = phase.timer()
        if timer.pause_at(at):
            return None
        seats = phase.seats_to_order()
        people = {seat.pk for seat in seats if seat.user_id}
        vacant = any(not seat.user_id and not seat.bot for seat in seats)
        # Locked orders can't change, so nobody waits for a mark on them.
        done = Q(ready_at__isnull=False)
        if phase.grace_at:
            done |= Q(saved_at__lt=phase.grace_at)
        ready = phase.submissions.filter(done).values_list("seat_id", flat=True)
        if not people.difference(ready) and (people or not vacant):
            apply_move(phase, end_early(timer, key="ready", now=at))
            return phase.game_id
    end_talk_when_done(phase, at)
    return None


def end_current_phase_early(game: Game, now: dt.datetime) -> int | None:
    """Return the key of the game if its open phase no longer waits for anyone."""
    phase = game.newest_phase()
    # A vote may have ended the game in the middle of the phase.
    if phase is None or phase.processed_at or game.status != Status.RUNNING:
        return None
    return end_phase_early(phase, now)
