"""Where a person finds a message, as stored keys that no page shows."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """The key of the person's membership, and the stored number of the message."""

    membership: int
    number: int
