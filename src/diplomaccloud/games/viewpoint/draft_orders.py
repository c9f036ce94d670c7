"""The viewer's own drafts: read in one query, whatever their number."""

import datetime as dt
from dataclasses import dataclass

from diplomaccloud.games.models import FIRST_DRAFT, Phase, Seat
from diplomaccloud.judge.codec.values import order_from_json
from diplomaccloud.judge.orders import Order


@dataclass(frozen=True, slots=True)
class Sheet:
    """One draft and the orders in it; `saved_at` is None for one that is not stored yet."""

    name: str
    live: bool
    saved_at: dt.datetime | None
    orders: tuple[Order, ...] = ()

    @property
    def text(self) -> str:
        """The orders in canonical form, sorted, one a line: as a receipt would have them."""
        return "\n".join(sorted(str(order) for order in self.orders))


NO_SHEET = Sheet(FIRST_DRAFT, True, None)


def sheets_of(seat: Seat, phase: Phase) -> tuple[Sheet, ...]:
    """Return the drafts of the seat's holder for the phase; one of them is live."""
    found: dict[str, Sheet] = {}
    orders: dict[str, list[Order]] = {}
    rows = phase.drafts.held_by(seat).order_by("pk", "orders__pk")
    for name, live, saved_at, canonical in rows.values_list(
        "name", "live", "saved_at", "orders__canonical"
    ):
        found.setdefault(name, Sheet(name, bool(live), saved_at))
        kept = orders.setdefault(name, [])
        if canonical is not None:
            kept.append(order_from_json(canonical))
    sheets = tuple(
        Sheet(sheet.name, sheet.live, sheet.saved_at, tuple(orders[sheet.name]))
        for sheet in found.values()
    )
    return sheets if any(sheet.live for sheet in sheets) else (NO_SHEET, *sheets)
