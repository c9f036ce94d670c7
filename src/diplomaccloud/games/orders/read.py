"""What a player still owes in an open phase, and all orders that a person has written."""

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from diplomaccloud.games.table.models import Seat, Status, Tenure
from diplomaccloud.games.table.phase_models import (
    NOTHING_MISSING,
    MissingOrders,
    OrderRow,
    Phase,
    Submission,
    list_missing,
)
from diplomaccloud.games.table.read import Reader
from diplomaccloud.judge.orders import Order


class Owed(StrEnum):
    """What a player still owes: all orders, or some of them."""

    ALL = "all"
    SOME = "some"


def find_owed(game: int, sequence: int, due_at: dt.datetime) -> dict[int, Owed] | None:
    """Return what each person owes, by user key; people who owe nothing are left out.

    Returns None if the phase no longer accepts orders, or if its deadline has moved. A player who
    is ready owes nothing, even if conditional orders made the player ready.
    """
    phases = Phase.objects.in_play().filter(locked_at=None).select_related("game")
    phase = phases.filter(game=game, sequence=sequence, due_at=due_at).first()
    if phase is None:
        return None
    orders: dict[int, list[Order]] = {}
    for row in OrderRow.objects.live_in(phase):
        orders.setdefault(row.draft.seat_id, []).append(row.canonical)
    submissions = {row.seat_id: row for row in phase.submissions.all()}
    owed_by = {}
    for seat in phase.people_to_order():
        owed = _find_owed_by(phase, seat, orders.get(seat.pk, ()), submissions.get(seat.pk))
        if owed is not None and seat.user_id is not None:
            owed_by[seat.user_id] = owed
    return owed_by


def _find_owed_by(
    phase: Phase, seat: Seat, orders: Sequence[Order], submission: Submission | None
) -> Owed | None:
    if submission is not None and (submission.ready_at or submission.by_conditional_orders):
        return None
    if phase.is_kept_in_grace(seat, submission, lambda: orders):
        return None
    powers = [power for power in phase.powers_of(seat) if power not in phase.civil_disorder]
    missing = list_missing(phase.board, phase.position, powers, orders)
    if not missing.units and not missing.adjustments:
        return None
    return Owed.SOME if orders else Owed.ALL


def read_missing_orders(reader: Reader) -> MissingOrders:
    """Return which of the viewer's units and builds have no order yet in the live draft."""
    powers = [power for power in reader.own_powers if power in reader.rows.powers_to_order]
    if not powers:
        return NOTHING_MISSING
    return list_missing(reader.board, reader.position, powers, reader.live_draft.orders)


@dataclass(frozen=True, slots=True)
class OwnGame:
    """A period in which a person held a seat; `orders` are as written, by phase.

    `number` distinguishes several periods in the same seat.
    """

    slug: str
    world: str
    country: str
    power: str
    number: int
    since_at: dt.datetime
    until_at: dt.datetime | None
    orders: tuple[tuple[str, tuple[str, ...]], ...]


def list_own_games(user_id: int) -> Iterator[OwnGame]:
    """Yield the games of a person, oldest first, with the live orders of each phase."""
    tenures = Tenure.objects.filter(user=user_id).select_related("seat__game").order_by("pk")
    numbers: dict[int, int] = {}
    for tenure in tenures:
        seat = tenure.seat
        numbers[seat.pk] = number = numbers.get(seat.pk, 0) + 1
        yield OwnGame(
            slug=seat.game.slug,
            world=seat.game.world,
            country=seat.country_name,
            power=seat.power or "",
            number=number,
            since_at=tenure.since_at,
            until_at=tenure.until_at,
            orders=_list_orders(tenure),
        )


def _list_orders(tenure: Tenure) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the live orders that were saved while the person held the seat."""
    rows = OrderRow.objects.filter(draft__seat=tenure.seat_id, draft__live=True)
    rows = rows.filter(saved_at__gte=tenure.since_at)
    if tenure.until_at is not None:
        rows = rows.filter(saved_at__lte=tenure.until_at)
    # A phase that was replayed after a rollback has a different number.
    names = ("draft__phase__sequence", "draft__phase__name", "written")
    orders: dict[str, list[str]] = {}
    for sequence, phase, written in rows.order_by(names[0], "pk").values_list(*names):
        orders.setdefault(f"{sequence} {phase}", []).append(written)
    return tuple((phase, tuple(texts)) for phase, texts in orders.items())


def is_seat_ready(slug: str, user_id: int, sequence: int) -> bool:
    """Return whether the person's seat is marked as ready in a phase of a game."""
    submissions = Submission.objects.filter(
        phase__game__slug=slug, phase__sequence=sequence, seat__user_id=user_id
    )
    return submissions.exclude(ready_at=None).exists()


MAX_GAMES: Final = 40
"""A person with more running games than this can order by Slack only in the newest."""


@dataclass(frozen=True, slots=True)
class OrderGame:
    """A running game that takes orders by Slack."""

    slug: str
    world: str


def list_order_games(user_id: int) -> tuple[OrderGame, ...]:
    """Return the person's running games that take orders by Slack, newest first."""
    seats = Seat.objects.filter(user=user_id, finished_at=None, game__status=Status.RUNNING)
    seats = seats.select_related("game").order_by("-game")[:MAX_GAMES]
    return tuple(
        OrderGame(seat.game.slug, seat.game.world) for seat in seats if seat.game.options.slack
    )
