"""People, as everyone may see them."""

import datetime as dt
from typing import Annotated

from pydantic import Field

from diplomaccloud.api.schemas.base import Answer, Given


class PersonState(Answer):
    """A player; `seen` is vague on purpose."""

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


class PeoplePage(Answer):
    """Players; begin the next page after the last name, if there is more."""

    people: list[PersonState]
    has_more: bool


class FinishedState(Answer):
    """A finished game of a person."""

    game: str
    world: str
    country: str
    result: str
    finished_at: dt.datetime


class ProfileState(Answer):
    """A person, and finished games that you may see, the newest first."""

    person: PersonState
    won: int
    shared: int
    games: list[FinishedState]


class StatusGiven(Given):
    """One line about you that everyone can read; blank for none."""

    status: Annotated[str, Field(max_length=2_000)]
