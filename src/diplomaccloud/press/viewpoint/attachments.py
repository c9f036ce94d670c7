"""Reading what the messages of a page carry: a few queries for each kind that the page has."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from diplomaccloud.games.models import Seat
from diplomaccloud.press.addresses import AttachmentKind
from diplomaccloud.press.models import Conversation, Message
from diplomaccloud.press.viewpoint.documents import read_documents
from diplomaccloud.press.viewpoint.facts import AttachmentFacts
from diplomaccloud.press.viewpoint.maps import read_maps
from diplomaccloud.press.viewpoint.proposals import read_proposals

Reader = Callable[[Sequence[Message], int | None, Sequence[Seat]], Mapping[int, AttachmentFacts]]
"""Returns the facts by the key of the message, from messages that the viewer with this key reads.

The seats are those of the messages' game.
"""

READERS: Final[Mapping[AttachmentKind, Reader]] = {
    AttachmentKind.MAP: read_maps,
    AttachmentKind.PROPOSAL: read_proposals,
    AttachmentKind.DOCUMENT: read_documents,
}
"""Each kind with its reader."""


def read_attachments(
    messages: Sequence[Message], user_id: int | None, seats: Sequence[Seat] | None = None
) -> dict[int, tuple[AttachmentFacts, ...]]:
    """Return what the messages carry, by their keys; there is no query for messages of text.

    They are of one game. A caller that has its seats saves a query by giving them.
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
    """Return the seats of the game of a message."""
    games = Conversation.objects.filter(pk=message.conversation_id).values("game")
    rows = Seat.objects.filter(game__in=games).select_related("game__chart")
    seats = list(rows.defer("game__chart__text"))
    for seat in seats:
        seat.game = seats[0].game
    return seats
