"""The events of a game for one viewer: public events, and the viewer's messages and answers."""

import datetime as dt
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Annotated, Final

from django.http import HttpRequest
from ninja import Query
from pydantic import Field

from diplomaccloud.api.addresses import GameId
from diplomaccloud.api.answers import ApiAnswer
from diplomaccloud.api.auth import OPEN, caller_of
from diplomaccloud.api.operations import Area
from diplomaccloud.games.news.read import Happening, list_public_happenings
from diplomaccloud.games.page.read import version_of
from diplomaccloud.games.table.errors import GameCanceled, NoSuchGame
from diplomaccloud.games.visibility.read import Viewer, find_visible, is_canceled
from diplomaccloud.press.news import read as press

LIMIT: Final = 100
"""The maximum number of events in one answer."""
NOW: Final = "now"
"""Sent instead of an ID to get only future events."""
PATTERN: Final = "^(now|[0-9]{1,9}(-[0-9]{1,9}){0,2})$"
OTHER: Final = "game.changed"
TYPES: Final[Mapping[str, str]] = {
    "created": "game.created",
    "started": "game.started",
    "finished": "game.over",
    "canceled": "game.canceled",
    "suspended": "game.suspended",
    "resumed": "game.resumed",
    "changed": OTHER,
    "opened": "phase.opened",
    "locked": "phase.closed",
    "processed": "phase.resolved",
    "ready": "seat.ready",
    "joined": "seat.changed",
    "left": "seat.changed",
    "seat": "seat.changed",
    "motion": "vote.changed",
    "log": "log.written",
    "message": "message.received",
    "answer": "proposal.answered",
}
"""The event type for each kind of happening; the rest are `OTHER`."""

EVENT_TYPES: Final = tuple(dict.fromkeys(TYPES.values()))


class EventState(ApiAnswer):
    """Something that happened in a game, as far as you may know it."""

    id: str = Field(description="Send the newest ID as `after` to get every event exactly once.")
    type: Annotated[str, Field(json_schema_extra={"enum": list(EVENT_TYPES)})] = Field(
        description="What happened. There may be more types later: ignore those you don't know."
    )
    at: dt.datetime
    data: Mapping[str, object] = Field(
        description="Values such as `phase`, `sequence`, `due_at`, `power`, `with` and `number`; "
        "never text that a person wrote."
    )


class EventPage(ApiAnswer):
    """Events, oldest first."""

    events: list[EventState]
    next: str = Field(description="The `after` for the next request.")
    more: bool = Field(description="Whether more events are available now.")


def read_events(slug: str, viewer: Viewer, after: str, *, with_press: bool) -> EventPage:
    """Return the events after an ID that matches `PATTERN`, or none and the latest ID for `NOW`.

    `with_press` adds the viewer's messages and answers. Raises `NoSuchGame` or `GameCanceled`.
    """
    game_id = find_visible(slug, viewer)
    if game_id is None:
        raise GameCanceled if is_canceled(slug) else NoSuchGame
    person = viewer.user_id if with_press else None
    if after == NOW:
        counts = [version_of(game_id), 0, 0]
        if person is not None:
            counts[1:] = press.count_messages(game_id, person), press.count_answers(game_id, person)
        return EventPage(events=[], next=_write(counts), more=False)
    counts = [*map(int, after.split("-")), 0, 0][:3]
    public, messages, answers = counts
    sources = [list_public_happenings(game_id, after=public, limit=LIMIT + 1)]
    if person is not None:
        sources += press.list_happenings(
            game_id, person, messages=messages, answers=answers, limit=LIMIT + 1
        )
    happenings, events = _merge(sources), []
    for source, happening in happenings[:LIMIT]:
        counts[source] += 1
        events.append(_describe(happening, _write(counts)))
    return EventPage(events=events, next=_write(counts), more=len(happenings) > LIMIT)


def _merge(sources: Sequence[Sequence[Happening]]) -> list[tuple[int, Happening]]:
    """Return all happenings by time. Each source keeps its own order, even if its times don't."""
    merged = []
    for number, source in enumerate(sources):
        # Adjusted so that they never decrease.
        times = accumulate((happening.at for happening in source), max)
        merged += [(at, number, happening) for at, happening in zip(times, source, strict=True)]
    merged.sort(key=lambda entry: entry[:2])
    return [(number, happening) for _, number, happening in merged]


def _describe(happening: Happening, key: str) -> EventState:
    facts = {
        # Times are written as in all other answers.
        name: str(value).replace("+00:00", "Z") if name.endswith("_at") else value
        for name, value in happening.facts.items()
    }
    if "with" in facts:
        facts["with"] = str(facts["with"]).replace("+", ",")
    kind = TYPES.get(happening.kind, OTHER)
    return EventState(id=key, type=kind, at=happening.at, data=facts)


def _write(counts: Sequence[int]) -> str:
    """Return the ID for the numbers of public events, messages and answers that were received."""
    return "-".join(map(str, counts)) if any(counts[1:]) else str(counts[0])


MAX_WAIT = 30
"""How many seconds a long poll may last."""
area = Area("events", OPEN)


@area.reads("/games/{game}/events", EventPage)
def list_events(
    request: HttpRequest,
    game: GameId,
    after: Annotated[str, Query(pattern=PATTERN)] = "0",
    wait: Annotated[int, Query(ge=0, le=MAX_WAIT)] = 0,  # noqa: ARG001 see `streams`
) -> object:
    """List events, oldest first. Events in conversations need the scope `press`.

    Send the `next` of each answer as `after` in your next request to get every event exactly once;
    `after=now` skips past events. With `wait`, the server answers at the next event, or after that
    many seconds. `Accept: text/event-stream` opens a stream; `Last-Event-ID` resumes it.
    """
    caller = caller_of(request)
    return read_events(game, caller.viewer, after, with_press=caller.reads_press)
