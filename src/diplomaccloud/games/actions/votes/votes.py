"""Opening, answering and withdrawing votes; `decisions` counts the ballots."""

import datetime as dt
from functools import partial

from diplomaccloud.accounts.labels import Label
from diplomaccloud.games.actions.deadlines.moves import find_move
from diplomaccloud.games.actions.deadlines.suspension import run_guarded
from diplomaccloud.games.actions.locks import (
    Now,
    lock_game,
    lock_game_by_id,
    require_current_phase,
    require_not_frozen,
    require_open_phase,
    require_seat,
    time_of,
)
from diplomaccloud.games.actions.record_lines import OPENED, add_vote
from diplomaccloud.games.actions.transactions import atomic_with_retries
from diplomaccloud.games.actions.votes.decisions import (
    announce_vote,
    close_expired,
    close_vote,
    decide_votes,
    find_draw,
    find_voters,
)
from diplomaccloud.games.errors import NoSuchGame, Refused, WrongMoment
from diplomaccloud.games.models import (
    WITHDRAWN,
    Ballot,
    Game,
    Phase,
    Question,
    Seat,
    Terms,
    Vote,
    terms_to_json,
)

OPEN_FOR = dt.timedelta(days=3)
"""How long a vote stays open; after that, it expires."""


@atomic_with_retries
def open_vote(
    *, slug: str, user_id: int, sequence: int, question: Question, terms: Terms, now: dt.datetime
) -> Vote:
    """Open a vote and return it.

    The player who opens it votes yes, which may decide it at once. Raises `WrongMoment` if a vote
    on this question is already open, `Refused` for terms that make no sense, and `DeadlinePassed`
    unless the phase `sequence` still accepts orders.
    """
    game = lock_game(slug)
    seat = require_seat(game, user_id)
    phase = require_open_phase(game, sequence, now, "The vote was not opened.")
    standing = phase.voters()
    if seat not in standing:
        raise WrongMoment("Your country has been eliminated, so you cannot vote.")
    close_expired(game, now)
    if game.votes.filter(kind=question.value, open=True).exists():
        raise WrongMoment("A vote on this question is already open.")
    _require_possible(question, terms, phase, standing, now)
    vote = Vote.objects.create(
        game=game,
        phase=phase,
        seat=seat,
        asked_by_id=user_id,
        kind=question.value,
        data=terms_to_json(terms),
        open=True,
        opened_at=now,
        closes_at=now + OPEN_FOR,
    )
    add_vote(vote, OPENED, now)
    announce_vote(vote, now)
    _write_ballot(vote, seat, yes=True, now=now)
    decide_votes(game, now)
    vote.refresh_from_db()
    return vote


@atomic_with_retries
def cast_ballot(
    *, slug: str, user_id: int, sequence: int, vote_id: int, yes: bool, now: dt.datetime
) -> Vote:
    """Save the person's yes or no, replacing an earlier one; return the vote.

    The request was for the phase `sequence`; raises `DeadlinePassed` once that no longer accepts
    orders, even if the vote itself is still open in the next phase.
    """
    consequence = "Your vote was not counted."
    game, vote = _lock_vote(slug, vote_id)
    seat = require_seat(game, user_id)
    phase = _require_phase(game, vote, sequence, now, consequence)
    close_expired(game, now)
    if vote is None:
        raise NoSuchGame
    vote.refresh_from_db()
    if not vote.open:
        raise WrongMoment("This vote is closed.")
    phase.game = game
    if seat not in find_voters(vote, phase):
        raise WrongMoment("You cannot vote on this.")
    _write_ballot(vote, seat, yes=yes, now=now)
    decide_votes(game, now)
    vote.refresh_from_db()
    return vote


@atomic_with_retries
def withdraw_vote(
    *, slug: str, user_id: int, sequence: int, vote_id: int, now: dt.datetime
) -> None:
    """Withdraw a vote that the person opened; a successor in the seat cannot."""
    game, vote = _lock_vote(slug, vote_id)
    if vote is None or not vote.by_master or vote.asked_by_id != user_id:
        require_seat(game, user_id)
    _require_phase(game, vote, sequence, now, "The vote was not withdrawn.")
    if vote is None or not vote.open or vote.asked_by_id != user_id:
        raise WrongMoment("You have no open vote to withdraw.")
    vote.game = game
    close_vote(vote, WITHDRAWN, now)


def close_expired_votes(*, now: Now) -> int:
    """Close all expired votes; return the number of games that had any. Called by the worker."""
    # SQLite uses an index on a boolean column only if the query compares it with a value.
    late = Vote.objects.filter(
        open__in=[True], closes_at__lte=time_of(now), game__suspended_reason=""
    )
    games = list(late.order_by().values_list("game_id", flat=True).distinct())
    return sum(run_guarded(partial(_expire, key, now), game_id=key, now=now) for key in games)


@atomic_with_retries
def _expire(game_id: int, now: Now) -> bool:
    # One game per transaction: two workers that each lock several games could deadlock.
    game = lock_game_by_id(game_id)
    close_expired(game, time_of(now))
    return True


def _lock_vote(slug: str, vote_id: int) -> tuple[Game, Vote | None]:
    """Return the locked game and its vote, or None for a vote that it doesn't have."""
    game = lock_game(slug)
    return game, game.votes.filter(pk=vote_id).first()


def _require_phase(
    game: Game, vote: Vote | None, sequence: int, now: dt.datetime, consequence: str
) -> Phase:
    """Return the newest phase if the vote can be answered in it; else raise `DeadlinePassed`.

    A game master's questions may be about a locked phase, a suspended game or a finished one. All
    others must be answered while orders are accepted.
    """
    require_not_frozen(game)
    if vote is not None and Question(vote.kind).is_masters:
        return require_current_phase(game, sequence, consequence)
    return require_open_phase(game, sequence, now, consequence)


def _require_possible(
    question: Question,
    terms: Terms,
    phase: Phase,
    standing: list[Seat],
    now: dt.datetime,
) -> None:
    """Raise `Refused` for a question that cannot be carried out now."""
    if question is Question.CONCEDE and terms.power not in {seat.power for seat in standing}:
        raise Refused("Choose a country that is still in the game.")
    if question is Question.CONCEDE and all(seat.power == terms.power for seat in standing):
        raise Refused("No other player is left to concede the game.")
    if question.is_masters:
        raise Refused("Only the game master can ask this.")
    if question.changes_deadline:
        # Called only for the errors it raises: the change itself is made after the vote.
        find_move(question, terms, phase, key="asked", decided_by=Label.VOTE, now=now)
    if question is Question.DRAW and not find_draw(phase).winners:
        raise Refused("No country is left to share a draw.")


def _write_ballot(vote: Vote, seat: Seat, *, yes: bool, now: dt.datetime) -> None:
    tenure = seat.tenures.filter(until_at=None).latest("pk")
    Ballot.objects.update_or_create(
        vote=vote, tenure=tenure, defaults={"seat": seat, "yes": yes, "cast_at": now}
    )
