"""Orders sent for a draft that has changed in the meantime, beside the saved ones."""

from dataclasses import dataclass
from itertools import zip_longest

from diplomaccloud.games.presenters.drafts import Difference, describe_value
from diplomaccloud.games.presenters.order_form import OrderForm


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
            describe_value(slot, choice) if choice is not None else "",
            describe_value(slot, slot.selected),
        )
        for slot, choice in zip_longest(form.slots, sent.choices[: len(form.slots)])
    ]
    # A forged form may have more orders than the page has lines.
    extra = [Difference("Another order", text, "") for text in sent.choices[len(form.slots) :]]
    return DraftConflict(sent, (*lines, *extra))
