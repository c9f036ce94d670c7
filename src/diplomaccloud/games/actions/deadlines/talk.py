"""Ending talk early, in games with the rulebook's quiet time before the deadline.

Once everyone who is still in the game is done talking, quiet time starts and orders are due soon.
Before that, a player can change their mind, and nobody sees who is done.
"""

import datetime as dt

from diplomaccloud.games.actions import events
from diplomaccloud.games.actions.deadlines.moves import apply_move
from diplomaccloud.games.actions.locks import lock_game, require_open_phase, require_seat
from diplomaccloud.games.actions.transactions import atomic_with_retries
from diplomaccloud.games.errors import WrongMoment
from diplomaccloud.games.models import Phase, Seat, TalkDone
from diplomaccloud.games.options.options import Press
from diplomaccloud.judge.phases import Stage
from diplomaccloud.schedule import Timer, end_talk, find_quiet_time

TALKING = "talking"
"""The kind of the private event for a player who is done talking, or no longer is."""


@atomic_with_retries
def finish_talking(*, slug: str, user_id: int, sequence: int, now: dt.datetime) -> None:
    """Note that the player is done talking; if all are, talk ends and orders are due soon.

    Raises `WrongMoment` if talk cannot end early in this game, if it is not open, or if the player
    is out of the game.
    """
    phase, seat = _find_talk(slug, user_id, sequence, now)
    if seat not in phase.voters():
        raise WrongMoment("Your country has been eliminated, so nobody is waiting for you.")
    _, is_new = TalkDone.objects.get_or_create(phase=phase, seat=seat, defaults={"at": now})
    if is_new:
        events.record_own(game=phase.game, kind=TALKING, now=now, seats=[seat])
        end_talk_when_done(phase, now)


@atomic_with_retries
def resume_talking(*, slug: str, user_id: int, sequence: int, now: dt.datetime) -> None:
    """Note that the player is no longer done talking; raise `WrongMoment` once talk has ended."""
    phase, seat = _find_talk(slug, user_id, sequence, now)
    rows, _ = TalkDone.objects.filter(phase=phase, seat=seat).delete()
    if rows:
        events.record_own(game=phase.game, kind=TALKING, now=now, seats=[seat])


def _find_talk(slug: str, user_id: int, sequence: int, now: dt.datetime) -> tuple[Phase, Seat]:
    """Lock the game, and return the phase, in which talk must be open, and the player's seat."""
    game = lock_game(slug)
    seat = require_seat(game, user_id)
    phase = require_open_phase(game, sequence, now)
    phase.game = game
    if not has_quiet_time(phase):
        raise WrongMoment("In this game talk continues until the deadline.")
    timer = phase.timer()
    if timer.pause_at(now):
        raise WrongMoment("The game is paused. Nothing was changed.")
    if is_quiet(phase, timer, now):
        raise WrongMoment("Quiet time has already started. Nothing was changed.")
    return phase, seat


def end_talk_when_done(phase: Phase, now: dt.datetime) -> None:
    """End talk if everyone still in the game is done with it, in the caller's transaction.

    Called wherever there may be one player fewer to wait for, like `end_phase_early`.
    """
    if not has_quiet_time(phase) or phase.locked_at or phase.due_at <= now:
        return
    living = {seat.pk for seat in phase.voters()}
    if not living or living.difference(phase.talk_done.values_list("seat_id", flat=True)):
        return
    timer = phase.timer()
    if timer.pause_at(now) or is_quiet(phase, timer, now):
        return
    writing = phase.game.options.talk.writing
    apply_move(phase, end_talk(timer, writing, key="talked", now=now))


def has_quiet_time(phase: Phase) -> bool:
    """Return whether talk in the phase ends before its deadline."""
    options = phase.game.options
    is_movement = phase.judge_phase.stage is Stage.MOVEMENT
    return is_movement and options.press is Press.RULEBOOK and bool(options.talk.writing)


def is_quiet(phase: Phase, timer: Timer, now: dt.datetime) -> bool:
    """Return whether quiet time has started, on schedule or because everyone was done talking."""
    writing = phase.game.options.talk.writing
    return find_quiet_time(timer.deadline, timer.moves, writing) <= now
