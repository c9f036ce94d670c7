"""The seats that a person holds now, by tenure, for things tied to one seat, such as tokens."""

from collections.abc import Collection
from dataclasses import dataclass

from diplomaccloud.games.models import Tenure


@dataclass(frozen=True, slots=True)
class HeldSeat:
    """A seat that is still held by the same person, and its game."""

    tenure: int
    slug: str
    world: str


def find_tenure(slug: str, user_id: int) -> int | None:
    """Return the key of the person's tenure in a game that has started, or None without a seat."""
    tenures = Tenure.objects.filter(seat__game__slug=slug, user=user_id, until_at=None)
    return tenures.values_list("pk", flat=True).first()


def list_held_seats(tenures: Collection[int], user_id: int) -> dict[int, HeldSeat]:
    """Return the seats of the person's tenures that have not ended, by tenure key."""
    if not tenures:
        return {}
    rows = Tenure.objects.filter(
        pk__in=tenures, user=user_id, until_at=None, seat__user=user_id
    ).values_list("pk", "seat__game__slug", "seat__game__world")
    return {key: HeldSeat(key, slug, world) for key, slug, world in rows}
