"""The drafts of a seat: tabs, which one counts, a comparison, and a copy to keep."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from diplomaccloud.games.seats.page import present_seats
from diplomaccloud.games.table.errors import NoSuchGame
from diplomaccloud.games.table.read import DraftOrders, Reader
from diplomaccloud.judge.orders import Waive
from diplomaccloud.judge.phases import Stage
from diplomaccloud.sandbox.order_choices import Slot

_NEAR_DEADLINE = dt.timedelta(hours=12)
_NEAR_SHARE = 4
"""A deadline is near in the last 12 hours, or in the last quarter of a phase that is shorter."""


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
class OrdersCopy:
    """A copy of the orders that count: the phase's short name, a heading, one order per line."""

    phase: str
    title: str
    text: str


def list_drafts(reader: Reader, url: str) -> tuple[DraftTab, ...]:
    """Return the viewer's drafts; `url` is the address of the game."""
    return tuple(
        DraftTab(
            draft.name,
            url if draft.live else f"{url}?{urlencode({'draft': draft.name})}",
            draft.live,
            draft == reader.shown_draft,
        )
        for draft in reader.drafts
    )


def describe_live_draft(reader: Reader) -> str:
    """Return which draft counts, in a sentence for the form that shows one of several."""
    live, shown = reader.live_draft, reader.shown_draft
    orders = "" if live.orders else ", and it has no orders"
    if shown.live:
        return f"“{live.name}” is the live draft: it counts at the deadline{orders}."
    return f"“{shown.name}” does not count. “{live.name}” counts at the deadline{orders}."


def warn_of_draft(reader: Reader, default: str, now: dt.datetime) -> DraftWarning | None:
    """Return a warning to show near the deadline if the live draft is empty or old.

    `default` says what happens without orders. The live draft is compared with the shown one, or
    with the newest if the live draft itself is shown.
    """
    phase, live, shown = reader.phase, reader.live_draft, reader.shown_draft
    times = {draft.saved_at: draft for draft in reader.drafts if draft.saved_at and not draft.live}
    newest = times[max(times)] if times else None
    other = newest if shown.live else shown
    if phase is None or not (text := _describe_doubt(live, other, default)):
        return None
    show_at = phase.due_at - min(_NEAR_DEADLINE, (phase.due_at - phase.opens_at) / _NEAR_SHARE)
    return DraftWarning(text, show_at, near=show_at <= now)


def _describe_doubt(live: DraftOrders, other: DraftOrders | None, default: str) -> str:
    """Return what is wrong with the live draft, blank if nothing; `other` is not live."""
    advice = f" If “{other.name}” should count, make it live." if other else ""
    if not live.orders:
        if live.saved_at is None and other is None:
            return f"You have not saved any orders yet. {default}"
        return f"“{live.name}” counts, and it has no orders. {default}{advice}"
    if other and other.saved_at and live.saved_at and other.saved_at > live.saved_at:
        return f"“{live.name}” counts, but you saved “{other.name}” after it.{advice}"
    return ""


def compare_drafts(reader: Reader, slots: Sequence[Slot]) -> tuple[Difference, ...]:
    """Return each line of the shown draft beside the same line of the live draft."""
    live = reader.live_draft.orders
    by_unit = {str(order.unit): str(order) for order in live if not isinstance(order, Waive)}
    left = [str(order) for order in live]
    adjusting = reader.position.phase.stage is Stage.ADJUSTMENTS
    differences = []
    for slot in slots:
        if adjusting:
            # Builds name no existing unit, so they are compared in order.
            choices = [choice for group in slot.groups for choice in group.choices]
            offered = {choice.value.rpartition(": ")[2]: choice.value for choice in choices}
            text = next((text for text in left if text in offered), "")
            left = left[: left.index(text)] + left[left.index(text) + 1 :] if text else left
            value = offered.get(text, "")
        else:
            value = by_unit.get(slot.unit, f"{slot.unit} {'D' if slot.dislodged else 'H'}")
        differences.append(
            Difference(slot.title, describe_value(slot, slot.selected), describe_value(slot, value))
        )
    return tuple(differences)


def copy_orders(reader: Reader) -> OrdersCopy:
    """Return a copy of the viewer's orders that count in the open phase; raise `NoSuchGame`."""
    draft, you = reader.live_draft, present_seats(reader).you
    if you is None or draft.saved_at is None:
        raise NoSuchGame
    game, phase = reader.game, reader.position.phase
    title = (
        f"{game.world} ({game.slug}), {phase.title}, {you.country}, "
        f"saved {draft.saved_at:%Y-%m-%d %H:%M:%S} UTC"
    )
    return OrdersCopy(str(phase), title, draft.text)


def describe_value(slot: Slot, value: str) -> str:
    """Return the order `value` in the words of the order form."""
    labels = {choice.value: choice.label for group in slot.groups for choice in group.choices}
    return labels.get(value, value or slot.blank)
