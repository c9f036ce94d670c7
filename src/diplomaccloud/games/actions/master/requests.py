"""Votes that a game master who plays puts to the other players, and carrying out the decisions.

A game master who plays, or has ever played, could gain by ending a phase or removing a rival, so
the other players vote on such acts. A removal also needs a cause that the site can check, and two
thirds of the others: otherwise the game master and one friend could remove anyone. There is no vote
on seeing orders.
"""

import datetime as dt
from dataclasses import replace
from typing import Final

from django.conf import settings
from django.utils.module_loading import import_string

from diplomaccloud.accounts.labels import Label
from diplomaccloud.games.actions.deadlines.early_end import end_current_phase_early
from diplomaccloud.games.actions.deadlines.moves import apply_move, find_move
from diplomaccloud.games.actions.deadlines.suspension import resume
from diplomaccloud.games.actions.locks import (
    find_seat,
    lock_game,
    require_current_phase,
    require_master,
    require_running,
)
from diplomaccloud.games.actions.log import require_reason, write_log
from diplomaccloud.games.actions.master.rollback import (
    find_processed_phase,
    find_rollback,
    go_back,
    go_forward,
)
from diplomaccloud.games.actions.record_lines import OPENED, add_vote
from diplomaccloud.games.actions.seats.resignation import (
    fill_seat,
    require_player,
    require_seat_of_power,
    vacate,
)
from diplomaccloud.games.actions.seats.takeover import require_bot_and_seat, require_manager
from diplomaccloud.games.actions.transactions import atomic_with_retries
from diplomaccloud.games.actions.votes.decisions import (
    Decision,
    announce_vote,
    carries_out,
    close_expired,
    describe_vote,
    find_voters,
)
from diplomaccloud.games.actions.votes.votes import OPEN_FOR
from diplomaccloud.games.errors import BadValue, Refused, WrongMoment
from diplomaccloud.games.models import (
    MIN_REMOVERS,
    REMOVED,
    Attendance,
    Phase,
    Question,
    RemovalCause,
    Seat,
    Terms,
    Vote,
    must_ask_players,
    terms_to_json,
)
from diplomaccloud.schedule import end_now

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
    phase.game = game
    if not must_ask_players(game, user_id):
        raise WrongMoment("You can do this without asking the players.")
    close_expired(game, now)
    # Before the terms, whose faults could tell what moderators have decided.
    if game.votes.filter(kind=question.value, open=True).exists():
        raise WrongMoment("A vote on this question is already open.")
    terms = _complete_terms(question, terms, phase, user_id, now)
    vote = Vote(
        game=game,
        phase=phase,
        seat=find_seat(game, user_id),
        asked_by_id=user_id,
        by_master=True,
        kind=question.value,
        data=terms_to_json(terms),
        open=True,
        opened_at=now,
        closes_at=now + OPEN_FOR,
    )
    if question is not Question.REMOVE and not find_voters(vote, phase):
        raise WrongMoment("No other player can vote on this.")
    vote.save()
    add_vote(vote, OPENED, now)
    announce_vote(vote, now)
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
    vacate(game, seat, left=REMOVED, now=now, decided_by=decision.decided_by)
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
