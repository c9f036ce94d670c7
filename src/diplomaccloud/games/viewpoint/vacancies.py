"""Vacant seats of public games, which the lobby offers."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import structlog
from django.db.models import Exists, OuterRef, QuerySet

from diplomaccloud.games.models import REMOVED, Game, Phase, Seat, Status, Tenure
from diplomaccloud.games.viewpoint.reliability import find_own_reliability
from diplomaccloud.games.viewpoint.seats import measure_strength
from diplomaccloud.games.viewpoint.visibility import Viewer
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.shared.prepared_queries import PreparedQuery

_log = structlog.get_logger(__name__)
_MAX_OFFERS = 12
"""The most vacant seats that the lobby lists."""
_MAX_READ = 60
"""How many seats are read to find them, since a person may not be able to take all."""


@dataclass(frozen=True, slots=True)
class SeatOffer:
    """A vacant seat of a public game, and what its country has on the board."""

    slug: str
    world: str
    phase: JudgePhase
    power: str
    country: str
    color: str
    centers: int
    units: int
    since_at: dt.datetime


def find_vacant_seats(viewer: Viewer) -> list[Seat]:
    """Return seats of public games that the viewer may take over, longest vacant first.

    Only the `_MAX_READ` longest vacant seats are considered.
    """
    if viewer.user_id is None:
        return _longest_vacant.read()
    return _leave_out_barred(_vacant.read(viewer.user_id), viewer.user_id)[:_MAX_OFFERS]


def _select_vacant() -> QuerySet[Seat]:
    seats = Seat.objects.filter(finished_at=None, vacated_at__isnull=False)
    seats = seats.filter(game__status=Status.RUNNING, game__private=False, game__watchable=True)
    # PostgreSQL reads the index in order only if the query also names its first column.
    return seats.order_by("finished_at", "vacated_at")


def _select_vacant_for(person: int) -> QuerySet[Seat]:
    held = Seat.objects.filter(user=person, game=OuterRef("game"))
    seats = _select_vacant().exclude(Exists(held))
    return seats.exclude(game__master__isnull=False, game__master=person)


_longest_vacant = PreparedQuery(lambda: _select_vacant()[:_MAX_OFFERS])
_vacant = PreparedQuery(lambda person: _select_vacant_for(person)[:_MAX_READ], int)


def read_offers(
    viewer: Viewer, seats: Sequence[Seat], games: Mapping[int, Game], phases: Mapping[int, Phase]
) -> tuple[SeatOffer, ...]:
    """Return the facts about vacant seats for the lobby; `games` and `phases` are by game key.

    Seats for which the viewer is not reliable enough are left out.
    """
    offers = []
    least = max((_find_least(games.get(seat.game_id)) for seat in seats), default=0)
    own = find_own_reliability(viewer.user_id) if least else None
    for seat in seats:
        if own is not None and own < _find_least(games.get(seat.game_id)):
            continue
        game, phase = games.get(seat.game_id), phases.get(seat.game_id)
        if game is not None and phase is not None:
            seat.game = game
            try:
                offers.append(_read_offer(seat, phase))
            except Exception:
                # A game with damaged data must not break the list.
                _log.exception("damaged game", game=game.pk)
    return tuple(offer for offer in offers if offer is not None)


def _find_least(game: Game | None) -> int:
    try:
        return game.options.reliability if game is not None else 0
    except ValueError:
        # Damaged options: reading the offer logs this.
        return 0


def _leave_out_barred(seats: Sequence[Seat], user_id: int) -> list[Seat]:
    """Return the seats that a person may take, by the same rule as `seats` for one game."""
    if not seats:
        return []
    # Query only these games: a subquery would read every game the person ever played.
    tenures = Tenure.objects.filter(user=user_id, seat__game__in={seat.game_id for seat in seats})
    had: dict[int, set[int]] = {}
    removed = set()
    for game, seat, left in tenures.values_list("seat__game", "seat", "left"):
        had.setdefault(game, set()).add(seat)
        if left == REMOVED:
            removed.add(game)
    return [
        seat
        for seat in seats
        if seat.game_id not in removed and seat.pk in had.get(seat.game_id, {seat.pk})
    ]


def _read_offer(row: Seat, phase: Phase) -> SeatOffer | None:
    game = row.game
    if row.vacated_at is None:
        return None
    powers = phase.powers_of(row)
    strength = measure_strength(phase.position, powers)
    if set(powers) <= set(phase.civil_disorder) or not strength.units + strength.centers:
        return None
    return SeatOffer(
        slug=game.slug,
        world=game.world,
        phase=JudgePhase.parse(phase.name),
        power=row.power or "",
        country=row.country_name,
        color=game.power_colors([row])[powers[0]],
        centers=strength.centers,
        units=strength.units,
        since_at=row.vacated_at,
    )
