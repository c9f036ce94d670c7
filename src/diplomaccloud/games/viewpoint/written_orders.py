"""The orders of processed phases as they were written, with their canonical form."""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from diplomaccloud.games.models import OrderRow, Phase, Tenure, is_readiness_public
from diplomaccloud.games.viewpoint.names import Holder, tenure_holder
from diplomaccloud.games.viewpoint.rows import GameRows
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.codec.values import order_from_json
from diplomaccloud.judge.orders import Order, power_of
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.judge.protocol import Written


@dataclass(frozen=True, slots=True)
class WrittenOrder:
    """An order as it was written; `by` is None if unknown, and `at` is None if hidden."""

    order: Order
    text: str
    by: Holder | None
    at: dt.datetime | None


def read_written_orders(
    rows: GameRows, phase: Phase, orders: Sequence[OrderRow]
) -> Mapping[Power, Sequence[WrittenOrder]]:
    """Return the orders of a processed phase as written, by whom and when; empty for other phases.

    `orders` are the live orders, each with its draft. The times of retreats and adjustments are
    hidden until the game is over, because they would reveal who wrote conditional orders.
    """
    written: dict[Power, list[WrittenOrder]] = defaultdict(list)
    if phase.processed_at is None or not orders:
        return written
    timed = rows.is_finished or is_readiness_public(JudgePhase.parse(phase.name))
    tenures: dict[int, list[Tenure]] = defaultdict(list)
    for tenure in rows.tenures:
        tenures[tenure.seat_id].append(tenure)
    for row in orders:
        order = row.canonical
        by = _find_author(rows, tenures[row.draft.seat_id], row)
        written[power_of(order)].append(
            WrittenOrder(order, row.written, by, row.saved_at if timed else None)
        )
    return written


def read_all_written(rows: GameRows) -> dict[str, Written]:
    """Return the texts of the orders of every processed phase, by the phase's short name."""
    orders = OrderRow.objects.filter(draft__phase__in=rows.processed, draft__live=True)
    written: dict[str, dict[Power, dict[str, str]]] = {}
    for name, canonical, text in orders.order_by("pk").values_list(
        "draft__phase__name", "canonical", "written"
    ):
        order = order_from_json(canonical)
        written.setdefault(name, {}).setdefault(power_of(order), {})[str(order)] = text
    return dict(written)


def _find_author(rows: GameRows, tenures: Iterable[Tenure], row: OrderRow) -> Holder | None:
    """Return who held the seat when the order was saved; `tenures` are newest first."""
    tenure = next((tenure for tenure in tenures if tenure.since_at <= row.saved_at), None)
    return tenure_holder(rows.game, tenure) if tenure else None
