"""Reading the attachments of a page's messages, with a few queries for each kind on the page."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from diplomaccloud.games.table.models import Seat
from diplomaccloud.press.addresses import AttachmentKind
from diplomaccloud.press.models import Conversation, Message
from diplomaccloud.press.viewpoint.facts import AttachmentFacts

Reader = Callable[[Sequence[Message], int | None, Sequence[Seat]], Mapping[int, AttachmentFacts]]
"""Returns the facts by message key, for messages that the viewer with this key can read.

The seats are those of the game.
"""

READERS: Final[dict[AttachmentKind, Reader]] = {}
"""The reader of each kind, which `PressConfig` enters."""


def read_attachments(
    messages: Sequence[Message], user_id: int | None, seats: Sequence[Seat] | None = None
) -> dict[int, tuple[AttachmentFacts, ...]]:
    """Return the attachments by message key; messages with only text cause no query.

    All messages are from one game. Passing its seats saves a query.
    """
    facts: dict[int, tuple[AttachmentFacts, ...]] = {}
    for kind, reader in READERS.items():
        carrying = [message for message in messages if message.attached == kind]
        if not carrying:
            continue
        if seats is None:
            seats = _load_seats(carrying[0])
        facts |= {key: (found,) for key, found in reader(carrying, user_id, seats).items()}
    return facts


def _load_seats(message: Message) -> Sequence[Seat]:
    """Return the seats of a message's game."""
    games = Conversation.objects.filter(pk=message.conversation_id).values("game")
    rows = Seat.objects.filter(game__in=games).select_related("game__chart")
    seats = list(rows.defer("game__chart__text"))
    for seat in seats:
        seat.game = seats[0].game
    return seats
