"""The public view of people."""

import datetime as dt
from typing import Annotated

from pydantic import Field

from diplomaccloud.api.schemas.base import Answer, Given
from diplomaccloud.api.schemas.games import UnratedReason


class PersonState(Answer):
    """A player; `seen` is deliberately vague.

    `running` counts games that everyone may watch and that are not anonymous, and `finished` counts
    all rated games. `reliability` is the share of turns not missed or of games not left, whichever
    is lower, in percent; null for a player without a history.
    """

    name: str
    status: str
    since: dt.datetime
    seen: str
    running: int
    finished: int
    turns: int
    missed_turns: int
    games: int
    left_games: int
    reliability: int | None


class PeoplePage(Answer):
    """A page of players. If there are more, send the last name as `after` for the next page."""

    people: list[PersonState]
    has_more: bool


class FinishedState(Answer):
    """A finished game of a person; its result counts unless the game is `unrated`."""

    game: str
    world: str
    country: str
    result: str
    unrated: UnratedReason
    finished_at: dt.datetime


class ProfileState(Answer):
    """A person, and the finished games that you may see, newest first.

    `won` and `shared` leave out unrated games, which `unrated` counts.
    """

    person: PersonState
    won: int
    shared: int
    unrated: int
    games: list[FinishedState]


class StatusGiven(Given):
    """Your public status line. Blank clears it."""

    status: Annotated[str, Field(max_length=2_000)]
