"""Filtering and sorting the lists in the lobby.

The database filters by columns. Speed and free seats are filtered here, among only the newest
`WINDOW` games, so a list takes no longer on a large site than on a small one.
"""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from diplomaccloud.games.models import Game, Seat
from diplomaccloud.games.options.options import Options
from diplomaccloud.maps.library import standard_hash
from diplomaccloud.schedule import Interval, Schedule

WINDOW: Final = 500
"""How many of the newest games are read to filter or sort them here."""
MAX_FEW: Final = 3
"""A game with at most this many free seats starts soon."""
MIN_SEVERAL: Final = 2
"""Friends who want to join together need at least this many free seats."""
_DAYS_OF_WEEK: Final = 7
_MOST_DAYS_OF_SLOW: Final = 4
"""A calendar with at most this many turns a week is slow."""


class Pace(StrEnum):
    """How fast a game is, in the steps that the filter offers."""

    LIVE = "live"
    DAILY = "daily"
    SLOW = "slow"


class MapKind(StrEnum):
    """Which maps a list shows."""

    STANDARD = "standard"
    OTHER = "other"


class FreeSeats(StrEnum):
    """How many seats of a game are still free."""

    LAST = "last"
    FEW = "few"
    SEVERAL = "several"

    def fits(self, free: int) -> bool:
        """Return whether a game with `free` free seats matches."""
        match self:
            case FreeSeats.LAST:
                return free == 1
            case FreeSeats.FEW:
                return 1 <= free <= MAX_FEW
            case FreeSeats.SEVERAL:
                return free >= MIN_SEVERAL


class Order(StrEnum):
    """How a list is sorted."""

    NEWEST = "newest"
    SEATS = "seats"
    SPEED = "speed"
    PLAYERS = "players"


@dataclass(frozen=True, slots=True)
class ListFilter:
    """Which games a list shows: by players, map, pace, free seats, and `text` in the name."""

    players: int = 0
    map: MapKind | None = None
    pace: Pace | None = None
    free: FreeSeats | None = None
    text: str = ""
    order: Order = Order.NEWEST

    def select(self, games: QuerySet[Game]) -> QuerySet[Game]:
        """Return the games that match by their columns."""
        if self.players:
            games = games.filter(chart__players=self.players)
        if self.map is MapKind.STANDARD:
            games = games.filter(chart__content_hash=standard_hash())
        if self.map is MapKind.OTHER:
            games = games.exclude(chart__content_hash=standard_hash())
        if self.text:
            named = Q(world__icontains=self.text) | Q(chart__name__icontains=self.text)
            games = games.filter(named)
        return games

    @property
    def needs_window(self) -> bool:
        """Whether the filter or the sorting depends on the options of the games."""
        return self.pace is not None or self.free is not None or self.order is not Order.NEWEST


ALL_GAMES: Final = ListFilter()


@dataclass(frozen=True, slots=True)
class Page:
    """The keys of one page; `before` or `start` is where the next page starts, if there is one."""

    keys: Sequence[int]
    before: int | None = None
    start: int | None = None


def find_page(games: QuerySet[Game], wanted: ListFilter, *, size: int, start: int) -> Page:
    """Return one page of `games`, newest first unless `wanted` sorts them."""
    games = wanted.select(games)
    if not wanted.needs_window:
        return cut_page(list(select_page(games, size)), size)
    return _find_in_window(games, wanted, size=size, start=start)


def select_page(games: QuerySet[Game], size: int) -> QuerySet[Game, int]:
    """Return the keys of the newest games: one more than a page has, if there are more."""
    return games.order_by("-pk").values_list("pk", flat=True)[: size + 1]


def cut_page(keys: Sequence[int], size: int) -> Page:
    """Return the page of keys that `select_page` has selected."""
    return Page(keys[:size], before=keys[size - 1] if len(keys) > size else None)


def _find_in_window(games: QuerySet[Game], wanted: ListFilter, *, size: int, start: int) -> Page:
    taken = Seat.objects.filter(game=OuterRef("pk")).order_by().values("game")
    rows = games.order_by("-pk").annotate(
        taken=Coalesce(Subquery(taken.annotate(number=Count("pk")).values("number")), 0)
    )
    listed: list[tuple[int, int, int, dt.timedelta]] = []
    columns = ("pk", "chart__players", "taken", "options")
    for key, players, seats, options in rows.values_list(*columns)[:WINDOW]:
        schedule = Options.from_json(options).schedule
        fits = wanted.free is None or wanted.free.fits(players - seats)
        if fits and wanted.pace in (None, pace_of(schedule)):
            listed.append((key, players, players - seats, turn_length(schedule)))
    match wanted.order:
        case Order.SEATS:
            listed.sort(key=lambda row: row[2])
        case Order.SPEED:
            listed.sort(key=lambda row: row[3])
        case Order.PLAYERS:
            listed.sort(key=lambda row: row[1])
        case Order.NEWEST:
            pass
    keys = [row[0] for row in listed[start : start + size]]
    return Page(keys, start=start + size if len(listed) > start + size else None)


def turn_length(schedule: Schedule) -> dt.timedelta:
    """Return roughly how long a turn lasts."""
    plan = schedule.plan
    if isinstance(plan, Interval):
        return plan.lengths.movement
    return dt.timedelta(days=_DAYS_OF_WEEK) / max(1, len(plan.movement))


def pace_of(schedule: Schedule) -> Pace:
    """Return the pace of a schedule."""
    length = turn_length(schedule)
    if length < dt.timedelta(hours=2):
        return Pace.LIVE
    slow = dt.timedelta(days=_DAYS_OF_WEEK) / _MOST_DAYS_OF_SLOW
    return Pace.SLOW if length >= slow else Pace.DAILY
