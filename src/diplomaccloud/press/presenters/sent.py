"""What a person reads after sending a message."""

import datetime as dt


def describe_sent(copies: int, published_at: dt.datetime | None) -> str:
    """Return a sentence where it is not obvious what became of the message, blank otherwise."""
    if published_at is not None:
        return (
            f"Accepted. Gray messages are published each quarter hour, in random order. Yours "
            f"appears at {published_at.astimezone(dt.UTC):%H:%M} UTC."
        )
    return f"Sent separately to {copies} countries." if copies > 1 else ""
