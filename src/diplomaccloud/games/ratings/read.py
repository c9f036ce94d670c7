"""Ratings as others may see them: those of a person, the lists of the best, and games' ratings.

People who have hidden their ratings are left out for everyone but themselves. Ratings change only
once the names in a game are public, so they say nothing about who plays in an anonymous game.
"""

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, NamedTuple

from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from diplomaccloud.accounts.models import DELETED_NAME, User, name_of
from diplomaccloud.games.ratings.models import HiddenRating, PersonRating, RatingChange
from diplomaccloud.games.ratings.wording import Kind, write_points
from diplomaccloud.games.table.errors import NoSuchGame
from diplomaccloud.games.visibility.read import Viewer
from diplomaccloud.ratings import PROVISIONAL_GAMES
from diplomaccloud.shared.prepared_queries import PreparedQuery

PER_PAGE: Final = 100
LISTED_FOR: Final = dt.timedelta(days=365)
"""After this time without a rated game of a kind, a person is no longer on its list."""
MAX_CURVE: Final = 200
"""How many games a curve shows; the newest."""
_Row = tuple[int, str, int, int, int, int]
_COLUMNS: Final = ("person", "person__username", "points", "games", "solos", "draws")
"""What a line needs; a page has a hundred, and instances of models take long to make."""


class NoSuchPerson(NoSuchGame):
    """A person who does not exist."""

    def __init__(self) -> None:
        ValueError.__init__(self, "No player with that name.")


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """A person's rating after a rated game, and when the names in the game became public."""

    at: dt.datetime
    points: int


@dataclass(frozen=True, slots=True)
class KindRating:
    """A person's rating of one kind; `place` is None while the person is not on the list.

    `curve` has the newest rated games, oldest first.
    """

    kind: Kind
    points: int
    games: int
    solos: int
    draws: int
    place: int | None
    rated_at: dt.datetime
    curve: tuple[CurvePoint, ...] = ()

    @property
    def is_provisional(self) -> bool:
        """Whether the person has few rated games of the kind."""
        return self.games < PROVISIONAL_GAMES

    @property
    def text(self) -> str:
        """The rating as people read it, with a question mark if it is provisional."""
        return write_points(self.points, is_provisional=self.is_provisional)


@dataclass(frozen=True, slots=True)
class PersonRatings:
    """A person's ratings, the most games first; `is_hidden` is set only for that person."""

    ratings: tuple[KindRating, ...] = ()
    is_hidden: bool = False


class Listed(NamedTuple):
    """One line of a list of the best; equal ratings share a place.

    The person of a deleted account has no name, until a worker takes the line off the list.
    """

    place: int
    name: str
    points: int
    games: int
    solos: int
    draws: int
    is_you: bool

    @property
    def is_named(self) -> bool:
        """Whether the person still has a profile."""
        return self.name != DELETED_NAME

    @property
    def is_provisional(self) -> bool:
        """Whether the person has few rated games of the kind."""
        return self.games < PROVISIONAL_GAMES

    @property
    def text(self) -> str:
        """The rating as people read it, with a question mark if it is provisional."""
        return write_points(self.points, is_provisional=self.is_provisional)


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """A page of the people with a rating of a kind, best first.

    `you` is the viewer's own line, wherever it is, and `your_page` its page; None and 0 if the
    viewer is not on the list.
    """

    kind: Kind
    people: tuple[Listed, ...]
    page: int
    pages: int
    total: int
    you: Listed | None = None
    your_page: int = 0


def read_ratings(
    user_id: int, viewer: Viewer, *, now: dt.datetime, with_curves: bool = True
) -> PersonRatings:
    """Return a person's ratings; none if the person has hidden them from the viewer.

    Takes two queries, and for each kind with a rating two more, for its place and its curve.
    """
    rows, is_own = _of_person.read(user_id), user_id == viewer.user_id
    is_hidden = bool((rows or is_own) and _hidden.read(user_id))
    if not rows or (is_hidden and not is_own):
        return PersonRatings(is_hidden=is_hidden and is_own)
    ratings = tuple(
        KindRating(
            kind=Kind(row.kind),
            points=row.points,
            games=row.games,
            solos=row.solos,
            draws=row.draws,
            place=_find_place(row, now),
            rated_at=row.rated_at,
            curve=_read_curve(user_id, row.kind) if with_curves else (),
        )
        for row in rows
    )
    return PersonRatings(tuple(sorted(ratings, key=lambda each: -each.games)), is_hidden)


def find_person(name: str) -> int:
    """Return the key of the person with this screen name; raise `NoSuchPerson` if there is none."""
    key = User.objects.filter(is_active=True, guest__in=[False], folded_name=name.lower())
    found = key.values_list("pk", flat=True).first()
    if found is None:
        raise NoSuchPerson
    return found


def read_leaderboard(kind: Kind, page: int, viewer: Viewer, *, now: dt.datetime) -> Leaderboard:
    """Return one page of the list of a kind; a number out of range gives the nearest page."""
    since = now - LISTED_FOR
    total = _number.find(kind, since) or 0
    pages = max(1, -(-total // PER_PAGE))
    page = min(max(page, 1), pages)
    people = _list(_read_page(kind, page, since), viewer, kind, since, (page - 1) * PER_PAGE)
    you = next((line for line in people if line.is_you), None)
    if you is not None:
        return Leaderboard(kind, people, page, pages, total, you, page)
    you, ahead = _find_own(kind, viewer, since)
    your_page = 1 + (you.place - 1 + ahead) // PER_PAGE if you is not None else 0
    return Leaderboard(kind, people, page, pages, total, you, your_page)


def list_best(kind: Kind, count: int, viewer: Viewer, *, now: dt.datetime) -> tuple[Listed, ...]:
    """Return the `count` best of a kind, and then the viewer's own line if it is not among them."""
    since = now - LISTED_FOR
    best = _list(_best(count).read(kind, since), viewer, kind, since)
    if len(best) < count or any(line.is_you for line in best):
        return best
    own, _ = _find_own(kind, viewer, since)
    return (*best, own) if own is not None else best


def _select_listed(kind: str, since: dt.datetime) -> QuerySet[PersonRating]:
    # SQLite uses an index on a boolean column only if the query compares it with a value.
    rows = PersonRating.objects.filter(kind=kind, listed__in=[True], rated_at__gte=since)
    return _sort(rows)


def _sort(rows: QuerySet[PersonRating]) -> QuerySet[PersonRating]:
    return rows.order_by("-points", "person_id")


@cache
def _best(count: int) -> PreparedQuery[_Row]:
    return PreparedQuery(
        lambda kind, since: _select_listed(kind, since).values_list(*_COLUMNS)[:count],
        str,
        dt.datetime,
    )


def _read_page(kind: Kind, page: int, since: dt.datetime) -> list[_Row]:
    if page == 1:
        return _best(PER_PAGE).read(kind, since)
    # The index has all that the keys need, so the rows of the pages before are not read.
    keys = _select_listed(kind, since).values_list("pk", flat=True)
    return _rows.read(list(keys[(page - 1) * PER_PAGE : page * PER_PAGE]))


_rows = PreparedQuery(
    lambda keys: _sort(PersonRating.objects.filter(pk__in=keys, listed__in=[True])).values_list(
        *_COLUMNS
    ),
    list,
)


def _count(rows: QuerySet[PersonRating]) -> QuerySet[PersonRating, int]:
    """Return a query for the number of rows of one kind; it has no row if there are none."""
    counted = rows.order_by().values("kind").annotate(number=Count("pk"))
    return counted.values_list("number", flat=True)


_number = PreparedQuery(lambda kind, since: _count(_select_listed(kind, since)), str, dt.datetime)
_better = PreparedQuery(
    lambda kind, since, points: _count(_select_listed(kind, since).filter(points__gt=points)),
    *(str, dt.datetime, int),
)
_ahead = PreparedQuery(
    lambda kind, since, points, person: _count(
        _select_listed(kind, since).filter(points=points, person__lt=person)
    ),
    *(str, dt.datetime, int, int),
)


def _find_own(kind: Kind, viewer: Viewer, since: dt.datetime) -> tuple[Listed | None, int]:
    """Return the viewer's line, or None, and how many with the same rating are listed before it."""
    if viewer.user_id is None or not (found := _own.find(kind, viewer.user_id, since)):
        return None, 0
    *row, place, ahead = found
    return _to_line(place, tuple(row), viewer), ahead


def _select_own(kind: str, person: int, since: dt.datetime) -> QuerySet[PersonRating, Any]:
    listed = _select_listed(kind, since)
    better = _count(listed.filter(points__gt=OuterRef("points")))
    ahead = _count(listed.filter(points=OuterRef("points"), person__lt=person))
    own = listed.filter(person=person)
    return own.values_list(
        *_COLUMNS, 1 + Coalesce(Subquery(better), 0), Coalesce(Subquery(ahead), 0)
    )


_own = PreparedQuery(_select_own, str, int, dt.datetime)


def _find_place(row: PersonRating, now: dt.datetime) -> int | None:
    """Return the place of a row on its list, or None if it is not there."""
    since = now - LISTED_FOR
    if not row.listed or row.rated_at < since:
        return None
    return 1 + (_better.find(row.kind, since, row.points) or 0)


def _list(
    rows: Iterable[_Row], viewer: Viewer, kind: Kind, since: dt.datetime, start: int = 0
) -> tuple[Listed, ...]:
    """Return lines with their places; `start` is how many people are listed before them."""
    lines: list[Listed] = []
    for number, row in enumerate(rows, start + 1):
        person, _, points, *_ = row
        if lines and lines[-1].points == points:
            place = lines[-1].place
        elif lines or not start:
            place = number
        else:
            place = number - (_ahead.find(kind, since, points, person) or 0)
        lines.append(_to_line(place, row, viewer))
    return tuple(lines)


def _to_line(place: int, row: _Row, viewer: Viewer) -> Listed:
    person, username, points, games, solos, draws = row
    is_you = person == viewer.user_id
    return Listed(place, name_of(username), points, games, solos, draws, is_you)


_of_person = PreparedQuery(
    lambda user: PersonRating.objects.filter(person=user).order_by("kind"), int
)
_hidden = PreparedQuery(lambda user: HiddenRating.objects.filter(person=user), int)
_curve = PreparedQuery(
    lambda user, kind: (
        RatingChange.objects.filter(person=user, kind=kind)
        .order_by("-named_at", "-game_id")
        .values_list("named_at", "points")[:MAX_CURVE]
    ),
    *(int, str),
)


def _read_curve(user_id: int, kind: str) -> tuple[CurvePoint, ...]:
    """Return the points of a curve, oldest first."""
    return tuple(CurvePoint(at, points) for at, points in reversed(_curve.read(user_id, kind)))


def has_hidden_ratings(viewer: Viewer) -> bool:
    """Return whether the viewer has hidden the ratings from others."""
    return viewer.user_id is not None and bool(_hidden.read(viewer.user_id))
