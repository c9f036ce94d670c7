"""Public facts about people: the list of players and each player's profile.

The list reveals no more about a person than the profile does, and takes the same number of queries
for any length of page. Bots are not people: they only hold seats.
"""

import datetime as dt
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields
from enum import Enum, auto

from django.db.models import Prefetch, Q, QuerySet, prefetch_related_objects

from diplomaccloud.accounts.models import User
from diplomaccloud.accounts.people import (
    PeopleOrder,
    describe_login,
    find_named,
    find_page,
    find_shown_login,
    is_recent,
)
from diplomaccloud.accounts.screen_names import make_key
from diplomaccloud.games.following.read import follows_person
from diplomaccloud.games.seats.read import Reliability, figures_of, read_figures, reliability_of
from diplomaccloud.games.table.errors import NoSuchGame
from diplomaccloud.games.table.log_models import (
    COUNTRY_FIGURES,
    RIVAL_FIGURES,
    CountryFigures,
    GameResult,
    PlayerFigures,
    RivalFigures,
    Unrated,
    WorldFigures,
    find_result,
    find_unrated,
)
from diplomaccloud.games.table.models import Game, Seat, Status, Tenure
from diplomaccloud.games.visibility.read import Viewer, build_finished_rule
from diplomaccloud.maps.models import StoredChart
from diplomaccloud.shared.prepared_queries import PreparedQuery

_OUTCOMES = {
    GameResult.WON: "won",
    GameResult.SHARED: "shared the victory",
    GameResult.LOST: "lost",
    GameResult.FINISHED: "finished",
}
_MAX_GAMES = 20
"""The most finished games that a profile lists."""
_MAX_RUNNING = 6
_MAX_FAVORITES = 3
_MAX_RIVALS = 5
_MAX_MAPS = 10
"""The most maps whose results a profile lists; the others are one line together."""
_MAX_ONCE = 3
"""The most new worlds played once that a profile lists; if there are more, they are one line."""
_MAX_COUNTRIES = 60
MIN_MEETINGS = 3
"""In how many finished games two people must have met to be rivals."""


@dataclass(frozen=True, slots=True)
class PeopleQuery:
    """A search for players with `name` in their screen name, with a sort order.

    The page starts after the player called `after`, or ends before the one called `before`.
    """

    name: str = ""
    order: PeopleOrder = PeopleOrder.NAME
    after: str = ""
    before: str = ""


@dataclass(frozen=True, slots=True)
class Person:
    """A player, with the numbers of public games in progress and of rated ones that are finished.

    `login` is the time of the last log-in, made vague by `accounts.people`, and `is_recent` says
    whether that was in the last two weeks. The name is not chosen
    if moderators have hidden the person's real screen name.
    """

    name: str
    status: str
    since: dt.datetime
    login: str
    reliability: Reliability
    running: int
    finished: int
    is_you: bool
    is_name_chosen: bool = True
    is_recent: bool = False


@dataclass(frozen=True, slots=True)
class People:
    """One page of a list of players, and whether there are pages before and after it."""

    people: tuple[Person, ...]
    has_previous: bool
    has_next: bool


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A finished game of a person; if it has no `unrated`, its result counts."""

    key: int
    slug: str
    world: str
    country: str
    result: GameResult
    unrated: Unrated | None
    finished_at: dt.datetime

    @property
    def outcome(self) -> str:
        """The result in words."""
        return _OUTCOMES[self.result]


@dataclass(frozen=True, slots=True)
class Results:
    """How finished rated games ended."""

    games: int = 0
    solos: int = 0
    draws: int = 0
    survived: int = 0
    defeated: int = 0

    def __add__(self, other: "Results") -> "Results":
        return Results(*(mine + its for mine, its in self._pair(other)))

    def __sub__(self, other: "Results") -> "Results":
        # The two may have been read at different moments.
        return Results(*(max(0, mine - its) for mine, its in self._pair(other)))

    def _pair(self, other: "Results") -> list[tuple[int, int]]:
        names = [each.name for each in fields(self)]
        return [(getattr(self, name), getattr(other, name)) for name in names]


class MapGroup(Enum):
    """The map or maps of one part of a person's results."""

    EUROPE = auto()
    NEW_WORLD = auto()
    NEW_WORLDS = auto()
    OTHER_MAPS = auto()


@dataclass(frozen=True, slots=True)
class MapResults:
    """Results on a map, or on several together; only a new world has a name and a hash.

    `countries` has the results by country, the most played first, empty for several maps.
    """

    group: MapGroup
    results: Results
    countries: tuple[tuple[str, Results], ...] = ()
    name: str = ""
    content_hash: str = ""


@dataclass(frozen=True, slots=True)
class Favorite:
    """A country that the person often plays, in Europe or in new worlds."""

    is_europe: bool
    country: str
    games: int
    solos: int


@dataclass(frozen=True, slots=True)
class Rival:
    """A person whom another often met, and in how many games the other was ahead or behind."""

    name: str
    games: int
    ahead: int
    behind: int


@dataclass(frozen=True, slots=True)
class Profile:
    """A person, and the finished games that the viewer may see, newest first.

    `running` are the keys of running games that everyone may watch and that are not anonymous,
    newest first. `results` has the most played maps first, and the others together at the end;
    `favorites` are the countries played most often, and `rivals` the people met most often.

    `follows` is None for the person's own page.
    """

    key: int
    person: Person
    won: int
    shared: int
    unrated: int
    games: tuple[FinishedGame, ...]
    running: tuple[int, ...]
    results: tuple[MapResults, ...]
    favorites: tuple[Favorite, ...]
    rivals: tuple[Rival, ...]
    follows: bool | None


class NoSuchPerson(NoSuchGame):
    """A person who does not exist."""

    def __init__(self) -> None:
        ValueError.__init__(self, "No player with that name.")


def list_people(query: PeopleQuery, viewer: Viewer, *, now: dt.datetime) -> People:
    """Return one page of players; an unknown name in `after` or `before` gives the first page."""
    # SQLite uses an index on a boolean column only if the query compares it with a value.
    people = User.objects.filter(is_active=True, guest__in=[False])
    if query.name:
        people = people.filter(find_named(query.name))
    page = find_page(people, query.order, query.after, query.before, now=now)
    figures = read_figures([user.pk for user in page.users])
    return People(
        people=tuple(_person(user, figures[user.pk], viewer, now=now) for user in page.users),
        has_previous=page.has_previous,
        has_next=page.has_next,
    )


def read_profile(name: str, viewer: Viewer, *, now: dt.datetime) -> Profile:
    """Return a person's public profile; raise `NoSuchPerson` if nobody has that name.

    It lists only finished games that the viewer may see, so it does not reveal who plays in an
    anonymous game.
    """
    user = _person_with_figures.find(make_key(name))
    if user is None:
        raise NoSuchPerson
    figures, seats = figures_of(user), _finished_seats(user.pk, viewer)
    held = _held_seats.read([seat.game_id for seat in seats]) if seats else []
    people = Counter(game for game, _ in held)
    favorites = _favorites.read(user.pk) if figures.finished else ()
    return Profile(
        key=user.pk,
        person=_person(user, figures, viewer, now=now),
        won=figures.won,
        shared=figures.shared,
        unrated=figures.unrated,
        games=tuple(_finished_game(seat, people[seat.game_id]) for seat in seats),
        running=tuple(_running.read(user.pk)),
        results=_read_results(user.pk, figures.finished),
        favorites=tuple(Favorite(*row) for row in favorites),
        rivals=tuple(Rival(*row) for row in _rivals.read(user.pk)),
        follows=None if user.pk == viewer.user_id else follows_person(viewer, user.pk),
    )


def _person(user: User, figures: PlayerFigures, viewer: Viewer, *, now: dt.datetime) -> Person:
    return Person(
        name=user.screen_name,
        status=user.status,
        since=user.date_joined.replace(microsecond=0),
        login=describe_login(find_shown_login(user, now=now), now=now),
        reliability=reliability_of(figures),
        running=figures.running,
        finished=figures.finished,
        is_you=user.pk == viewer.user_id,
        is_name_chosen=user.hidden_name is None,
        is_recent=is_recent(find_shown_login(user, now=now), now=now),
    )


_person_with_figures = PreparedQuery(
    lambda name: User.objects.select_related("figures").filter(
        folded_name=name, is_active=True, guest=False
    ),
    str,
)


def _finished_seats(user_id: int, viewer: Viewer) -> Sequence[Seat]:
    """Return seats in the last finished games that the viewer may see, newest first."""
    if user_id == viewer.user_id:
        seats = _own_seats.read(user_id)
    elif viewer.user_id is None:
        seats = _seats_for_visitor.read(user_id)
    else:
        seats = _seats_for_viewer.read(user_id, viewer.user_id)
    # A join with the maps makes MariaDB read and sort all the seats of the player.
    prefetch_related_objects(seats, Prefetch("game__chart", StoredChart.objects.defer("text")))
    return seats


def _select_finished(user_id: int, rule: Q) -> QuerySet[Seat]:
    seats = Seat.objects.filter(rule, user=user_id).exclude(finished_at=None)
    return seats.select_related("game").order_by("-finished_at", "-pk")[:_MAX_GAMES]


_own_seats = PreparedQuery(lambda user: _select_finished(user, Q()), int)
_seats_for_visitor = PreparedQuery(
    lambda user: _select_finished(user, build_finished_rule(Viewer(None))), int
)
_seats_for_viewer = PreparedQuery(
    lambda user, person: _select_finished(user, build_finished_rule(Viewer(person))), int, int
)

_held_seats = PreparedQuery(
    lambda games: (
        Tenure.objects.filter(seat__game__in=games)
        .exclude(user=None)
        .order_by()
        .values_list("seat__game", "seat")
        .distinct()
    ),
    list,
)
"""The seats of some games that people have held, with their games."""


def _select_running(user: int) -> QuerySet[Seat, int]:
    # The rule comes before the limit: otherwise, hidden games would push others from the list.
    seats = Seat.objects.filter(
        user=user,
        finished_at=None,
        game__status=Status.RUNNING,
        game__private=False,
        game__watchable=True,
        game__options__anonymous=False,
    )
    return seats.order_by("-pk").values_list("game", flat=True)[:_MAX_RUNNING]


_running = PreparedQuery(_select_running, int)
_favorites = PreparedQuery(
    lambda user: (
        CountryFigures.objects.filter(user=user, games__gt=0)
        .exclude(country="")
        .order_by("-games", "country", "-is_europe")
        .values_list("is_europe", "country", "games", "solos")[:_MAX_FAVORITES]
    ),
    int,
)
# SQLite uses an index on a boolean column only if the query compares it with a value. The blank
# country, which counts all of them, comes first.
_europe = PreparedQuery(
    lambda user: (
        CountryFigures.objects.filter(user=user, is_europe__in=[True])
        .order_by("country")
        .values_list("country", *COUNTRY_FIGURES)[:_MAX_COUNTRIES]
    ),
    int,
)
_new_worlds = PreparedQuery(
    lambda user: CountryFigures.objects.filter(
        user=user, is_europe__in=[False], country=""
    ).values_list(*COUNTRY_FIGURES),
    int,
)
_most_played = PreparedQuery(
    lambda user: (
        WorldFigures.objects.filter(user=user, country="")
        .order_by("-games", "chart")
        .values_list("chart", "games")[: _MAX_MAPS + 1]
    ),
    int,
)
# A join with the maps could make MariaDB read all the worlds of the person, so it comes only here.
_results_on = PreparedQuery(
    lambda user, charts: (
        WorldFigures.objects.filter(user=user, chart__in=charts)
        .order_by("country", "chart")
        .values_list("chart__content_hash", "chart__name", "country", *COUNTRY_FIGURES)[
            : _MAX_MAPS + _MAX_COUNTRIES
        ]
    ),
    int,
    list,
)


def _read_results(user: int, finished: int) -> tuple[MapResults, ...]:
    """Return the results of a person with `finished` rated games, by map."""
    if not finished:
        return ()
    maps: list[MapResults] = []
    europe = {country: Results(*numbers) for country, *numbers in _europe.read(user)}
    if europe:
        maps.append(_map_results(MapGroup.EUROPE, europe))
    rest = sum((Results(*row) for row in _new_worlds.read(user)), Results())
    if rest.games:
        worlds = list(_most_played.read(user))
        named = _choose_worlds(worlds, _MAX_MAPS - len(maps))
        results: dict[tuple[str, str], dict[str, Results]] = {}
        for content_hash, name, country, *numbers in _results_on.read(user, named) if named else ():
            results.setdefault((content_hash, name), {})[country] = Results(*numbers)
        for (content_hash, name), countries in results.items():
            world = _map_results(MapGroup.NEW_WORLD, countries, name, content_hash)
            maps.append(world)
            rest -= world.results
    maps.sort(key=lambda row: -row.results.games)
    if rest.games:
        is_once = all(games == 1 or chart in named for chart, games in worlds)
        maps.append(MapResults(MapGroup.NEW_WORLDS if is_once else MapGroup.OTHER_MAPS, rest))
    return tuple(maps)


def _choose_worlds(worlds: Sequence[tuple[int, int]], most: int) -> list[int]:
    """Return which worlds, given with their games, get a line of their own."""
    again = [chart for chart, games in worlds if games > 1]
    if len(worlds) > most or len(worlds) - len(again) > _MAX_ONCE:
        return again[:most]
    return [chart for chart, _ in worlds]


def _map_results(
    group: MapGroup, results: dict[str, Results], name: str = "", content_hash: str = ""
) -> MapResults:
    countries = sorted(
        ((country, row) for country, row in results.items() if country),
        key=lambda pair: -pair[1].games,
    )
    return MapResults(group, results.get("", Results()), tuple(countries), name, content_hash)


_rivals = PreparedQuery(
    lambda user: (
        RivalFigures.objects.filter(user=user, games__gte=MIN_MEETINGS, other__is_active=True)
        .order_by("-games", "-ahead", "other")
        .values_list("other__username", *RIVAL_FIGURES)[:_MAX_RIVALS]
    ),
    int,
)


def list_waiting_games(viewer: Viewer) -> tuple[tuple[str, str], ...]:
    """Return the address and the name of the viewer's own games that wait, newest first."""
    if viewer.user_id is None:
        return ()
    games = Game.objects.filter(creator=viewer.user_id, status=Status.FORMING).order_by("-pk")
    return tuple(games.values_list("slug", "world")[:_MAX_GAMES])


def _finished_game(seat: Seat, people: int) -> FinishedGame:
    game = seat.game
    if game.finished_at is None or game.ending is None:
        raise NoSuchGame
    return FinishedGame(
        key=game.pk,
        slug=game.slug,
        world=game.world,
        country=seat.country_name,
        result=find_result(game.ending.winners, seat.power, game.options.setup),
        unrated=find_unrated(people, game.ending.reason, len(game.ending.winners)),
        finished_at=game.finished_at,
    )
