"""Iterators over paged lists."""

from collections.abc import Sequence
from typing import Final, Literal

from diplomaccloud.client.call import Call, Pages, paged
from diplomaccloud.client.operations import Operations
from diplomaccloud.client.values import (
    EventPage,
    EventState,
    GamePage,
    ListedState,
    MessageList,
    MessageState,
)

WAIT: Final = 25
"""How long one call waits for events, in seconds."""


class Lists:
    """The iterators of both clients: `for` with one, `async for` with the other."""

    @paged
    def iterate_games(
        self, *, status: Literal["forming", "running", "finished"] = "running"
    ) -> Pages[GamePage, ListedState]:
        """Yield all public games with this status that you don't play in, newest first."""

        def describe(before: str = "") -> Call[GamePage]:
            return Operations.list_games.describe(self, status=status, before=before)

        def find_next(page: GamePage) -> Call[GamePage] | None:
            return None if page.older is None else describe(page.older)

        return Pages(describe(), lambda page: page.games, find_next)

    @paged
    def iterate_messages(
        self, game: str, *, with_: str, after: int = 0
    ) -> Pages[MessageList, MessageState]:
        """Yield the messages of a conversation after number `after`, oldest first."""

        def describe(after: int) -> Call[MessageList]:
            return Operations.list_messages.describe(self, game, with_=with_, after=after)

        def find_next(part: MessageList) -> Call[MessageList] | None:
            return describe(part.messages[-1].number) if part.has_later else None

        def items(part: MessageList) -> Sequence[MessageState]:
            return part.messages

        return Pages(describe(after), items, find_next)

    @paged
    def iterate_events(self, game: str, *, after: str = "now") -> Pages[EventPage, EventState]:
        """Yield the events of a game after the event `after`, waiting for new ones forever.

        Every event comes exactly once. To resume later, keep the `id` of the last event.
        """

        def describe(after: str) -> Call[EventPage]:
            return Operations.list_events.describe(self, game, after=after, wait=WAIT)

        return Pages(describe(after), lambda page: page.events, lambda page: describe(page.next))
