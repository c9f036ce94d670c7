"""The viewer's own drafts, read in a single query."""

import datetime as dt
from dataclasses import dataclass

from diplomaccloud.games.models import FIRST_DRAFT, Draft, Phase, Seat, version_of_lines
from diplomaccloud.judge.codec.values import order_from_json
from diplomaccloud.judge.orders import Order
from diplomaccloud.shared.prepared_queries import PreparedQuery


@dataclass(frozen=True, slots=True)
class DraftOrders:
    """A draft and its orders; `saved_at` is None for a draft that is not stored yet."""

    name: str
    live: bool
    saved_at: dt.datetime | None
    orders: tuple[Order, ...] = ()

    @property
    def text(self) -> str:
        """The orders in canonical form, sorted, one per line, as on a receipt."""
        return "\n".join(sorted(str(order) for order in self.orders))

    @property
    def version(self) -> str:
        """A hash of the orders, for the form that shows them."""
        return version_of_lines(map(str, self.orders))


EMPTY_DRAFT = DraftOrders(FIRST_DRAFT, True, None)


_rows = PreparedQuery(
    lambda phase, seat: (
        Draft.objects.filter(phase=phase, seat=seat)
        .held()
        .order_by("pk", "orders__pk")
        .values_list("name", "live", "saved_at", "orders__canonical")
    ),
    int,
    int,
)


def read_drafts(seat: Seat, phase: Phase) -> tuple[DraftOrders, ...]:
    """Return the drafts that the holder of the seat wrote for the phase; one of them is live."""
    headings: dict[str, tuple[bool, dt.datetime]] = {}
    orders: dict[str, list[Order]] = {}
    for name, live, saved_at, canonical in _rows.read(phase.pk, seat.pk):
        headings.setdefault(name, (bool(live), saved_at))
        own = orders.setdefault(name, [])
        if canonical is not None:
            own.append(order_from_json(canonical))
    drafts = tuple(
        DraftOrders(name, live, saved_at, tuple(orders[name]))
        for name, (live, saved_at) in headings.items()
    )
    return drafts if any(draft.live for draft in drafts) else (EMPTY_DRAFT, *drafts)
