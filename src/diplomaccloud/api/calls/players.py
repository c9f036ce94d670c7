"""People: the list of players, profiles, and the caller's own status."""

from typing import Annotated, Literal

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from ninja import Query
from pydantic import Field

from diplomaccloud.accounts.people import PeopleOrder, set_status
from diplomaccloud.api.auth import OPEN, PLAY, bearer_of, caller_of
from diplomaccloud.api.operations import Area
from diplomaccloud.api.problems import refuse_field
from diplomaccloud.api.repeats import Effect
from diplomaccloud.api.replies import reply
from diplomaccloud.api.schemas.players import (
    FinishedState,
    PeoplePage,
    PersonState,
    ProfileState,
    StatusGiven,
)
from diplomaccloud.games.people.read import PeopleQuery, Person, list_people, read_profile

_Text = Annotated[str, Query(max_length=40)]
PersonName = Annotated[str, Field(min_length=1, max_length=40)]
area = Area("players", OPEN)


@area.reads("/people", PeoplePage)
def list_players(
    request: HttpRequest,
    q: _Text = "",
    after: _Text = "",
    order: Literal["name", "newest", "login"] = "name",
) -> HttpResponse:
    """List players; `?q=` searches names. For the next page, send the last name as `?after=`."""
    query = PeopleQuery(name=q, order=PeopleOrder(order), after=after)
    found = list_people(query, caller_of(request).viewer, now=timezone.now())
    people = [_describe_person(person) for person in found.people]
    return reply(PeoplePage(people=people, has_more=found.has_next))


@area.reads("/people/{name}", ProfileState)
def get_player(request: HttpRequest, name: PersonName) -> HttpResponse:
    """Return a player's profile, with the finished games that you may see."""
    return reply(_read_profile(request, name))


@area.writes("PUT /me/status", ProfileState, guard=PLAY)
def save_status(request: HttpRequest, given: StatusGiven) -> Effect:
    """Set your public status line. A blank line clears it."""
    bearer = bearer_of(request)
    try:
        set_status(user_id=bearer.user_id, text=given.status)
    except ValueError as error:
        raise refuse_field("status", str(error)) from error
    return Effect(reply(_read_profile(request, bearer.screen_name)))


def _read_profile(request: HttpRequest, name: str) -> ProfileState:
    found = read_profile(name, caller_of(request).viewer, now=timezone.now())
    games = [
        FinishedState(
            game=game.slug,
            world=game.world,
            country=game.country,
            result=game.result.value,
            unrated=None if game.unrated is None else game.unrated.value,
            finished_at=game.finished_at,
        )
        for game in found.games
    ]
    person = _describe_person(found.person)
    return ProfileState(
        person=person, won=found.won, shared=found.shared, unrated=found.unrated, games=games
    )


def _describe_person(person: Person) -> PersonState:
    figures = person.reliability
    return PersonState(
        name=person.name,
        status=person.status,
        since=person.since,
        seen=person.login,
        running=person.games.running,
        finished=person.games.finished,
        turns=figures.turns,
        missed_turns=figures.missed,
        games=figures.games,
        left_games=figures.left,
        reliability=figures.percent,
    )
