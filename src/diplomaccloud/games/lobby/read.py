"""Lists of games, with their filters, and the people who were invited to a game."""

import datetime as dt
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from operator import itemgetter
from typing import Any, Final, Literal

from django.db.models import Count, Exists, IntegerField, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from diplomaccloud.games.hall.read import (
    Card,
    GameRows,
    Stamp,
    read_cards,
    read_rows,
    read_stamps,
)
from diplomaccloud.games.seats.read import (
    SeatOffer,
    find_own_reliability,
    find_vacant_seats,
    read_offer,
)
from diplomaccloud.games.table.errors import NoSuchGame
from diplomaccloud.games.table.models import Game, Invitation, Seat, Status, digest_rules
from diplomaccloud.games.table.options import Options
from diplomaccloud.games.table.read import Guest, Reader
from diplomaccloud.games.visibility.read import (
    Viewer,
    game_by_code,
    invited_games,
    may_see,
    visible_games,
)
from diplomaccloud.judge.rules import RuleSet
from diplomaccloud.maps.library import standard_hash
from diplomaccloud.schedule import Interval, Schedule
from diplomaccloud.shared.prepared_queries import PreparedQuery
from diplomaccloud.shared.remembered import Remembered

__all__ = ["Status"]

LISTED = (Status.FORMING, Status.RUNNING, Status.FINISHED)
"""The statuses of the games that lists show, without canceled games."""


@dataclass(frozen=True, slots=True)
class GameList:
    """Public games of one status, newest first.

    If there are more games, `older` is the key of the last game shown, or in a sorted list
    `next_start` is the position of the next game.
    """

    games: tuple[Card, ...] = ()
    older: int | None = None
    next_start: int | None = None


@dataclass(frozen=True, slots=True)
class GameLists:
    """The viewer's own games, other public games by status, and seats to take over.

    `offers` are the seats with their games.
    """

    yours: tuple[Card, ...]
    others: Mapping[Status, GameList]
    offers: tuple[tuple[SeatOffer, Card], ...]

    @property
    def vacant(self) -> tuple[SeatOffer, ...]:
        """The seats to take over."""
        return tuple(seat for seat, _ in self.offers)

    @property
    def waiting(self) -> tuple[Card, ...]:
        """The viewer's games in which the viewer has something to do."""
        return tuple(game for game in self.yours if game.waits_for_you)

    @property
    def settled(self) -> tuple[Card, ...]:
        """The viewer's other games."""
        return tuple(game for game in self.yours if not game.waits_for_you)


# Filtering and sorting the lists in the lobby.
#
# The database filters by columns. Speed and free seats are filtered here, among only the newest
# `WINDOW` games, so a list takes no longer on a large site than on a small one.


MapKind = Literal["", "standard", "other"]
Pace = Literal["", "live", "daily", "slow"]
FreeSeats = Literal["", "last", "few", "several"]
Order = Literal["newest", "seats", "speed", "players"]
MAX_FEW: Final = 3
"""A game with at most this many free seats starts soon."""
MIN_SEVERAL: Final = 2
"""Friends who want to join together need at least this many free seats."""
_MANY: Final = 1_000
_FREE: Mapping[FreeSeats, range] = {
    "last": range(1, 2),
    "few": range(1, MAX_FEW + 1),
    "several": range(MIN_SEVERAL, _MANY),
}


@dataclass(frozen=True, slots=True)
class ListFilter:
    """Which games a list shows, as in the lobby's addresses; `q` is a part of the name."""

    q: str = ""
    players: int = 0
    speed: Pace = ""
    free: FreeSeats = ""
    map: MapKind = ""
    order: Order = "newest"

    def select(self, games: QuerySet[Game]) -> QuerySet[Game]:
        """Return the games that match by their columns."""
        if self.players:
            games = games.filter(chart__players=self.players)
        if self.map == "standard":
            games = games.filter(chart__content_hash=standard_hash())
        if self.map == "other":
            games = games.exclude(chart__content_hash=standard_hash())
        if self.q:
            games = games.filter(Q(world__icontains=self.q) | Q(chart__name__icontains=self.q))
        return games

    @property
    def needs_window(self) -> bool:
        """Whether the filter or the sorting depends on the options of the games."""
        return bool(self.speed or self.free or self.order != "newest")


ALL_GAMES: Final = ListFilter()


@dataclass(frozen=True, slots=True)
class ListQuery:
    """Which lists to show, with `size` games for each status, older than the key `before` if given.

    `yours` adds the viewer's own games, and `vacant` the seats that the viewer may take over.
    `filter` applies to the games of others. If it sorts a list, the list starts at position
    `start`.
    """

    statuses: tuple[Status, ...] = LISTED
    size: int = 12
    before: int | None = None
    yours: bool = True
    vacant: bool = True
    filter: ListFilter = ALL_GAMES
    start: int = 0


@dataclass(frozen=True, slots=True)
class CodeMatch:
    """The private game with a code; `needs_code` unless the viewer may see it anyway."""

    slug: str
    needs_code: bool


def list_games(viewer: Viewer, query: ListQuery = ListQuery()) -> GameLists:
    """Return the viewer's games, and other public games for each status.

    The viewer's games are those the viewer plays in, runs as game master or is invited to; games
    that need the viewer's orders come first, and finished games last. Lists are never counted, and
    each is read from an index, so a list takes no longer on a large site than on a small one.
    """
    yours, invited = _find_own_games(viewer, query.size) if query.yours else ([], frozenset())
    pages = {status: _find_others(status, viewer, query) for status in query.statuses}
    seats = find_vacant_seats(viewer) if query.vacant else []
    shown = chain(yours, *(keys for keys, _, _ in pages.values()), (seat.game_id for seat in seats))
    stamps = read_stamps(shown)
    games = read_cards(viewer, stamps, invited)
    return GameLists(
        yours=tuple(sorted((games[key] for key in yours if key in games), key=_urgency)),
        others={
            status: GameList(tuple(games[key] for key in keys if key in games), older, start)
            for status, (keys, older, start) in pages.items()
        },
        offers=_list_offers(viewer, seats, stamps, games),
    )


_offers: Remembered[tuple[Stamp, int], tuple[SeatOffer, ...]] = Remembered(100)
"""The offer of a seat by its key, or none."""


def _list_offers(
    viewer: Viewer, seats: Sequence[Seat], stamps: Mapping[int, Stamp], cards: Mapping[int, Card]
) -> tuple[tuple[SeatOffer, Card], ...]:
    """Return the seats that the viewer is reliable enough for, with their games."""
    seats = [seat for seat in seats if seat.game_id in cards]
    if any(cards[seat.game_id].reliability for seat in seats):
        percent = find_own_reliability(viewer.user_id)
        if percent is not None:
            seats = [seat for seat in seats if cards[seat.game_id].reliability <= percent]
    keys = {seat.pk: (stamps[seat.game_id], seat.pk) for seat in seats}
    offers = {seat.pk: _offers.find(keys[seat.pk]) for seat in seats}
    unknown = [seat for seat in seats if offers[seat.pk] is None]
    rows = read_rows({seat.game_id for seat in unknown}) if unknown else GameRows({}, {})
    for seat in unknown:
        offer = read_offer(seat, rows.games.get(seat.game_id), rows.phases.get(seat.game_id))
        offers[seat.pk] = (offer,) if offer else ()
        _offers.keep(keys[seat.pk], offers[seat.pk] or ())
    return tuple((offer, cards[seat.game_id]) for seat in seats for offer in offers[seat.pk] or ())


_Page = tuple[Sequence[int], int | None, int | None]
"""The keys of one page, and where the next page starts: `older` and `next_start` of `GameList`."""


def _find_others(status: Status, viewer: Viewer, query: ListQuery) -> _Page:
    """Return the keys of public games without the viewer."""
    person = viewer.user_id
    if query.before is None and query.filter == ALL_GAMES:
        if person is None:
            return _cut_page(_newest(status, query.size).read(), query.size)
        return _cut_page(_newest_of_others(status, query.size).read(person), query.size)
    games = query.filter.select(_select_others(status, person))
    if query.before is not None:
        games = games.filter(pk__lt=query.before)
    if query.filter.needs_window:
        return _find_in_window(games, query)
    return _cut_page(list(_select_page(games, query.size)), query.size)


def _select_page(games: QuerySet[Game], size: int) -> QuerySet[Game, int]:
    """Return the keys of the newest games: one more than a page has, if there are more."""
    return games.order_by("-pk").values_list("pk", flat=True)[: size + 1]


def _cut_page(keys: Sequence[int], size: int) -> _Page:
    return keys[:size], keys[size - 1] if len(keys) > size else None, None


@cache
def _newest_of_others(status: Status, size: int) -> PreparedQuery[int]:
    return PreparedQuery(lambda person: _select_page(_select_others(status, person), size), int)


@cache
def _newest(status: Status, size: int) -> PreparedQuery[int]:
    return PreparedQuery(lambda: _select_page(_select_others(status, None), size))


def _select_others(status: Status, person: int | None) -> QuerySet[Game]:
    # SQLite uses an index on a boolean column only if the query compares it with a value.
    games = Game.objects.filter(status=status, private__in=[False])
    if status is not Status.FORMING:
        games = games.filter(watchable__in=[True])
    if person is not None:
        this = OuterRef("pk")
        games = games.exclude(Exists(Seat.objects.filter(game=this, user=person)))
        games = games.exclude(master__isnull=False, master=person)
        if status is Status.FORMING:
            invited = Invitation.objects.filter(game=this, user=person, withdrawn_at=None)
            games = games.exclude(Exists(invited))
    return games


def list_games_on(map_hash: str, viewer: Viewer, *, most: int = 6) -> tuple[Card, ...]:
    """Return the newest games on a map, as far as the viewer may see them."""
    games = visible_games(viewer).filter(chart__content_hash=map_hash).order_by("-pk")
    keys = list(games.values_list("pk", flat=True)[:most])
    cards = read_cards(viewer, read_stamps(keys), frozenset(invited_games(viewer)))
    return tuple(cards[key] for key in keys if key in cards)


@dataclass(frozen=True, slots=True)
class Twin:
    """A public game that waits and is like one that a person is about to create."""

    slug: str
    world: str
    people: int
    seats: int


def find_twin(viewer: Viewer, *, map_hash: str, options: Options, rules: RuleSet) -> Twin | None:
    """Return a waiting public game of others with the same map, press, speed and edition, or None.

    `map_hash` and the setup in `options` are those that the new game would have. The twin has a
    free seat, and the viewer is not in it. The one with the most players comes first. Only the
    newest `WINDOW` games on the map are considered.
    """
    games = _select_others(Status.FORMING, viewer.user_id).filter(
        chart__content_hash=map_hash, rule_set=digest_rules(rules)
    )
    rows = games.exclude(creator__isnull=False, creator=viewer.user_id).annotate(
        people=Count("seats", filter=Q(seats__user__isnull=False))
    )
    rows = rows.select_related("chart").defer("chart__text").order_by("-pk")[:WINDOW]
    twins = [
        Twin(row.slug, row.world, vars(row)["people"], len(row.players))
        for row in rows
        if _is_alike(row.options, options)
    ]
    free = [twin for twin in twins if twin.people < twin.seats]
    return max(free, key=lambda twin: twin.people, default=None)


def _is_alike(one: Options, other: Options) -> bool:
    if (one.press, one.setup, one.anonymous) != (other.press, other.setup, other.anonymous):
        return False
    return one.schedule.plan == other.schedule.plan


def find_by_code(code: str, viewer: Viewer) -> CodeMatch:
    """Return the private game that the code opens; raise `NoSuchGame` if there is none.

    A code opens a game before it starts, and a running game while a seat is vacant. (With a
    substitute bot, seats are never vacant.)
    """
    code = code.strip().lower()
    known = Game.objects.filter(private=True, code=code).exclude(code="")
    for slug in known.order_by("-pk").values_list("slug", flat=True):
        if may_see(slug, viewer):
            return CodeMatch(slug, needs_code=False)
        if game_by_code(slug, code):
            return CodeMatch(slug, needs_code=True)
    raise NoSuchGame


def _urgency(game: Card) -> tuple[int, bool, float]:
    """Return the sort key of the viewer's games: games that need orders first, soonest first."""
    rank = [Status.RUNNING, Status.FORMING, Status.FINISHED].index(Status(game.status))
    return rank, not game.needs_you, game.due_at.timestamp() if game.due_at else 0.0


WINDOW: Final = 500
"""How many of the newest games are read to filter or sort them here."""
_DAYS_OF_WEEK: Final = 7
_MOST_DAYS_OF_SLOW: Final = 4
"""A calendar with at most this many turns a week is slow."""


def _find_in_window(games: QuerySet[Game], query: ListQuery) -> _Page:
    taken = Seat.objects.filter(game=OuterRef("pk")).order_by().values("game")
    rows = games.order_by("-pk").annotate(
        taken=Coalesce(Subquery(taken.annotate(number=Count("pk")).values("number")), 0)
    )
    listed: list[tuple[int, int, int, dt.timedelta]] = []
    columns, wanted = ("pk", "chart__players", "taken", "options"), query.filter
    for key, players, seats, options in rows.values_list(*columns)[:WINDOW]:
        schedule = Options.from_json(options).schedule
        fits = not wanted.free or players - seats in _FREE[wanted.free]
        if fits and wanted.speed in ("", _find_pace(schedule)):
            listed.append((key, players, players - seats, _measure_turn(schedule)))
    if column := _SORTED_BY.get(wanted.order):
        listed.sort(key=itemgetter(column))
    end = query.start + query.size
    keys = [row[0] for row in listed[query.start : end]]
    return keys, None, end if len(listed) > end else None


_SORTED_BY: Final = {"players": 1, "seats": 2, "speed": 3}


def _measure_turn(schedule: Schedule) -> dt.timedelta:
    """Return roughly how long a turn lasts."""
    plan = schedule.plan
    if isinstance(plan, Interval):
        return plan.lengths.movement
    return dt.timedelta(days=_DAYS_OF_WEEK) / max(1, len(plan.movement))


def _find_pace(schedule: Schedule) -> Pace:
    length = _measure_turn(schedule)
    if length < dt.timedelta(hours=2):
        return "live"
    slow = dt.timedelta(days=_DAYS_OF_WEEK) / _MOST_DAYS_OF_SLOW
    return "slow" if length >= slow else "daily"


# Finding a person's own games, without reading more of them than are shown.


_MAX_UNFINISHED = 40
"""A person with more unfinished games than this sees only the newest."""
_PLAYED, _INVITED = 1, 2


def _find_own_games(viewer: Viewer, finished_size: int) -> tuple[list[int], Collection[int]]:
    """Return the keys of the viewer's games, and which of them are invitations.

    They are up to `_MAX_UNFINISHED` games that the viewer plays in, runs as game master, or is
    invited to, and the last finished games.
    """
    if viewer.user_id is None:
        return [], ()
    keys: dict[int, set[int]] = {_PLAYED: set(), _INVITED: set()}
    for key, how in _unfinished.read(viewer.user_id):
        keys[how].add(key)
    unfinished = sorted(keys[_PLAYED] | keys[_INVITED], reverse=True)[:_MAX_UNFINISHED]
    finished = _newest_finished(finished_size).read(viewer.user_id)
    return [*unfinished, *finished], keys[_INVITED] - keys[_PLAYED]


def _select_unfinished(user: int) -> QuerySet[Any, tuple[int, int]]:
    seats = Seat.objects.filter(user=user, finished_at=None).order_by()
    unfinished = [Status.FORMING, Status.RUNNING]
    mastered = Game.objects.filter(master=user, status__in=unfinished).order_by()
    guests = Invitation.objects.filter(user=user, withdrawn_at=None, game__status=Status.FORMING)
    parts = [
        rows.annotate(how=Value(how, IntegerField())).values_list(key, "how")
        for rows, key, how in (
            (seats, "game", _PLAYED),
            (mastered, "pk", _PLAYED),
            (guests.order_by(), "game", _INVITED),
        )
    ]
    return parts[0].union(*parts[1:])


_unfinished = PreparedQuery(_select_unfinished, int)


@cache
def _newest_finished(size: int) -> PreparedQuery[int]:
    finished = Seat.objects.exclude(finished_at=None).order_by("-finished_at", "-pk")
    return PreparedQuery(
        lambda user: finished.filter(user=user).values_list("game", flat=True)[:size], int
    )


def read_guests(reader: Reader) -> tuple[Guest, ...]:
    """Return the people who were invited and have not joined."""
    rows = reader.rows
    # In an anonymous game guests stay listed, or the list would reveal who has joined.
    joined = [] if rows.masked else [row.user_id for row in rows.seats if row.user_id]
    invited = rows.game.invitations.filter(withdrawn_at=None).exclude(user__in=joined)
    return tuple(
        Guest(row.user_id, row.user.screen_name)
        for row in invited.select_related("user").order_by("pk")
    )
