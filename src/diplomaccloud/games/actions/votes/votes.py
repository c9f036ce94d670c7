"""Votes: questions that the players of a game decide together.

A vote is decided as soon as its outcome is certain, under the same lock as orders and
processing, so that it and the resolution can never race.
"""

import datetime as dt
from collections.abc import Collection

from django.db.models import Q

from diplomaccloud.games.actions import events
from diplomaccloud.games.actions.deadlines.early_end import end_phase_early
from diplomaccloud.games.actions.deadlines.moves import apply_move, find_move
from diplomaccloud.games.actions.ending import finish_game
from diplomaccloud.games.actions.locks import (
    Now,
    lock_game,
    require_open_phase,
    require_seat,
    time_of,
)
from diplomaccloud.games.actions.log import write_log
from diplomaccloud.games.actions.transactions import atomic_with_retries
from diplomaccloud.games.errors import NoSuchGame, Refused, WrongMoment
from diplomaccloud.games.models import (
    CARRIED,
    EXPIRED,
    FAILED,
    OUTCOMES,
    WITHDRAWN,
    Ballot,
    Game,
    Phase,
    Question,
    Seat,
    Terms,
    Vote,
    describe_question,
    terms_to_json,
    votes_needed,
)
from diplomaccloud.judge.draw_votes import agreed_draw
from diplomaccloud.judge.results import Ending

OPEN_FOR = dt.timedelta(days=3)
"""How long a vote stays open; if it is not decided by then, it expires."""


@atomic_with_retries
def open_vote(
    *, slug: str, user_id: int, sequence: int, question: Question, terms: Terms, now: dt.datetime
) -> Vote:
    """Return the new vote, with a yes from the player who opens it; it may be decided at once.

    Raises `WrongMoment` if a vote on this question is open, `Refused` for terms that make no
    sense, and `DeadlinePassed` unless the phase `sequence` still accepts orders.
    """
    game, phase, seat = _lock_for_vote(slug, user_id, sequence, now, "The vote was not opened.")
    standing = phase.voters()
    if seat not in standing:
        raise WrongMoment("Your country is out of the game and has no vote.")
    close_expired(game, now)
    if game.votes.filter(kind=question.value, open=True).exists():
        raise WrongMoment("A vote on this question is already open.")
    _require_possible(question, terms, phase, standing, now)
    vote = Vote.objects.create(
        game=game,
        phase=phase,
        seat=seat,
        kind=question.value,
        data=terms_to_json(terms),
        open=True,
        opened_at=now,
        closes_at=now + OPEN_FOR,
    )
    events.record(game=game, kind="motion", now=now, data={"question": question.value})
    _write_ballot(vote, seat, yes=True, now=now)
    _decide(vote, phase, now)
    return vote


@atomic_with_retries
def cast_ballot(
    *, slug: str, user_id: int, sequence: int, vote_id: int, yes: bool, now: dt.datetime
) -> Vote:
    """Write the person's yes or no, in place of an earlier one; return the vote.

    The request was for the phase `sequence`: raises `DeadlinePassed` once its orders are closed,
    even if the vote itself is still open in the next phase.
    """
    game, phase, seat = _lock_for_vote(slug, user_id, sequence, now, "Your vote was not counted.")
    close_expired(game, now)
    vote = game.votes.filter(pk=vote_id).first()
    if vote is None:
        raise NoSuchGame
    if not vote.open:
        raise WrongMoment("This vote is closed.")
    if seat not in _find_voters(vote, phase.voters()):
        raise WrongMoment("You have no vote on this.")
    _write_ballot(vote, seat, yes=yes, now=now)
    _decide(vote, phase, now)
    return vote


@atomic_with_retries
def withdraw_vote(
    *, slug: str, user_id: int, sequence: int, vote_id: int, now: dt.datetime
) -> None:
    """Withdraw a vote that the person opened."""
    game, _, seat = _lock_for_vote(slug, user_id, sequence, now, "The vote was not withdrawn.")
    vote = game.votes.filter(pk=vote_id, seat=seat, open=True).first()
    if vote is None:
        raise WrongMoment("You have no open vote to withdraw.")
    _close(vote, WITHDRAWN, now)


def close_expired(game: Game, now: dt.datetime) -> None:
    """Close the game's expired votes, within the caller's transaction.

    A vote to extend a phase expires when the orders of that phase close.
    """
    over = Q(closes_at__lte=now) | Q(kind=Question.EXTEND, phase__locked_at__isnull=False)
    for vote in game.votes.filter(over, open=True):
        _close(vote, EXPIRED, now)


def close_expired_votes(*, now: Now) -> int:
    """Close all expired votes; return in how many games. Called by the worker."""
    late = Vote.objects.filter(open=True, closes_at__lte=time_of(now))
    slugs = list(late.values_list("game__slug", flat=True).distinct())
    for slug in slugs:
        _expire(slug, now)
    return len(slugs)


@atomic_with_retries
def _expire(slug: str, now: Now) -> None:
    # One game per transaction: two workers that lock several games each could deadlock.
    game = lock_game(slug)
    close_expired(game, time_of(now))


def bots_agree(people: Collection[int], agreed: Collection[int]) -> bool:
    """Return whether the bots agree to end a game: once all people with a vote do.

    Both arguments are keys of seats. Bots never block the end of a game, and never end a game
    by themselves.
    """
    return bool(people) and set(people) <= set(agreed)


def _lock_for_vote(
    slug: str, user_id: int, sequence: int, now: dt.datetime, consequence: str
) -> tuple[Game, Phase, Seat]:
    """Return the locked game, its open phase and the person's seat."""
    game = lock_game(slug)
    seat = require_seat(game, user_id)
    return game, require_open_phase(game, sequence, now, consequence), seat


def _require_possible(
    question: Question,
    terms: Terms,
    phase: Phase,
    standing: list[Seat],
    now: dt.datetime,
) -> None:
    """Raise `Refused` for a question that could not be carried out now."""
    if question is Question.CONCEDE and terms.power not in {seat.power for seat in standing}:
        raise Refused("Choose a country that is still in the game.")
    if question is Question.CONCEDE and all(seat.power == terms.power for seat in standing):
        raise Refused("No other player is left to concede the game.")
    if question in (Question.EXTEND, Question.PAUSE, Question.RESUME):
        # Called for its refusals alone: the change itself comes after the vote.
        find_move(question, terms, phase, key="asked", decided_by="a vote", now=now)
    if question is Question.DRAW and not _find_draw(phase).winners:
        raise Refused("No country is left to share a draw.")


def _find_voters(vote: Vote, standing: list[Seat]) -> list[Seat]:
    """Return who may vote: all seats in `standing` except the one that a concession is to."""
    if vote.kind != Question.CONCEDE:
        return standing
    return [seat for seat in standing if seat.power != vote.data["power"]]


def _write_ballot(vote: Vote, seat: Seat, *, yes: bool, now: dt.datetime) -> None:
    Ballot.objects.update_or_create(vote=vote, seat=seat, defaults={"yes": yes, "cast_at": now})


def _decide(vote: Vote, phase: Phase, now: dt.datetime) -> None:
    """Close the vote if its outcome is certain, and do what was decided."""
    question = Question(vote.kind)
    voters = _find_voters(vote, phase.voters())
    cast = dict(vote.ballots.filter(seat__in=voters).values_list("seat_id", "yes"))
    agreed, needed = sum(cast.values()), votes_needed(question, len(voters))
    against = len(cast) - agreed
    if question.ends_game:
        carried = bots_agree({seat.pk for seat in voters}, {pk for pk in cast if cast[pk]})
    else:
        carried = agreed >= needed
    if carried:
        decided_by = f"a vote of {agreed} of {len(voters)}"
        # Close it first: ending a game withdraws all votes that are still open.
        _close(vote, CARRIED, now)
        if question.ends_game:
            _end_game(vote, phase, decided_by, now)
        else:
            _change_deadline(vote, phase, decided_by, now)
    elif against > len(voters) - needed:
        _close(vote, FAILED, now)


def _change_deadline(vote: Vote, phase: Phase, decided_by: str, now: dt.datetime) -> None:
    question, terms = Question(vote.kind), vote.terms
    key = f"motion {vote.pk}"
    apply_move(phase, find_move(question, terms, phase, key=key, decided_by=decided_by, now=now))
    if question is Question.RESUME:
        # Everyone may have become ready during the pause.
        end_phase_early(phase, now)


def _end_game(vote: Vote, phase: Phase, decided_by: str, now: dt.datetime) -> None:
    match Question(vote.kind):
        case Question.DRAW:
            ending = _find_draw(phase)
        case Question.CONCEDE:
            seat = vote.game.seats.get(power=vote.data["power"])
            seat.game = vote.game
            reason = f"The others conceded the game to {seat.country_name}."
            ending = Ending(phase.powers_of(seat), reason)
        case _:
            ending = Ending((), "The players agreed to cancel the game.")
    text = f"{ending.reason.rstrip('.')}, by {decided_by}."
    write_log(
        game=vote.game, phase=phase, kind="ended", key=f"motion {vote.pk}", text=text, now=now
    )
    finish_game(vote.game, ending, now)


def _find_draw(phase: Phase) -> Ending:
    position = phase.position
    return agreed_draw(position, phase.unplayed_powers(position.phase))


def _close(vote: Vote, outcome: str, now: dt.datetime) -> None:
    vote.open, vote.closed_at, vote.outcome = None, now, outcome
    vote.save(update_fields=["open", "closed_at", "outcome"])
    if outcome != CARRIED:
        _log_outcome(vote, now)
    data: dict[str, object] = {"question": vote.kind, "outcome": outcome}
    events.record(
        game=vote.game, kind="motion", key=f"motion {vote.pk} {outcome}", now=now, data=data
    )


def _log_outcome(vote: Vote, now: dt.datetime) -> None:
    """Log the outcome of a vote that was not carried; a carried vote logs what it changed."""
    answers = list(vote.ballots.values_list("yes", flat=True))
    agreed, against = sum(answers), len(answers) - sum(answers)
    question = describe_question(
        Question(vote.kind), vote.terms, lambda power: _seat_name(vote.game, power)
    )
    write_log(
        game=vote.game,
        phase=vote.phase,
        kind="vote",
        key=f"vote {vote.pk}",
        text=f"A vote {OUTCOMES[vote.outcome]}: {question} ({agreed} for, {against} against).",
        now=now,
    )


def _seat_name(game: Game, power: str) -> str:
    seat = game.seats.get(power=power)
    seat.game = game
    return seat.country_name
