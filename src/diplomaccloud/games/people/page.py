"""The list of players and the profile of a player."""

import datetime as dt
from dataclasses import dataclass, fields
from urllib.parse import urlencode

from django.urls import reverse

from diplomaccloud.accounts.people import PeopleOrder
from diplomaccloud.games.people.read import (
    FinishedGame,
    GameResult,
    People,
    PeopleQuery,
    Person,
    Profile,
)
from diplomaccloud.games.seats.page import describe_reliability

_RESULTS = {
    GameResult.WON: "won",
    GameResult.SHARED: "shared the victory",
    GameResult.LOST: "lost",
    GameResult.FINISHED: "finished",
}


@dataclass(frozen=True, slots=True)
class PersonGame:
    """A finished game of a person."""

    world: str
    url: str
    country: str
    result: str
    is_rated: bool
    finished_at: dt.datetime


@dataclass(frozen=True, slots=True)
class PersonLine:
    """A person in the list of players; `login` is blank for someone who never logged in."""

    name: str
    url: str
    status: str
    since: dt.datetime
    login: str
    reliability: str
    percent: int | None
    running: int
    finished: int
    is_you: bool
    is_name_chosen: bool


@dataclass(frozen=True, slots=True)
class PersonPage(PersonLine):
    """The profile of a person: the line in the list, and the finished games."""

    won: int
    shared: int
    unrated: int
    games: tuple[PersonGame, ...]


@dataclass(frozen=True, slots=True)
class PeoplePage:
    """One page of the list; the URL of a neighboring page is blank if there is none."""

    people: tuple[PersonLine, ...]
    previous_url: str
    next_url: str


def present_people(people: People, query: PeopleQuery) -> PeoplePage:
    """Return the page of the list of players that `query` describes."""
    lines = tuple(_present_person(person) for person in people.people)
    names = [line.name for line in lines]
    return PeoplePage(
        people=lines,
        previous_url=_page_url(query, "before", names[0]) if names and people.has_previous else "",
        next_url=_page_url(query, "after", names[-1]) if names and people.has_next else "",
    )


def present_profile(profile: Profile) -> PersonPage:
    """Return the profile of a person."""
    line = _present_person(profile.person)
    return PersonPage(
        **{field.name: getattr(line, field.name) for field in fields(line)},
        won=profile.won,
        shared=profile.shared,
        unrated=profile.unrated,
        games=tuple(_present_game(game) for game in profile.games),
    )


def _present_person(person: Person) -> PersonLine:
    return PersonLine(
        name=person.name,
        url=reverse("person", args=[person.name]),
        status=person.status,
        since=person.since,
        login=person.login,
        reliability=describe_reliability(person.reliability),
        percent=person.reliability.percent,
        running=person.games.running,
        finished=person.games.finished,
        is_you=person.is_you,
        is_name_chosen=person.is_name_chosen,
    )


def _present_game(game: FinishedGame) -> PersonGame:
    url = reverse("games:detail", args=[game.slug])
    return PersonGame(
        world=game.world,
        url=url,
        country=game.country,
        result=_RESULTS[game.result],
        is_rated=game.unrated is None,
        finished_at=game.finished_at,
    )


def _page_url(query: PeopleQuery, direction: str, name: str) -> str:
    order = "" if query.order is PeopleOrder.NAME else str(query.order)
    values = {"name": query.name, "order": order, direction: name}
    query_string = urlencode({key: value for key, value in values.items() if value})
    return f"{reverse('people')}?{query_string}"
