"""The order form of the viewer: what to order, the drafts, and the conditional orders."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from urllib.parse import urlencode

from diplomaccloud.games.conditional_orders.page import ConditionsForm, present_conditions
from diplomaccloud.games.deadlines.read import Clock, ClockState
from diplomaccloud.games.record.page import ReceiptLine, list_receipts
from diplomaccloud.games.record.read import read_own_receipts
from diplomaccloud.games.seats.page import Seats, present_seats
from diplomaccloud.games.table.errors import NoSuchGame
from diplomaccloud.games.table.read import DraftOrders, LastSave, OwnSubmission, Reader
from diplomaccloud.judge.adjustments import adjustments_owed
from diplomaccloud.judge.orders import Waive, power_of
from diplomaccloud.judge.phases import Stage
from diplomaccloud.sandbox.order_choices import Slot, list_slots
from diplomaccloud.schedule.descriptions import join_words
from diplomaccloud.shared.links import find_url

_FIRST_STEPS = {
    Stage.MOVEMENT: "Tap one of your units, here or on the map, then its destination.",
    Stage.RETREATS: "Tap your dislodged unit, then where it retreats to.",
    Stage.ADJUSTMENTS: "Tap a marked province on the map, or choose from the list.",
}
"""What a newcomer does first, by the stage of the phase."""


@dataclass(frozen=True, slots=True)
class DraftTab:
    """One of the viewer's drafts for the open phase; `shown` is the one in the order form."""

    name: str
    url: str
    live: bool
    shown: bool


@dataclass(frozen=True, slots=True)
class Difference:
    """One unit's order in the shown draft and in the live draft, in words."""

    title: str
    shown: str
    live: str

    @property
    def changed(self) -> bool:
        """Whether the two orders differ."""
        return self.shown != self.live


@dataclass(frozen=True, slots=True)
class DraftWarning:
    """Why the draft that counts may not be the one the viewer wants, shown from `show_at` on."""

    text: str
    show_at: dt.datetime
    near: bool


@dataclass(frozen=True, slots=True)
class OrderForm:
    """The viewer's own orders in the open phase, as one of the drafts contains them.

    `first_step` says how a newcomer starts. `default` says what happens without orders. `draft` is
    the draft shown; if it is not the live one, `differences` has a line for each unit. `counting`
    says which draft counts, and `warning` is for the time near the deadline. `conditions` is None
    if no conditional orders can be written. If `closed`, orders can no longer be changed and are
    adjudicated at `adjudicate_at`. `sites` are the provinces in which the viewer can build.
    """

    heading: str
    first_step: str
    hint: str
    default: str
    slots: tuple[Slot, ...]
    must_order: bool
    submission: OwnSubmission
    live_draft: DraftOrders
    draft: DraftOrders
    drafts: tuple[DraftTab, ...]
    counting: str
    warning: DraftWarning | None
    differences: tuple[Difference, ...]
    conditions: ConditionsForm | None
    closed: bool
    grace: str
    adjudicate_at: dt.datetime
    receipts: tuple[ReceiptLine, ...]
    last_save: LastSave | None
    sites: tuple[str, ...]


def present_order_form(
    reader: Reader, seats: Seats, clock: Clock | None, *, with_conditions: bool = False
) -> OrderForm | None:
    """Return the viewer's order form; None for a viewer without units and centers.

    Only `with_conditions`, the conditional orders have their lists of choices.
    """
    phase, you = reader.phase, seats.you
    if phase is None or you is None or not reader.is_running or you.eliminated:
        return None
    must_order, submission = reader.must_order, reader.own_submission
    closed = phase.locked or submission.locked
    heading, hint = _describe_task(reader)
    default = _describe_default(reader)
    slots = _list_slots(reader, seats) if must_order else ()
    # The draft that counts can still be changed.
    is_open = clock is not None and clock.state is ClockState.OPEN
    warned = is_open and must_order and not submission.ready and not submission.locked
    choices = [choice for slot in slots for group in slot.groups for choice in group.choices]
    builds = (choice.province for choice in choices if choice.kind == "build")
    receipts = read_own_receipts(reader) if phase.locked else ()
    return OrderForm(
        heading=heading,
        first_step=_FIRST_STEPS[reader.position.phase.stage],
        hint=hint,
        default=default,
        slots=slots,
        must_order=must_order,
        submission=submission,
        live_draft=reader.live_draft,
        draft=reader.shown_draft,
        drafts=_list_drafts(reader),
        counting=_describe_live_draft(reader),
        warning=_warn_of_draft(reader, default, clock.read_at) if clock and warned else None,
        differences=() if reader.shown_draft.live else _compare_drafts(reader, slots),
        conditions=(
            present_conditions(reader, with_lists=with_conditions)
            if must_order and not closed
            else None
        ),
        closed=closed,
        grace=_describe_grace(seats, clock) if submission.locked and not phase.locked else "",
        adjudicate_at=phase.adjudicate_at,
        receipts=list_receipts(receipts, seats),
        last_save=reader.read_last_save(),
        sites=tuple(dict.fromkeys(builds)),
    )


def _describe_grace(seats: Seats, clock: Clock | None) -> str:
    """Return that the viewer's orders are locked, and for whom the grace period is."""
    absent = clock.grace_for if clock else ()
    names = join_words([seat.country for seat in seats.all if seat.key in absent])
    if not names:
        return "Your orders are locked."
    return f"Your orders are locked. The grace period is for {names}."


def _list_slots(reader: Reader, seats: Seats) -> tuple[Slot, ...]:
    powers, orders = reader.own_powers, reader.shown_draft.orders
    info = reader.board.power_info
    slots = {
        power: list_slots(
            reader.board,
            reader.position,
            power,
            [order for order in orders if power_of(order) == power],
            reader.game.rules,
            heading=f"{info[power].name}: " if len(powers) > 1 else "",
        )
        for power in powers
    }
    if len(powers) == 1:
        return slots[powers[0]]
    return tuple(
        replace(slot, key=slot.unit or f"{power} {slot.key}", power=seats.by_power[power].country)
        for power, lines in slots.items()
        for slot in lines
    )


def _describe_task(reader: Reader) -> tuple[str, str]:
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
            return _describe_adjustments(_list_owed(reader))


def _list_owed(reader: Reader) -> list[int]:
    """Return the builds that each of the viewer's powers owes; negative numbers are disbands."""
    return [adjustments_owed(reader.board, reader.position, power) for power in reader.own_powers]


def _describe_adjustments(owed: list[int]) -> tuple[str, str]:
    builds, disbands = sum(n for n in owed if n > 0), -sum(n for n in owed if n < 0)
    build = f"You may build {_count_units(builds)} in your vacant home centers."
    disband = f"You must disband {_count_units(disbands)}."
    if builds and disbands:
        return "Builds and disbands", f"{build} {disband}"
    return ("Builds", build) if builds else ("Disbands", disband)


def _describe_default(reader: Reader) -> str:
    match reader.position.phase.stage:
        case Stage.MOVEMENT:
            return "If you don't save orders, your units hold."
        case Stage.RETREATS:
            return "If you don't save orders, your dislodged units are disbanded."
        case Stage.ADJUSTMENTS:
            if min(_list_owed(reader)) >= 0:
                return "If you don't save orders, nothing is built."
            return "If you don't save orders, the rules decide which units are disbanded."


def _count_units(number: int) -> str:
    return "one unit" if number == 1 else f"{number} units"


def describe_saved(orders: Sequence[str], *, ready: bool) -> str:
    """Return the message after saving the live draft, which has `orders` now."""
    done = "Orders saved, and you are ready." if ready else "Orders saved."
    return f"{done} Your orders for this phase: {'; '.join(orders) or 'no unit has an order'}."


def describe_unready(*, refused: int, draft: str) -> str:
    """Return why a player who saved orders was not marked as ready.

    `refused` is the number of refused orders; without any, `draft` is not the live one.
    """
    if not refused:
        return f"You are not marked as ready, because “{draft}” is not the draft that counts."
    orders = "one order was" if refused == 1 else f"{refused} orders were"
    return f"You are not marked as ready, because {orders} refused."


def describe_gaps(*, only_holds: bool, retreats: int, builds: int, disbands: int) -> str:
    """Return what a player who wants to be ready may have forgotten: see `Gaps`."""
    sentences = []
    if only_holds:
        sentences.append("All your units hold.")
    if retreats:
        units = "One unit" if retreats == 1 else f"{retreats} units"
        sentences.append(f"{units} that can retreat will be disbanded.")
    if builds:
        units = "one more unit" if builds == 1 else f"{builds} more units"
        sentences.append(f"You can build {units}. Choose “No build” to waive a build.")
    if disbands:
        units = "one more unit" if disbands == 1 else f"{disbands} more units"
        sentences.append(f"You must disband {units}. If you choose none, the rules decide.")
    return " ".join(sentences)


@dataclass(frozen=True, slots=True)
class SentOrders:
    """Orders that were not saved, because of `reason`; `ready` is whether to mark as ready, too."""

    reason: str
    choices: tuple[str, ...]
    sheet: str
    ready: bool


@dataclass(frozen=True, slots=True)
class DraftConflict:
    """Orders that were sent, and a line for each with the saved one beside it.

    In `differences`, the shown order is the one that was sent.
    """

    sent: SentOrders
    differences: tuple[Difference, ...]


def present_conflict(form: OrderForm, sent: SentOrders) -> DraftConflict:
    """Return the sent orders beside those of the draft that the form shows."""
    lines = [
        Difference(
            slot.title,
            _describe_value(slot, choice) if choice is not None else "",
            _describe_value(slot, slot.selected),
        )
        for slot, choice in zip_longest(form.slots, sent.choices[: len(form.slots)])
    ]
    # A forged form may have more orders than the page has lines.
    extra = [Difference("Another order", text, "") for text in sent.choices[len(form.slots) :]]
    return DraftConflict(sent, (*lines, *extra))


_NEAR_DEADLINE = dt.timedelta(hours=12)
_NEAR_SHARE = 4
"""A deadline is near in the last 12 hours, or in the last quarter of a phase that is shorter."""


def _list_drafts(reader: Reader) -> tuple[DraftTab, ...]:
    url = find_url("games:detail", reader.game.slug)
    return tuple(
        DraftTab(
            draft.name,
            url if draft.live else f"{url}?{urlencode({'draft': draft.name})}",
            draft.live,
            draft == reader.shown_draft,
        )
        for draft in reader.drafts
    )


def _describe_live_draft(reader: Reader) -> str:
    """Return which draft counts, in a sentence for the form that shows one of several."""
    live, shown = reader.live_draft, reader.shown_draft
    orders = "" if live.orders else ", and it has no orders"
    if shown.live:
        return f"“{live.name}” is the live draft: it counts at the deadline{orders}."
    return f"“{shown.name}” does not count. “{live.name}” counts at the deadline{orders}."


def _warn_of_draft(reader: Reader, default: str, now: dt.datetime) -> DraftWarning | None:
    """Return a warning to show near the deadline if the live draft is empty or old.

    `default` says what happens without orders. The live draft is compared with the shown one, or
    with the newest if the live draft itself is shown.
    """
    phase, live, shown = reader.phase, reader.live_draft, reader.shown_draft
    times = {draft.saved_at: draft for draft in reader.drafts if draft.saved_at and not draft.live}
    newest = times[max(times)] if times else None
    rival = newest if shown.live else shown
    if phase is None or not (text := _describe_doubt(live, rival, default)):
        return None
    show_at = phase.due_at - min(_NEAR_DEADLINE, (phase.due_at - phase.opens_at) / _NEAR_SHARE)
    return DraftWarning(text, show_at, near=show_at <= now)


def _describe_doubt(live: DraftOrders, rival: DraftOrders | None, default: str) -> str:
    """Return what is wrong with the live draft, blank if nothing; `rival` is not live."""
    advice = f" If “{rival.name}” should count, make it live." if rival else ""
    if not live.orders:
        if live.saved_at is None and rival is None:
            return f"You have not saved any orders yet. {default}"
        return f"“{live.name}” counts, and it has no orders. {default}{advice}"
    if rival and rival.saved_at and live.saved_at and rival.saved_at > live.saved_at:
        return f"“{live.name}” counts, but you saved “{rival.name}” after it.{advice}"
    return ""


def _compare_drafts(reader: Reader, slots: Sequence[Slot]) -> tuple[Difference, ...]:
    """Return each line of the shown draft beside the same line of the live draft."""
    live = reader.live_draft.orders
    by_unit = {str(order.unit): str(order) for order in live if not isinstance(order, Waive)}
    remaining = [str(order) for order in live]
    adjusting = reader.position.phase.stage is Stage.ADJUSTMENTS
    differences = []
    for slot in slots:
        if adjusting:
            # Builds name no existing unit, so they are compared in order.
            choices = [choice for group in slot.groups for choice in group.choices]
            offered = {choice.value.rpartition(": ")[2]: choice.value for choice in choices}
            text = next((text for text in remaining if text in offered), "")
            if text:
                remaining.remove(text)
            value = offered.get(text, "")
        else:
            value = by_unit.get(slot.unit, f"{slot.unit} {'D' if slot.dislodged else 'H'}")
        differences.append(
            Difference(
                slot.title, _describe_value(slot, slot.selected), _describe_value(slot, value)
            )
        )
    return tuple(differences)


def copy_orders(reader: Reader) -> tuple[str, str]:
    """Return the name and the text of a file with the viewer's orders that count.

    Raises `NoSuchGame` for a viewer without any in the open phase.
    """
    draft, you = reader.live_draft, present_seats(reader).you
    if you is None or draft.saved_at is None:
        raise NoSuchGame
    game, phase = reader.game, reader.position.phase
    title = (
        f"{game.world} ({game.slug}), {phase.title}, {you.country}, "
        f"saved {draft.saved_at:%Y-%m-%d %H:%M:%S} UTC"
    )
    return f"orders-{game.slug}-{phase}.txt", f"{title}\n\n{draft.text}\n"


def _describe_value(slot: Slot, value: str) -> str:
    """Return the order `value` in the words of the order form."""
    labels = {choice.value: choice.label for group in slot.groups for choice in group.choices}
    return labels.get(value, value or slot.blank)
