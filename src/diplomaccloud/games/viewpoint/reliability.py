"""How reliably people play, in plain figures, counted when they are asked for.

Anonymous games count when they are over: before, a figure that moves would tell who plays.
"""

from collections.abc import Collection

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from diplomaccloud.games.actions.seats.resignation import ABANDONED, REMOVED, RESIGNED
from diplomaccloud.games.models import Attendance, Seat, Status, Tenure

_LEFT = (RESIGNED, REMOVED, ABANDONED)


def with_reliability(seats: QuerySet[Seat]) -> QuerySet[Seat]:
    """Return `seats` with the figures of who holds each, for `figures_on`."""
    return seats.annotate(**_figures("user"))


def figures_on(seat: Seat) -> str:
    """Return the figures of the holder of a seat that `with_reliability` gave, in words."""
    found: dict[str, int] = vars(seat)
    return in_plain_figures(
        turns=found["turns"],
        missed=found["missed"],
        games=found["played"],
        left=found["left_games"],
    )


def figures_of(people: Collection[int]) -> dict[int, str]:
    """Return the figures in words of each of the people, by their keys; asks twice for all."""
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
    none = {"turns": 0, "missed": 0, "games": 0, "left": 0}
    return {
        key: in_plain_figures(**none | turns.get(key, {}) | games.get(key, {})) for key in people
    }


def in_plain_figures(*, turns: int, missed: int, games: int, left: int) -> str:
    """Return `Missed 2 of 143 turns, left 1 of 9 games`; blank for whoever never played."""
    if not games:
        return ""
    return f"Missed {missed} of {_number(turns, 'turn')}, left {left} of {_number(games, 'game')}"


def _figures(holder: str) -> dict[str, Coalesce]:
    turns = _turns().filter(user=OuterRef(holder))
    games = _tenures().filter(user=OuterRef(holder))
    return {
        "turns": _counted(turns, Count("pk")),
        "missed": _counted(turns.filter(ordered=False), Count("pk")),
        "played": _counted(games, Count("seat__game", distinct=True)),
        "left_games": _counted(games.filter(left__in=_LEFT), Count("seat__game", distinct=True)),
    }


def _counted(rows: QuerySet[Attendance] | QuerySet[Tenure], count: Count) -> Coalesce:
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
    found = rows.order_by().values("user").annotate(**counts).values_list("user", *counts)
    return {user: dict(zip(counts, numbers, strict=True)) for user, *numbers in found}


def _number(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"
