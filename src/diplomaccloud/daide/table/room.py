"""The visitors of a game, and the messages to send to them."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from diplomaccloud.daide.language.tokens import Message
from diplomaccloud.daide.table.visitors import Role, Seat, Visitor, VisitorId
from diplomaccloud.judge.board import Power

Outgoing: TypeAlias = tuple[VisitorId, Message | None]
"""A message for a visitor, or None to close the visitor's connection."""


class Room:
    """The visitors, their seats, and the messages waiting to be sent."""

    def __init__(self) -> None:
        self.visitors: dict[VisitorId, Visitor] = {}
        self.seats: Mapping[Power, Seat] = {}
        self.outbox: list[Outgoing] = []
        self._count = 0

    def enter(self) -> Visitor:
        """Add and return a new visitor."""
        self._count += 1
        visitor = Visitor(VisitorId(self._count))
        self.visitors[visitor.number] = visitor
        return visitor

    def send(self, visitor: Visitor, *messages: Message) -> None:
        """Send messages to one visitor."""
        self.outbox += [(visitor.number, message) for message in messages]

    def close(self, visitor: Visitor) -> None:
        """Close a connection after its waiting messages; the end is reported like any other."""
        self.outbox.append((visitor.number, None))

    def broadcast(self, messages: Iterable[Message]) -> None:
        """Send messages to all players and observers who know the map."""
        listed = list(messages)
        for visitor in self.listeners():
            self.send(visitor, *listed)

    def listeners(self) -> Iterator[Visitor]:
        """Yield the players and observers who know the map."""
        for visitor in self.visitors.values():
            if visitor.knows_map and visitor.role is not Role.NOBODY:
                yield visitor

    def players(self) -> list[Visitor]:
        """Return the visitors that play or want to play."""
        return [v for v in self.visitors.values() if v.role is Role.PLAYER]

    def player_of(self, power: Power) -> Visitor | None:
        """Return the visitor that plays a power; None for a bot or an absent client."""
        return next((v for v in self.visitors.values() if v.power == power), None)

    def absent(self) -> list[Power]:
        """Return the powers whose clients are not connected."""
        present = {visitor.power for visitor in self.visitors.values()}
        return [power for power in self.seats if power not in present]
