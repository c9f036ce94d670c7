"""Events: what has happened in a game since the caller's last request."""

from typing import Annotated

from django.http import HttpRequest, HttpResponse
from ninja import Query

from diplomaccloud.api.auth import OPEN, caller_of
from diplomaccloud.api.calls.reading import GameId
from diplomaccloud.api.facts.events import PATTERN, read_events
from diplomaccloud.api.operations import Area
from diplomaccloud.api.replies import reply
from diplomaccloud.api.schemas.events import EventPage

MAX_WAIT = 30
"""How many seconds a long poll may last."""
area = Area("events", OPEN)


@area.reads("/games/{game}/events", EventPage)
def list_events(
    request: HttpRequest,
    game: GameId,
    after: Annotated[str, Query(pattern=PATTERN)] = "0",
    wait: Annotated[int, Query(ge=0, le=MAX_WAIT)] = 0,  # noqa: ARG001 see `streams`
) -> HttpResponse:
    """List events, oldest first. Events in conversations need the scope `press`.

    Send the `next` of each answer as `after` in your next request to get every event exactly once;
    `after=now` skips past events. With `wait`, the server answers at the next event, or after that
    many seconds. `Accept: text/event-stream` opens a stream; `Last-Event-ID` resumes it.
    """
    caller = caller_of(request)
    return reply(read_events(game, caller.viewer, after, with_press=caller.reads_press))
