"""What players may decide together: the question, its terms, and both in plain words."""

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from diplomaccloud.games.errors import Refused
from diplomaccloud.games.models import Phase, Vote
from diplomaccloud.schedule import DeadlineMove, extend, format_duration, pause_phase, resume_phase


class Question(StrEnum):
    """What can be moved."""

    DRAW = "draw"
    CONCEDE = "concede"
    CANCEL = "cancel"
    EXTEND = "extend"
    PAUSE = "pause"
    RESUME = "resume"

    @property
    def ends_game(self) -> bool:
        """Whether it would end the game, for which everybody must agree."""
        return self in (Question.DRAW, Question.CONCEDE, Question.CANCEL)


@dataclass(frozen=True, slots=True)
class Terms:
    """The particulars of a vote: for whom a concession, how long an extension or a pause."""

    power: str = ""
    length: dt.timedelta | None = None


def votes_needed(question: Question, asked: int) -> int:
    """Return how many must agree: all to end the game, more than half for anything else."""
    return asked if question.ends_game else asked // 2 + 1


def find_move(
    question: Question, terms: Terms, phase: Phase, *, key: str, who: str, now: dt.datetime
) -> DeadlineMove:
    """Return what the question does to the phase's time; raise `Refused` if that cannot be."""
    timer = phase.timer()
    match question:
        case Question.EXTEND if terms.length is not None:
            return extend(timer, terms.length, key=key, decided_by=who, now=now)
        case Question.PAUSE:
            return pause_phase(timer, terms.length, key=key, decided_by=who, now=now)
        case Question.RESUME:
            return resume_phase(timer, key=key, decided_by=who, now=now)
        case _:
            raise Refused("Choose how long.")


def terms_to_json(terms: Terms) -> dict[str, object]:
    """Return the terms as a vote's row keeps them."""
    seconds = None if terms.length is None else int(terms.length.total_seconds())
    return {"power": terms.power, "seconds": seconds}


def terms_of(vote: Vote) -> Terms:
    """Return the terms that the vote was opened with."""
    seconds = vote.data["seconds"]
    length = None if seconds is None else dt.timedelta(seconds=seconds)
    return Terms(vote.data["power"], length)


def describe(vote: Vote, country: Callable[[str], str]) -> str:
    """Return the question in plain words; `country` names the seat of a power."""
    length = terms_of(vote).length
    match Question(vote.kind):
        case Question.DRAW:
            return "Draw, shared by all who still play and have pieces on the board"
        case Question.CONCEDE:
            return f"Concede the game to {country(vote.data['power'])}"
        case Question.CANCEL:
            return "Cancel the game"
        case Question.EXTEND:
            return f"Extend this phase by {format_duration(length or dt.timedelta())}"
        case Question.PAUSE:
            return f"Pause the game{f' for {format_duration(length)}' if length else ''}"
        case Question.RESUME:
            return "End the pause"
