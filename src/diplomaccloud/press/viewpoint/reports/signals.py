"""Signals about two accounts of one person: facts for a moderator, which never decide alone.

Others are named by their countries only, also in games that are not anonymous.
"""

import datetime as dt
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from django.db.models import Count

from diplomaccloud.accounts.known_browsers import SharedMarks, compare_marks
from diplomaccloud.accounts.relationships import Declared, find_declared
from diplomaccloud.games.statistics.read import Tally, tally_phases
from diplomaccloud.games.table.models import Game, Seat, Tenure
from diplomaccloud.games.visibility.read import Viewer, is_masked
from diplomaccloud.press.errors import NoSuchCase
from diplomaccloud.press.models import Inspection
from diplomaccloud.press.viewpoint.reports.cases import find_inspected

MAX_GAMES: Final = 200
"""How many of the newest games of the reported player are searched for the others."""


@dataclass(frozen=True, slots=True)
class Signals:
    """What the reported player has in common with the player of `country`.

    `games` counts games with both, this one included. `given` and `received` are successful
    supports and convoys for and from that country in this game; `usual` is what the reported
    player gave to the other countries on average. `declared` is a relationship that both have
    confirmed, or None.
    """

    country: str
    shared: SharedMarks
    games: int
    given: int
    received: int
    usual: float
    declared: Declared | None


def read_signals(viewer: Viewer, key: str, *, at: dt.datetime) -> tuple[Signals, ...]:
    """Return the signals for each other person in the game, for the look recorded at `at`."""
    case = find_inspected(viewer, key, Inspection.What.SIGNALS, at)
    game, own = case.game, case.seat
    if game is None or own is None:
        raise NoSuchCase
    person = case.accused.pk
    seats: list[Seat] = game.seat_list
    others = [seat for seat in seats if seat.user_id and seat.user_id != person]
    people = [seat.user_id for seat in others if seat.user_id]
    marks, together = compare_marks(person, people), _count_games(person, people, own.game_id)
    declared = find_declared(person, people)
    given, received = _count_help(game, own, seats)
    return tuple(
        Signals(
            country=seat.country_name,
            shared=marks[seat.user_id],
            games=together.get(seat.user_id, 0),
            given=given[seat.pk],
            received=received[seat.pk],
            usual=_average([given[row.pk] for row in seats if row.pk not in (own.pk, seat.pk)]),
            declared=declared.get(seat.user_id),
        )
        for seat in others
        if seat.user_id
    )


def _count_games(person: int, others: Collection[int], game_id: int) -> dict[int, int]:
    held = Tenure.objects.filter(user=person).order_by("-pk").values_list("seat__game", flat=True)
    # Another unfinished anonymous game would tell who plays there.
    known = Game.objects.filter(pk__in=list(held[:MAX_GAMES])).only("status", "options")
    games = {game.pk for game in known if game.pk == game_id or not is_masked(game)}
    rows = Tenure.objects.filter(user__in=others, seat__game__in=games).order_by()
    counted = rows.values("user").annotate(games=Count("seat__game", distinct=True))
    return {row["user"]: row["games"] for row in counted if row["user"] is not None}


def _count_help(
    game: Game, own: Seat, seats: Collection[Seat]
) -> tuple[Mapping[int, int], Mapping[int, int]]:
    """Return how often the seat helped each seat, and each seat helped it, by the seats' keys."""
    processed = game.phases.filter(superseded_at=None).exclude(processed_at=None)
    sequences = processed.order_by("sequence").values_list("sequence", flat=True)
    tally = tally_phases(game.pk, tuple(sequences))
    given = {seat.pk: _sum_help(tally, game, own, seat) for seat in seats}
    received = {seat.pk: _sum_help(tally, game, seat, own) for seat in seats}
    return given, received


def _sum_help(tally: Tally, game: Game, giver: Seat, taker: Seat) -> int:
    givers, takers = (game.played_with.get(seat.power, ()) for seat in (giver, taker))
    return sum(tally.helped[one, other] for one in givers for other in takers)


def _average(numbers: Collection[int]) -> float:
    return round(sum(numbers) / len(numbers), 1) if numbers else 0.0
