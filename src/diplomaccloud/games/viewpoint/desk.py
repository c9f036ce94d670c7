"""The viewer's desk: the orders of the draft shown, the other drafts, what is written ahead."""

from collections.abc import Sequence
from dataclasses import replace
from urllib.parse import urlencode

from django.urls import reverse

from diplomaccloud.games.models import Status
from diplomaccloud.games.presenters.drafts import Difference, DraftTab
from diplomaccloud.games.presenters.order_form import slots_for
from diplomaccloud.games.presenters.shown_desk import Desk, Slot
from diplomaccloud.games.viewpoint.conditional_orders import ahead_of
from diplomaccloud.games.viewpoint.draft_orders import Sheet
from diplomaccloud.games.viewpoint.receipts import own_receipt
from diplomaccloud.games.viewpoint.table import Table
from diplomaccloud.judge.adjustments import adjustments_owed
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.orders import Order, Waive, power_of
from diplomaccloud.judge.phases import Stage


def desk_of(table: Table) -> Desk | None:
    """Return the viewer's desk, None for whoever has no units and centers left."""
    if table.mine is None or table.phase is None or table.game.status != Status.RUNNING:
        return None
    if table.you is not None and table.you.eliminated:
        return None
    submission = table.submissions.get(table.mine.pk)
    must_order = bool(table.ordering.intersection(table.my_powers))
    closed = table.phase.locked_at is not None
    heading, hint = _heading(table)
    slots = _slots(table) if must_order else ()
    address = reverse("games:detail", args=[table.game.slug])
    return Desk(
        heading=heading if must_order else "Nothing to order",
        hint=hint if must_order else "Nothing to do in this phase: the others are still ordering.",
        slots=slots,
        sheet=table.live_sheet.text,
        ready=submission is not None and submission.ready_at is not None,
        saved_at=submission.saved_at if submission else None,
        must_order=must_order,
        draft=table.sheet.name,
        live=table.sheet.live,
        live_name=table.live_sheet.name,
        drafts=tuple(_tab(table, address, sheet) for sheet in table.sheets),
        drafts_url=f"{address}drafts/",
        differences=() if table.sheet.live else _differences(table, slots),
        ahead=ahead_of(table) if must_order and not closed else None,
        by_plan=submission is not None and submission.ahead,
        closed=closed,
        judged_at=table.phase.adjudicate_at,
        copy_url=f"{address}orders/copy/",
        receipt=own_receipt(table, table.phase) if closed else None,
    )


def _tab(table: Table, address: str, sheet: Sheet) -> DraftTab:
    url = address if sheet.live else f"{address}?{urlencode({'draft': sheet.name})}"
    return DraftTab(sheet.name, url, sheet.live, sheet == table.sheet)


def _slots(table: Table) -> tuple[Slot, ...]:
    powers = table.my_powers
    rules = table.game.rules
    return tuple(
        replace(slot, key=slot.unit or f"{power} {slot.key}", power=table.flags[power].country)
        if len(powers) > 1
        else slot
        for power in powers
        for slot in slots_for(
            table.board, table.position, power, _of(table.sheet.orders, power), rules
        )
    )


def _of(orders: Sequence[Order], power: Power) -> list[Order]:
    return [order for order in orders if power_of(order) == power]


def _differences(table: Table, slots: Sequence[Slot]) -> tuple[Difference, ...]:
    """Return what each line of the draft shown orders, beside the same of the live one."""
    live = [one for one in table.live_sheet.orders if not isinstance(one, Waive)]
    by_unit = {str(order.unit): str(order) for order in live}
    adjusting = table.position.phase.stage is Stage.ADJUSTMENTS
    found = []
    for slot in slots:
        if adjusting:
            # Builds have no unit to be told apart by: the next one of the live draft's.
            offered = {choice.value for group in slot.groups for choice in group.choices}
            value = next((text for text in by_unit.values() if text in offered), "")
            by_unit = {unit: text for unit, text in by_unit.items() if text != value}
        else:
            value = by_unit.get(slot.unit, f"{slot.unit} {'D' if slot.dislodged else 'H'}")
        found.append(Difference(slot.title, _said(slot, slot.selected), _said(slot, value)))
    return tuple(found)


def _said(slot: Slot, value: str) -> str:
    """Return the order `value` in the words in which the line of the form offers it."""
    labels = {choice.value: choice.label for group in slot.groups for choice in group.choices}
    return labels.get(value, value or slot.blank)


def _heading(table: Table) -> tuple[str, str]:
    match table.position.phase.stage:
        case Stage.MOVEMENT:
            return "Orders", "A unit without an order holds."
        case Stage.RETREATS:
            return "Retreats", "A dislodged unit without an order is disbanded."
        case Stage.ADJUSTMENTS:
            return _adjusting(table)


def _adjusting(table: Table) -> tuple[str, str]:
    owed = [adjustments_owed(table.board, table.position, power) for power in table.my_powers]
    builds, disbands = sum(n for n in owed if n > 0), -sum(n for n in owed if n < 0)
    build = f"You may build {_count(builds)} in your vacant home centers."
    disband = f"You must disband {_count(disbands)}."
    if builds and disbands:
        return "Builds and disbands", f"{build} {disband}"
    return ("Builds", build) if builds else ("Disbands", disband)


def _count(number: int) -> str:
    return "one unit" if number == 1 else f"{number} units"
