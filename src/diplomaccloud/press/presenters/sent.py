"""The confirmation after sending a message."""

import datetime as dt


def describe_sent(copies: int, published_at: dt.datetime | None) -> str:
    """Return a sentence if it is not obvious what happened to the message; blank otherwise."""
    if published_at is not None:
        return (
            "Accepted. Gray messages are published every quarter hour, in random order. "
            f"Yours appears at {published_at.astimezone(dt.UTC):%H:%M} UTC."
        )
    return f"Sent separately to {copies} countries." if copies > 1 else ""
