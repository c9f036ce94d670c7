"""What everybody may know about people: the list of players and each player's profile.

The list reveals no more about a person than the profile does, and needs no more queries for a
long page than for a short one. Bots are not people: they only hold seats.
"""

import datetime as dt
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain

from django.core.paginator import Paginator
from django.db.models import Count, F, Q, QuerySet

from diplomaccloud.accounts.logins import describe_login, login_step
from diplomaccloud.accounts.models import User
from diplomaccloud.games.errors import NoSuchGame
from diplomaccloud.games.models import Seat, Status, powers_played_by
from diplomaccloud.games.options.options import Watch
from diplomaccloud.games.viewpoint.reliability import Reliability, read_reliability
from diplomaccloud.games.viewpoint.visibility import Viewer, visible_games

PER_PAGE = 20
_MAX_GAMES = 20
"""A profile lists at most this many finished games."""


class PeopleOrder(StrEnum):
    """How the list of players is sorted."""

    NAME = "name"
    NEWEST = "newest"
    LOGIN = "login"


@dataclass(frozen=True, slots=True)
class PeopleQuery:
    """A search for players with `name` in their screen name, in an order."""

    name: str = ""
    order: PeopleOrder = PeopleOrder.NAME


@dataclass(frozen=True, slots=True)
class GameCounts:
    """How many games a person plays that everybody may watch, and how many are finished."""

    running: int = 0
    finished: int = 0


@dataclass(frozen=True, slots=True)
class Person:
    """A player. `login` is as vague as `accounts.logins` makes it."""

    name: str
    status: str
    since: dt.datetime
    login: str
    reliability: Reliability
    games: GameCounts
    is_you: bool


@dataclass(frozen=True, slots=True)
class People:
    """One page of a list of players."""

    people: tuple[Person, ...]
    total: int
    number: int
    pages: int


class GameResult(StrEnum):
    """How a finished game ended for one player; `FINISHED` if the game has no winner."""

    WON = "won"
    SHARED = "shared"
    LOST = "lost"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A finished game of a person."""

    slug: str
    world: str
    country: str
    result: GameResult
    finished_at: dt.datetime


@dataclass(frozen=True, slots=True)
class Profile:
    """A person, and the finished games that the viewer may see, newest first."""

    person: Person
    won: int
    shared: int
    games: tuple[FinishedGame, ...]


class NoSuchPerson(NoSuchGame):
    """A person who does not exist."""

    def __init__(self) -> None:
        ValueError.__init__(self, "No player with that name.")


def list_people(number: int, query: PeopleQuery, viewer: Viewer, *, now: dt.datetime) -> People:
    """Return one page of the players; a number out of range gives the nearest page."""
    people = _sort(_search(query.name), query.order, now=now)
    page = Paginator(people, PER_PAGE).get_page(number)
    users = list(page.object_list)
    keys = [user.pk for user in users]
    reliability, games = read_reliability(keys), count_games(keys)
    return People(
        people=tuple(
            _person(user, reliability[user.pk], games.get(user.pk, GameCounts()), viewer, now=now)
            for user in users
        ),
        total=page.paginator.count,
        number=page.number,
        pages=page.paginator.num_pages,
    )


def read_profile(name: str, viewer: Viewer, *, now: dt.datetime) -> Profile:
    """Return a person's public profile; raise `NoSuchPerson` if nobody has that name.

    It lists only finished games that the viewer may see, so that it does not reveal who plays
    in an anonymous game.
    """
    user = User.objects.filter(folded_name=name.lower(), is_active=True).first()
    if user is None:
        raise NoSuchPerson
    seats = _finished_seats(user.pk)
    results = [_find_result(seat) for seat in seats]
    visible = set(
        visible_games(viewer)
        .filter(pk__in=[seat.game_id for seat in seats])
        .values_list("pk", flat=True)
    )
    running = count_games([user.pk]).get(user.pk, GameCounts()).running
    reliability = read_reliability([user.pk])[user.pk]
    return Profile(
        person=_person(user, reliability, GameCounts(running, len(seats)), viewer, now=now),
        won=results.count(GameResult.WON),
        shared=results.count(GameResult.SHARED),
        games=tuple(
            _finished_game(seat, result)
            for seat, result in zip(seats, results, strict=True)
            if seat.game_id in visible
        )[:_MAX_GAMES],
    )


def count_games(people: Collection[int]) -> dict[int, GameCounts]:
    """Return the numbers of games of those people who have any, by key.

    Running games count only if everybody may watch them and see the names in them: a number
    that grows when an anonymous game starts would reveal who plays in it.
    """
    public = Q(
        game__status=Status.RUNNING,
        game__private=False,
        game__options__anonymous=False,
        game__options__watch=Watch.ANYONE.value,
    )
    rows = Seat.objects.filter(user__in=people).order_by().values("user")
    counted = rows.annotate(
        running=Count("pk", filter=public),
        finished=Count("pk", filter=Q(game__status=Status.FINISHED)),
    )
    return {row["user"]: GameCounts(row["running"], row["finished"]) for row in counted}


def _search(name: str) -> QuerySet[User]:
    people = User.objects.filter(is_active=True)
    return people.filter(folded_name__contains=name.lower()) if name else people


def _sort(people: QuerySet[User], order: PeopleOrder, *, now: dt.datetime) -> QuerySet[User]:
    match order:
        case PeopleOrder.NAME:
            return people.order_by("folded_name")
        case PeopleOrder.NEWEST:
            return people.order_by("-pk")
        case PeopleOrder.LOGIN:
            steps = people.annotate(step=login_step(now=now))
            return steps.order_by(F("step").desc(nulls_last=True), "folded_name")


def _person(
    user: User, reliability: Reliability, games: GameCounts, viewer: Viewer, *, now: dt.datetime
) -> Person:
    return Person(
        name=user.screen_name,
        status=user.status,
        since=user.date_joined,
        login=describe_login(user.last_login, now=now),
        reliability=reliability,
        games=games,
        is_you=user.pk == viewer.user_id,
    )


def _finished_seats(user_id: int) -> Sequence[Seat]:
    seats = Seat.objects.filter(user=user_id, game__status=Status.FINISHED)
    rows = seats.select_related("game__chart").defer("game__chart__text")
    return list(rows.order_by("-game__finished_at"))


def _find_result(seat: Seat) -> GameResult:
    players = seat.game.players
    # A power that joined a player by a coin flip wins with that player.
    won = set(seat.game.ending.winners if seat.game.ending else ()).intersection(chain(*players))
    played = set(powers_played_by(seat.power, players))
    if not won & played:
        return GameResult.LOST if won else GameResult.FINISHED
    return GameResult.WON if won <= played else GameResult.SHARED


def _finished_game(seat: Seat, result: GameResult) -> FinishedGame:
    game = seat.game
    if game.finished_at is None:
        raise NoSuchGame
    return FinishedGame(game.slug, game.world, seat.country_name, result, game.finished_at)
