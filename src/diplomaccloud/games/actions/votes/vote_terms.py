"""What players may decide together: the question, its terms, and both in plain words."""

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from diplomaccloud.games.errors import Refused
from diplomaccloud.games.models import Phase, Vote
from diplomaccloud.schedule import DeadlineMove, extend, format_duration, pause_phase, resume_phase


class Question(StrEnum):
    """What the players can vote on."""

    DRAW = "draw"
    CONCEDE = "concede"
    CANCEL = "cancel"
    EXTEND = "extend"
    PAUSE = "pause"
    RESUME = "resume"

    @property
    def ends_game(self) -> bool:
        """Whether it would end the game, which requires everybody to agree."""
        return self in (Question.DRAW, Question.CONCEDE, Question.CANCEL)


@dataclass(frozen=True, slots=True)
class Terms:
    """Details of a vote: who wins by a concession, or the length of an extension or a pause."""

    power: str = ""
    length: dt.timedelta | None = None


def votes_needed(question: Question, voters: int) -> int:
    """Return how many must agree: all to end the game, more than half for anything else."""
    return voters if question.ends_game else voters // 2 + 1


def find_move(
    question: Question, terms: Terms, phase: Phase, *, key: str, decided_by: str, now: dt.datetime
) -> DeadlineMove:
    """Return the change that the question makes to the deadline; raise `Refused` if impossible."""
    timer = phase.timer()
    match question:
        case Question.EXTEND if terms.length is not None:
            return extend(timer, terms.length, key=key, decided_by=decided_by, now=now)
        case Question.PAUSE:
            return pause_phase(timer, terms.length, key=key, decided_by=decided_by, now=now)
        case Question.RESUME:
            return resume_phase(timer, key=key, decided_by=decided_by, now=now)
        case _:
            raise Refused("Choose a length of time.")


def terms_to_json(terms: Terms) -> dict[str, object]:
    """Return the terms as plain JSON values, as a vote's row stores them."""
    seconds = None if terms.length is None else int(terms.length.total_seconds())
    return {"power": terms.power, "seconds": seconds}


def terms_of(vote: Vote) -> Terms:
    """Return the terms that the vote was opened with."""
    seconds = vote.data["seconds"]
    length = None if seconds is None else dt.timedelta(seconds=seconds)
    return Terms(vote.data["power"], length)


def describe_question(question: Question, terms: Terms, country: Callable[[str], str]) -> str:
    """Return the question in plain words; `country` returns the name of a power's seat."""
    length = format_duration(terms.length or dt.timedelta())
    match question:
        case Question.DRAW:
            return "Draw, shared by all who are still in the game and have units on the board"
        case Question.CONCEDE:
            return f"Concede the game to {country(terms.power)}"
        case Question.CANCEL:
            return "Cancel the game"
        case Question.EXTEND:
            return f"Extend this phase by {length}"
        case Question.PAUSE:
            return f"Pause the game for {length}" if terms.length else "Pause the game"
        case Question.RESUME:
            return "End the pause"
