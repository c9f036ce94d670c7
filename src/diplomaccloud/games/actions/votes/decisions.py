"""Deciding votes: counting the ballots of the current seat holders, and carrying out the result.

A vote is decided as soon as its outcome is certain, under the same lock as orders and
processing, so a vote can never race with the adjudication.
"""

import datetime as dt
from collections.abc import Callable, Collection
from dataclasses import dataclass

from django.db import transaction

from diplomaccloud.games.actions import events
from diplomaccloud.games.actions.chain import lines_written_together
from diplomaccloud.games.actions.deadlines.early_end import end_phase_early
from diplomaccloud.games.actions.deadlines.moves import apply_move, find_move
from diplomaccloud.games.actions.ending import finish_game
from diplomaccloud.games.actions.log import write_log
from diplomaccloud.games.actions.pending import written_together
from diplomaccloud.games.actions.record_lines import add_vote
from diplomaccloud.games.actions.votes.bot_votes import find_unwilling
from diplomaccloud.games.errors import Refused
from diplomaccloud.games.models import (
    CARRIED,
    EXPIRED,
    FAILED,
    IMPOSSIBLE,
    MIN_REMOVERS,
    OUTCOMES,
    Game,
    Phase,
    Question,
    RemovalCause,
    Seat,
    Status,
    Tenure,
    Vote,
    describe_question,
)
from diplomaccloud.judge.draw_votes import agreed_draw
from diplomaccloud.judge.results import Ending


@dataclass(frozen=True, slots=True)
class Decision:
    """A vote that was carried in the newest phase; `decided_by` is like `a vote of 3 of 5`."""

    vote: Vote
    phase: Phase
    decided_by: str
    now: dt.datetime

    @property
    def game(self) -> Game:
        """The game, which is locked."""
        return self.vote.game

    @property
    def key(self) -> str:
        """The key for the log entry of this decision."""
        return f"motion {self.vote.pk}"


Act = Callable[[Decision], None]
_ACTS: dict[Question, Act] = {}


def carries_out(*questions: Question) -> Callable[[Act], Act]:
    """Return a decorator for the function that carries out these questions.

    This module cannot import seats, phases and rollbacks, which are in higher layers, so their
    functions register themselves here. Importing `actions` imports all of them.
    """

    def register(act: Act) -> Act:
        _ACTS.update(dict.fromkeys(questions, act))
        return act

    return register


def decide_votes(game: Game, now: dt.datetime) -> None:
    """Close the votes that have expired or are certain, in the caller's transaction.

    Called after every ballot, and whenever the voters may have changed: a player left or joined, or
    a phase was processed. A vote is carried if the last voter who had not agreed leaves. While no
    orders are accepted, votes wait for the next phase; while a moderator has stopped the game, they
    wait for the next call.
    """
    if game.is_frozen:
        return
    # Carrying one vote may change the phase and the voters of the others.
    while any(_close_if_over(vote, game, now) for vote in game.votes.filter(open=True)):
        pass


def close_expired(game: Game, now: dt.datetime) -> None:
    """Close the game's expired and outdated votes, in the caller's transaction."""
    for vote in game.votes.filter(open=True):
        vote.game = game
        _close_if_late(vote, now)


def _close_if_late(vote: Vote, now: dt.datetime) -> bool:
    """Close the vote if it has expired or is outdated; return whether it was closed."""
    if vote.is_outdated:
        close_vote(vote, IMPOSSIBLE, now, why="A vote to remove a player needs a cause.")
    elif _is_expired(vote, now):
        close_vote(vote, EXPIRED, now)
    return vote.open is None


def close_vote(vote: Vote, outcome: str, now: dt.datetime, *, why: str = "") -> None:
    """Close the vote and log its outcome and the sentence `why`; a carried vote logs its act."""
    vote.close(outcome, now)
    add_vote(vote, outcome, now)
    if outcome != CARRIED:
        _log_outcome(vote, why, now)
    announce_vote(vote, now)


def announce_vote(vote: Vote, now: dt.datetime) -> None:
    """Write the event of a vote that was opened or closed, in the caller's transaction.

    Everyone who may vote, and the person whom the vote is about, get a notice of it.
    """
    data: dict[str, object] = {"vote": vote.pk, "question": vote.kind}
    key = ""
    if vote.outcome:
        data["outcome"], key = vote.outcome, f"motion {vote.pk} {vote.outcome}"
    events.record(game=vote.game, kind="motion", key=key, now=now, data=data)


def describe_vote(vote: Vote) -> str:
    """Return the question in plain words, for the log."""
    return describe_question(
        Question(vote.kind), vote.terms, lambda power: _seat_name(vote.game, power)
    )


def find_voters(vote: Vote, phase: Phase) -> list[Seat]:
    """Return the seats whose holders may vote; in a finished game, nobody counts as eliminated."""
    game = phase.game
    standing = phase.voters() if game.status == Status.RUNNING else []
    return vote.voters(standing, list(game.seats.exclude(user=None)))


def find_draw(phase: Phase) -> Ending:
    """Return the draw that the players would share now, without winners if nobody is left."""
    position = phase.position
    return agreed_draw(position, phase.unplayed_powers(position.phase))


def bots_agree(people: Collection[int], agreed: Collection[int]) -> bool:
    """Return whether the bots agree to end a game, which they do once all people with a vote agree.

    Both arguments are keys of seats. Bots never block the end of a game, and never end a game on
    their own.
    """
    return bool(people) and set(people) <= set(agreed)


def _close_if_over(vote: Vote, game: Game, now: dt.datetime) -> bool:
    """Close the vote if it has expired or its outcome is certain; return whether it was closed."""
    vote.game = game
    if _close_if_late(vote, now):
        return True
    phase = game.newest_phase()
    if phase is None:
        return False
    closed = phase.locked_at or phase.processed_at or phase.due_at <= now
    if (closed or game.status != Status.RUNNING) and not Question(vote.kind).is_masters:
        return False
    phase.game = game
    _decide(vote, phase, now)
    return vote.open is None


def _is_expired(vote: Vote, now: dt.datetime) -> bool:
    """Return whether the vote's time is up; a vote on ending a phase expires with the phase."""
    if vote.closes_at <= now:
        return True
    match Question(vote.kind):
        case Question.EXTEND:
            return vote.phase.locked_at is not None
        case Question.END_PHASE:
            return vote.phase.processed_at is not None
        case _:
            return False


def _decide(vote: Vote, phase: Phase, now: dt.datetime) -> None:
    """Close the vote if its outcome is certain, and carry out the decision."""
    question = Question(vote.kind)
    if why := _find_obstacle(question, vote, phase):
        close_vote(vote, IMPOSSIBLE, now, why=why)
        return
    voters = find_voters(vote, phase)
    ballots = vote.ballots.standing().filter(seat__in=voters)
    cast = dict(ballots.values_list("seat_id", "yes"))
    agreed, needed = sum(cast.values()), vote.votes_needed(len(voters))
    if question.ends_game:
        carried = bots_agree({seat.pk for seat in voters}, {pk for pk in cast if cast[pk]})
        if carried and question is Question.DRAW and find_unwilling(phase):
            close_vote(vote, FAILED, now, why="Not all bots agree to a draw yet.")
            return
    else:
        carried = bool(voters) and agreed >= needed
    if vote.terms.cause == RemovalCause.WISH:
        wishes = {cast.get(seat.pk) for seat in voters if seat.power == vote.terms.power}
        if wishes == {False}:
            close_vote(vote, FAILED, now, why="The player does not want to be removed.")
            return
        carried = carried and wishes == {True}
    if carried:
        _carry(Decision(vote, phase, f"a vote of {agreed} of {len(voters)}", now))
    elif not voters or len(cast) - agreed > len(voters) - needed:
        close_vote(vote, FAILED, now)


def _find_obstacle(question: Question, vote: Vote, phase: Phase) -> str:
    """Return why the vote has become pointless since it was opened, or blank if it has not."""
    match question:
        case Question.CONCEDE:
            if vote.terms.power not in {seat.power for seat in phase.voters()}:
                return "The country no longer has a player in the game."
        case Question.REMOVE:
            standing = Tenure.objects.filter(seat__game=vote.game, until_at=None)
            if vote.terms.tenure not in standing.values_list("pk", flat=True):
                return "The player has left the game."
            others = [seat for seat in find_voters(vote, phase) if seat.power != vote.terms.power]
            if len(others) < MIN_REMOVERS:
                return "Too few of the players who were asked are left in the game."
        case Question.SEAT_BOT:
            if vote.game.seats.filter(power=vote.terms.power, vacated_at=None).exists():
                return "The seat is taken."
        case _:
            pass
    return ""


def _carry(decision: Decision) -> None:
    """Close the vote as carried and carry out the decision, or close it as impossible."""
    vote, now = decision.vote, decision.now
    try:
        with transaction.atomic(), written_together(), lines_written_together():
            # Close it first: ending a game withdraws all votes that are still open.
            close_vote(vote, CARRIED, now)
            _ACTS[Question(vote.kind)](decision)
    except Refused as error:
        # No one made a mistake here, and a phase that is being processed must not fail.
        vote.refresh_from_db(fields=["open", "closed_at", "outcome", "agreed", "against"])
        close_vote(vote, IMPOSSIBLE, now, why=str(error))


@carries_out(Question.EXTEND, Question.PAUSE, Question.RESUME)
def _change_deadline(decision: Decision) -> None:
    vote, phase, now = decision.vote, decision.phase, decision.now
    question = Question(vote.kind)
    move = find_move(
        question, vote.terms, phase, key=decision.key, decided_by=decision.decided_by, now=now
    )
    apply_move(phase, move)
    if question is Question.RESUME:
        # Everyone may have become ready during the pause.
        end_phase_early(phase, now)


@carries_out(Question.DRAW, Question.CONCEDE, Question.CANCEL)
def _end_game(decision: Decision) -> None:
    vote, phase, game = decision.vote, decision.phase, decision.game
    match Question(vote.kind):
        case Question.DRAW:
            ending = find_draw(phase)
            if not ending.winners:
                raise Refused("No country is left to share a draw.")
        case Question.CONCEDE:
            seat = game.seats.get(power=vote.terms.power)
            seat.game = game
            powers = phase.powers_of(seat)
            ending = Ending.of(powers, "conceded", country=seat.country_name)
        case _:
            ending = Ending.of((), "canceled")
    text = f"{ending.reason.rstrip('.')}, by {decision.decided_by}."
    write_log(game=game, phase=phase, kind="ended", key=decision.key, text=text, now=decision.now)
    finish_game(game, ending, decision.now)


def _log_outcome(vote: Vote, why: str, now: dt.datetime) -> None:
    question = describe_vote(vote)
    counts = f"{vote.agreed} for, {vote.against} against"
    text = f"A vote {OUTCOMES[vote.outcome]}: {question} ({counts})."
    phase = vote.game.newest_phase() or vote.phase
    write_log(
        game=vote.game,
        phase=phase,
        kind="vote",
        key=f"vote {vote.pk}",
        text=f"{text} {why}".strip(),
        now=now,
        data={"question": vote.kind, "sequence": phase.sequence},
    )


def _seat_name(game: Game, power: str) -> str:
    seat = game.seats.get(power=power)
    seat.game = game
    return seat.country_name
