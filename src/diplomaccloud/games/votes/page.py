"""The votes of a game for its players, and the questions that a player may ask."""

import datetime as dt
from dataclasses import dataclass

from diplomaccloud.games.seats.page import Seats
from diplomaccloud.games.table.read import Reader
from diplomaccloud.games.votes.read import OUTCOMES, Question, Vote, describe_question, read_votes
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


@dataclass(frozen=True, slots=True)
class VoteView:
    """A vote: counts, never names. `own` is `yes`, `no` or blank.

    With `by_master`, a game master who plays asked the others; `reason` is why. With `about_you`,
    it is about removing the viewer.
    """

    pk: int
    text: str
    agreed: int
    against: int
    asked: int
    needed: int
    closes_at: dt.datetime
    own: str
    may_vote: bool
    may_withdraw: bool
    by_master: bool
    about_you: bool
    reason: str
    outcome: str = ""
    closed_at: dt.datetime | None = None


@dataclass(frozen=True, slots=True)
class LengthChoice:
    """A length of time to choose, in seconds and words."""

    seconds: int
    words: str


@dataclass(frozen=True, slots=True)
class QuestionChoice:
    """A question that may be put to the players now, with the terms to choose for it."""

    kind: str
    label: str
    lengths: tuple[LengthChoice, ...] = ()
    powers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class VotesView:
    """The votes of a game for those who play in it."""

    open: tuple[VoteView, ...]
    closed: tuple[VoteView, ...]
    questions: tuple[QuestionChoice, ...]

    @property
    def about_you(self) -> bool:
        """Whether an open vote is about removing the viewer."""
        return any(vote.about_you for vote in self.open)

    @property
    def unanswered(self) -> int:
        """The number of open votes that wait for the viewer's answer."""
        return sum(vote.may_vote and not vote.own for vote in self.open)


def present_votes(reader: Reader, seats: Seats) -> VotesView | None:
    """Return the votes; None if the viewer does not play in the game or has nothing to decide."""
    votes = read_votes(reader)
    if votes is None:
        return None
    views = [present_vote(vote, seats) for vote in votes.votes]
    caps = reader.game.options.schedule.caps
    powers = tuple((power, seats.country(power)) for power in votes.voters)
    return VotesView(
        open=tuple(view for view in views if not view.outcome),
        closed=tuple(view for view in views if view.outcome),
        questions=tuple(_present_question(kind, caps, powers) for kind in votes.askable),
    )


def list_lengths(most: dt.timedelta) -> tuple[LengthChoice, ...]:
    """Return the lengths of time up to `most` that a form offers, shortest first."""
    fitting = [length for length in _LENGTHS if length <= most] or [most]
    return tuple(LengthChoice(int(span.total_seconds()), format_duration(span)) for span in fitting)


def present_vote(vote: Vote, seats: Seats) -> VoteView:
    """Return one vote."""
    return VoteView(
        pk=vote.key,
        text=describe_question(vote.question, vote.terms, seats.country),
        agreed=vote.agreed,
        against=vote.against,
        asked=vote.asked,
        needed=vote.needed,
        closes_at=vote.closes_at,
        own={None: "", True: "yes", False: "no"}[vote.own],
        may_vote=vote.may_vote,
        may_withdraw=vote.may_withdraw,
        by_master=vote.by_master,
        about_you=vote.about_you,
        reason=vote.terms.reason,
        outcome=OUTCOMES.get(vote.outcome, ""),
        closed_at=vote.closed_at,
    )


def _present_question(
    question: Question, caps: Caps, powers: tuple[tuple[str, str], ...]
) -> QuestionChoice:
    lengths = {Question.EXTEND: caps.extension, Question.PAUSE: caps.pause}
    return QuestionChoice(
        question.value,
        _LABELS[question],
        list_lengths(lengths[question]) if question in lengths else (),
        powers if question is Question.CONCEDE else (),
    )
