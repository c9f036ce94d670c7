"""How reliably people play, counted when a page needs it.

Anonymous games count once they are over: until then a changing count would reveal who plays.
"""

from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from diplomaccloud.games.models import (
    ABANDONED,
    REMOVED,
    RESIGNED,
    Attendance,
    Seat,
    Status,
    Tenure,
)

_LEFT = (RESIGNED, REMOVED, ABANDONED)


@dataclass(frozen=True, slots=True)
class Reliability:
    """How many turns a person missed and how many games the person left."""

    turns: int = 0
    missed: int = 0
    games: int = 0
    left: int = 0


def with_reliability(seats: QuerySet[Seat]) -> QuerySet[Seat]:
    """Return `seats` annotated with the counts that `reliability_at` reads."""
    return seats.annotate(**_counts("user"))


def reliability_at(seat: Seat) -> Reliability:
    """Return the reliability of the holder of a seat from `with_reliability`."""
    counts: dict[str, int] = vars(seat)
    return Reliability(
        turns=counts["turns"],
        missed=counts["missed"],
        games=counts["played"],
        left=counts["left_games"],
    )


def read_reliability(people: Collection[int]) -> dict[int, Reliability]:
    """Return the reliability of each of the people by key, with two queries for all."""
    turns = _by_user(
        _turns().filter(user__in=people),
        turns=Count("pk"),
        missed=Count("pk", filter=Q(ordered=False)),
    )
    games = _by_user(
        _tenures().filter(user__in=people),
        games=Count("seat__game", distinct=True),
        left=Count("seat__game", distinct=True, filter=Q(left__in=_LEFT)),
    )
    return {key: Reliability(**turns.get(key, {}), **games.get(key, {})) for key in people}


def _counts(holder: str) -> dict[str, Coalesce]:
    turns = _turns().filter(user=OuterRef(holder))
    games = _tenures().filter(user=OuterRef(holder))
    return {
        "turns": _count(turns, Count("pk")),
        "missed": _count(turns.filter(ordered=False), Count("pk")),
        "played": _count(games, Count("seat__game", distinct=True)),
        "left_games": _count(games.filter(left__in=_LEFT), Count("seat__game", distinct=True)),
    }


def _count(rows: QuerySet[Attendance] | QuerySet[Tenure], count: Count) -> Coalesce:
    return Coalesce(Subquery(rows.order_by().values("user").annotate(n=count).values("n")), 0)


def _turns() -> QuerySet[Attendance]:
    known = Q(phase__game__status=Status.FINISHED) | Q(phase__game__options__anonymous=False)
    return Attendance.objects.filter(known, phase__superseded_at=None, excused=False)


def _tenures() -> QuerySet[Tenure]:
    known = Q(seat__game__status=Status.FINISHED) | Q(seat__game__options__anonymous=False)
    return Tenure.objects.filter(known)


def _by_user(
    rows: QuerySet[Attendance] | QuerySet[Tenure], **counts: Count
) -> dict[int, dict[str, int]]:
    counted = rows.order_by().values("user").annotate(**counts).values_list("user", *counts)
    return {user: dict(zip(counts, numbers, strict=True)) for user, *numbers in counted}
