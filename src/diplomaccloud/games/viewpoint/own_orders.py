"""The orders that a person wrote in all games, for the download of personal data."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass

from diplomaccloud.games.models import OrderRow, Tenure


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
    return tuple((phase, tuple(found)) for phase, found in orders.items())
