"""Where a person finds a message, as the site stores it; no page shows any of it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """The key of the person's membership, and the stored number of the message."""

    membership: int
    number: int
