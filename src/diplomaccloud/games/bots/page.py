"""A hint in words: a General's orders, and the promises that they would break."""

from dataclasses import dataclass

from diplomaccloud.deals import DealNames, describe_clause
from diplomaccloud.games.bots.read import read_hint
from diplomaccloud.games.seats.read import read_seats
from diplomaccloud.games.table.read import Reader


@dataclass(frozen=True, slots=True)
class HintView:
    """A hint; `warnings` has a sentence for each promise that its orders would break."""

    asked: bool = False
    orders: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def present_hint(reader: Reader) -> HintView | None:
    """Return what a General would order for the viewer, or None if there are no hints."""
    hint = read_hint(reader)
    if hint is None:
        return None
    countries = {
        seat.powers[0]: seat.name
        for seat in read_seats(reader)
        if seat.name and len(seat.powers) == 1
    }
    names = DealNames(reader.board, countries)
    warnings = tuple(
        f"{promise.order or 'These orders'} would break your promise: "
        f"{describe_clause(promise.clause, names)}"
        for promise in hint.broken
    )
    return HintView(hint.asked, hint.orders, warnings)
