"""People: the caller, the list of players, profiles, and the caller's own status."""

import datetime as dt
from typing import Annotated, Literal

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query
from pydantic import AliasPath, Field, StrictBool

from diplomaccloud.accounts.people import PeopleOrder, set_status
from diplomaccloud.accounts.screen_names import MAX_NAME
from diplomaccloud.api.addresses import GameId
from diplomaccloud.api.answers import ApiAnswer, Given
from diplomaccloud.api.auth import OPEN, PLAY, READ, bearer_of, caller_of
from diplomaccloud.api.games import OwnGame, UnratedReason
from diplomaccloud.api.operations import Area, act_on
from diplomaccloud.api.problems import refuse_field
from diplomaccloud.api.tokens import Scope
from diplomaccloud.games.following import actions
from diplomaccloud.games.following.read import find_game_key, find_person_key, list_following
from diplomaccloud.games.lobby import read as lobby
from diplomaccloud.games.lobby.read import ListQuery
from diplomaccloud.games.people.read import PeopleQuery, list_people, read_profile
from diplomaccloud.games.ratings.actions import hide_ratings
from diplomaccloud.games.ratings.read import find_person, read_leaderboard, read_ratings
from diplomaccloud.games.ratings.wording import Kind
from diplomaccloud.games.table.errors import NoSuchGame
from diplomaccloud.press.inbox.read import count_unread

me_area = Area("reading", READ)


class Me(ApiAnswer):
    """The person whose token this is, and that person's games."""

    screen_name: str
    token: str
    scopes: list[Scope]
    expires_at: dt.datetime
    seat: str | None = Field(
        description="The ID of the game that the token is limited to; null if it is not."
    )
    unread_messages: int | None
    games: list[OwnGame]


@me_area.reads("/me", Me)
def get_me(request: HttpRequest) -> object:
    """Return whose token this is, and that person's games, the most urgent first."""
    bearer, viewer = bearer_of(request), caller_of(request).viewer
    query = ListQuery(statuses=(), yours=True, vacant=False)
    yours = lobby.list_games(viewer, query).yours
    only = bearer.seat.slug if bearer.seat else None
    return Me.of(
        screen_name=bearer.screen_name,
        token=bearer.name,
        scopes=[scope for scope in Scope if scope in bearer.scopes],
        expires_at=bearer.expires_at,
        seat=only,
        unread_messages=None if only or Scope.PRESS not in bearer.scopes else count_unread(viewer),
        games=[game for game in yours if only in (None, game.slug)],
    )


class PersonState(ApiAnswer):
    """A player; `seen` is deliberately vague.

    `running` counts games that everyone may watch and that are not anonymous, and `finished` counts
    all rated games. `reliability` is the share of turns not missed or of games not left, whichever
    is lower, in percent; null for a player without a history.
    """

    name: str
    status: str
    since: dt.datetime
    seen: str = Field(validation_alias="login")
    running: int
    finished: int
    turns: int = Field(validation_alias=AliasPath("reliability", "turns"))
    missed_turns: int = Field(validation_alias=AliasPath("reliability", "missed"))
    games: int = Field(validation_alias=AliasPath("reliability", "games"))
    left_games: int = Field(validation_alias=AliasPath("reliability", "left"))
    reliability: int | None = Field(validation_alias=AliasPath("reliability", "percent"))


class PeoplePage(ApiAnswer):
    """A page of players. If there are more, send the last name as `after` for the next page."""

    people: list[PersonState]
    has_more: bool = Field(validation_alias="has_next")


class FinishedState(ApiAnswer):
    """A finished game of a person; its result counts unless the game is `unrated`."""

    game: str = Field(validation_alias="slug")
    world: str
    country: str
    result: str
    unrated: UnratedReason
    finished_at: dt.datetime


class ProfileState(ApiAnswer):
    """A person, and the finished games that you may see, newest first.

    `won` and `shared` leave out unrated games, which `unrated` counts.
    """

    person: PersonState
    won: int
    shared: int
    unrated: int
    games: list[FinishedState]


class CurvePointState(ApiAnswer):
    """A rating after a rated game, at the time when the names in the game became public."""

    at: dt.datetime
    rating: int = Field(validation_alias="points")


_KindName = Annotated[str, Field(json_schema_extra={"enum": [kind.value for kind in Kind]})]


class KindRatingState(ApiAnswer):
    """A person's rating of a kind; `place` is null while the person is not on the leaderboard.

    A rating is `provisional` before ten rated games of the kind. `curve` has up to 200 games.
    """

    kind: _KindName
    rating: int = Field(validation_alias="points")
    provisional: bool = Field(validation_alias="is_provisional")
    games: int
    solos: int
    draws: int
    place: int | None
    last_game_at: dt.datetime = Field(validation_alias="rated_at")
    curve: list[CurvePointState]


class RatingsState(ApiAnswer):
    """A person's ratings; none if the person has hidden them. `hidden` is true only for you."""

    ratings: list[KindRatingState]
    hidden: bool = Field(validation_alias="is_hidden")


class LeaderState(ApiAnswer):
    """A line of a leaderboard; equal ratings share a place."""

    place: int
    name: str
    rating: int = Field(validation_alias="points")
    provisional: bool = Field(validation_alias="is_provisional")
    games: int
    solos: int
    draws: int


class LeaderboardState(ApiAnswer):
    """A page of a leaderboard, and your own line if you are on it."""

    people: list[LeaderState]
    page: int
    pages: int
    total: int
    you: LeaderState | None


class RatingsGiven(Given):
    """Whether only you see your ratings. They go on being computed."""

    hidden: StrictBool


class StatusGiven(Given):
    """Your public status line. Blank clears it."""

    status: Annotated[str, Field(max_length=2_000)]


_Text = Annotated[str, Query(max_length=MAX_NAME)]
PersonName = Annotated[str, Field(min_length=1, max_length=MAX_NAME)]
area = Area("players", OPEN)


@area.reads("/people", PeoplePage)
def list_players(
    request: HttpRequest,
    q: _Text = "",
    after: _Text = "",
    order: Literal["name", "newest", "login"] = "name",
) -> object:
    """List players; `?q=` searches names. For the next page, send the last name as `?after=`."""
    query = PeopleQuery(name=q, order=PeopleOrder(order), after=after)
    return list_people(query, caller_of(request).viewer, now=timezone.now())


@area.reads("/people/{name}", ProfileState)
def get_player(request: HttpRequest, name: PersonName) -> object:
    """Return a player's profile, with the finished games that you may see."""
    return read_profile(name, caller_of(request).viewer, now=timezone.now())


@area.reads("/people/{name}/ratings", RatingsState)
def get_ratings(request: HttpRequest, name: PersonName) -> object:
    """Return a player's ratings of people, one for each kind of press, with their curves."""
    viewer = caller_of(request).viewer
    return read_ratings(find_person(name), viewer, now=timezone.now())


@area.reads("/leaderboards/{kind}", LeaderboardState)
def get_leaderboard(
    request: HttpRequest,
    kind: Literal["full", "public", "none"],
    page: Annotated[int, Query(ge=1, le=1_000_000)] = 1,
) -> object:
    """Return a page of the players with the best ratings for a kind of press, 100 a page."""
    return read_leaderboard(Kind(kind), page, caller_of(request).viewer, now=timezone.now())


@area.writes("PUT /me/status", ProfileState, guard=PLAY)
def save_status(request: HttpRequest, given: StatusGiven) -> object:
    """Set your public status line. A blank line clears it."""
    bearer = bearer_of(request)
    try:
        set_status(user_id=bearer.user_id, text=given.status)
    except ValueError as error:
        raise refuse_field("status", str(error)) from error
    return read_profile(bearer.screen_name, caller_of(request).viewer, now=timezone.now())


@area.writes("PUT /me/ratings", RatingsState, guard=PLAY)
def save_ratings(request: HttpRequest, given: RatingsGiven) -> object:
    """Hide your ratings, curves and places from all others, or show them again."""
    user_id = bearer_of(request).user_id
    hide_ratings(user_id=user_id, hidden=given.hidden)
    return read_ratings(user_id, caller_of(request).viewer, now=timezone.now())


# Following people and public games.


class FollowedPersonState(ApiAnswer):
    """A player whom you follow."""

    name: str
    since: dt.datetime


class FollowedGameState(ApiAnswer):
    """A public game that you follow; nothing more happens in it once it is `over`."""

    game: str = Field(validation_alias="slug")
    world: str
    over: bool = Field(validation_alias="is_over")
    since: dt.datetime


class FollowingState(ApiAnswer):
    """What you follow, newest first, and whether other players may follow you. Only you see it."""

    people: list[FollowedPersonState]
    games: list[FollowedGameState]
    others_may_follow: bool = Field(validation_alias="is_open")


class FollowersGiven(Given):
    """Whether other players may follow you. If not, you lose those who do."""

    allowed: StrictBool


@me_area.reads("/me/following", FollowingState)
def list_followed(request: HttpRequest) -> object:
    """Return what you follow."""
    return list_following(caller_of(request).viewer)


@area.writes("PUT /people/{name}/follow", FollowingState, guard=PLAY)
def follow_player(request: HttpRequest, name: PersonName) -> object:
    """Follow a player: get a notice when the player starts or finishes a public game."""
    actions.follow_person(user_id=bearer_of(request).user_id, name=name, now=timezone.now())
    return list_following(caller_of(request).viewer)


@area.writes("DELETE /people/{name}/follow", FollowingState, guard=PLAY)
def unfollow_player(request: HttpRequest, name: PersonName) -> object:
    """No longer follow a player."""
    key = find_person_key(name)
    actions.unfollow_person(user_id=bearer_of(request).user_id, person_id=key)
    return list_following(caller_of(request).viewer)


@area.writes("PUT /games/{game}/follow", FollowingState, guard=PLAY)
def follow_game(request: HttpRequest, game: GameId) -> object:
    """Follow a public game that you don't play in: get a notice after each turn."""
    actions.follow_game(**act_on(request, game), now=timezone.now())
    return list_following(caller_of(request).viewer)


@area.writes("DELETE /games/{game}/follow", FollowingState, guard=PLAY)
def unfollow_game(request: HttpRequest, game: GameId) -> object:
    """No longer follow a game."""
    viewer = caller_of(request).viewer
    found = find_game_key(game, viewer)
    if found is None:
        raise NoSuchGame
    actions.unfollow_game(user_id=bearer_of(request).user_id, game_id=found[0])
    return list_following(viewer)


@area.writes("PUT /me/followers", FollowingState, guard=PLAY)
def choose_followers(request: HttpRequest, given: FollowersGiven) -> object:
    """Let other players follow you, or nobody."""
    actions.let_people_follow(user_id=bearer_of(request).user_id, is_allowed=given.allowed)
    return list_following(caller_of(request).viewer)
