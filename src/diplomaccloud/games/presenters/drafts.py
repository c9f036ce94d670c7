"""The drafts of a seat: tabs, a comparison with the live draft, and a copy to keep."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from diplomaccloud.games.errors import NoSuchGame
from diplomaccloud.games.presenters.order_choices import Slot
from diplomaccloud.games.presenters.seats import present_seats
from diplomaccloud.games.viewpoint import GameReader
from diplomaccloud.judge.orders import Waive
from diplomaccloud.judge.phases import Stage


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
class OrdersCopy:
    """The orders that count, to keep: the phase's short name, a heading, one order per line."""

    phase: str
    title: str
    text: str


def list_drafts(reader: GameReader, url: str) -> tuple[DraftTab, ...]:
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


def compare_drafts(reader: GameReader, slots: Sequence[Slot]) -> tuple[Difference, ...]:
    """Return each line of the shown draft beside the same line of the live draft."""
    live = [order for order in reader.live_draft.orders if not isinstance(order, Waive)]
    by_unit = {str(order.unit): str(order) for order in live}
    adjusting = reader.position.phase.stage is Stage.ADJUSTMENTS
    differences = []
    for slot in slots:
        if adjusting:
            # Builds name no existing unit, so they are compared in order.
            offered = {choice.value for group in slot.groups for choice in group.choices}
            value = next((text for text in by_unit.values() if text in offered), "")
            by_unit = {unit: text for unit, text in by_unit.items() if text != value}
        else:
            value = by_unit.get(slot.unit, f"{slot.unit} {'D' if slot.dislodged else 'H'}")
        differences.append(
            Difference(slot.title, _describe(slot, slot.selected), _describe(slot, value))
        )
    return tuple(differences)


def copy_orders(reader: GameReader) -> OrdersCopy:
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


def _describe(slot: Slot, value: str) -> str:
    """Return the order `value` in the words with which the order form offers it."""
    labels = {choice.value: choice.label for group in slot.groups for choice in group.choices}
    return labels.get(value, value or slot.blank)
