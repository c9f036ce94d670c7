"""Keeping players' statistics: counted from the facts, and updated in the same transaction."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from django.db.models import Count, Q, QuerySet

from diplomaccloud.games.actions.pending import add_figures
from diplomaccloud.games.models import (
    ABANDONED,
    FIGURES,
    REMOVED,
    RESIGNED,
    Attendance,
    Game,
    GameResult,
    Seat,
    Status,
    Tenure,
    count_people,
    find_result,
    find_unrated,
)
from diplomaccloud.games.options.options import Watch

_Counts = defaultdict[int, Counter[str]]
_LEFT = (RESIGNED, REMOVED, ABANDONED)
_NONE: Counter[str] = Counter()
_counting: ContextVar[frozenset[int]] = ContextVar("_counting", default=frozenset())
"""The games being changed, whose statistics are counted before and after the change."""


def count_figures(
    games: QuerySet[Game], *, with_turns: bool = True, user: int | None = None
) -> dict[int, Counter[str]]:
    """Return what `games` add to the statistics of each person, or of `user`, by the person's key.

    Without `with_turns`, turns are left out. Anonymous games count only once they are over; before
    that, a changing number would reveal who plays.
    """
    counts: _Counts = defaultdict(Counter)
    rows = {
        row["pk"]: row
        for row in games.order_by()
        .annotate(people=count_people("pk"))
        .values("pk", "status", "private", "options", "ending", "people")
    }
    known = [key for key, row in rows.items() if _is_known(row)]
    one = Q() if user is None else Q(user=user)
    _count_tenures(Tenure.objects.filter(one, seat__game__in=known), counts)
    _count_seats(Seat.objects.filter(one, game__in=rows), rows, counts)
    if with_turns:
        _count_turns(Attendance.objects.filter(one, phase__game__in=known), counts)
    return {user: count for user, count in counts.items() if any(count.values())}


def _is_known(game: Mapping[str, Any]) -> bool:
    return bool(game["status"] == Status.FINISHED or not game["options"]["anonymous"])


def _count_tenures(tenures: QuerySet[Tenure], counts: _Counts) -> None:
    held: dict[tuple[int, int], bool] = {}
    rows = tenures.exclude(user=None).order_by().values_list("user", "seat__game", "left")
    for user, game, ending in rows:
        held[user, game] = held.get((user, game), False) or ending in _LEFT
    for (user, _), left in held.items():
        counts[user].update(games=1, left=int(left))


def _count_seats(
    seats: QuerySet[Seat], games: Mapping[int, Mapping[str, Any]], counts: _Counts
) -> None:
    for user, key, power in (
        seats.exclude(user=None).order_by().values_list("user", "game", "power")
    ):
        game = games[key]
        options = game["options"]
        if game["status"] == Status.RUNNING:
            hidden = game["private"] or options["anonymous"]
            counts[user]["running"] += not hidden and options["watch"] == Watch.ANYONE.value
        elif game["status"] == Status.FINISHED:
            ending = game["ending"]
            why = find_unrated(game["people"], ending["reason"], len(ending["winners"]))
            if why is not None:
                counts[user]["unrated"] += 1
                continue
            result = find_result(ending["winners"], power, options["setup"])
            counts[user].update(
                finished=1,
                won=int(result is GameResult.WON),
                shared=int(result is GameResult.SHARED),
            )


def _count_turns(attendances: QuerySet[Attendance], counts: _Counts) -> None:
    turns = attendances.filter(phase__superseded_at=None, excused=False).order_by()
    missed = Count("pk", filter=Q(ordered=False))
    by_user = turns.values_list("user").annotate(n=Count("pk"), absent=missed)
    for user, turn_count, missed_count in by_user:
        counts[user].update(turns=turn_count, missed=missed_count)


@contextmanager
def counted_again(game: Game, *, with_turns: bool = False) -> Iterator[None]:
    """Update the statistics of the game's people by what changes within the block.

    For facts that change rarely: seats, tenures, the status of the game, and, `with_turns`, which
    phases count. The game must be locked. A block nested in another one for the same game does
    nothing, since the outer block counts everything. The turns of an anonymous game count from its
    end on.
    """
    if game.pk in _counting.get():
        yield
        return
    token = _counting.set(_counting.get() | {game.pk})
    with_turns = with_turns or game.options.anonymous
    try:
        row = Game.objects.filter(pk=game.pk)
        before = count_figures(row, with_turns=with_turns)
        yield
        after = count_figures(row, with_turns=with_turns)
    finally:
        _counting.reset(token)
    changes = {}
    for user in before.keys() | after.keys():
        old, new = before.get(user, _NONE), after.get(user, _NONE)
        changes[user] = {name: new[name] - old[name] for name in FIGURES}
    add_figures(changes)
