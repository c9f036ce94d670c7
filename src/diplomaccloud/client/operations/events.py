"""Events: a method for each operation.

Written by `scripts/client` from the description of the API: change that instead.
"""

from diplomaccloud.client.call import Call, fill, operation
from diplomaccloud.client.values import EventPage


class Events:
    """The operations of `events`."""

    @operation
    def list_events(
        self, game: str, *, after: str | None = None, wait: int | None = None
    ) -> Call[EventPage]:
        """List what has happened, the oldest first; in conversations only with the scope `press`.

        Send `next` of the answer as `after`, and you miss and repeat nothing; `after=now` skips what
        has been. With `wait`, the answer comes when there is an event, or after that number of seconds.
        With `Accept: text/event-stream` it is a stream, which goes on after `Last-Event-ID`.
        """
        return Call(
            "GET", fill("/games/{}/events", game), EventPage, query={"after": after, "wait": wait}
        )
