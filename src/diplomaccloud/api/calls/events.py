"""Events: what has happened in a game since the caller last asked."""

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
_area = Area("events", OPEN)


@_area.reads("/games/{game}/events", EventPage)
def list_events(
    request: HttpRequest,
    game: GameId,
    after: Annotated[str, Query(pattern=PATTERN)] = "0",
    wait: Annotated[int, Query(ge=0, le=MAX_WAIT)] = 0,  # noqa: ARG001 see `streams`
) -> HttpResponse:
    """List what has happened, the oldest first; in conversations only with the scope `press`.

    Send `next` of the answer as `after`, and you miss and repeat nothing; `after=now` skips what
    has been. With `wait`, the answer comes when there is an event, or after that number of seconds.
    With `Accept: text/event-stream` it is a stream, which goes on after `Last-Event-ID`.
    """
    caller = caller_of(request)
    return reply(read_events(game, caller.viewer, after, with_press=caller.reads_press))
