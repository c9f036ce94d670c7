"""The game master's actions: change deadlines, end a phase, preview results, reprimand.

Each action is logged publicly with its reason. A game master who plays must ask the players
instead. Rollbacks are in `rollback`; removing players and seating bots are in `games.seats`.

A person who has held a seat in the game, however briefly, counts as a player. To go back or forward
needs all of the others: a majority of losers could undo a victory. Reprimands need no vote, because
they change nothing.
"""

import datetime as dt
import secrets
from dataclasses import replace
from typing import Final

from django.conf import settings
from django.utils.module_loading import import_string

from diplomaccloud.accounts.screen_names import Label
from diplomaccloud.games.deadlines.actions import (
    apply_move,
    end_current_phase_early,
    end_phase_early,
    find_move,
    resume,
)
from diplomaccloud.games.master.rollback import (
    find_processed_phase,
    find_rollback,
    go_back,
    go_forward,
)
from diplomaccloud.games.seats.actions import (
    MASTER,
    fill_seat,
    require_bot_and_seat,
    require_manager,
    require_player,
    require_seat_of_power,
    vacate,
)
from diplomaccloud.games.table.errors import BadValue, NotYourSeat, Refused, WrongMoment
from diplomaccloud.games.table.lock import (
    find_seat,
    lock_game,
    lock_game_for_master,
    require_current_phase,
    require_master,
    require_running,
)
from diplomaccloud.games.table.log import require_reason, write_log
from diplomaccloud.games.table.models import REMOVED, Seat, Tenure, must_ask_players
from diplomaccloud.games.table.phase_models import Attendance, OrderRow, Phase
from diplomaccloud.games.table.transactions import atomic_with_retries
from diplomaccloud.games.turn.turn import adjudicate_phase
from diplomaccloud.games.votes.actions import (
    Decision,
    carries_out,
    close_expired,
    create_vote,
    describe_vote,
)
from diplomaccloud.games.votes.models import Vote
from diplomaccloud.games.votes.wording import MIN_REMOVERS, Question, RemovalCause, Terms
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
        # It may have been paused in any phase of the game.
        paused = phase.game.log.filter(kind=MoveKind.PAUSED.value, data__moved__key=key)
        if paused.exists():
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
    *, slug: str, user_id: int, reason: str, key: str, now: dt.datetime, sequence: int
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
    return phase if phase and all(seat.bot for seat in phase.seats_to_order()) else None


def _require_running_phase(slug: str, user_id: int, sequence: int) -> Phase:
    """Return the newest phase of a running game; raise if the request was for another phase."""
    game = lock_game_for_master(slug, user_id)
    phase = require_current_phase(game, sequence)
    require_running(game)
    return phase


# Votes that a game master who plays puts to the other players, and carrying out the decisions.
#
# A game master who plays, or has ever played, could gain by ending a phase or removing a rival, so
# the other players vote on such acts. A removal also needs a cause that the site can check, and two
# thirds of the others: otherwise the game master and one friend could remove anyone. There is no
# vote on seeing orders.


_RECENT_TURNS: Final = 3
"""How many of a player's last turns can be the cause of a removal."""


@atomic_with_retries
def ask_players(
    *, slug: str, user_id: int, sequence: int, question: Question, terms: Terms, now: dt.datetime
) -> Vote:
    """Open a vote of the other players on an act of the game master, and return it.

    The game master must give a reason. The creator of a game without a game master may ask for a
    bot in a vacant seat. Raises `DeadlinePassed` if `sequence` is not the newest phase, and
    `Refused` for an act that is impossible now or needs no vote.
    """
    game = lock_game(slug)
    if question is Question.SEAT_BOT:
        require_manager(game, user_id)
    else:
        require_master(game, user_id)
    phase = require_current_phase(game, sequence)
    if not must_ask_players(game, user_id):
        raise WrongMoment("You can do this without asking the players.")
    close_expired(game, now)
    # Before the terms, whose faults could tell what moderators have decided.
    if game.votes.filter(kind=question.value, open=True).exists():
        raise WrongMoment("A vote on this question is already open.")
    terms = _complete_terms(question, terms, phase, user_id, now)
    seat = find_seat(game, user_id)
    vote = create_vote(phase, question, terms, now, seat=seat, user_id=user_id, by_master=True)
    asker = Label.MASTER.capitalize() if game.master_id == user_id else Label.CREATOR
    write_log(
        game=game,
        phase=phase,
        kind="asked",
        key=f"asked {vote.pk}",
        text=f"{asker} asked the other players to vote: {describe_vote(vote)}.",
        now=now,
        by=user_id,
        reason=terms.reason,
    )
    return vote


def _complete_terms(
    question: Question, terms: Terms, phase: Phase, user_id: int, now: dt.datetime
) -> Terms:
    """Return the terms with the facts to store; raise `Refused` for an act that is impossible."""
    game, reason = phase.game, require_reason(terms.reason)
    if question not in (Question.ROLL_BACK, Question.ROLL_FORWARD):
        require_running(game)
    match question:
        case Question.EXTEND | Question.PAUSE | Question.RESUME:
            # Called only for the errors it raises: the change itself is made after the vote.
            find_move(question, terms, phase, key="asked", decided_by=Label.VOTE, now=now)
        case Question.END_PHASE:
            end_now(phase.timer(), key="asked", decided_by=Label.VOTE, now=now)
        case Question.REMOVE:
            seat = require_player(game, phase.sequence, terms.power, terms.tenure)
            if seat.user_id == user_id:
                raise WrongMoment("Leave the game if you no longer want to play.")
            terms = _complete_removal(terms, seat, user_id)
        case Question.SEAT_BOT:
            require_bot_and_seat(game, terms.power, terms.bot)
        case Question.ROLL_BACK:
            terms = replace(terms, phase=find_processed_phase(game, terms.to or 0).name)
        case Question.ROLL_FORWARD:
            find_rollback(game)
        case Question.TRY_AGAIN:
            if not game.suspended_reason:
                raise WrongMoment("This game is not suspended.")
        case _:
            raise Refused("Call this vote on the game's page.")
    return replace(terms, reason=reason)


def _complete_removal(terms: Terms, seat: Seat, user_id: int) -> Terms:
    """Return the terms with the player concerned and the people who vote on the removal.

    Raises `BadValue` if the facts don't support the cause, and `WrongMoment` if too few other
    people play.
    """
    game = seat.game
    tenure = seat.tenures.filter(until_at=None).latest("pk")
    match terms.cause:
        case RemovalCause.MISSED:
            turns = Attendance.objects.filter(
                seat=seat, user=tenure.user, phase__superseded_at=None, excused=False
            ).order_by("-phase__sequence")[:_RECENT_TURNS]
            if all(turn.ordered for turn in turns):
                raise BadValue("cause", "This player has not missed a turn lately.")
        case RemovalCause.ABUSE:
            if not import_string(settings.CONFIRMED_ABUSE)(game.pk, tenure.user_id):
                raise BadValue(
                    "cause", "No moderator has confirmed abuse by this player in this game."
                )
        case RemovalCause.WISH:
            pass
        case _:
            raise BadValue("cause", "Choose why the player should be removed.")
    others = game.seats.exclude(user=None).exclude(user__in=(user_id, tenure.user_id))
    voters = tuple(others.order_by("pk").values_list("user", flat=True))
    if len(voters) < MIN_REMOVERS:
        raise WrongMoment(
            f"At least {MIN_REMOVERS} players besides you and the player concerned must be able to "
            "vote on a removal."
        )
    return replace(terms, tenure=tenure.pk, voters=voters)


@carries_out(Question.END_PHASE)
def _end_phase(decision: Decision) -> None:
    phase = decision.phase
    # Never earlier than anything that has already happened in the phase.
    now = max(decision.now, phase.opens_at, phase.locked_at or decision.now)
    move = end_now(phase.timer(), key=decision.key, decided_by=decision.decided_by, now=now)
    apply_move(phase, move)


@carries_out(Question.REMOVE)
def _remove_player(decision: Decision) -> None:
    game, now = decision.game, decision.now
    require_running(game)
    seat = require_seat_of_power(game, decision.vote.terms.power)
    vacate(game, seat, departure=REMOVED, now=now, decided_by=decision.decided_by)
    end_current_phase_early(game, now)


@carries_out(Question.SEAT_BOT)
def _seat_bot(decision: Decision) -> None:
    game, now, terms = decision.game, decision.now, decision.vote.terms
    seat = require_bot_and_seat(game, terms.power, terms.bot)
    fill_seat(game, seat, now, bot=terms.bot, decided_by=decision.decided_by)
    end_current_phase_early(game, now)


@carries_out(Question.ROLL_BACK)
def _roll_back(decision: Decision) -> None:
    target = find_processed_phase(decision.game, decision.vote.terms.to or 0)
    go_back(decision.game, target, decision.now, decided_by=decision.decided_by)


@carries_out(Question.ROLL_FORWARD)
def _roll_forward(decision: Decision) -> None:
    entry = find_rollback(decision.game)
    go_forward(decision.game, entry, decision.now, decided_by=decision.decided_by)


@carries_out(Question.TRY_AGAIN)
def _try_again(decision: Decision) -> None:
    text = f"The game was resumed by {decision.decided_by}."
    resume(decision.game, text, decision.now, key=decision.key)
