"""The questions that players vote on, their terms, and how they are put into words."""

import datetime as dt
from collections.abc import Callable
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Final

from diplomaccloud.bots.seats import word_bot
from diplomaccloud.judge.phases import Phase
from diplomaccloud.schedule import format_duration

CARRIED, FAILED, EXPIRED, WITHDRAWN = "carried", "failed", "expired", "withdrawn"
IMPOSSIBLE = "impossible"
OUTCOMES = {
    CARRIED: "was carried",
    FAILED: "failed",
    EXPIRED: "expired with too few votes",
    WITHDRAWN: "was withdrawn",
    IMPOSSIBLE: "was closed because it is no longer possible",
}


class Question(StrEnum):
    """What the players can vote on; only the game master can ask the second half."""

    DRAW = "draw"
    CONCEDE = "concede"
    CANCEL = "cancel"
    EXTEND = "extend"
    PAUSE = "pause"
    RESUME = "resume"
    END_PHASE = "end phase"
    REMOVE = "remove"
    SEAT_BOT = "bot"
    ROLL_BACK = "roll back"
    ROLL_FORWARD = "forward"
    TRY_AGAIN = "try again"

    @property
    def ends_game(self) -> bool:
        """Whether carrying the vote ends the game."""
        return self in (Question.DRAW, Question.CONCEDE, Question.CANCEL)

    @property
    def changes_deadline(self) -> bool:
        """Whether carrying the vote moves the deadline, within the limits of the schedule."""
        return self in (Question.EXTEND, Question.PAUSE, Question.RESUME)

    @property
    def is_masters(self) -> bool:
        """Whether only the game master may ask it; players can also answer it after the lock."""
        return not self.ends_game and not self.changes_deadline

    @property
    def needs_everyone(self) -> bool:
        """Whether all voters must agree: to end the game, or to undo results."""
        return self.ends_game or self in (Question.ROLL_BACK, Question.ROLL_FORWARD)


class RemovalCause(StrEnum):
    """Why the other players may be asked to remove a player."""

    MISSED = "missed turns"
    ABUSE = "abuse"
    WISH = "own wish"


MIN_REMOVERS: Final = 2
"""How many players who are neither asker nor target must agree to a removal."""
_REMOVALS = {
    RemovalCause.MISSED: "Remove the player of {country}, who missed turns",
    RemovalCause.ABUSE: "Remove the player of {country}, whose abuse a moderator confirmed",
    RemovalCause.WISH: "Remove the player of {country}, who is said to want this",
}
_QUESTIONS = {
    Question.DRAW: "Draw, shared by all who are still in the game and have units on the board",
    Question.CONCEDE: "Concede the game to {country}",
    Question.CANCEL: "Cancel the game",
    Question.EXTEND: "Extend this phase by {length}",
    Question.PAUSE: "Pause the game for {length}",
    Question.RESUME: "End the pause",
    Question.END_PHASE: "End this phase now",
    Question.REMOVE: "Remove the player of {country}",
    Question.SEAT_BOT: "Let the {bot} play {country}",
    Question.ROLL_BACK: "Go back to the start of {phase}",
    Question.ROLL_FORWARD: "Undo the rollback",
    Question.TRY_AGAIN: "Resume the suspended game",
}


SECRECY: Final = "Players see how many voted, never who."
_BOTS_FOLLOW: Final = "Once all people agree, so do the bots."
_BOTS = {
    Question.DRAW: "Once all people agree, so do the bots, unless one expects more than its share.",
    Question.CONCEDE: _BOTS_FOLLOW,
    Question.CANCEL: _BOTS_FOLLOW,
}


def describe_need(question: Question, *, bots: bool) -> str:
    """Return what the question of a player needs to pass, and with `bots` how those vote."""
    need = "Everyone must agree." if question.needs_everyone else "More than half must agree."
    unrated = "The game is then unrated." if question is Question.CONCEDE else ""
    return " ".join(filter(None, (need, _BOTS.get(question, "") if bots else "", unrated)))


@dataclass(frozen=True, slots=True)
class Terms:
    """Details of a vote.

    `power` is the country it is about, `length` the length of an extension or a pause, `bot` the
    bot that takes a seat, and `to` and `phase` the number and name of the phase to go back to.
    `tenure` is that of the player to be removed, so that a successor is not removed instead, and
    `cause` a `RemovalCause`. `voters` are the people who decide on a removal: nobody who joins
    later can tip the vote. `reason` is what a game master wrote.
    """

    power: str = ""
    length: dt.timedelta | None = None
    bot: str = ""
    to: int | None = None
    phase: str = ""
    tenure: int | None = None
    cause: str = ""
    voters: tuple[int, ...] = ()
    reason: str = ""


def terms_to_json(terms: Terms) -> dict[str, object]:
    """Return the terms as plain JSON values, as a vote's row stores them."""
    data = asdict(terms)
    length = data.pop("length")
    data["voters"] = list(terms.voters)
    return {**data, "seconds": None if length is None else int(length.total_seconds())}


def describe_question(question: Question, terms: Terms, country: Callable[[str], str]) -> str:
    """Return the question in plain words; `country` returns the name of a power's seat."""
    text = _QUESTIONS[question]
    if terms.cause:
        text = _REMOVALS[RemovalCause(terms.cause)]
    if question is Question.PAUSE and terms.length is None:
        text = "Pause the game"
    return text.format(
        country=country(terms.power) if terms.power else "",
        length=format_duration(terms.length or dt.timedelta()),
        bot=word_bot(terms.bot) if terms.bot else "",
        phase=Phase.parse(terms.phase).title if terms.phase else "",
    )


def describe_unanswered(number: int) -> str:
    """Return how many open votes wait for the reader's answer."""
    return "Vote open" if number == 1 else f"{number} votes open"
