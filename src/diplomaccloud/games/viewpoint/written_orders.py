"""The orders of processed phases as they were written, beside what was understood."""

from collections import defaultdict
from collections.abc import Sequence

from diplomaccloud.games.models import OrderRow, Phase, Status, Tenure, is_readiness_public
from diplomaccloud.games.presenters.drafts import WrittenLine
from diplomaccloud.games.presenters.results import WrittenPower
from diplomaccloud.games.viewpoint.names import author_name
from diplomaccloud.games.viewpoint.table import Table
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.codec.values import order_from_json
from diplomaccloud.judge.orders import power_of
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.judge.protocol import Written


def written_in(table: Table, phase: Phase, rows: Sequence[OrderRow]) -> tuple[WrittenPower, ...]:
    """Return what was written for a processed phase, by whom and when, power by power.

    `rows` are the orders that counted, each with its draft.
    When is not told of retreats and adjustments before the game is over: it would tell who had
    written ahead, and may have more written. Nothing is told of a phase that is not processed.
    """
    if phase.processed_at is None:
        return ()
    over = table.game.status == Status.FINISHED
    timed = over or is_readiness_public(JudgePhase.parse(phase.name))
    holders = _holders(table) if rows else {}
    found: dict[Power, list[WrittenLine]] = defaultdict(list)
    for row in rows:
        order = row.canonical
        line = WrittenLine(
            order=str(order),
            written=row.written,
            by=_author(table, holders.get(row.draft.seat_id, []), row),
            at=row.saved_at if timed else None,
        )
        found[power_of(order)].append(line)
    return tuple(
        WrittenPower(seat, tuple(found[power]))
        for power, seat in table.flags.items()
        if power in found
    )


def written_of(table: Table) -> dict[str, Written]:
    """Return what was written for every processed phase that counts, by the phase's short name."""
    rows = OrderRow.objects.filter(draft__phase__in=table.processed, draft__live=True)
    found: dict[str, dict[Power, dict[str, str]]] = {}
    for name, canonical, text in rows.order_by("pk").values_list(
        "draft__phase__name", "canonical", "written"
    ):
        order = order_from_json(canonical)
        found.setdefault(name, {}).setdefault(power_of(order), {})[str(order)] = text
    return dict(found)


def _holders(table: Table) -> dict[int, list[Tenure]]:
    found: dict[int, list[Tenure]] = defaultdict(list)
    for tenure in table.tenures:
        found[tenure.seat_id].append(tenure)
    return found


def _author(table: Table, holders: list[Tenure], row: OrderRow) -> str:
    """Return who held the seat when the order was saved, under the name that may be told."""
    held = (one for one in holders if one.since_at <= row.saved_at)
    return author_name(table.game, next(held, None))
