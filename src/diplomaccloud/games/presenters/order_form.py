"""The order form of the viewer: what to order, the drafts, and the conditional orders."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.urls import reverse

from diplomaccloud.games.presenters.conditional_orders import (
    ConditionsForm,
    present_conditions,
)
from diplomaccloud.games.presenters.drafts import (
    Difference,
    DraftTab,
    DraftWarning,
    compare_drafts,
    describe_live_draft,
    list_drafts,
    warn_of_draft,
)
from diplomaccloud.games.presenters.receipts import (
    LastSaveView,
    ReceiptLine,
    present_last_save,
    present_receipt,
)
from diplomaccloud.games.presenters.seats import Seats
from diplomaccloud.games.viewpoint import GameReader
from diplomaccloud.games.viewpoint.deadline import ClockState
from diplomaccloud.judge.adjustments import adjustments_owed
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.orders import Order, power_of
from diplomaccloud.judge.phases import Stage
from diplomaccloud.sandbox.order_choices import Slot, list_slots
from diplomaccloud.schedule.descriptions import join_words

_FIRST_STEPS = {
    Stage.MOVEMENT: "Tap one of your units, here or on the map, then its destination.",
    Stage.RETREATS: "Tap your dislodged unit, then where it retreats to.",
    Stage.ADJUSTMENTS: "Tap a marked province on the map, or choose from the list.",
}
"""What a newcomer does first, by the stage of the phase."""


@dataclass(frozen=True, slots=True)
class OrderForm:
    """The viewer's own orders in the open phase, as one of the drafts contains them.

    `first_step` says how a newcomer starts. `default` says what happens without orders.
    `text` has the orders of the live draft, one per
    line; `saved_at` is when they were saved. `draft` is the draft shown, saved at
    `draft_saved_at`; `version` identifies the orders that it has now, and `live` says whether it
    is the one that counts; if not, `differences` has a line for each unit. `counting` says which
    draft counts, and `warning` is for the time near the deadline. `conditions` is None if no
    conditional orders can be written; `by_conditions` says that these orders came from conditional
    orders. If `closed`, orders can no longer be changed and are adjudicated at `adjudicate_at`.
    """

    heading: str
    first_step: str
    hint: str
    default: str
    slots: tuple[Slot, ...]
    text: str
    ready: bool
    saved_at: dt.datetime | None
    must_order: bool
    draft: str
    draft_saved_at: dt.datetime | None
    version: str
    live: bool
    live_name: str
    drafts: tuple[DraftTab, ...]
    drafts_url: str
    counting: str
    warning: DraftWarning | None
    differences: tuple[Difference, ...]
    conditions: ConditionsForm | None
    by_conditions: bool
    closed: bool
    grace: str
    adjudicate_at: dt.datetime
    copy_url: str
    receipts: tuple[ReceiptLine, ...]
    last_save: LastSaveView | None

    @property
    def sites(self) -> tuple[str, ...]:
        """The provinces in which the viewer can build."""
        choices = [
            choice for slot in self.slots for group in slot.groups for choice in group.choices
        ]
        builds = (choice.province for choice in choices if choice.kind == "build")
        return tuple(dict.fromkeys(builds))


def present_order_form(reader: GameReader, seats: Seats) -> OrderForm | None:
    """Return the viewer's order form; None for a viewer without units and centers."""
    phase, you = reader.phase, seats.you
    if phase is None or you is None or not reader.is_running or you.eliminated:
        return None
    must_order, submission = reader.must_order, reader.own_submission
    closed = phase.locked or submission.locked
    heading, hint = _describe_task(reader)
    slots = _list_slots(reader, seats) if must_order else ()
    url = reverse("games:detail", args=[reader.game.slug])
    receipts = reader.read_own_receipts() if phase.locked else ()
    return OrderForm(
        heading=heading,
        first_step=_FIRST_STEPS[reader.position.phase.stage],
        hint=hint,
        default=_describe_default(reader),
        slots=slots,
        text=reader.live_draft.text,
        ready=submission.ready,
        saved_at=submission.saved_at,
        must_order=must_order,
        draft=reader.shown_draft.name,
        draft_saved_at=reader.shown_draft.saved_at,
        version=reader.shown_draft.version,
        live=reader.shown_draft.live,
        live_name=reader.live_draft.name,
        drafts=list_drafts(reader, url),
        drafts_url=reverse("games:drafts", args=[reader.game.slug]),
        counting=describe_live_draft(reader),
        warning=_find_warning(reader),
        differences=() if reader.shown_draft.live else compare_drafts(reader, slots),
        conditions=present_conditions(reader) if must_order and not closed else None,
        by_conditions=submission.by_conditions,
        closed=closed,
        grace=_describe_grace(reader, seats) if submission.locked and not phase.locked else "",
        adjudicate_at=phase.adjudicate_at,
        copy_url=reverse("games:copy", args=[reader.game.slug]),
        receipts=tuple(present_receipt(receipt, you) for receipt in receipts),
        last_save=present_last_save(reader),
    )


def _find_warning(reader: GameReader) -> DraftWarning | None:
    """Return a warning about the draft that counts while it can still be changed."""
    clock = reader.clock
    if clock is None or clock.state is not ClockState.OPEN:
        return None
    if not reader.must_order or reader.own_submission.ready or reader.own_submission.locked:
        return None
    return warn_of_draft(reader, _describe_default(reader), clock.read_at)


def _describe_grace(reader: GameReader, seats: Seats) -> str:
    """Return that the viewer's orders are locked, and for whom the grace period is."""
    absent = reader.clock.grace_for if reader.clock else ()
    names = join_words([seat.country for seat in seats.all if seat.pk in absent])
    if not names:
        return "Your orders are locked."
    return f"Your orders are locked. The grace period is for {names}."


def _list_slots(reader: GameReader, seats: Seats) -> tuple[Slot, ...]:
    powers, orders = reader.own_powers, reader.shown_draft.orders
    info = reader.board.power_info
    slots = {
        power: list_slots(
            reader.board,
            reader.position,
            power,
            _orders_of(orders, power),
            reader.game.rules,
            heading=f"{info[power].name}: " if len(powers) > 1 else "",
        )
        for power in powers
    }
    if len(powers) == 1:
        return slots[powers[0]]
    return tuple(
        replace(slot, key=slot.unit or f"{power} {slot.key}", power=seats.by_power[power].country)
        for power, own in slots.items()
        for slot in own
    )


def _orders_of(orders: Sequence[Order], power: Power) -> list[Order]:
    return [order for order in orders if power_of(order) == power]


def _describe_task(reader: GameReader) -> tuple[str, str]:
    """Return a heading, and a sentence about what this phase needs."""
    if not reader.must_order:
        return (
            "No orders needed",
            "You have nothing to order in this phase. The other players are still ordering.",
        )
    match reader.position.phase.stage:
        case Stage.MOVEMENT:
            return "Orders", "A unit without an order holds."
        case Stage.RETREATS:
            return "Retreats", "A dislodged unit without an order is disbanded."
        case Stage.ADJUSTMENTS:
            return _describe_adjustments(reader)


def _describe_adjustments(reader: GameReader) -> tuple[str, str]:
    owed = [adjustments_owed(reader.board, reader.position, power) for power in reader.own_powers]
    builds, disbands = sum(n for n in owed if n > 0), -sum(n for n in owed if n < 0)
    build = f"You may build {_count_units(builds)} in your vacant home centers."
    disband = f"You must disband {_count_units(disbands)}."
    if builds and disbands:
        return "Builds and disbands", f"{build} {disband}"
    return ("Builds", build) if builds else ("Disbands", disband)


def _describe_default(reader: GameReader) -> str:
    match reader.position.phase.stage:
        case Stage.MOVEMENT:
            return "If you don't save orders, your units hold."
        case Stage.RETREATS:
            return "If you don't save orders, your dislodged units are disbanded."
        case Stage.ADJUSTMENTS:
            owed = [
                adjustments_owed(reader.board, reader.position, power)
                for power in reader.own_powers
            ]
            if min(owed) >= 0:
                return "If you don't save orders, nothing is built."
            return "If you don't save orders, the rules decide which units are disbanded."


def _count_units(number: int) -> str:
    return "one unit" if number == 1 else f"{number} units"
