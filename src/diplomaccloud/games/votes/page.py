"""The votes of a game for its players, and the questions that a player may ask."""

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass

from diplomaccloud.games.seats.page import Seats
from diplomaccloud.games.table.read import Reader
from diplomaccloud.games.votes.read import Vote, Votes, read_votes
from diplomaccloud.games.votes.wording import (
    SECRECY,
    Question,
    describe_need,
    describe_question,
)
from diplomaccloud.schedule import Caps, format_duration

_HOUR = dt.timedelta(hours=1)
_LENGTHS = tuple(
    _HOUR * hours for hours in (0.25, 0.5, 1, 2, 6, 12, 24, 48, 72, 120, 168, 336, 720)
)
_LABELS = {
    Question.DRAW: "End the game in a draw",
    Question.CONCEDE: "Concede the game to one country",
    Question.CANCEL: "Cancel the game without a winner",
    Question.EXTEND: "Extend this phase",
    Question.PAUSE: "Pause the game",
    Question.RESUME: "End the pause",
}

WordedVote = tuple[str, Vote]
"""A vote after its question in words."""


@dataclass(frozen=True, slots=True)
class QuestionChoice:
    """A question that may be put to the players now, what it needs, and the terms to choose."""

    kind: str
    label: str
    needs: str
    lengths: tuple[tuple[int, str], ...] = ()
    powers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class VotesView:
    """The votes of a game for those who play in it."""

    facts: Votes
    open: tuple[WordedVote, ...]
    closed: tuple[WordedVote, ...]
    questions: tuple[QuestionChoice, ...]
    secrecy: str = SECRECY


def present_votes(reader: Reader, seats: Seats) -> VotesView | None:
    """Return the votes; None if the viewer does not play in the game or has nothing to decide."""
    votes = read_votes(reader)
    if votes is None:
        return None
    caps = reader.game.options.schedule.caps
    powers = tuple((power, seats.country(power)) for power in votes.voters)
    has_bots = any(seat.is_bot for seat in seats.all)
    return VotesView(
        votes,
        word_votes(votes.open, seats),
        word_votes((vote for vote in votes.votes if vote.outcome), seats),
        tuple(_present_question(kind, caps, powers, bots=has_bots) for kind in votes.askable),
    )


def word_votes(votes: Iterable[Vote], seats: Seats) -> tuple[WordedVote, ...]:
    """Return the votes with their questions in words."""
    return tuple(
        (describe_question(vote.question, vote.terms, seats.country), vote) for vote in votes
    )


def list_lengths(most: dt.timedelta) -> tuple[tuple[int, str], ...]:
    """Return the lengths up to `most` that a form offers, shortest first, in seconds and words."""
    fitting = [length for length in _LENGTHS if length <= most] or [most]
    return tuple((int(length.total_seconds()), format_duration(length)) for length in fitting)


def _present_question(
    question: Question, caps: Caps, powers: tuple[tuple[str, str], ...], *, bots: bool
) -> QuestionChoice:
    lengths = {Question.EXTEND: caps.extension, Question.PAUSE: caps.pause}
    return QuestionChoice(
        question.value,
        _LABELS[question],
        describe_need(question, bots=bots),
        list_lengths(lengths[question]) if question in lengths else (),
        powers if question is Question.CONCEDE else (),
    )
