"""What pages print of people: one person's page, and the list of all."""

import datetime as dt
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PersonGame:
    """A finished game of a person."""

    world: str
    url: str
    country: str
    result: str
    finished_at: dt.datetime


@dataclass(frozen=True, slots=True)
class PersonLine:
    """A person in the list of players.

    `login` says in words when that was last, blank for never; `is_you` that the viewer is it.
    """

    name: str
    url: str
    status: str
    since: dt.datetime
    login: str
    reliability: str
    running: int
    finished: int
    is_you: bool


@dataclass(frozen=True, slots=True)
class PersonView(PersonLine):
    """What everybody may know of a person: the line in the list, and the games that are over."""

    won: int
    shared: int
    games: tuple[PersonGame, ...]


@dataclass(frozen=True, slots=True)
class PeoplePage:
    """One page of the list; an empty address means that there is no such page."""

    people: tuple[PersonLine, ...]
    total: int
    number: int
    of: int
    previous_url: str
    next_url: str
