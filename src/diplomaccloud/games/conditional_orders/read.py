"""The viewer's conditional orders in a movement phase."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass

from diplomaccloud.games.conditional_orders.plans import ConditionalOrders, parse_conditional_orders
from diplomaccloud.games.table.phase_models import ConditionalOrders as ConditionalOrdersRow
from diplomaccloud.games.table.phase_models import lines_of_conditions, version_of_lines
from diplomaccloud.games.table.read import Reader
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.phases import Stage
from diplomaccloud.shared.prepared_queries import PreparedQuery


@dataclass(frozen=True, slots=True)
class SavedConditions:
    """The conditional orders of the viewer's powers; `saved_at` is None if nothing is saved.

    `version` changes with them, for the form that shows them.
    """

    by_power: Mapping[Power, ConditionalOrders]
    saved_at: dt.datetime | None
    version: str


_row = PreparedQuery(
    lambda phase, seat: ConditionalOrdersRow.objects.filter(phase=phase, seat=seat), int, int
)


def read_conditions(reader: Reader) -> SavedConditions | None:
    """Return the viewer's conditional orders, or None if none can be written now."""
    rows = reader.rows
    if rows.position.phase.stage is not Stage.MOVEMENT or rows.own_seat is None:
        return None
    row = _row.find(rows.phase.pk, rows.own_seat.pk) if rows.phase else None
    return SavedConditions(
        {
            power: parse_conditional_orders(row.text_for(power) if row else "", rows.board, power)
            for power in rows.own_powers
        },
        row.saved_at if row else None,
        version_of_lines(lines_of_conditions(row, rows.own_powers)),
    )
